#include "profile/pick.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"

static const char *event_name(const struct stacks *stacks, size_t event)
{
	return stacks_text(stacks, stacks->events[event].name);
}

/* "cycles" is "cycles:u" too, as perf calls it where only user space may be counted. */
static bool is_called(const char *event, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(event, name, len) && (!event[len] || (event[len] == ':' && !strchr(name, ':')));
}

static size_t most_samples(const struct stacks *stacks)
{
	size_t most = 0;

	for (size_t i = 1; i < stacks->n_events; i++)
		if (stacks->events[i].samples > stacks->events[most].samples)
			most = i;
	return most;
}

int pick_event(const struct stacks *stacks, const char *name, uint32_t *event_out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	if (!name) {
		*event_out = (uint32_t)most_samples(stacks);
		return 0;
	}
	for (size_t i = 0; i < stacks->n_events; i++) {
		if (is_called(event_name(stacks, i), name)) {
			*event_out = (uint32_t)i;
			return 0;
		}
		strbuf_addf(&names, "%s%s", i ? ", " : "", event_name(stacks, i));
	}
	return error_set(err, ERR_INPUT, "there is no event '%.60s' in it, only %.1000s", name, names.buf);
}

static uint32_t same_string(struct stacks *to, const struct stacks *from, uint32_t string)
{
	const char *text = stacks_text(from, string);

	return stacks_string(to, text, strlen(text));
}

static uint32_t same_frame(struct stacks *to, const struct stacks *from, uint32_t frame)
{
	uint32_t name = same_string(to, from, from->frames[frame].name), dso = same_string(to, from, from->frames[frame].dso);

	return stacks_frame(to, name, dso);
}

typedef bool wanted_fn(const struct stacks *from, const struct stack *s, const void *of);

static void copy_stacks(const struct stacks *from, wanted_fn *wanted, const void *of, struct stacks *to)
{
	uint32_t *frames = NULL;
	size_t room = 0;

	for (size_t i = 0; i < from->n; i++) {
		const struct stack *s = &from->items[i];
		const char *event = event_name(from, s->event);

		if (!wanted(from, s, of))
			continue;
		if (s->n > room)
			frames = xrealloc_array(frames, room = s->n, sizeof *frames);
		for (size_t k = 0; k < s->n; k++)
			frames[k] = same_frame(to, from, from->pool[s->first + k]);
		stacks_add(to, stacks_event(to, event, strlen(event)), same_string(to, from, s->comm), frames, s->n, s->samples,
			   s->weight);
	}
	to->lost += from->lost;
	free(frames);
}

static bool of_event(const struct stacks *from, const struct stack *s, const void *of)
{
	(void)from;
	return s->event == *(const uint32_t *)of;
}

void pick_stacks(const struct stacks *from, uint32_t event, struct stacks *to)
{
	stacks_event(to, event_name(from, event), strlen(event_name(from, event)));
	copy_stacks(from, of_event, &event, to);
}

static bool of_other_thread(const struct stacks *from, const struct stack *s, const void *of)
{
	return strcmp(stacks_text(from, s->comm), of) != 0;
}

void pick_other_threads(const struct stacks *from, const char *thread, struct stacks *to)
{
	for (size_t i = 0; i < from->n_events; i++)
		stacks_event(to, event_name(from, i), strlen(event_name(from, i)));
	copy_stacks(from, of_other_thread, thread, to);
}
