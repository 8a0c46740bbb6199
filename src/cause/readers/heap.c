#include "cause/readers/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "profile/folded.h"
#include "profile/names.h"

/* Returns the length of "table_init" in "table_init (table.c)": the last parentheses after a blank hold the source. */
static size_t bare_len(const char *name)
{
	size_t len = strlen(name);
	const char *open = len && name[len - 1] == ')' ? memrchr(name, '(', len) : NULL;

	return open && open > name + 1 && open[-1] == ' ' ? (size_t)(open - 1 - name) : len;
}

static int by_key(const void *a, const void *b)
{
	return strcmp((*(const struct code *const *)a)->key, (*(const struct code *const *)b)->key);
}

static const char *object_of(const struct code **codes, size_t n, const char *key)
{
	const struct code wanted = { .key = key }, *of = &wanted, **found = bsearch(&of, codes, n, sizeof *codes, by_key);

	return found ? (*found)->object : "";
}

static void place_folded(const struct stacks *from, const struct work *work, struct stacks *out)
{
	CLEANUP(free_ptr) const struct code **codes = xcalloc(work->n_functions + 1, sizeof *codes);
	CLEANUP(free_ptr) uint32_t *numbers = xcalloc(from->n_frames + 1, sizeof *numbers);
	CLEANUP(free_ptr) uint32_t *frames = xcalloc(from->n_pool + 1, sizeof *frames);
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT, key = STRBUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < work->n_functions; i++)
		if (work->functions[i].code.own)
			codes[n++] = &work->functions[i].code;
	qsort(codes, n, sizeof *codes, by_key);
	for (size_t i = 0; i < from->n_frames; i++) {
		const char *name = stacks_text(from, from->frames[i].name);
		CLEANUP(free_ptr) char *bare = xstrndup(name, bare_len(name));

		strbuf_reset(&shown);
		strbuf_reset(&key);
		name_shown(bare, false, &shown);
		name_comparable(shown.buf, "", &key);
		numbers[i] = stacks_frame_of(out, bare, strlen(bare), object_of(codes, n, key.buf));
	}
	for (size_t i = 0; i < from->n_pool; i++)
		frames[i] = numbers[from->pool[i]];
	for (size_t i = 0; i < from->n; i++) {
		const struct stack *s = &from->items[i];
		const char *event = stacks_text(from, from->events[s->event].name);

		stacks_add(out, (struct stack_sample){ stacks_event(out, event, strlen(event)), 0, frames + s->first, s->n, s->samples, s->weight });
	}
}

int heap_folded_read(const char *text, size_t len, const struct work *work, struct stacks *out, struct error *err)
{
	CLEANUP(stacks_release) struct stacks raw = STACKS_INIT;

	if (folded_read(text, len, &raw, err) < 0)
		return -1;
	place_folded(&raw, work, out);
	names_resolve(out);
	return 0;
}
