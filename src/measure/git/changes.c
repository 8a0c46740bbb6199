#include "measure/git/changes.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/git/contexts.h"
#include "measure/git/diff.h"
#include "measure/git/git.h"
#include "measure/process/interrupt.h"
#include "model/side.h"
#include "model/source/changes.h"
#include "model/source/source_text.h"

#define STEP_NS (8 * NS_PER_S)
enum { FILE_LARGEST = 1 << 20, NEW_FILES_MOST = 200, USE_FILES_MOST = 200, WORDS_MOST = 100 };

struct asked {
	struct git *git;
	const char *dir;
	struct strv options;
	uint64_t deadline_ns;
	struct contexts contexts;
};

static void asked_release(struct asked *asked)
{
	strv_release(&asked->options);
}

/* The user's configuration could change the text, or run programs. */
static void asked_init(struct asked *out, struct git *git, const char *dir, const char *scratch)
{
	*out = (struct asked){
		.git = git, .dir = dir, .deadline_ns = clock_now_ns() + CHANGES_LONGEST_NS,
		.contexts = { git, scratch, STEP_NS },
	};
	strv_push_all(&out->options, ARGV("-c", "core.fsmonitor=false", "-c", "core.quotePath=true", "-c", "core.attributesFile=/dev/null",
					  "-c", "diff.suppressBlankEmpty=false"));
}

static int ask_git(const struct asked *asked, const char *const *words, struct strbuf *out, struct error *err)
{
	CLEANUP(strv_release) struct strv args = STRV_INIT;
	uint64_t now = clock_now_ns(), left = asked->deadline_ns > now ? asked->deadline_ns - now : 1;

	strv_copy(&args, &asked->options);
	strv_push_all(&args, words);
	return git_run_there(asked->git, asked->dir, (const char *const *)args.items, left < STEP_NS ? left : STEP_NS, out, err);
}

/* -------- the lines that differ */

/* B NULL compares with the folder's contents. */
static int diff_once(const struct asked *asked, const char *context, const char *a, const char *b, struct strbuf *out, struct error *err)
{
	return ask_git(asked, ARGV("diff", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "-l400",
				   "--diff-algorithm=histogram", "--src-prefix=a/", "--dst-prefix=b/", "--no-relative", "-O/dev/null",
				   "--submodule=short", "--ignore-submodules=dirty", "--inter-hunk-context=0", context, a, b ?: "--", b ? "--" : NULL),
		       out, err);
}

/* Diffs whole files, which shows functions and comments, unless they are too large. */
static int diff(const struct asked *asked, const char *a, const char *b, struct changes *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (diff_once(asked, "-U100000", a, b, &text, err) < 0) {
		strbuf_reset(&text);
		if (diff_once(asked, "-U0", a, b, &text, err) < 0)
			return -1;
	}
	diff_read(text.buf, text.len, contexts_find, (void *)(uintptr_t)&asked->contexts, out);
	return 0;
}

static bool same_file(const char *path, const struct strbuf *content)
{
	CLEANUP(strbuf_release) struct strbuf other = STRBUF_INIT;

	return file_read(path, FILE_LARGEST, &other, NULL) == 0 && other.len == content->len &&
		!memcmp(other.buf, content->buf, other.len);
}

/* Adds an untracked file as a diff. A file that building the base made as well is no change. */
static void add_new_file(const char *top, const char *base_top, const char *path, struct strbuf *text)
{
	CLEANUP(strbuf_release) struct strbuf content = STRBUF_INIT;
	CLEANUP(free_ptr) char *full = file_join(top, path);
	CLEANUP(free_ptr) char *there = base_top ? file_join(base_top, path) : NULL;
	const char *end, *line;
	size_t lines = 0, len;

	if (strpbrk(path, "\n\t\"\\") || (source_text_language(path, NULL) == LANGUAGE_NONE && !changes_is_build_file(path)) ||
	    file_read(full, FILE_LARGEST, &content, NULL) < 0 || !content.len || memchr(content.buf, '\0', content.len) ||
	    (there && same_file(there, &content)))
		return;
	end = content.buf + content.len;
	for (const char *at = content.buf; text_next_line(&at, end, &len);)
		lines++;
	strbuf_addf(text, "diff --git a/%s b/%s\n--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%zu @@\n", path, path, path, lines);
	for (const char *at = content.buf; (line = text_next_line(&at, end, &len));)
		strbuf_addf(text, "+%.*s\n", (int)len, line);
}

