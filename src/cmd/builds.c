#include "cmd/builds.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/files.h"
#include "measure/git.h"
#include "scenario/command.h"

/* A pawl.yaml that cannot be read, perhaps of a newer pawl, builds as the project at hand does. */
static bool read_build(const struct strbuf *text, struct command *out)
{
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	struct config config;
	bool has;

	config_init(&config);
	has = config_parse(text->buf, text->len, "pawl.yaml", &config, &diags) == 0 && config.build.argv.n;
	if (has)
		command_copy(out, &config.build);
	config_release(&config);
	return has;
}

static int build_of(void *ctx, const char *commit, struct command *out, struct error *err)
{
	struct builds *builds = ctx;
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	CLEANUP(free_ptr) char *prefix = NULL;

	if (git_prefix(&builds->inv->keeper, builds->project->root, &prefix, err) < 0)
		return -1;
	strbuf_addf(&path, "%spawl.yaml", prefix);
	if (git_show(&builds->inv->keeper, builds->project->root, commit, path.buf, &text, err) < 0)
		return -1;
	if (!read_build(&text, out))
		command_copy(out, &builds->project->config.build);
	return 0;
}

static void say(void *ctx, const char *what, const char *commit)
{
	const struct builds *builds = ctx;

	cmd_say(builds->inv, "%s %.12s\n", what, commit);
}

void builds_init(struct builds *out, struct project *project, struct invocation *inv, const char *scratch, const char *logs)
{
	*out = (struct builds){
		.project = project, .inv = inv,
		.trees = {
			.keeper = &inv->keeper, .root = project->root, .scratch = scratch, .logs = logs,
			.progress = say, .build_of = build_of, .ctx = out,
		},
	};
}

int builds_resolve(struct builds *builds, const char *option, const char *ref, char **out, struct error *err)
{
	CLEANUP(free_ptr) char *git = file_find_program("git", builds->project->root);

	if (!git)
		return error_set(err, ERR_INPUT, "%s %.100s: git is not installed (sudo apt-get install git)", option, ref);
	if (git_resolve(&builds->inv->keeper, builds->project->root, ref, out, err) == 0)
		return 0;
	/* Git ran and said no: the name, or the clone's depth, is the user's to mend. */
	if (err && err->kind == ERR_TARGET)
		err->kind = ERR_INPUT;
	return error_wrap(err, "%s", option);
}

int builds_working_tree(struct builds *builds, const char *root, struct error *err)
{
	const struct command *build = &builds->project->config.build;
	CLEANUP(free_ptr) char *log = file_join(builds->trees.logs, "build-head.log");

	if (!build->argv.n)
		return 0;
	cmd_say(builds->inv, "building the working tree\n");
	return trees_build(&builds->trees, root, build, log, err);
}
