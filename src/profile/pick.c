#include "profile/pick.h"

#include <string.h>

#include "base/cleanup.h"
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

static bool of_event(const struct stacks *from, const struct stack *s, const void *of)
{
	(void)from;
	return s->event == *(const uint32_t *)of;
}

void pick_stacks(const struct stacks *from, uint32_t event, struct stacks *to)
{
	stacks_event(to, event_name(from, event), strlen(event_name(from, event)));
	stacks_merge_some(to, from, of_event, &event);
}

static bool of_other_thread(const struct stacks *from, const struct stack *s, const void *of)
{
	return strcmp(stacks_text(from, s->comm), of) != 0;
}

void pick_other_threads(const struct stacks *from, const char *thread, struct stacks *to)
{
	for (size_t i = 0; i < from->n_events; i++)
		stacks_event(to, event_name(from, i), strlen(event_name(from, i)));
	stacks_merge_some(to, from, of_other_thread, thread);
}
