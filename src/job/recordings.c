#include "job/recordings.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/samples.h"
#include "cause/readers/offcpu.h"
#include "job/project/budget.h"
#include "job/runs.h"
#include "judge/symbols.h"
#include "measure/files/files.h"
#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/run/loop.h"
#include "measure/tools/record.h"
#include "model/baseline.h"
#include "model/profile.h"
#include "model/result.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "profile/script.h"
#include "profile/shares.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"

/* Least share of complete call paths if only debug information is missing. Below it, frame pointers may show more. */
#define WHOLE_LEAST 0.8
enum { HEAP_LARGEST = 256 << 20 };

/* -------- reading the text of perf script */

static void reading_release(struct reading *r)
{
	script_free(r->script);
	stacks_release(&r->raw);
	r->script = NULL;
}

static int begin(void *ctx, struct error *err)
{
	struct reading *r = ctx;

	(void)err;
	reading_release(r);
	r->script = script_new(&r->raw);
	return 0;
}

static int feed(void *ctx, const char *data, size_t len, struct error *err)
{
	return script_feed(((struct reading *)ctx)->script, data, len, err);
}

static uint64_t count_samples(const struct stacks *stacks)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < stacks->n_events; i++)
		samples += stacks->events[i].samples;
	return samples;
}

static int end(void *ctx, uint64_t *samples_out, struct error *err)
{
	struct reading *r = ctx;
	uint64_t before = count_samples(r->into);

	if (script_end(r->script, err) < 0)
		return error_wrap(err, "the text of perf script");
	r->into->run = (uint16_t)r->runs;
	/* perf follows what the keeper starts, so it samples the keeper too until the target is executed. */
	stacks_merge(r->into, &r->raw, STACKS_EVERY_EVENT, KEEPER_NAME);
	*samples_out = count_samples(r->into) - before;
	r->runs += *samples_out > 0;
	return 0;
}

static struct profile_sink sink_of(struct reading *reading)
{
	return (struct profile_sink){ .ctx = reading, .begin = begin, .feed = feed, .end = end };
}

/* -------- recordings of a system */

static int take(struct system *system, struct record_wish wish, struct stacks *out, struct error *err)
{
	CLEANUP(reading_release) struct reading reading = { .into = out };
	int ret;

	wish.sink = sink_of(&reading);
	ret = system_record(system, &wish, err);
	names_resolve(out);
	return ret;
}

int recordings_sample(struct system *system, struct record_wish wish, struct stacks *out, struct error *err)
{
	CLEANUP(stacks_release) struct stacks first = STACKS_INIT, second = STACKS_INIT;
	struct error why = ERROR_INIT, again = ERROR_INIT;
	uint64_t limit_ns = wish.limit_ns, until_ns = clock_now_ns() + limit_ns, now_ns;
	bool unwound = wish.how.call_graph != CALL_GRAPH_FP, taken, better = false, cut[2] = { false, false }, *any_cut = wish.cut;

	/* Leaves a quarter of the limit for frame pointers, which are followed fast. */
	if (unwound)
		wish.limit_ns = limit_ns * 3 / 4;
	wish.cut = any_cut ? &cut[0] : NULL;
	taken = take(system, wish, &first, &why) == 0;
	now_ns = clock_now_ns();
	/* Without samples in user space, a second recording could unwind nothing more. */
	if (unwound && (!limit_ns || now_ns < until_ns || !taken) &&
	    (taken ? stacks_whole(&first, 0) < WHOLE_LEAST : why.kind == ERR_SYSTEM)) {
		wish.how.call_graph = CALL_GRAPH_FP;
		wish.limit_ns = !limit_ns ? 0 : now_ns < until_ns ? until_ns - now_ns : limit_ns / 4;
		wish.cut = any_cut ? &cut[1] : NULL;
		better = take(system, wish, &second, &again) == 0 && second.n &&
			 (!taken || stacks_whole(&second, 0) > stacks_whole(&first, 0));
		if (again.kind == ERR_INTERRUPTED)
			why = again;
	}
	if (why.kind == ERR_INTERRUPTED || (!taken && !better))
		return error_copy(err, &why);
	if (!better && !first.n)
		return error_set(err, ERR_SYSTEM, "perf took no sample of %s: the target is too short for it, or did nothing in that time",
				 wish.how.event);
	if (any_cut)
		*any_cut = cut[better];
	*out = better ? second : first;
	*(better ? &second : &first) = (struct stacks)STACKS_INIT;
	return 0;
}

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

