#include "cmd/shared/shared.h"

#include "base/mem.h"
#include "base/path.h"
#include "judge/judge.h"
#include "measure/process/process.h"
#include "store/store.h"

/* A baseline is the largest of the files that judge. */
enum { JUDGE_LARGEST = JSON_LARGEST };

/* The path below the project's root, as people know it; else the absolute one. */
static char *shown_path(const struct project *project, const char *path)
{
	CLEANUP(free_ptr) char *absolute = file_absolute(path);
	const char *below = path_below(absolute, project->root);

	return below && *below ? xstrdup(below) : take_ptr(&absolute);
}

/* Whose text it is. */
enum origin { NOWHERE, OF_JUDGE, OF_TREE };

static bool judged_by_another(const struct project *project)
{
	return project->by.ref && !project->by.own;
}

/* One that the base had where the change left it, and has no more, is not the change's. */
static int dropped_by_base(struct project *project, const char *path, const struct strbuf *text, bool *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf before = STRBUF_INIT;

	if (!project->fork.dir)
		return 0;
	if (file_source_read(&project->fork, path, SCENARIO_LARGEST, &before, err) < 0)
		return -1;
	*out = before.len == text->len && !memcmp(before.buf, text->buf, text->len);
	return 0;
}

/* What judges has it, or only the tree that is measured. */
static int read_text(struct project *project, const char *path, struct strbuf *text, enum origin *origin, struct error *err)
{
	CLEANUP(free_ptr) char *absolute = file_absolute(path), *below = project_below(project, absolute);
	bool dropped = false;
	int got;

	*origin = NOWHERE;
	if (!below) {
		if (file_exists(path) && file_read(path, SCENARIO_LARGEST, text, err) < 0)
			return -1;
		*origin = file_exists(path) ? OF_TREE : NOWHERE;
		return 0;
	}
	got = file_source_read(&project->files, below, SCENARIO_LARGEST, text, err);
	if (got == 1)
		*origin = OF_JUDGE;
	if (got || !judged_by_another(project))
		return got < 0 ? -1 : 0;
	got = file_source_read(&project->tree, below, SCENARIO_LARGEST, text, err);
	if (got < 0 || (got && dropped_by_base(project, below, text, &dropped, err) < 0))
		return -1;
	if (got && !dropped)
		*origin = OF_TREE;
	return 0;
}

