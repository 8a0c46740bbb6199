#include "model/outline.h"

#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

void outline_release(struct outline *outline)
{
	arena_release(&outline->arena);
	*outline = (struct outline){ 0 };
}

/* True if ITEM begins in LINE as an argument of a call that begins there, too: "list.forEach(function each(x) {". */
static bool is_argument(const struct outline *outline, const struct outline_item *item, unsigned line)
{
	const char *code = outline->code[line - 1], *name = strstr(code, item->name);
	int open = 0;

	for (const char *at = code; name && at < name; at++)
		open += (*at == '(') - (*at == ')');
	return item->first == line && open > 0;
}

const struct outline_item *outline_at(const struct outline *outline, unsigned line)
{
	const struct outline_item *item;

	if (!line || line > outline->n_lines || !outline->of_line[line - 1])
		return NULL;
	item = &outline->items[outline->of_line[line - 1] - 1];
	if (item->kind != OUTLINE_FUNCTION || !is_argument(outline, item, line))
		return item;
	/* The line belongs to the surrounding function, which ends later. */
	for (const struct outline_item *around = item + 1; around < outline->items + outline->n; around++)
		if (around->kind == OUTLINE_FUNCTION && around->first < line && around->last >= line)
			return around;
	return item;
}

/* -------- languages */

enum language outline_language(const char *path, const char *text)
{
	static const struct {
		enum language language;
		const char *names[24];
	} suffixes[] = {
		{ LANGUAGE_C, { "c", "h", "cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tcc", "m", "mm", "cu",
				"y", "l", "def" } },
		{ LANGUAGE_RUST, { "rs" } },
		{ LANGUAGE_SCRIPT, { "js", "mjs", "cjs", "jsx", "ts", "tsx", "php" } },
		{ LANGUAGE_BRACES, { "go", "java", "kt", "kts", "cs", "swift", "scala", "groovy", "d", "zig", "dart", "vala" } },
		{ LANGUAGE_HASH, { "pl", "pm", "awk" } },
		{ LANGUAGE_PYTHON, { "py", "pyx", "pxd", "pyi" } },
		{ LANGUAGE_ENDS, { "rb", "R", "r", "jl", "ex", "exs" } },
		{ LANGUAGE_LUA, { "lua" } },
		{ LANGUAGE_SHELL, { "sh", "bash", "zsh", "ksh", "dash" } },
	};
	static const struct {
		enum language language;
		const char *interpreter;
	} interpreters[] = {
		{ LANGUAGE_PYTHON, "python" }, { LANGUAGE_SHELL, "bash" }, { LANGUAGE_SHELL, "sh" }, { LANGUAGE_HASH, "perl" },
		{ LANGUAGE_HASH, "awk" }, { LANGUAGE_ENDS, "ruby" }, { LANGUAGE_LUA, "lua" }, { LANGUAGE_SCRIPT, "node" },
		{ LANGUAGE_SCRIPT, "php" }, { LANGUAGE_ENDS, "Rscript" },
	};
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < COUNT(suffixes); i++)
		for (size_t n = 0; n < COUNT(suffixes[i].names) && suffixes[i].names[n]; n++)
			if (!strcmp(dot + 1, suffixes[i].names[n]))
				return suffixes[i].language;
	if (!text || !text_starts(text, "#!"))
		return LANGUAGE_NONE;
	for (size_t i = 0; i < COUNT(interpreters); i++) {
		const char *found = memmem(text, strcspn(text, "\n"), interpreters[i].interpreter, strlen(interpreters[i].interpreter));

		if (found)
			return interpreters[i].language;
	}
	return LANGUAGE_NONE;
}

static bool is_braces(enum language language)
{
	return language != LANGUAGE_NONE && language <= LANGUAGE_HASH;
}

static bool has_hash_comments(enum language language)
{
	return language >= LANGUAGE_HASH && language != LANGUAGE_LUA;
}

