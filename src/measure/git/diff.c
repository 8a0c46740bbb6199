#include "measure/git/diff.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/source/changes.h"
#include "model/source/source_text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { LINE_KEPT = 400, NUMBER_MOST = 100000000 };

/* Differing lines within a hunk, as indices into its lines of each side. */
struct piece {
	unsigned base, n_base, head, n_head;
};

struct runs {
	struct piece *items;
	size_t n, cap;
};

struct hunk {
	const char *path, *base_path;	/* in the arena of the changes */
	unsigned base_line, head_line;	/* of its first lines */
	bool whole;			/* all of the file, as far as visible */
	struct source_text base, head;
	struct runs runs;
};

struct reader {
	struct changes *out;
	const char *path, *base_path;	/* NULL: not known yet */
	bool done;			/* as another change than of lines */
	struct hunk *hunks;
	size_t n, cap;
};

/* -------- names of files */

static int octal(const char *s)
{
	for (int i = 0; i < 3; i++)
		if (s[i] < '0' || s[i] > '7')
			return -1;
	return ((s[0] - '0') << 6 | (s[1] - '0') << 3 | (s[2] - '0')) & 0xff;
}

/* Reads a quoted name, as git writes odd ones, and returns the position after it. */
static size_t unquote(const char *s, size_t len, struct strbuf *out)
{
	static const char names[] = "abtnvfr", meant[] = "\a\b\t\n\v\f\r";
	size_t i = 1;

	for (; i < len && s[i] != '"'; i++) {
		const char *name;

		if (s[i] != '\\' || i + 1 >= len) {
			strbuf_addc(out, s[i]);
			continue;
		}
		i++;
		name = s[i] ? strchr(names, s[i]) : NULL;
		if (i + 3 <= len && octal(s + i) > 0) {
			strbuf_addc(out, (char)octal(s + i));
			i += 2;
		} else {
			strbuf_addc(out, name ? meant[name - names] : s[i]);
		}
	}
	return i < len ? i + 1 : len;
}

/* Returns the name without its side's prefix; NULL for /dev/null. */
static const char *name_of(struct reader *r, const char *s, size_t len, bool prefixed)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (len && s[0] == '"') {
		unquote(s, len, &name);
	} else {
		/* Git puts a tab behind a name with a blank. */
		const char *tab = memchr(s, '\t', len);

		strbuf_add(&name, s, tab ? (size_t)(tab - s) : len);
	}
	if (!strcmp(name.buf, "/dev/null"))
		return NULL;
	if (prefixed && name.len > 2 && name.buf[1] == '/')
		return arena_strdup(&r->out->arena, name.buf + 2);
	return prefixed ? NULL : arena_strdup(&r->out->arena, name.buf);
}

/* Reads "a/NAME b/NAME", the only names if a file is only created, deleted or changed in mode. */
static void both_names(struct reader *r, const char *s, size_t len)
{
	CLEANUP(strbuf_release) struct strbuf first = STRBUF_INIT;
	size_t half = len / 2;

	r->path = r->base_path = NULL;
	if (len && s[0] == '"') {
		size_t end = unquote(s, len, &first);

		if (end < len)
			r->path = name_of(r, s + end + 1, len - end - 1, true);
	} else if (len % 2 && s[half] == ' ') {
		r->path = name_of(r, s + half + 1, len - half - 1, true);
	} else {
		const char *space = len ? memrchr(s, ' ', len) : NULL;

		if (space)
			r->path = name_of(r, space + 1, len - (size_t)(space + 1 - s), true);
	}
	r->base_path = r->path;
	r->done = false;
}

static void add_other(struct reader *r)
{
	if (r->path && !r->done && r->out->others.n < CHANGES_MOST)
		arena_push_new(&r->out->arena, &r->out->others, r->path);
	r->done = true;
}

/* -------- words */

