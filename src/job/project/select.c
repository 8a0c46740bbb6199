#include "job/project/select.h"

#include <search.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "job/sides/programs.h"
#include "job/project/project.h"
#include "job/project/request.h"
#include "judge/pairs.h"
#include "measure/files/files.h"
#include "measure/git/file_source.h"
#include "measure/git/git.h"
#include "model/result.h"
#include "scenario/scenario.h"
#include "store/store.h"

/* -------- the files of scenarios, each read and parsed once */

/* As users know it. */
static char *shown_path(const struct project *project, const char *path)
{
	CLEANUP(free_ptr) char *absolute = file_absolute(path);
	const char *below = path_below(absolute, project->root);

	return below && *below ? xstrdup(below) : take_ptr(&absolute);
}

static bool judged_by_another(const struct project *project)
{
	return project->by.ref && !project->by.own;
}

static bool same_text(const struct strbuf *a, const struct strbuf *b)
{
	return a->len == b->len && !memcmp(a->buf, b->buf, a->len);
}

/* Conversions of git in a working tree do not count. */
static bool same_file(struct project *project, const struct file_source *source, const char *path, const struct strbuf *theirs,
		      const struct strbuf *ours)
{
	return same_text(theirs, ours) ||
	       (source->commit && git_adds_same(&project->request->git, project->tree.dir, source->commit, source->prefix, path));
}

/* Reads a file from the judging source, or from the measured tree if only that has it. */
static int read_text(struct project *project, const char *path, struct strbuf *text, enum origin *origin,
		     struct error *err)
{
	CLEANUP(free_ptr) char *absolute = file_absolute(path), *below = project_below(project, absolute);
	CLEANUP(strbuf_release) struct strbuf before = STRBUF_INIT;
	int got;

	*origin = NOWHERE;
	if (!below) {
		*origin = file_exists(path) ? OF_TREE : NOWHERE;
		return *origin == OF_TREE ? file_read(path, SCENARIO_LARGEST, text, err) : 0;
	}
	got = file_source_read(&project->files, below, SCENARIO_LARGEST, text, err);
	if (got == 1)
		*origin = OF_JUDGE;
	if (got || !judged_by_another(project))
		return got < 0 ? -1 : 0;
	got = file_source_read(&project->tree, below, SCENARIO_LARGEST, text, err);
	if (got <= 0)
		return got;
	/* A file that was there when the change left its base, and that the base has removed, is not the change's. */
	if (project->fork.dir && file_source_read(&project->fork, below, SCENARIO_LARGEST, &before, err) < 0)
		return -1;
	if (!project->fork.dir || !same_file(project, &project->fork, below, &before, text))
		*origin = OF_TREE;
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct scenario_file *)a)->path, ((const struct scenario_file *)b)->path);
}

static int load(struct project *project, const char *path, struct scenario_file **out, struct error *err)
{
	CLEANUP(free_ptr) char *absolute = file_absolute(path), *shown = shown_path(project, path);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct scenario_file *file, **known;
	enum origin origin;

	known = tfind(&(struct scenario_file){ .path = absolute }, &project->parsed, by_path);
	if (known) {
		*out = *known;
		return 0;
	}
	if (read_text(project, path, &text, &origin, err) < 0)
		return -1;
	file = xcalloc(1, sizeof *file);
	file->path = take_ptr(&absolute);
	file->origin = origin;
	file->valid = origin != NOWHERE && scenario_parse(text.buf, text.len, shown, &project->config.defaults,
							  &file->scenario, &file->diags) == 0;
	xtsearch(file, &project->parsed, by_path);
	*out = file;
	return 0;
}

static bool is_scenario_file(const char *name)
{
	return name[0] != '.' && argument_is_path(name);
}

