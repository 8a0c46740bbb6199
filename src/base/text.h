/* Text: lists, growing buffers, UTF-8, escaping, paths. Letters and digits are those of ASCII in every locale. */
#ifndef PAWL_BASE_TEXT_H
#define PAWL_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A list of strings that owns them. It is NULL-terminated, so that .items serves as an argv. Start with STRV_INIT, end
 * with strv_release(). .items is NULL while the list is empty.
 */
struct strv {
	char **items;
	size_t n, cap;
};

#define STRV_INIT { 0 }

void strv_release(struct strv *list);
void strv_push(struct strv *list, const char *s);
void strv_push_all(struct strv *list, const char *const *words);	/* up to the final NULL */
#define ARGV(...) ((const char *const[]){ __VA_ARGS__, NULL })
void strv_pushf(struct strv *list, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strv_take(struct strv *list, char *s);		/* takes ownership of S */
void strv_copy(struct strv *list, const struct strv *from);	/* appends copies */
void strv_shorten(struct strv *list, size_t n);	/* truncates to N items */
void strv_sort(struct strv *list);
bool strv_has(const struct strv *list, const char *s);
void strv_push_new(struct strv *list, const char *s);	/* unless the list has it */
bool strv_equal(const struct strv *a, const struct strv *b);

/*
 * A growing text. Start with STRBUF_INIT, append, read .buf (always terminated, never NULL). End with
 * strbuf_release(), or hand the text on with strbuf_take().
 */
struct strbuf {
	char *buf;
	size_t len, cap;
};

extern char strbuf_empty[];
#define STRBUF_INIT { .buf = strbuf_empty }

void strbuf_release(struct strbuf *sb);		/* back to empty */
void strbuf_reset(struct strbuf *sb);		/* empties it, keeps the memory */
char *strbuf_take(struct strbuf *sb);		/* the text, for free(); sb is empty afterwards */
void strbuf_reserve(struct strbuf *sb, size_t extra);
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
void strbuf_adds(struct strbuf *sb, const char *s);
void strbuf_addc(struct strbuf *sb, char c);
void strbuf_pad(struct strbuf *sb, char c, size_t n);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list args);
char *text_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));	/* a new text, for free() */
void strbuf_truncate(struct strbuf *sb, size_t len);
void strbuf_cut_start(struct strbuf *sb, size_t len);	/* removes the first LEN bytes */
/* Appends ITEMS with ", " between them: the first MOST, and "and 3 more". */
void strbuf_list(struct strbuf *sb, const struct strv *items, size_t most);
bool strbuf_ends_with(const struct strbuf *sb, const char *suffix);
void strbuf_trim_end(struct strbuf *sb, const char *chars);	/* removes all of these at the end */

static inline bool text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* True if TEXT has only letters, digits and the characters of EXTRA, and at least one. */
bool text_made_of(const char *text, const char *extra);
/* Returns the length of a UTF-8 byte order mark, which some editors put at the start of a file: 3 or 0. */
size_t text_byte_order_mark(const char *text, size_t len);
bool text_starts(const char *text, const char *with);
bool text_starts_within(const char *text, size_t len, const char *with);	/* TEXT need not end in a NUL */
bool text_ends(const char *text, size_t len, const char *with);
/* True if TEXT is PATTERN, whose '*' at the end stands for any rest; or one of PATTERNS, up to the final NULL. */
bool text_matches(const char *text, const char *pattern);
bool text_matches_any(const char *text, const char *const *patterns);
#define TEXT_IS(text, ...) text_matches_any((text), ARGV(__VA_ARGS__))
/* True if the LEN bytes of WORD are one of WORDS, up to the final NULL. */
bool text_one_of(const char *word, size_t len, const char *const *words);
/* True if WORD is one of those in the LEN bytes of LIST, which SEPARATOR parts. */
bool text_has_word(const char *list, size_t len, char separator, const char *word);
/*
 * Cuts the next line off the text from *AT to END: returns it, and in *LEN its length without the newline. NULL at the
 * end. Blank lines count.
 */