static bool is_word(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* -------- comments and texts */

/*
 * Two copies of the text with its length and line ends. In the code, comments are blanked. In the shape, quoted texts
 * are blanked as well.
 */
struct masks {
	const char *text;
	size_t len;
	enum language language;
	char *code, *shape;
};

static void blank(char *copy, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (copy[i] != '\n')
			copy[i] = ' ';
}

/* Returns the position after the first END from AT on; the end of the text without one. */
static size_t behind(const struct masks *m, size_t at, const char *end)
{
	const char *found = at < m->len ? memmem(m->text + at, m->len - at, end, strlen(end)) : NULL;

	return found ? (size_t)(found - m->text) + strlen(end) : m->len;
}

static size_t line_end(const struct masks *m, size_t at)
{
	const char *found = at < m->len ? memchr(m->text + at, '\n', m->len - at) : NULL;

	return found ? (size_t)(found - m->text) : m->len;
}

static bool stands(const struct masks *m, size_t at, const char *what)
{
	size_t len = strlen(what);

	return at + len <= m->len && !memcmp(m->text + at, what, len);
}

/* Returns the end of the comment that begins at AT; AT if none does. */
static size_t comment_end(const struct masks *m, size_t at)
{
	char before = at ? m->text[at - 1] : '\n';

	if (m->language == LANGUAGE_LUA)
		return stands(m, at, "--[[") ? behind(m, at, "]]") : stands(m, at, "--") ? line_end(m, at) : at;
	if (has_hash_comments(m->language)) {
		bool begins = m->language == LANGUAGE_PYTHON || is_blank(before) || before == '\n' || before == ';';

		return m->text[at] == '#' && begins ? line_end(m, at) : at;
	}
	if (stands(m, at, "/*"))
		return behind(m, at + 2, "*/");
	return stands(m, at, "//") ? line_end(m, at) : at;
}

/* Returns the end of the raw string (C++, Rust) that begins at AT; AT if none does. */
static size_t raw_end(const struct masks *m, size_t at)
{
	char end[40];
	size_t n = 0;

	if (at && is_word(m->text[at - 1]))
		return at;
	if (m->language == LANGUAGE_C && stands(m, at, "R\"")) {
		const char *delimiter = m->text + at + 2;

		while (at + 2 + n < m->len && n < 16 && !strchr("( )\\\n", delimiter[n]))
			n++;
		if (at + 2 + n >= m->len || delimiter[n] != '(')
			return at;
		snprintf(end, sizeof end, ")%.*s\"", (int)n, delimiter);
		return behind(m, at + 3 + n, end);
	}
	if (m->language == LANGUAGE_RUST && (stands(m, at, "r\"") || stands(m, at, "r#"))) {
		while (at + 1 + n < m->len && n < 16 && m->text[at + 1 + n] == '#')
			n++;
		if (at + 1 + n >= m->len || m->text[at + 1 + n] != '"')
			return at;
		snprintf(end, sizeof end, "\"%.*s", (int)n, "################");
		return behind(m, at + 2 + n, end);
	}
	return at;
}

/* Returns the end of the quoted text that begins at AT. It ends with its line unless MANY. */
static size_t quote_end(const struct masks *m, size_t at, bool many)
{
	char quote = m->text[at];
	size_t i = at + 1;

	for (; i < m->len && m->text[i] != quote && (many || m->text[i] != '\n'); i++)
		if (m->text[i] == '\\' && i + 1 < m->len)
			i++;
	return i < m->len && m->text[i] == quote ? i + 1 : i < m->len ? i : m->len;
}

/* True if a quotation mark begins a text. In Rust it may begin a lifetime, in C++ part of a number. */
static bool is_quote(const struct masks *m, size_t at)
{
	if (m->text[at] == '`')
		return m->language == LANGUAGE_SCRIPT || m->language == LANGUAGE_BRACES;
	if (m->text[at] != '\'')
		return m->text[at] == '"';
	if (m->language == LANGUAGE_RUST) {
		size_t end = at + 1;

		while (end < m->len && end < at + 6 && m->text[end] != '\'' && m->text[end] != '\n')
			end++;
		return end < m->len && m->text[end] == '\'' && (end == at + 2 || m->text[at + 1] == '\\' || m->text[at + 1] < 0);
	}
	return !at || !is_word(m->text[at - 1]) || m->language >= LANGUAGE_PYTHON || m->language == LANGUAGE_SCRIPT ||
		strchr("LuU8", m->text[at - 1]);
}

/* True if a slash begins a regular expression: no value precedes it. */
static bool is_regex(const struct masks *m, size_t at)
{
	size_t i = at;

	if (m->text[at] != '/' || (m->language != LANGUAGE_SCRIPT && m->language != LANGUAGE_HASH))
		return false;
	while (i && is_blank(m->text[i - 1]))
		i--;
	return !i || strchr("(,=:[!&|?{};~\n", m->text[i - 1]);
}

static size_t regex_end(const struct masks *m, size_t at)
{
	bool in_class = false;

	for (size_t i = at + 1; i < m->len && m->text[i] != '\n'; i++) {
		if (m->text[i] == '\\')
			i++;
		else if (m->text[i] == '[' || m->text[i] == ']')
			in_class = m->text[i] == '[';
		else if (m->text[i] == '/' && !in_class)
			return i + 1;
	}
	return at + 1;
}

/* True if only blanks precede AT in its line. */
static bool begins_line(const struct masks *m, size_t at)
{
	while (at && is_blank(m->text[at - 1]))
		at--;
	return !at || m->text[at - 1] == '\n';
}

static void mask(struct masks *m)
{
	for (size_t at = 0, end; at < m->len; at = end) {
		const char *triple = stands(m, at, "\"\"\"") ? "\"\"\"" : stands(m, at, "'''") ? "'''" : NULL;

		end = comment_end(m, at);
		if (end > at) {
			blank(m->code, at, end);
			blank(m->shape, at, end);
		} else if (m->language == LANGUAGE_PYTHON && triple) {
			end = behind(m, at + 3, triple);
			/* A text that is a statement by itself documents a function. */
			if (begins_line(m, at))
				blank(m->code, at, end);
			blank(m->shape, at, end);
		} else if ((end = raw_end(m, at)) > at) {
			blank(m->shape, at, end);
		} else if (is_quote(m, at)) {
			end = quote_end(m, at, m->text[at] == '`' || m->language == LANGUAGE_RUST);
			blank(m->shape, at + 1, end > at + 1 ? end - 1 : end);
		} else if (is_regex(m, at)) {
			end = regex_end(m, at);
			blank(m->shape, at, end);
		} else {
			end = at + 1;
		}
	}
}

/* -------- words of a head */

static bool is_among(const char *word, size_t len, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == len && !memcmp(*list, word, len))
			return true;
	return false;
}

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* The text before an opening brace. */
struct head {
	const char *text;
	size_t len;
};

