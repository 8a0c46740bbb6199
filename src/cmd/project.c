#include "cmd/project.h"

#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "cmd/event.h"
#include "cmd/select.h"
#include "measure/files.h"
#include "measure/git.h"

enum { CONFIG_LARGEST = 1 << 20 };

bool argument_is_path(const char *arg)
{
	size_t len = strlen(arg);

	return strchr(arg, '/') || (len > 5 && !strcmp(arg + len - 5, ".yaml")) || (len > 4 && !strcmp(arg + len - 4, ".yml"));
}

static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	return xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
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

/* What is behind DIR in PATH, "" for DIR itself; NULL when PATH is not below it. */
static const char *behind(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (!strcmp(dir, "/"))
		return path + 1;
	if (strncmp(path, dir, len) || (path[len] && path[len] != '/'))
		return NULL;
	return path + len + (path[len] == '/');
}

/* The folder of the first path among ARGS, else the working folder; absolute. */
static char *start_folder(const struct strv *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (argument_is_path(args->items[i])) {
			CLEANUP(free_ptr) char *path = file_absolute(args->items[i]);

			return parent_of(path);
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
		up = parent_of(dir);
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
	const char *below = behind(tidied, root);
	struct strbuf out = STRBUF_INIT;

	if (below)
		return xstrdup(below);
	below = project->files.commit && project->top ? behind(tidied, project->top) : NULL;
	if (!below)
		return NULL;
	for (const char *part = behind(root, project->top); part && *part; part += strcspn(part, "/"), part += *part == '/')
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
		const char *below = behind(dir, project->top);
		CLEANUP(free_ptr) char *path = below ? file_join(below, "pawl.yaml") : NULL;
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		int got = path ? file_source_read(&project->files, path, CONFIG_LARGEST, &text, err) : 0;
		char *up;

		if (got)
			*out = got == 1 ? take_ptr(&dir) : NULL;
		if (got || !path || !*below)
			return got < 0 ? -1 : 0;
		up = parent_of(dir);
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
		const char *below = tidied ? behind(tidied, project->top) : NULL;
		int got = below ? file_source_read(&project->files, below, SCENARIO_LARGEST, &text, err) : 0;

		if (got)
			return got < 0 ? -1 : 0;
	}
	*out = true;
	return 0;
}

/* Git ran and said no: the name, or the clone's depth, is the user's to mend. */
static int git_refuses(struct error *err)
{
	if (err->kind == ERR_TARGET)
		err->kind = ERR_INPUT;
	return -1;
}

/* Where the change left its base: what differs there alone was changed by others. */
static void find_fork(struct project *project, struct invocation *inv)
{
	CLEANUP(free_ptr) char *fork = git_merge_base(&inv->keeper, project->files.dir, project->files.commit, "HEAD");

	if (fork && strcmp(fork, project->files.commit))
		file_source_commit(&project->fork, &inv->keeper, project->files.dir, fork, project->files.prefix);
}

/* Git is asked where pawl was started, which the change did not choose, unless the scenarios lie elsewhere. */
static int open_top(struct project *project, struct invocation *inv, const char *start, const char *ref, struct error *err)
{
	CLEANUP(free_ptr) char *where = file_absolute("."), *commit = NULL, *above = NULL, *top = NULL;

	if (git_top(&inv->keeper, where, &top, &above, NULL) < 0 || !behind(start, top)) {
		free(take_ptr(&where));
		free(take_ptr(&top));
		free(take_ptr(&above));
		for (where = xstrdup(start); !file_is_dir(where);) {
			char *up = parent_of(where);

			free(where);
			where = up;
		}
		if (git_top(&inv->keeper, where, &top, &above, err) < 0)
			return git_refuses(err);
	}
	if (git_resolve(&inv->keeper, where, ref, &commit, err) < 0)
		return git_refuses(err);
	project->top = take_ptr(&top);
	if (above && !inv->options.baseline_ref)
		return error_set(err, ERR_INPUT, "%s is a submodule of %s, and the change is that one's: start pawl there, or name what "
				 "judges with --baseline-ref REF", project->top, above);
	file_source_commit(&project->files, &inv->keeper, project->top, commit, "");
	project->by.commit = take_ptr(&commit);
	return 0;
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
	if (!root || !behind(root, project->top)) {
		free(root);
		root = xstrdup(project->top);
	}
	strbuf_adds(&prefix, behind(root, project->top));
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
	CLEANUP(free_ptr) char *head = event->name ? git_commit(&inv->keeper, project->root) : NULL;

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