/* 1; 0 when it is at fault, or (then ORIGIN is NOWHERE) not there; -1. */
static int load(struct project *project, const char *path, struct diags *diags, struct scenario *out, enum origin *origin,
		struct error *err)
{
	CLEANUP(free_ptr) char *shown = shown_path(project, path);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (read_text(project, path, &text, origin, err) < 0)
		return -1;
	if (*origin == NOWHERE)
		return 0;
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

static int list_folder(const struct project *project, struct file_source *source, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_source_list(source, project->config.scenarios, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++)
		if (is_scenario_file(names.items[i]))
			strv_push(out, names.items[i]);
	return 0;
}

/* The paths of those that judge, then of those that only the measured tree has. */
static int scenario_files(struct project *project, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv theirs = STRV_INIT, own = STRV_INIT;

	if (list_folder(project, &project->files, &theirs, err) < 0 ||
	    (judged_by_another(project) && list_folder(project, &project->tree, &own, err) < 0))
		return -1;
	for (size_t i = 0; i < theirs.n; i++)
		strv_take(out, file_join(project->scenarios_dir, theirs.items[i]));
	for (size_t i = 0; i < own.n; i++)
		if (!strv_has(&theirs, own.items[i]))
			strv_take(out, file_join(project->scenarios_dir, own.items[i]));
	return 0;
}

static bool has_name(const struct project *project, const char *name)
{
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (!strcmp(project->scenarios[i].name, name))
			return true;
	return false;
}

static int select_all(struct project *project, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;

	if (scenario_files(project, &files, err) < 0)
		return -1;
	if (!files.n)
		return error_set(err, ERR_INPUT, "there are no scenarios in %s", project->scenarios_dir);
	for (size_t i = 0; i < files.n; i++) {
		struct scenario scenario;
		enum origin origin;
		int got = load(project, files.items[i], &project->diags, &scenario, &origin, err);

		if (got < 0)
			return -1;
		if (!got)
			continue;
		/* A second one of a name that judges would bring gates of its own along. */
		if (origin == OF_TREE && has_name(project, scenario.name))
			scenario_release(&scenario);
		else
			add(project, &scenario);
	}
	return 0;
}

/*
 * The first scenario of that name, those that judge before others. A name may be written inside any file; faults of other
 * files must not stand in its way. 1 with OUT, 0, -1; faults of the file that is called so are added to DIAGS.
 */
static int find_name(struct project *project, const char *name, struct diags *diags_out, struct scenario *out,
		     enum origin *origin, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;

	if (scenario_files(project, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n; i++) {
		CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
		const char *base = path_name(files.items[i]);
		size_t stem = (size_t)(strrchr(base, '.') - base);
		int got = load(project, files.items[i], &diags, out, origin, err);

		if (got < 0)
			return -1;
		if (got && !strcmp(out->name, name))
			return 1;
		if (got) {
			scenario_release(out);
		} else if (strlen(name) == stem && !strncmp(base, name, stem)) {
			diags_move(diags_out, &diags);
			return 0;
		}
	}
	return 0;
}

static int select_name(struct project *project, const char *name, struct error *err)
{
	struct scenario scenario;
	size_t faults = project->diags.n;
	enum origin origin;
	int got = find_name(project, name, &project->diags, &scenario, &origin, err);

	if (got == 1)
		add(project, &scenario);
	if (got || project->diags.n > faults)
		return got < 0 ? -1 : 0;
	return error_set(err, ERR_INPUT, "there is no scenario '%.100s' in %s; `pawl list` shows them", name,
			 project->scenarios_dir);
}

/* A file that only the change has is not judged by itself when one that judges has its name. */
static int select_path(struct project *project, const char *path, struct error *err)
{
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	struct scenario scenario, same;
	enum origin origin, origin_of_same;
	int got = load(project, path, &project->diags, &scenario, &origin, err), found = 0;

	if (got < 0)
		return -1;
	if (origin == NOWHERE)
		return error_set(err, ERR_INPUT, "there is no scenario file %s", path);
	if (!got)
		return 0;
	if (origin == OF_TREE && judged_by_another(project))
		found = find_name(project, scenario.name, &diags, &same, &origin_of_same, err);
	if (found == 1 && origin_of_same == OF_JUDGE) {
		scenario_release(&scenario);
		scenario = same;
	} else if (found == 1) {
		scenario_release(&same);
	}
	add(project, &scenario);
	return found < 0 ? -1 : 0;
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

int project_scenario_text(struct project *project, const struct scenario *scenario, struct strbuf *out, struct error *err)
{
	CLEANUP(free_ptr) char *path = scenario->path[0] == '/' ? xstrdup(scenario->path)
								 : file_join(project->root, scenario->path);
	enum origin origin;

	return read_text(project, path, out, &origin, err);
}

/* -------- what the change makes of all that */

static bool same_text(const struct strbuf *a, const struct strbuf *b)
{
	return a->len == b->len && !memcmp(a->buf, b->buf, a->len);
}

/*
 * The measured tree's file at PATH, beside BASE's: 1 with what became of it, 0 when it is the same, -1. What it shares with the
 * commit where the change left its base nobody edited.
 */
static int differs(struct project *project, struct file_source *base, const char *path, enum judge_change *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf theirs = STRBUF_INIT, ours = STRBUF_INIT, before = STRBUF_INIT;
	int there = file_source_read(base, path, JUDGE_LARGEST, &theirs, err);
	int here = there < 0 ? 0 : file_source_read(&project->tree, path, JUDGE_LARGEST, &ours, NULL);
	int was = 0;

	if (there < 0)
		return -1;
	if (here >= 0 && here == there && same_text(&theirs, &ours))
		return 0;
	if (project->fork.dir) {
		was = file_source_read(&project->fork, path, JUDGE_LARGEST, &before, NULL);
		if (was >= 0 && was == here && same_text(&before, &ours))
			return 0;
	}
	*out = !here ? JUDGE_REMOVED : there || was ? JUDGE_EDITED : JUDGE_ADDED;
	return 1;
}

static int compare_file(struct project *project, struct file_source *base, const char *path, struct error *err)
{
	enum judge_change change;
	int got = differs(project, base, path, &change, err);

	if (got == 1)
		judged_by_add(&project->by, path, change, NULL);
	return got < 0 ? -1 : 0;
}

/* Those of FOLDER that either side has and CHOOSE wants; NULL: all. */
static int compare_folder(struct project *project, struct file_source *base, const char *folder,
			  bool (*choose)(const char *name), struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_source_list(base, folder, &names, err) < 0)
		return -1;
	file_source_list(&project->tree, folder, &names, NULL);
	strv_sort(&names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(folder, names.items[i]);

		if (choose(names.items[i]) && (!i || strcmp(names.items[i], names.items[i - 1])) &&
		    compare_file(project, base, path, err) < 0)
			return -1;
	}
	return 0;
}

static bool is_accepted_file(const char *name)
{
	const char *end = strrchr(name, '.');

	return name[0] != '.' && end && (!strcmp(end, ".json") || !strcmp(end, ".folded"));
}

/* The file of the measured tree alone that says it is NAME, below the root; NULL when there is none. For free(). */
static char *own_file_of(struct project *project, const char *name)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;

	if (scenario_files(project, &files, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < files.n; i++) {
		CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
		struct scenario scenario;
		enum origin origin;
		bool found;

		if (load(project, files.items[i], &diags, &scenario, &origin, NULL) != 1)
			continue;
		found = origin == OF_TREE && !strcmp(scenario.name, name);
		scenario_release(&scenario);
		if (found)
			return shown_path(project, files.items[i]);
	}
	return NULL;
}

/* A scenario that judges, beside what became of its file. */
static int compare_scenario(struct project *project, const struct scenario *s, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = s->path[0] == '/' ? project_below(project, s->path) : xstrdup(s->path);
	CLEANUP(free_ptr) char *own = NULL;
	struct strbuf note = STRBUF_INIT;
	int here;

	if (!path || file_source_read(&project->files, path, SCENARIO_LARGEST, &text, err) != 1)
		return path ? compare_file(project, &project->files, path, err) : 0;
	own = own_file_of(project, s->name);
	strbuf_reset(&text);
	here = file_source_read(&project->tree, path, SCENARIO_LARGEST, &text, NULL);
	if (own && !here) {
		judged_by_add(&project->by, path, JUDGE_RENAMED, own);
	} else if (own) {
		strbuf_addf(&note, "its name, %s, is that of %s, which was used", s->name, path);
		judged_by_add(&project->by, own, JUDGE_ADDED, note.buf);
	} else if (!here) {
		strv_push(&project->gone, s->name);
	}
	strbuf_release(&note);
	return compare_file(project, &project->files, path, err);
}

/* WORD of a command that prepares what is measured: a file of the project that the change makes otherwise is the change's own. */
static void note_script(struct project *project, const struct scenario *s, const char *what, const char *word)
{
	enum judge_change change;
	struct strbuf note = STRBUF_INIT;

	word += strspn(word, "./");
	if (!*word || *word == '-' || differs(project, &project->files, word, &change, NULL) != 1)
		return;
	strbuf_addf(&note, "%s of %s runs %s, which this change %s: what it does is the change's own", what, s->path, word,
		    change == JUDGE_EDITED ? "edits" : change == JUDGE_ADDED ? "adds" : "removes");
	if (!strv_has(&project->by.open, note.buf))
		strv_push(&project->by.open, note.buf);
	strbuf_release(&note);
}

static void note_scripts(struct project *project, const struct scenario *s, const char *what, const struct command *command)
{
	for (size_t i = 0; i < command->argv.n; i++)
		for (const char *text = command->argv.items[i]; *text;) {
			size_t len = strcspn(text, " \t\n;|&<>()\"'");
			CLEANUP(free_ptr) char *word = xstrndup(text, len);

			note_script(project, s, what, word);
			text += len + (text[len] != '\0');
		}
}

/* The base names these commands, but where they are files of the project, the change has them as it likes. */
static void note_own_scripts(struct project *project, const struct scenario *s)
{
	note_scripts(project, s, "setup", &s->setup);
	note_scripts(project, s, "prepare", &s->prepare);
	note_scripts(project, s, "cleanup", &s->cleanup);
	note_scripts(project, s, "warmup", &s->warmup_command);
	note_scripts(project, s, "load", &s->load.command);
}

static int compare_all(struct project *project, struct error *err)
{
	if (compare_file(project, &project->files, "pawl.yaml", err) < 0 ||
	    (project->config.calibration && compare_file(project, &project->files, project->config.calibration, err) < 0))
		return -1;
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (compare_scenario(project, &project->scenarios[i], err) < 0)
			return -1;
	if (compare_folder(project, &project->files, project->config.scenarios, is_scenario_file, err) < 0)
		return -1;
	for (size_t i = 0; i < project->n_scenarios; i++)
		note_own_scripts(project, &project->scenarios[i]);
	for (size_t i = 0; i < project->n_scenarios && project->accepted == &project->files; i++) {
		CLEANUP(free_ptr) char *folder = file_join(project->accepted_in, project->scenarios[i].name);

		if (compare_folder(project, &project->files, folder, is_accepted_file, err) < 0)
			return -1;
	}
	return 0;
}

int project_tell_edits(struct project *project, struct file_source *base, const char *shown, struct error *err)
{
	static const char config[] = "pawl.yaml";
	CLEANUP(strv_release) struct strv paths = STRV_INIT;

	if (project->by.ref)
		return 0;
	project->by.ref = xstrdup(shown);
	project->by.commit = xstrdup(base->commit);
	project->by.own = true;
	strv_push(&paths, config);
	if (project->config.calibration)
		strv_push(&paths, project->config.calibration);
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (project->scenarios[i].path[0] != '/')
			strv_push(&paths, project->scenarios[i].path);
	for (size_t i = 0; i < paths.n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		int there = file_source_read(base, paths.items[i], JUDGE_LARGEST, &text, err);

		/* A base that has none is a tree of programs alone. */
		if (there < 0 || (there && compare_file(project, base, paths.items[i], err) < 0))
			return -1;
	}
	return 0;
}

int project_select(struct project *project, struct invocation *inv, const struct strv *args, struct error *err)
{
	if (!args->n && select_all(project, err) < 0)
		return -1;
	for (size_t i = 0; i < args->n; i++)
		if ((argument_is_path(args->items[i]) ? select_path : select_name)(project, args->items[i], err) < 0)
			return -1;
	if (project->diags.n)
		return error_set(err, ERR_INPUT, "%zu fault%s in the scenarios%s%s; nothing was measured", project->diags.n,
				 project->diags.n == 1 ? "" : "s", judged_by_another(project) ? ", where those judge of " : "",
				 judged_by_another(project) ? project->by.ref : "");
	if (drop_twins(project, err) < 0 || calibrations_read(project, inv, err) < 0 ||
	    keep_tagged(project, &inv->options.tags, err) < 0)
		return -1;
	return judged_by_another(project) ? compare_all(project, err) : 0;
}

/* -------- all of them, whatever was selected */

static int open_all(struct project *all, struct invocation *inv, const char *root)
{
	struct error why = ERROR_INIT;

	if (project_open_at(all, inv, root, &why) == 0 && select_all(all, &why) == 0)
		return 0;
	project_close(all);
	return -1;
}

static unsigned gates_of(const struct scenario *scenario)
{
	return judge_pairs_gates(scenario->gates.items, scenario->gates.n);
}

static void note_uncounted(struct strv *notes, const char *what, const char *why)
{
	CLEANUP(strbuf_release) struct strbuf note = STRBUF_INIT;

	strbuf_addf(&note, "%s %s: its gates are not counted among those that share the error; --gates M sets their number", what,
		    why);
	if (!strv_has(notes, note.buf))
		strv_push(notes, note.buf);
}

/* As select_all(), but nothing stands in its way, and what the change adds does not count: it would share the error. */
static void select_countable(struct project *all, const struct strv *files, struct strv *notes)
{
	for (size_t i = 0; i < files->n; i++) {
		CLEANUP(free_ptr) char *shown = shown_path(all, files->items[i]);
		CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
		struct error why = ERROR_INIT;
		struct scenario scenario;
		enum origin origin;
		int got = load(all, files->items[i], &diags, &scenario, &origin, &why);

		if (got == 1 && (origin == OF_JUDGE || !judged_by_another(all)))
			add(all, &scenario);
		else if (got == 1)
			scenario_release(&scenario);
		else
			note_uncounted(notes, shown, got < 0 ? why.msg : "has faults");
	}
}

unsigned project_paired_gates(struct project *project, struct strv *notes)
{
	CLEANUP(free_ptr) struct scenario *selected = project->scenarios;
	CLEANUP(strv_release) struct strv files = STRV_INIT;
	size_t n = project->n_scenarios;
	struct error why = ERROR_INIT;
	unsigned gates = 0;

	/* All of them take the place of the selected ones for a moment. */
	project->scenarios = NULL;
	project->n_scenarios = project->cap_scenarios = 0;
	if (scenario_files(project, &files, &why) == 0)
		select_countable(project, &files, notes);
	else
		note_uncounted(notes, project->root, why.msg);
	for (size_t i = 0; i < n; i++)
		if (!has_name(project, selected[i].name))
			gates += gates_of(&selected[i]);
	for (size_t i = 0; i < project->n_scenarios; i++) {
		gates += gates_of(&project->scenarios[i]);
		scenario_release(&project->scenarios[i]);
	}
	free(project->scenarios);
	project->scenarios = take_ptr(&selected);
	project->n_scenarios = project->cap_scenarios = n;
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
