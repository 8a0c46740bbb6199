#include "report/pairs.h"

#include <math.h>

#include "base/mem.h"
#include "judge/pairs.h"
#include "model/metrics/numbers.h"
#include "report/severity.h"
#include "report/words.h"
#include "stats/stats.h"

void pairs_label(struct strbuf *out, const struct scenario_result *scenario, bool head)
{
	const struct side_result *side = head ? scenario_result_measured(scenario) : &scenario->base;
	CLEANUP(free_ptr) char *commit = side->commit ? xstrndup(side->commit, COMMIT_SHOWN) : NULL;

	strbuf_adds(out, side->label ?: head ? "head" : "base");
	if (commit && !(side->label && strstr(side->label, commit)))
		strbuf_addf(out, " (%s)", commit);
}

/* Adds the smallest change that this many pairs detect, for the gate that represents the scenario. */
static void add_seen(struct strbuf *out, const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct judgement *j = gate_judgement(&scenario->gates[i]);

		if (!j->pairs || !isfinite(j->detectable_pct))
			continue;
		strbuf_adds(out, "; ");
		format_gate(out, scenario, &scenario->gates[i]);
		strbuf_addf(out, ": changes from %s are seen", format_percent(j->detectable_pct).s);
		return;
	}
}

/* The same for benchmarks, whose spreads differ. */
static void add_seen_by_benchmarks(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(free_ptr) double *seen = xcalloc(scenario->n_gates + 1, sizeof *seen);
	size_t n = 0;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct judgement *j = gate_judgement(&scenario->gates[i]);

		if (scenario->gates[i].gate.metric->benchmark && j->pairs && isfinite(j->detectable_pct))
			seen[n++] = j->detectable_pct;
	}
	if (!n)
		return;
	stats_sort(seen, n);
	strbuf_addf(out, "; with %u gate%s, changes from %s are seen in half of the benchmarks, from %s in nine of ten", scenario->pairing.gates,
		    scenario->pairing.gates == 1 ? "" : "s", format_percent(seen[n / 2]).s, format_percent(seen[n - 1 - n / 10]).s);
}

void pairs_facts(struct strbuf *out, const struct scenario_result *scenario, bool brief)
{
	const struct pairing *pairing = &scenario->pairing;
	size_t n = scenario_result_pairs(scenario), first = 0;

	if (!scenario->paired)
		return;
	for (size_t i = 0; i < n; i++)
		first += scenario->base.runs[i].first;
	if (brief && scenario->n_gates) {
		strbuf_addf(out, "%zu, judged by ", n);
		format_subject(out, scenario, &scenario->gates[0]);
	} else {
		strbuf_addf(out, "%zu of at most %u", n, pairing->pairs_most ? pairing->pairs_most : PAIRS_MOST);
	}
	if (!brief)
		strbuf_addf(out, ", order tossed from seed %llu", (unsigned long long)pairing->seed);
	if (!brief && n)
		strbuf_addf(out, " (base first in %zu)", first);
	if (brief && pairing->way == PAIR_IN_TURN && !pairing->apart)
		strbuf_adds(out, "; one after the other");
	if (n && pairing->way != PAIR_IN_TURN)
		strbuf_adds(out, "; both sides at once on one CPU");
	if (n && pairing->way == PAIR_BOTH_WAYS)
		strbuf_adds(out, ", and in turn for what needs that");
	if (n && pairing->apart)
		strbuf_addf(out, "; one after the other, since %s", pairing->apart);
	if (pairing->batch > 1)
		strbuf_addf(out, "; a value is the mean of %u %s", pairing->batch,
			    scenario->head.attached ? "windows of one start" : "adjacent runs");
	if (brief)
		return;
	if (pairing->rerun)
		strbuf_addf(out, "; %u measured again, since the hypervisor took time from them", pairing->rerun);
	if (pairing->dropped)
		strbuf_addf(out, "; %u dropped, since a run failed or the clock jumped", pairing->dropped);
	if (pairing->services)
		strbuf_addf(out, "; services %s", pairing->services);
	if (pairing->floor_pct > 0)
		strbuf_addf(out, "; a regression is at least %s worse", format_limit(pairing->floor_pct, false).s);
	strbuf_addf(out, "; corrected for %u gate%s", pairing->gates, pairing->gates == 1 ? "" : "s");
	if (side_result_benchmarks(scenario_result_measured(scenario)))
		add_seen_by_benchmarks(out, scenario);
	else
		add_seen(out, scenario);
}

/* -------- what the stored comparison had found before */

/* Only flagged gates can be confirmed; for others the pairs are the first evidence. */
static const char *outcome(const struct scenario_result *scenario, const struct gate_result *gate)
{
	/* With the accepted build at hand, pairs decide what stored times pass, too. */
	if (pairs_only(scenario) || gate->stored.verdict == VERDICT_PASS)
		return "in pairs with";
	if (gate->stored.verdict == VERDICT_NOT_MEASURED)
		return "compared in pairs instead, with";
	if (gate->stored.verdict == VERDICT_INCONCLUSIVE)
		return "which is inconclusive; in pairs with";
	if (gate_judgement(gate)->verdict == VERDICT_INCONCLUSIVE)
		return "neither confirmed nor refuted in pairs against";
	return gate_judgement(gate)->verdict == VERDICT_REGRESSION ? "confirmed in pairs against"
								   : "not confirmed in pairs against";
}

bool pairs_judged_again(const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (gate_judged_again(&scenario->gates[i]) && scenario->gates[i].paired.pairs)
			return true;
	return false;
}

