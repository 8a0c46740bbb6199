/*
 * Each value is the median of a side's runs, with minimum and maximum, or the number of a gate's row, with its pairs.
 * Bencher: https://bencher.dev/docs/reference/bencher-metric-format/ OpenMetrics:
 * https://github.com/prometheus/OpenMetrics customSmallerIsBetter, customBiggerIsBetter:
 * https://github.com/benchmark-action/github-action-benchmark
 */

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "report/pairs.h"
#include "report/formats/report.h"
#include "stats/stats.h"
#include "store/store.h"

struct spread {
	double median, least, most, sd;
	size_t n;
};

static const struct judgement *judged_in_pairs(const struct scenario_result *s, const struct metric *metric)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct judgement *j = gate_judgement(&s->gates[i]);

		if (s->gates[i].gate.kind == GATE_METRIC && j->pairs && j->metric && metric_same(j->metric, metric))
			return j;
	}
	return NULL;
}

/* After a confirmation, the stored runs supply metrics that pairs did not judge. */
static bool spread_of(const struct scenario_result *s, bool of_base, const struct metric *metric, struct spread *out)
{
	const struct side_result *side = of_base ? &s->base : &s->head;
	const struct judgement *j = judged_in_pairs(s, metric);
	CLEANUP(free_ptr) double *base = NULL, *head = NULL, *all = NULL;
	double *values;
	size_t n;

	if (j) {
		n = pairs_values(s, metric, j->pairs, &base, &head);
		values = of_base ? base : head;
	} else if (of_base && s->pairing.confirming) {
		return false;
	} else {
		values = all = side_result_values(side, metric, &n);
	}
	if (!n || !stats_all_finite(values, n))
		return false;
	*out = (struct spread){
		.median = stats_median(values, n), .least = stats_least(values, n), .most = stats_most(values, n),
		.sd = n > 1 ? stats_sd(values, n) : 0, .n = n,
	};
	if (j && isfinite(of_base ? j->baseline : j->current))
		out->median = of_base ? j->baseline : j->current;
	return true;
}

/* -------- Bencher */

void report_bmf(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	cJSON *tree = json_new_object();

	(void)options;
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		const struct side_result *side = &s->head;
		cJSON *measures = NULL;

		for (size_t k = 0; k < side->n_metrics; k++) {
			struct spread spread;
			cJSON *measure;

			if (!spread_of(s, false, side->metrics[k], &spread))
				continue;
			measures = measures ?: json_add_object(tree, s->name);
			measure = json_add_object(measures, side->metrics[k]->name);
			json_add_number(measure, "value", spread.median);
			json_add_number(measure, "lower_value", spread.least);
			json_add_number(measure, "upper_value", spread.most);
		}
	}
	json_append(out, tree);
}

/* -------- github-action-benchmark */

static void add_benchmark(cJSON *list, const struct result *result, const struct scenario_result *s, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	const struct metric *metric = j->metric ?: gate->gate.metric;
	const char *unit = metric->label ?: metric_unit_names[metric->unit];
	CLEANUP(free_ptr) char *class = machine_class(&result->machine), *name = text_printf("%s %s", s->name, metric->name);
	CLEANUP(free_ptr) char *range = NULL, *extra = NULL;
	/* An own metric's value is printed in the unit of its label. */
	double factor = metric->source == SOURCE_CUSTOM ? metric->factor : 1;
	struct spread spread;
	cJSON *benchmark;

	if (gate->gate.kind != GATE_METRIC || !spread_of(s, false, metric, &spread))
		return;
	range = text_printf("\u00b1 %.4g", spread.sd / factor);
	extra = text_printf("%s, %zu %s on %s", verdict_names[j->verdict], spread.n, scenario_result_runs(s, spread.n), class);
	benchmark = json_add_object(list, NULL);
	json_add_string(benchmark, "name", name);
	json_add_string(benchmark, "unit", unit);
	json_add_number(benchmark, "value", spread.median / factor);
	json_add_string(benchmark, "range", range);
	json_add_string(benchmark, "extra", extra);
}

/* Gated metrics only: the action alerts on everything it gets. */
static void add_benchmarks(const struct result *result, bool higher_is_better, struct strbuf *out)
{
	cJSON *list = json_new_list();

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];

		for (size_t k = 0; k < s->n_gates; k++)
			if (s->gates[k].gate.metric->higher_is_better == higher_is_better)
				add_benchmark(list, result, s, &s->gates[k]);
	}
	json_append(out, list);
}

void report_smaller(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	(void)options;
	add_benchmarks(result, false, out);
}

void report_bigger(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	(void)options;
	add_benchmarks(result, true, out);
}

/* -------- OpenMetrics */

static const struct {
	const char *name;	/* NULL: none */
	double factor;		/* of the metric's unit */
} units[] = {
	[UNIT_COUNT] = { NULL, 1 }, [UNIT_MS] = { "seconds", 1e-3 }, [UNIT_BYTES] = { "bytes", 1 }, [UNIT_RATIO] = { NULL, 1 },
	[UNIT_FRACTION] = { "ratio", 1 }, [UNIT_HZ] = { "hertz", 1 },
};

/* Invisible characters, and those that could begin a command of GitHub's log, become question marks. */
static void add_label(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, "%s=\"", name);
	while (*value) {
		uint32_t code;
		size_t len = utf8_decode(value, &code);

		if (*value == '"' || *value == '\\')
			strbuf_addc(out, '\\');
		if (len && (code == ' ' || escape_is_visible(code)) && !text_starts(value, "##["))
			strbuf_add(out, value, len);
		else
			strbuf_addc(out, '?');
		value += len ? len : 1;
	}
	strbuf_addc(out, '"');
}

