#include "model/result_pairs.h"

#include <math.h>

#include "base/mem.h"

static void release_side(struct pair_side *side)
{
	free(side->label);
	free(side->commit);
	scenario_result_release(side->measured);
	free(side->measured);
}

void pairing_free(struct pairing *pairing)
{
	if (!pairing)
		return;
	release_side(&pairing->base);
	release_side(&pairing->head);
	free(pairing->services);
	free(pairing->one_program);
	free(pairing);
}

static struct scenario_result *new_measured(const char *name)
{
	struct scenario_result *measured = xcalloc(1, sizeof *measured);

	*measured = (struct scenario_result){
		.name = xstrdup(name), .state = SCENARIO_SKIPPED, .profile = { .overhead_pct = NAN },
	};
	return measured;
}

struct pairing *scenario_result_pair(struct scenario_result *scenario)
{
	struct pairing *pairing = xcalloc(1, sizeof *pairing);

	pairing_free(scenario->pairing);
	*pairing = (struct pairing){
		.base.measured = new_measured(scenario->name), .head.measured = new_measured(scenario->name),
		.gates = 1, .batch = 1,
	};
	scenario->pairing = pairing;
	return pairing;
}

void scenario_result_unpair(struct scenario_result *scenario)
{
	pairing_free(scenario->pairing);
	scenario->pairing = NULL;
}

size_t scenario_result_pairs(const struct scenario_result *scenario)
{
	const struct pairing *pairing = scenario->pairing;
	size_t base, head;

	if (!pairing)
		return 0;
	base = pairing->base.measured->n_runs;
	head = pairing->head.measured->n_runs;
	return base < head ? base : head;
}

const struct scenario_result *scenario_result_measured(const struct scenario_result *scenario)
{
	return scenario->pairing ? scenario->pairing->head.measured : scenario;
}

static double *side_values(const struct pair_side *side, const char *metric, size_t n)
{
	const struct scenario_result *measured = side->measured;
	double *values = xcalloc(n, sizeof *values);
	size_t column = 0;

	while (column < measured->n_metrics && strcmp(measured->metrics[column]->name, metric))
		column++;
	for (size_t i = 0; i < n; i++)
		values[i] = column < measured->n_metrics ? measured->runs[i].values[column] : NAN;
	return values;
}

void scenario_result_pair_values(const struct scenario_result *scenario, const char *metric, double **base_out,
				 double **head_out, size_t *n_out)
{
	size_t n = scenario_result_pairs(scenario);

	*n_out = n;
	*base_out = n ? side_values(&scenario->pairing->base, metric, n) : NULL;
	*head_out = n ? side_values(&scenario->pairing->head, metric, n) : NULL;
}