void pairs_stored_comparisons(const struct scenario_result *scenario, struct strv *out)
{
	const char *label = scenario->baseline_label;
	/* "the baseline of 2026-11-20", because labels begin with their date. */
	CLEANUP(free_ptr) char *baseline =
		text_printf("the baseline%s%.*s", label ? " of " : "", (int)strcspn(label ?: "", ","), label ?: "");

	for (size_t i = 0; i < scenario->n_gates && scenario->paired; i++) {
		const struct gate_result *gate = &scenario->gates[i];
		const struct judgement *stored = &gate->stored;
		struct strbuf line = STRBUF_INIT;

		if (!gate_judged_again(gate) || (!gate->paired.pairs && !pairs_only(scenario)))
			continue;
		format_gate(&line, scenario, gate);
		if (stored->verdict == VERDICT_NOT_MEASURED && stored->reason)
			/* The rest of the reason is advice that has been followed. */
			strbuf_addf(&line, ": %.*s", (int)strcspn(stored->reason, ";"), stored->reason);
		else if (stored->verdict == VERDICT_NOT_MEASURED || !isfinite(stored->change_pct))
			strbuf_addf(&line, ": could not be compared with %s", baseline);
		else
			strbuf_addf(&line, ": %s against %s (limit %s)", format_gate_change(gate, stored->change_pct).s,
				    baseline, format_limit(stored->tolerance_pct, gate_in_points(&gate->gate)).s);
		strbuf_addf(&line, "; %s ", outcome(scenario, gate));
		pairs_label(&line, scenario, false);
		strbuf_addf(&line, ": %s", isfinite(gate->paired.change_pct) ? format_gate_change(gate, gate->paired.change_pct).s
									      : verdict_names[gate->paired.verdict]);
		if (!gate->by_baseline) {
			format_evidence(&line, gate);
			format_pairs(&line, scenario, gate);
		}
		strv_take(out, strbuf_take(&line));
	}
}

/* -------- values of both sides */

size_t pairs_values(const struct scenario_result *scenario, const struct metric *metric, size_t most, double **base,
		    double **head)
{
	size_t n, kept = 0;

	*base = *head = NULL;
	if (!scenario->paired)
		return 0;
	scenario_result_pair_values(scenario, metric, base, head, &n);
	for (size_t i = 0; i < n && kept < most; i++) {
		if (!((*base)[i] >= 0 && (*head)[i] >= 0))
			continue;
		(*base)[kept] = (*base)[i];
		(*head)[kept++] = (*head)[i];
	}
	return kept;
}

static size_t values_of(const struct scenario_result *scenario, const struct gate_result *gate, double **base,
			double **head)
{
	return pairs_values(scenario, gate_judgement(gate)->metric, gate_judgement(gate)->pairs, base, head);
}

struct short_text pairs_spread(const struct scenario_result *scenario, const struct gate_result *gate, bool head)
{
	CLEANUP(free_ptr) double *base = NULL;
	CLEANUP(free_ptr) double *other = NULL;
	size_t n = values_of(scenario, gate, &base, &other);
	const double *values = head ? other : base;
	double pct = n > 1 ? 100 * stats_sd(values, n) / stats_median(values, n) : 0;

	return pct >= 0.005 && isfinite(pct) ? format_short(" \u00b1%s", format_percent(pct).s) : (struct short_text){ "" };
}

static double *ratios_of(const struct scenario_result *scenario, const struct gate_result *gate, size_t *n_out)
{
	CLEANUP(free_ptr) double *head = NULL;
	double *base;
	size_t n = values_of(scenario, gate, &base, &head), kept = 0;

	for (size_t i = 0; i < n; i++)
		if (base[i] > 0)
			base[kept++] = head[i] / base[i];
	*n_out = kept;
	return base;
}

/* Fills OUT as a gate on METRIC without a limit; returns false if no pair has the metric. */
static bool show(const struct scenario_result *scenario, const struct metric *metric, struct gate_result *out)
{
	struct gate_result row = { .gate = { .metric = metric, .max = NAN, .min = NAN } };
	struct judgement *j = &row.paired;
	CLEANUP(free_ptr) double *base = NULL;
	CLEANUP(free_ptr) double *head = NULL;
	CLEANUP(free_ptr) double *ratios = NULL;
	size_t n;

	gate_result_forget(&row);
	j->done = true;
	j->verdict = VERDICT_PASS;
	j->pairs = (unsigned)scenario_result_pairs(scenario);
	j->pairs = (unsigned)values_of(scenario, &row, &base, &head);
	if (!j->pairs)
		return false;
	j->baseline = stats_median(base, j->pairs);
	j->current = stats_median(head, j->pairs);
	ratios = ratios_of(scenario, &row, &n);
	if (n)
		j->change_pct = 100 * (stats_median(ratios, n) - 1);
	*out = row;
	return true;
}

struct gate_result *pairs_shown(struct arena *arena, const struct scenario_result *scenario, bool all, size_t *n_out)
{
	const struct side_result *head = scenario_result_measured(scenario);
	struct gate_result *rows = arena_alloc(arena, (head->n_metrics + 1) * sizeof *rows);

	*n_out = 0;
	for (size_t i = 0; i < head->n_metrics && pairs_only(scenario); i++) {
		const struct metric *metric = head->metrics[i];

		/* A benchmark program runs for as long as it is asked to. */
		if (!metric->benchmark && side_result_benchmarks(head))
			continue;
		if ((all || metric == METRIC(WALL_TIME)) && !scenario_result_is_gated(scenario, metric) &&
		    show(scenario, metric, &rows[*n_out]))
			++*n_out;
	}
	return rows;
}
