#include "measure/run/run.h"

#include <math.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/process.h"
#include "model/metric.h"
#include "stats/stats.h"

/* So much CPU time without a sample is no chance. */
#define SILENT_MS 100.0

struct taking {
	struct session *session;
	const struct profile_wish *wish;
	const struct profile_ops *ops;
	struct side_result *counted;
	struct profile_taken taken;
	struct cpu_times times;
	uint64_t spent_ns;		/* on recording; reading takes its own time, and so does a load's start and end */
	uint64_t recorded_ns;		/* on recording with all that goes with it */
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
		.cpu_ms = (double)(samples_left(t) / runs_left(t)) * 1e3 / t->taken.frequency,
		.until_ns = now + left_ns / runs_left(t),
		.window_ns = left_ns / runs_left(t),
	};
}

/* What the whole duration gives at the pace so far. */
static double samples_foreseen(const struct taking *t)
{
	return t->spent_ns ? (double)t->taken.samples * (double)t->wish->settings->duration_ns / (double)t->spent_ns : INFINITY;
}

/* Half of what symbols are judged from is out of reach, as with a command of a millisecond: the picture is had already. */
static bool is_hopeless(const struct taking *t)
{
	const struct profile_settings *s = t->wish->settings;

	return t->taken.runs && t->taken.runs < PROFILE_RUNS_LEAST && t->spent_ns < s->duration_ns &&
	       s->samples >= PROFILE_SAMPLES_GATED && samples_foreseen(t) < PROFILE_SAMPLES_GATED / 2.0;
}

