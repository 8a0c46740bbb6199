#include "gate/explain.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "stats/order.h"

/* Below this a part of a change is not worth a word, in log units. */
#define WORTH_TELLING 0.005
/* The same of a time, which is told with one decimal. */
#define MS_WORTH_TELLING 0.05

/* True where what grows with the work is told per unit of it, as it was judged. */
static bool per_work(const struct scenario_result *scenario)
{
	return scenario_result_count(scenario_result_measured(scenario), METRIC_WORK) > 0;
}

/* The name of the values that METRIC's gate is judged by; for free(). */
static char *series_of(const struct scenario_result *scenario, const char *name)
{
	const struct metric *metric = metric_find(name);

	if (metric && per_work(scenario) && metric_grows_with_work(metric))
		return metric_per_work_name(metric);
	return xstrdup(name);
}

static double median_of(const struct scenario_result *s, const struct baseline *base, const char *metric, bool now)
{
	CLEANUP(free_ptr) char *series = series_of(s, metric);
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

	values = now ? scenario_result_values(scenario_result_measured(s), series, &n) : baseline_values(base, series, &n);
	return n ? stats_median(values, n) : NAN;
}

double explain_change(const struct scenario_result *scenario, const struct baseline *base, const char *metric)
{
	double change = log(median_of(scenario, base, metric, true) / median_of(scenario, base, metric, false));

	return isfinite(change) ? change : NAN;
}

/* " per request", behind the name of what is told so. */
static void add_per_work(struct strbuf *out, const struct scenario_result *s)
{
	if (per_work(s))
		strbuf_addf(out, " per %s", scenario_result_work_unit(s));
}

static double pct(double log_ratio)
{
	return expm1(log_ratio) * 100;
}

static void add_part(struct strbuf *line, double change, const char *what, const char *up, const char *down)
{
	if (fabs(change) < WORTH_TELLING)
		return;
	strbuf_addf(line, "%s%+.1f %% %s (%s)", strbuf_ends_with(line, ": ") ? "" : ", ", pct(change), what,
		    change > 0 ? up : down);
}

static void explain_parts(struct scenario_result *s, const struct baseline *base)
{
	double clock = explain_change(s, base, "task-clock");
	double instructions = explain_change(s, base, "instructions");
	double cycles = explain_change(s, base, "cycles");
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (isnan(clock) || isnan(instructions) || isnan(cycles) || fabs(clock) < WORTH_TELLING)
		return;
	strbuf_adds(&line, "task-clock");
	add_per_work(&line, s);
	strbuf_addf(&line, " %+.1f %% is made of: ", pct(clock));
	add_part(&line, instructions, "instructions", "more work", "less work");
	add_part(&line, cycles - instructions, "cycles per instruction", "worse IPC", "better IPC");
	add_part(&line, clock - cycles, "time per cycle", "slower clock", "faster clock");
	if (!strbuf_ends_with(&line, ": "))
		strv_push(&s->explanation, line.buf);
}

/* "-0.2 ms": a time of one request is told in a smaller unit. */
static void add_ms(struct strbuf *out, double ms, double largest_ms)
{
	static const struct { double from; const char *unit; double in_ms; } units[] = {
		{ 1, "ms", 1 }, { 1e-3, "us", 1e-3 }, { 0, "ns", 1e-6 },
	};
	size_t i = 0;

	while (largest_ms < units[i].from)
		i++;
	strbuf_addf(out, "%+.1f %s", ms / units[i].in_ms, units[i].unit);
}

static void explain_modes(struct scenario_result *s, const struct baseline *base)
{
	double user = median_of(s, base, "user-time", true) - median_of(s, base, "user-time", false);
	double sys = median_of(s, base, "system-time", true) - median_of(s, base, "system-time", false);
	double largest = fmax(fabs(user), fabs(sys));
	double worth = MS_WORTH_TELLING;
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (per_work(s))
		worth /= scenario_result_median(scenario_result_measured(s), METRIC_WORK);
	if (isnan(user) || isnan(sys) || largest < worth)
		return;
	strbuf_adds(&line, "CPU time");
	if (per_work(s))
		add_per_work(&line, s);
	else
		strbuf_addf(&line, " per %s", scenario_result_runs(s, 1));
	strbuf_adds(&line, ": user ");
	add_ms(&line, user, per_work(s) ? largest : 1);
	strbuf_adds(&line, ", system ");
	add_ms(&line, sys, per_work(s) ? largest : 1);
	strv_push(&s->explanation, line.buf);
}

static void explain_simulated(struct scenario_result *s, const struct baseline *base)
{
	double instructions = explain_change(s, base, "sim-instructions");

	if (!isnan(instructions) && fabs(instructions) >= WORTH_TELLING)
		strv_pushf(&s->explanation, "instructions (simulated) %+.1f %%: the program does %s work", pct(instructions),
			   instructions > 0 ? "more" : "less");
}

/* task-clock contains time the hypervisor took away; user and system time mostly do not. */
static void explain_steal(struct scenario_result *s, const struct baseline *base)
{
	double clock = explain_change(s, base, "task-clock"), cpu = explain_change(s, base, "cpu-time");
	CLEANUP(strbuf_release) struct strbuf unit = STRBUF_INIT;

	add_per_work(&unit, s);
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct judgement *j = gate_judgement(&s->gates[i]);

		if (strcmp(j->ref.metric->name, "task-clock") || isnan(clock) || isnan(cpu))
			continue;
		if (clock > 0 && clock - cpu > log1p(j->tolerance_pct / 100))
			strv_pushf(&s->explanation,
				   "task-clock%s rose by %+.1f %%, user and system time only by %+.1f %%: the rest is steal, "
				   "time the hypervisor gave to others", unit.buf, pct(clock), pct(cpu));
	}
}

/* Of the parts that settings_difference() names. */
static bool is_plural(const char *part)
{
	static const char *const plurals[] = { "events", "cpus", "services", "metrics" };

	for (size_t i = 0; i < sizeof plurals / sizeof plurals[0]; i++)
		if (!strcmp(plurals[i], part))
			return true;
	return false;
}

static void explain_identity(struct scenario_result *s, const struct baseline *base)
{
	const char *before = base->n_sessions ? base->sessions[base->n_sessions - 1].executable : NULL;
	const char *differs = settings_difference(&s->settings, &base->settings);

	if (differs)
		strv_pushf(&s->explanation, "the scenario changed since the baseline: its %s %s", differs,
			   is_plural(differs) ? "differ" : "differs");
	if (before && s->executable && !strcmp(before, s->executable))
		strv_pushf(&s->explanation, "same executable as the baseline's (%.24s)%s", s->executable,
			   scenario_result_regressed(s) ? ": look at its input, its libraries or the machine" : "");
}

void explain_scenario(struct scenario_result *scenario, const struct baseline *base, bool same_class)
{
	/* What nobody could tell has no cause. */
	if (same_class && scenario_result_cost_changed(scenario)) {
		explain_parts(scenario, base);
		explain_modes(scenario, base);
		explain_simulated(scenario, base);
		explain_steal(scenario, base);
	}
	scenario->n_causes = scenario->explanation.n;
	/* The sides of a pair are told apart by who compared them. */
	if (!scenario->pairing)
		explain_identity(scenario, base);
}
