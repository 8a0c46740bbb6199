#include "measure/run/profile_runs.h"

#include <math.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/process/interrupt.h"
#include "model/metrics/metric.h"
#include "model/metrics/numbers.h"
#include "model/result.h"
#include "scenario/scenario.h"
#include "stats/stats.h"

/* So much CPU time without a sample is not chance. */
#define SILENT_MS 100.0

struct taking {
	struct session *session;
	const struct profile_wish *wish;
	const struct profile_ops *ops;
	struct side_result *counted;
	struct profile_taken *taken;
};

void cpu_times_add(struct cpu_times *times, double ms)
{
	*VEC_ADD(times->ms, times->n, times->cap) = ms;
}

void profile_taken_release(struct profile_taken *taken)
{
	free(taken->times.ms);
	*taken = (struct profile_taken){ 0 };
}

static unsigned samples_wanted(const struct taking *t)
{
	unsigned all = t->wish->settings->samples;

	return t->wish->samples && t->wish->samples < all ? t->wish->samples : all;
}

static unsigned runs_left(const struct taking *t)
{
	return t->taken->runs < PROFILE_RUNS_LEAST ? PROFILE_RUNS_LEAST - t->taken->runs : 1;
}

static uint64_t samples_left(const struct taking *t)
{
	unsigned wanted = samples_wanted(t);

	return t->taken->samples < wanted ? wanted - t->taken->samples : 0;
}

static double samples_foreseen(const struct taking *t)
{
	const struct profile_taken *taken = t->taken;
	double whole_ns = (double)t->wish->settings->duration_ns;

	return taken->spent_ns ? (double)taken->samples * whole_ns / (double)taken->spent_ns : INFINITY;
}

/* True if half the samples that symbols need is out of reach. A flame graph needs fewer. */
static bool is_hopeless(const struct taking *t)
{
	const struct profile_settings *s = t->wish->settings;

	return t->taken->runs && t->taken->runs < PROFILE_RUNS_LEAST && t->taken->spent_ns < s->duration_ns &&
	       s->samples >= PROFILE_SAMPLES_GATED && samples_foreseen(t) < PROFILE_SAMPLES_GATED / 2.0;
}

static bool wants_more(const struct taking *t)
{
	if (!t->taken->runs)
		return true;
	if (is_hopeless(t))
		return false;
	if (t->taken->spent_ns >= t->wish->settings->duration_ns || t->taken->runs >= PROFILE_RUNS_MAX)
		return false;
	if (t->taken->runs < PROFILE_RUNS_LEAST)
		return true;
	/* CPU time predicts samples roughly, and a few missing ones are not worth a run. */
	return t->taken->recorded_ns < t->wish->settings->duration_ns && samples_left(t) > samples_wanted(t) / 32;
}

static int record_and_read(struct taking *t, uint64_t *samples_out, struct error *err)
{
	const struct profile_settings *s = t->wish->settings;
	CLEANUP(free_ptr) char *file = t->taken->runs ? text_printf("%s/perf-%u.data", t->wish->dir, t->taken->runs + 1) :
							text_printf("%s/perf.data", t->wish->dir);
	struct recorded recorded = { .file = file, .fd = file_unnamed(t->wish->dir, err) };
	const struct record_spec spec = {
		.event = t->taken->event, .frequency = t->taken->frequency, .call_graph = t->taken->call_graph,
		.fd = recorded.fd,
	};
	uint64_t left_ns = s->duration_ns > t->taken->spent_ns ? s->duration_ns - t->taken->spent_ns : 0;
	uint64_t began = clock_now_ns(), spent_ns;
	const struct record_quota quota = {
		.cpu_ms = (double)samples_left(t) / runs_left(t) * 1e3 / t->taken->frequency,
		.until_ns = began + left_ns / runs_left(t),
		.window_ns = left_ns / runs_left(t),
	};
	struct error why = ERROR_INIT;
	int ret;

	if (recorded.fd < 0)
		return -1;
	ret = t->ops->record(t->ops->ctx, &spec, &quota, &t->taken->times, &spent_ns, err);
	if (ret == 0) {
		t->taken->spent_ns += spent_ns;
		t->taken->recorded_ns += clock_now_ns() - began;
		/* Until the file has been read, it has no name, so that the target cannot write to it. */
		ret = record_read(t->session, &recorded, &t->wish->sink, samples_out, err);
		if (file_give_name(recorded.fd, file, &why) < 0)
			NOTE(t->counted, "profile: the recording could not be kept: %s", why.msg);
	}
	close(recorded.fd);
	return ret;
}

static void note_other(const struct taking *t, const char *what, const char *why, const char *instead)
{
	NOTE(t->counted, "profile: %s is not to be had here (%s); %s instead", what, why, instead);
}

static void use_frame_pointers(struct taking *t, const char *why)
{
	note_other(t, "a call graph by lbr", why, "by fp");
	t->taken->call_graph = CALL_GRAPH_FP;
}