static bool is_keyword(const char *word, size_t len)
{
	static const char *const words[] = {
		"if", "else", "for", "while", "do", "switch", "case", "break", "continue", "return", "goto", "default", "sizeof", "static",
		"const", "struct", "union", "enum", "typedef", "extern", "inline", "volatile", "register", "unsigned", "signed", "int", "char",
		"short", "long", "float", "double", "void", "bool", "size_t", "class", "public", "private", "protected", "new", "delete",
		"this", "self", "def", "import", "from", "in", "is", "not", "and", "or", "None", "True", "False", "true", "false", "NULL",
		"nil", "null", "let", "var", "mut", "fn", "func", "pub", "use", "impl", "match", "with", "as", "try", "except", "catch", "lambda",
		"yield", "async", "await", "end", "then", "local", "function", "fi", "done", "elif", "echo", "auto", "template", "typename",
		"namespace", "using", "nullptr", "final", "override", "package", "define", "include", "ifdef", "ifndef", "endif", "undef",
		"uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t", "ssize_t", "string",
		"String", NULL,
	};

	return text_one_of(word, len, words);
}

static bool begins_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void push_word(struct strv *out, const char *text, size_t len)
{
	CLEANUP(free_ptr) char *word = xstrndup(text, len);

	if (len > 1 && len < SOURCE_TEXT_NAME && !is_keyword(text, len))
		strv_push_new(out, word);
}

/* Skips what is in quotation marks. */
static void collect_words(const struct strv *lines, struct strv *out)
{
	for (size_t i = 0; i < lines->n; i++) {
		char quote = '\0';

		for (const char *at = lines->items[i]; *at && out->n < 1000; at++) {
			size_t len = 0;

			if (quote || *at == '"') {
				quote = !quote ? '"' : *at == quote ? '\0' : quote;
				at += *at == '\\' && at[1];
				continue;
			}
			while (begins_word(at[len]) || text_is_digit(at[len]))
				len++;
			if (begins_word(*at))
				push_word(out, at, len);
			at += len ? len - 1 : 0;
		}
	}
}

enum { PARTS_MOST = 1000 };

/* A part that `known` has defines no new name. */
struct defined {
	const struct strv *known;	/* or NULL */
	struct strv *parts, *names;
};

static void take_part(const struct defined *into, const char *part, const char *end, const char *name, size_t len)
{
	CLEANUP(free_ptr) char *text = xstrndup(part, (size_t)(end - part));

	if (into->parts->n < PARTS_MOST)
		strv_push_new(into->parts, text);
	if (!into->known || !strv_has(into->known, text))
		push_word(into->names, name, len);
}

/*
 * Takes from each part between commas, semicolons and braces the last name before its value, size or arguments: "static
 * const int a = 3, b[2];", "A = 1, B", "int f(int x);", "name: Type,".
 */
static void collect_defined(const struct strv *lines, const struct defined *into)
{
	for (size_t i = 0; i < lines->n && into->names->n < 1000; i++) {
		const char *line = lines->items[i], *name = NULL, *part = line;
		size_t len = 0, depth = 0;
		bool cut = line[0] == '#';
		char quote = '\0';

		for (const char *at = line;; at++) {
			size_t n = 0;

			if (*at && (quote || *at == '"')) {
				quote = !quote ? '"' : *at == quote ? '\0' : quote;
				at += *at == '\\' && at[1];
				continue;
			}
			while (begins_word(*at) && (begins_word(at[n]) || text_is_digit(at[n])))
				n++;
			if (n && !cut && !depth) {
				name = at;
				len = n;
			}
			at += n ? n - 1 : 0;
			cut = cut || (*at && strchr("=([", *at)) || (*at == ':' && at[1] != ':' && (at == line || at[-1] != ':'));
			depth += *at == '(' || *at == '[';
			depth -= depth && (*at == ')' || *at == ']');
			if (!*at || (!depth && strchr(",;{}", *at))) {
				if (name)
					take_part(into, part, at, name, len);
				name = NULL;
				part = at + 1;
				cut = line[0] == '#';
			}
			if (!*at)
				break;
		}
	}
}

static void add_words(struct arena *arena, struct change *change)
{
	CLEANUP(strv_release) struct strv before = STRV_INIT, now = STRV_INIT, unused = STRV_INIT;
	CLEANUP(strv_release) struct strv before_parts = STRV_INIT, now_parts = STRV_INIT;

	if (change->function) {
		collect_words(&change->before, &before);
		collect_words(&change->now, &now);
	} else {
		collect_defined(&change->now, &(struct defined){ NULL, &now_parts, &unused });
		collect_defined(&change->before, &(struct defined){ &now_parts, &before_parts, &before });
		collect_defined(&change->now, &(struct defined){ &before_parts, &unused, &now });
	}
	for (size_t side = 0; side < 2; side++) {
		const struct strv *these = side ? &before : &now, *others = side ? &now : &before;

		for (size_t i = 0; i < these->n && change->words.n < CHANGE_WORDS; i++)
			if (!change->function || !strv_has(others, these->items[i]))
				arena_push_new(arena, &change->words, these->items[i]);
	}
	if (change->holder)
		arena_push_new(arena, &change->words, change->holder);
}

