/* pawl history: shows metrics over the commits of an archive of results, and where they changed. Judges nothing. */
#include <sys/stat.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/lifecycle.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "judge/history.h"
#include "measure/files/files.h"
#include "measure/git/git.h"
#include "measure/process/interrupt.h"
#include "model/gate.h"
#include "model/result.h"
#include "report/formats/history.h"
#include "store/store.h"

enum { FILES_MOST = 100000, DEPTH_MOST = 8, ORDER_MOST = 50000 };

struct archive {
	struct invocation *inv;
	struct history history;
	size_t n_files;
};

static int add_text(struct archive *archive, const char *path, const struct strbuf *text, const char *why)
{
	struct result result = { 0 };
	struct error fault = ERROR_INIT;

	if (why || result_parse(text->buf, text->len, path, &result, &fault) < 0) {
		/* Other JSON may be there too, such as that of a search or a flame graph. */
		if (!why && strcmp(path_name(path), "result.json") && !(strstr(text->buf, "\"scenarios\"") && strstr(text->buf, "\"mode\"")))
			archive->history.n_others++;
		else
			history_damaged(&archive->history, path, why ?: fault.msg);
		return 0;
	}
	history_add(&archive->history, &result, &archive->inv->args);
	result_release(&result);
	return 0;
}

static int count_file(struct archive *archive, const char *in, struct error *err)
{
	if (++archive->n_files > FILES_MOST)
		return error_set(err, ERR_INPUT, "%s holds more than %d JSON files; name a folder of it, or move old results away", in,
				 FILES_MOST);
	return interrupt_check(&archive->inv->request.interrupt, err);
}

/* -------- a folder */

