#include "cmd/shared/shared.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "measure/git/git.h"
#include "measure/process/process.h"
#include "store/store.h"

/* -------- baselines */

/* The baselines of a project: finding and reading them, from the working tree or from a commit. */

char *project_baseline_path(const struct project *project, const char *scenario, const char *class)
{
	return text_printf("%s/%s/%s.json", project->baselines_dir, scenario, class);
}

/* SCENARIO's baselines, or FILE of them, as project->accepted knows them. For free(). */
static char *accepted_path(const struct project *project, const char *scenario, const char *file)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s%s%s%s%s", project->accepted_in, *project->accepted_in ? "/" : "", scenario, file ? "/" : "", file ?: "");
	return strbuf_take(&path);
}

int project_baseline_files(struct project *project, const char *scenario, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(free_ptr) char *folder = accepted_path(project, scenario, NULL);

	if (file_source_list(project->accepted, folder, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		size_t len = strlen(names.items[i]);

		if (names.items[i][0] != '.' && len > 5 && !strcmp(names.items[i] + len - 5, ".json"))
			strv_push(out, names.items[i]);
	}
	return 0;
}

/* What was read of SCENARIO's FILE before; NULL: nothing was. */
static struct project_baseline *find_read(const struct project *project, const char *scenario, const char *file)
{
	for (size_t i = 0; i < project->n_accepted; i++) {
		struct project_baseline *b = project->accepted_read[i];

		if (!strcmp(b->file, file) && !strcmp(b->baseline.scenario, scenario))
			return b;
	}
	return NULL;
}

static void release_baselines(struct project *project)
{
	for (size_t i = 0; i < project->n_accepted; i++) {
		baseline_release(&project->accepted_read[i]->baseline);
		free(project->accepted_read[i]->file);
		free(project->accepted_read[i]->path);
		free(project->accepted_read[i]);
	}
	free(project->accepted_read);
	project->accepted_read = NULL;
	project->n_accepted = project->cap_accepted = 0;
}

int project_read_baseline(struct project *project, const char *scenario, const char *file, struct project_baseline **out,
			  struct error *err)
{
	struct project_baseline *known = find_read(project, scenario, file);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, path = STRBUF_INIT;
	CLEANUP(free_ptr) char *in = accepted_path(project, scenario, file);
	struct baseline base;
	int got;

	if (known) {
		*out = known;
		return 1;
	}
	strbuf_addf(&path, "%s/%s/%s", project->baselines_dir, scenario, file);
	got = file_source_read(project->accepted, in, JSON_LARGEST, &text, err);
	if (got <= 0)
		return got;
	if (baseline_parse(text.buf, text.len, path.buf, &base, err) < 0)
		return -1;
	if (strcmp(base.scenario, scenario)) {
		error_set(err, ERR_INPUT, "%s: $.scenario: this is the baseline of '%s', not of '%s'", path.buf, base.scenario, scenario);
		baseline_release(&base);
		return -1;
	}
	known = xcalloc(1, sizeof *known);
	*known = (struct project_baseline){ .file = xstrdup(file), .path = strbuf_take(&path), .baseline = base };
	VEC_GROW(project->accepted_read, project->n_accepted, project->cap_accepted);
	project->accepted_read[project->n_accepted++] = known;
	*out = known;
	return 1;
}

int project_read_beside(struct project *project, const char *scenario, const char *path, size_t limit, struct strbuf *out,
			struct error *err)
{
	CLEANUP(free_ptr) char *in = accepted_path(project, scenario, path_name(path));

	if (!project->accepted->commit && file_refuse_link(path, err) < 0)
		return -1;
	return file_source_read(project->accepted, in, limit, out, err);
}

static const char *last_date(const struct baseline *baseline)
{
	return baseline->n_sessions ? baseline->sessions[baseline->n_sessions - 1].date : "";
}

/* Another class's baseline still serves gates that do not depend on the CPU, and names itself in the report. */
static int newest_of_arch(struct project *project, const char *scenario, const struct machine *machine,
			  struct project_baseline **out, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;
	struct project_baseline *newest = NULL;

	if (project_baseline_files(project, scenario, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n; i++) {
		struct project_baseline *one;

		if (project_read_baseline(project, scenario, files.items[i], &one, err) != 1)
			return -1;
		if (!strcmp(one->baseline.machine.arch, machine->arch) &&
		    (!newest || strcmp(last_date(&one->baseline), last_date(&newest->baseline)) > 0))
			newest = one;
	}
	*out = newest;
	return newest != NULL;
}

int project_baseline(struct project *project, const char *scenario, const struct machine *machine, struct project_baseline **out,
		     struct error *err)
{
	CLEANUP(free_ptr) char *class = machine_class(machine);
	CLEANUP(strbuf_release) struct strbuf file = STRBUF_INIT;
	int got;

	strbuf_addf(&file, "%s.json", class);
	got = project_read_baseline(project, scenario, file.buf, out, err);
	return got ? got : newest_of_arch(project, scenario, machine, out, err);
}

/* -------- calibrations */

static int parse(struct project *project, const struct strbuf *text, struct error *err)
{
	if (calibration_parse(text->buf, text->len, project->config.calibration, &project->calibration, &project->diags) == 0)
		return 0;
	return error_set(err, ERR_INPUT, "%zu fault%s in %s; nothing was measured", project->diags.n,
			 project->diags.n == 1 ? "" : "s", project->config.calibration);
}

static int missing(const struct project *project, const struct invocation *inv, struct error *err)
{
	if (inv->command->calibrates)
		return 0;
	return error_set(err, ERR_INPUT, "pawl.yaml: calibration: there is no file %s; `pawl calibrate --write` makes it",
			 project->config.calibration);
}

/* Where what judges has none, none counts: one that is here could be the change's own. */
int calibrations_read(struct project *project, struct invocation *inv, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	int got;

	calibration_release(&project->calibration);
	if (!project->config.calibration)
		return 0;
	got = file_source_read(&project->files, project->config.calibration, CALIBRATION_LARGEST, &text, err);
	if (got < 0)
		return -1;
	if (got)
		return parse(project, &text, err);
	return project->by.ref ? 0 : missing(project, inv, err);
}

void calibrations_apply(struct project *project, const struct machine *machine)
{
	CLEANUP(free_ptr) char *class = machine_class(machine);

	for (size_t i = 0; i < project->n_scenarios; i++)
		calibration_apply(&project->calibration, class, &project->scenarios[i]);
}

void calibrations_note(const struct project *project, struct result *result)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];

		for (size_t k = 0; k < s->n_gates; k++) {
			const struct gate *gate = &s->gates[k].gate;

			if (gate_judgement(&s->gates[k])->pairs && gate->by_default && gate->calibrated_pct > 0)
				strv_pushf(&s->notes, "%s: tolerance %g %% as calibrated (%s)", gate->metric->name,
					   gate->calibrated_pct, project->config.calibration);
		}
	}
}

