#include "report/report.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/store.h"

/* A difference of logarithms, positive is worse, as a raw change of the metric. */
static double change_pct(const struct metric *metric, double log_worse)
{
	return 100 * expm1(metric->higher_is_better ? -log_worse : log_worse);
}

/* -------- JSON */

enum { CALIBRATED_SCHEMA = 1 };

static void add_replay(cJSON *parent, const char *key, const struct calibrating_replay *replay)
{
	cJSON *one = json_add_object(parent, key);

	json_add_number(one, "comparisons", replay->comparisons);
	json_add_number(one, "accused", replay->false_positives);
	json_add_number(one, "credited", replay->false_improvements);
	json_add_number(one, "passed", replay->passed);
	json_add_number(one, "pairs", replay->pairs);
}

static void json_add_detectable(cJSON *parent, const struct calibrating *c)
{
	cJSON *list = json_add_array(parent, "detectable");

	for (size_t i = 0; i < CALIBRATING_SIZES; i++) {
		cJSON *one = json_add_object(list, NULL);

		json_add_number(one, "pairs", calibrating_sizes[i]);
		json_add_number(one, "change_pct", 100 * expm1(c->detectable[i]));
	}
}

static void json_add_difference(cJSON *one, const struct calibrating *c)
{
	double low = change_pct(c->metric, c->shift.low), high = change_pct(c->metric, c->shift.high);

	json_add_number(one, "change_pct", change_pct(c->metric, c->shift.estimate));
	json_add_number(one, "low_pct", fmin(low, high));
	json_add_number(one, "high_pct", fmax(low, high));
	json_add_number(one, "p", c->p);
	json_add_number(one, "adjusted_p", c->adjusted_p);
	json_add_bool(one, "biased", calibrating_biased(c));
}

static void json_add_metric(cJSON *list, const struct calibrating *c)
{
	cJSON *one = json_add_object(list, NULL);

	json_add_string(one, "metric", c->metric->name);
	json_add_bool(one, "per_work", c->per_work);
	json_add_bool(one, "gated", c->gated);
	json_add_bool(one, "by_default", c->by_default);
	json_add_number(one, "pairs", (double)c->pairs);
	json_add_number(one, "median", c->median);
	json_add_number(one, "run_spread_pct", 100 * expm1(c->run_sd));
	json_add_number(one, "pair_spread_pct", 100 * expm1(c->pair_sd));
	json_add_number(one, "run_correlation", c->run_lag);
	json_add_number(one, "pair_correlation", c->pair_lag);
	json_add_difference(one, c);
	json_add_number(one, "tolerance_pct", c->tolerance_pct);
	add_replay(one, "now", &c->now);
	json_add_number(one, "accused_most_pct", 100 * c->false_most);
	json_add_detectable(one, c);
	json_add_number(one, "found_pct", c->reason ? NAN : c->found_pct);
	add_replay(one, "then", &c->then);
	json_add_string(one, "reason", c->reason);
}

static void json_add_scenario(cJSON *list, const struct calibrated_scenario *s)
{
	cJSON *one = json_add_object(list, NULL), *metrics;

	json_add_string(one, "name", s->name);
	json_add_string(one, "failure", s->failure);
	json_add_number(one, "pairs", (double)s->pairs);
	json_add_number(one, "dropped", s->dropped);
	json_add_number(one, "rerun", s->rerun);
	json_add_number(one, "batch", s->batch);
	json_add_number(one, "seconds", s->seconds);
	metrics = json_add_array(one, "metrics");
	for (size_t i = 0; i < s->n; i++)
		json_add_metric(metrics, &s->metrics[i]);
}

