/* Text: lists of it, what grows, UTF-8, escaping, paths. Letters and digits are those of ASCII, whatever the locale. */
#ifndef PAWL_BASE_TEXT_H
#define PAWL_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A list of strings that owns them, kept NULL-terminated so that .items serves as an argv.
 * Start with STRV_INIT, end with strv_release(). .items is NULL while the list is empty.
 */
struct strv {
	char **items;
	size_t n, cap;
};

#define STRV_INIT { 0 }

void strv_release(struct strv *list);
void strv_push(struct strv *list, const char *s);
void strv_push_all(struct strv *list, const char *const *words);	/* to the NULL behind the last one */
void strv_pushf(struct strv *list, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strv_take(struct strv *list, char *s);		/* takes ownership of S */
void strv_copy(struct strv *list, const struct strv *from);	/* appends copies */
void strv_shorten(struct strv *list, size_t n);	/* to the first N, where there are more */
void strv_sort(struct strv *list);
bool strv_has(const struct strv *list, const char *s);
void strv_push_new(struct strv *list, const char *s);	/* unless it is there */
bool strv_equal(const struct strv *a, const struct strv *b);

/*
 * Text that grows. Start with STRBUF_INIT, append, read .buf (always terminated, never NULL),
 * end with strbuf_release(), or hand the text on with strbuf_take().
 */
struct strbuf {
	char *buf;
	size_t len, cap;
};

extern char strbuf_empty[];
#define STRBUF_INIT { .buf = strbuf_empty }

void strbuf_release(struct strbuf *sb);		/* back to empty */
void strbuf_reset(struct strbuf *sb);		/* empty, memory kept */
char *strbuf_take(struct strbuf *sb);		/* the text, for free(); sb is empty afterwards */
void strbuf_reserve(struct strbuf *sb, size_t extra);
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
void strbuf_adds(struct strbuf *sb, const char *s);
void strbuf_addc(struct strbuf *sb, char c);
void strbuf_pad(struct strbuf *sb, char c, size_t n);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list args);
char *text_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));	/* alone, for free() */
void strbuf_truncate(struct strbuf *sb, size_t len);
bool strbuf_ends_with(const struct strbuf *sb, const char *suffix);

static inline bool text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Letters, digits and the characters of EXTRA, at least one. */
bool text_made_of(const char *text, const char *extra);
/* How many bytes of TEXT are a byte order mark of UTF-8, with which editors of other systems begin a file: 3 or 0. */
size_t text_byte_order_mark(const char *text, size_t len);
bool text_starts(const char *text, const char *with);
bool text_ends(const char *text, size_t len, const char *with);
bool text_same(const char *a, const char *b);	/* NULL is like NULL alone */

/* UTF-8 as characters and as columns of a terminal, whatever the locale. */

/*
 * The character at S: its length in bytes (1 to 4) and code point; 0, writing nothing, when the
 * bytes are not valid UTF-8 (overlong forms and surrogates are not). S must not be at its end.
 */
size_t utf8_decode(const char *s, uint32_t *code_out);
/* Columns a terminal gives to S; a byte that is not UTF-8 counts as one. */
size_t utf8_width(const char *s);
/* The bytes of the longest start of S within MAX bytes that cuts no character in two. */
size_t utf8_clip(const char *s, size_t max);

/*
 * Text that came from outside (names, commits, symbols, notes, lines of logs) made harmless for the format
 * it enters. Each appends to OUT. One reader stands behind all of them: control characters, characters that
 * reorder or hide text or look like nothing, and invalid UTF-8 are made visible (\x1b, \u{202e}), never passed
 * on; so is what GitHub's log would obey wherever it is printed: a :: that S begins with, after any white
 * space of Unicode, and ##[.
 */

void escape_terminal(struct strbuf *out, const char *s);	/* one line: a newline is shown as \n */
void escape_lines(struct strbuf *out, const char *text);	/* each line of TEXT; newlines stay */
/* Whether GitHub would take LINE for a command: for those who break a text in lines behind escape_terminal(). */
bool escape_is_command(const char *line);
/* Whether a reader sees the character: neither white space nor one that must be made visible. */
bool escape_is_visible(uint32_t code);
/* A string of JSON in quotation marks that gives S again when it is read; a byte that is no UTF-8 becomes U+FFFD. */
void escape_json(struct strbuf *out, const char *s);
void escape_html(struct strbuf *out, const char *s);		/* text and attribute values, HTML and XML */
/*
 * Inline Markdown, table cells included: no markup, mention, link, emoji or HTML comes out of it.
 * GitHub may still link a commit id of the same repository.
 */
void escape_markdown(struct strbuf *out, const char *s);
/*
 * A code span that shows S as it is, with a fence longer than any run of backticks in it. A text
 * with | becomes a <code> element, which reads the same inside tables and outside.
 */
void escape_code_span(struct strbuf *out, const char *s);
/* GitHub's workflow commands: %, newline; PROPERTY also , and :. */
void escape_annotation(struct strbuf *out, const char *s, int property);
/* One word of a shell command line, quoted only where needed; control characters need $'...'. */
void escape_shell(struct strbuf *out, const char *s);
/* All of WORDS so, with a blank between them. */
void escape_shell_words(struct strbuf *out, const struct strv *words);
/*
 * Appends the words of LINE: what escape_shell_words() made, or what a person typed with blanks, quotation marks and backslashes
 * between them; nothing is replaced. False where a quotation mark is not closed.
 */
bool escape_shell_split(const char *line, struct strv *out);

/*
 * FNV-1a, 64 bits: distinguishes texts and files that nobody made alike on purpose. Begin with FNV_START; the result of one
 * call is where the next goes on.
 */
#define FNV_START 0xcbf29ce484222325u
uint64_t fnv_bytes(uint64_t from, const void *bytes, size_t len);
/* Without its final NUL. */
uint64_t fnv_text(uint64_t from, const char *text);

/* The parts of a path, as text: nothing looks at what lies there, and no link is followed. */

/* The last part; the whole PATH when it ends in a slash. */
const char *path_name(const char *path);
/* The folder that PATH lies in: "." for a bare name, "/" for what lies there; for free(). */
char *path_parent(const char *path);
/*
 * What follows FOLDER in PATH, "" for FOLDER itself; NULL when PATH does not lie below it.
 * Both are absolute, FOLDER without a final slash.
 */
const char *path_below(const char *path, const char *folder);
/* PATH, in place, without "." and ".." within it, as compilers put them: "/p/build/../src/./x.c" is "/p/src/x.c". Links are not looked at. */
void path_tidy(char *path);

#endif
