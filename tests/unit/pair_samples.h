/* A fixture whose scenario was measured in pairs. The caller includes cmocka first. */
#ifndef PAWL_TESTS_PAIR_SAMPLES_H
#define PAWL_TESTS_PAIR_SAMPLES_H

#include "judge/pairs.h"
#include "judge_fixture.h"

/* N pairs: BASE and RATIO times BASE. The ratios spread evenly by SPREAD to both sides. */
struct pair_values {
	double base, ratio, spread;
	size_t n;
};

static inline void open_pairing(struct fixture *fixture, bool confirming)
{
	scenario_result_pair(&fixture->s, confirming);
	fixture->s.pairing.seed = 1;
	fixture->s.base.state = scenario_result_measured(&fixture->s)->state = SCENARIO_MEASURED;
}

/* Like add_gate(), with the tolerance for pairs. */
static inline void add_pair_gate(struct fixture *fixture, const char *metric)
{
	struct gate gate = relative_gate(metric_find(metric), metric_find(metric)->paired_tolerance_pct);

	scenario_result_add_gate(&fixture->s, &gate);
}

/* GATE: the metric of its first gate, or NULL. */
static inline struct fixture fixture_in_pairs(const char *gate)
{
	struct fixture fixture = fixture_new(NULL);

	open_pairing(&fixture, false);
	if (gate)
		add_pair_gate(&fixture, gate);
	return fixture;
}

static inline void fixture_open_pairs(struct fixture *fixture)
{
	*fixture = fixture_in_pairs(NULL);
}

/* Returns the position of pair I of N in the spread, from -1 to 1, in an order without a trend. */
static inline double spread_of(size_t i, size_t n)
{
	return n < 2 ? 0 : 2.0 * (double)(i * 7 % n) / (double)(n - 1) - 1;
}

static inline void set_value(struct side_result *side, const char *metric, size_t i, double value)
{
	size_t column = side_result_column(side, metric_find(metric));

	while (side->n_runs <= i)
		side_result_add_run(side);
	side->runs[i].values[column] = value;
}

/* Sets METRIC in the first run only. */
static inline void set_one(struct side_result *side, const char *metric, double value)
{
	set_value(side, metric, 0, value);
}

/* Sets METRIC of both sides, and of the baseline for judge_pairs(). N must not be a multiple of 7. */
static inline void measure_pairs(struct fixture *fixture, const char *metric, const struct pair_values *v)
{
	for (size_t i = 0; i < v->n; i++) {
		set_value(&fixture->s.base, metric, i, v->base);
		set_value(scenario_result_measured(&fixture->s), metric, i, v->base * v->ratio * (1 + v->spread * spread_of(i, v->n)));
	}
	add_same(&fixture->base, metric, v->base, RUNS);
}

static inline void judge_in_pairs(struct fixture *fixture)
{
	judge_pairs(&fixture->s, &fixture->here, &fixture->base);
}

#endif
