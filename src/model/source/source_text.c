#include "model/source/source_text.h"

#include <string.h>

#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* -------- languages */

enum language source_text_language(const char *path, const char *text)
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
	const char *name = path_name(path), *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < COUNT(suffixes); i++)
		for (size_t n = 0; n < COUNT(suffixes[i].names) && suffixes[i].names[n]; n++)
			if (!strcmp(dot + 1, suffixes[i].names[n]))
				return suffixes[i].language;
	if (!text || !text_starts(text, "#!"))
		return LANGUAGE_NONE;
	for (size_t i = 0; i < COUNT(interpreters); i++)
		if (memmem(text, strcspn(text, "\n"), interpreters[i].interpreter, strlen(interpreters[i].interpreter)))
			return interpreters[i].language;
	return LANGUAGE_NONE;
}

static bool is_word(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* -------- comments */

/* Returns the position after the next END; 0 if there is none. */
static size_t behind(const struct source_text *s, size_t at, const char *end)
{
	const char *found = at < s->len ? memmem(s->text + at, s->len - at, end, strlen(end)) : NULL;

	return found ? (size_t)(found - s->text) + strlen(end) : 0;
}

static bool stands(const struct source_text *s, size_t at, const char *what)
{
	size_t len = strlen(what);

	return at + len <= s->len && !memcmp(s->text + at, what, len);
}

static size_t line_end(const struct source_text *s, size_t at)
{
	const char *found = at < s->len ? memchr(s->text + at, '\n', s->len - at) : NULL;

	return found ? (size_t)(found - s->text) : s->len;
}

/* Returns the end of the comment that begins at AT; AT if none does. */
static size_t comment_end(const struct source_text *s, size_t at)
{
	char before = at ? s->text[at - 1] : '\n';

	if (s->language == LANGUAGE_LUA)
		return stands(s, at, "--") ? (stands(s, at, "--[[") ? behind(s, at, "]]") : 0) ?: line_end(s, at) : at;
	if (s->language >= LANGUAGE_HASH) {
		bool begins = s->language == LANGUAGE_PYTHON || is_blank(before) || before == '\n' || before == ';';

		return s->text[at] == '#' && begins ? line_end(s, at) : at;
	}
	if (stands(s, at, "/*"))
		return behind(s, at + 2, "*/") ?: at;
	return stands(s, at, "//") ? line_end(s, at) : at;
}

/* Returns the end of the quoted text that begins at AT; AT if none does. It ends with its line unless it may go on. */
static size_t quote_end(const struct source_text *s, size_t at)
{
	char quote = s->text[at];
	bool goes_on = quote == '`' || (quote == '"' && s->language == LANGUAGE_RUST);
	size_t i = at + 1;

	if (s->language == LANGUAGE_PYTHON && (stands(s, at, "\"\"\"") || stands(s, at, "'''")))
		return behind(s, at + 3, quote == '"' ? "\"\"\"" : "'''") ?: s->len;
	if (quote != '"' && quote != '\'' && (quote != '`' || (s->language != LANGUAGE_SCRIPT && s->language != LANGUAGE_BRACES)))
		return at;
	/* In Rust it may begin a lifetime, in C++ and Go separate the digits of a number. */
	if (quote == '\'' && s->language <= LANGUAGE_BRACES && s->language != LANGUAGE_SCRIPT &&
	    ((at && is_word(s->text[at - 1])) || (s->language == LANGUAGE_RUST && !stands(s, at + 2, "'") && !stands(s, at + 1, "\\"))))
		return at;
	for (; i < s->len && s->text[i] != quote && (goes_on || s->text[i] != '\n'); i++)
		if (s->text[i] == '\\' && i + 1 < s->len)
			i++;
	return i < s->len && s->text[i] == quote ? i + 1 : i < s->len ? i : s->len;
}

/* Appends the text with comments as blanks. Lines stay. */
static void without_comments(const struct source_text *s, struct strbuf *out)
{
	for (size_t at = 0, end; at < s->len; at = end) {
		end = comment_end(s, at);
		for (size_t i = at; i < end; i++)
			strbuf_addc(out, s->text[i] == '\n' ? '\n' : ' ');
		if (end > at)
			continue;
		end = quote_end(s, at);
		end = end > at ? end : at + 1;
		strbuf_add(out, s->text + at, end - at);
	}
}

/* Returns a line without outer blanks, each inner run as one. Python's indentation stays. */
static const char *tidy(struct source_text *s, const char *line, size_t len)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	size_t i = 0;

	while (len && is_blank(line[len - 1]))
		len--;
	for (; i < len && is_blank(line[i]); i++)
		if (s->language == LANGUAGE_PYTHON)
			strbuf_addc(&out, line[i]);
	for (; i < len; i++)
		if (!is_blank(line[i]))
			strbuf_addc(&out, line[i] ? line[i] : ' ');
		else if (!is_blank(line[i - 1]))
			strbuf_addc(&out, ' ');
	return len ? arena_strndup(&s->arena, out.buf, out.len) : "";
}