/* What is there already; OUT is for calibration_release(). */
static int read_old(const char *root, const char *file, const char *path, struct calibration *out, struct error *err)
{
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(strbuf_release) struct strbuf old = STRBUF_INIT;

	if (file_refuse_links(root, file, err) < 0)
		return -1;
	if (file_exists(file) && file_read(file, CALIBRATION_LARGEST, &old, err) < 0)
		return -1;
	if (old.len && calibration_parse(old.buf, old.len, path, out, &diags) < 0)
		return error_set(err, ERR_INPUT, "%s is faulty (line %u: %s); mend or remove it, then write again", path,
				 diags.items[0].line, diags.items[0].message);
	return 0;
}

int calibrations_check(const struct project *project, const char *path, struct error *err)
{
	CLEANUP(calibration_release) struct calibration old = { 0 };
	CLEANUP(free_ptr) char *file = file_join(project->root, path);

	return read_old(project->root, file, path, &old, err);
}

int calibrations_write(const struct project *project, const char *path, const struct calibration *entries,
		       struct error *err)
{
	CLEANUP(calibration_release) struct calibration all = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *file = file_join(project->root, path);

	if (read_old(project->root, file, path, &all, err) < 0)
		return -1;
	for (size_t i = 0; i < entries->n; i++)
		calibration_put(&all, &entries->entries[i]);
	if (all.n > CALIBRATION_ENTRIES_MAX)
		return error_set(err, ERR_INPUT, "%s would have %zu entries, and %d is the most; remove old machines", path, all.n,
				 CALIBRATION_ENTRIES_MAX);
	calibration_print(&all, &text);
	return file_write(file, text.buf, text.len, err);
}

