#include "cmd/shared/shared.h"

#include "base/mem.h"
#include "measure/perf/perf.h"
#include "profile/evidence.h"

/* A call takes a millisecond with its stack: thousands are seen in it, of which many more are a part. */
#define CALLERS_NS (5 * NS_PER_S)

/* The stacks of waiting alone, which are ns whatever the call. */
static void keep_waits(const struct stacks *stacks, struct stacks *out)
{
	for (size_t i = 0; i < stacks->n_events; i++)
		if (!strcmp(stacks_text(stacks, stacks->events[i].name), STRACE_WAITING))
			stacks_merge(out, stacks, (uint32_t)i, NULL);
}

int callers_take(struct session *session, const struct target_spec specs[2], struct evidence *base, struct evidence *head,
		 struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	struct evidence *sides[2] = { base, head };
	struct strace_text texts[2] = { { .text = STRBUF_INIT }, { .text = STRBUF_INIT } };
	struct stacks stacks[2] = { STACKS_INIT, STACKS_INIT };
	struct strace_wish wish = { .stacks = true, .limit_ns = CALLERS_NS };
	int ret;

	system_calls_grown(&base->system_calls, &head->system_calls, &names);
	if (!names.n)
		return 0;
	for (size_t i = 0; i < names.n; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", names.items[i]);
	wish.calls = list.buf;
	ret = strace_run(session, specs, 2, &wish, texts, err);
	for (int i = 0; i < 2; i++) {
		/* A side that makes none of these calls has no line of them. */
		if (ret == 0 && texts[i].text.len)
			ret = strace_read_stacks(texts[i].text.buf, texts[i].text.len, &stacks[i], err);
		strbuf_release(&texts[i].text);
		names_resolve(&stacks[i]);
	}
	if (ret == 0) {
		system_calls_name_callers(&base->system_calls, &head->system_calls, &stacks[0], &stacks[1], &base->own, &head->own);
		for (int i = 0; i < 2; i++)
			if (!sides[i]->waits.n && !texts[0].cut && !texts[1].cut)
				keep_waits(&stacks[i], &sides[i]->waits);
	}
	stacks_release(&stacks[0]);
	stacks_release(&stacks[1]);
	return ret;
}