void source_text_init(struct source_text *out, const char *path, const char *text, size_t len, enum language language)
{
	CLEANUP(strbuf_release) struct strbuf code = STRBUF_INIT;
	unsigned n = 0;
	char *copy;

	*out = (struct source_text){ .path = path, .language = language, .len = len };
	/* It may contain NUL bytes. */
	copy = arena_alloc(&out->arena, len + 1);
	memcpy(copy, text, len);
	copy[len] = '\0';
	out->text = copy;
	without_comments(out, &code);
	for (size_t i = 0; i < len; i++)
		n += n < SOURCE_TEXT_LINES && (text[i] == '\n' || i + 1 == len);
	out->code = arena_alloc(&out->arena, (n + 1) * sizeof *out->code);
	out->context = arena_alloc(&out->arena, (n + 1) * sizeof *out->context);
	out->n_lines = n;
	for (size_t at = 0, line = 0; line < n; line++) {
		const char *newline = memchr(code.buf + at, '\n', code.len - at);
		size_t end = newline ? (size_t)(newline - code.buf) : code.len;

		out->code[line] = tidy(out, code.buf + at, end - at);
		out->context[line] = NULL;
		at = end + 1;
	}
}

void source_text_release(struct source_text *source)
{
	arena_release(&source->arena);
	*source = (struct source_text){ 0 };
}

/* -------- what a line begins */

static size_t word_length(const char *at)
{
	size_t n = 0;

	while (is_word(at[n]))
		n++;
	return n;
}

/* Returns the length of the name at AT, which may be qualified: "a::b", "a.b", "~a". */
static size_t name_length(const char *at)
{
	size_t n = 0;

	for (;;) {
		n += at[n] == '~';
		n += word_length(at + n);
		if (at[n] == ':' && at[n + 1] == ':')
			n += 2;
		else if ((at[n] == '.' || at[n] == ':') && is_word(at[n + 1]))
			n++;
		else
			return n;
	}
}

static const char *skip(const char *at, char opens, char closes)
{
	int depth = 0;

	for (; *at; at++) {
		depth += (*at == opens) - (*at == closes);
		if (!depth)
			return at + 1;
	}
	return at;
}

static const char *kept(struct arena *arena, const char *name, size_t len)
{
	return len && !text_is_digit(*name) ? arena_strndup(arena, name, len < SOURCE_TEXT_NAME ? len : SOURCE_TEXT_NAME) : NULL;
}

/* Returns the name after a keyword such as "fn" or "def"; NULL without one. In Go a receiver may precede it. */
static const char *said_name(const char *line, struct arena *arena)
{
	for (const char *at = line; *at; at++) {
		size_t n = word_length(at);

		if (n && text_one_of(at, n, ARGV("fn", "func", "fun", "function", "sub", "def"))) {
			bool go = at[n - 1] == 'c';

			at += n + strspn(at + n, " \t");
			at += *at == '*';
			at += strspn(at, " ");
			if (go && *at == '(')
				at = skip(at, '(', ')');
			at += strspn(at, " ");
			if (*at == '<')
				at = skip(at, '<', '>');
			return kept(arena, at, name_length(at));
		}
		at += n ? n - 1 : 0;
	}
	return NULL;
}

/* Returns the name before the first parenthesis; NULL if it is a statement's. */
static const char *called_name(const char *line, struct arena *arena)
{
	static const char *const skipped[] = {
		"__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "noexcept", "decltype", "requires", "explicit", NULL,
	};
	static const char *const statements[] = {
		"if", "for", "while", "switch", "catch", "do", "else", "return", "foreach", "unless", "until", "sizeof", "BEGIN", "END",
		"const", "var", "type", "import", "typedef", "using", "try", "match", "when", "with", "static_assert", "require", NULL,
	};
	const char *operator = strstr(line, "operator");

	for (const char *at = line; (at = strchr(at, '(')); at = skip(at, '(', ')')) {
		const char *end = at, *from;

		while (end > line && is_blank(end[-1]))
			end--;
		if (operator && operator < at) {
			end = at == operator + strlen("operator") ? skip(at, '(', ')') : end;
			from = operator;
		} else {
			from = end;
		}
		while (from > line && (is_word(from[-1]) || strchr("~.:", from[-1])))
			from--;
		from += strspn(from, ":");
		if (from >= end || text_one_of(from, (size_t)(end - from), skipped))
			continue;
		if (text_one_of(from, (size_t)(end - from), statements))
			return NULL;
		return kept(arena, from, (size_t)(end - from));
	}
	return NULL;
}