static size_t word_end(const struct head *h, size_t at)
{
	while (at < h->len && is_word(h->text[at]))
		at++;
	return at;
}

static size_t skip_blanks(const struct head *h, size_t at)
{
	while (at < h->len && (is_blank(h->text[at]) || h->text[at] == '\n'))
		at++;
	return at;
}

/* Returns the position after the bracket that closes the one at AT. */
static size_t closed(const struct head *h, size_t at, char opens, char closes)
{
	size_t depth = 0;

	for (; at < h->len; at++) {
		depth += h->text[at] == opens;
		if (h->text[at] == closes && !--depth)
			return at + 1;
	}
	return h->len;
}

/* Returns the end of the name at AT, which may be qualified ("a::b", "a.b", "~a"). */
static size_t name_end(const struct head *h, size_t at)
{
	for (;;) {
		size_t end = word_end(h, at + (at < h->len && h->text[at] == '~'));

		if (end + 2 < h->len && h->text[end] == ':' && h->text[end + 1] == ':')
			at = end + 2;
		else if (end + 1 < h->len && strchr(".:", h->text[end]) && is_word(h->text[end + 1]))
			at = end + 1;
		else
			return end;
	}
}

struct name {
	const char *text;
	size_t len;
};

static struct name name_from(const struct head *h, size_t from, size_t to)
{
	return (struct name){ h->text + from, to > from ? to - from : 0 };
}

/* Returns the name after a keyword such as "fn" or "def". "func (r *T) Name(" has its receiver in between. */
static struct name said_name(const struct head *h)
{
	for (size_t at = 0, end; at < h->len; at = end > at ? end : at + 1) {
		end = word_end(h, at);
		if (end == at || !is_among(h->text + at, end - at, LIST("fn", "func", "fun", "function", "sub", "def")))
			continue;
		at = skip_blanks(h, end);
		if (at < h->len && h->text[at] == '(' && end - 4 < h->len && !memcmp(h->text + end - 4, "func", 4))
			at = skip_blanks(h, closed(h, at, '(', ')'));
		if (at < h->len && h->text[at] == '*')
			at = skip_blanks(h, at + 1);
		if (at < h->len && h->text[at] == '<')
			at = skip_blanks(h, closed(h, at, '<', '>'));
		return name_from(h, at, name_end(h, at));
	}
	return (struct name){ 0 };
}

/* Returns the position of an assignment outside all brackets; the length of the head without one. */
static size_t assignment(const struct head *h)
{
	int depth = 0;

	for (size_t at = 0; at < h->len; at++) {
		char c = h->text[at];

		depth += c == '(' || c == '[';
		depth -= c == ')' || c == ']';
		if (c != '=' || depth > 0)
			continue;
		if (at + 1 < h->len && (h->text[at + 1] == '=' || h->text[at + 1] == '>'))
			at++;
		else if (!at || !strchr("<>!=", h->text[at - 1]))
			return at;
	}
	return h->len;
}

