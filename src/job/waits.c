#include "job/waits.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cause/ledger/system_calls.h"
#include "cause/readers/offcpu.h"
#include "job/runs.h"
#include "job/sampled.h"
#include "model/measured.h"
#include "model/metrics/metric.h"
#include "model/result.h"
#include "profile/flame.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"

/*
 * Numbers of recordings, each of one execution or window. If perf lost records, a recording shows too little waiting,
 * so it is dropped.
 */
enum { RECORDINGS_LEAST = 5, RECORDINGS_MOST = 10 };

void waits_release(struct waits *waits)
{
	stacks_release(&waits->stacks);
	*waits = (struct waits){ 0 };
}

/* -------- one recording */

int waits_record(void *ctx, struct system *system, struct side_result *result, struct error *err)
{
	struct measured_side *side = ctx;
	struct waits *waits = &side->waits;
	CLEANUP(stacks_release) struct stacks all = STACKS_INIT, waiting = STACKS_INIT;
	struct error why = ERROR_INIT;
	struct offcpu_times times;
	uint32_t event;

	waits->recorded++;
	if (waits->refused)
		return 0;
	if (sampled_waits(system, &(struct waits_wish){ .counted = result, .executions = 1 }, &all, &times, &why) < 0) {
		if (why.kind == ERR_INTERRUPTED) {
			if (err)
				*err = why;
			return -1;
		}
		waits->refused = true;
		NOTE(result, NOTE_NO_WAITING ": %s", why.msg);
		return 0;
	}
	if (times.lost) {
		waits->lost++;
		return 0;
	}
	if (all.n_events && stacks_find_event(&all, OFFCPU_WAITING, &event, NULL) == 0)
		stacks_merge(&waiting, &all, event, NULL);
	waits->stacks.run = (uint16_t)waits->kept++;
	stacks_merge(&waits->stacks, &waiting, STACKS_EVERY_EVENT, NULL);
	return 0;
}

/* -------- as many as are wanted */

int waits_take(struct loop *loop, struct measured_side *sides, unsigned n, uint64_t until_ns, struct error *err)
{
	const struct waits *of_last = &sides[n - 1].waits;
	uint64_t began = clock_now_ns(), most_ns = sides[n - 1].profile.duration_ns * n;
	size_t runs = sides[n - 1].result->n_runs;
	int ret = 0;

	while (ret == 0 && of_last->recorded < RECORDINGS_MOST && of_last->recorded < runs && !sides[0].waits.refused && !of_last->refused &&
	       (of_last->recorded < RECORDINGS_LEAST || clock_now_ns() - began < most_ns) && (!of_last->recorded || clock_now_ns() < until_ns)) {
		unsigned before = of_last->recorded;

		ret = loop_waits(loop, before, err);
		if (of_last->recorded == before)
			break;
	}
	return ret;
}

/* -------- output */

/* Appends the kinds of waits, largest first: "sleep 71 %, pipe 29 %". The total must not be 0. */
static void add_kinds(struct stacks *stacks, struct strbuf *out)
{
	double sums[WAIT_KINDS] = { 0 }, all = 0, shown;

	for (int kind = WAIT_NONE + 1; kind < WAIT_KINDS; kind++) {
		uint32_t frame = wait_frame(stacks, (enum wait_kind)kind);

		for (size_t i = 0; i < stacks->n; i++)
			if (stacks->items[i].n && stacks->pool[stacks->items[i].first + stacks->items[i].n - 1] == frame)
				sums[kind] += stacks->items[i].weight;
	}
	for (size_t i = 0; i < stacks->n; i++)
		all += stacks->items[i].weight;
	do {
		int at = WAIT_NONE;

		for (int kind = WAIT_NONE + 1; kind < WAIT_KINDS; kind++)
			if (sums[kind] > sums[at])
				at = kind;
		shown = 100 * sums[at] / all;
		if (shown >= 0.5) {
			const char *name = stacks_text(stacks, stacks->frames[wait_frame(stacks, (enum wait_kind)at)].name);

			strbuf_addf(out, "%s%.*s %.0f %%", out->len ? ", " : "", (int)strlen(name) - 2, name + 1, shown);
			sums[at] = 0;
		}
	} while (shown >= 0.5);
}

static int leave(struct measured_side *side, struct error *err)
{
	struct waits *waits = &side->waits;
	struct side_result *result = side->result;
	CLEANUP(strbuf_release) struct strbuf kinds = STRBUF_INIT;
	CLEANUP(free_ptr) char *subtitle = NULL;
	const char *one = result->attached ? "window" : "run";
	double ms = waits->stacks.n_events ? waits->stacks.events[0].weight / 1e6 / waits->kept : 0;

	names_resolve(&waits->stacks);
	if (ms > 0)
		add_kinds(&waits->stacks, &kinds);
	subtitle = text_printf("%u %s%s, in each of which threads waited for %.4g ms", waits->kept, one, waits->kept == 1 ? "" : "s", ms);
	NOTE(result, "profile of waiting: %s%s%s%s; offcpu.svg and offcpu.folded have their stacks", subtitle, kinds.len ? " (" : "",
	     kinds.buf, kinds.len ? ")" : "");
	return sampled_leave(side, &waits->stacks, "offcpu",
			     &(struct flame_options){ .title = side->scenario->name, .subtitle = subtitle, .colors = FLAME_OFFCPU }, err);
}

void waits_end(struct measured_side *side)
{
	struct waits *waits = &side->waits;
	struct error why = ERROR_INIT;

	if (waits->lost)
		NOTE(side->result, "%u of %u recordings of waiting are not used, since perf lost records of them", waits->lost,
		     waits->kept + waits->lost);
	if (waits->kept && leave(side, &why) < 0)
		NOTE(side->result, "what threads wait for was recorded, but could not be kept: %s", why.msg);
}
