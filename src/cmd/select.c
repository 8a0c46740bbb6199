#include "cmd/select.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "cmd/calibrations.h"
#include "gate/judge_pairs.h"
#include "measure/files.h"
#include "measure/git.h"

/* The path below the project's root, as people know it; else the absolute one. */
static char *shown_path(const struct project *project, const char *path)
{
	char *absolute = file_absolute(path), *below;
	size_t len = strlen(project->root);

	if (strncmp(absolute, project->root, len) || absolute[len] != '/')
		return absolute;
	below = xstrdup(absolute + len + 1);
	free(absolute);
	return below;
}

/* From the working tree, and from the ref where there is one; the ref's text counts. */
static int read_text(struct project *project, struct invocation *inv, const char *path, const char *shown,
		     struct strbuf *text, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf theirs = STRBUF_INIT, spec = STRBUF_INIT;
	bool here = file_exists(path);
	int got;

	if (here && file_read(path, SCENARIO_LARGEST, text, err) < 0)
		return -1;
	if (!project->commit || shown[0] == '/')
		return here ? 0 : error_set(err, ERR_INPUT, "there is no scenario file %s", path);
	strbuf_addf(&spec, "%s%s", project->prefix, shown);
	got = git_show(&inv->keeper, project->root, project->commit, spec.buf, &theirs, err);
	if (got < 0)
		return -1;
	if (!got)
		return here ? 0 : error_set(err, ERR_INPUT, "there is no scenario file %s", path);
	if (theirs.len != text->len || memcmp(theirs.buf, text->buf, text->len))
		strv_push(&project->edited, shown);
	strbuf_reset(text);
	strbuf_add(text, theirs.buf, theirs.len);
	return 0;
}

static int load(struct project *project, struct invocation *inv, const char *path, struct diags *diags,
		struct scenario *out, struct error *err)
{
	CLEANUP(free_ptr) char *shown = shown_path(project, path);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (read_text(project, inv, path, shown, &text, err) < 0)
		return -1;
	return scenario_parse(text.buf, text.len, shown, &project->config.defaults, out, diags) < 0 ? 0 : 1;
}

static void add(struct project *project, struct scenario *scenario)
{
	VEC_GROW(project->scenarios, project->n_scenarios, project->cap_scenarios);
	project->scenarios[project->n_scenarios++] = *scenario;
}

static bool is_scenario_file(const char *name)
{
	return name[0] != '.' && argument_is_path(name);
}

static int scenario_files(struct project *project, struct invocation *inv, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf folder = STRBUF_INIT;

	if (file_list(project->scenarios_dir, &names, err) < 0)
		return -1;
	if (project->commit) {
		strbuf_addf(&folder, "%s%s", project->prefix, project->config.scenarios);
		if (git_list(&inv->keeper, project->root, project->commit, folder.buf, &names, err) < 0)
			return -1;
	}
	strv_sort(&names);
	for (size_t i = 0; i < names.n; i++)
		if (is_scenario_file(names.items[i]) && (!i || strcmp(names.items[i], names.items[i - 1])))
			strv_take(out, file_join(project->scenarios_dir, names.items[i]));
	return 0;
}

static int select_all(struct project *project, struct invocation *inv, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;

	if (scenario_files(project, inv, &files, err) < 0)
		return -1;
	if (!files.n)
		return error_set(err, ERR_INPUT, "there are no scenarios in %s", project->scenarios_dir);
	for (size_t i = 0; i < files.n; i++) {
		struct scenario scenario;
		int got = load(project, inv, files.items[i], &project->diags, &scenario, err);

		if (got < 0)
			return -1;
		if (got)
			add(project, &scenario);
	}
	return 0;
}

/* A name may be written inside any file; faults of other files must not stand in its way. */
static int select_name(struct project *project, struct invocation *inv, const char *name, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;

	if (scenario_files(project, inv, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n; i++) {
		CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
		const char *base = strrchr(files.items[i], '/') + 1;
		size_t stem = (size_t)(strrchr(base, '.') - base);
		bool named = strlen(name) == stem && !strncmp(base, name, stem);
		struct scenario scenario;
		int got = load(project, inv, files.items[i], &diags, &scenario, err);

		if (got < 0)
			return -1;
		if (!got && named) {
			diags_move(&project->diags, &diags);
			return 0;
		}
		if (!got)
			continue;
		if (!strcmp(scenario.name, name)) {
			add(project, &scenario);
			return 0;
		}
		scenario_release(&scenario);
	}
	return error_set(err, ERR_INPUT, "there is no scenario '%.100s' in %s; `pawl list` shows them", name,
			 project->scenarios_dir);
}

static int select_path(struct project *project, struct invocation *inv, const char *path, struct error *err)
{
	struct scenario scenario;
	int got = load(project, inv, path, &project->diags, &scenario, err);

	if (got == 1)
		add(project, &scenario);
	return got < 0 ? -1 : 0;
}

static bool tagged(const struct scenario *scenario, const struct strv *tags)
{
	for (size_t i = 0; i < tags->n; i++)
		if (strv_has(&scenario->tags, tags->items[i]))
			return true;
	return !tags->n;
}

static int keep_tagged(struct project *project, const struct strv *tags, struct error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < project->n_scenarios; i++) {
		if (tagged(&project->scenarios[i], tags))
			project->scenarios[kept++] = project->scenarios[i];
		else
			scenario_release(&project->scenarios[i]);
	}
	project->n_scenarios = kept;
	if (!kept && tags->n)
		return error_set(err, ERR_INPUT, "no scenario has the tag '%.60s'", tags->items[0]);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct scenario *)a)->name, ((const struct scenario *)b)->name);
}