/* Returns the assigned name: "static const char *const names[COUNT] =", "const x: T =", "a.b.c =", "x :=". */
static struct name assigned_name(const struct head *h, size_t end)
{
	size_t colon = 0, from;

	for (size_t at = 1; at + 1 < end && !colon; at++)
		if (h->text[at] == ':' && h->text[at - 1] != ':' && h->text[at + 1] != ':' && h->text[at + 1] != '=')
			colon = at;
	end = colon ?: end;
	while (end) {
		char c = h->text[end - 1];

		if (c == ']')
			while (end && h->text[end - 1] != '[')
				end--;
		else if (is_word(c))
			break;
		if (end)
			end--;
	}
	for (from = end; from && (is_word(h->text[from - 1]) || h->text[from - 1] == '.');)
		from--;
	return name_from(h, from, end);
}

/* Returns the name of a function before the first parenthesis. */
static struct name called_name(const struct head *h, enum language language)
{
	static const char *const not_names[] = {
		"if", "for", "while", "switch", "catch", "do", "else", "return", "foreach", "unless", "until", "elsif", "elif", "sizeof",
		"BEGIN", "END", NULL,
	};
	/* These may name functions, but a function does not begin with its name there. */
	static const char *const first_words[] = {
		"try", "match", "when", "synchronized", "using", "lock", "fixed", "with", "new", "select", "guard", "loop", NULL,
	};
	static const char *const skipped[] = {
		"__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "noexcept", "throw", "decltype", "requires", "explicit",
		"__asm__", "asm", "typeof", "__typeof__", NULL,
	};
	static const char *const types[] = {
		"int", "void", "char", "long", "short", "unsigned", "signed", "float", "double", "size_t", "bool", "const", NULL,
	};

	for (size_t at = 0; at < h->len; at++) {
		size_t end = at, from;
		const char *operator;

		if (h->text[at] != '(')
			continue;
		while (end && (is_blank(h->text[end - 1]) || h->text[end - 1] == '\n'))
			end--;
		operator = memmem(h->text, end, "operator", 8);
		if (operator && (size_t)(operator - h->text) + 8 <= end) {
			for (from = (size_t)(operator - h->text); from && (is_word(h->text[from - 1]) || h->text[from - 1] == ':');)
				from--;
			/* operator()() */
			return name_from(h, from, end == (size_t)(operator - h->text) + 8 ? closed(h, at, '(', ')') : end);
		}
		for (from = end; from && (is_word(h->text[from - 1]) || strchr("~.", h->text[from - 1]) ||
					  (h->text[from - 1] == ':' && (from < 2 || h->text[from - 2] == ':' ||
									(from < end && h->text[from] == ':'))));)
			from--;
		/* Template arguments between a class and its method: "List<T>::add(" */
		if (from == end || is_among(h->text + from, end - from, skipped)) {
			at = closed(h, at, '(', ')') - 1;
			continue;
		}
		if (is_among(h->text + from, end - from, not_names) ||
		    (!from && language != LANGUAGE_C && is_among(h->text, end, first_words)))
			return (struct name){ 0 };
		if (is_among(h->text + from, end - from, types)) {
			from = skip_blanks(h, at + 1);
			while (from < h->len && h->text[from] == '*')
				from++;
			return name_from(h, from, name_end(h, from));
		}
		while (from < end && h->text[from] == ':')
			from++;
		return name_from(h, from, end);
	}
	return (struct name){ 0 };
}

/* -------- braces */

enum frame_kind { FRAME_BLOCK, FRAME_FUNCTION, FRAME_HOLDER, FRAME_DATA };

/* One open brace. */
struct frame {
	enum frame_kind kind;
	struct name name;
	unsigned first;
	size_t round;		/* brackets open around it */
	bool within;		/* inside a function */
	bool goes_on;		/* the head around it continues after it */
	size_t head;
};

/* Bounds of the scan. The text before a brace is read several times, so its length is limited. */
enum { FRAMES_MOST = 256, BRANCHES_MOST = 64, HEAD_LONGEST = 4096 };

struct scan {
	struct outline *out;
	enum language language;
	const char *shape;
	size_t len, head;	/* start of the current head */
	unsigned line;
	size_t round;
	struct frame frames[FRAMES_MOST];
	size_t n, deeper;	/* open braces; and those beyond FRAMES_MOST */
	struct { size_t n, round; } branches[BRANCHES_MOST];
	size_t n_branches;
};