static void add_new_files(const struct asked *asked, const char *base_root, struct changes *out)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT, text = STRBUF_INIT;
	CLEANUP(free_ptr) char *base_top = NULL;
	size_t n = 0;

	if (ask_git(asked, ARGV("ls-files", "--others", "--exclude-standard", "-z", "--full-name"), &names, NULL) < 0)
		return;
	if (base_root)
		git_top(asked->git, base_root, &base_top, NULL);
	for (size_t at = 0; at < names.len; at += strlen(names.buf + at) + 1) {
		if (n++ == NEW_FILES_MOST) {
			out->cut = true;
			break;
		}
		add_new_file(asked->dir, base_top, names.buf + at, &text);
	}
	diff_read(text.buf, text.len, contexts_find, (void *)(uintptr_t)&asked->contexts, out);
}

/* -------- folders of different repositories */

static int tree_of(struct asked *asked, const char *dir, struct strbuf *out, struct error *err)
{
	asked->dir = dir;
	ask_git(asked, ARGV("add", "--all", "--ignore-errors", "."), NULL, NULL);
	if (ask_git(asked, ARGV("write-tree"), out, err) < 0)
		return -1;
	strbuf_truncate(out, strcspn(out->buf, "\n"));
	return 0;
}

static int compare_folders(struct asked *asked, const char *repository, const char *base, const char *head, struct changes *out,
			   struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf before = STRBUF_INIT, now = STRBUF_INIT;
	CLEANUP(free_ptr) char *git_dir = text_printf("--git-dir=%s", repository);

	if (ask_git(asked, ARGV("init", "--quiet", "--bare", "--template=", repository), NULL, err) < 0)
		return -1;
	strv_push_all(&asked->options, ARGV(git_dir, "--work-tree=.", "-c", "core.bare=false", "-c", "core.looseCompression=0",
					    "-c", "core.excludesFile=/dev/null", "-c", "core.autocrlf=false",
					    "-c", "advice.addEmbeddedRepo=false"));
	if (tree_of(asked, base, &before, err) < 0 || tree_of(asked, head, &now, err) < 0)
		return -1;
	return diff(asked, before.buf, now.buf, out, err);
}

/* -------- uses of changed names in the head */

struct wanted {
	const char *word;
	size_t change;
};

struct search {
	const struct asked *asked;
	struct changes *out;
	struct wanted items[WORDS_MOST];
	size_t n, done;		/* already searched for */
	size_t files;
};

static void want(struct search *s, const char *word, size_t change)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->items[i].word, word))
			return;
	if (s->n < WORDS_MOST)
		s->items[s->n++] = (struct wanted){ word, change };
}

static bool has_word(const char *line, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = line; (at = strstr(at, word)); at++)
		if ((at == line || !(text_made_of((char[]){ at[-1], '\0' }, "_"))) && !(text_made_of((char[]){ at[len], '\0' }, "_")))
			return true;
	return false;
}

static bool is_change_itself(const struct changes *changes, const char *path, unsigned line)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *c = &changes->items[i];

		if (!c->function && line >= c->line && line < c->line + c->n_lines && !strcmp(c->path, path))
			return true;
	}
	return false;
}

static void add_use(struct search *s, const struct wanted *wanted, const char *path, unsigned line, struct source_place place)
{
	struct changes *out = s->out;

	/* The same name means something else in another language. */
	if (source_text_language(path, NULL) != source_text_language(out->items[wanted->change].path, NULL))
		return;
	if (out->n_uses == CHANGE_USES_MOST || is_change_itself(out, path, line))
		return;
	if (place.closed) {
		want(s, arena_strdup(&out->arena, place.holder), wanted->change);
		return;
	}
	*ARENA_ADD(&out->arena, out->uses, out->n_uses, out->cap_uses) = (struct change_use){
		.change = wanted->change, .word = wanted->word, .line = line,
		.path = arena_strdup(&out->arena, path),
		.function = arena_strdup(&out->arena, place.function),
	};
}

static void search_text(struct search *s, struct source_text *source, size_t from, size_t to)
{
	for (unsigned line = 1; line <= source->n_lines; line++)
		for (size_t i = from; i < to; i++)
			if (has_word(source->code[line - 1], s->items[i].word))
				add_use(s, &s->items[i], source->path, line, source_text_place(source, line));
}

