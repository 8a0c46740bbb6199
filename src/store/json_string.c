#include "store/json_string.h"

#include <stdint.h>

#include "base/utf8.h"

int json_text_fail(const struct json_text *in, size_t at, const char *fmt, ...)
{
	char text[512];
	unsigned line = 1;
	size_t line_start = 0;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	for (size_t i = 0; i < at; i++) {
		if (in->text[i] != '\n')
			continue;
		line++;
		line_start = i + 1;
	}
	error_set(in->err, ERR_INPUT, "%s", text);
	return error_at(in->err, in->path, line, (unsigned)(at - line_start) + 1);
}

int json_text_expected(const struct json_text *in, const char *what)
{
	unsigned char c;

	if (in->pos >= in->len)
		return json_text_fail(in, in->pos, "expected %s, found the end of the file", what);
	c = (unsigned char)in->text[in->pos];
	if (c > ' ' && c < 0x7f)
		return json_text_fail(in, in->pos, "expected %s, found '%c'", what, c);
	return json_text_fail(in, in->pos, "expected %s, found byte 0x%02x", what, c);
}

/* The text has an end but no NUL there, which is what utf8_decode() stops at. */
static size_t character_length(const struct json_text *in)
{
	size_t left = in->len - in->pos;
	char bytes[5] = "";
	uint32_t code;

	if ((unsigned char)in->text[in->pos] < 0x80)
		return 1;
	memcpy(bytes, in->text + in->pos, left < 4 ? left : 4);
	return utf8_decode(bytes, &code);
}

static void add_character(struct strbuf *out, uint32_t c)
{
	char bytes[4];
	size_t n = 0;

	if (c < 0x80) {
		bytes[n++] = (char)c;
	} else if (c < 0x800) {
		bytes[n++] = (char)(0xc0 | c >> 6);
	} else if (c < 0x10000) {
		bytes[n++] = (char)(0xe0 | c >> 12);
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	} else {
		bytes[n++] = (char)(0xf0 | c >> 18);
		bytes[n++] = (char)(0x80 | (c >> 12 & 0x3f));
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	}
	if (c >= 0x80)
		bytes[n++] = (char)(0x80 | (c & 0x3f));
	strbuf_add(out, bytes, n);
}

static int scan_hex4(struct json_text *in, uint32_t *out)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	uint32_t value = 0;

	for (int i = 0; i < 4; i++, in->pos++) {
		const char *digit = in->pos < in->len ? memchr(digits, in->text[in->pos], sizeof digits - 1) : NULL;

		if (!digit)
			return json_text_expected(in, "four hexadecimal digits after \\u");
		value = value << 4 | (uint32_t)((digit - digits) & 0xf);
	}
	*out = value;
	return 0;
}

/* Behind "\u"; AT is the backslash. */
static int scan_unicode(struct json_text *in, size_t at, uint32_t *out)
{
	uint32_t high, low;

	if (scan_hex4(in, &high) < 0)
		return -1;
	if (!high)
		return json_text_fail(in, at, "a string holds the character NUL (\\u0000)");
	*out = high;
	if (high < 0xd800 || high > 0xdfff)
		return 0;
	if (high > 0xdbff || in->len - in->pos < 6 || in->text[in->pos] != '\\' || in->text[in->pos + 1] != 'u')
		return json_text_fail(in, at, "a string holds half of a surrogate pair (\\u%04x)", high);
	in->pos += 2;
	if (scan_hex4(in, &low) < 0)
		return -1;
	if (low < 0xdc00 || low > 0xdfff)
		return json_text_fail(in, at, "a string holds half of a surrogate pair (\\u%04x)", high);
	*out = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
	return 0;
}

/* At a backslash. */
static int scan_escape(struct json_text *in, struct strbuf *out)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	size_t at = in->pos++;
	const char *letter;
	uint32_t c = 0;

	letter = in->pos < in->len ? memchr(letters, in->text[in->pos], sizeof letters - 1) : NULL;
	if (letter) {
		c = (unsigned char)meant[letter - letters];
		in->pos++;
	} else if (in->pos < in->len && in->text[in->pos] == 'u') {
		in->pos++;
		if (scan_unicode(in, at, &c) < 0)
			return -1;
	} else {
		return json_text_expected(in, "one of \" \\ / b f n r t u after a backslash");
	}
	if (out)
		add_character(out, c);
	return 0;
}

static int scan_plain(struct json_text *in, struct strbuf *out)
{
	size_t from = in->pos;

	while (in->pos < in->len && in->text[in->pos] != '"' && in->text[in->pos] != '\\') {
		size_t n = character_length(in);
		unsigned char c = (unsigned char)in->text[in->pos];

		if (!n)
			return json_text_fail(in, in->pos, "a string holds byte 0x%02x, which is not valid UTF-8", c);
		if (c < ' ')
			return json_text_fail(in, in->pos, "a string holds the control character 0x%02x; write \\u%04x",
					      c, c);
		in->pos += n;
	}
	if (out)
		strbuf_add(out, in->text + from, in->pos - from);
	return 0;
}

int json_string_scan(struct json_text *in, struct strbuf *out)
{
	for (;;) {
		if (scan_plain(in, out) < 0)
			return -1;
		if (in->pos >= in->len)
			return json_text_expected(in, "'\"'");
		if (in->text[in->pos] == '"') {
			in->pos++;
			return 0;
		}
		if (scan_escape(in, out) < 0)
			return -1;
	}
}
