#include "job/waits.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cause/offcpu.h"
#include "cause/own_costs.h"
#include "cause/system_calls.h"
#include "job/runs.h"
#include "job/sampled.h"
#include "model/measured.h"
#include "model/metric.h"
#include "model/result.h"
#include "profile/flame.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"

/*
 * Each recording is of one execution, or one window, so that its values are those of a run: they stand in the run of its number,
 * which in pairs makes pairs of them. One in which perf lost records would show less waiting than there was, and is left out.
 */

/* Fewer have no interval; more are not needed to tell a tenth. */
enum { RECORDINGS_LEAST = 5, RECORDINGS_WANTED = 10 };
/* With fewer stacks that reach the program's start nobody knows which functions wait. */
#define WHOLE_LEAST 0.8

void waits_release(struct waits *waits)
{
	stacks_release(&waits->stacks);
	*waits = (struct waits){ 0 };
}

/* -------- one recording */

static bool frame_matches(const struct stacks *stacks, uint32_t frame, const char *glob)
{
	const struct frame *f = &stacks->frames[frame];
	const char *shown = stacks_frame_shown(stacks, frame), *key = stacks_text(stacks, f->key);
	CLEANUP(strbuf_release) struct strbuf plain = STRBUF_INIT;

	if (glob_match(glob, shown) || glob_match(glob, key))
		return true;
	name_without_parameters(key, &plain);
	return glob_match(glob, plain.buf);
}

double waits_share(const struct stacks *stacks, const char *glob)
{
	CLEANUP(free_ptr) signed char *matches = xcalloc(stacks->n_frames + 1, sizeof *matches);
	double all = 0, in_it = 0;

	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *s = &stacks->items[i];
		bool found = false;

		for (uint32_t k = 0; k < s->n && !found; k++) {
			uint32_t frame = stacks->pool[s->first + k];

			if (!matches[frame])
				matches[frame] = frame_matches(stacks, frame, glob) ? 1 : -1;
			found = matches[frame] > 0;
		}
		all += s->weight;
		in_it += found ? s->weight : 0;
	}
	return all > 0 ? in_it / all : 0;
}

/* Those that RUN of the side has of what is gated. What a server waits for is mostly its next request. */
static void set_values(struct measured_side *side, const struct stacks *stacks, struct side_result *result, struct run *run)
{
	const struct gates *gates = &side->scenario->gates;
	bool broken = stacks->n_events && stacks_whole(stacks, 0) < WHOLE_LEAST;

	side->waits.broken += broken;
	if (side->scenario->target_kind == TARGET_COMMAND)
		measured_set(result, run, METRIC(OFFCPU_TIME), stacks->n_events ? stacks->events[0].weight / 1e6 : 0);
	for (size_t i = 0; i < gates->n; i++) {
		const char *glob = metric_waiting_glob(gates->items[i].metric);

		/* What a thread waits for is known without its callers. */
		if (glob && (!broken || *glob == '['))
			measured_set(result, run, gates->items[i].metric, waits_share(stacks, glob));
	}
}

int waits_record(void *ctx, struct system *system, struct side_result *result, struct error *err)
{
	struct measured_side *side = ctx;
	struct waits *waits = &side->waits;
	CLEANUP(stacks_release) struct stacks all = STACKS_INIT, waiting = STACKS_INIT;
	unsigned number = waits->recorded++;
	struct error why = ERROR_INIT;
	struct offcpu_times times;
	uint32_t event;

	if (waits->refused)
		return 0;
	if (sampled_waits(system, result, NULL, 1, 0, &all, &times, &why) < 0) {
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
	if (number < result->n_runs)
		set_values(side, &waiting, result, &result->runs[number]);
	waits->stacks.run = (uint16_t)waits->kept++;
	stacks_merge(&waits->stacks, &waiting, STACKS_EVERY_EVENT, NULL);
	return 0;
}

/* -------- as many as are wanted */

int waits_take(struct loop *loop, struct measured_side *sides, unsigned n, unsigned wanted, struct error *err)
{
	const struct waits *of_last = &sides[n - 1].waits;
	uint64_t began = clock_now_ns(), most_ns = sides[n - 1].scenario->profile.duration_ns * n;
	unsigned least = wanted ?: RECORDINGS_LEAST, most = wanted ?: RECORDINGS_WANTED;
	size_t runs = sides[n - 1].result->n_runs;
	int ret = 0;

	while (ret == 0 && of_last->recorded < most && of_last->recorded < runs && !sides[0].waits.refused && !of_last->refused &&
	       (of_last->recorded < least || clock_now_ns() - began < most_ns)) {
		unsigned before = of_last->recorded;

		ret = loop_waits(loop, before, err);
		if (of_last->recorded == before)
			break;
	}
	return ret;
}

/* -------- what becomes of them */

/* "sleep 71 %, pipe 29 %": what for, the most first; ALL is not 0. */
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
	if (waits->broken)
		NOTE(side->result, NOTE_NO_WAITING " of functions in %u of %u recordings: less than %.0f %% of their stacks reach the start of "
		     "the program; build it with debug information (-g)", waits->broken, waits->kept, 100 * WHOLE_LEAST);
	if (waits->kept && leave(side, &why) < 0)
		NOTE(side->result, "what threads wait for was recorded, but could not be kept: %s", why.msg);
}
