#include "report/formats/calibrated.h"

#include <math.h>

#include "base/text.h"
#include "judge/calibrate.h"
#include "model/result.h"
#include "model/metrics/numbers.h"
#include "store/store.h"

/* A difference of logarithms (positive is worse) as a raw change of the metric. */
static double change_pct(const struct metric *metric, double log_worse)
{
	return 100 * expm1(metric->higher_is_better ? -log_worse : log_worse);
}

static double spread_pct(double sd)
{
	return 100 * expm1(sd);
}

/* -------- JSON */

enum { CALIBRATED_SCHEMA = 2 };

static void add_replay(cJSON *parent, const char *key, const struct calibrating_replay *replay)
{
	cJSON *one = json_add_object(parent, key);

	json_add_number(one, "comparisons", replay->comparisons);
	json_add_number(one, "false_positives", replay->false_positives);
	json_add_number(one, "false_improvements", replay->false_improvements);
	json_add_number(one, "passed", replay->passed);
	json_add_number(one, "pairs", replay->pairs);
}

static void json_add_metric(cJSON *metrics, const struct calibrating *c)
{
	double low = change_pct(c->metric, c->shift.low), high = change_pct(c->metric, c->shift.high);
	cJSON *one = json_add_object(metrics, NULL), *detectable;

	json_add_string(one, "metric", c->metric->name);
	json_add_bool(one, "per_work", c->per_work);
	json_add_bool(one, "gated", c->gated);
	json_add_bool(one, "by_default", c->by_default);
	json_add_number(one, "pairs", (double)c->pairs);
	json_add_number(one, "median", c->median);
	json_add_number(one, "run_spread_pct", spread_pct(c->run_sd));
	json_add_number(one, "pair_spread_pct", spread_pct(c->pair_sd));
	json_add_number(one, "run_correlation", c->run_lag);
	json_add_number(one, "pair_correlation", c->pair_lag);
	json_add_number(one, "change_pct", change_pct(c->metric, c->shift.estimate));
	json_add_number(one, "low_pct", fmin(low, high));
	json_add_number(one, "high_pct", fmax(low, high));
	json_add_number(one, "p", c->p);
	json_add_number(one, "adjusted_p", c->adjusted_p);
	json_add_bool(one, "biased", calibrating_biased(c));
	json_add_number(one, "tolerance_pct", c->tolerance_pct);
	add_replay(one, "now", &c->now);
	json_add_number(one, "false_positives_most_pct", 100 * c->false_most);
	detectable = json_add_array(one, "detectable");
	for (size_t i = 0; i < CALIBRATING_SIZES; i++) {
		cJSON *size = json_add_object(detectable, NULL);

		json_add_number(size, "pairs", calibrating_sizes[i]);
		json_add_number(size, "change_pct", spread_pct(c->detectable[i]));
	}
	json_add_number(one, "found_pct", c->reason ? NAN : c->found_pct);
	add_replay(one, "then", &c->then);
	json_add_string(one, "reason", c->reason);
}

void calibrated_json(const struct calibrated *c, struct strbuf *out)
{
	cJSON *root = json_new_object(), *scenarios;

	json_add_number(root, "schema", CALIBRATED_SCHEMA);
	json_add_string(root, "date", c->result->date);
	json_add_string(root, "pawl", c->result->pawl);
	json_add_string(root, "machine", c->class);
	json_add_number(root, "elapsed_s", c->result->elapsed_s);
	json_add_number(root, "seed", (double)c->seed);
	json_add_number(root, "gates", c->gates);
	json_add_bool(root, "partial", c->result->partial);
	json_add_strings(root, "busy", &c->result->busy);
	scenarios = json_add_array(root, "scenarios");
	for (size_t i = 0; i < c->result->n_scenarios; i++) {
		const struct scenario_result *s = &c->result->scenarios[i];
		cJSON *one = json_add_object(scenarios, NULL), *metrics;

		json_add_string(one, "name", s->name);
		json_add_string(one, "failure", s->head.state == SCENARIO_FAILED ? s->head.failure : NULL);
		json_add_number(one, "pairs", (double)scenario_result_pairs(s));
		json_add_number(one, "dropped", s->pairing.dropped);
		json_add_number(one, "rerun", s->pairing.rerun);
		json_add_number(one, "batch", s->pairing.batch);
		json_add_number(one, "seconds", c->scenarios[i].seconds);
		metrics = json_add_array(one, "metrics");
		for (size_t k = 0; k < c->scenarios[i].n; k++)
			json_add_metric(metrics, &c->scenarios[i].metrics[k]);
	}
	json_append(out, root);
}

/* -------- text */

static struct short_text print_correlation(double lag)
{
	return isnan(lag) ? format_short("not at all") : format_short("by %.2f", lag);
}

/* "12 pairs (0.3 s) on average" */
static struct short_text print_average(const struct calibrating_replay *replay, double pair_s)
{
	return format_short("%.0f pairs (%s) on average", replay->pairs, format_value(replay->pairs * pair_s * 1e3, UNIT_MS).s);
}

static const char *plural(unsigned n)
{
	return n == 1 ? "" : "s";
}