/* -------- changes of a hunk */

static bool same_place(struct source_place a, struct source_place b)
{
	return text_same(a.function, b.function) && text_same(a.holder, b.holder);
}

/* The lines of a run in one place. LAST < FIRST: none. */
struct part {
	unsigned first, last;
	bool any;
};

static struct part part_of(struct source_text *source, unsigned from, unsigned n, struct source_place where)
{
	struct part part = { 0 };

	for (unsigned i = from; i < from + n && i < source->n_lines; i++) {
		if (!*source->code[i] || !same_place(source_text_place(source, i + 1), where))
			continue;
		part.first = part.any ? part.first : i;
		part.last = i;
		part.any = true;
	}
	return part;
}

static struct line_span span_of(const struct hunk *hunk, struct source_text *source, unsigned begin, struct part part,
				struct source_place where)
{
	struct line_span span;

	if (!hunk->whole || !where.function)
		return (struct line_span){ 0 };
	if (!part.any)
		part = part_of(source, 0, source->n_lines, where);
	span = part.any ? source_text_span(source, part.first + 1) : (struct line_span){ 0 };
	return span.first ? (struct line_span){ begin + span.first - 1, begin + span.last - 1 } : span;
}

/* Keeps indentation, which matters in Python, but no other blanks. */
static void join(const struct source_text *source, struct part part, struct strbuf *out)
{
	for (unsigned i = part.first; part.any && i <= part.last; i++) {
		const char *code = source->code[i];

		for (; *code == ' ' || *code == '\t'; code++)
			strbuf_addc(out, *code);
		for (; *code; code++)
			if (*code != ' ')
				strbuf_addc(out, *code);
	}
}

static void keep_lines(struct arena *arena, const struct source_text *source, struct part part, struct strv *out)
{
	for (unsigned i = part.first; part.any && i <= part.last && out->n < CHANGE_LINES; i++) {
		const char *code = source->code[i] + strspn(source->code[i], " \t");

		if (*code)
			arena_pushf(arena, out, "%.*s", (int)utf8_clip(code, LINE_KEPT), code);
	}
}

static void add_change(struct reader *r, struct hunk *hunk, const struct piece *run, struct source_place where)
{
	struct part base = part_of(&hunk->base, run->base, run->n_base, where);
	struct part head = part_of(&hunk->head, run->head, run->n_head, where);
	CLEANUP(strbuf_release) struct strbuf before = STRBUF_INIT, now = STRBUF_INIT;
	struct arena *arena = &r->out->arena;
	struct change *change;

	join(&hunk->base, base, &before);
	join(&hunk->head, head, &now);
	if (!strcmp(before.buf, now.buf))
		return;
	if (r->out->n == CHANGES_MOST) {
		r->out->cut = true;
		return;
	}
	change = ARENA_ADD(arena, r->out->items, r->out->n, r->out->cap);
	*change = (struct change){
		.path = hunk->path,
		.base_path = hunk->base_path,
		.function = arena_strdup(arena, where.function),
		.holder = arena_strdup(arena, where.holder),
		.line = hunk->head_line + (head.any ? head.first : run->head + run->n_head) - !head.any,
		.n_lines = head.any ? head.last - head.first + 1 : 0,
		.base_line = hunk->base_line + (base.any ? base.first : run->base + run->n_base) - !base.any,
		.n_base_lines = base.any ? base.last - base.first + 1 : 0,
		.span = span_of(hunk, &hunk->head, hunk->head_line, head, where),
		.base_span = span_of(hunk, &hunk->base, hunk->base_line, base, where),
	};
	keep_lines(arena, &hunk->base, base, &change->before);
	keep_lines(arena, &hunk->head, head, &change->now);
	if (where.closed)
		arena_push(arena, &change->words, where.holder);
	else
		add_words(arena, change);
}

