/* pawl cache: shows, makes and removes the builds that are kept. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/builds.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "measure/git/kept.h"
#include "model/metrics/numbers.h"
#include "model/result.h"
#include "report/terminal.h"
#include "store/store.h"

/* -------- list, size */

static char *date_of(const struct kept *tree)
{
	char text[32] = "-";
	struct tm tm;

	if (tree->finished && gmtime_r(&tree->used.tv_sec, &tm))
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return xstrdup(text);
}

static uint64_t bytes_of(const struct kept *trees, size_t n)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += trees[i].bytes;
	return bytes;
}

static struct short_text size_text(uint64_t bytes)
{
	return format_value((double)bytes, UNIT_BYTES);
}

static void add_table(const struct kept *trees, size_t n, struct strbuf *out)
{
	CLEANUP(table_release) struct table table;

	table_init(&table, "llrll");
	table_row(&table, "commit", "last used", "size", "what for", "project");
	for (size_t i = 0; i < n; i++) {
		const struct kept *t = &trees[i];
		CLEANUP(free_ptr) char *date = date_of(t), *commit = text_printf("%.*s%s", COMMIT_SHOWN, t->commit, strchr(t->commit, '+') ?: "");
		CLEANUP(free_ptr) char *what = t->scenarios ? text_printf("accepted: %s", t->scenarios) : xstrdup("base");
		CLEANUP(free_ptr) char *more = text_printf("%s%s", what, !t->finished ? ", unfinished" : t->in_use ? ", in use" : "");

		date[strcspn(date, "T")] = '\0';
		table_row(&table, commit, date, size_text(t->bytes).s, more, t->project);
	}
	table_render(&table, 0, out);
}

static void add_json(const struct kept *trees, size_t n, uint64_t cap, struct strbuf *out)
{
	cJSON *root = json_new_object(), *list = json_add_array(root, "builds");

	for (size_t i = 0; i < n; i++) {
		cJSON *one = json_add_object(list, NULL);
		CLEANUP(free_ptr) char *date = date_of(&trees[i]);

		json_add_string(one, "commit", trees[i].commit);
		json_add_string(one, "used", trees[i].finished ? date : NULL);
		json_add_number(one, "bytes", (double)trees[i].bytes);
		json_add_string(one, "kind", trees[i].scenarios ? "accepted" : "base");
		json_add_string(one, "scenarios", trees[i].scenarios);
		json_add_bool(one, "finished", trees[i].finished);
		json_add_bool(one, "in_use", trees[i].in_use);
		json_add_string(one, "project", trees[i].project);
		json_add_string(one, "folder", trees[i].top);
	}
	json_add_number(root, "bytes", (double)bytes_of(trees, n));
	json_add_number(root, "cap_bytes", (double)cap);
	json_append(out, root);
}

static int take_args(const char *name, const struct strv *args, size_t most, struct error *err)
{
	if (args->n <= most)
		return 0;
	return error_set(err, ERR_INPUT, "cache %s takes %s, found '%.60s'", name, most ? "one commit" : "no argument", args->items[most]);
}

static int show(struct invocation *inv, bool size_only, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct kept *trees = NULL;
	size_t n = 0;
	uint64_t cap;

	if (kept_cap(&cap, err) < 0 || kept_list(&trees, &n, err) < 0)
		return -1;
	if (inv->request.json)
		add_json(trees, n, cap, &text);
	else if (n && !size_only)
		add_table(trees, n, &text);
	if (!inv->request.json && (size_only || !n))
		strbuf_addf(&text, "%s of at most %s in %zu build%s\n", size_text(bytes_of(trees, n)).s, size_text(cap).s, n, n == 1 ? "" : "s");
	kept_free(trees, n);
	return console_print(&text, err) < 0 ? -1 : STATUS_OK;
}

static int cache_list(struct invocation *inv, const struct strv *args, struct error *err)
{
	return take_args("list", args, 0, err) < 0 ? -1 : show(inv, false, err);
}

static int cache_size(struct invocation *inv, const struct strv *args, struct error *err)
{
	return take_args("size", args, 0, err) < 0 ? -1 : show(inv, true, err);
}

/* -------- build, clear */

static int cache_build(struct invocation *inv, const struct strv *args, struct error *err)
{
	const char *commit = args->n ? args->items[0] : "HEAD";
	static const struct strv none = STRV_INIT;
	CLEANUP(project_finish) struct project project = { 0 };
	CLEANUP(free_ptr) char *full = NULL;
	struct builds builds;
	struct tree tree;

	if (take_args("build", args, 1, err) < 0 || project_open(&project, &inv->request, &none, err) < 0)
		return -1;
	if (!project.config.build.argv.n)
		return error_set(err, ERR_INPUT, "pawl.yaml does not say how to build (build:)");
	builds_init(&builds, &project, &inv->request, NULL, NULL);
	if (builds_resolve(&builds, "cache build", commit, &full, err) < 0)
		return -1;
	if (trees_get(&builds.trees, full, &tree, err) < 0)
		return -1;
	console_say(&inv->request, "%.12s is %s\n", full, tree.reused ? "kept already" : "built and kept");
	trees_put(&builds.trees, &tree);
	return STATUS_OK;
}

static int cache_clear(struct invocation *inv, const struct strv *args, struct error *err)
{
	const char *commit = args->n ? args->items[0] : NULL;
	struct kept *trees = NULL;
	size_t n = 0, found = 0, gone = 0;
	uint64_t bytes = 0;

	if (take_args("clear", args, 1, err) < 0 || kept_list(&trees, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (commit && !text_starts(trees[i].commit, commit))
			continue;
		found++;
		if (kept_remove(&inv->request.git, trees[i].top)) {
			gone++;
			bytes += trees[i].bytes;
		} else {
			console_say(&inv->request, "%.12s is in use by another pawl, and stays\n", trees[i].commit);
		}
	}
	kept_free(trees, n);
	if (commit && !found)
		return error_set(err, ERR_INPUT, "no build of '%.60s' is kept; `pawl cache` lists them", commit);
	console_say(&inv->request, "removed %zu build%s, %s\n", gone, gone == 1 ? "" : "s", size_text(bytes).s);
	return STATUS_OK;
}

/* -------- the command */

static int cache(struct invocation *inv, struct error *err)
{
	static const struct subcommand all[] = {
		{ "list", cache_list }, { "size", cache_size }, { "build", cache_build }, { "clear", cache_clear }, { NULL, NULL },
	};

	return cmd_run_subcommand(inv, all, "list", err);
}

const struct command_def cmd_cache = {
	.name = "cache",
	.args = "[list|size|build|clear] [COMMIT]",
	.summary = "list, make and remove kept builds",
	.examples =
		"pawl cache                        # what is kept, and what for\n"
		"pawl cache build                  # HEAD, before it is needed\n"
		"pawl cache clear 50029e0          # without a commit, all",
	.details =
		"Builds of other commits, and those that baselines accepted, are kept in\n"
		"$XDG_CACHE_HOME/pawl/trees, else ~/.cache/pawl/trees, for all projects of the user.\n\n"
		"list    one line a build, last used first\n"
		"size    the disk space of all\n"
		"build   builds COMMIT (default HEAD) of this project and keeps it; fails if it cannot be kept\n"
		"clear   removes all builds, or those of COMMIT; those in use stay\n\n"
		"PAWL_CACHE_SIZE, such as 500MiB, is the most disk space (default 2GiB). Builds that were\n"
		"used longest ago go first. With 0 nothing is kept.",
	.options = OPT_JSON,
	.starts_processes = true,
	.run = cache,
};