/* -------- faults */

void faults_print(const struct diags *diags)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	diags_render(diags, &text);
	fputs(text.buf, stderr);
}

/* -------- the event of GitHub Actions that pawl runs in */

static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* What git calls a branch of the repository that was cloned, and what people call it. */
static void set_branch(struct event *event, const char *branch)
{
	struct strbuf base = STRBUF_INIT, shown = STRBUF_INIT;

	if (text_starts(branch, "refs/heads/"))
		branch += strlen("refs/heads/");
	strbuf_addf(&base, "refs/remotes/origin/%s", branch);
	strbuf_addf(&shown, "origin/%s", branch);
	event->base = strbuf_take(&base);
	event->shown = strbuf_take(&shown);
}

static void set_commit(struct event *event, const char *commit)
{
	event->base = xstrdup(commit);
	event->shown = xstrndup(commit, 12);
}

static bool is_commit(const char *text)
{
	size_t len = strspn(text, "0123456789abcdef");

	return !text[len] && (len == 40 || len == 64);
}

/* -------- the file that describes the event */

/* The text at KEY.KEY.KEY of the payload, or NULL. */
static const char *text_at(const cJSON *payload, const char *path)
{
	while (payload && *path) {
		size_t len = strcspn(path, ".");
		CLEANUP(free_ptr) char *key = xstrndup(path, len);

		payload = cJSON_IsArray(payload) ? cJSON_GetArrayItem(payload, 0) : cJSON_GetObjectItemCaseSensitive(payload, key);
		path += len + (path[len] == '.');
	}
	return cJSON_GetStringValue(payload);
}

static bool has(const cJSON *payload, const char *a, const char *b)
{
	return cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(payload, a), b));
}

/* NULL where there is none; one that cannot be read is as good as none. */
static cJSON *read_payload(void)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *path = environment("GITHUB_EVENT_PATH");

	if (!path || file_read(path, JSON_LARGEST, &text, NULL) < 0)
		return NULL;
	return json_parse(text.buf, text.len, path, NULL);
}

/* -------- one finder an event */

static void pull_request(struct event *event, const cJSON *payload)
{
	const char *branch = environment("GITHUB_BASE_REF") ?: text_at(payload, "pull_request.base.ref");

	event->foreign = true;
	if (branch)
		set_branch(event, branch);
}

/* Its parent: the branch, or the group before it, which is judged by itself. */
static void merge_group(struct event *event, const cJSON *payload)
{
	const char *commit = text_at(payload, "merge_group.base_sha"), *branch = text_at(payload, "merge_group.base_ref");

	event->foreign = true;
	if (commit && is_commit(commit))
		set_commit(event, commit);
	else if (branch)
		set_branch(event, branch);
}

/* A queue's branch is called after the one that it is merged into: gh-readonly-queue/main/pr-7-1a2b... */
static void push(struct event *event, const cJSON *payload)
{
	static const char queue[] = "refs/heads/gh-readonly-queue/";
	const char *ref = environment("GITHUB_REF") ?: text_at(payload, "ref"), *end = NULL;
	CLEANUP(free_ptr) char *branch = NULL;

	if (!ref || !text_starts(ref, queue))
		return;
	ref += strlen(queue);
	for (const char *at = strstr(ref, "/pr-"); at; at = strstr(at + 1, "/pr-"))
		end = at;
	event->foreign = true;
	branch = xstrndup(ref, end ? (size_t)(end - ref) : strlen(ref));
	set_branch(event, branch);
}