int recordings_waits(struct system *system, const struct waits_wish *wanted, struct stacks *out, struct offcpu_times *times_out,
		  struct error *err)
{
	struct waits_reading reading = { .into = out, .own = wanted->own };
	struct record_wish wish;
	int ret = record_plan(SAMPLED_SWITCHES, system->session->machine.tier, wanted->counted, &wish, err);

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

/* -------- page faults and the heap */

static int leave_stacks(const struct measured_side *side, const struct stacks *stacks, const char *folded, const char *svg,
			const struct flame_options *look, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, picture = STRBUF_INIT;
	CLEANUP(free_ptr) char *folded_path = file_join(side->out, folded), *svg_path = file_join(side->out, svg);

	flame_svg(stacks, NULL, look, &picture);
	if (folded_write(stacks, FOLDED_BY_TEXT, &text, err) < 0 || file_write(folded_path, text.buf, text.len, err) < 0)
		return -1;
	return file_write(svg_path, picture.buf, picture.len, err);
}

static int take_faults(const struct measured_side *side, struct system *system, struct side_result *result, struct error *err)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	struct record_wish wish;
	CLEANUP(free_ptr) char *subtitle = NULL;
	struct flame_options look = { .title = side->scenario->name, .count_name = "page faults" };

	if (record_plan(SAMPLED_FAULTS, system->session->machine.tier, result, &wish, err) < 0)
		return -1;
	if (side->recorded.settings.duration_ns < wish.duration_ns)
		wish.duration_ns = side->recorded.settings.duration_ns;
	if (recordings_sample(system, wish, &stacks, err) < 0)
		return -1;
	look.subtitle = subtitle = text_printf("%" PRIu64 " samples of %s, each for %" PRIu64 " of them", stacks.events[0].samples,
					       wish.how.event, wish.how.period);
	if (leave_stacks(side, &stacks, "faults.folded", "faults.svg", &look, err) < 0)
		return -1;
	NOTE(result, "profile of page faults: %s; faults.svg and faults.folded have their stacks", subtitle);
	return 0;
}

/* Callback of system.kinds. Takes the profiles of other kinds that the scenario names, once. */
static int take_kinds(void *ctx, struct system *system, struct side_result *result, struct error *err)
{
	struct measured_side *side = ctx;
	struct error why = ERROR_INIT;

	if (side->recorded.kinds_taken)
		return 0;
	side->recorded.kinds_taken = true;
	if (side->scenario->profile.faults && take_faults(side, system, result, &why) < 0) {
		if (why.kind == ERR_INTERRUPTED)
			return error_copy(err, &why);
		NOTE(result, "no profile of page faults could be taken: %s", why.msg);
	}
	return 0;
}

static void leave_heap(const struct measured_side *side)
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

/* If perf lost records, a recording shows too little waiting, so it is dropped. */
enum { RECORDINGS_LEAST = 5, RECORDINGS_MOST = 10 };

