#include "job/project/benchmarks.h"

#include <math.h>

#include "base/mem.h"
#include "base/parse.h"
#include "judge/pairs.h"
#include "model/result.h"
#include "scenario/scenario.h"

static bool has_gate(const struct scenario_result *result, const struct metric *metric)
{
	for (size_t i = 0; i < result->n_gates; i++)
		if (result->gates[i].gate.kind == GATE_METRIC && metric_same(result->gates[i].gate.metric, metric))
			return true;
	return false;
}

static void add_gates_of(const struct scenario *s, const struct side_result *side, struct scenario_result *result)
{
	struct gate gate;

	for (size_t i = 0; i < side->n_metrics; i++)
		if (side->metrics[i]->benchmark && !has_gate(result, side->metrics[i]) && scenario_benchmark_gate(s, side->metrics[i], &gate))
			scenario_result_add_gate(result, &gate);
}

static bool matches_any(const char *glob, const struct side_result *side)
{
	for (size_t i = 0; i < side->n_metrics; i++) {
		const struct metric *metric = side->metrics[i];

		if (metric->benchmark && (!strcmp(glob, metric->name) || glob_match(glob, metric->name)))
			return true;
	}
	return false;
}

unsigned benchmarks_gates(const struct scenario *s, struct scenario_result *result)
{
	const struct side_result *head = scenario_result_measured(result);
	unsigned n = 0;

	add_gates_of(s, head, result);
	add_gates_of(s, &result->base, result);
	for (size_t i = 0; i < s->gates.n_patterns; i++) {
		const struct gate *pattern = &s->gates.patterns[i];
		bool off = !pattern->relative && isnan(pattern->max) && isnan(pattern->min);

		if (!off && !matches_any(pattern->metric->name, head) && !matches_any(pattern->metric->name, &result->base) &&
		    !has_gate(result, pattern->metric))
			scenario_result_add_gate(result, pattern);
	}
	for (size_t i = 0; i < result->n_gates; i++)
		n += result->gates[i].gate.metric->benchmark && result->gates[i].gate.relative;
	return n;
}

static bool in_last_pair(const struct scenario_result *result, const struct metric *metric)
{
	CLEANUP(free_ptr) double *base = NULL, *head = NULL;
	size_t n;

	scenario_result_pair_values(result, metric, &base, &head, &n);
	return n && base[n - 1] > 0 && head[n - 1] > 0;
}

bool benchmarks_undecided(const struct scenario_result *result, struct strv *out)
{
	for (size_t i = 0; i < result->n_gates; i++) {
		const struct gate_result *g = &result->gates[i];

		if (g->gate.kind == GATE_METRIC && !g->gate.metric->benchmark)
			return false;
		if (g->gate.kind != GATE_METRIC || !judge_pairs_undecided(result, g))
			continue;
		if (!in_last_pair(result, g->gate.metric))
			return false;
		strv_push(out, g->gate.metric->name);
	}
	return out->n > 0;
}

const struct metric *benchmarks_worst(struct scenario_result *result, const struct machine *machine)
{
	const struct metric *worst = NULL;
	double most = -INFINITY;

	for (size_t i = 0; i < result->n_gates; i++) {
		const struct gate *gate = &result->gates[i].gate;
		struct judgement j = { 0 };

		if (!gate->metric->benchmark || !judge_pair(gate, &j, result, machine) || j.verdict != VERDICT_REGRESSION || j.change_pct <= most)
			continue;
		most = isnan(j.change_pct) ? most : j.change_pct;
		worst = gate->metric;
	}
	return worst;
}

static const struct metric *only_benchmark(const struct side_result *side)
{
	const struct metric *only = NULL;

	for (size_t i = 0; i < side->n_metrics; i++) {
		if (!side->metrics[i]->benchmark)
			continue;
		if (only)
			return NULL;
		only = side->metrics[i];
	}
	return only;
}

static void note_renamed(const struct scenario *s, struct scenario_result *result)
{
	const struct metric *was = only_benchmark(&result->base), *now = only_benchmark(scenario_result_measured(result));

	if (was && now && !metric_same(was, now))
		NOTE(&result->head, "the only benchmark is '%s' in the base and '%s' in the head, which are not compared: give both the same %s",
		     was->name, now->name, s->harness.kind == HARNESS_HYPERFINE ? "--command-name" : "name");
}

void benchmarks_note(const struct scenario *s, struct scenario_result *result)
{
	const struct side_result *sides[] = { scenario_result_measured(result), &result->base };
	const char *first = NULL;
	struct gate gate;
	size_t n = 0;

	for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
		for (size_t i = 0; i < sides[k]->n_metrics; i++) {
			const struct metric *metric = sides[k]->metrics[i];

			if (!metric->benchmark || has_gate(result, metric) || !scenario_benchmark_gate(s, metric, &gate))
				continue;
			first = first ?: metric->name;
			n++;
		}
	note_renamed(s, result);
	if (n)
		NOTE(&result->head, "%zu benchmark%s not in the first run of either side, so that no gate judges %s: %s%s", n,
		     n == 1 ? " was" : "s were", n == 1 ? "it" : "them", first, n > 1 ? ", ..." : "");
}