/* Returns the name before EQUALS: "static const char *const names[COUNT] =", "const x: T =", "a.b =". */
static const char *assigned_name(const char *line, const char *equals, struct arena *arena)
{
	const char *end = equals, *from;

	for (const char *at = line + 1; at + 1 < equals; at++)
		if (*at == ':' && at[-1] != ':' && at[1] != ':' && end == equals)
			end = at;
	while (end > line && !is_word(end[-1])) {
		if (end[-1] == ']')
			while (end > line && end[-1] != '[')
				end--;
		end -= end > line;
	}
	for (from = end; from > line && (is_word(from[-1]) || from[-1] == '.');)
		from--;
	return kept(arena, from, (size_t)(end - from));
}

/* Returns the name of the type that LINE begins. NULL: none, or one whose members are functions. */
static const char *type_name(const char *line, bool *is_type, struct arena *arena)
{
	static const char *const words[] = {
		"class", "struct", "union", "enum", "interface", "trait", "record", "protocol", "type", "namespace", "impl", "mod", "module",
		"package", "object", "extension", "extern", NULL,
	};

	for (const char *at = line; *at && *at != '(' && *at != '='; at++) {
		size_t n = word_length(at);
		const char *name = at + n + strspn(at + n, " \t");

		if (n && text_one_of(at, n, words)) {
			if (text_one_of(at, n, ARGV("enum", "extern")) &&
			    text_one_of(name, word_length(name), ARGV("class", "struct")))
				continue;
			*is_type = true;
			if (text_one_of(at, n, ARGV("namespace", "impl", "mod", "module", "package", "extern")))
				return NULL;
			return kept(arena, name, word_length(name));
		}
		at += n ? n - 1 : 0;
	}
	return NULL;
}

struct source_place source_text_begun(const char *context, enum language language, struct arena *arena)
{
	const char *line = context + strspn(context, " \t"), *round, *equals, *type;
	size_t len = strlen(line);
	bool is_type = false;

	while (len && is_blank(line[len - 1]))
		len--;
	if (language != LANGUAGE_C) {
		const char *name = said_name(line, arena);

		if (name)
			return (struct source_place){ .function = name };
	}
	/* A whole statement is a declaration, or a value by itself. */
	if (len && line[len - 1] == ';')
		return (struct source_place){ 0 };
	round = strchr(line, '(') ?: line + len;
	equals = strchr(line, '=');
	if (equals && equals < round && equals[1] != '=' && !strstr(line, "operator")) {
		const char *name = assigned_name(line, equals, arena);

		if (language == LANGUAGE_SCRIPT && (strstr(equals, "=>") || strstr(equals, "function")))
			return (struct source_place){ .function = name };
		return (struct source_place){ .holder = name, .closed = name };
	}
	type = type_name(line, &is_type, arena);
	/* "struct node *make(int n)" */
	if (is_type && (!*round || language != LANGUAGE_C))
		return (struct source_place){ .holder = type };
	return (struct source_place){ .function = called_name(line, arena) };
}

/* -------- places of lines */

/* Returns what a preprocessor directive defines. */
static struct source_place defined(struct source_text *source, const char *directive)
{
	const char *name = directive + 1 + strspn(directive + 1, " ");

	if (!text_starts(name, "define "))
		return (struct source_place){ 0 };
	name += strlen("define ");
	return (struct source_place){ .holder = kept(&source->arena, name, word_length(name)), .closed = true };
}

/* Finds the places of all lines: of neighbours with one context, and of a directive's lines, it is the same. */
static void find_places(struct source_text *s)
{
	bool directive = false, goes_on = false;
	const char *last = NULL;
	struct source_place begun = { 0 }, made = { 0 };

	s->places = arena_alloc(&s->arena, (s->n_lines + 1) * sizeof *s->places);
	for (unsigned i = 0; i < s->n_lines; i++) {
		const char *code = s->code[i];

		if (!goes_on) {
			directive = s->language == LANGUAGE_C && code[0] == '#';
			made = directive ? defined(s, code) : (struct source_place){ 0 };
		}
		goes_on = *code && code[strlen(code) - 1] == '\\';
		if (s->context[i] != last)
			begun = s->context[i] ? source_text_begun(s->context[i], s->language, &s->arena) : (struct source_place){ 0 };
		last = s->context[i];
		s->places[i] = directive ? made : begun;
	}
}

struct source_place source_text_place(struct source_text *source, unsigned line)
{
	if (!line || line > source->n_lines)
		return (struct source_place){ 0 };
	if (!source->places)
		find_places(source);
	return source->places[line - 1];
}

struct line_span source_text_span(const struct source_text *source, unsigned line)
{
	struct line_span span = { line, line };

	if (!line || line > source->n_lines || !source->context[line - 1])
		return (struct line_span){ 0 };
	while (span.first > 1 && source->context[span.first - 2] == source->context[line - 1])
		span.first--;
	while (span.last < source->n_lines && source->context[span.last] == source->context[line - 1])
		span.last++;
	while (span.last > line && !*source->code[span.last - 1])
		span.last--;
	return span;
}