static int record_waits(void *ctx, struct system *system, struct side_result *result, struct error *err)
{
	struct measured_side *side = ctx;
	struct waits *waits = &side->recorded.waits;
	CLEANUP(stacks_release) struct stacks all = STACKS_INIT, waiting = STACKS_INIT;
	struct error why = ERROR_INIT;
	struct offcpu_times times;
	uint32_t event;

	waits->recorded++;
	if (waits->refused)
		return 0;
	if (recordings_waits(system, &(struct waits_wish){ .counted = result, .executions = 1 }, &all, &times, &why) < 0) {
		if (why.kind == ERR_INTERRUPTED)
			return error_copy(err, &why);
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

/* Records all sides in turn. After the first recording, none begins at UNTIL_NS or later. */
static int take_waits(const struct recordings_wish *w, uint64_t until_ns, struct error *err)
{
	const struct measured_side *last = &w->sides[w->n - 1];
	const struct waits *first_waits = &w->sides[0].recorded.waits, *waits = &last->recorded.waits;
	uint64_t began = clock_now_ns(), most_ns = last->recorded.settings.duration_ns * w->n;
	size_t runs = last->result->n_runs;
	int ret = 0;

	while (ret == 0 && waits->recorded < RECORDINGS_MOST && waits->recorded < runs && !first_waits->refused && !waits->refused &&
	       (waits->recorded < RECORDINGS_LEAST || clock_now_ns() - began < most_ns) && (!waits->recorded || clock_now_ns() < until_ns)) {
		unsigned before = waits->recorded;

		ret = loop_waits(w->loop, before, err);
		if (waits->recorded == before)
			break;
	}
	return ret;
}

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

static int draw_waits(struct measured_side *side, struct error *err)
{
	struct waits *waits = &side->recorded.waits;
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
	return leave_stacks(side, &waits->stacks, "offcpu.folded", "offcpu.svg",
			     &(struct flame_options){ .title = side->scenario->name, .subtitle = subtitle, .waiting = true }, err);
}

static void leave_waits(struct measured_side *side)
{
	struct waits *waits = &side->recorded.waits;
	struct error why = ERROR_INIT;

	if (waits->lost)
		NOTE(side->result, "%u of %u recordings of waiting are not used, since perf lost records of them", waits->lost,
		     waits->kept + waits->lost);
	if (waits->kept && draw_waits(side, &why) < 0)
		NOTE(side->result, "what threads wait for was recorded, but could not be kept: %s", why.msg);
}

/* -------- the profile of a side */

/* Limits for warnings. Of an execution with fewer sampling periods, more than a tenth is unseen. */
enum { UNSEEN_PERIODS = 10, OVERHEAD_MOST_PCT = 25 };
#define FREQUENCY_MOST 20000.0

static void build_profile(const struct measured_side *side, struct profile *out)
{
	const struct profile_taken *taken = &side->system.taken;
	/* The clock first ticks a whole period after a start, which in short programs hides loading and linking. */
	double period_ms = 1e3 / taken->frequency, least = 20 / (taken->execution_ms / 1e3);

	shares_build(&side->recorded.stacks, NULL, out);
	out->frequency = taken->frequency;
	out->call_graph = taken->call_graph;
	out->overhead_pct = taken->overhead_pct;
	out->cut = side->system.profile.cut;
	if (!out->event)
		out->event = arena_strdup(&out->arena, taken->event);
	shares_warn(&side->recorded.stacks, out);
	if (text_starts(taken->event, "cpu-clock") && taken->execution_ms < UNSEEN_PERIODS * period_ms)
		arena_pushf(&out->arena, &out->warnings, "an execution takes %.2g ms of CPU time, of which the first %.2g ms are "
			    "never sampled: raise profile.frequency, to %.0f or so", taken->execution_ms, period_ms,
			    least < FREQUENCY_MOST ? least : FREQUENCY_MOST);
	if (out->overhead_pct > OVERHEAD_MOST_PCT)
		arena_pushf(&out->arena, &out->warnings, "under the profiler the target took %.0f %% more CPU time, so the shares "
			    "are partly its own: lower profile.frequency%s", out->overhead_pct,
			    out->call_graph == CALL_GRAPH_DWARF ? ", or set profile.call-graph: fp" : "");
}

static int leave_profile(const struct measured_side *side, const struct profile *profile, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf table = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = file_join(side->out, "top.md");
	CLEANUP(free_ptr) char *subtitle = text_printf("%" PRIu64 " samples of %s at %u Hz in %zu run%s, call graphs by %s",
						       profile->samples, profile->event, profile->frequency, profile->n_runs,
						       profile->n_runs == 1 ? "" : "s", call_graph_names[profile->call_graph]);

	if (leave_stacks(side, &side->recorded.stacks, "stacks.folded", "flamegraph.svg",
			 &(struct flame_options){ .title = side->scenario->name, .subtitle = subtitle }, err) < 0)
		return -1;
	top_render(profile, &(struct top_options){ .markdown = true }, &table);
	return file_write(path, table.buf, table.len, err);
}

/* Builds a profile from what was recorded so far. OUT must be empty. */
static void profile_so_far(struct measured_side *side, struct profile *out)
{
	unsigned runs = side->recorded.reading.runs;

	/* The last run may have had no sample. */
	side->recorded.stacks.run = (uint16_t)(runs ? runs - 1 : 0);
	names_resolve(&side->recorded.stacks);
	build_profile(side, out);
}

enum { FIRST_LOOK = 9000 };

static bool are_decided(const struct recordings_wish *w)
{
	CLEANUP(profile_release) struct profile first = { 0 };
	CLEANUP(profile_release) struct profile last = { 0 };
	struct measured_side *side = &w->sides[w->n - 1];
	const struct profile kept = w->result->head.profile;
	struct baseline base = *w->base;
	bool decided;

	if (w->n > 1) {
		profile_so_far(&w->sides[0], &first);
		base.profile = profile_view(&first);
	}
	profile_so_far(side, &last);
	w->result->head.profile = last;
	decided = judge_symbols_settled(w->result, &side->system.session->machine, &base, side->scenario->profile.samples);
	w->result->head.profile = kept;
	return decided;
}

bool recordings_wanted(const struct scenario *scenario, bool no_profile, const struct machine *machine, struct side_result *out)
{
	bool no_kind = scenario->profile.off && !scenario->profile.offcpu && !scenario->profile.faults && !scenario->profile.heap;
	const char *why_not = no_profile ? "--no-profile"
			      : no_kind ? "profile.kinds is empty"
			      : scenario->measure.counters == COUNTERS_SIM ? "its counters are simulated"
			      : tier_event(machine->tier, SAMPLED_CPU) ? NULL : "perf is not used";

	if (why_not)
		arena_pushf(&out->profile.arena, &out->profile.warnings, "no profile was taken: %s", why_not);
	return !why_not;
}

/* Limits all kinds of the side's profile together to LIMIT_NS. False, with the reason in the profile: too little. */
static bool is_within(struct measured_side *side, uint64_t limit_ns)
{
	const struct profile_settings *wanted = &side->scenario->profile;
	unsigned kinds = !wanted->off + wanted->offcpu + wanted->faults;
	uint64_t share_ns = limit_ns / (kinds ? kinds : 1);

	side->system.profile.cut = share_ns < wanted->duration_ns;
	side->recorded.settings.duration_ns = side->system.profile.cut ? share_ns : wanted->duration_ns;
	if (share_ns >= BUDGET_STEP_LEAST_NS)
		return true;
	arena_pushf(&side->result->profile.arena, &side->result->profile.warnings,
		    "no profile was taken: no time was left for it; --budget TIME gives it some");
	return false;
}

void recordings_begin(struct measured_side *side)
{
	struct recordings *r = &side->recorded;

	*r = (struct recordings){ .settings = side->scenario->profile, .reading.into = &r->stacks };
	side->system.kinds = (struct kinds_wish){ take_kinds, side };
	side->system.waits = (struct kinds_wish){ record_waits, side };
	side->system.profile = (struct profile_wish){ .settings = &r->settings, .dir = side->out, .sink = sink_of(&r->reading) };
}

int recordings_take(const struct recordings_wish *w, struct error *err)
{
	const struct profile_settings *wanted = &w->sides[w->n - 1].scenario->profile;
	uint64_t until_ns = clock_now_ns() + w->limit_ns;
	bool ends = false;
	int ret = 0;

	for (unsigned i = 0; i < w->n; i++)
		if (!is_within(&w->sides[i], w->limit_ns / w->n))
			return 0;
	for (unsigned samples = FIRST_LOOK; ret == 0 && !ends; samples *= 2) {
		ends = !w->base || samples >= wanted->samples;
		for (unsigned i = 0; i < w->n; i++)
			w->sides[i].system.profile.samples = ends ? 0 : samples;
		ret = loop_profile(w->loop, err);
		for (unsigned i = 0; i < w->n; i++)
			ends |= !w->sides[i].system.taken.event;
		ends = ends || ret < 0 || are_decided(w);
	}
	return ret == 0 && wanted->offcpu ? take_waits(w, until_ns, err) : ret;
}

void recordings_leave(struct measured_side *side)
{
	CLEANUP(profile_release) struct profile profile = { 0 };
	struct error why = ERROR_INIT;

	leave_waits(side);
	leave_heap(side);
	if (!side->system.taken.event)
		return;
	profile_so_far(side, &profile);
	if (leave_profile(side, &profile, &why) < 0) {
		NOTE(side->result, "the profile was taken, but could not be kept: %s", why.msg);
		return;
	}
	flame_tree_prune(&side->recorded.stacks, PRUNED_LEAST_PCT, &side->recorded.pruned);
	profile_release(&side->result->profile);
	side->result->profile = profile;
	profile = (struct profile){ 0 };
}

void recordings_release(struct recordings *r)
{
	reading_release(&r->reading);
	stacks_release(&r->stacks);
	stacks_release(&r->waits.stacks);
}