void calibrated_json(const struct calibrated *c, struct strbuf *out)
{
	CLEANUP(free_ptr) char *text = NULL;
	cJSON *root = json_new_object(), *list;

	json_add_number(root, "schema", CALIBRATED_SCHEMA);
	json_add_string(root, "date", c->date);
	json_add_string(root, "pawl", c->pawl);
	json_add_string(root, "machine", c->class);
	json_add_number(root, "elapsed_s", c->elapsed_s);
	json_add_number(root, "seed", (double)c->seed);
	json_add_number(root, "gates", c->gates);
	json_add_bool(root, "partial", c->partial);
	json_add_strings(root, "busy", c->busy);
	list = json_add_array(root, "scenarios");
	for (size_t i = 0; i < c->n; i++)
		json_add_scenario(list, &c->scenarios[i]);
	text = json_print(root);
	strbuf_adds(out, text);
}

/* -------- text */

static double spread_pct(double sd)
{
	return 100 * expm1(sd);
}

static void add_pct(struct strbuf *out, double pct)
{
	if (isnan(pct))
		strbuf_adds(out, "-");
	else
		strbuf_addf(out, "%.*f %%", pct < 0.095 ? 2 : 1, pct);
}

/* "0.3 s", "12 s" */
static void add_seconds(struct strbuf *out, double seconds)
{
	if (seconds < 10)
		strbuf_addf(out, "%.1f s", seconds);
	else
		strbuf_adds(out, format_elapsed(seconds).s);
}

static void add_correlation(struct strbuf *out, double lag)
{
	if (isnan(lag))
		strbuf_adds(out, "not at all");
	else
		strbuf_addf(out, "by %.2f", lag);
}

static const char *plural(unsigned n)
{
	return n == 1 ? "" : "s";
}

/* -------- one metric */

static void add_spread(const struct calibrating *c, struct strbuf *out)
{
	strbuf_adds(out, "    spread       ");
	add_pct(out, spread_pct(c->run_sd));
	strbuf_adds(out, " of single runs, ");
	add_pct(out, spread_pct(c->pair_sd));
	strbuf_adds(out, " of pairs; neighbouring runs go together ");
	add_correlation(out, c->run_lag);
	strbuf_adds(out, ", pairs ");
	add_correlation(out, c->pair_lag);
	strbuf_addc(out, '\n');
}

static void add_difference(const struct calibrating *c, struct strbuf *out)
{
	double low = change_pct(c->metric, c->shift.low), high = change_pct(c->metric, c->shift.high);

	strbuf_adds(out, "    difference   ");
	strbuf_adds(out, format_change(change_pct(c->metric, c->shift.estimate)).s);
	strbuf_adds(out, " (");
	strbuf_adds(out, format_interval(fmin(low, high), fmax(low, high)).s);
	strbuf_adds(out, ")\n");
}

static void add_average(const struct calibrating_replay *replay, double pair_s, struct strbuf *out)
{
	strbuf_addf(out, "%.0f pairs (", replay->pairs);
	add_seconds(out, replay->pairs * pair_s);
	strbuf_adds(out, ") on average");
}

static void add_comparisons(const struct calibrating *c, double pair_s, struct strbuf *out)
{
	const struct calibrating_replay *now = &c->now;

	if (!now->comparisons) {
		strbuf_adds(out, "    comparisons  none was complete: too few pairs\n");
		return;
	}
	strbuf_addf(out, "    comparisons  %u of %u accused an unchanged program; that proves no more than %.0f %%\n", now->false_positives,
		    now->comparisons, 100 * c->false_most);
	strbuf_addf(out, "                 %u passed, %u called it better; they took ", now->passed, now->false_improvements);
	add_average(now, pair_s, out);
	strbuf_addc(out, '\n');
}

static void add_detectable(const struct calibrating *c, struct strbuf *out)
{
	strbuf_adds(out, "    detectable   ");
	for (size_t i = 0; i < CALIBRATING_SIZES; i++) {
		strbuf_adds(out, i ? ", " : "");
		add_pct(out, spread_pct(c->detectable[i]));
		strbuf_addf(out, " in %u%s", calibrating_sizes[i], i ? "" : " pairs");
	}
	strbuf_addc(out, '\n');
}

