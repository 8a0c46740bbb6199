#include "job/project/project.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/project/request.h"
#include "measure/ci/ci.h"
#include "measure/files/files.h"
#include "measure/git/file_source.h"
#include "measure/git/git.h"
#include "model/baseline.h"
#include "model/machine.h"
#include "model/result.h"
#include "scenario/scenario.h"
#include "store/store.h"

enum { CONFIG_LARGEST = 1 << 20 };

/* -------- baselines: finding and reading them, from the working tree or from a commit */

char *project_baseline_path(const struct project *project, const char *scenario, const char *class)
{
	return text_printf("%s/%s/%s.json", project->baselines_dir, scenario, class);
}

static char *accepted_path(const struct project *project, const char *scenario, const char *file)
{
	return text_printf("%s/%s%s%s", project->config.baselines, scenario, file ? "/" : "", file ?: "");
}

int project_baseline_files(struct project *project, const char *scenario, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(free_ptr) char *folder = accepted_path(project, scenario, NULL);

	if (file_source_list(&project->files, folder, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++)
		if (names.items[i][0] != '.' && text_ends(names.items[i], strlen(names.items[i]), ".json"))
			strv_push(out, names.items[i]);
	return 0;
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

int project_read_baseline(struct project *project, const char *scenario, const char *file,
			  struct project_baseline **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *in = accepted_path(project, scenario, file);
	CLEANUP(free_ptr) char *path = text_printf("%s/%s/%s", project->baselines_dir, scenario, file);
	struct project_baseline *read;
	struct baseline base;
	int got;

	for (size_t i = 0; i < project->n_accepted; i++) {
		read = project->accepted_read[i];
		if (strcmp(read->file, file) || strcmp(read->baseline.scenario, scenario))
			continue;
		*out = read;
		return 1;
	}
	got = file_source_read(&project->files, in, JSON_LARGEST, &text, err);
	if (got <= 0)
		return got;
	if (baseline_parse(text.buf, text.len, path, &base, err) < 0)
		return -1;
	if (strcmp(base.scenario, scenario)) {
		error_set(err, ERR_INPUT, "%s: $.scenario: this is the baseline of '%s', not of '%s'", path,
			  base.scenario, scenario);
		baseline_release(&base);
		return -1;
	}
	read = xcalloc(1, sizeof *read);
	*read = (struct project_baseline){ .file = xstrdup(file), .path = take_ptr(&path), .baseline = base };
	*VEC_ADD(project->accepted_read, project->n_accepted, project->cap_accepted) = read;
	*out = read;
	return 1;
}

int project_read_baselines(struct project *project, const char *scenario, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;
	struct project_baseline *read;

	if (project_baseline_files(project, scenario, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n; i++)
		if (project_read_baseline(project, scenario, files.items[i], &read, err) != 1)
			return -1;
	return 0;
}

int project_read_beside(struct project *project, const char *scenario, const char *path, size_t limit,
			struct strbuf *out, struct error *err)
{
	CLEANUP(free_ptr) char *in = accepted_path(project, scenario, path_name(path));

	if (!project->files.commit && file_refuse_link(path, err) < 0)
		return -1;
	return file_source_read(&project->files, in, limit, out, err);
}

int project_baseline(struct project *project, const char *scenario, const struct machine *machine,
		     struct project_baseline **out, struct error *err)
{
	CLEANUP(free_ptr) char *class = machine_class(machine), *file = text_printf("%s.json", class);
	struct project_baseline *newest = NULL;
	const char *date = "";
	int got = project_read_baseline(project, scenario, file, out, err);

	if (got)
		return got;
	/* A baseline of another class serves gates that do not depend on the CPU. The report names it. */
	if (project_read_baselines(project, scenario, err) < 0)
		return -1;
	for (size_t i = 0; i < project->n_accepted; i++) {
		const struct baseline *base = &project->accepted_read[i]->baseline;
		const char *last = base->n_sessions ? base->sessions[base->n_sessions - 1].date : "";

		if (strcmp(base->scenario, scenario) || strcmp(base->machine.arch, machine->arch) ||
		    (newest && strcmp(last, date) <= 0))
			continue;
		newest = project->accepted_read[i];
		date = last;
	}
	*out = newest;
	return newest != NULL;
}

/* -------- the project's folder */

bool argument_is_path(const char *arg)
{
	size_t len = strlen(arg);

	return strchr(arg, '/') || (len > 5 && text_ends(arg, len, ".yaml")) || (len > 4 && text_ends(arg, len, ".yml"));
}

static void go_up(char **dir)
{
	char *up = path_parent(*dir);

	free(*dir);
	*dir = up;
}

static char *tidy(const char *path)
{
	char *out = xstrdup(path);

	path_tidy(out);
	return out;
}

static char *start_folder(const struct strv *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (argument_is_path(args->items[i])) {
			char *path = file_absolute(args->items[i]);

			go_up(&path);
			return path;
		}
	return file_absolute(".");
}

static char *find_root(const struct strv *args)
{
	for (char *dir = start_folder(args);; go_up(&dir)) {
		CLEANUP(free_ptr) char *config = file_join(dir, "pawl.yaml"), *git = file_join(dir, ".git");

		if (file_exists(config) || file_exists(git))
			return dir;
		if (!strcmp(dir, "/")) {
			free(dir);
			return file_absolute(".");
		}
	}
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
	for (const char *part = path_below(root, project->top); part && *part; part += *part == '/') {
		strbuf_adds(&out, "../");
		part += strcspn(part, "/");
	}
	strbuf_adds(&out, below);
	return strbuf_take(&out);
}

static int configure(struct project *project, struct file_source *from, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct config *config = &project->config;
	int got = file_source_read(from, "pawl.yaml", CONFIG_LARGEST, &text, err);

	config_release(config);
	config_init(config);
	/* pawl check shows every fault, so it continues with what could be read. */
	if (got < 0 && !(project->request->shows_all_faults && project->diags.n))
		return -1;
	if (got > 0 && config_parse(text.buf, text.len, "pawl.yaml", config, &project->diags) < 0 &&
	    !project->request->shows_all_faults)
		return error_set(err, ERR_INPUT, "%zu fault%s in pawl.yaml%s%s; nothing was measured", project->diags.n,
				 project->diags.n == 1 ? "" : "s", project->by.ref ? " of " : "", project->by.ref ?: "");
	strv_release(&project->suite);
	free(project->scenarios_dir);
	free(project->baselines_dir);
	release_baselines(project);
	project->scenarios_dir = file_join(project->root, config->scenarios);
	project->baselines_dir = file_join(project->root, config->baselines);
	return 0;
}

/* -------- judged by a commit */

/* *OUT: the nearest folder upward that has a pawl.yaml in the commit, or NULL. */
static int root_in_commit(struct project *project, const char *start, char **out, struct error *err)
{
	for (CLEANUP(free_ptr) char *dir = xstrdup(start);; go_up(&dir)) {
		const char *below = path_below(dir, project->top);
		CLEANUP(free_ptr) char *path = below ? file_join(below, "pawl.yaml") : NULL;
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		int got = path ? file_source_read(&project->files, path, CONFIG_LARGEST, &text, err) : 0;

		if (got)
			*out = got == 1 ? take_ptr(&dir) : NULL;
		if (got || !path || !*below)
			return got < 0 ? -1 : 0;
	}
}

/* The change may be the first to bring anything that judges. */
static int is_first(struct project *project, const struct strv *args, bool *out, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_source_list(&project->files, "scenarios", &names, err) < 0 ||
	    file_source_list(&project->files, "baselines", &names, err) < 0)
		return -1;
	if (names.n)
		return 0;
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

/* Differences on the base's side alone are others' work. */
static void find_fork(struct project *project)
{
	struct file_source *base = &project->files;
	CLEANUP(free_ptr) char *fork = git_merge_base(&project->request->git, base->dir, base->commit, "HEAD");

	if (fork && strcmp(fork, base->commit) &&
	    file_source_commit(&project->fork, &project->request->git, base->dir, fork, NULL) == 0)
		file_source_move(&project->fork, base->prefix);
}

/*
 * The repository of the folder where pawl was started, which the change did not choose, unless scenarios are
 * elsewhere.
 */
static int open_top(struct project *project, const char *start, const char *ref, struct error *err)
{
	CLEANUP(free_ptr) char *where = file_absolute("."), *commit = NULL, *above = NULL, *top = NULL;
	struct git *git = &project->request->git;

	if (git_top(git, where, &top, NULL) < 0 || !path_below(start, top)) {
		free(where);
		free(take_ptr(&top));
		for (where = xstrdup(start); !file_is_dir(where);)
			go_up(&where);
		if (git_top(git, where, &top, err) < 0)
			return -1;
	}
	if (git_resolve(git, where, ref, &commit, err) < 0)
		return -1;
	project->top = take_ptr(&top);
	above = project->request->judge ? NULL : git_above(git, where);
	if (above)
		return error_set(err, ERR_INPUT, "%s is a submodule of %s, and the change is that one's: start pawl there, or name what "
				 "judges with --judge REF", project->top, above);
	project->by.commit = arena_strdup(&project->by.arena, commit);
	return file_source_commit(&project->files, git, project->top, project->by.commit, err);
}

static char *short_ref(struct arena *arena, const char *ref)
{
	size_t len = strspn(ref, "0123456789abcdef");

	if (len >= 40 && !ref[len])
		return arena_strndup(arena, ref, COMMIT_SHOWN);
	return arena_strdup(arena, git_short_name(ref));
}

static int open_ref(struct project *project, struct request *request, const struct strv *args, const char *ref, const char *shown,
		    struct error *err)
{
	CLEANUP(free_ptr) char *folder = start_folder(args), *start = tidy(folder), *root = NULL, *prefix = NULL;

	*project = (struct project){ .request = request };
	project->by.ref = short_ref(&project->by.arena, shown);
	if (open_top(project, start, ref, err) < 0 || root_in_commit(project, start, &root, err) < 0 ||
	    (!root && is_first(project, args, &project->first, err) < 0))
		return -1;
	if (project->first) {
		CLEANUP(free_ptr) char *found = find_root(args);

		root = tidy(found);
		arena_pushf(&project->by.arena, &project->by.open,
			    "%s has no pawl.yaml, no scenarios and no baselines yet, so this change is judged by its own",
			    project->by.ref);
	}
	if (!root || !path_below(root, project->top)) {
		free(root);
		root = xstrdup(project->top);
	}
	prefix = text_printf("%s%s", path_below(root, project->top), *path_below(root, project->top) ? "/" : "");
	file_source_move(&project->files, prefix);
	file_source_folder(&project->tree, root);
	project->root = take_ptr(&root);
	find_fork(project);
	return configure(project, project->first ? &project->tree : &project->files, err);
}

int project_judge_by(struct project *project, struct file_source *base, const char *shown, struct error *err)
{
	file_source_release(&project->files);
	project->files = *base;
	*base = (struct file_source){ 0 };
	project->by.ref = short_ref(&project->by.arena, shown);
	project->by.commit = arena_strdup(&project->by.arena, project->files.commit);
	if (project->files.commit)
		find_fork(project);
	return configure(project, &project->files, err);
}

/* -------- judged by itself */

int project_open_at(struct project *project, struct request *request, const char *root, struct error *err)
{
	*project = (struct project){ .request = request, .root = file_absolute(root) };
	file_source_folder(&project->files, project->root);
	file_source_folder(&project->tree, project->root);
	return configure(project, &project->files, err);
}

int project_open(struct project *project, struct request *request, const struct strv *args, struct error *err)
{
	CLEANUP(ci_release) struct ci ci = { 0 };
	CLEANUP(free_ptr) char *cwd = file_working_folder(err), *head = NULL, *root = NULL;
	size_t len;

	*project = (struct project){ .request = request };
	if (!cwd)
		return -1;
	if (request->judge)
		return open_ref(project, request, args, request->judge, request->judge, err) < 0 ? error_wrap(err, "--judge") : 0;
	if (request->judges)
		ci_read(&ci);
	if (ci.foreign && !ci.base)
		return error_set(err, ERR_INPUT, "%s, an unmerged change, which its base must judge; but the base is not in %s; "
				 "name it with --judge REF", ci.why, ci.told_by);
	if (ci.foreign) {
		if (open_ref(project, request, args, ci.base, ci.shown, err) < 0)
			return error_wrap(err, "%s, so that its base judges", ci.why);
		project->foreign = true;
		return 0;
	}
	root = find_root(args);
	if (project_open_at(project, request, root, err) < 0)
		return -1;

	/* It may be another's, and the author of what is checked out is unknown. */
	head = ci.commit ? git_commit(&request->git, project->root) : NULL;
	len = head ? strspn(head, "0123456789abcdef") : 0;
	if (len && strncmp(ci.commit, head, len) != 0)
		arena_pushf(&project->by.arena, &project->by.open,
			    "the commit that is checked out is not the one that the job began with (%s): an unmerged change is then judged by "
			    "its own scenarios, baselines and pawl.yaml; --judge REF takes those of another commit",
			    ci.why);
	return 0;
}

/* -------- the end */

static void free_file(void *parsed)
{
	struct scenario_file *file = parsed;

	if (file->valid)
		scenario_release(&file->scenario);
	diags_release(&file->diags);
	free(file->path);
	free(file);
}

void project_close(struct project *project)
{
	file_source_release(&project->files);
	file_source_release(&project->tree);
	file_source_release(&project->fork);
	judged_by_release(&project->by);
	free(project->root);
	free(project->top);
	release_baselines(project);
	config_release(&project->config);
	strv_release(&project->suite);
	free(project->scenarios_dir);
	free(project->baselines_dir);
	tdestroy(project->parsed, free_file);
	free(project->scenarios);
	strv_release(&project->gone);
	diags_release(&project->diags);
	*project = (struct project){ 0 };
}

void project_finish(struct project *project)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	diags_render(&project->diags, &text);
	fputs(text.buf, stderr);
	project_close(project);
}
