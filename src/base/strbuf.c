#include "base/strbuf.h"

#include "base/mem.h"

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

void strbuf_truncate(struct strbuf *sb, size_t len)
{
	if (len < sb->len) {
		sb->len = len;
		sb->buf[len] = '\0';
	}
}

bool strbuf_ends_with(const struct strbuf *sb, const char *suffix)
{
	size_t len = strlen(suffix);

	return sb->len >= len && !memcmp(sb->buf + sb->len - len, suffix, len);
}