/* Two of one name would share a baseline; the same file given twice is meant once. */
static int drop_twins(struct project *project, struct error *err)
{
	size_t kept = 1;

	if (!project->n_scenarios)
		return 0;
	qsort(project->scenarios, project->n_scenarios, sizeof *project->scenarios, by_name);
	for (size_t i = 1; i < project->n_scenarios; i++) {
		const struct scenario *now = &project->scenarios[i], *last = now - 1;

		if (!strcmp(last->name, now->name) && strcmp(last->path, now->path))
			return error_set(err, ERR_INPUT, "two scenarios are called '%s': %s and %s; rename one", now->name,
					 last->path, now->path);
	}
	for (size_t i = 1; i < project->n_scenarios; i++) {
		if (strcmp(project->scenarios[kept - 1].name, project->scenarios[i].name))
			project->scenarios[kept++] = project->scenarios[i];
		else
			scenario_release(&project->scenarios[i]);
	}
	project->n_scenarios = kept;
	return 0;
}

int project_select(struct project *project, struct invocation *inv, const struct strv *args, struct error *err)
{
	if (!args->n && select_all(project, inv, err) < 0)
		return -1;
	for (size_t i = 0; i < args->n; i++)
		if ((argument_is_path(args->items[i]) ? select_path : select_name)(project, inv, args->items[i], err) < 0)
			return -1;
	if (project->diags.n)
		return error_set(err, ERR_INPUT, "%zu fault%s in the scenarios; nothing was measured", project->diags.n,
				 project->diags.n == 1 ? "" : "s");
	if (drop_twins(project, err) < 0 || calibrations_read(project, inv, err) < 0)
		return -1;
	return keep_tagged(project, &inv->options.tags, err);
}

/* -------- all of them, whatever was selected */

static int open_all(struct project *all, struct invocation *inv, const char *root)
{
	struct error why = ERROR_INIT;

	if (project_open_at(all, inv, root, &why) == 0 && select_all(all, inv, &why) == 0)
		return 0;
	project_close(all);
	return -1;
}

static unsigned gates_of(const struct scenario *scenario)
{
	return judge_pairs_gates(scenario->gates.items, scenario->gates.n);
}

static bool has_name(const struct project *project, const char *name)
{
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (!strcmp(project->scenarios[i].name, name))
			return true;
	return false;
}

static void note_uncounted(struct strv *notes, const char *what, const char *why)
{
	CLEANUP(strbuf_release) struct strbuf note = STRBUF_INIT;

	strbuf_addf(&note, "%s %s: its gates are not counted among those that share the error; --gates M sets their number", what,
		    why);
	if (!strv_has(notes, note.buf))
		strv_push(notes, note.buf);
}

/* As select_all(), but nothing stands in its way. */
static void select_countable(struct project *all, struct invocation *inv, const struct strv *files, struct strv *notes)
{
	for (size_t i = 0; i < files->n; i++) {
		CLEANUP(free_ptr) char *shown = shown_path(all, files->items[i]);
		CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
		struct error why = ERROR_INIT;
		struct scenario scenario;
		int got = load(all, inv, files->items[i], &diags, &scenario, &why);

		if (got == 1)
			add(all, &scenario);
		else
			note_uncounted(notes, shown, got < 0 ? why.msg : "has faults");
	}
}

unsigned project_paired_gates(const struct project *project, struct invocation *inv, struct strv *notes)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;
	struct project all = { 0 };
	struct error why = ERROR_INIT;
	unsigned gates = 0;

	if (project_open_at(&all, inv, project->root, &why) == 0 && scenario_files(&all, inv, &files, &why) == 0)
		select_countable(&all, inv, &files, notes);
	else
		note_uncounted(notes, project->root, why.msg);
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (!has_name(&all, project->scenarios[i].name))
			gates += gates_of(&project->scenarios[i]);
	for (size_t i = 0; i < all.n_scenarios; i++)
		gates += gates_of(&all.scenarios[i]);
	project_close(&all);
	return gates;
}

int project_names(struct invocation *inv, const char *root, struct strv *out)
{
	struct project all = { 0 };

	if (open_all(&all, inv, root) < 0)
		return -1;
	for (size_t i = 0; i < all.n_scenarios; i++)
		strv_push(out, all.scenarios[i].name);
	project_close(&all);
	return 0;
}
