#include "report/calibrated.h"

#include <math.h>

#include "base/escape.h"
#include "report/format.h"

/* A difference of logarithms, positive is worse, as a raw change of the metric. */
static double change_pct(const struct metric *metric, double log_worse)
{
	return 100 * expm1(metric->higher_is_better ? -log_worse : log_worse);
}

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
		format_elapsed(out, seconds);
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
	format_change(out, change_pct(c->metric, c->shift.estimate));
	strbuf_adds(out, " (");
	format_interval(out, fmin(low, high), fmax(low, high));
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
	strbuf_addf(out, "    comparisons  %u of %u accused an unchanged program; that proves no more than %.0f %%\n", now->accused,
		    now->comparisons, 100 * c->accused_most);
	strbuf_addf(out, "                 %u passed, %u called it better; they took ", now->passed, now->credited);
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
	format_value(out, c->median, c->metric->unit);
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
	format_elapsed(out, s->seconds);
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
	format_elapsed(out, c->elapsed_s);
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