static void add_metric(const struct calibrating *c, double pair_s, struct strbuf *out)
{
	double low = change_pct(c->metric, c->shift.low), high = change_pct(c->metric, c->shift.high);
	const struct calibrating_replay *now = &c->now, *then = &c->then;

	strbuf_adds(out, "\n  ");
	escape_terminal(out, c->metric->name);
	strbuf_addf(out, "%s, %s\n", c->per_work ? " per unit of work" : "",
		    format_value(c->median, c->metric->unit).s);
	strbuf_addf(out,
		    "    spread       %s of single runs, %s of pairs; neighbouring runs go together %s, pairs %s\n",
		    format_percent(spread_pct(c->run_sd)).s, format_percent(spread_pct(c->pair_sd)).s,
		    print_correlation(c->run_lag).s, print_correlation(c->pair_lag).s);
	strbuf_addf(out, "    difference   %s (%s)\n", format_change(change_pct(c->metric, c->shift.estimate)).s,
		    format_interval(fmin(low, high), fmax(low, high), false).s);

	if (now->comparisons)
		strbuf_addf(
		    out,
		    "    comparisons  %u of %u found an unchanged program slower; that proves no more than %s\n"
		    "                 %u passed, %u found it faster; they took %s\n",
		    now->false_positives, now->comparisons, format_percent(100 * c->false_most).s, now->passed, now->false_improvements,
		    print_average(now, pair_s).s);
	else
		strbuf_adds(out, "    comparisons  none was complete: too few pairs\n");
	strbuf_adds(out, "    detectable   ");
	for (size_t i = 0; i < CALIBRATING_SIZES; i++)
		strbuf_addf(out, "%s%s in %u%s", i ? ", " : "", format_percent(spread_pct(c->detectable[i])).s,
			    calibrating_sizes[i], i ? "" : " pairs");

	strbuf_adds(out, "\n    limit        ");
	if (c->reason) {
		strbuf_addf(out, "none is promised: %s\n", c->reason);
		return;
	}
	strbuf_adds(out, format_limit(c->found_pct, false).s);
	if (!c->gated)
		strbuf_adds(out, " would do (it has no gate here)");
	else if (!c->by_default)
		strbuf_addf(out, " would do (the scenario's own %s stands)", format_limit(c->tolerance_pct, false).s);
	else
		strbuf_addf(out, " (now %s)", format_limit(c->tolerance_pct, false).s);
	strbuf_addf(out, ": %u of %u comparison%s would have passed, in %s\n", then->passed, then->comparisons,
		    plural(then->comparisons), print_average(then, pair_s).s);
}

static void add_scenario(const struct scenario_result *s, const struct calibrated_scenario *c, struct strbuf *out)
{
	size_t pairs = scenario_result_pairs(s);
	double pair_s = pairs ? c->seconds / (double)pairs : 0;

	if (s->head.state == SCENARIO_FAILED) {
		strbuf_addf(out, "%s: FAILED: ", s->name);
		escape_terminal(out, s->head.failure);
		strbuf_adds(out, "\n\n");
		return;
	}
	strbuf_addf(out, "%s: %zu pairs of one program against itself in %s, %s a pair", s->name, pairs,
		    format_elapsed(c->seconds).s, format_value(pair_s * 1e3, UNIT_MS).s);
	if (s->pairing.batch > 1)
		strbuf_addf(out, ", %u %s a value", s->pairing.batch, s->head.attached ? "windows" : "adjacent runs");
	if (s->pairing.dropped + s->pairing.rerun)
		strbuf_addf(out, "; %u dropped, %u measured again", s->pairing.dropped, s->pairing.rerun);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < c->n; i++)
		add_metric(&c->metrics[i], pair_s, out);
	if (!c->n)
		strbuf_adds(out, "  nothing that pairs could judge was measured\n");
	if (CALIBRATING_WITHIN * pair_s > c->budget_s)
		strbuf_addf(
		    out, "\n  %d pairs take %s, more than the budget of a comparison: set measure.budget: %.0fs\n",
		    CALIBRATING_WITHIN, format_elapsed(CALIBRATING_WITHIN * pair_s).s, ceil(2 * CALIBRATING_WITHIN * pair_s));
	strbuf_addc(out, '\n');
}

void calibrated_text(const struct calibrated *c, struct strbuf *out)
{
	const struct result *result = c->result;

	for (size_t i = 0; i < result->n_scenarios; i++)
		add_scenario(&result->scenarios[i], &c->scenarios[i], out);
	strbuf_addf(out,
		    "Machine class %s, seed %llu; corrected for %u gate%s.\n%sWhat this does not show:\n"
		    "- Other hours, other neighbours: all of it was seen within %s. Calibrate again at other times, "
		    "and keep the "
		    "largest limit.\n",
		    c->class, (unsigned long long)c->seed, c->gates, plural(c->gates),
		    result->partial ? "It was interrupted; what was measured counts.\n" : "",
		    format_elapsed(result->elapsed_s).s);
	for (size_t i = 0; i < result->busy.n; i++)
		strbuf_addf(out, "- A quiet machine: %s.\n", result->busy.items[i]);
	strbuf_addf(
	    out,
	    "- Other machines: it counts for %s.\n"
	    "- Stored baselines: times of another hour differ by more than pairs do. No limit for them follows.\n",
	    c->class);
}