static void add_item(struct outline *out, enum outline_kind kind, struct name name, unsigned first, unsigned last)
{
	if (!name.len)
		return;
	ARENA_GROW(&out->arena, out->items, out->n, out->cap);
	out->items[out->n++] = (struct outline_item){
		.kind = kind, .first = first, .last = last,
		.name = arena_strndup(&out->arena, name.text, name.len < OUTLINE_NAME ? name.len : OUTLINE_NAME),
	};
}

static unsigned lines_between(const char *from, const char *to)
{
	unsigned n = 0;

	while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) {
		n++;
		from++;
	}
	return n;
}

static bool holds_word(const struct head *h, const char *const *words)
{
	for (size_t at = 0, end; at < h->len; at = end > at ? end : at + 1) {
		end = word_end(h, at);
		if (end > at && is_among(h->text + at, end - at, words))
			return true;
		if (h->text[at] == '(')
			return false;
	}
	return false;
}

/* True for "Foo::Foo(int x) : a" before the brace of a's initial value. */
static bool is_member_value(const struct head *h)
{
	size_t end = h->len;
	const char *list = NULL;

	for (size_t i = 0; i + 1 < h->len && !list; i++)
		if (h->text[i] == ')' && h->text[skip_blanks(h, i + 1) < h->len ? skip_blanks(h, i + 1) : i] == ':')
			list = h->text + skip_blanks(h, i + 1);
	if (!list || (list + 1 < h->text + h->len && list[1] == ':'))
		return false;
	while (end && (is_blank(h->text[end - 1]) || h->text[end - 1] == '\n'))
		end--;
	return end && (is_word(h->text[end - 1]) || h->text[end - 1] == '>');
}

/*
 * Returns the name of a function in old style: "f(a, b)", then the types of a and b, then the brace in the first
 * column.
 */
static struct name old_name(const struct scan *s, size_t at, unsigned *first)
{
	unsigned back = 0;

	while (at && s->shape[at - 1] == '\n' && back < 30) {
		size_t begin = at - 1;
		struct head line;

		while (begin && s->shape[begin - 1] != '\n')
			begin--;
		back++;
		line = (struct head){ s->shape + begin, at - 1 - begin };
		if (line.len && (line.text[0] == '}' || line.text[0] == '#'))
			break;
		if (line.len && is_word(line.text[0]) && memchr(line.text, '(', line.len) && !memchr(line.text, ';', line.len)) {
			*first = s->line - back;
			return called_name(&line, s->language);
		}
		at = begin;
	}
	return (struct name){ 0 };
}

/* Skips "public:" or "template <typename T>" before a declaration. */
static void skip_prefixes(struct head *h)
{
	for (;;) {
		size_t end = word_end(h, 0), at = skip_blanks(h, end);

		if (at + 1 < h->len && h->text[at] == '<' && is_among(h->text, end, LIST("template")))
			at = closed(h, at, '<', '>');
		else if (end && at + 1 < h->len && h->text[at] == ':' && h->text[at + 1] != ':')
			at++;
		else
			return;
		at = skip_blanks(h, at);
		h->text += at;
		h->len -= at;
	}
}