static void search_files(struct search *s, const struct strv *paths, size_t from, size_t to)
{
	CLEANUP(free_ptr) struct source_text *texts = xcalloc(paths->n + 1, sizeof *texts);
	CLEANUP(free_ptr) struct source_text **all = xcalloc(paths->n + 1, sizeof *all);
	size_t n = 0;

	for (size_t i = 0; i < paths->n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(free_ptr) char *full = file_join(s->asked->dir, paths->items[i]);

		if (file_read(full, FILE_LARGEST, &text, NULL) < 0)
			continue;
		all[n] = &texts[n];
		source_text_init(&texts[n++], paths->items[i], text.buf, text.len, source_text_language(paths->items[i], text.buf));
	}
	contexts_find((void *)(uintptr_t)&s->asked->contexts, all, n);
	for (size_t i = 0; i < n; i++) {
		search_text(s, &texts[i], from, to);
		source_text_release(&texts[i]);
	}
}

static void search(struct search *s)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;
	CLEANUP(strv_release) struct strv words = STRV_INIT, paths = STRV_INIT;
	size_t from = s->done, to = s->n;

	if (from == to)
		return;
	s->done = to;
	strv_push_all(&words, ARGV("grep", "-l", "-z", "-w", "-I", "-F", "--full-name", "--no-color"));
	for (size_t i = from; i < to; i++) {
		strv_push(&words, "-e");
		strv_push(&words, s->items[i].word);
	}
	/* git grep fails if it finds nothing. */
	if (ask_git(s->asked, (const char *const *)words.items, &names, NULL) < 0)
		return;
	for (size_t at = 0; at < names.len; at += strlen(names.buf + at) + 1) {
		const char *path = names.buf + at;

		if (source_text_language(path, NULL) == LANGUAGE_NONE || changes_is_test(path))
			continue;
		if (s->files++ == USE_FILES_MOST)
			break;
		strv_push(&paths, path);
	}
	search_files(s, &paths, from, to);
}

static void find_uses(const struct asked *asked, struct changes *out)
{
	CLEANUP(free_ptr) struct search *s = xcalloc(1, sizeof *s);

	s->asked = asked;
	s->out = out;
	for (size_t i = 0; i < out->n; i++)
		for (size_t k = 0; !out->items[i].function && k < out->items[i].words.n; k++)
			want(s, out->items[i].words.items[k], i);
	/* Searches for users of the results, too, but no further. */
	search(s);
	search(s);
}

static void note_top(struct git *git, const char *root, int side, struct changes *out)
{
	CLEANUP(free_ptr) char *top = NULL;

	if (root && git_top(git, root, &top, NULL) == 0)
		out->top[side] = arena_strdup(&out->arena, top);
}

static bool commits_compared(struct git *git, const char *scratch, const struct change_side *base, const struct change_side *head,
			     struct changes *out)
{
	CLEANUP(asked_release) struct asked asked = { 0 };
	CLEANUP(free_ptr) char *top = NULL;
	const char *dir = head->root ?: base->root;

	if (!base->commit || !dir || git_top(git, dir, &top, NULL) < 0)
		return false;
	asked_init(&asked, git, top, scratch);
	if (diff(&asked, base->commit, head->commit, out, NULL) < 0)
		return false;
	note_top(git, base->root, BASE, out);
	note_top(git, head->root, HEAD, out);
	if (!head->commit)
		add_new_files(&asked, base->root, out);
	if (head->root)
		find_uses(&asked, out);
	return true;
}

int changes_read(struct git *git, const char *scratch, const struct change_side *base, const struct change_side *head,
		 struct changes *out, struct error *err)
{
	CLEANUP(changes_release) struct changes changes = { 0 };
	CLEANUP(asked_release) struct asked asked = { 0 };
	CLEANUP(free_ptr) char *repository = NULL;
	int ret = 0;

	if (commits_compared(git, scratch, base, head, &changes)) {
		changes.known = true;
	} else if (base->root && head->root && strcmp(base->root, head->root) != 0) {
		changes_release(&changes);
		repository = file_join(scratch, "changes.git");
		asked_init(&asked, git, scratch, scratch);
		ret = compare_folders(&asked, repository, base->root, head->root, &changes, err);
		changes.top[BASE] = arena_strdup(&changes.arena, base->root);
		changes.top[HEAD] = arena_strdup(&changes.arena, head->root);
		if (ret == 0)
			find_uses(&asked, &changes);
		changes.known = ret == 0;
		file_remove_tree(repository, NULL);
	}
	if (ret < 0)
		return -1;
	*out = changes;
	changes = (struct changes){ 0 };
	return 0;
}