static int scenario_files(struct project *project, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv theirs = STRV_INIT, own = STRV_INIT;

	if (file_source_list(&project->files, project->config.scenarios, &theirs, err) < 0 ||
	    (judged_by_another(project) && file_source_list(&project->tree, project->config.scenarios, &own, err) < 0))
		return -1;
	for (size_t i = 0; i < theirs.n; i++)
		if (is_scenario_file(theirs.items[i]))
			strv_take(out, file_join(project->scenarios_dir, theirs.items[i]));
	for (size_t i = 0; i < own.n; i++)
		if (is_scenario_file(own.items[i]) && !strv_has(&theirs, own.items[i]))
			strv_take(out, file_join(project->scenarios_dir, own.items[i]));
	return 0;
}

/* -------- those that the arguments mean */

static void add(struct project *project, struct scenario_file *file)
{
	*VEC_ADD(project->scenarios, project->n_scenarios, project->cap_scenarios) = &file->scenario;
}

const struct scenario *project_scenario(const struct project *project, const char *name)
{
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (!strcmp(project->scenarios[i]->name, name))
			return project->scenarios[i];
	return NULL;
}

static int select_all(struct project *project, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;
	struct scenario_file *file;

	if (scenario_files(project, &files, err) < 0)
		return -1;
	if (!files.n)
		return error_set(err, ERR_INPUT, "there are no scenarios in %s; `pawl init` writes a first one",
				 project->scenarios_dir);
	for (size_t i = 0; i < files.n; i++) {
		if (load(project, files.items[i], &file, err) < 0)
			return -1;
		diags_move(&project->diags, &file->diags);
		/* A second file with a judging scenario's name would add gates of its own. */
		if (file->valid && !(file->origin == OF_TREE && project_scenario(project, file->scenario.name)))
			add(project, file);
	}
	return 0;
}

/* The first file with that scenario, judging files first, or a faulty one of that name. Other faults do not matter. */
static int find_name(struct project *project, const char *name, struct scenario_file **out, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;
	struct scenario_file *file;

	*out = NULL;
	if (scenario_files(project, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n && !*out; i++) {
		const char *base = path_name(files.items[i]);
		size_t stem = (size_t)(strrchr(base, '.') - base);

		if (load(project, files.items[i], &file, err) < 0)
			return -1;
		if (file->valid ? !strcmp(file->scenario.name, name)
				: strlen(name) == stem && !strncmp(base, name, stem))
			*out = file;
	}
	return 0;
}

static int unknown_name(struct project *project, const char *name, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT, names = STRV_INIT;
	CLEANUP(free_ptr) char *hint = NULL;
	struct scenario_file *file;

	if (scenario_files(project, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n; i++)
		if (load(project, files.items[i], &file, NULL) == 0 && file->valid)
			strv_push(&names, file->scenario.name);
	hint = nearest_hint(name, (const char *const *)names.items, names.n, "; `pawl check` lists them");
	return error_set(err, ERR_INPUT, "there is no scenario '%.100s' in %s%s", name, project->scenarios_dir, hint);
}

static int select_one(struct project *project, const char *arg, struct error *err)
{
	bool path = argument_is_path(arg);
	struct scenario_file *file, *same = NULL;

	if ((path ? load : find_name)(project, arg, &file, err) < 0)
		return -1;
	if (path && file->origin == NOWHERE)
		return error_set(err, ERR_INPUT, "there is no scenario file %s", arg);
	if (!file || file->origin == NOWHERE)
		return unknown_name(project, arg, err);
	if (!file->valid) {
		diags_move(&project->diags, &file->diags);
		return 0;
	}
	/* A file that only the change has gives way to a judging file with its scenario's name. */
	if (path && file->origin == OF_TREE && judged_by_another(project) &&
	    find_name(project, file->scenario.name, &same, err) < 0)
		return -1;
	add(project, same && same->valid && same->origin == OF_JUDGE ? same : file);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct scenario *const *)a)->name, (*(struct scenario *const *)b)->name);
}

