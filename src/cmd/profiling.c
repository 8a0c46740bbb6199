#include "cmd/profiling.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/files.h"
#include "profile/flame.h"
#include "profile/flame_tree.h"
#include "profile/folded.h"
#include "profile/names.h"
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

/* What the run before it left was not read to its end, and does not count. */
static int begin(void *ctx, struct error *err)
{
	struct profiling *p = ctx;

	(void)err;
	script_free(p->script);
	stacks_release(&p->run);
	p->script = script_new(&p->run);
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

static int end(void *ctx, uint64_t *samples_out, struct error *err)
{
	struct profiling *p = ctx;
	uint64_t before = count_samples(&p->all);

	if (script_end(p->script, err) < 0)
		return error_wrap(err, "the text of perf script");
	p->all.run = (uint16_t)p->n_runs;
	/* perf follows what the keeper starts, and so samples the keeper too, until the target is executed. */
	stacks_merge(&p->all, &p->run, STACKS_EVERY_EVENT, KEEPER_NAME);
	*samples_out = count_samples(&p->all) - before;
	if (*samples_out)
		p->n_runs++;
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
static void warn_short(const struct profile_taken *taken, struct profile *profile)
{
	double period_ms = 1e3 / taken->frequency, least = 20 / (taken->execution_ms / 1e3);

	if (strncmp(taken->event, "cpu-clock", 9) || !(taken->execution_ms < UNSEEN_PERIODS * period_ms))
		return;
	strv_pushf(&profile->doubts, "an execution takes %.2g ms of CPU time, of which the first %.2g ms are never sampled by the clock: "
		   "raise profile.frequency, to %.0f or so", taken->execution_ms, period_ms, least < FREQUENCY_MOST ? least : FREQUENCY_MOST);
}

static void warn_overhead(struct profile *profile)
{
	if (profile->overhead_pct > OVERHEAD_MOST_PCT)
		strv_pushf(&profile->doubts, "under the profiler the target took %.0f %% more CPU time, so the shares are partly its own: "
			   "lower profile.frequency%s", profile->overhead_pct,
			   profile->call_graph == CALL_GRAPH_DWARF ? ", or set profile.call-graph: fp" : "");
}

static void build(struct stacks *all, const struct profile_taken *taken, struct profile *out)
{
	shares_build(all, NULL, out);
	out->frequency = taken->frequency;
	out->call_graph = taken->call_graph;
	out->overhead_pct = taken->overhead_pct;
	if (!out->event)
		out->event = xstrdup(taken->event);
	shares_warn(all, out);
	warn_short(taken, out);
	warn_overhead(out);
}

static int finish(struct profiling *p, const struct profile_taken *taken, struct scenario_result *out,
		  struct error *err)
{
	CLEANUP(profile_release) struct profile profile = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	/* The last one may have had no sample. */
	p->all.run = (uint16_t)(p->n_runs ? p->n_runs - 1 : 0);
	names_resolve(&p->all);
	build(&p->all, taken, &profile);
	if (folded_write(&p->all, FOLDED_BY_TEXT, &text, err) < 0 || write_file(p, "stacks.folded", &text, err) < 0 ||
	    leave_picture(p, &p->all, &profile, err) < 0 || leave_table(p, &profile, err) < 0)
		return -1;
	flame_tree_prune(&p->all, PRUNED_LEAST_PCT, &p->pruned);
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
	stacks_release(&profiling->run);
	stacks_release(&profiling->all);
	stacks_release(&profiling->pruned);
	*profiling = (struct profiling){ 0 };
}
