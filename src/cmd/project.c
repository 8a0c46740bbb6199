#include "cmd/project.h"

#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
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

/* The nearest folder upward with pawl.yaml or .git; the working folder when there is none. */
static char *find_root(const struct strv *args)
{
	CLEANUP(free_ptr) char *cwd = file_absolute(".");
	char *dir = NULL;

	for (size_t i = 0; i < args->n && !dir; i++)
		if (argument_is_path(args->items[i])) {
			CLEANUP(free_ptr) char *path = file_absolute(args->items[i]);

			dir = parent_of(path);
		}
	if (!dir)
		dir = xstrdup(cwd);
	for (;;) {
		char *up;

		if (holds(dir, "pawl.yaml") || holds(dir, ".git"))
			return dir;
		if (!strcmp(dir, "/")) {
			free(dir);
			return take_ptr(&cwd);
		}
		up = parent_of(dir);
		free(dir);
		dir = up;
	}
}

static int faults(const struct project *project, const char *what, struct error *err)
{
	return error_set(err, ERR_INPUT, "%zu fault%s in %s; nothing was measured", project->diags.n,
			 project->diags.n == 1 ? "" : "s", what);
}

static int load_config(struct project *project, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(project->root, "pawl.yaml");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	config_init(&project->config);
	if (!file_exists(path))
		return 0;
	if (file_read(path, CONFIG_LARGEST, &text, err) < 0)
		return -1;
	if (config_parse(text.buf, text.len, "pawl.yaml", &project->config, &project->diags) < 0)
		return faults(project, "pawl.yaml", err);
	return 0;
}

/* Inside a GitHub pull request the baselines of the base branch judge, or the request could edit its own judge. */
static char *default_ref(void)
{
	const char *event = getenv("GITHUB_EVENT_NAME"), *base = getenv("GITHUB_BASE_REF");
	struct strbuf ref = STRBUF_INIT;

	if (!event || strcmp(event, "pull_request") || !base || !*base)
		return NULL;
	strbuf_addf(&ref, "origin/%s", base);
	return strbuf_take(&ref);
}

static int open_ref(struct project *project, struct invocation *inv, struct error *err)
{
	if (!(inv->command->options & OPT_BASELINE_REF))
		return 0;
	project->ref = inv->options.baseline_ref ? xstrdup(inv->options.baseline_ref)
						 : inv->command == &cmd_run ? default_ref() : NULL;
	if (!project->ref)
		return 0;
	if (git_resolve(&inv->keeper, project->root, project->ref, &project->commit, err) == 0 &&
	    git_prefix(&inv->keeper, project->root, &project->prefix, err) == 0)
		return 0;
	/* Git ran and said no: the name, or the clone's depth, is the user's to mend. */
	if (err->kind == ERR_TARGET)
		err->kind = ERR_INPUT;
	return error_wrap(err, "--baseline-ref");
}

static int open_root(struct project *project, struct invocation *inv, char *root, struct error *err)
{
	*project = (struct project){ .root = root };
	if (load_config(project, err) < 0)
		return -1;
	project->scenarios_dir = file_join(project->root, project->config.scenarios);
	project->baselines_dir = inv->options.baselines ? file_absolute(inv->options.baselines)
							: file_join(project->root, project->config.baselines);
	return open_ref(project, inv, err);
}

int project_open(struct project *project, struct invocation *inv, const struct strv *args, struct error *err)
{
	return open_root(project, inv, find_root(args), err);
}

int project_open_at(struct project *project, struct invocation *inv, const char *root, struct error *err)
{
	return open_root(project, inv, file_absolute(root), err);
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
	free(project->root);
	config_release(&project->config);
	calibration_release(&project->calibration);
	free(project->scenarios_dir);
	free(project->baselines_dir);
	free(project->ref);
	free(project->commit);
	free(project->prefix);
	for (size_t i = 0; i < project->n_scenarios; i++)
		scenario_release(&project->scenarios[i]);
	free(project->scenarios);
	strv_release(&project->edited);
	diags_release(&project->diags);
	*project = (struct project){ 0 };
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
