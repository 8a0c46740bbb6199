/* pawl report: renders stored results again, and merges shards. */
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "job/verdicts.h"
#include "measure/files/files.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/result.h"

enum { NAMES_SHOWN = 5 };

/* -------- merging */

/* A merged result, as it was before its scenarios moved. */
struct part {
	const char *path;
	char *class, *arch, *commit;	/* as they are shown */
	const char *mode;
	struct strv suite;		/* empty if it is not a shard */
	unsigned long shards;		/* their number */
};

struct parts {
	struct part *items;
	size_t n;
};

static void release_parts(struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		free(parts->items[i].class);
		free(parts->items[i].arch);
		free(parts->items[i].commit);
		strv_release(&parts->items[i].suite);
	}
	free(parts->items);
}

static void take_part(struct parts *parts, const char *path, const struct result *result)
{
	struct part *part = &parts->items[parts->n++];

	*part = (struct part){
		.path = path, .class = machine_class(&result->machine), .arch = xstrdup(result->machine.arch),
		.commit = result->commit ? xstrndup(result->commit, COMMIT_SHOWN + strlen("+dirty")) : xstrdup("no commit"),
		.mode = result->mode == MODE_PAIRED ? "measured in pairs" : "compared with baselines",
	};
	strv_copy(&part->suite, &result->suite);
	part->shards = result->shard ? strtoul(strchr(result->shard, '/') + 1, NULL, 10) : 0;
	part->shards = part->shards ?: 1;
}

static void merge(struct result *into, struct result *from)
{
	for (size_t i = 0; i < from->n_scenarios; i++) {
		*ARENA_ADD(&into->arena, into->scenarios, into->n_scenarios, into->cap_scenarios) = from->scenarios[i];
	}
	from->n_scenarios = 0;
	arena_merge(&into->machine.arena, &into->machine.notes, &from->machine.notes);
	arena_merge(&into->arena, &into->notes, &from->notes);
	arena_merge(&into->arena, &into->mixed, &from->mixed);
	judged_by_merge(&into->judged_by, &from->judged_by);
	arena_merge(&into->arena, &into->busy, &from->busy);
	if (!text_same(into->ci_run, from->ci_run))
		into->ci_run = NULL;
	into->partial = into->partial || from->partial;
	into->elapsed_s += from->elapsed_s;
}

static void set_class(struct result *result, const char *class)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (!result->scenarios[i].class)
			result->scenarios[i].class = arena_strdup(&result->scenarios[i].arena, class);
}

static const char *text_at(const struct part *part, size_t member)
{
	return *(const char *const *)((const char *)part + member);
}

/* Appends "A (one/result.json), B (two/result.json and 3 more)". Returns the number of different texts. */
static size_t list_values(const struct parts *parts, size_t member, struct strbuf *out)
{
	size_t different = 0;

	for (size_t i = 0; i < parts->n; i++) {
		const char *text = text_at(&parts->items[i], member);
		size_t before = 0, behind = 0;

		for (size_t k = 0; k < parts->n; k++) {
			bool same = !strcmp(text, text_at(&parts->items[k], member));

			before += same && k < i;
			behind += same && k > i;
		}
		if (before)
			continue;
		strbuf_addf(out, "%s%s (%s", different++ ? ", " : "", text, parts->items[i].path);
		if (behind)
			strbuf_addf(out, " and %zu more", behind);
		strbuf_addc(out, ')');
	}
	return different;
}

/* Shards belong to one commit. Their machines may differ, and each scenario names its own. */
static void note_differences(struct result *result, const struct parts *parts)
{
	CLEANUP(strbuf_release) struct strbuf commits = STRBUF_INIT, classes = STRBUF_INIT, modes = STRBUF_INIT;
	size_t n;

	if ((n = list_values(parts, offsetof(struct part, commit), &commits)) > 1)
		arena_pushf(&result->arena, &result->mixed, "these results are of %zu commits, and judge none of them alone: %s", n, commits.buf);
	if (list_values(parts, offsetof(struct part, mode), &modes) > 1)
		arena_pushf(&result->arena, &result->mixed, "these results were not compared in one way: %s", modes.buf);
	if (list_values(parts, offsetof(struct part, class), &classes) > 1)
		NOTE(result, "merged from several machines: %s", classes.buf);
}

