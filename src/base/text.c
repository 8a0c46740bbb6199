#include "base/text.h"

#include "base/mem.h"

/* -------- text that grows */

char strbuf_empty[1];

void strbuf_release(struct strbuf *sb)
{
	if (sb->cap)
		free(sb->buf);
	*sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_reset(struct strbuf *sb)
{
	strbuf_truncate(sb, 0);
}

char *strbuf_take(struct strbuf *sb)
{
	char *text = sb->cap ? sb->buf : xstrdup("");

	*sb = (struct strbuf)STRBUF_INIT;
	return text;
}

void strbuf_reserve(struct strbuf *sb, size_t extra)
{
	size_t need = sb->len + extra + 1, cap = sb->cap ? sb->cap : 64;

	if (need <= sb->cap)
		return;
	while (cap < need)
		cap *= 2;
	sb->buf = xrealloc_array(sb->cap ? sb->buf : NULL, cap, 1);
	sb->cap = cap;
	sb->buf[sb->len] = '\0';
}

void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	if (!len)
		return;
	strbuf_reserve(sb, len);
	memcpy(sb->buf + sb->len, data, len);
	sb->len += len;
	sb->buf[sb->len] = '\0';
}

void strbuf_adds(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void strbuf_addc(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void strbuf_pad(struct strbuf *sb, char c, size_t n)
{
	strbuf_reserve(sb, n);
	memset(sb->buf + sb->len, c, n);
	sb->len += n;
	sb->buf[sb->len] = '\0';
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list args)
{
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, args);
	if (len < 0)
		abort();
	strbuf_reserve(sb, (size_t)len);
	vsnprintf(sb->buf + sb->len, (size_t)len + 1, fmt, again);
	sb->len += (size_t)len;
	va_end(again);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(sb, fmt, args);
	va_end(args);
}

char *text_printf(const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&text, fmt, args);
	va_end(args);
	return strbuf_take(&text);
}

void strbuf_truncate(struct strbuf *sb, size_t len)
{
	if (len < sb->len) {
		sb->len = len;
		sb->buf[len] = '\0';
	}
}

void strbuf_cut_start(struct strbuf *sb, size_t len)
{
	memmove(sb->buf, sb->buf + len, sb->len - len + 1);
	sb->len -= len;
}

void strbuf_list(struct strbuf *sb, const struct strv *items, size_t most)
{
	for (size_t i = 0; i < items->n && i < most; i++)
		strbuf_addf(sb, "%s%s", i ? ", " : "", items->items[i]);
	if (items->n > most)
		strbuf_addf(sb, " and %zu more", items->n - most);
}

bool strbuf_ends_with(const struct strbuf *sb, const char *suffix)
{
	return text_ends(sb->buf, sb->len, suffix);
}

void strbuf_trim_end(struct strbuf *sb, const char *chars)
{
	while (sb->len && strchr(chars, sb->buf[sb->len - 1]))
		strbuf_truncate(sb, sb->len - 1);
}

static bool is_alnum(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool text_made_of(const char *text, const char *extra)
{
	const char *at = text;

	while (is_alnum(*at) || (*at && strchr(extra, *at)))
		at++;
	return at > text && !*at;
}

size_t text_byte_order_mark(const char *text, size_t len)
{
	return text_starts_within(text, len, "\xef\xbb\xbf") ? 3 : 0;
}

bool text_starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

bool text_starts_within(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !memcmp(text, with, n);
}

bool text_matches(const char *text, const char *pattern)
{
	size_t len = strlen(pattern);

	return len && pattern[len - 1] == '*' ? !strncmp(text, pattern, len - 1) : !strcmp(text, pattern);
}

bool text_matches_any(const char *text, const char *const *patterns)
{
	while (*patterns && !text_matches(text, *patterns))
		patterns++;
	return *patterns;
}

bool text_one_of(const char *word, size_t len, const char *const *words)
{
	while (*words && (strlen(*words) != len || memcmp(*words, word, len) != 0))
		words++;
	return *words;
}

bool text_ends(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !memcmp(text + len - n, with, n);
}

bool text_has_word(const char *list, size_t len, char separator, const char *word)
{
	for (const char *end = list + len, *stop; list <= end; list = stop + 1) {
		stop = memchr(list, separator, (size_t)(end - list)) ?: end;
		if ((size_t)(stop - list) == strlen(word) && !memcmp(list, word, strlen(word)))
			return true;
	}
	return false;
}

const char *text_next_line(const char **at, const char *end, size_t *len)
{
	const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));

	if (line == end)
		return NULL;
	*len = (size_t)((stop ?: end) - line);
	*at = stop ? stop + 1 : end;
	return line;
}

