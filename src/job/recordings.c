#include "job/recordings.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/samples.h"
#include "cause/ledger/system_calls.h"
#include "cause/readers/offcpu.h"
#include "job/runs.h"
#include "measure/files/files.h"
#include "measure/tools/record.h"
#include "model/measured.h"
#include "model/metrics/metric.h"
#include "model/profile.h"
#include "model/result.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "profile/script.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"

/* Least share of complete call paths if only debug information is missing. Below it, frame pointers may show more. */
#define WHOLE_LEAST 0.8
enum { HEAP_LARGEST = 256 << 20 };

struct reading {
	struct script *script;
	struct stacks raw;
	struct stacks *into;
};

static void reading_release(struct reading *r)
{
	script_free(r->script);
	stacks_release(&r->raw);
}

static int begin(void *ctx, struct error *err)
{
	struct reading *r = ctx;

	(void)err;
	r->script = script_new(&r->raw);
	return 0;
}

static int feed(void *ctx, const char *data, size_t len, struct error *err)
{
	return script_feed(((struct reading *)ctx)->script, data, len, err);
}

static int end(void *ctx, uint64_t *samples_out, struct error *err)
{
	struct reading *r = ctx;

	if (script_end(r->script, err) < 0)
		return error_wrap(err, "the text of perf script");
	stacks_merge(r->into, &r->raw, STACKS_EVERY_EVENT, KEEPER_NAME);
	names_resolve(r->into);
	*samples_out = r->into->n_events ? r->into->events[0].samples : 0;
	return 0;
}

static int take(struct system *system, struct record_wish wish, struct stacks *out, struct error *err)
{
	CLEANUP(reading_release) struct reading reading = { .into = out };

	wish.sink = (struct profile_sink){ .ctx = &reading, .begin = begin, .feed = feed, .end = end };
	return system_record(system, &wish, err);
}

int sampled_take(struct system *system, struct record_wish wish, struct stacks *out, struct error *err)
{
	CLEANUP(stacks_release) struct stacks first = STACKS_INIT, second = STACKS_INIT;
	struct error why = ERROR_INIT, again = ERROR_INIT;
	uint64_t limit_ns = wish.limit_ns, until_ns = clock_now_ns() + limit_ns, now_ns;
	bool unwound = wish.call_graph != CALL_GRAPH_FP, taken, better = false, cut[2] = { false, false }, *any_cut = wish.cut;

	/* Leaves a quarter of the limit for frame pointers, which are followed fast. */
	if (unwound)
		wish.limit_ns = limit_ns * 3 / 4;
	wish.cut = any_cut ? &cut[0] : NULL;
	taken = take(system, wish, &first, &why) == 0;
	now_ns = clock_now_ns();
	/*
	 * Without samples in user space, a second recording could unwind nothing more. If unwinding used up the time,
	 * a quarter more is allowed.
	 */
	if (unwound && (!limit_ns || now_ns < until_ns || !taken) &&
	    (taken ? stacks_whole(&first, 0) < WHOLE_LEAST : why.kind == ERR_SYSTEM)) {
		wish.call_graph = CALL_GRAPH_FP;
		wish.limit_ns = !limit_ns ? 0 : now_ns < until_ns ? until_ns - now_ns : limit_ns / 4;
		wish.cut = any_cut ? &cut[1] : NULL;
		better = take(system, wish, &second, &again) == 0 && second.n &&
			 (!taken || stacks_whole(&second, 0) > stacks_whole(&first, 0));
		if (again.kind == ERR_INTERRUPTED)
			why = again;
	}
	if (why.kind == ERR_INTERRUPTED || (!taken && !better)) {
		if (err)
			*err = why;
		return -1;
	}
	if (!better && !first.n)
		return error_set(err, ERR_SYSTEM, "perf took no sample of %s: the target is too short for it, or did nothing in that time",
				 wish.event);
	if (any_cut)
		*any_cut = cut[better];
	*out = better ? second : first;
	*(better ? &second : &first) = (struct stacks)STACKS_INIT;
	return 0;
}

/* -------- waits */

struct waits_reading {
	struct offcpu *offcpu;
	struct stacks *into;
	const struct own_code *own;
	struct offcpu_times times;
};

static int begin_waits(void *ctx, struct error *err)
{
	struct waits_reading *r = ctx;

	(void)err;
	r->offcpu = offcpu_new(r->into, r->own, KEEPER_NAME);
	return 0;
}

static int feed_waits(void *ctx, const char *data, size_t len, struct error *err)
{
	return offcpu_feed(((struct waits_reading *)ctx)->offcpu, data, len, err);
}

