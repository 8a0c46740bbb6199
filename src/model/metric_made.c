/* Metrics that are not in the catalogue: events, printed figures, twins per unit of work. */
#include "model/metric.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/utf8.h"

struct metric metric_of_event(const char *event)
{
	return (struct metric){
		.name = event, .help = "a perf event this scenario asks for", .kind = KIND_RATE, .source = SOURCE_HARDWARE,
	};
}

struct metric *metric_new_event(const char *event)
{
	const struct metric metric = metric_of_event(event);

	return metric_new_copy(&metric);
}

struct metric *metric_copy(struct arena *arena, const struct metric *metric)
{
	struct metric *m = arena_memdup(arena, metric, sizeof *metric);

	m->name = arena_strdup(arena, metric->name);
	m->label = arena_strdup(arena, metric->label);
	m->numerator = arena_strdup(arena, metric->numerator);
	return m;
}

struct metric *metric_new_copy(const struct metric *metric)
{
	struct metric *m = xmemdup(metric, sizeof *metric);

	m->name = xstrdup(metric->name);
	m->label = xstrdup(metric->label);
	m->numerator = xstrdup(metric->numerator);
	return m;
}

void metric_free_event(struct metric *metric)
{
	if (!metric)
		return;
	free((char *)metric->name);
	free((char *)metric->label);
	free((char *)metric->numerator);
	free(metric);
}

static const struct {
	const char *word;
	enum metric_unit unit;
	enum metric_kind kind;
	double factor;
} printed_units[] = {
	{ "ns", UNIT_MS, KIND_TIME, 1e-6 },
	{ "us", UNIT_MS, KIND_TIME, 1e-3 },
	{ "ms", UNIT_MS, KIND_TIME, 1 },
	{ "s", UNIT_MS, KIND_TIME, 1e3 },
	{ "B", UNIT_BYTES, KIND_SIZE, 1 },
	{ "KiB", UNIT_BYTES, KIND_SIZE, 0x1p10 },
	{ "MiB", UNIT_BYTES, KIND_SIZE, 0x1p20 },
	{ "GiB", UNIT_BYTES, KIND_SIZE, 0x1p30 },
	{ "%", UNIT_FRACTION, KIND_TIME, 0.01 },
	{ "count", UNIT_COUNT, KIND_COUNT, 1 },
};

bool metric_name_is_share(const char *name)
{
	return !strcmp(name, METRIC_SYMBOLS) || !strncmp(name, METRIC_OF_SYMBOL, strlen(METRIC_OF_SYMBOL)) ||
	       !strncmp(name, METRIC_OF_DSO, strlen(METRIC_OF_DSO));
}

struct metric *metric_new_share(const char *name)
{
	struct metric *m = xcalloc(1, sizeof *m);

	*m = (struct metric){
		.name = xstrdup(name), .help = "a share of the profile",
		.unit = UNIT_FRACTION, .kind = KIND_RATE, .source = SOURCE_PROFILE,
	};
	return m;
}

bool metric_unit_valid(const char *unit)
{
	size_t len = strlen(unit);

	for (const char *p = unit; *p;) {
		uint32_t code;
		size_t bytes = utf8_decode(p, &code);

		if (!bytes || code <= ' ' || code == 0x7f)
			return false;
		p += bytes;
	}
	return len && len <= METRIC_UNIT_LONGEST;
}

/* Of a unit that is not known, nothing is: it is taken for as noisy as a time. */
struct metric metric_of_printed(const char *name, const char *unit, bool higher_is_better)
{
	struct metric m = {
		.name = name, .help = "a figure that the target or its load prints",
		.unit = UNIT_RATIO, .kind = KIND_TIME, .source = SOURCE_PRINTED,
		.higher_is_better = higher_is_better, .label = unit, .factor = 1,
	};

	for (size_t i = 0; unit && i < sizeof printed_units / sizeof printed_units[0]; i++) {
		if (strcmp(printed_units[i].word, unit))
			continue;
		m.unit = printed_units[i].unit;
		m.kind = printed_units[i].kind;
		m.factor = printed_units[i].factor;
	}
	return m;
}

struct metric *metric_new_printed(const char *name, const char *unit, bool higher_is_better)
{
	const struct metric metric = metric_of_printed(name, unit, higher_is_better);

	return metric_new_copy(&metric);
}

bool metric_name_is_per_work(const char *name)
{
	size_t len = strlen(name), suffix = strlen(METRIC_PER_WORK);

	return len > suffix && !strcmp(name + len - suffix, METRIC_PER_WORK);
}

const char *metric_name_taken(const char *name)
{
	if (metric_find(name))
		return "a metric of pawl's own";
	if (metric_name_is_share(name))
		return "a word for gates on profiles";
	return metric_name_is_per_work(name) ? "how pawl calls metrics per unit of work" : NULL;
}

char *metric_per_work_name(const struct metric *metric)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_addf(&name, "%s" METRIC_PER_WORK, metric->name);
	return strbuf_take(&name);
}

char *metric_ref_name(const struct metric_ref *ref)
{
	if (ref->per_work)
		return metric_per_work_name(ref->metric);
	return xstrdup(ref->simulated && ref->metric->simulated ? ref->metric->simulated : ref->metric->name);
}

struct metric *metric_new_per_work(const struct metric *metric)
{
	struct metric *m = xcalloc(1, sizeof *m);

	*m = (struct metric){
		.name = metric_per_work_name(metric), .help = "the same per unit of work",
		.unit = metric->unit, .kind = metric->kind, .source = SOURCE_DERIVED,
		.higher_is_better = metric->higher_is_better, .portable = metric->portable,
		.numerator = xstrdup(metric->name), .denominator = METRIC_WORK,
	};
	return m;
}