static bool wants_more(const struct taking *t)
{
	if (!t->taken.runs)
		return true;
	if (is_hopeless(t))
		return false;
	if (t->spent_ns >= t->wish->settings->duration_ns || t->taken.runs >= PROFILE_RUNS_MAX)
		return false;
	if (t->taken.runs < PROFILE_RUNS_LEAST)
		return true;
	/* CPU time foretells samples but nearly: a few that are missing are not worth a run. */
	return t->recorded_ns < t->wish->settings->duration_ns && samples_left(t) > t->wish->settings->samples / 32;
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

static int record(struct taking *t, int fd, struct error *err)
{
	const struct record_spec spec = {
		.event = t->taken.event, .frequency = t->taken.frequency, .call_graph = t->taken.call_graph, .fd = fd,
	};
	uint64_t began = clock_now_ns(), spent_ns;
	const struct record_quota q = quota(t, began);

	if (t->ops->record(t->ops->ctx, &spec, &q, &t->times, &spent_ns, err) < 0)
		return -1;
	t->spent_ns += spent_ns;
	t->recorded_ns += clock_now_ns() - began;
	return 0;
}

static int read_back(struct taking *t, const struct recorded *recorded, uint64_t *samples_out, struct error *err)
{
	const struct profile_sink *sink = &t->wish->sink;

	if (sink->begin(sink->ctx, err) < 0 ||
	    perf_script_read(t->session->keeper, &t->session->perf, recorded, sink->feed, sink->ctx, err) < 0)
		return -1;
	return sink->end(sink->ctx, samples_out, err);
}

static int record_and_read(struct taking *t, uint64_t *samples_out, struct error *err)
{
	CLEANUP(free_ptr) char *file = data_file(t);
	struct recorded recorded = { .file = file, .fd = file_unnamed(t->wish->dir, err) };
	struct error why = ERROR_INIT;
	int ret;

	if (recorded.fd < 0)
		return -1;
	ret = record(t, recorded.fd, err);
	if (ret == 0) {
		/* It has a name only once it has been read: until then the target could write to it. */
		ret = read_back(t, &recorded, samples_out, err);
		if (file_give_name(recorded.fd, file, &why) < 0)
			strv_pushf(&t->counted->notes, "profile: the recording could not be kept: %s", why.msg);
	}
	close(recorded.fd);
	return ret;
}

/* -------- what is not to be had */

static void note_other(const struct taking *t, const char *what, const char *why, const char *instead)
{
	strv_pushf(&t->counted->notes, "profile: %s is not to be had here (%s); %s instead", what, why, instead);
}

static void use_frame_pointers(struct taking *t, const char *why)
{
	note_other(t, "a call graph by lbr", why, "by fp");
	t->taken.call_graph = CALL_GRAPH_FP;
}

/* Something less demanding to record by, as it did not work for WHY; false when there is none. */
static bool step_down(struct taking *t, const char *why)
{
	const char *clock = perf_record_clock(t->session->machine.tier);

	if (t->taken.runs)
		return false;
	if (t->taken.call_graph == CALL_GRAPH_LBR) {
		use_frame_pointers(t, why);
		return true;
	}
	if (!strcmp(t->taken.event, clock))
		return false;
	note_other(t, "sampling by cycles", why, "by the clock");
	t->taken.event = clock;
	return true;
}

static bool is_long(const struct cpu_times *times)
{
	double sum = 0;

	for (size_t i = 0; i < times->n; i++)
		sum += times->ms[i];
	return sum > SILENT_MS;
}

static int take_run(struct taking *t, struct error *err)
{
	struct error why = ERROR_INIT;
	uint64_t samples;

	t->ops->progress(t->ops->ctx, t->taken.runs + 1, t->taken.runs < PROFILE_RUNS_LEAST ? PROFILE_RUNS_LEAST : 0);
	if (record_and_read(t, &samples, &why) == 0) {
		/* Where the counter's interrupt never comes. */
		if (!samples && is_long(&t->times) && step_down(t, "no sample came"))
			return 0;
		t->taken.samples += samples;
		t->taken.runs++;
		return 0;
	}
	if (why.kind == ERR_SYSTEM && step_down(t, why.msg))
		return 0;
	error_wrap(&why, "in profiled %s %u", t->counted->attached ? "window" : "run", t->taken.runs + 1);
	if (err)
		*err = why;
	return -1;
}

/* -------- what it cost */

static double value(const struct side_result *counted, size_t run, const char *metric)
{
	for (size_t i = 0; i < counted->n_metrics; i++)
		if (!strcmp(counted->metrics[i]->name, metric))
			return counted->runs[run].values[i];
	return NAN;
}

/* A window that tells no work may be of any length. */
static double counted_per_second(const struct side_result *counted)
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

static double counted_cpu_ms(const struct side_result *counted)
{
	if (counted->attached && !counted->work_unit)
		return counted_per_second(counted);
	return side_result_median(counted, counted->work_unit ? "cpu-time" METRIC_PER_WORK : "cpu-time");
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

	if (is_hopeless(t))
		strv_pushf(&t->counted->notes, "profile: ended after %.2g s: at this pace %.3g s give about %.0f samples, and symbols "
			   "are judged from %d; raise profile.duration or profile.frequency", (double)t->spent_ns / 1e9,
			   (double)s->duration_ns / 1e9, samples_foreseen(t), PROFILE_SAMPLES_GATED);
	else if (t->taken.runs < PROFILE_RUNS_LEAST)
		strv_pushf(&t->counted->notes, "profile: %u of %d profiled runs fitted into %.3g s; raise profile.duration",
			   t->taken.runs, PROFILE_RUNS_LEAST, (double)s->duration_ns / 1e9);
}

/* The kernel lowers its limit when samples take it too long, and perf then takes fewer without a status of its own. */
static unsigned frequency(struct taking *t)
{
	unsigned wanted = t->wish->settings->frequency;
	long long most;

	if (!file_read_number("/proc/sys/kernel/perf_event_max_sample_rate", &most) || most <= 0 || most >= wanted)
		return wanted;
	strv_pushf(&t->counted->notes, "profile: sampled at %lld Hz, not %u, the most that kernel.perf_event_max_sample_rate allows",
		   most, wanted);
	return (unsigned)most;
}

static int take_all(struct taking *t, struct error *err)
{
	t->taken.event = perf_record_event(t->session->machine.tier);
	t->taken.call_graph = t->wish->settings->call_graph;
	if (!t->taken.event)
		return error_set(err, ERR_SYSTEM, "perf is not used here, so nothing can be sampled");
	if (file_refuse_link(t->wish->dir, err) < 0)
		return -1;
	t->taken.frequency = frequency(t);
	if (t->taken.call_graph == CALL_GRAPH_LBR && !tier_has_hardware(t->session->machine.tier))
		use_frame_pointers(t, "there are no hardware counters");
	while (wants_more(t))
		if (take_run(t, err) < 0)
			return -1;
	return 0;
}

int profile_runs_take(struct session *session, const struct profile_wish *wish, const struct profile_ops *ops,
		      struct side_result *counted, struct profile_taken *out, struct error *err)
{
	struct taking t = { .session = session, .wish = wish, .ops = ops, .counted = counted };
	int ret = take_all(&t, err);

	if (ret == 0) {
		note_few(&t);
		t.taken.overhead_pct = overhead_pct(&t);
		t.taken.execution_ms = counted->attached ? NAN : stats_median(t.times.ms, t.times.n);
		*out = t.taken;
	}
	free(t.times.ms);
	return ret;
}