/* Two scenarios of one name would share a baseline. A file given twice counts once. */
static int drop_duplicates(struct project *project, struct error *err)
{
	struct scenario **all = project->scenarios;
	size_t kept = 0;

	if (project->n_scenarios)
		qsort(all, project->n_scenarios, sizeof *all, by_name);
	for (size_t i = 0; i < project->n_scenarios; i++) {
		const struct scenario *last = kept ? all[kept - 1] : NULL;

		if (!last || strcmp(last->name, all[i]->name))
			all[kept++] = all[i];
		else if (strcmp(last->path, all[i]->path))
			return error_set(err, ERR_INPUT, "two scenarios are called '%s': %s and %s; rename one",
					 last->name, last->path, all[i]->path);
	}
	project->n_scenarios = kept;
	return 0;
}

static int keep_tagged(struct project *project, const struct strv *tags, struct error *err)
{
	CLEANUP(strv_release) struct strv known = STRV_INIT;
	CLEANUP(free_ptr) char *hint = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < project->n_scenarios; i++)
		for (size_t k = 0; k < project->scenarios[i]->tags.n; k++)
			strv_push_new(&known, project->scenarios[i]->tags.items[k]);
	for (size_t i = 0; i < project->n_scenarios; i++) {
		bool tagged = !tags->n;

		for (size_t k = 0; k < tags->n; k++)
			tagged |= strv_has(&project->scenarios[i]->tags, tags->items[k]);
		if (tagged)
			project->scenarios[kept++] = project->scenarios[i];
	}
	project->n_scenarios = kept;
	if (kept || !tags->n)
		return 0;
	hint = nearest_hint(tags->items[0], (const char *const *)known.items, known.n, "");
	return error_set(err, ERR_INPUT, "no scenario has the tag '%.60s'%s", tags->items[0], hint);
}

/* Sizes of shards differ by at most one. */
static int keep_shard(struct project *project, const char *shard, struct error *err)
{
	size_t kept = 0;
	char *end;
	unsigned long part = strtoul(shard, &end, 10), of = *end == '/' ? strtoul(end + 1, &end, 10) : 0;

	if (!text_is_digit(*shard) || *end || !part || !of || part > of || of > 100000)
		return error_set(err, ERR_INPUT, "--shard: expected I/N with I from 1 to N, found '%.40s'", shard);
	for (size_t i = 0; i < project->n_scenarios; i++)
		strv_push(&project->suite, project->scenarios[i]->name);
	for (size_t i = part - 1; i < project->n_scenarios; i += of)
		project->scenarios[kept++] = project->scenarios[i];
	project->n_scenarios = kept;
	return 0;
}

/* -------- edits of the change */

/*
 * Returns 1 with the kind of change, 0 or -1. A file that has not changed since the change left its base is the same.
 */