static void classify(struct scan *s, size_t at, struct frame *f)
{
	static const char *const holders[] = {
		"namespace", "class", "struct", "union", "enum", "interface", "trait", "impl", "module", "extern", "object", "record",
		"package", "mod", "protocol", "extension", NULL,
	};
	struct head h = { s->shape + s->head, at - s->head };
	bool c_like = s->language == LANGUAGE_C, script = s->language == LANGUAGE_SCRIPT, rust = s->language == LANGUAGE_RUST;
	size_t skip = skip_blanks(&h, 0), equals;

	if (h.len - skip > HEAD_LONGEST)
		return;
	h.text += skip;
	h.len -= skip;
	f->first = s->line - lines_between(h.text, s->shape + at);
	if (c_like)
		skip_prefixes(&h);
	if (f->within && !script && !rust)
		return;
	if (!c_like)
		f->name = said_name(&h);
	if (f->name.len) {
		f->kind = FRAME_FUNCTION;
		return;
	}
	equals = assignment(&h);
	if (equals < h.len && !memmem(h.text, h.len, "operator", 8)) {
		f->kind = f->within ? FRAME_BLOCK : FRAME_DATA;
		f->name = assigned_name(&h, equals);
		if (script && (memmem(h.text + equals, h.len - equals, "=>", 2) || memmem(h.text + equals, h.len - equals, "function", 8)))
			f->kind = FRAME_FUNCTION;
		return;
	}
	if (s->round || (f->within && rust))
		return;
	if (holds_word(&h, holders) && (!c_like || !memchr(h.text, '(', h.len) || holds_word(&h, LIST("namespace", "class")))) {
		size_t end = h.len;

		/* Ends before the base classes. */
		for (size_t i = 1; i + 1 < end; i++)
			if ((h.text[i] == ':' && h.text[i + 1] != ':' && h.text[i - 1] != ':') ||
			    (is_blank(h.text[i - 1]) && is_among(h.text + i, word_end(&h, i) - i, LIST("extends", "implements"))))
				end = i;
		f->kind = FRAME_HOLDER;
		if (!holds_word(&h, LIST("namespace", "extern", "package", "mod", "module", "impl")))
			f->name = assigned_name(&h, end);
		if (is_among(f->name.text, f->name.len, LIST("enum", "struct", "union", "class")))
			f->name.len = 0;
		return;
	}
	f->name = called_name(&h, s->language);
	if (f->name.len && c_like && is_member_value(&h)) {
		f->name.len = 0;
		f->goes_on = true;
		f->head = s->head;
		return;
	}
	if (!f->name.len && c_like && !h.len && at && s->shape[at - 1] == '\n')
		f->name = old_name(s, at, &f->first);
	if (f->name.len && !(f->within && script))
		f->kind = FRAME_FUNCTION;
}

static void open_brace(struct scan *s, size_t at)
{
	struct frame *f = &s->frames[s->n];

	if (s->n == FRAMES_MOST) {
		s->deeper++;
		return;
	}
	*f = (struct frame){ .round = s->round, .first = s->line };
	f->within = s->n && (s->frames[s->n - 1].within || s->frames[s->n - 1].kind == FRAME_FUNCTION);
	classify(s, at, f);
	s->n++;
	s->round = 0;
	s->head = at + 1;
}

static void close_frame(struct scan *s)
{
	static const enum outline_kind kinds[] = {
		[FRAME_FUNCTION] = OUTLINE_FUNCTION, [FRAME_HOLDER] = OUTLINE_TYPE, [FRAME_DATA] = OUTLINE_DATA,
	};
	const struct frame *f = &s->frames[--s->n];

	s->round = f->round;
	if (f->kind != FRAME_BLOCK)
		add_item(s->out, kinds[f->kind], f->name, f->first, s->line);
}

static void close_brace(struct scan *s, size_t at)
{
	bool first_column = !at || s->shape[at - 1] == '\n';

	if (s->deeper) {
		s->deeper--;
		return;
	}
	/* A brace in the first column ends the function, whatever preprocessor branches have left open. */
	if (first_column)
		while (s->n > 1 && s->frames[s->n - 1].within)
			close_frame(s);
	if (s->n) {
		bool goes_on = s->frames[s->n - 1].goes_on;
		size_t head = s->frames[s->n - 1].head;

		close_frame(s);
		s->head = goes_on ? head : at + 1;
	} else {
		s->head = at + 1;
	}
}

/* Reads a preprocessor line with its continuation lines, and adds a macro as an item. Returns its end. */
static size_t directive(struct scan *s, size_t at)
{
	struct head h = { s->shape + at, s->len - at };
	size_t end = at, from;
	unsigned first = s->line;

	while (end < s->len && s->shape[end] != '\n')
		end++;
	h.len = end - at;
	from = skip_blanks(&h, 1);
	while (end < s->len && end && s->shape[end - 1] == '\\') {
		s->line++;
		for (end++; end < s->len && s->shape[end] != '\n';)
			end++;
	}
	if (h.len > from + 6 && !memcmp(h.text + from, "define", 6)) {
		from = skip_blanks(&h, from + 6);
		add_item(s->out, OUTLINE_MACRO, name_from(&h, from, word_end(&h, from)), first, s->line);
	} else if (h.len > from + 2 && !memcmp(h.text + from, "if", 2)) {
		if (s->n_branches < BRANCHES_MOST)
			s->branches[s->n_branches] = (typeof(s->branches[0])){ s->n, s->round };
		s->n_branches++;
	} else if (h.len > from + 2 && !memcmp(h.text + from, "el", 2)) {
		if (s->n_branches && s->n_branches <= BRANCHES_MOST && s->branches[s->n_branches - 1].n < s->n) {
			s->n = s->branches[s->n_branches - 1].n;
			s->round = s->branches[s->n_branches - 1].round;
		}
	} else if (h.len >= from + 5 && !memcmp(h.text + from, "endif", 5) && s->n_branches) {
		s->n_branches--;
	}
	if (!s->n || s->frames[s->n - 1].kind == FRAME_HOLDER)
		s->head = end;
	return end;
}