bool text_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* -------- lists of texts */

void strv_release(struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct strv)STRV_INIT;
}

void strv_take(struct strv *list, char *s)
{
	if (list->n + 1 >= list->cap) {
		list->cap = list->cap ? list->cap * 2 : 8;
		list->items = xrealloc_array(list->items, list->cap, sizeof *list->items);
	}
	list->items[list->n++] = s;
	list->items[list->n] = NULL;
}

void strv_push(struct strv *list, const char *s)
{
	strv_take(list, xstrdup(s));
}

void strv_push_all(struct strv *list, const char *const *words)
{
	for (; *words; words++)
		strv_push(list, *words);
}

void strv_pushf(struct strv *list, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&text, fmt, args);
	va_end(args);
	strv_take(list, strbuf_take(&text));
}

void strv_copy(struct strv *list, const struct strv *from)
{
	for (size_t i = 0; i < from->n; i++)
		strv_push(list, from->items[i]);
}

void strv_shorten(struct strv *list, size_t n)
{
	while (list->n > n) {
		free(list->items[--list->n]);
		list->items[list->n] = NULL;
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *list)
{
	if (list->n)
		qsort(list->items, list->n, sizeof *list->items, by_text);
}

bool strv_has(const struct strv *list, const char *s)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->items[i], s))
			return true;
	return false;
}

void strv_push_new(struct strv *list, const char *s)
{
	if (!strv_has(list, s))
		strv_push(list, s);
}

bool strv_equal(const struct strv *a, const struct strv *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->items[i], b->items[i]))
			return false;
	return true;
}

/* -------- UTF-8 */

struct range {
	uint32_t first, last;
};

/* Combining marks, joiners and variation selectors: drawn onto the previous character. */
static const struct range no_column[] = {
	{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},
	{0x0e34, 0x0e3a}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x20d0, 0x20ff},
	{0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
};

