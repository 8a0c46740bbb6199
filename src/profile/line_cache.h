/*
 * Numbers of lines seen lately, in memory of fixed size: the frames of a profile repeat a hundred times, so what
 * a line means is looked up instead of being parsed again. A line may be forgotten at any time, and one longer
 * than LINE_CACHE_LONGEST is never kept.
 *
 *	struct line_slot *slot = line_cache_slot(cache, text, len);
 *	if (!line_slot_holds(slot, text, len))
 *		line_slot_set(slot, text, len, number);
 *	use(slot->number);
 */
#ifndef PAWL_PROFILE_LINE_CACHE_H
#define PAWL_PROFILE_LINE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_CACHE_LONGEST = 120, LINE_CACHE_SLOTS = 8192 };

struct line_slot {
	uint32_t number;
	uint32_t len;			/* 0: free */
	char text[LINE_CACHE_LONGEST];
};

struct line_cache {
	struct line_slot slots[LINE_CACHE_SLOTS];
};

struct line_cache *line_cache_new(void);	/* for free() */
/* The only place where a line of 1 to LINE_CACHE_LONGEST bytes can stand. */
struct line_slot *line_cache_slot(struct line_cache *cache, const char *text, size_t len);
bool line_slot_holds(const struct line_slot *slot, const char *text, size_t len);
void line_slot_set(struct line_slot *slot, const char *text, size_t len, uint32_t number);

#endif