/* True if the line ends a statement without a semicolon: the next line does not continue it. */
static bool ends_at_newline(const struct scan *s, size_t at)
{
	struct head rest = { s->shape + at, s->len - at < 200 ? s->len - at : 200 }, line;
	size_t next = skip_blanks(&rest, 0), end = at, begin = s->head;

	if (s->language == LANGUAGE_C || s->language == LANGUAGE_RUST || s->round)
		return false;
	while (end > begin && is_blank(s->shape[end - 1]))
		end--;
	line = (struct head){ s->shape + begin, end - begin };
	begin = skip_blanks(&line, 0);
	if (begin == line.len)
		return true;
	if (line.text[begin] == '@' || strchr("=,", line.text[line.len - 1]))
		return false;
	return next == rest.len || (!strchr("{.:", rest.text[next]) &&
				    !is_among(rest.text + next, word_end(&rest, next) - next, LIST("throws", "where", "extends", "implements")));
}

static void scan_braces(struct scan *s)
{
	bool begins = true;

	for (size_t at = 0; at < s->len; at++) {
		char c = s->shape[at];

		if (begins && c == '#' && s->language == LANGUAGE_C) {
			at = directive(s, at);
			if (at >= s->len)
				break;
			c = s->shape[at];
		}
		begins = c == '\n' || (begins && is_blank(c));
		if (c == '\n') {
			s->line++;
			if (ends_at_newline(s, at))
				s->head = at + 1;
		} else if (c == '{') {
			open_brace(s, at);
		} else if (c == '}') {
			close_brace(s, at);
		} else if (c == '(' || c == '[') {
			s->round++;
		} else if ((c == ')' || c == ']') && s->round) {
			s->round--;
		} else if (c == ';' && !s->round) {
			s->head = at + 1;
		}
	}
	while (s->n)
		close_frame(s);
}

/* -------- indentation */

struct open_item {
	struct name name;
	enum outline_kind kind;
	unsigned first;
	size_t indent;
};

/* Finds the function or class that LINE begins. */
static bool item_begins(const struct head *line, enum language language, struct open_item *out)
{
	size_t end = word_end(line, 0);
	const char *open = memchr(line->text, '(', line->len);

	out->kind = OUTLINE_FUNCTION;
	if (language == LANGUAGE_PYTHON || language == LANGUAGE_ENDS) {
		if (is_among(line->text, end, LIST("class", "module", "defmodule"))) {
			size_t at = skip_blanks(line, end);

			out->kind = OUTLINE_TYPE;
			out->name = name_from(line, at, name_end(line, at));
			return out->name.len;
		}
		if (is_among(line->text, end, LIST("def", "cdef", "cpdef", "defp", "function", "async"))) {
			out->name = said_name(line);
			if (!out->name.len && end == 4 && open)
				out->name = called_name(line, language);
			return out->name.len;
		}
	}
	if (language == LANGUAGE_LUA || language == LANGUAGE_ENDS) {
		size_t equals = assignment(line);
		const char *function = memmem(line->text, line->len, "function", 8);

		if (language == LANGUAGE_LUA && is_among(line->text, end, LIST("local", "function")))
			out->name = said_name(line);
		if (!out->name.len && function && equals < line->len)
			out->name = assigned_name(line, equals);
		if (!out->name.len && function && memmem(line->text, line->len, "<-", 2))
			out->name = name_from(line, 0, name_end(line, 0));
		return out->name.len;
	}
	if (language == LANGUAGE_SHELL) {
		size_t from = end == 8 && !memcmp(line->text, "function", 8) ? skip_blanks(line, 8) : 0;

		for (end = from; end < line->len && !is_blank(line->text[end]) && !strchr("(){};&|<>$=\"'", line->text[end]);)
			end++;
		out->name = name_from(line, from, end);
		end = skip_blanks(line, end);
		return out->name.len && (from || (end + 1 < line->len && line->text[end] == '(' && line->text[skip_blanks(line, end + 1)] == ')'));
	}
	return false;
}

static bool line_closes(const struct head *line)
{
	size_t end = word_end(line, 0);

	return strchr("})]", line->text[0]) || is_among(line->text, end, LIST("end"));
}