/* Of a fork's pull request the list is empty; then the default branch, whose workflow this is, judges. */
static void workflow_run(struct event *event, const cJSON *payload)
{
	const char *began = text_at(payload, "workflow_run.event");
	const char *branch = text_at(payload, "workflow_run.pull_requests.0.base.ref") ?:
			     text_at(payload, "repository.default_branch");

	event->foreign = !payload || !began || text_starts(began, "pull_request") || !strcmp(began, "merge_group");
	if (event->foreign && branch)
		set_branch(event, branch);
}

static void comment(struct event *event, const cJSON *payload)
{
	const char *branch = text_at(payload, "repository.default_branch");

	event->foreign = !payload || has(payload, "issue", "pull_request");
	if (event->foreign && branch)
		set_branch(event, branch);
}

static const struct {
	const char *name;	/* what the event's begins with */
	void (*find)(struct event *event, const cJSON *payload);
} events[] = {
	{ "pull_request", pull_request },	/* _target, _review, _review_comment */
	{ "merge_group", merge_group },
	{ "push", push },
	{ "workflow_run", workflow_run },
	{ "issue_comment", comment },
};

void event_read(struct event *out)
{
	const char *name = environment("GITHUB_EVENT_NAME");
	struct event event = { .name = xstrdup(name) };
	cJSON *payload = name ? read_payload() : NULL;

	for (size_t i = 0; name && i < sizeof events / sizeof events[0]; i++)
		if (text_starts(name, events[i].name))
			events[i].find(&event, payload);
	cJSON_Delete(payload);
	*out = event;
}

void event_release(struct event *event)
{
	free(event->name);
	free(event->base);
	free(event->shown);
	*event = (struct event){ 0 };
}

/* The event checked out another commit than HEAD, a full or shortened id: whose that is nobody tells. */
static bool event_is_of_another(const char *head)
{
	const char *commit = environment("GITHUB_SHA");
	size_t len = head ? strspn(head, "0123456789abcdef") : 0;

	return environment("GITHUB_EVENT_NAME") && commit && len && strncmp(commit, head, len) != 0;
}

/* -------- the project */

enum { CONFIG_LARGEST = 1 << 20 };

bool argument_is_path(const char *arg)
{
	size_t len = strlen(arg);

	return strchr(arg, '/') || (len > 5 && !strcmp(arg + len - 5, ".yaml")) || (len > 4 && !strcmp(arg + len - 4, ".yml"));
}

static bool holds(const char *dir, const char *name)
{
	CLEANUP(free_ptr) char *path = file_join(dir, name);

	return file_exists(path);
}

/* PATH, which is absolute, without ".", ".." and empty parts, whatever links it has. For free(). */
static char *tidy(const char *path)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	while (*path) {
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len == 2 && !strncmp(path, "..", 2))
			strbuf_truncate(&out, out.len ? (size_t)(strrchr(out.buf, '/') - out.buf) : 0);
		else if (len && !(len == 1 && *path == '.'))
			strbuf_addf(&out, "/%.*s", (int)len, path);
		path += len;
	}
	if (!out.len)
		strbuf_addc(&out, '/');
	return strbuf_take(&out);
}

/* The folder of the first path among ARGS, else the working folder; absolute. */
static char *start_folder(const struct strv *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (argument_is_path(args->items[i])) {
			CLEANUP(free_ptr) char *path = file_absolute(args->items[i]);

			return path_parent(path);
		}
	return file_absolute(".");
}

/* The nearest folder upward with pawl.yaml or .git; the working folder when there is none. */
static char *find_root(const struct strv *args)
{
	char *dir = start_folder(args);

	for (;;) {
		char *up;

		if (holds(dir, "pawl.yaml") || holds(dir, ".git"))
			return dir;
		if (!strcmp(dir, "/")) {
			free(dir);
			return file_absolute(".");
		}
		up = path_parent(dir);
		free(dir);
		dir = up;
	}
}

static int faults(const struct project *project, const char *what, struct error *err)
{
	return error_set(err, ERR_INPUT, "%zu fault%s in %s%s%s; nothing was measured", project->diags.n,
			 project->diags.n == 1 ? "" : "s", what, project->by.ref ? " of " : "", project->by.ref ?: "");
}

