#include "base/fnv.h"

#include <string.h>

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