/* East Asian Wide and Fullwidth of Unicode Standard Annex 11, and pictographs. */
static const struct range two_columns[] = {
	{0x1100, 0x115f},	{0x2e80, 0x303e},   {0x3041, 0x4dbf},	{0x4e00, 0xa4cf}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff},	{0xfe30, 0xfe6f},   {0xff00, 0xff60},	{0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
	{0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static bool within(uint32_t code, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

size_t utf8_decode(const char *s, uint32_t *code_out)
{
	/* By the length that the first byte announces: its fixed bits, and the smallest code point that needs it. */
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = { { 0, 1, 0 }, { 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };
	unsigned char first = (unsigned char)s[0];
	size_t len = 4;
	uint32_t code;

	while (len && (first & forms[len].mask) != forms[len].lead)
		len--;
	code = first & (unsigned char)~forms[len].mask;
	/* A terminating NUL is not a continuation byte, so it ends the loop. */
	for (size_t i = 1; i < len; i++) {
		unsigned char byte = (unsigned char)s[i];

		if ((byte & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (byte & 0x3f);
	}
	if (!len || code < forms[len].least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*code_out = code;
	return len;
}

size_t utf8_width(const char *s)
{
	size_t width = 0;

	while (*s) {
		uint32_t code = 0;
		size_t len = utf8_decode(s, &code);

		if (within(code, two_columns, sizeof two_columns / sizeof two_columns[0]))
			width += 2;
		else if (!within(code, no_column, sizeof no_column / sizeof no_column[0]))
			width++;
		s += len ? len : 1;
	}
	return width;
}

size_t utf8_clip(const char *s, size_t max)
{
	size_t len = strnlen(s, max + 1);

	if (len <= max)
		return len;
	len = max;
	while (len && ((unsigned char)s[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* -------- escaping, for each format */

struct piece {
	const char *at;
	size_t len;
	uint32_t code;
	bool valid;	/* UTF-8 */
	bool hidden;	/* must be made visible */
};

struct reader {
	const char *start, *at;
	bool begun;	/* a non-blank character has been read */
};

/*
 * Controls, characters without a glyph that reorder or hide text, invisible fillers, and what XML forbids: Unicode's
 * Default_Ignorable_Code_Point, Cc and Zl, Zp, and the noncharacters.
 */
static bool is_hidden(uint32_t code)
{
	static const struct range ranges[] = {
		{0x00, 0x1f},	    {0x7f, 0x9f},	{0xad, 0xad},	    {0x34f, 0x34f},   {0x61c, 0x61c},
		{0x115f, 0x1160},   {0x17b4, 0x17b5},	{0x180b, 0x180f},   {0x200b, 0x200f}, {0x2028, 0x202e},
		{0x2060, 0x206f},   {0x2800, 0x2800},	{0x3164, 0x3164},   {0xfdd0, 0xfdef}, {0xfe00, 0xfe0f},
		{0xfeff, 0xfeff},   {0xffa0, 0xffa0},	{0xfff0, 0xfffb},   {0x1bca0, 0x1bca3},
		{0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
	};

	/* The last two code points of each plane are noncharacters. */
	return (code & 0xfffe) == 0xfffe || within(code, ranges, sizeof ranges / sizeof ranges[0]);
}

/* .NET's TrimStart(), which GitHub's runner uses, removes these. Controls are made visible anyway. */
static bool is_blank(uint32_t code)
{
	static const struct range ranges[] = {
		{0x20, 0x20},	  {0xa0, 0xa0},	    {0x1680, 0x1680}, {0x2000, 0x200a},
		{0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000},
	};

	return within(code, ranges, sizeof ranges / sizeof ranges[0]);
}

bool escape_is_visible(uint32_t code)
{
	return !is_hidden(code) && !is_blank(code);
}

static bool follows(const char *start, const char *at, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(at - start) >= len && !strncasecmp(at - len, word, len);
}

/* All untrusted text passes through here, whatever the output format. */
static bool next_piece(struct reader *reader, struct piece *piece)
{
	const char *at = reader->at;
	bool command;
	size_t len;

	if (!*at)
		return false;
	*piece = (struct piece){ .at = at, .code = (unsigned char)*at };
	len = utf8_decode(at, &piece->code);
	/* It interprets a line that begins with :: after blanks, and ##[ anywhere. More text may follow this one. */
	command = *at == '[' ? follows(reader->start, at, "##") : *at == ':' && !reader->begun && (at[1] == ':' || !at[1]);
	piece->valid = len > 0;
	piece->hidden = !piece->valid || is_hidden(piece->code) || command;
	piece->len = len ? len : 1;
	reader->begun = reader->begun || piece->hidden || !is_blank(piece->code);
	reader->at += piece->len;
	return true;
}

bool escape_is_command(const char *line)
{
	struct reader reader = { line, line, false };
	struct piece piece;

	while (next_piece(&reader, &piece) && !reader.begun)
		;
	return reader.begun && piece.hidden && *piece.at == ':';
}

/* False if the format has no special form for PIECE of the text START. */
typedef bool special_fn(struct strbuf *out, const char *start, const struct piece *piece);

static void escape(struct strbuf *out, const char *s, special_fn *special)
{
	static const char letters[] = "abtnvfr";
	struct reader reader = { s, s, false };
	struct piece piece;

	while (next_piece(&reader, &piece)) {
		if (special && special(out, s, &piece))
			continue;
		if (!piece.hidden)
			strbuf_add(out, piece.at, piece.len);
		else if (piece.valid && (piece.code == '\n' || piece.code == '\r' || piece.code == '\t'))
			strbuf_addf(out, "\\%c", letters[piece.code - '\a']);
		else
			strbuf_addf(out, !piece.valid || piece.code < 0x80 ? "\\x%02x" : "\\u{%x}", (unsigned)piece.code);
	}
}

void escape_terminal(struct strbuf *out, const char *s)
{
	escape(out, s, NULL);
}

void escape_lines(struct strbuf *out, const char *text)
{
	const char *end = text + strlen(text), *line;
	size_t len;

	while ((line = text_next_line(&text, end, &len))) {
		CLEANUP(free_ptr) char *copy = xstrndup(line, len);

		escape_terminal(out, copy);
		if (line + len < end)
			strbuf_addc(out, '\n');
	}
}

void escape_json(struct strbuf *out, const char *s)
{
	static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	/* After a quotation mark no line can begin. */
	struct reader reader = { s, s, true };
	struct piece piece;

	strbuf_addc(out, '"');
	while (next_piece(&reader, &piece)) {
		const char *found = piece.code < 0x80 ? strchr(special, (int)piece.code) : NULL;

		if (!piece.valid)
			strbuf_adds(out, "\xef\xbf\xbd");
		else if (found)
			strbuf_addf(out, "\\%c", letters[found - special]);
		else if (!piece.hidden)
			strbuf_add(out, piece.at, piece.len);
		else if (piece.code <= 0xffff)
			strbuf_addf(out, "\\u%04x", (unsigned)piece.code);
		else	/* UTF-16, as JSON requires */
			strbuf_addf(out, "\\u%04x\\u%04x", 0xd800 + (unsigned)((piece.code - 0x10000) >> 10),
				    0xdc00 + (unsigned)(piece.code & 0x3ff));
	}
	strbuf_addc(out, '"');
}

static const char *html_entity(char c)
{
	static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	static const char all[] = "&<>\"'";
	const char *found = strchr(all, c);

	return found ? entities[found - all] : NULL;
}

static bool add_html(struct strbuf *out, const char *start, const struct piece *piece)
{
	const char *entity = piece->hidden ? NULL : html_entity(*piece->at);

	(void)start;
	if (entity)
		strbuf_adds(out, entity);
	return entity;
}

void escape_html(struct strbuf *out, const char *s)
{
	escape(out, s, add_html);
}

/* ":name:" becomes an emoji if GitHub knows the name. */
static bool is_shortcode(const char *colon)
{
	size_t len = 0;

	while (is_alnum(colon[1 + len]) || (colon[1 + len] && strchr("_+-", colon[1 + len])))
		len++;
	return len && colon[1 + len] == ':';
}

/*
 * GitHub links mentions, references and addresses after rendering Markdown, when backslashes are gone. Only a
 * zero-width character after the first one prevents that.
 */
static bool starts_link(const char *start, const char *at)
{
	switch (*at) {
	case '@':
		return is_alnum(at[1]);
	case '#':
		return text_is_digit(at[1]);
	case ':':
		return at[1] == '/' || is_shortcode(at);
	case '-':
		return text_is_digit(at[1]) && follows(start, at, "gh");
	default:
		return false;
	}
}

/* A list, a heading or a rule. */
static bool opens_block(const char *start, const char *at)
{
	const char *digit = start;

	if (at == start && strchr("-+#=", *at))
		return !at[1] || at[1] == ' ' || at[1] == *at;
	while (text_is_digit(*digit))
		digit++;
	return digit == at && at > start && (*at == '.' || *at == ')') && (!at[1] || at[1] == ' ');
}

static bool add_markdown(struct strbuf *out, const char *start, const struct piece *piece)
{
	const char *at = piece->at, *entity = html_entity(*at);

	if (piece->hidden || piece->code >= 0x80)
		return false;
	if (entity)
		strbuf_adds(out, entity);
	else if (starts_link(start, at))
		strbuf_addf(out, "%c&#8203;", *at);
	else if (*at == '.' && follows(start, at, "www"))
		strbuf_adds(out, "&#8203;.");
	else if (*at == '$')
		strbuf_adds(out, "<span>$</span>");
	else if (*at == ' ' && at == start)
		strbuf_adds(out, "&#32;");
	else if (strchr("\\`*_~[]|", *at) || opens_block(start, at))
		strbuf_addf(out, "\\%c", *at);
	else
		strbuf_addc(out, *at);
	return true;
}

void escape_markdown(struct strbuf *out, const char *s)
{
	escape(out, s, add_markdown);
}

void escape_code_span(struct strbuf *out, const char *s)
{
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;
	size_t fence = 0;
	bool pad;

	escape_terminal(&shown, s);
	if (!shown.len || strchr(shown.buf, '|')) {
		strbuf_adds(out, "<code>");
		for (s = shown.buf; *s; s++)
			if ((unsigned char)*s >= 0x80 || is_alnum(*s) || *s == ' ')
				strbuf_addc(out, *s);
			else
				strbuf_addf(out, "&#%d;", *s);
		strbuf_adds(out, "</code>");
		return;
	}
	for (size_t i = 0; i < shown.len; i++) {
		size_t run = strspn(shown.buf + i, "`");

		fence = run > fence ? run : fence;
	}
	/* Markdown strips one blank on each side. It separates fence and text. */
	pad = strchr("` ", shown.buf[0]) || strchr("` ", shown.buf[shown.len - 1]);
	strbuf_pad(out, '`', fence + 1);
	strbuf_pad(out, ' ', pad);
	strbuf_adds(out, shown.buf);
	strbuf_pad(out, ' ', pad);
	strbuf_pad(out, '`', fence + 1);
}

static bool add_message(struct strbuf *out, const char *start, const struct piece *piece)
{
	(void)start;
	if (!strchr("%\r\n", *piece->at))
		return false;
	strbuf_addf(out, "%%%02X", (unsigned)*piece->at);
	return true;
}

static bool add_property(struct strbuf *out, const char *start, const struct piece *piece)
{
	if (*piece->at != ':' && *piece->at != ',')
		return add_message(out, start, piece);
	strbuf_addf(out, "%%%02X", (unsigned)*piece->at);
	return true;
}

void escape_annotation(struct strbuf *out, const char *s, int property)
{
	escape(out, s, property ? add_property : add_message);
}

/* Uses octal, which takes exactly three digits whatever follows. */
static bool add_dollar_quoted(struct strbuf *out, const char *start, const struct piece *piece)
{
	(void)start;
	for (size_t i = 0; piece->hidden && i < piece->len; i++)
		strbuf_addf(out, "\\%03o", (unsigned)(unsigned char)piece->at[i]);
	if (!piece->hidden && strchr("'\\", *piece->at))
		strbuf_addc(out, '\\');
	return piece->hidden;
}

void escape_shell(struct strbuf *out, const char *s)
{
	struct reader reader = { s, s, false };
	bool hidden = false;
	struct piece piece;

	while (!hidden && next_piece(&reader, &piece))
		hidden = piece.hidden;
	if (hidden) {
		strbuf_adds(out, "$'");
		escape(out, s, add_dollar_quoted);
	} else if (text_made_of(s, "_@%+=:,./-")) {
		strbuf_adds(out, s);
		return;
	} else {
		strbuf_addc(out, '\'');
		for (; *s; s++)
			strbuf_addf(out, *s == '\'' ? "'\\''" : "%c", *s);
	}
	strbuf_addc(out, '\'');
}

void escape_shell_words(struct strbuf *out, const struct strv *words)
{
	for (size_t i = 0; i < words->n; i++) {
		if (i)
			strbuf_addc(out, ' ');
		escape_shell(out, words->items[i]);
	}
}

bool escape_shell_split(const char *line, struct strv *out)
{
	static const char blanks[] = " \t\n";
	char quote = '\0';

	while (*(line += strspn(line, blanks))) {
		struct strbuf word = STRBUF_INIT;
		bool dollar = false;

		while (*line && (quote || !strchr(blanks, *line))) {
			if (!quote && line[0] == '$' && line[1] == '\'') {
				dollar = true;
				line++;
			} else if (quote ? *line == quote : *line == '\'' || *line == '"') {
				quote = quote ? '\0' : *line;
				dollar = dollar && quote;
				line++;
			} else if (*line == '\\' && line[1] && (!quote || dollar || (quote == '"' && strchr("\"\\$`", line[1])))) {
				unsigned code = 0;

				line++;
				if (!dollar || *line < '0' || *line > '7')
					code = (unsigned char)*line++;
				else	/* three octal digits */
					for (; *line >= '0' && *line <= '7'; line++)
						code = code * 8 + (unsigned)(*line - '0');
				strbuf_addc(&word, (char)code);
			} else {
				strbuf_addc(&word, *line++);
			}
		}
		strv_take(out, strbuf_take(&word));
	}
	return !quote;
}

/* -------- the parts of a path */

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

char *path_parent(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	return xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
}

void path_tidy(char *path)
{
	char *from = path + (*path == '/'), *out = from, *keep = from;	/* ".." removes nothing before KEEP */

	for (const char *at = from; *at;) {
		size_t len = strcspn(at, "/");
		bool up = len == 2 && at[0] == '.' && at[1] == '.';

		if (up && out > keep) {
			while (out > keep && *--out != '/')
				;
		} else if (len && !(len == 1 && *at == '.') && !(up && from > path)) {
			if (out > from)
				*out++ = '/';
			memmove(out, at, len);
			out += len;
			keep = up ? out : keep;
		}
		at += len;
		at += *at == '/';
	}
	*out = '\0';
}

const char *path_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	if (!strcmp(folder, "/"))
		return path + 1;
	if (strncmp(path, folder, len) || (path[len] && path[len] != '/'))
		return NULL;
	return path + len + (path[len] == '/');
}

/* -------- a hash (FNV-1a) */

uint64_t fnv_bytes(uint64_t from, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < len; i++)
		from = (from ^ at[i]) * 0x100000001b3u;
	return from;
}

uint64_t fnv_text(uint64_t from, const char *text)
{
	return fnv_bytes(from, text, strlen(text));
}

/* -------- prose */

static void break_line(struct strbuf *out, unsigned indent)
{
	strbuf_trim_end(out, " ");
	strbuf_addc(out, '\n');
	strbuf_pad(out, ' ', indent);
}

static void add_line(struct strbuf *out, const char *line, unsigned indent, unsigned width)
{
	size_t column = indent;

	while (*line) {
		size_t len = strcspn(line, " "), columns;
		CLEANUP(free_ptr) char *word = xstrndup(line, len);

		columns = utf8_width(word);
		if (column > indent && column + columns > width) {
			break_line(out, indent);
			column = indent;
		}
		if (column == indent && escape_is_command(line))
			strbuf_addc(out, '\\');
		strbuf_adds(out, word);
		line += len;
		column += columns;
		if (*line) {
			strbuf_addc(out, *line++);
			column++;
		}
	}
}

void prose_add(struct strbuf *out, const char *text, unsigned indent, unsigned width)
{
	while (true) {
		size_t len = strcspn(text, "\n");
		CLEANUP(free_ptr) char *line = xstrndup(text, len);
		CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

		escape_terminal(&shown, line);
		add_line(out, shown.buf, indent, width);
		text += len;
		if (!text[0] || !text[1])
			break;
		break_line(out, indent);
		text++;
	}
	strbuf_addc(out, '\n');
}