/* -------- missing scenarios */

/* WHERE: an architecture, or a whole class. */
static bool is_of(const struct scenario_result *scenario, const char *where)
{
	size_t len = strlen(where);

	return text_starts(scenario->class, where) && (!scenario->class[len] || scenario->class[len] == '-');
}

static bool was_measured(const struct result *result, const char *name, const char *where)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (!strcmp(result->scenarios[i].name, name) && is_of(&result->scenarios[i], where))
			return true;
	return false;
}

/* Shards of one architecture may come from different models, unless two classes of it measured one scenario. */
static bool is_matrix(const struct result *result, const char *arch)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		for (size_t k = 0; k < i; k++) {
			const struct scenario_result *a = &result->scenarios[i], *b = &result->scenarios[k];

			if (!strcmp(a->name, b->name) && strcmp(a->class, b->class) && is_of(a, arch) && is_of(b, arch))
				return true;
		}
	return false;
}

/* A shard without results cannot pass. */
static void find_missing(struct result *result, const struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		const struct part *part = &parts->items[i];
		const char *where = part->suite.n && is_matrix(result, part->arch) ? part->class : part->arch;

		for (size_t k = 0; k < part->suite.n; k++) {
			const char *name = part->suite.items[k];
			struct scenario_result *s;

			if (was_measured(result, name, where))
				continue;
			s = result_add_scenario(result, name);
			s->class = arena_strdup(&s->arena, part->class);
			s->head.state = SCENARIO_FAILED;
			s->head.failure = arena_printf(&s->head.arena, "shard %zu/%lu (%s) left no result of it; look at that job", k % part->shards + 1,
						       part->shards, where);
		}
	}
}

/* Results other than shards name no suite; the project does, if this is its folder. */
static void note_unmeasured(struct invocation *inv, struct result *result)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(project_close) struct project project = { 0 };
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;
	CLEANUP(strv_release) struct strv missing = STRV_INIT;
	struct error none = ERROR_INIT;

	if (project_open(&project, &inv->request, &(struct strv)STRV_INIT, &none) < 0 || project_names(&inv->request, project.root, &names) < 0)
		return;
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (!strv_has(&names, result->scenarios[i].name))
			return;
	for (size_t i = 0; i < names.n; i++)
		if (!result_scenario(result, names.items[i]))
			strv_push(&missing, names.items[i]);
	if (!missing.n)
		return;
	strbuf_list(&shown, &missing, NAMES_SHOWN);
	arena_pushf(&result->arena, &result->mixed, "%zu scenario%s of this project %s in none of these results: %s", missing.n,
		    missing.n == 1 ? "" : "s", missing.n == 1 ? "is" : "are", shown.buf);
}

/* -------- the command */

/* True if PATH is the folder of a run that was killed before it wrote its result. */
static bool was_killed(const char *path)
{
	CLEANUP(free_ptr) char *file = file_join(path, "result.json");

	return file_is_dir(path) && !file_exists(file);
}

static void note_killed(struct result *out, const struct strv *folders, int *worst)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	if (!folders->n)
		return;
	*worst = status_worse(*worst, STATUS_NOT_MEASURED);
	strbuf_list(&names, folders, NAMES_SHOWN);
	arena_pushf(&out->arena, &out->mixed, "no result in %s: a run there was killed, or is not over", names.buf);
}

/* Exception: a shard that did not fail, if there are fewer scenarios than shards. */
static void note_empty(struct result *out, const char *path, const struct result *one, int *worst)
{
	if (one->n_scenarios || (one->shard && one->status == STATUS_OK))
		return;
	*worst = status_worse(*worst, status_worse(one->status, STATUS_NOT_MEASURED));
	arena_pushf(&out->arena, &out->mixed, "%s has no scenarios: nothing was measured there", path);
}

