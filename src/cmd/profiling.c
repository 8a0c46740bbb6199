#include "cmd/profiling.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/files.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "profile/pick.h"
#include "profile/shares.h"
#include "profile/top.h"

/* An execution of fewer sampling periods has more than a tenth of it unseen. */
enum { UNSEEN_PERIODS = 10, OVERHEAD_MOST_PCT = 25 };
#define FREQUENCY_MOST 20000.0

/* -------- whether */

bool profiling_wanted(const struct scenario *scenario, const struct options *options, const struct machine *machine,
		      struct scenario_result *out)
{
	const char *why_not = options->no_profile ? "--no-profile"
			      : scenario->profile.off ? "profile.kinds is empty"
			      : scenario->measure.counters == COUNTERS_SIM ? "its counters are simulated"
			      : perf_record_event(machine->tier) ? NULL : "perf is not used";

	if (why_not)
		strv_pushf(&out->profile.doubts, "no profile was taken: %s", why_not);
	return !why_not;
}

/* -------- reading */

static int begin(void *ctx, struct error *err)
{
	struct profiling *p = ctx;

	(void)err;
	VEC_GROW(p->runs, p->n, p->cap);
	p->runs[p->n] = (struct stacks)STACKS_INIT;
	p->script = script_new(&p->runs[p->n++]);
	return 0;
}

static int feed(void *ctx, const char *data, size_t len, struct error *err)
{
	return script_feed(((struct profiling *)ctx)->script, data, len, err);
}

static uint64_t count_samples(const struct stacks *stacks)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < stacks->n_events; i++)
		samples += stacks->events[i].samples;
	return samples;
}

/* perf follows what the keeper starts, and so samples the keeper too, until the target is executed. */
static void drop_keeper(struct stacks *stacks)
{
	struct stacks target = STACKS_INIT;

	pick_other_threads(stacks, KEEPER_NAME, &target);
	stacks_release(stacks);
	*stacks = target;
}

static int end(void *ctx, uint64_t *samples_out, struct error *err)
{
	struct profiling *p = ctx;

	if (script_end(p->script, err) < 0)
		return error_wrap(err, "the text of perf script");
	script_free(p->script);
	p->script = NULL;
	drop_keeper(&p->runs[p->n - 1]);
	*samples_out = count_samples(&p->runs[p->n - 1]);
	if (!*samples_out)
		stacks_release(&p->runs[--p->n]);
	return 0;
}

struct profile_wish profiling_wish(struct profiling *profiling, const struct scenario *scenario, const char *dir)
{
	profiling->scenario = scenario;
	profiling->dir = dir;
	return (struct profile_wish){
		.settings = &scenario->profile, .dir = dir,
		.sink = { .ctx = profiling, .begin = begin, .feed = feed, .end = end },
	};
}

/* -------- what is made of it */

static int write_file(const struct profiling *p, const char *name, const struct strbuf *text, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(p->dir, name);

	return file_write(path, text->buf, text->len, err);
}

static int leave_picture(const struct profiling *p, const struct stacks *all, const struct profile *profile, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf subtitle = STRBUF_INIT, svg = STRBUF_INIT;

	strbuf_addf(&subtitle, "%" PRIu64 " samples of %s at %u Hz in %zu run%s, call graphs by %s", profile->samples,
		    profile->event, profile->frequency, profile->n_runs, profile->n_runs == 1 ? "" : "s",
		    call_graph_name(profile->call_graph));
	flame_svg(all, NULL, &(struct flame_options){ .title = p->scenario->name, .subtitle = subtitle.buf }, &svg);
	return write_file(p, "flamegraph.svg", &svg, err);
}

static int leave_table(const struct profiling *p, const struct profile *profile, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf table = STRBUF_INIT;

	top_render(profile, &(struct top_options){ .threads = true, .markdown = true }, &table);
	return write_file(p, "top.md", &table, err);
}

/*
 * The clock's first tick comes a whole period after a program's start, at 1,000 Hz a millisecond: of short programs
 * that is what loads and links them.
 */
static void doubt_short(const struct profile_taken *taken, struct profile *profile)
{
	double period_ms = 1e3 / taken->frequency, least = 20 / (taken->execution_ms / 1e3);

	if (strncmp(taken->event, "cpu-clock", 9) || !(taken->execution_ms < UNSEEN_PERIODS * period_ms))
		return;
	strv_pushf(&profile->doubts, "an execution takes %.2g ms of CPU time, of which the first %.2g ms are never sampled by the clock: "
		   "raise profile.frequency, to %.0f or so", taken->execution_ms, period_ms, least < FREQUENCY_MOST ? least : FREQUENCY_MOST);
}

static void doubt_overhead(struct profile *profile)
{
	if (profile->overhead_pct > OVERHEAD_MOST_PCT)
		strv_pushf(&profile->doubts, "under the profiler the target took %.0f %% more CPU time, so the shares are partly its own: "
			   "lower profile.frequency%s", profile->overhead_pct,
			   profile->call_graph == CALL_GRAPH_DWARF ? ", or set profile.call-graph: fp" : "");
}

static void build(struct profiling *p, const struct profile_taken *taken, const struct stacks *all, struct profile *out)
{
	CLEANUP(free_ptr) const struct stacks **runs = xcalloc(p->n + 1, sizeof *runs);

	for (size_t i = 0; i < p->n; i++) {
		names_resolve(&p->runs[i]);
		runs[i] = &p->runs[i];
	}
	shares_build(runs, p->n, NULL, out);
	out->frequency = taken->frequency;
	out->call_graph = taken->call_graph;
	out->overhead_pct = taken->overhead_pct;
	if (!out->event)
		out->event = xstrdup(taken->event);
	shares_doubts(all, out);
	doubt_short(taken, out);
	doubt_overhead(out);
}

static int finish(struct profiling *p, const struct profile_taken *taken, struct scenario_result *out,
		  struct error *err)
{
	CLEANUP(stacks_release) struct stacks all = STACKS_INIT;
	CLEANUP(profile_release) struct profile profile = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < p->n; i++)
		stacks_merge(&all, &p->runs[i]);
	names_resolve(&all);
	build(p, taken, &all, &profile);
	if (folded_write(&all, &text, err) < 0 || write_file(p, "stacks.folded", &text, err) < 0 ||
	    leave_picture(p, &all, &profile, err) < 0 || leave_table(p, &profile, err) < 0)
		return -1;
	profile_release(&out->profile);
	out->profile = profile;
	profile = (struct profile){ 0 };
	return 0;
}

void profiling_finish(struct profiling *profiling, const struct profile_taken *taken, struct scenario_result *out)
{
	struct error why = ERROR_INIT;

	if (taken->event && finish(profiling, taken, out, &why) < 0)
		strv_pushf(&out->notes, "the profile was taken, but could not be kept: %s", why.msg);
}

void profiling_release(struct profiling *profiling)
{
	script_free(profiling->script);
	for (size_t i = 0; i < profiling->n; i++)
		stacks_release(&profiling->runs[i]);
	free(profiling->runs);
	*profiling = (struct profiling){ 0 };
}