static int add_folder(struct archive *archive, const char *folder, unsigned depth, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_list(folder, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(folder, names.items[i]);
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		struct error why = ERROR_INIT;
		struct stat st;

		/* Links lead to files that are there already, like pawl-out/latest, or out of the archive. */
		if (names.items[i][0] == '.' || lstat(path, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MOST && add_folder(archive, path, depth + 1, err) < 0)
			return -1;
		if (!S_ISREG(st.st_mode) || !text_ends(path, strlen(path), ".json"))
			continue;
		if (count_file(archive, folder, err) < 0 ||
		    add_text(archive, path, &text, file_read(path, JSON_LARGEST, &text, &why) < 0 ? why.msg : NULL) < 0)
			return -1;
	}
	return 0;
}

static int read_folder(struct archive *archive, const char *folder, struct error *err)
{
	if (file_is_dir(folder))
		return add_folder(archive, folder, 0, err);
	if (!file_exists(folder))
		return error_set(err, ERR_INPUT, "there is no folder %s; --from DIR names another, --branch REF a branch with results", folder);
	return error_set(err, ERR_INPUT, "%s is not a folder; name the folder with the results", folder);
}

/* -------- a branch */

/* Resolves REF here or on origin: a fetched branch usually has no local name. */
static int resolve_branch(struct git *git, const char *dir, const char *ref, char **out, struct error *err)
{
	CLEANUP(free_ptr) char *remote = text_printf("refs/remotes/origin/%s", ref);

	return git_resolve(git, dir, ref, out, err) == 0 || git_resolve(git, dir, remote, out, NULL) == 0 ? 0 : -1;
}

static int read_branch(struct archive *archive, const char *dir, const char *ref, struct error *err)
{
	struct git *git = &archive->inv->request.git;
	CLEANUP(free_ptr) char *commit = NULL;
	CLEANUP(strv_release) struct strv paths = STRV_INIT, ids = STRV_INIT;

	if (resolve_branch(git, dir, ref, &commit, err) < 0 || git_files(git, dir, commit, &paths, &ids, err) < 0)
		return error_wrap(err, "--branch");
	for (size_t i = 0; i < paths.n; i++) {
		CLEANUP(git_object_release) struct git_object object = { .text = STRBUF_INIT };
		CLEANUP(free_ptr) char *path = text_printf("%s:%s", ref, paths.items[i]);
		int got;

		if (!text_ends(path, strlen(path), ".json"))
			continue;
		if (count_file(archive, ref, err) < 0 || (got = git_object_read(git, dir, ids.items[i], JSON_LARGEST, &object, err)) < 0)
			return -1;
		if (add_text(archive, path, &object.text, got == 1 ? NULL : got ? "it is too large" : "its content is missing here") < 0)
			return -1;
	}
	return 0;
}

/* -------- the command */

static int check_names(const struct archive *archive, const struct strv *names, struct error *err)
{
	const struct strv *known = &archive->history.scenarios;

	for (size_t i = 0; i < names->n; i++) {
		CLEANUP(free_ptr) char *hint = NULL;

		if (strv_has(known, names->items[i]))
			continue;
		hint = nearest_hint(names->items[i], (const char *const *)known->items, known->n, "");
		return error_set(err, ERR_INPUT, "no result has a scenario '%.100s'%s", names->items[i], hint);
	}
	return 0;
}

static int check_found(const struct archive *archive, const char *where, struct error *err)
{
	const struct history *history = &archive->history;

	if (history->n_series)
		return 0;
	if (history->n_damaged)
		return error_set(err, ERR_INPUT, "%s has no result that can be read; the first of %zu that cannot: %s: %s", where,
				 history->n_damaged, history->damaged[0].path, history->damaged[0].reason);
	if (history->n_paired)
		return error_set(err, ERR_INPUT, "%s has only results in pairs, which history leaves out; `pawl run` writes others", where);
	return error_set(err, ERR_INPUT, "%s has no results (result.json, or other files that end in .json): `pawl run` leaves them; --from DIR "
			 "and --branch REF name where to look", where);
}

static bool shows_utf8(void)
{
	const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}

static int print(const struct history *history, struct invocation *inv, const char *root, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *repository = lifecycle_repository(&inv->request, root);
	const char *format = inv->options.format, *output = inv->request.output;
	const struct history_options options = {
		.color = inv->request.color_out && !console_is_file(output), .verbose = inv->request.verbose > 0, .utf8 = shows_utf8(), .repository = repository,
	};

	if (format && !strcmp(format, "html"))
		history_html(history, &options, &text);
	else
		history_text(history, &options, &text);
	return console_write(output, &text, err);
}

static void release_archive(struct archive *archive)
{
	history_release(&archive->history);
}

static int history(struct invocation *inv, struct error *err)
{
	CLEANUP(project_close) struct project project = { 0 };
	CLEANUP(release_archive) struct archive archive = { .inv = inv };
	CLEANUP(commits_release) struct commits order = { 0 };
	CLEANUP(free_ptr) char *usual = NULL;
	const struct options *o = &inv->options;
	const char *where = o->branch ?: o->from;

	if (o->branch && o->from)
		return error_set(err, ERR_INPUT, "--from and --branch exclude each other; give one of them");
	if (project_open(&project, &inv->request, &(struct strv)STRV_INIT, err) < 0)
		return -1;
	if (!where)
		where = usual = file_join(project.root, project.config.out);
	if (o->branch ? read_branch(&archive, project.root, where, err) < 0 : read_folder(&archive, where, err) < 0)
		return -1;
	if (archive.history.scenarios.n && check_names(&archive, &inv->args, err) < 0)
		return -1;
	/* Without git or a commit, results are ordered by time alone, and the output says so. */
	if (git_order(&inv->request.git, project.root, "HEAD", ORDER_MOST, &order, NULL) < 0 && interrupt_check(&inv->request.interrupt, err) < 0)
		return -1;
	history_settle(&archive.history, &order);
	if (check_found(&archive, where, err) < 0 || print(&archive.history, inv, project.root, err) < 0)
		return -1;
	return STATUS_OK;
}

const struct command_def cmd_history = {
	.name = "history",
	.args = "[SCENARIO...]",
	.summary = "show how metrics went over commits, and where they changed",
	.examples =
		"pawl history\n"
		"pawl history gzip --branch origin/perf-results\n"
		"pawl history --from results --format html -o history.html",
	.details =
		"Reads an archive of results: a folder, or a branch that `tools/github/archive.sh`\n"
		"appends to. A value is the median of a result's runs. Levels that changed are found\n"
		"by E-divisive, per machine class; nothing is judged by them. Commits stand in the\n"
		"order of HEAD's history; those that are not in it stand by the time of their results.",
	.options = OPT_HISTORY | OPT_OUTPUT,
	.starts_processes = true,
	.run = history,
};
