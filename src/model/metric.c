#include "model/metric.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* -------- metrics that are made */

/* Metrics that are not in the catalogue: events, printed ones, normalised ones. */

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

const struct metric *metric_copy(struct arena *arena, const struct metric *metric)
{
	struct metric *m;

	if (metric >= metric_catalogue && metric < metric_catalogue + metric_catalogue_size)
		return metric;
	m = arena_memdup(arena, metric, sizeof *metric);
	m->name = arena_strdup(arena, metric->name);
	m->label = arena_strdup(arena, metric->label);
	m->numerator = arena_strdup(arena, metric->numerator);
	return m;
}

struct metric *metric_new_copy(const struct metric *metric)
{
	struct metric *m = xcopy(metric, sizeof *metric);

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

const struct metric metric_share = {
	.name = METRIC_SYMBOLS, .help = "a share of the profile", .unit = UNIT_FRACTION, .kind = KIND_RATE, .source = SOURCE_PROFILE,
};

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

/* -------- the catalogue */

#define TIME_METRIC .unit = UNIT_MS, .kind = KIND_TIME
#define COUNT_METRIC .unit = UNIT_COUNT, .kind = KIND_COUNT

const struct metric metric_catalogue[] = {
	{ "task-clock", NULL, "CPU time of the target as perf counts it", TIME_METRIC,
	  .source = SOURCE_SOFTWARE, .stored_tolerance_pct = 25, .paired_tolerance_pct = 3 },
	{ "wall-time", "wall", "time from release to exit", TIME_METRIC, .source = SOURCE_TARGET, .waits = true },
	{ "user-time", "user", "CPU time in user mode (tick noise: shown, seldom worth a gate)", TIME_METRIC,
	  .source = SOURCE_TARGET },
	{ "system-time", "sys", "CPU time in the kernel", TIME_METRIC, .source = SOURCE_TARGET },
	{ "cpu-time", NULL, "user and system time together, without steal", TIME_METRIC, .source = SOURCE_TARGET,
	  .stored_tolerance_pct = 25, .paired_tolerance_pct = 3 },

	{ "cycles", "cpu-cycles", "CPU cycles", .unit = UNIT_COUNT, .kind = KIND_TIME, .source = SOURCE_HARDWARE,
	  .stored_tolerance_pct = 25, .paired_tolerance_pct = 3 },
	{ "instructions", NULL, "instructions retired", COUNT_METRIC, .source = SOURCE_HARDWARE,
	  .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5, .simulated = "sim-instructions" },
	{ "branches", "branch-instructions", "branches retired", COUNT_METRIC, .source = SOURCE_HARDWARE,
	  .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5, .simulated = "sim-branches" },
	{ "branch-misses", NULL, "branches predicted wrongly", .unit = UNIT_COUNT, .kind = KIND_RATE,
	  .source = SOURCE_HARDWARE, .stored_tolerance_pct = 20, .paired_tolerance_pct = 10,
	  .simulated = "sim-branch-misses" },
	{ "L1-dcache-loads", "l1d-loads", "loads that asked the first data cache", COUNT_METRIC,
	  .source = SOURCE_HARDWARE, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1,
	  .simulated = "sim-l1d-loads" },
	{ "L1-dcache-load-misses", "l1d-misses", "loads that missed it", .unit = UNIT_COUNT, .kind = KIND_RATE,
	  .source = SOURCE_HARDWARE, .stored_tolerance_pct = 20, .paired_tolerance_pct = 10,
	  .simulated = "sim-l1d-misses" },

	{ "ipc", NULL, "instructions per cycle", .unit = UNIT_RATIO, .kind = KIND_RATE, .source = SOURCE_DERIVED,
	  .higher_is_better = true, .stored_tolerance_pct = 10, .paired_tolerance_pct = 3,
	  .numerator = "instructions", .denominator = "cycles" },
	{ "branch-miss-rate", NULL, "share of branches predicted wrongly", .unit = UNIT_FRACTION, .kind = KIND_RATE,
	  .source = SOURCE_DERIVED, .stored_tolerance_pct = 20, .paired_tolerance_pct = 10, .least = 0.001, .paired_least = 0.003,
	  .numerator = "branch-misses", .denominator = "branches", .simulated = "sim-branch-miss-rate" },
	{ "l1d-miss-rate", NULL, "share of loads that missed the first data cache", .unit = UNIT_FRACTION,
	  .kind = KIND_RATE, .source = SOURCE_DERIVED, .stored_tolerance_pct = 20, .paired_tolerance_pct = 10,
	  .least = 0.001, .paired_least = 0.003, .numerator = "L1-dcache-load-misses", .denominator = "L1-dcache-loads",
	  .simulated = "sim-l1d-miss-rate" },
	{ "cycles-per-second", NULL, "clock rate while the target ran", .unit = UNIT_HZ, .kind = KIND_RATE,
	  .source = SOURCE_DERIVED, .higher_is_better = true, .numerator = "cycles", .denominator = "task-clock" },

	{ "max-rss", "peak-memory", "peak resident memory of the target", .unit = UNIT_BYTES, .kind = KIND_SIZE,
	  .source = SOURCE_TARGET, .stored_tolerance_pct = 5, .paired_tolerance_pct = 5, .least = 256 * 1024 },
	{ "page-faults", "faults", "page faults, minor and major", COUNT_METRIC, .source = SOURCE_TARGET,
	  .portable = true, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1, .least = 10 },
	{ "major-faults", NULL, "page faults that waited for a disk", COUNT_METRIC, .source = SOURCE_TARGET },
	{ "voluntary-switches", "voluntary-context-switches", "times the target gave the CPU away by waiting",
	  COUNT_METRIC, .source = SOURCE_TARGET, .portable = true, .waits = true, .stored_tolerance_pct = 20,
	  .paired_tolerance_pct = 20, .least = 10 },
	{ "involuntary-switches", NULL, "times the target was pushed off its CPU", COUNT_METRIC,
	  .source = SOURCE_TARGET, .waits = true },

	{ METRIC_WORK, NULL, "how much the load did in a window", COUNT_METRIC, .source = SOURCE_LOAD,
	  .higher_is_better = true, .waits = true },
	{ METRIC_THROUGHPUT, NULL, "how much the load did in a second", .unit = UNIT_RATIO, .label = "/s",
	  .kind = KIND_TIME, .source = SOURCE_LOAD, .higher_is_better = true, .waits = true, .stored_tolerance_pct = 25,
	  .paired_tolerance_pct = 3 },

	{ "sim-instructions", NULL, "instructions, simulated by cachegrind", COUNT_METRIC, .source = SOURCE_SIMULATED,
	  .portable = true, .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5 },
	{ "sim-branches", NULL, "branches, simulated", COUNT_METRIC, .source = SOURCE_SIMULATED, .portable = true,
	  .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5 },
	{ "sim-branch-misses", NULL, "branch misses of a simulated predictor", COUNT_METRIC,
	  .source = SOURCE_SIMULATED, .portable = true, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1 },
	{ "sim-l1d-loads", NULL, "loads, simulated", COUNT_METRIC, .source = SOURCE_SIMULATED, .portable = true,
	  .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5 },
	{ "sim-l1d-misses", NULL, "load misses of a simulated first data cache", COUNT_METRIC,
	  .source = SOURCE_SIMULATED, .portable = true, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1 },
	{ "sim-branch-miss-rate", NULL, "branch-miss-rate, simulated", .unit = UNIT_FRACTION, .kind = KIND_COUNT,
	  .source = SOURCE_SIMULATED, .portable = true, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1,
	  .numerator = "sim-branch-misses", .denominator = "sim-branches" },
	{ "sim-l1d-miss-rate", NULL, "l1d-miss-rate, simulated", .unit = UNIT_FRACTION, .kind = KIND_COUNT,
	  .source = SOURCE_SIMULATED, .portable = true, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1,
	  .numerator = "sim-l1d-misses", .denominator = "sim-l1d-loads" },
};

const size_t metric_catalogue_size = sizeof metric_catalogue / sizeof metric_catalogue[0];

const struct metric *metric_find(const char *name)
{
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *m = &metric_catalogue[i];

		if (!strcmp(m->name, name) || (m->alias && !strcmp(m->alias, name)))
			return m;
	}
	return NULL;
}