static int load_config(struct project *project, struct file_source *from, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	int got = file_source_read(from, "pawl.yaml", CONFIG_LARGEST, &text, err);

	config_release(&project->config);
	config_init(&project->config);
	if (got <= 0)
		return got;
	if (config_parse(text.buf, text.len, "pawl.yaml", &project->config, &project->diags) < 0)
		return faults(project, "pawl.yaml", err);
	return 0;
}

char *project_below(const struct project *project, const char *path)
{
	CLEANUP(free_ptr) char *tidied = tidy(path), *root = tidy(project->root);
	const char *below = path_below(tidied, root);
	struct strbuf out = STRBUF_INIT;

	if (below)
		return xstrdup(below);
	below = project->files.commit && project->top ? path_below(tidied, project->top) : NULL;
	if (!below)
		return NULL;
	for (const char *part = path_below(root, project->top); part && *part; part += strcspn(part, "/"), part += *part == '/')
		strbuf_adds(&out, "../");
	strbuf_adds(&out, below);
	return strbuf_take(&out);
}

/* --baselines DIR is somebody's own choice where it lies outside; inside it is a part of the change like others. */
static void find_baselines(struct project *project, const struct invocation *inv)
{
	CLEANUP(free_ptr) char *below = NULL;

	free(project->baselines_dir);
	free(project->accepted_in);
	release_baselines(project);
	file_source_release(&project->elsewhere);
	project->baselines_dir = inv->options.baselines ? file_absolute(inv->options.baselines)
							: file_join(project->root, project->config.baselines);
	below = project_below(project, project->baselines_dir);
	project->accepted = below ? &project->files : &project->elsewhere;
	project->accepted_in = xstrdup(below ?: "");
	if (!below)
		file_source_folder(&project->elsewhere, project->baselines_dir);
}

static int configure(struct project *project, const struct invocation *inv, struct file_source *from, struct error *err)
{
	struct error why = ERROR_INIT;

	/* pawl check tells every fault, so it goes on with what could be read. */
	if (load_config(project, from, &why) < 0 && !(inv->command->goes_on && project->diags.n)) {
		*err = why;
		return -1;
	}
	free(project->scenarios_dir);
	project->scenarios_dir = file_join(project->root, project->config.scenarios);
	find_baselines(project, inv);
	return 0;
}

/* -------- judged by a commit */

static const char *shown_of(const struct project *project)
{
	return project->by.ref ?: "the base";
}

/* The nearest folder upward from START that has a pawl.yaml in the commit, below TOP; NULL when none has. */
static int root_in_commit(struct project *project, const char *start, char **out, struct error *err)
{
	CLEANUP(free_ptr) char *dir = xstrdup(start);

	for (;;) {
		const char *below = path_below(dir, project->top);
		CLEANUP(free_ptr) char *path = below ? file_join(below, "pawl.yaml") : NULL;
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		int got = path ? file_source_read(&project->files, path, CONFIG_LARGEST, &text, err) : 0;
		char *up;

		if (got)
			*out = got == 1 ? take_ptr(&dir) : NULL;
		if (got || !path || !*below)
			return got < 0 ? -1 : 0;
		up = path_parent(dir);
		free(dir);
		dir = up;
	}
}

/* The commit has nothing that this project could be judged by: the change is the one that brings it. */
static int is_first(struct project *project, const struct strv *args, bool *out, struct error *err)
{
	static const char *const folders[] = { "scenarios", "baselines" };

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		CLEANUP(strv_release) struct strv names = STRV_INIT;

		if (file_source_list(&project->files, folders[i], &names, err) < 0)
			return -1;
		if (names.n)
			return 0;
	}
	for (size_t i = 0; i < args->n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(free_ptr) char *path = argument_is_path(args->items[i]) ? file_absolute(args->items[i]) : NULL;
		CLEANUP(free_ptr) char *tidied = path ? tidy(path) : NULL;
		const char *below = tidied ? path_below(tidied, project->top) : NULL;
		int got = below ? file_source_read(&project->files, below, SCENARIO_LARGEST, &text, err) : 0;

		if (got)
			return got < 0 ? -1 : 0;
	}
	*out = true;
	return 0;
}