static void add_run(struct reader *r, struct hunk *hunk, const struct piece *run)
{
	struct source_place seen[64];
	size_t n_seen = 0;

	for (unsigned i = 0; i < run->n_base + run->n_head; i++) {
		struct source_text *source = i < run->n_head ? &hunk->head : &hunk->base;
		unsigned index = i < run->n_head ? run->head + i : run->base + (i - run->n_head);
		struct source_place where;
		bool known = false;

		if (index >= source->n_lines || !*source->code[index])
			continue;
		where = source_text_place(source, index + 1);
		for (size_t k = n_seen; k-- && !known;)
			known = same_place(seen[k], where);
		if (known)
			continue;
		if (n_seen == COUNT(seen)) {
			r->out->cut = true;
			return;
		}
		seen[n_seen++] = where;
		add_change(r, hunk, run, where);
	}
}

/* -------- hunks */

static unsigned number(const char **at, const char *end)
{
	unsigned n = 0;

	for (; *at < end && text_is_digit(**at); (*at)++)
		if (n < NUMBER_MOST)
			n = n * 10 + (unsigned)(**at - '0');
	return n;
}

struct range {
	unsigned line, n;
};

static struct range range(const char **at, const char *end)
{
	struct range range = { .line = number(at, end), .n = 1 };

	if (*at < end && **at == ',') {
		(*at)++;
		range.n = number(at, end);
	}
	return range;
}

/* Parses "@@ -12,3 +14,0 @@ static int f(void)". Returns the text after @@, or NULL. */
static const char *hunk_head(const char *line, const char *end, struct range *base, struct range *head)
{
	const char *at = line + 4;

	if (end - line < 10 || memcmp(line, "@@ -", 4))
		return NULL;
	*base = range(&at, end);
	if (end - at < 2 || memcmp(at, " +", 2))
		return NULL;
	at += 2;
	*head = range(&at, end);
	return end - at >= 3 && !memcmp(at, " @@", 3) ? at + 3 : NULL;
}

struct hunk_text {
	struct range base, head;
	struct strbuf base_text, head_text;
	struct runs runs;
};

static void hunk_text_release(struct hunk_text *hunk)
{
	strbuf_release(&hunk->base_text);
	strbuf_release(&hunk->head_text);
	free(hunk->runs.items);
}

/* Reads as many lines as the ranges declare, or fewer at the end of the text. Returns the hunk's end. */
static const char *hunk_lines(const char *at, const char *end, struct hunk_text *hunk)
{
	struct runs *runs = &hunk->runs;
	unsigned n_base = 0, n_head = 0;
	bool goes_on = false;

	while (at < end && (n_base < hunk->base.n || n_head < hunk->head.n || *at == '\\')) {
		const char *newline = memchr(at, '\n', (size_t)(end - at)), *line_end = newline ? newline + 1 : end;
		char sign = *at == '\n' ? ' ' : *at;
		struct piece *run;

		if (sign == '\\') {
			at = line_end;
			continue;
		}
		if (!strchr(" -+", sign))
			break;
		if (sign != ' ' && !goes_on)
			*VEC_ADD(runs->items, runs->n, runs->cap) = (struct piece){ .base = n_base, .head = n_head };
		goes_on = sign != ' ';
		run = goes_on ? &runs->items[runs->n - 1] : NULL;
		at += *at != '\n';
		if (sign != '+') {
			strbuf_add(&hunk->base_text, at, (size_t)(line_end - at));
			n_base++;
		}
		if (sign != '-') {
			strbuf_add(&hunk->head_text, at, (size_t)(line_end - at));
			n_head++;
		}
		if (run) {
			run->n_base += sign == '-';
			run->n_head += sign == '+';
		}
		at = line_end;
	}
	return at;
}

static void set_context(struct source_text *source, const char *text, size_t len)
{
	const char *context = arena_strndup(&source->arena, text, len);

	for (unsigned i = 0; i < source->n_lines; i++)
		source->context[i] = context;
}