static void scan_indents(struct outline *out, enum language language, const char *shape, size_t len)
{
	struct open_item open[64] = { 0 };
	size_t n = 0, round = 0;
	unsigned line = 1, last = 0;

	for (size_t at = 0; at < len; line++) {
		const char *newline = memchr(shape + at, '\n', len - at);
		size_t end = newline ? (size_t)(newline - shape) : len, from = at, indent = 0;
		struct open_item item = { .first = line };
		struct head text;

		for (; from < end && is_blank(shape[from]); from++)
			indent += shape[from] == '\t' ? 8 - indent % 8 : 1;
		text = (struct head){ shape + from, end - from };
		at = end + 1;
		if (!text.len)
			continue;
		if (!round) {
			bool begins = item_begins(&text, language, &item), closes = line_closes(&text);

			item.indent = indent;
			/* A text inside a shell function may begin in the first column. */
			while (n && indent <= open[n - 1].indent && (language == LANGUAGE_PYTHON || closes || begins)) {
				bool own = closes && indent == open[n - 1].indent;

				n--;
				add_item(out, open[n].kind, open[n].name, open[n].first, own ? line : last);
				if (own)
					break;
			}
			if (begins && n < COUNT(open)) {
				bool whole = language == LANGUAGE_SHELL ? text.text[text.len - 1] == '}' :
					     language != LANGUAGE_PYTHON && text.len > 4 && !memcmp(text.text + text.len - 4, " end", 4);

				if (whole)
					add_item(out, item.kind, item.name, line, line);
				else
					open[n++] = item;
			}
		}
		last = line;
		for (size_t i = 0; i < text.len && language == LANGUAGE_PYTHON; i++) {
			round += !!strchr("([{", text.text[i]);
			if (round && strchr(")]}", text.text[i]))
				round--;
		}
	}
	while (n--)
		add_item(out, open[n].kind, open[n].name, open[n].first, last);
}

/* -------- all of it */

/* Items are sorted by their ends. Writing them from the last one leaves the innermost item of each line. */
static void assign_lines(struct outline *out)
{
	out->of_line = arena_alloc(&out->arena, (out->n_lines + 1) * sizeof *out->of_line);
	for (size_t i = out->n; i--;)
		for (unsigned line = out->items[i].first; line && line <= out->items[i].last && line <= out->n_lines; line++) {
			uint32_t *now = &out->of_line[line - 1];

			if (!*now || out->items[*now - 1].first <= out->items[i].first)
				*now = (uint32_t)i + 1;
		}
}

static const char *code_of(struct arena *arena, const char *line, size_t len, bool indented)
{
	char *code = arena_strndup(arena, line, len), *to = code;
	size_t from = 0;

	/* Indentation counts in some languages. Merging blanks inside a quoted text does no harm here. */
	for (; from < len && is_blank(code[from]); from++)
		if (indented)
			*to++ = code[from];
	for (; from < len && code[from]; from++)
		if (!is_blank(code[from]) || (to > code && !is_blank(to[-1])))
			*to++ = is_blank(code[from]) ? ' ' : code[from];
	while (to > code && is_blank(to[-1]))
		to--;
	*to = '\0';
	return code;
}

static void take_lines(struct outline *out, const struct masks *m)
{
	unsigned line = 0;

	out->n_lines = 0;
	for (size_t at = 0; at < m->len && out->n_lines < OUTLINE_LINES; at = line_end(m, at) + 1)
		out->n_lines++;
	out->code = arena_alloc(&out->arena, (out->n_lines + 1) * sizeof *out->code);
	for (size_t at = 0; line < out->n_lines; at = line_end(m, at) + 1)
		out->code[line++] = code_of(&out->arena, m->code + at, line_end(m, at) - at, m->language == LANGUAGE_PYTHON);
}

void outline_read(const char *text, size_t len, enum language language, struct outline *out)
{
	CLEANUP(free_ptr) char *code = xcopy(len ? text : "", len ?: 1);
	CLEANUP(free_ptr) char *shape = xcopy(len ? text : "", len ?: 1);
	struct masks masks = { .text = text, .len = len, .language = language, .code = code, .shape = shape };

	*out = (struct outline){ 0 };
	if (language != LANGUAGE_NONE)
		mask(&masks);
	take_lines(out, &masks);
	if (is_braces(language)) {
		CLEANUP(free_ptr) struct scan *scan = xcalloc(1, sizeof *scan);

		scan->out = out;
		scan->language = language;
		scan->shape = shape;
		scan->len = len;
		scan->line = 1;
		scan_braces(scan);
	} else if (language != LANGUAGE_NONE) {
		scan_indents(out, language, shape, len);
	}
	assign_lines(out);
}