static int differs(struct project *project, struct file_source *base, const char *path, enum judge_change *out,
		   struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf theirs = STRBUF_INIT, ours = STRBUF_INIT, before = STRBUF_INIT;
	int there = file_source_read(base, path, JSON_LARGEST, &theirs, err);
	int here = there < 0 ? 0 : file_source_read(&project->tree, path, JSON_LARGEST, &ours, NULL);
	int was = 0;

	if (there < 0)
		return -1;
	if (here >= 0 && here == there && same_file(project, base, path, &theirs, &ours))
		return 0;
	if (project->fork.dir) {
		was = file_source_read(&project->fork, path, JSON_LARGEST, &before, NULL);
		if (was >= 0 && was == here && same_file(project, &project->fork, path, &before, &ours))
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

static bool is_accepted_file(const char *name)
{
	const char *end = strrchr(name, '.');

	return name[0] != '.' && end && (!strcmp(end, ".json") || !strcmp(end, ".folded"));
}

static int compare_folder(struct project *project, const char *folder, bool (*choose)(const char *name),
			  struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_source_list(&project->files, folder, &names, err) < 0)
		return -1;
	file_source_list(&project->tree, folder, &names, NULL);
	strv_sort(&names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(folder, names.items[i]);

		if (choose(names.items[i]) && (!i || strcmp(names.items[i], names.items[i - 1])) &&
		    compare_file(project, &project->files, path, err) < 0)
			return -1;
	}
	return 0;
}

static const char *own_file_of(struct project *project, const char *name)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;
	struct scenario_file *file;

	if (scenario_files(project, &files, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < files.n; i++)
		if (load(project, files.items[i], &file, NULL) == 0 && file->valid && file->origin == OF_TREE &&
		    !strcmp(file->scenario.name, name))
			return file->scenario.path;
	return NULL;
}

static int compare_scenario(struct project *project, const struct scenario *s, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = s->path[0] == '/' ? project_below(project, s->path) : xstrdup(s->path);
	const char *own;
	int here;

	if (!path)
		return 0;
	if (file_source_read(&project->files, path, SCENARIO_LARGEST, &text, err) != 1)
		return compare_file(project, &project->files, path, err);
	own = own_file_of(project, s->name);
	here = file_source_read(&project->tree, path, SCENARIO_LARGEST, &text, NULL);
	if (own && !here) {
		judged_by_add(&project->by, path, JUDGE_RENAMED, own);
	} else if (own) {
		CLEANUP(free_ptr) char *note = text_printf("its name, %s, is that of %s, which was used", s->name,
							   path);

		judged_by_add(&project->by, own, JUDGE_ADDED, note);
	} else if (!here) {
		strv_push(&project->gone, s->name);
	}
	return compare_file(project, &project->files, path, err);
}

/* Notes WORD of a command that prepares the measurement if it is a file that the change edits. */
static void note_script(struct project *project, const struct scenario *s, const char *what, const char *word)
{
	struct judged_by *by = &project->by;
	enum judge_change change;

	word += strspn(word, "./");
	if (!*word || *word == '-' || differs(project, &project->files, word, &change, NULL) != 1)
		return;
	arena_push_new(&by->arena, &by->open,
		       arena_printf(&by->arena, "%s of %s runs %s, which this change %s: what it does is the change's own", what, s->path,
				    word, change == JUDGE_EDITED ? "edits" : change == JUDGE_ADDED ? "adds" : "removes"));
}

static void note_scripts(struct project *project, const struct scenario *s)
{
	const struct {
		const char *what;
		const struct strv *words;
	} commands[] = {
		{ "setup", &s->setup.argv }, { "prepare", &s->prepare.argv }, { "cleanup", &s->cleanup.argv },
		{ "warmup", &s->warmup_command.argv }, { "load", &s->load.command.argv },
	};

	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		for (size_t k = 0; k < commands[i].words->n; k++) {
			CLEANUP(strv_release) struct strv words = STRV_INIT;

			programs_words(commands[i].words->items[k], &words);
			for (size_t w = 0; w < words.n; w++)
				note_script(project, s, commands[i].what, words.items[w]);
		}
}

static int compare_all(struct project *project, struct error *err)
{
	if (compare_file(project, &project->files, "pawl.yaml", err) < 0)
		return -1;
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (compare_scenario(project, project->scenarios[i], err) < 0)
			return -1;
	if (compare_folder(project, project->config.scenarios, is_scenario_file, err) < 0)
		return -1;
	for (size_t i = 0; i < project->n_scenarios; i++)
		note_scripts(project, project->scenarios[i]);
	for (size_t i = 0; i < project->n_scenarios; i++) {
		CLEANUP(free_ptr) char *folder = file_join(project->config.baselines, project->scenarios[i]->name);

		if (compare_folder(project, folder, is_accepted_file, err) < 0)
			return -1;
	}
	return 0;
}

int project_note_edits(struct project *project, struct file_source *base, const char *shown, struct error *err)
{
	CLEANUP(strv_release) struct strv paths = STRV_INIT;

	if (project->by.ref)
		return 0;
	project->by.ref = arena_strdup(&project->by.arena, shown);
	project->by.commit = arena_strdup(&project->by.arena, base->commit);
	project->by.own = true;
	strv_push(&paths, "pawl.yaml");
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (project->scenarios[i]->path[0] != '/')
			strv_push(&paths, project->scenarios[i]->path);
	for (size_t i = 0; i < paths.n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		int there = file_source_read(base, paths.items[i], JSON_LARGEST, &text, err);

		/* A base without such a file is a tree of programs alone. */
		if (there < 0 || (there && compare_file(project, base, paths.items[i], err) < 0))
			return -1;
	}
	return 0;
}

/* -------- the selection */

int project_select(struct project *project, const struct strv *args, struct error *err)
{
	bool another = judged_by_another(project);

	if (!args->n && select_all(project, err) < 0)
		return -1;
	for (size_t i = 0; i < args->n; i++)
		if (select_one(project, args->items[i], err) < 0) {
			if (!project->diags.n || err->kind != ERR_INPUT)
				return -1;
			/* Next to other faults, this is one more. */
			diags_add(&project->diags, (struct diag_place){
				.path = err->at.path[0] ? err->at.path : args->items[i], .line = err->at.line, .column = err->at.column,
			}, "%s", err->msg);
		}
	if (project->diags.n)
		return error_set(err, ERR_INPUT, "%zu fault%s in the scenarios%s%s; nothing was measured",
				 project->diags.n,
				 project->diags.n == 1 ? "" : "s", another ? ", where those judge of " : "",
				 another ? project->by.ref : "");
	if (drop_duplicates(project, err) < 0 ||
	    keep_tagged(project, &project->request->tags, err) < 0 ||
	    (project->request->shard && keep_shard(project, project->request->shard, err) < 0))
		return -1;
	if (another && compare_all(project, err) < 0)
		return -1;
	for (size_t i = 0; project->request->counts && i < project->n_scenarios; i++)
		scenario_keep_counts(project->scenarios[i]);
	/* From here on the change's own files are what judges. */
	project->by.own |= project->first;
	return 0;
}

bool project_only_simulated(const struct project *project)
{
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (project->scenarios[i]->measure.counters != COUNTERS_SIM)
			return false;
	return project->n_scenarios > 0;
}

static void note_uncounted(struct arena *arena, struct strv *notes, const char *what, const char *why)
{
	arena_push_new(arena, notes,
		       arena_printf(arena, "%s %s: its gates are not counted among those that share the error", what, why));
}

unsigned project_paired_gates(struct project *project, struct arena *arena, struct strv *notes)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT, counted = STRV_INIT;
	struct error why = ERROR_INIT;
	struct scenario_file *file;
	unsigned gates = 0;

	if (scenario_files(project, &files, &why) < 0)
		note_uncounted(arena, notes, project->root, why.msg);
	for (size_t i = 0; i < files.n; i++) {
		int got = load(project, files.items[i], &file, &why);

		if (got < 0 || !file->valid) {
			CLEANUP(free_ptr) char *shown = shown_path(project, files.items[i]);

			note_uncounted(arena, notes, shown, got < 0 ? why.msg : "has faults");
		} else if (file->origin == OF_JUDGE || !judged_by_another(project)) {
			/* Scenarios that the change adds would share the error too, and do not count. */
			gates += judge_pairs_gates(file->scenario.gates.items, file->scenario.gates.n);
			strv_push(&counted, file->scenario.name);
		}
	}
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (!strv_has(&counted, project->scenarios[i]->name))
			gates += judge_pairs_gates(project->scenarios[i]->gates.items, project->scenarios[i]->gates.n);
	return gates;
}

int project_names(struct request *request, const char *root, struct strv *out)
{
	CLEANUP(project_close) struct project all = { 0 };

	if (project_open_at(&all, request, root, NULL) < 0 || select_all(&all, NULL) < 0)
		return -1;
	for (size_t i = 0; i < all.n_scenarios; i++)
		strv_push(out, all.scenarios[i]->name);
	return 0;
}