/* Where the change left its base: what differs there alone was changed by others. */
static void find_fork(struct project *project, struct invocation *inv)
{
	CLEANUP(free_ptr) char *fork = git_merge_base(&inv->git, project->files.dir, project->files.commit, "HEAD");

	if (fork && strcmp(fork, project->files.commit) &&
	    file_source_commit(&project->fork, &inv->git, project->files.dir, fork, NULL) == 0)
		file_source_move(&project->fork, project->files.prefix);
}

/* Git is asked where pawl was started, which the change did not choose, unless the scenarios lie elsewhere. */
static int open_top(struct project *project, struct invocation *inv, const char *start, const char *ref, struct error *err)
{
	CLEANUP(free_ptr) char *where = file_absolute("."), *commit = NULL, *above = NULL, *top = NULL;

	if (git_top(&inv->git, where, &top, &above, NULL) < 0 || !path_below(start, top)) {
		free(take_ptr(&where));
		free(take_ptr(&top));
		free(take_ptr(&above));
		for (where = xstrdup(start); !file_is_dir(where);) {
			char *up = path_parent(where);

			free(where);
			where = up;
		}
		if (git_top(&inv->git, where, &top, &above, err) < 0)
			return -1;
	}
	if (git_resolve(&inv->git, where, ref, &commit, err) < 0)
		return -1;
	project->top = take_ptr(&top);
	if (above && !inv->options.baseline_ref)
		return error_set(err, ERR_INPUT, "%s is a submodule of %s, and the change is that one's: start pawl there, or name what "
				 "judges with --baseline-ref REF", project->top, above);
	project->by.commit = take_ptr(&commit);
	return file_source_commit(&project->files, &inv->git, project->top, project->by.commit, err);
}

static int open_root_in_commit(struct project *project, struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(free_ptr) char *folder = start_folder(args), *start = tidy(folder), *root = NULL;
	CLEANUP(strbuf_release) struct strbuf prefix = STRBUF_INIT;
	bool first = false;

	if (root_in_commit(project, start, &root, err) < 0 || (!root && is_first(project, args, &first, err) < 0))
		return -1;
	if (first) {
		CLEANUP(free_ptr) char *found = find_root(args);

		root = tidy(found);
		strv_pushf(&project->by.open, "%s has no pawl.yaml, no scenarios and no baselines yet: there is nothing to compare with, "
			   "and this change's own were used", shown_of(project));
	}
	if (!root || !path_below(root, project->top)) {
		free(root);
		root = xstrdup(project->top);
	}
	strbuf_adds(&prefix, path_below(root, project->top));
	if (prefix.len)
		strbuf_addc(&prefix, '/');
	file_source_move(&project->files, prefix.buf);
	file_source_folder(&project->tree, root);
	project->root = take_ptr(&root);
	find_fork(project, inv);
	return configure(project, inv, first ? &project->tree : &project->files, err);
}

int project_open_ref(struct project *project, struct invocation *inv, const struct strv *args, const char *ref, const char *shown,
		     struct error *err)
{
	CLEANUP(free_ptr) char *folder = start_folder(args), *start = tidy(folder);

	*project = (struct project){ .by.ref = xstrdup(shown) };
	if (open_top(project, inv, start, ref, err) < 0)
		return -1;
	return open_root_in_commit(project, inv, args, err);
}

/* -------- judged by itself */

static int open_root(struct project *project, struct invocation *inv, char *root, struct error *err)
{
	*project = (struct project){ .root = root };
	file_source_folder(&project->files, root);
	file_source_folder(&project->tree, root);
	return configure(project, inv, &project->files, err);
}

/* What is checked out is not what the event is about: whose it is cannot be told, so it is said who judges. */
static void note_stranger(struct project *project, struct invocation *inv, const struct event *event)
{
	CLEANUP(free_ptr) char *head = event->name ? git_commit(&inv->git, project->root) : NULL;

	if (head && event_is_of_another(head))
		strv_pushf(&project->by.open, "the commit that is checked out is not the one of GitHub's event (%s): if it is somebody else's "
			   "change, its own scenarios, baselines and pawl.yaml judge it; --baseline-ref REF takes those of another commit",
			   event->name);
}

