#include "profile/line_cache.h"

#include <string.h>

#include "base/mem.h"

struct line_cache *line_cache_new(void)
{
	return xcalloc(1, sizeof(struct line_cache));
}

static uint64_t word_at(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof word);
	return word;
}

/* Both halves of the product: the upper bits of each factor count too. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)(a ^ 0x9e3779b97f4a7c15ull) * (b ^ 0xff51afd7ed558ccdull);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash(const char *text, size_t len)
{
	uint64_t h = len, word = 0;
	size_t at = 0;

	if (len < 8) {
		memcpy(&word, text, len);
		return mix(word, h);
	}
	for (; at + 16 < len; at += 16)
		h = mix(word_at(text + at) ^ h, word_at(text + at + 8));
	/* The last words may overlap what was taken already. */
	return mix(word_at(text + (at + 8 < len ? at : len - 8)) ^ h, word_at(text + len - 8));
}

struct line_slot *line_cache_slot(struct line_cache *cache, const char *text, size_t len)
{
	return &cache->slots[hash(text, len) % LINE_CACHE_SLOTS];
}

bool line_slot_holds(const struct line_slot *slot, const char *text, size_t len)
{
	return slot->len == len && !memcmp(slot->text, text, len);
}

void line_slot_set(struct line_slot *slot, const char *text, size_t len, uint32_t number)
{
	slot->number = number;
	slot->len = (uint32_t)len;
	memcpy(slot->text, text, len);
}
