/* Profiles for tests, written as perf script output. */
#ifndef PAWL_TESTS_PROFILE_TEXT_H
#define PAWL_TESTS_PROFILE_TEXT_H

#include "base/text.h"
#include "profile/names.h"
#include "profile/script.h"
#include "profile/stacks.h"

/* Appends one sample of EVENT. FRAMES runs from the leaf, "symbol (file)", separated by '|'. "" is an empty chain. */
static inline void text_sample(struct strbuf *out, const char *comm, const char *event, unsigned period, const char *frames)
{
	strbuf_addf(out, "%s 1/1 1.500000: %u %s: \n", comm, period, event);
	for (size_t len; *frames; frames += len + (frames[len] == '|')) {
		len = strcspn(frames, "|");
		strbuf_adds(out, "\t            1000 ");
		strbuf_add(out, frames, len);
		strbuf_addc(out, '\n');
	}
	strbuf_addc(out, '\n');
}

static inline void text_samples(struct strbuf *out, unsigned n, const char *frames)
{
	for (unsigned i = 0; i < n; i++)
		text_sample(out, "t", "cpu-clock", 100, frames);
}

/* Reads TEXT into OUT and resolves the names. */
static inline void text_stacks(const char *text, struct stacks *out)
{
	struct script *script = script_new(out);
	struct error err = ERROR_INIT;

	if (script_feed(script, text, strlen(text), &err) || script_end(script, &err))
		fail_msg("%s", err.msg);
	script_free(script);
	names_resolve(out);
}

#endif