/* Returns the end of the hunk; NULL if the line begins none. */
static const char *read_hunk(struct reader *r, const char *at, const char *line_end, const char *end)
{
	CLEANUP(hunk_text_release) struct hunk_text text = { .base_text = STRBUF_INIT, .head_text = STRBUF_INIT };
	const char *behind = hunk_head(at, line_end, &text.base, &text.head), *next = line_end < end ? line_end + 1 : end;
	const char *begin = NULL;
	enum language language;
	struct hunk *hunk;

	if (!behind)
		return NULL;
	next = hunk_lines(next, end, &text);
	if (!r->path)
		return next;
	if (text.base.line <= 1 && text.head.line <= 1)
		begin = text.head.n ? text.head_text.buf : text.base_text.buf;
	language = source_text_language(r->path, begin);
	if (language == LANGUAGE_NONE || changes_is_build_file(r->path)) {
		add_other(r);
		return next;
	}
	r->done = true;
	hunk = VEC_ADD(r->hunks, r->n, r->cap);
	/* For an empty range git prints the line before it. */
	*hunk = (struct hunk){
		.path = r->path, .base_path = r->base_path ?: r->path, .runs = text.runs,
		.base_line = text.base.line + !text.base.n, .head_line = text.head.line + !text.head.n,
	};
	text.runs = (struct runs){ 0 };
	hunk->whole = hunk->base_line == 1 && hunk->head_line == 1;
	source_text_init(&hunk->base, hunk->path, text.base_text.buf, text.base_text.len, language);
	source_text_init(&hunk->head, hunk->path, text.head_text.buf, text.head_text.len, language);
	while (behind < line_end && *behind == ' ')
		behind++;
	if (text.base.line > 1 && behind < line_end) {
		set_context(&hunk->base, behind, (size_t)(line_end - behind));
		set_context(&hunk->head, behind, (size_t)(line_end - behind));
	}
	return next;
}

static bool is_line(const char *at, const char *end, const char *with, const char **rest)
{
	*rest = at + strlen(with);
	return text_starts_within(at, (size_t)(end - at), with);
}

static void file_line(struct reader *r, const char *at, const char *end)
{
	const char *rest;

	if (is_line(at, end, "rename from ", &rest) || is_line(at, end, "copy from ", &rest)) {
		r->base_path = name_of(r, rest, (size_t)(end - rest), false);
	} else if (is_line(at, end, "rename to ", &rest) || is_line(at, end, "copy to ", &rest)) {
		r->path = name_of(r, rest, (size_t)(end - rest), false);
		/* If only the name differs, no hunk follows. */
		if (r->path && source_text_language(r->path, NULL) == LANGUAGE_NONE)
			add_other(r);
	} else if (is_line(at, end, "--- ", &rest)) {
		r->base_path = name_of(r, rest, (size_t)(end - rest), true) ?: r->base_path;
	} else if (is_line(at, end, "+++ ", &rest)) {
		r->path = name_of(r, rest, (size_t)(end - rest), true) ?: r->base_path ?: r->path;
	} else if (is_line(at, end, "Binary files ", &rest) || is_line(at, end, "GIT binary patch", &rest)) {
		add_other(r);
	}
}

static void read_changes(struct reader *r, diff_contexts_fn *contexts, void *ctx)
{
	CLEANUP(free_ptr) struct source_text **texts = xcalloc(2 * r->n + 1, sizeof *texts);

	for (size_t i = 0; i < r->n; i++) {
		texts[2 * i] = &r->hunks[i].base;
		texts[2 * i + 1] = &r->hunks[i].head;
	}
	if (contexts && r->n)
		contexts(ctx, texts, 2 * r->n);
	for (size_t i = 0; i < r->n; i++) {
		struct hunk *hunk = &r->hunks[i];

		for (size_t k = 0; k < hunk->runs.n; k++)
			add_run(r, hunk, &hunk->runs.items[k]);
		source_text_release(&hunk->base);
		source_text_release(&hunk->head);
		free(hunk->runs.items);
	}
	free(r->hunks);
}

void diff_read(const char *text, size_t len, diff_contexts_fn *contexts, void *ctx, struct changes *changes)
{
	struct reader r = { .out = changes };
	const char *end = text + len;

	for (const char *at = text; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at)), *line_end = newline ?: end, *rest, *next;

		next = newline ? newline + 1 : end;
		if (is_line(at, line_end, "diff --git ", &rest))
			both_names(&r, rest, (size_t)(line_end - rest));
		else if (is_line(at, line_end, "@@ -", &rest))
			next = read_hunk(&r, at, line_end, end) ?: next;
		else
			file_line(&r, at, line_end);
		at = next;
	}
	read_changes(&r, contexts, ctx);
}
