#include "job/callers.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"
#include "cause/system_calls.h"
#include "profile/names.h"
#include "profile/stacks.h"

#include "measure/perf/session.h"
#include "measure/tools/strace.h"
#include "measure/perf/target_run.h"
#include "measure/process/interrupt.h"
#include "measure/run/system.h"

static void list_grown(const struct system_calls *base, const struct system_calls *head, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	system_calls_grown(base, head, &names);
	for (size_t i = 0; i < names.n; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", names.items[i]);
}

int callers_take(struct session *session, const struct target_spec specs[2], uint64_t limit_ns, struct evidence *base,
		 struct evidence *head, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	struct strace_text texts[2] = { { .text = STRBUF_INIT }, { .text = STRBUF_INIT } };
	struct stacks stacks[2] = { STACKS_INIT, STACKS_INIT };
	struct strace_wish wish = { .stacks = true, .limit_ns = limit_ns };
	int ret;

	list_grown(&base->system_calls, &head->system_calls, &list);
	if (!list.len)
		return 0;
	wish.calls = list.buf;
	ret = strace_run(session, specs, 2, &wish, texts, err);
	for (int i = 0; i < 2; i++) {
		/* A side that makes no such call leaves no text. */
		if (ret == 0 && texts[i].text.len)
			ret = strace_read_stacks(texts[i].text.buf, texts[i].text.len, &stacks[i], err);
		strbuf_release(&texts[i].text);
		names_resolve(&stacks[i]);
	}
	if (ret == 0)
		system_calls_name_callers(&base->system_calls, &head->system_calls, &stacks[0], &stacks[1], &base->own, &head->own);
	stacks_release(&stacks[0]);
	stacks_release(&stacks[1]);
	return ret;
}

/* -------- services */

/* Window for counting calls. A load must begin, work and end in it; loads that work for ten seconds do. */
#define SERVICE_NS (12 * NS_PER_S)
/* Window for stacks. A call with its stack takes 1 ms, so the window holds thousands, a sample of many more. */
#define CALLERS_NS (5 * NS_PER_S)

int service_calls_take(struct system *system, struct system_calls *out, struct error *err)
{
	const struct strace_wish wish = { .limit_ns = SERVICE_NS };
	struct strace_text text = { .text = STRBUF_INIT };
	double work = 0;
	int ret = system_trace(system, &wish, &text, &work, err);

	if (ret == 0)
		ret = strace_read(text.text.buf, text.text.len, out, err);
	strbuf_release(&text.text);
	if (ret < 0)
		return -1;
	out->cut = text.cut;
	out->attached = true;
	out->work = work;
	return 0;
}

/* Reads the stacks of CALLS, or of all calls (NULL). */
static int take_stacks(struct system *system, const char *calls, struct stacks *out, struct error *err)
{
	const struct strace_wish wish = { .calls = calls, .stacks = true, .limit_ns = CALLERS_NS };
	struct strace_text text = { .text = STRBUF_INIT };
	double work;
	int ret = system_trace(system, &wish, &text, &work, err);

	if (ret == 0 && text.text.len)
		ret = strace_read_stacks(text.text.buf, text.text.len, out, err);
	strbuf_release(&text.text);
	names_resolve(out);
	return ret;
}

int service_callers_take(struct system *system, struct evidence *e, struct evidence *other, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;

	/* It is still unknown which calls grew, so all stacks are kept. */
	if (!other->system_calls.n)
		return take_stacks(system, NULL, &e->calling, err);
	system_calls_settle(&other->system_calls, &e->system_calls);
	list_grown(&other->system_calls, &e->system_calls, &list);
	if (!list.len)
		return 0;
	if (take_stacks(system, list.buf, &e->calling, err) < 0)
		return -1;
	system_calls_name_callers(&other->system_calls, &e->system_calls, &other->calling, &e->calling, &other->own, &e->own);
	return 0;
}
