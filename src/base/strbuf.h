/*
 * Text that grows. Start with STRBUF_INIT, append, read .buf (always terminated, never NULL),
 * end with strbuf_release(), or hand the text on with strbuf_take().
 */
#ifndef PAWL_BASE_STRBUF_H
#define PAWL_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

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
void strbuf_truncate(struct strbuf *sb, size_t len);

bool strbuf_ends_with(const struct strbuf *sb, const char *suffix);

#endif
