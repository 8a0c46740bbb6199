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

double explain_change(const struct scenario_result *scenario, const struct baseline *base, const char *metric)
{
	size_t n_now, n_base;
	double *now = scenario_result_values(scenario, metric, &n_now);
	double *before = baseline_values(base, metric, &n_base);
	double change = NAN;

	if (n_now && n_base)
		change = log(stats_median(now, n_now) / stats_median(before, n_base));
	free(now);
	free(before);
	return isfinite(change) ? change : NAN;
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
	strbuf_addf(&line, "task-clock %+.1f %% is made of: ", pct(clock));
	add_part(&line, instructions, "instructions", "more work", "less work");
	add_part(&line, cycles - instructions, "cycles per instruction", "worse IPC", "better IPC");
	add_part(&line, clock - cycles, "time per cycle", "slower clock", "faster clock");
	if (!strbuf_ends_with(&line, ": "))
		strv_push(&s->explanation, line.buf);
}

static double median_of(const struct scenario_result *s, const struct baseline *base, const char *metric, bool now)
{
	size_t n;
	double *values = now ? scenario_result_values(s, metric, &n) : baseline_values(base, metric, &n);
	double median = n ? stats_median(values, n) : NAN;

	free(values);
	return median;
}

static void explain_modes(struct scenario_result *s, const struct baseline *base)
{
	double user = median_of(s, base, "user-time", true) - median_of(s, base, "user-time", false);
	double sys = median_of(s, base, "system-time", true) - median_of(s, base, "system-time", false);

	if (isnan(user) || isnan(sys) || (fabs(user) < MS_WORTH_TELLING && fabs(sys) < MS_WORTH_TELLING))
		return;
	strv_pushf(&s->explanation, "CPU time per run: user %+.1f ms, system %+.1f ms", user, sys);
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

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate *gate = &s->gates[i].gate;

		if (strcmp(gate->metric->name, "task-clock") || isnan(clock) || isnan(cpu))
			continue;
		if (clock > 0 && clock - cpu > log1p(gate->tolerance_pct / 100))
			strv_pushf(&s->explanation,
				   "task-clock rose by %+.1f %%, user and system time only by %+.1f %%: the rest is steal, time "
				   "the hypervisor gave to others", pct(clock), pct(cpu));
	}
}

static void explain_identity(struct scenario_result *s, const struct baseline *base)
{
	const char *before = base->n_sessions ? base->sessions[base->n_sessions - 1].executable : NULL;
	const char *differs = settings_difference(&s->settings, &base->settings);

	if (differs)
		strv_pushf(&s->explanation, "the scenario changed since the baseline: its %s %s", differs,
			   strcmp(differs, "events") ? "differs" : "differ");
	if (before && s->executable && !strcmp(before, s->executable))
		strv_pushf(&s->explanation, "same executable as the baseline's (%.24s)%s", s->executable,
			   scenario_result_regressed(s) ? ": look at its input, its libraries or the machine" : "");
}

static bool anything_changed(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (s->gates[i].verdict == VERDICT_REGRESSION || s->gates[i].verdict == VERDICT_IMPROVEMENT ||
		    s->gates[i].verdict == VERDICT_INCONCLUSIVE)
			return true;
	return false;
}

void explain_scenario(struct scenario_result *scenario, const struct baseline *base, bool same_class)
{
	if (same_class && anything_changed(scenario)) {
		explain_parts(scenario, base);
		explain_modes(scenario, base);
		explain_simulated(scenario, base);
		explain_steal(scenario, base);
	}
	explain_identity(scenario, base);
}