/* *WORST becomes the worst status of what is missing or does not belong together. */
static int read_all(struct invocation *inv, struct result *out, int *worst, struct error *err)
{
	const struct strv *paths = &inv->args;
	CLEANUP(release_parts) struct parts parts = { .items = xcalloc(paths->n, sizeof *parts.items) };
	CLEANUP(strv_release) struct strv killed = STRV_INIT;
	bool several = false, shards = false;

	for (size_t i = 0; i < paths->n; i++) {
		const char *path = paths->items[i];
		struct result one = { 0 }, *into = parts.n ? &one : out;

		/* With none that can be read, the last one's error is reported. */
		if (was_killed(path) && (parts.n || i + 1 < paths->n)) {
			strv_push(&killed, path);
			continue;
		}
		if (cmd_read_result(path, into, err) < 0)
			return -1;
		take_part(&parts, path, into);
		set_class(into, parts.items[parts.n - 1].class);
		/* A merged result is not a shard any more. */
		if (into->mixed.n)
			*worst = status_worse(*worst, into->status);
		note_empty(out, path, into, worst);
		shards |= into->shard != NULL;
		if (into != out)
			merge(out, &one);
		result_release(&one);
	}
	if (verdicts_check_duplicates(out, err) < 0)
		return -1;
	out->merged = paths->n > 1;
	find_missing(out, &parts);
	if (paths->n > 1 && !shards)
		note_unmeasured(inv, out);
	note_differences(out, &parts);
	note_killed(out, &killed, worst);
	if ((out->partial && (shards || paths->n > 1)) || (shards && out->mixed.n))
		*worst = status_worse(*worst, STATUS_NOT_MEASURED);
	for (size_t i = 1; i < out->n_scenarios; i++)
		several |= strcmp(out->scenarios[i].class, out->scenarios[0].class);
	for (size_t i = 0; !several && i < out->n_scenarios; i++)
		out->scenarios[i].class = NULL;
	result_label(out);
	/* The result is complete now, or says what is missing. */
	out->shard = NULL;
	out->suite = (struct strv)STRV_INIT;
	return 0;
}

static int default_path(struct invocation *inv, struct error *err)
{
	CLEANUP(project_close) struct project project = { 0 };

	if (project_open(&project, &inv->request, &inv->args, err) < 0)
		return -1;
	strv_take(&inv->args, text_printf("%s/%s/latest", project.root, project.config.out));
	return 0;
}

static int report(struct invocation *inv, struct error *err)
{
	CLEANUP(result_release) struct result result = { 0 };
	int worst = 0;

	if ((!inv->args.n && default_path(inv, err) < 0) || read_all(inv, &result, &worst, err) < 0)
		return -1;
	result.strict = result.strict || inv->request.strict;
	result_settle(&result);
	result.status = status_worse(result.status, worst);
	if (result.strict && result.mixed.n)
		result.status = status_worse(result.status, STATUS_UNDECIDED);
	return cmd_print_result(inv, &result, err) < 0 ? -1 : result.status;
}

const struct command_def cmd_report = {
	.name = "report",
	.args = "[RESULT...]",
	.summary = "render stored results again, merging shards",
	.examples =
		"pawl report                       # the latest run\n"
		"pawl report shard-*               # shards as one\n"
		"pawl report red --format html -o report.html",
	.details =
		"A RESULT is a result.json file or the folder that holds one; without one, the latest run's.\n"
		"Results of `pawl run --shard I/N` know the whole suite: what no shard measured is a\n"
		"failure, with status 3, and so are shards of several commits and interrupted ones.\n"
		"One scenario on several machine classes is shown side by side.",
	.options = OPT_FORMAT | OPT_OUTPUT | OPT_STRICT | OPT_JSON,
	.first = true,
	.run = report,
};