static void add_tolerance(const struct calibrating *c, double pair_s, struct strbuf *out)
{
	strbuf_adds(out, "    tolerance    ");
	if (c->reason) {
		strbuf_addf(out, "none is promised: %s\n", c->reason);
		return;
	}
	strbuf_addf(out, "%g %%", c->found_pct);
	if (!c->gated)
		strbuf_adds(out, " would do (it has no gate here)");
	else if (!c->by_default)
		strbuf_addf(out, " would do (the scenario's own %g %% stands)", c->tolerance_pct);
	else
		strbuf_addf(out, " (now %g %%)", c->tolerance_pct);
	strbuf_addf(out, ": %u of %u comparison%s would have passed, in ", c->then.passed, c->then.comparisons,
		    plural(c->then.comparisons));
	add_average(&c->then, pair_s, out);
	strbuf_addc(out, '\n');
}

static void add_metric(const struct calibrating *c, double pair_s, struct strbuf *out)
{
	strbuf_adds(out, "\n  ");
	escape_terminal(out, c->metric->name);
	strbuf_adds(out, c->per_work ? " per unit of work, " : ", ");
	strbuf_adds(out, format_value(c->median, c->metric->unit).s);
	strbuf_addc(out, '\n');
	add_spread(c, out);
	add_difference(c, out);
	add_comparisons(c, pair_s, out);
	add_detectable(c, out);
	add_tolerance(c, pair_s, out);
}

/* -------- the whole */

static void add_scenario(const struct calibrated_scenario *s, struct strbuf *out)
{
	double pair_s = s->pairs ? s->seconds / (double)s->pairs : 0;

	if (s->failure) {
		strbuf_addf(out, "%s: FAILED: ", s->name);
		escape_terminal(out, s->failure);
		strbuf_adds(out, "\n\n");
		return;
	}
	strbuf_addf(out, "%s: %zu pairs of one program against itself in ", s->name, s->pairs);
	strbuf_adds(out, format_elapsed(s->seconds).s);
	strbuf_addf(out, ", %.2f s a pair", pair_s);
	if (s->batch > 1)
		strbuf_addf(out, ", %u %s a value", s->batch, s->windows ? "windows" : "adjacent runs");
	if (s->dropped + s->rerun)
		strbuf_addf(out, "; %u dropped, %u measured again", s->dropped, s->rerun);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < s->n; i++)
		add_metric(&s->metrics[i], pair_s, out);
	if (!s->n)
		strbuf_adds(out, "  nothing that pairs could judge was measured\n");
	if (CALIBRATING_WITHIN * pair_s > s->budget_s)
		strbuf_addf(out, "\n  %d pairs take %.0f s, more than the budget of a comparison: set measure.budget: %.0fs\n",
			    CALIBRATING_WITHIN, CALIBRATING_WITHIN * pair_s, ceil(2 * CALIBRATING_WITHIN * pair_s));
	strbuf_addc(out, '\n');
}

static void add_limits(const struct calibrated *c, struct strbuf *out)
{
	strbuf_adds(out, "What this does not tell:\n- Other hours, other neighbours: all of it was seen within ");
	strbuf_adds(out, format_elapsed(c->elapsed_s).s);
	strbuf_adds(out, ". Calibrate again at other times, and keep the largest tolerance.\n");
	for (size_t i = 0; i < c->busy->n; i++)
		strbuf_addf(out, "- A quiet machine: %s.\n", c->busy->items[i]);
	strbuf_addf(out, "- Other machines: it counts for %s.\n", c->class);
	strbuf_adds(out, "- Stored baselines: times of another hour differ by more than pairs do. No tolerance for them follows.\n");
}

void calibrated_text(const struct calibrated *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->n; i++)
		add_scenario(&c->scenarios[i], out);
	strbuf_addf(out, "Machine class %s, seed %llu; the error is shared by %u gate%s.\n", c->class,
		    (unsigned long long)c->seed, c->gates, plural(c->gates));
	if (c->partial)
		strbuf_adds(out, "It was interrupted; what was measured counts.\n");
	add_limits(c, out);
}
