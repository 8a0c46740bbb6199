#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/project/builds.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/request.h"
#include "measure/git/git.h"
#include "model/result.h"
#include "scenario/scenario.h"

#include "measure/files/files.h"
#include "measure/git/file_source.h"
#include "measure/git/trees.h"
#include "measure/tools/tool.h"

char *builds_label(const char *ref, const char *commit)
{
	if (ref && !text_starts(commit, ref))
		return text_printf("%s (%.*s)", git_short_name(ref), COMMIT_SHOWN, commit);
	return text_printf("%.*s", COMMIT_SHOWN, commit);
}

/* Returns 1, 0 if there is none, 2 if the file has faults, or -1. */
static int build_in(struct file_source *source, struct arena *arena, struct command *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(config_release) struct config config = { 0 };
	int got;

	if (file_source_read(source, "pawl.yaml", SCENARIO_LARGEST, &text, err) < 0)
		return -1;
	config_init(&config);
	got = config_parse(text.buf, text.len, "pawl.yaml", &config, &diags) < 0 ? 2 : config.build.argv.n > 0;
	if (got == 1)
		command_copy(arena, out, &config.build);
	return got;
}

static int build_of(void *ctx, const char *commit, struct arena *arena, struct command *out, struct error *err)
{
	struct builds *builds = ctx;
	CLEANUP(file_source_release) struct file_source source = { 0 };
	int got = file_source_commit(&source, &builds->request->git, builds->project->root, commit, err);

	if (got == 0)
		got = build_in(&source, arena, out, err);
	if (got < 0)
		return -1;
	/* A newer pawl may have written a file that cannot be read. */
	if (got != 1)
		command_copy(arena, out, &builds->project->config.build);
	return 0;
}

static void show_build(void *ctx, const char *words)
{
	const struct builds *builds = ctx;

	console_say(builds->request, "%s\n", words);
}

void builds_init(struct builds *out, struct project *project, struct request *request, const char *scratch, const char *logs)
{
	*out = (struct builds){
		.project = project, .request = request,
		.trees = {
			.git = &request->git, .root = project->root, .scratch = scratch, .logs = logs,
			.progress = show_build, .build_of = build_of, .ctx = out,
		},
	};
}

int builds_resolve(struct builds *builds, const char *option, const char *ref, char **out, struct error *err)
{
	CLEANUP(free_ptr) char *git = file_find_program("git", builds->project->root);
	CLEANUP(free_ptr) char *install = git ? NULL : tool_install("git");

	if (!git)
		return error_set(err, ERR_INPUT, "%s %.100s: git is not installed; to install it: %s", option, ref, install);
	if (git_resolve(&builds->request->git, builds->project->root, ref, out, err) == 0)
		return 0;
	return error_wrap(err, "%s", option);
}

int builds_working_tree(struct builds *builds, const char *root, struct error *err)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct command build = { 0 };
	CLEANUP(file_source_release) struct file_source source = { 0 };
	CLEANUP(free_ptr) char *log = file_join(builds->trees.logs, "build-head.log");
	int got;

	/* A tree is always built by its own pawl.yaml, even if another commit judges it. */
	file_source_folder(&source, root);
	got = build_in(&source, &arena, &build, err);
	if (got == 2)
		return error_set(err, ERR_INPUT, "pawl.yaml in %s is at fault, and build: cannot be read; `pawl check` says where", root);
	if (got <= 0)
		return got;
	console_say(builds->request, "building the working tree\n");
	return trees_build(&builds->trees, root, &build, log, err);
}