const char *text_next_line(const char **at, const char *end, size_t *len);
bool text_same(const char *a, const char *b);	/* NULL equals only NULL */

/* UTF-8 as characters and as terminal columns, in every locale. */

/*
 * Decodes the character at S, which must not be at its end. Returns its length in bytes (1 to 4) and writes its code point;
 * returns 0, writing nothing, if the bytes are not valid UTF-8.
 */
size_t utf8_decode(const char *s, uint32_t *code_out);
/* Returns the columns that a terminal uses for S. An invalid byte counts as one. */
size_t utf8_width(const char *s);
/* Returns the length of the longest prefix of S within MAX bytes that does not split a character. */
size_t utf8_clip(const char *s, size_t max);

/*
 * Escapes untrusted text (names, commits, symbols, notes, log lines) for an output format. All make these visible (\x1b,
 * \u{202e}): control characters, characters that reorder or hide text or look empty, invalid UTF-8, and commands of
 * GitHub's log: ##[, and a :: that begins S, even after Unicode white space.
 */

void escape_terminal(struct strbuf *out, const char *s);	/* one line: a newline is shown as \n */
void escape_lines(struct strbuf *out, const char *text);	/* each line of TEXT; newlines stay */
/* True if GitHub would take LINE for a command. For callers that split a text into lines after escape_terminal(). */
bool escape_is_command(const char *line);
/* True if a reader can see the character: it is neither white space nor hidden. */
bool escape_is_visible(uint32_t code);
/* Writes a quoted JSON string that reads back as S. An invalid byte becomes U+FFFD. */
void escape_json(struct strbuf *out, const char *s);
void escape_html(struct strbuf *out, const char *s);		/* text and attribute values, HTML and XML */
/* Inline Markdown, also for table cells: no markup, mention, link, emoji or HTML. */
void escape_markdown(struct strbuf *out, const char *s);
/* A code span that shows S unchanged, inside and outside tables. */
void escape_code_span(struct strbuf *out, const char *s);
/* GitHub's workflow commands: escapes % and newline; with PROPERTY also , and :. */
void escape_annotation(struct strbuf *out, const char *s, int property);
/* One word of a shell command line, quoted only if needed. Control characters use $'...'. */
void escape_shell(struct strbuf *out, const char *s);
/* All of WORDS as shell words, separated by blanks. */
void escape_shell_words(struct strbuf *out, const struct strv *words);
/* Splits LINE, from escape_shell_words() or typed, into words, without substitutions. False if a quotation is not closed. */
bool escape_shell_split(const char *line, struct strv *out);

/* FNV-1a, 64 bits, no help against deliberate collisions. Begin with FNV_START and pass each result to the next call. */
#define FNV_START 0xcbf29ce484222325u
uint64_t fnv_bytes(uint64_t from, const void *bytes, size_t len);
/* Hashes TEXT without its final NUL. */
uint64_t fnv_text(uint64_t from, const char *text);

/* Parts of a path, as text only: the file system is not read and links are not followed. */

/* Returns the last part, or the whole PATH if it ends in a slash. */
const char *path_name(const char *path);
/* Returns the folder of PATH: "." for a bare name, "/" for a file in the root; for free(). */
char *path_parent(const char *path);
/* Returns the rest of PATH after FOLDER, "" for FOLDER itself; NULL if PATH is not below it. FOLDER has no final slash. */
const char *path_below(const char *path, const char *folder);
/* Removes "." and ".." from PATH in place, without following links. */
void path_tidy(char *path);

/* Wraps TEXT, which is foreign, at WIDTH, on a line already begun up to column INDENT. Longer words stick out. */
void prose_add(struct strbuf *out, const char *text, unsigned indent, unsigned width);

#endif
