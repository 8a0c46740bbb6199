#include "judge/judge.h"

#include <string.h>

#include "base/mem.h"
#include "profile/evidence.h"

const struct change *touch_find(const struct changes *changes, const struct code *code, const struct work *base,
				const struct work *head, enum touch *how_out)
{
	(void)base;
	(void)head;
	*how_out = TOUCH_NONE;
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->items[i];

		if (change->function && !strcmp(change->function, code->function)) {
			*how_out = TOUCH_BODY;
			return change;
		}
	}
	return NULL;
}

const char *touch_text(struct arena *arena, const struct change *change)
{
	const struct strv *lines = change->now.n ? &change->now : &change->before;

	return arena_printf(arena, "%s:%u: %s", change->path, change->n_lines ? change->line : change->base_line,
			    lines->n ? lines->items[0] : "");
}