static int end_waits(void *ctx, uint64_t *samples_out, struct error *err)
{
	struct waits_reading *r = ctx;

	if (offcpu_end(r->offcpu, &r->times, err) < 0)
		return error_wrap(err, "the text of perf script");
	names_resolve(r->into);
	*samples_out = r->times.waits;
	return 0;
}

int sampled_waits(struct system *system, const struct waits_wish *wanted, struct stacks *out, struct offcpu_times *times_out,
		  struct error *err)
{
	struct waits_reading reading = { .into = out, .own = wanted->own };
	struct record_wish wish;
	int ret = record_plan(RECORD_SWITCHES, system->session->machine.tier, wanted->counted, &wish, err);

	wish.executions = wanted->executions ?: wish.executions;
	wish.limit_ns = wanted->limit_ns;
	wish.sink = (struct profile_sink){ .ctx = &reading, .begin = begin_waits, .feed = feed_waits, .end = end_waits };
	if (ret == 0)
		ret = system_record(system, &wish, err);
	offcpu_free(reading.offcpu);
	if (ret == 0)
		*times_out = reading.times;
	else
		stacks_release(out);
	return ret;
}

/* -------- kinds of profiles */

int sampled_leave(const struct measured_side *side, const struct stacks *stacks, const char *name, const struct flame_options *look,
		  struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf folded = STRBUF_INIT, svg = STRBUF_INIT;
	CLEANUP(free_ptr) char *folded_path = text_printf("%s/%s.folded", side->out, name);
	CLEANUP(free_ptr) char *svg_path = text_printf("%s/%s.svg", side->out, name);

	flame_svg(stacks, NULL, look, &svg);
	if (folded_write(stacks, FOLDED_BY_TEXT, &folded, err) < 0 || file_write(folded_path, folded.buf, folded.len, err) < 0)
		return -1;
	return file_write(svg_path, svg.buf, svg.len, err);
}

static int take_faults(const struct measured_side *side, struct system *system, struct side_result *result, struct error *err)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	struct record_wish wish;
	CLEANUP(free_ptr) char *subtitle = NULL;
	struct flame_options look = { .title = side->scenario->name, .count_name = "page faults" };

	if (record_plan(RECORD_FAULTS, system->session->machine.tier, result, &wish, err) < 0)
		return -1;
	if (side->profile.duration_ns < wish.duration_ns)
		wish.duration_ns = side->profile.duration_ns;
	if (sampled_take(system, wish, &stacks, err) < 0)
		return -1;
	look.subtitle = subtitle = text_printf("%" PRIu64 " samples of %s, each for %" PRIu64 " of them", stacks.events[0].samples,
					       wish.event, wish.period);
	if (sampled_leave(side, &stacks, "faults", &look, err) < 0)
		return -1;
	NOTE(result, "profile of page faults: %s; faults.svg and faults.folded have their stacks", subtitle);
	return 0;
}

int sampled_kinds(void *ctx, struct system *system, struct side_result *result, struct error *err)
{
	struct measured_side *side = ctx;
	struct error why = ERROR_INIT;

	if (side->kinds_taken)
		return 0;
	side->kinds_taken = true;
	if (side->scenario->profile.faults && take_faults(side, system, result, &why) < 0) {
		if (why.kind == ERR_INTERRUPTED) {
			if (err)
				*err = why;
			return -1;
		}
		NOTE(result, "no profile of page faults could be taken: %s", why.msg);
	}
	return 0;
}

void sampled_heap(const struct measured_side *side)
{
	static const struct {
		const char *name, *count_name, *subtitle;
	} files[] = {
		{ "heap", "allocations", "calls of malloc and its kin, counted by heaptrack" },
		{ "heap-peak", "bytes", "bytes that were allocated when most were, counted by heaptrack" },
	};

	for (size_t i = 0; side->scenario->profile.heap && i < sizeof files / sizeof files[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, svg = STRBUF_INIT;
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(free_ptr) char *folded = text_printf("%s/%s.folded", side->out, files[i].name);
		CLEANUP(free_ptr) char *picture = text_printf("%s/%s.svg", side->out, files[i].name);
		struct error why = ERROR_INIT;

		if (!file_exists(folded))
			continue;
		if (file_read(folded, HEAP_LARGEST, &text, &why) == 0 && folded_read(text.buf, text.len, &stacks, &why) == 0) {
			names_resolve(&stacks);
			flame_svg(&stacks, NULL, &(struct flame_options){ .title = side->scenario->name, .subtitle = files[i].subtitle,
				  .count_name = files[i].count_name }, &svg);
			file_write(picture, svg.buf, svg.len, &why);
		}
		if (why.kind)
			NOTE(side->result, "there is no %s.svg: %s", files[i].name, why.msg);
	}
}

/* -------- the waits of a side, in several recordings */

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
