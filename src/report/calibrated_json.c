#include "report/calibrated.h"

#include <math.h>

#include "base/cleanup.h"
#include "store/json.h"

enum { CALIBRATED_SCHEMA = 1 };

static double change_pct(const struct metric *metric, double log_worse)
{
	return 100 * expm1(metric->higher_is_better ? -log_worse : log_worse);
}

static void add_replay(cJSON *parent, const char *key, const struct calibrating_replay *replay)
{
	cJSON *one = json_add_object(parent, key);

	json_add_number(one, "comparisons", replay->comparisons);
	json_add_number(one, "accused", replay->accused);
	json_add_number(one, "credited", replay->credited);
	json_add_number(one, "passed", replay->passed);
	json_add_number(one, "pairs", replay->pairs);
}

static void add_detectable(cJSON *parent, const struct calibrating *c)
{
	cJSON *list = json_add_array(parent, "detectable");

	for (size_t i = 0; i < CALIBRATING_SIZES; i++) {
		cJSON *one = json_add_object(list, NULL);

		json_add_number(one, "pairs", calibrating_sizes[i]);
		json_add_number(one, "change_pct", 100 * expm1(c->detectable[i]));
	}
}

static void add_difference(cJSON *one, const struct calibrating *c)
{
	double low = change_pct(c->metric, c->shift.low), high = change_pct(c->metric, c->shift.high);

	json_add_number(one, "change_pct", change_pct(c->metric, c->shift.estimate));
	json_add_number(one, "low_pct", fmin(low, high));
	json_add_number(one, "high_pct", fmax(low, high));
	json_add_number(one, "p", c->p);
	json_add_number(one, "adjusted_p", c->adjusted_p);
	json_add_bool(one, "biased", calibrating_biased(c));
}

static void add_metric(cJSON *list, const struct calibrating *c)
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
	add_difference(one, c);
	json_add_number(one, "tolerance_pct", c->tolerance_pct);
	add_replay(one, "now", &c->now);
	json_add_number(one, "accused_most_pct", 100 * c->accused_most);
	add_detectable(one, c);
	json_add_number(one, "found_pct", c->reason ? NAN : c->found_pct);
	add_replay(one, "then", &c->then);
	json_add_string(one, "reason", c->reason);
}

static void add_scenario(cJSON *list, const struct calibrated_scenario *s)
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
		add_metric(metrics, &s->metrics[i]);
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
		add_scenario(list, &c->scenarios[i]);
	text = json_print(root);
	strbuf_adds(out, text);
}
