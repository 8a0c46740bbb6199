#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

struct range {
	uint32_t first, last;
};

/* Combining marks, joiners and variation selectors: drawn onto the character before them. */
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

/* The length that the first byte announces, and the bits of the code point it holds. */
static size_t announced(unsigned char first, uint32_t *bits_out)
{
	static const struct {
		unsigned char mask, lead;
	} forms[] = {{0x80, 0x00}, {0xe0, 0xc0}, {0xf0, 0xe0}, {0xf8, 0xf0}};

	for (size_t i = 0; i < 4; i++) {
		if ((first & forms[i].mask) != forms[i].lead)
			continue;
		*bits_out = first & (unsigned char)~forms[i].mask;
		return i + 1;
	}
	return 0;
}

size_t utf8_decode(const char *s, uint32_t *code_out)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t code = 0;
	size_t len = announced((unsigned char)s[0], &code);

	/* A terminating NUL is no continuation byte, so the loop ends there. */
	for (size_t i = 1; i < len; i++) {
		unsigned char byte = (unsigned char)s[i];

		if ((byte & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (byte & 0x3f);
	}
	if (!len || code < least[len] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
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
