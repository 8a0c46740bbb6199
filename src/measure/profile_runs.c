#include "measure/profile_runs.h"

#include <math.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "model/metric.h"
#include "stats/order.h"

struct taking {
	struct rig *rig;
	const struct profile_wish *wish;
	const struct profile_ops *ops;
	struct scenario_result *counted;
	struct profile_taken taken;
	struct cpu_times times;
	uint64_t spent_ns;		/* on recording; reading takes its own time */
};

void cpu_times_add(struct cpu_times *times, double ms)
{
	VEC_GROW(times->ms, times->n, times->cap);
	times->ms[times->n++] = ms;
}

/* -------- how much */

static unsigned runs_left(const struct taking *t)
{
	return t->taken.runs < PROFILE_RUNS_LEAST ? PROFILE_RUNS_LEAST - t->taken.runs : 1;
}

static uint64_t samples_left(const struct taking *t)
{
	unsigned wanted = t->wish->settings->samples;

	return t->taken.samples < wanted ? wanted - t->taken.samples : 0;
}

/* What is left of samples and time, divided among the runs that are still to come. */
static struct record_quota quota(const struct taking *t, uint64_t now)
{
	const struct profile_settings *s = t->wish->settings;
	uint64_t left_ns = s->duration_ns > t->spent_ns ? s->duration_ns - t->spent_ns : 0;

	return (struct record_quota){
		.cpu_ms = (double)(samples_left(t) / runs_left(t)) * 1e3 / s->frequency,
		.until_ns = now + left_ns / runs_left(t),
		.window_ns = s->duration_ns / PROFILE_RUNS_LEAST,
	};
}

static bool wants_more(const struct taking *t)
{
	if (!t->taken.runs)
		return true;
	if (t->spent_ns >= t->wish->settings->duration_ns || t->taken.runs >= PROFILE_RUNS_MAX)
		return false;
	return t->taken.runs < PROFILE_RUNS_LEAST || samples_left(t);
}

/* -------- one run */

static char *data_file(const struct taking *t)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/perf", t->wish->dir);
	if (t->taken.runs)
		strbuf_addf(&path, "-%u", t->taken.runs + 1);
	strbuf_adds(&path, ".data");
	return strbuf_take(&path);
}

static int record(struct taking *t, const char *file, struct error *err)
{
	const struct record_spec spec = {
		.event = t->taken.event, .frequency = t->wish->settings->frequency, .call_graph = t->taken.call_graph, .file = file,
	};
	const struct record_quota q = quota(t, clock_now_ns());
	uint64_t spent_ns;

	if (t->ops->record(t->ops->ctx, &spec, &q, &t->times, &spent_ns, err) < 0)
		return -1;
	t->spent_ns += spent_ns;
	return 0;
}

static int read_back(struct taking *t, const char *file, struct error *err)
{
	const struct profile_sink *sink = &t->wish->sink;
	uint64_t samples;

	if (sink->begin(sink->ctx, err) < 0 ||
	    perf_script_read(t->rig->keeper, &t->rig->perf, file, sink->feed, sink->ctx, err) < 0 ||
	    sink->end(sink->ctx, &samples, err) < 0)
		return -1;
	t->taken.samples += samples;
	t->taken.runs++;
	return 0;
}

static void use_frame_pointers(struct taking *t, const char *why)
{
	strv_pushf(&t->counted->notes, "profile: call graphs by lbr are not to be had here (%s); by fp instead", why);
	t->taken.call_graph = CALL_GRAPH_FP;
}

static int take_run(struct taking *t, struct error *err)
{
	CLEANUP(free_ptr) char *file = data_file(t);
	struct error why = ERROR_INIT;
	int ret;

	t->ops->progress(t->ops->ctx, t->taken.runs + 1, t->taken.runs < PROFILE_RUNS_LEAST ? PROFILE_RUNS_LEAST : 0);
	ret = record(t, file, &why);
	if (ret < 0 && why.kind == ERR_SYSTEM && t->taken.call_graph == CALL_GRAPH_LBR && !t->taken.runs) {
		use_frame_pointers(t, why.msg);
		ret = record(t, file, &why);
	}
	if (ret == 0)
		ret = read_back(t, file, &why);
	else
		unlink(file);
	if (ret == 0)
		return 0;
	error_wrap(&why, "in profiled %s %u", t->counted->attached ? "window" : "run", t->taken.runs + 1);
	if (err)
		*err = why;
	return -1;
}

/* -------- what it cost */

static double value(const struct scenario_result *counted, size_t run, const char *metric)
{
	for (size_t i = 0; i < counted->n_metrics; i++)
		if (!strcmp(counted->metrics[i]->name, metric))
			return counted->runs[run].values[i];
	return NAN;
}

/* A window that tells no work may be of any length. */
static double counted_per_second(const struct scenario_result *counted)
{
	CLEANUP(free_ptr) double *all = xcalloc(counted->n_runs + 1, sizeof *all);
	size_t n = 0;

	for (size_t i = 0; i < counted->n_runs; i++) {
		double used = value(counted, i, "cpu-time") / value(counted, i, "wall-time");

		if (!isnan(used))
			all[n++] = used;
	}
	return stats_median(all, n);
}

static double counted_cpu_ms(const struct scenario_result *counted)
{
	if (counted->attached && !counted->work_unit)
		return counted_per_second(counted);
	return scenario_result_median(counted, counted->work_unit ? "cpu-time" METRIC_PER_WORK : "cpu-time");
}

static double overhead_pct(const struct taking *t)
{
	double before = counted_cpu_ms(t->counted), now = stats_median(t->times.ms, t->times.n);

	return before > 0 ? (now / before - 1) * 100 : NAN;
}

/* -------- the whole */

static void note_few(const struct taking *t)
{
	const struct profile_settings *s = t->wish->settings;

	if (t->taken.runs < PROFILE_RUNS_LEAST)
		strv_pushf(&t->counted->notes, "profile: %u of %d profiled runs fitted into %.3g s; raise profile.duration",
			   t->taken.runs, PROFILE_RUNS_LEAST, (double)s->duration_ns / 1e9);
}

static int take_all(struct taking *t, struct error *err)
{
	t->taken.event = perf_record_event(t->rig->machine.tier);
	t->taken.call_graph = t->wish->settings->call_graph;
	if (!t->taken.event)
		return error_set(err, ERR_SYSTEM, "perf is not used here, so nothing can be sampled");
	if (file_refuse_link(t->wish->dir, err) < 0)
		return -1;
	if (t->taken.call_graph == CALL_GRAPH_LBR && !tier_has_hardware(t->rig->machine.tier))
		use_frame_pointers(t, "there are no hardware counters");
	while (wants_more(t))
		if (take_run(t, err) < 0)
			return -1;
	return 0;
}

int profile_runs_take(struct rig *rig, const struct profile_wish *wish, const struct profile_ops *ops,
		      struct scenario_result *counted, struct profile_taken *out, struct error *err)
{
	struct taking t = { .rig = rig, .wish = wish, .ops = ops, .counted = counted };
	int ret = take_all(&t, err);

	if (ret == 0) {
		note_few(&t);
		t.taken.overhead_pct = overhead_pct(&t);
		*out = t.taken;
	}
	free(t.times.ms);
	return ret;
}