static int open_foreign(struct project *project, struct invocation *inv, const struct strv *args, const struct event *event,
			struct error *err)
{
	if (!event->base)
		return error_set(err, ERR_INPUT, "GitHub's event is %.60s, somebody else's change, which its base must judge; but neither "
				 "GITHUB_BASE_REF nor the file of GITHUB_EVENT_PATH names the base; name it with --baseline-ref REF",
				 event->name);
	if (project_open_ref(project, inv, args, event->base, event->shown, err) < 0)
		return error_wrap(err, "GitHub's event is %.60s, so that its base judges", event->name);
	return 0;
}

/* In one that was removed nothing that is told relative to it means anything, and there is no way upward. */
static int need_working_folder(struct error *err)
{
	CLEANUP(free_ptr) char *cwd = getcwd(NULL, 0);

	return cwd ? 0 : error_set(err, ERR_INPUT, "the working folder cannot be told (%s): was it removed? Change to another one",
				   strerror(errno));
}

int project_open(struct project *project, struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(event_release) struct event event = { 0 };
	const char *ref = inv->options.baseline_ref;
	int ret;

	*project = (struct project){ 0 };
	if (need_working_folder(err) < 0)
		return -1;
	if (inv->command->options & OPT_BASELINE_REF && ref)
		return project_open_ref(project, inv, args, ref, ref, err) < 0 ? error_wrap(err, "--baseline-ref") : 0;
	if (inv->command->judges)
		event_read(&event);
	if (event.foreign)
		return open_foreign(project, inv, args, &event, err);
	ret = open_root(project, inv, find_root(args), err);
	if (ret == 0)
		note_stranger(project, inv, &event);
	return ret;
}

int project_open_at(struct project *project, struct invocation *inv, const char *root, struct error *err)
{
	return open_root(project, inv, file_absolute(root), err);
}

int project_judge_by(struct project *project, struct invocation *inv, struct file_source *base, const char *shown, struct error *err)
{
	file_source_release(&project->files);
	project->files = *base;
	*base = (struct file_source){ 0 };
	free(project->by.ref);
	free(project->by.commit);
	project->by.ref = xstrdup(shown);
	project->by.commit = xstrdup(project->files.commit);
	if (project->files.commit)
		find_fork(project, inv);
	return configure(project, inv, &project->files, err);
}

bool project_only_simulated(const struct project *project)
{
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (project->scenarios[i].measure.counters != COUNTERS_SIM)
			return false;
	return project->n_scenarios > 0;
}

void project_close(struct project *project)
{
	file_source_release(&project->files);
	file_source_release(&project->tree);
	file_source_release(&project->fork);
	file_source_release(&project->elsewhere);
	judged_by_release(&project->by);
	free(project->root);
	free(project->top);
	free(project->accepted_in);
	release_baselines(project);
	config_release(&project->config);
	calibration_release(&project->calibration);
	free(project->scenarios_dir);
	free(project->baselines_dir);
	for (size_t i = 0; i < project->n_scenarios; i++)
		scenario_release(&project->scenarios[i]);
	free(project->scenarios);
	strv_release(&project->gone);
	diags_release(&project->diags);
	*project = (struct project){ 0 };
}

bool project_is_gone(const struct project *project, const char *scenario)
{
	return strv_has(&project->gone, scenario);
}

int project_shard(struct project *project, const char *shard, struct error *err)
{
	unsigned long part, of;
	size_t kept = 0;
	char *end;

	part = strtoul(shard, &end, 10);
	of = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
	if (*end || !part || !of || part > of || of > 100000)
		return error_set(err, ERR_INPUT, "--shard: expected I/N with I from 1 to N, found '%.40s'", shard);
	for (size_t i = 0; i < project->n_scenarios; i++) {
		if (i % of == part - 1)
			project->scenarios[kept++] = project->scenarios[i];
		else
			scenario_release(&project->scenarios[i]);
	}
	project->n_scenarios = kept;
	return 0;
}
