/* Stacks with hostile names, several threads and kernel frames, for writers of other viewers' files. */
#ifndef PAWL_TESTS_EXCHANGE_SAMPLES_H
#define PAWL_TESTS_EXCHANGE_SAMPLES_H

#include <string.h>

#include "base/mem.h"
#include "profile/names.h"
#include "profile/stacks.h"

struct exchange_stack {
	const char *event, *thread;
	const char *frames;	/* "name@file;name@file", the root first */
	uint64_t samples;
	double weight;
};

#define CLOCK "cpu-clock"

static const struct exchange_stack exchange_plain[] = {
	{ CLOCK, "app", "main@/bin/app;work@/bin/app", 3, 3000001 },
	{ CLOCK, "app", "main@/bin/app;work@/bin/app;sys_read@[kernel.kallsyms]", 2, 2000002 },
	{ CLOCK, "pool", "main@/bin/app;[unknown]@/lib/libz.so.1", 1, 1000003 },
	{ CLOCK, "pool", "", 1, 1000004 },
	{ CLOCK, "app", "[unknown]@[unknown]", 1, 5 },
}, exchange_hostile[] = {
	{ CLOCK, "\xff\xfe", "\xc3(@/bin/\x80;a\"b\\c\n\t\x1b[31m@/bin/x y;</script>@/bin/'", 1, 7 },
	{ CLOCK, "\xed\xa0\x80", "\xf0\x9f\x98@/b;\xe2\x82\xac@/b;%s%n@/b", 2, 11 },
	{ CLOCK, "", "\xc0\xaf@/b;\x7f\xc2\x80@\xff", 3, 13 },
	{ CLOCK, "#sh;x", "std::map<int, char>::find(int const&)@/b", 4, 17 },
}, exchange_decimals[] = {
	{ "ms", "t", "a@/b", 1, 0.4 }, { "ms", "t", "b@/b", 1, 0.4 }, { "ms", "t", "c@/b", 1, 0.4 }, { "ms", "t", "d@/b", 1, 1.8 },
}, exchange_large[] = {
	{ "cycles", "t", "a@/b", 1, 9007199254740000 }, { "cycles", "t", "a@/b;c@/b", 1, 991 },
}, exchange_memory[] = {
	{ "bytes", "t", "main@/b;malloc@/b", 1, 4096 }, { "bytes", "t", "main@/b", 1, 1 },
}, exchange_waiting[] = {
	{ "waiting", "t", "main@/b;futex@[kernel.kallsyms]", 1, 4096 },
};

#define EXCHANGE_ROW(rows) { #rows, exchange_##rows, sizeof exchange_##rows / sizeof exchange_##rows[0] }
static const struct { const char *name; const struct exchange_stack *rows; size_t n; } exchange_all[] = {
	EXCHANGE_ROW(plain), EXCHANGE_ROW(hostile), EXCHANGE_ROW(decimals), EXCHANGE_ROW(large), EXCHANGE_ROW(memory), EXCHANGE_ROW(waiting),
};

static inline size_t exchange_frames(struct stacks *out, const char *text, uint32_t *frames)
{
	size_t n = 0;

	for (size_t len; *text; text += len + (text[len] == ';')) {
		const char *at = strchr(text, '@');
		CLEANUP(free_ptr) char *dso = NULL;

		len = strcspn(text, ";");
		dso = xstrndup(at + 1, (size_t)(text + len - at - 1));
		frames[n++] = stacks_frame_of(out, text, (size_t)(at - text), dso);
	}
	return n;
}

static inline void exchange_stacks(const struct exchange_stack *rows, size_t n, struct stacks *out)
{
	uint32_t frames[8];

	for (size_t i = 0; i < n; i++) {
		size_t depth = exchange_frames(out, rows[i].frames, frames);

		stacks_add(out, (struct stack_sample){ stacks_event(out, rows[i].event, strlen(rows[i].event)),
			   stacks_string(out, rows[i].thread, strlen(rows[i].thread)), frames, depth, rows[i].samples, rows[i].weight });
	}
	names_resolve(out);
}

#endif
