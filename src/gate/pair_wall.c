#include "gate/pair_wall.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/paired.h"

/* Less is told by its row alone, in percent. */
enum { TOLD_FROM_PCT = 20 };

static bool is_judged(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, "wall-time"))
			return true;
	return false;
}

/* One metric of both sides, pair by pair, by what it is judged by. */
struct sides {
	double *base, *head;
	size_t n;
};

static void sides_release(struct sides *sides)
{
	free(sides->base);
	free(sides->head);
}

static void take_sides(const struct scenario_result *s, const char *metric, struct sides *out)
{
	struct metric_ref ref = { metric_find(metric), .per_work = scenario_result_count(s->pairing->head.measured, METRIC_WORK) };
	CLEANUP(free_ptr) char *series = metric_ref_name(&ref);

	scenario_result_pair_values(s, series, &out->base, &out->head, &out->n);
}

/* By the rule that gates have: surely longer, and by more than is told. */
static bool is_longer(const struct scenario_result *s, const double *base, const double *head, size_t n, double *change_out)
{
	struct paired_terms terms = {
		.gates = s->pairing->gates, .pairs_most = s->pairing->pairs_most, .tolerance = log1p(TOLD_FROM_PCT / 100.0),
	};
	CLEANUP(free_ptr) double *differences = xcalloc(n + 1, sizeof *differences);
	struct paired paired;

	n = paired_differences(metric_find("wall-time"), base, head, n, differences);
	if (!n || !paired_decide(differences, n, true, &terms, &paired) || paired.verdict != VERDICT_REGRESSION)
		return false;
	*change_out = paired.estimate;
	return true;
}

/*
 * Whether more CPU time is no reason: the head took longer than by so much more CPU time, and by more than in the proportion that
 * CPU time rose in, since who needs more of a busy machine's CPUs waits for them longer.
 */
static bool is_unaccounted(const struct scenario_result *s, const struct sides *wall)
{
	CLEANUP(sides_release) struct sides clock = { 0 };
	CLEANUP(free_ptr) double *less = xcalloc(wall->n + 1, sizeof *less);
	CLEANUP(free_ptr) double *scaled = xcalloc(wall->n + 1, sizeof *scaled);
	double unused;

	take_sides(s, "task-clock", &clock);
	for (size_t i = 0; i < wall->n; i++) {
		bool known = i < clock.n && clock.base[i] > 0 && clock.head[i] > clock.base[i];

		less[i] = known ? fmax(wall->head[i] - (clock.head[i] - clock.base[i]), 0) : wall->head[i];
		scaled[i] = known ? wall->head[i] * clock.base[i] / clock.head[i] : wall->head[i];
	}
	return is_longer(s, wall->base, less, wall->n, &unused) && is_longer(s, wall->base, scaled, wall->n, &unused);
}

static const char *although(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, "task-clock") &&
		    gate_judgement(&s->gates[i])->verdict == VERDICT_IMPROVEMENT)
			return "CPU time fell";
	return "no gate regressed";
}

bool pair_wall_words(const struct scenario_result *s, struct strbuf *out)
{
	CLEANUP(sides_release) struct sides wall = { 0 };
	double change;

	if (s->state == SCENARIO_FAILED || s->settings.window_s > 0 || is_judged(s) || scenario_result_regressed(s))
		return false;
	take_sides(s, "wall-time", &wall);
	if (!is_longer(s, wall.base, wall.head, wall.n, &change) || !is_unaccounted(s, &wall))
		return false;
	if (exp(change) >= 2)
		strbuf_addf(out, "wall-time is %.1f times as long", exp(change));
	else
		strbuf_addf(out, "wall-time is longer by %.0f %%", 100 * expm1(change));
	strbuf_addf(out, " although %s: the head waits for something; wall time is shown, not judged: gate wall-time in a "
		    "scenario", although(s));
	return true;
}