bool metric_grows_with_work(const struct metric *metric)
{
	bool counted = metric->source == SOURCE_TARGET || metric->source == SOURCE_SOFTWARE ||
		       metric->source == SOURCE_HARDWARE;

	return counted && (metric->unit == UNIT_MS || metric->unit == UNIT_COUNT);
}

bool metric_is_per_work(const struct metric *metric)
{
	return metric->denominator && !strcmp(metric->denominator, METRIC_WORK);
}

size_t metric_events(const struct metric *metric, const char *events_out[2])
{
	switch (metric->source) {
	case SOURCE_SOFTWARE:
	case SOURCE_HARDWARE:
		events_out[0] = metric->name;
		return 1;
	case SOURCE_DERIVED:
		if (metric_is_per_work(metric))
			return 0;
		events_out[0] = metric->numerator;
		events_out[1] = metric->denominator;
		return 2;
	default:
		return 0;
	}
}

/* The clocks of kernel and perf count nanoseconds. */
static bool is_clocked(const struct metric *metric)
{
	return metric->unit == UNIT_MS && (metric->source == SOURCE_TARGET || metric->source == SOURCE_SOFTWARE);
}

double metric_round(const struct metric *metric, double value)
{
	double size = fabs(value);
	char text[64];

	/* Whole numbers are what they are; so far up there is nothing else. */
	if (!isfinite(value) || floor(value) == value || size >= 1e15)
		return value;
	if (is_clocked(metric) && size >= 1)
		snprintf(text, sizeof text, "%.6f", value);
	else if (size >= 1e6)
		snprintf(text, sizeof text, "%.0f", value);
	else
		snprintf(text, sizeof text, "%.6g", value);
	return strtod(text, NULL);
}