/* False if no less demanding way is left. */
static bool step_down(struct taking *t, const char *why)
{
	const char *clock = tier_event(t->session->machine.tier, SAMPLED_CLOCK);

	if (t->taken->runs)
		return false;
	if (t->taken->call_graph == CALL_GRAPH_LBR) {
		use_frame_pointers(t, why);
		return true;
	}
	if (!strcmp(t->taken->event, clock))
		return false;
	note_other(t, "sampling by cycles", why, "by cpu-clock");
	t->taken->event = clock;
	return true;
}

static int take_run(struct taking *t, struct error *err)
{
	struct error why = ERROR_INIT;
	uint64_t samples;

	t->ops->progress(t->ops->ctx, t->taken->runs + 1, t->taken->runs < PROFILE_RUNS_LEAST ? PROFILE_RUNS_LEAST : 0);
	if (record_and_read(t, &samples, &why) == 0) {
		double used_ms = 0;

		for (size_t i = 0; i < t->taken->times.n; i++)
			used_ms += t->taken->times.ms[i];
		/* The counter never interrupts. */
		if (!samples && used_ms > SILENT_MS && step_down(t, "no sample came"))
			return 0;
		t->taken->samples += samples;
		t->taken->runs++;
		return 0;
	}
	if (why.kind == ERR_SYSTEM && step_down(t, why.msg))
		return 0;
	error_wrap(&why, "in profiled %s %u", t->counted->attached ? "window" : "run", t->taken->runs + 1);
	return error_copy(err, &why);
}

static double counted_cpu(const struct side_result *counted)
{
	CLEANUP(free_ptr) double *all = NULL;
	size_t n = 0;

	if (!counted->attached || counted->work_unit)
		return side_result_median(counted, counted->work_unit ? METRIC(CPU_TIME)->normalised : METRIC(CPU_TIME));
	/* A window without work may have any length. */
	all = xcalloc(counted->n_runs + 1, sizeof *all);
	for (size_t i = 0; i < counted->n_runs; i++) {
		const struct run *run = &counted->runs[i];
		double used = run_value(counted, run, METRIC(CPU_TIME)) / run_value(counted, run, METRIC(WALL_TIME));

		if (!isnan(used))
			all[n++] = used;
	}
	return stats_median(all, n);
}

static void note_few(const struct taking *t)
{
	const struct profile_settings *s = t->wish->settings;
	const char *duration = t->wish->cut ? "--budget" : "profile.duration";

	if (t->taken->noted)
		return;
	t->taken->noted = is_hopeless(t) || t->taken->runs < PROFILE_RUNS_LEAST;
	if (is_hopeless(t))
		NOTE(t->counted, "profile: ended after %s: at this pace %s give about %.0f samples, and symbols "
		     "are judged from %d; raise %s or profile.frequency", format_duration(t->taken->spent_ns).s,
		     format_duration(s->duration_ns).s, samples_foreseen(t), PROFILE_SAMPLES_GATED, duration);
	else if (t->taken->runs < PROFILE_RUNS_LEAST)
		NOTE(t->counted, "profile: %u of %d profiled runs fitted into %s; raise %s",
		     t->taken->runs, PROFILE_RUNS_LEAST, format_duration(s->duration_ns).s, duration);
}

static int choose(struct taking *t, struct error *err)
{
	const struct profile_settings *s = t->wish->settings;
	long long most;

	t->taken->event = tier_event(t->session->machine.tier, SAMPLED_CPU);
	t->taken->call_graph = s->call_graph;
	t->taken->frequency = s->frequency;
	if (!t->taken->event)
		return error_set(err, ERR_SYSTEM, "perf is not used here, so nothing can be sampled");
	if (file_refuse_link(t->wish->dir, err) < 0)
		return -1;
	/* The kernel lowers the rate if samples take too long. perf then takes fewer, and exits with 0. */
	if (file_read_number("/proc/sys/kernel/perf_event_max_sample_rate", &most) && most > 0 && most < s->frequency) {
		NOTE(t->counted, "profile: sampled at %lld Hz, not %u, the most that "
		     "kernel.perf_event_max_sample_rate allows", most, s->frequency);
		t->taken->frequency = (unsigned)most;
	}
	if (t->taken->call_graph == CALL_GRAPH_LBR && !tier_has_hardware(t->session->machine.tier))
		use_frame_pointers(t, "there are no hardware counters");
	return 0;
}

int profile_runs_take(struct session *session, const struct profile_wish *wish, const struct profile_ops *ops,
		      struct side_result *counted, struct profile_taken *taken, struct error *err)
{
	struct taking t = { .session = session, .wish = wish, .ops = ops, .counted = counted, .taken = taken };
	double before = counted_cpu(counted), now;
	int ret = taken->event ? 0 : choose(&t, err);

	while (ret == 0 && wants_more(&t))
		ret = take_run(&t, err);
	if (ret < 0) {
		profile_taken_release(taken);
		return -1;
	}
	now = stats_median(taken->times.ms, taken->times.n);
	note_few(&t);
	taken->overhead_pct = before > 0 ? (now / before - 1) * 100 : NAN;
	taken->execution_ms = counted->attached ? NAN : now;
	return 0;
}