static const char *add_family(struct strv *used, const struct metric *metric)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	const char *unit = units[metric->unit].name;

	for (unsigned n = 1; !name.len || strv_has(used, name.buf); n++) {
		strbuf_reset(&name);
		strbuf_adds(&name, "pawl_");
		for (const char *c = metric->name; *c; c++) {
			char letter[] = { *c, '\0' };

			strbuf_addc(&name, text_made_of(letter, "") ? *c : '_');
		}
		if (n > 1)
			strbuf_addf(&name, "_%u", n);
		if (unit)
			strbuf_addf(&name, "_%s", unit);
	}
	strv_push(used, name.buf);
	return used->items[used->n - 1];
}

struct openmetrics {
	const struct result *result;
	const char *class;
	struct strbuf *out;
};

static void begin_sample(const struct openmetrics *om, const char *family, const struct scenario_result *s)
{
	strbuf_addf(om->out, "%s{", family);
	add_label(om->out, "scenario", s->name);
	strbuf_addc(om->out, ',');
	add_label(om->out, "machine", om->class);
}

static void add_side(const struct openmetrics *om, const char *family, const struct scenario_result *s, bool of_base,
		     const struct metric *metric)
{
	static const char *const statistics[] = { "median", "min", "max" };
	struct spread spread;

	if (!spread_of(s, of_base, metric, &spread))
		return;
	for (size_t i = 0; i < sizeof statistics / sizeof statistics[0]; i++) {
		double value = i == 0 ? spread.median : i == 1 ? spread.least : spread.most;

		begin_sample(om, family, s);
		strbuf_addf(om->out, ",side=\"%s\",statistic=\"%s\"} %.9g\n", of_base ? "base" : "head", statistics[i], value * units[metric->unit].factor);
	}
}

static const struct metric *find_same(const struct metric *const *metrics, size_t n, const struct metric *metric)
{
	for (size_t i = 0; i < n; i++)
		if (metric_same(metrics[i], metric) && metrics[i]->unit == metric->unit)
			return metrics[i];
	return NULL;
}

static void add_metric(const struct openmetrics *om, struct strv *used, const struct metric *metric)
{
	const char *family = add_family(used, metric);
	size_t before = om->out->len, begun;

	strbuf_addf(om->out, "# TYPE %s gauge\n", family);
	if (units[metric->unit].name)
		strbuf_addf(om->out, "# UNIT %s %s\n", family, units[metric->unit].name);
	strbuf_addf(om->out, "# HELP %s %s\n", family, metric->help);
	begun = om->out->len;
	for (size_t i = 0; i < om->result->n_scenarios; i++) {
		const struct scenario_result *s = &om->result->scenarios[i];
		const struct side_result *head = &s->head;
		const struct metric *own = find_same(head->metrics, head->n_metrics, metric);

		if (own && s->paired)
			add_side(om, family, s, true, own);
		if (own)
			add_side(om, family, s, false, own);
	}
	if (om->out->len == begun)
		strbuf_truncate(om->out, before);
}

static void add_gates(const struct openmetrics *om)
{
	static const char change[] = "pawl_gate_change_ratio", verdict[] = "pawl_gate_verdict";

	strbuf_addf(om->out, "# TYPE %s gauge\n# UNIT %s ratio\n# HELP %s change against the base or baseline\n", change, change, change);
	for (size_t i = 0; i < om->result->n_scenarios; i++) {
		const struct scenario_result *s = &om->result->scenarios[i];

		for (size_t k = 0; k < s->n_gates; k++) {
			double pct = gate_judgement(&s->gates[k])->change_pct;

			if (!isfinite(pct))
				continue;
			begin_sample(om, change, s);
			strbuf_addc(om->out, ',');
			add_label(om->out, "gate", gate_name(&s->gates[k]));
			strbuf_addf(om->out, "} %.9g\n", pct / 100);
		}
	}
	strbuf_addf(om->out, "# TYPE %s gauge\n# HELP %s 1 for the verdict that the gate has\n", verdict, verdict);
	for (size_t i = 0; i < om->result->n_scenarios; i++) {
		const struct scenario_result *s = &om->result->scenarios[i];

		for (size_t k = 0; k < s->n_gates; k++) {
			begin_sample(om, verdict, s);
			strbuf_addc(om->out, ',');
			add_label(om->out, "gate", gate_name(&s->gates[k]));
			strbuf_addf(om->out, ",verdict=\"%s\"} 1\n", verdict_names[gate_judgement(&s->gates[k])->verdict]);
		}
	}
}

void report_openmetrics(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	CLEANUP(free_ptr) const struct metric **metrics = NULL;
	CLEANUP(strv_release) struct strv used = STRV_INIT;
	const struct openmetrics om = { result, class, out };
	size_t n = 0, cap = 0;

	(void)options;
	strv_push(&used, "pawl_gate_change_ratio");
	strv_push(&used, "pawl_gate_verdict");
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct side_result *side = &result->scenarios[i].head;

		for (size_t k = 0; k < side->n_metrics; k++) {
			if (find_same(metrics, n, side->metrics[k]))
				continue;
			*VEC_ADD(metrics, n, cap) = side->metrics[k];
		}
	}
	for (size_t i = 0; i < n; i++)
		add_metric(&om, &used, metrics[i]);
	add_gates(&om);
	strbuf_adds(out, "# EOF\n");
}
