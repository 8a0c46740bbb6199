#include "model/metrics/metric.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "model/metrics/call_names.h"

const char *const metric_unit_names[] = {
	[UNIT_COUNT] = "count", [UNIT_MS] = "ms", [UNIT_BYTES] = "B", [UNIT_RATIO] = "ratio", [UNIT_FRACTION] = "fraction",
	[UNIT_HZ] = "Hz", NULL,
};

/* -------- the catalogue */

#define TIME_METRIC .unit = UNIT_MS, .kind = KIND_TIME
#define COUNT_METRIC .unit = UNIT_COUNT, .kind = KIND_COUNT
#define RATE_METRIC .unit = UNIT_COUNT, .kind = KIND_RATE
#define SIMULATED_COUNT COUNT_METRIC, .source = SOURCE_SIMULATED, .portable = true

/* The kernel counts exactly, but a path may be longer and a loop of retries may go round once more. */
#define EXACT_COUNT COUNT_METRIC, .portable = true, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1, .least = 10
#define EXACT_BYTES .unit = UNIT_BYTES, .kind = KIND_COUNT, .portable = true, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1, .least = 1024
#define FILE_SIZE .unit = UNIT_BYTES, .kind = KIND_SIZE, .source = SOURCE_FILE, .portable = true, .stored_tolerance_pct = 1, \
	.paired_tolerance_pct = 1, .least = 1024
#define HEAP_COUNT COUNT_METRIC, .source = SOURCE_HEAP, .portable = true, .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5
#define HEAP_BYTES .unit = UNIT_BYTES, .kind = KIND_SIZE, .source = SOURCE_HEAP, .portable = true, .stored_tolerance_pct = 1, \
	.paired_tolerance_pct = 1, .least = 1024

/* A metric that grows with the work. The last arguments also apply to its normalised metric. */
#define GROWS(id, name_, ...) .name = name_, __VA_ARGS__, .normalised = &(const struct metric){ .name = name_ METRIC_PER_WORK, \
	.help = "the same per operation", __VA_ARGS__, .source = SOURCE_DERIVED, .of = METRIC(id) }

const struct metric metric_catalogue[] = {
	[METRIC_TASK_CLOCK] = { GROWS(TASK_CLOCK, "task-clock", TIME_METRIC, .said = "CPU time"), .help = "CPU time of the target's processes as perf counts it, steal included",
	  .source = SOURCE_SOFTWARE, .stored_tolerance_pct = 25, .paired_tolerance_pct = 3,
	  .together_tolerance_pct = 2 },
	[METRIC_WALL_TIME] = { GROWS(WALL_TIME, "wall-time", TIME_METRIC, .waits = true, .said = "wall time"),
	  .help = "time from start to exit; of a window, its length", .source = SOURCE_TARGET },
	[METRIC_USER_TIME] = { GROWS(USER_TIME, "user-time", TIME_METRIC),
	  .help = "CPU time in user mode, in ticks", .source = SOURCE_TARGET },
	[METRIC_SYSTEM_TIME] = { GROWS(SYSTEM_TIME, "system-time", TIME_METRIC),
	  .help = "CPU time in the kernel, in ticks", .source = SOURCE_TARGET },
	[METRIC_CPU_TIME] = { GROWS(CPU_TIME, "cpu-time", TIME_METRIC, .said = "CPU time"), .help = "user and system time as the kernel charges it, mostly without steal",
	  .source = SOURCE_TARGET, .stored_tolerance_pct = 25, .paired_tolerance_pct = 3,
	  .together_tolerance_pct = 2 },

	[METRIC_CYCLES] = { GROWS(CYCLES, "cycles", .unit = UNIT_COUNT, .kind = KIND_TIME),
	  .help = "CPU cycles", .source = SOURCE_HARDWARE, .stored_tolerance_pct = 25, .paired_tolerance_pct = 3,
	  .together_tolerance_pct = 2 },
	[METRIC_INSTRUCTIONS] = { GROWS(INSTRUCTIONS, "instructions", COUNT_METRIC), .help = "instructions retired",
	  .source = SOURCE_HARDWARE, .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5,
	  .simulated = METRIC(SIM_INSTRUCTIONS) },
	[METRIC_BRANCHES] = { GROWS(BRANCHES, "branches", COUNT_METRIC),
	  .help = "branches retired", .source = SOURCE_HARDWARE, .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5,
	  .simulated = METRIC(SIM_BRANCHES) },
	[METRIC_BRANCH_MISSES] = { GROWS(BRANCH_MISSES, "branch-misses", RATE_METRIC), .help = "branches predicted wrongly",
	  .source = SOURCE_HARDWARE, .stored_tolerance_pct = 20, .paired_tolerance_pct = 10,
	  .simulated = METRIC(SIM_BRANCH_MISSES) },
	[METRIC_L1D_LOADS] = { GROWS(L1D_LOADS, "L1-dcache-loads", COUNT_METRIC),
	  .help = "loads that asked the first data cache", .source = SOURCE_HARDWARE, .stored_tolerance_pct = 1,
	  .paired_tolerance_pct = 1, .simulated = METRIC(SIM_L1D_LOADS) },
	[METRIC_L1D_MISSES] = { GROWS(L1D_MISSES, "L1-dcache-load-misses", RATE_METRIC),
	  .help = "loads that missed it", .source = SOURCE_HARDWARE, .stored_tolerance_pct = 20, .paired_tolerance_pct = 10,
	  .simulated = METRIC(SIM_L1D_MISSES) },

	[METRIC_IPC] = { .name = "ipc", .help = "instructions per cycle", .unit = UNIT_RATIO, .kind = KIND_RATE,
	  .source = SOURCE_DERIVED, .higher_is_better = true, .stored_tolerance_pct = 10, .paired_tolerance_pct = 3,
	  .numerator = METRIC(INSTRUCTIONS), .denominator = METRIC(CYCLES) },
	[METRIC_BRANCH_MISS_RATE] = { .name = "branch-miss-rate", .help = "share of branches predicted wrongly",
	  .unit = UNIT_FRACTION, .kind = KIND_RATE, .source = SOURCE_DERIVED, .stored_tolerance_pct = 20,
	  .paired_tolerance_pct = 10, .least = 0.001, .paired_least = 0.003, .numerator = METRIC(BRANCH_MISSES),
	  .denominator = METRIC(BRANCHES), .simulated = METRIC(SIM_BRANCH_MISS_RATE) },
	[METRIC_L1D_MISS_RATE] = { .name = "l1d-miss-rate", .help = "share of loads that missed the first data cache",
	  .unit = UNIT_FRACTION, .kind = KIND_RATE, .source = SOURCE_DERIVED, .stored_tolerance_pct = 20,
	  .paired_tolerance_pct = 10, .least = 0.001, .paired_least = 0.003, .numerator = METRIC(L1D_MISSES),
	  .denominator = METRIC(L1D_LOADS), .simulated = METRIC(SIM_L1D_MISS_RATE) },
	[METRIC_CYCLES_PER_SECOND] = { .name = "cycles-per-second", .help = "clock rate while the target ran", .unit = UNIT_HZ,
	  .kind = KIND_RATE, .source = SOURCE_DERIVED, .higher_is_better = true, .numerator = METRIC(CYCLES),
	  .denominator = METRIC(TASK_CLOCK) },

	[METRIC_MAX_RSS] = { .name = "max-rss", .help = "peak resident memory of the largest process",
	  .unit = UNIT_BYTES, .kind = KIND_SIZE, .source = SOURCE_TARGET, .stored_tolerance_pct = 5,
	  .paired_tolerance_pct = 5, .least = 256 * 1024 },
	[METRIC_RSS_GROWTH] = { GROWS(RSS_GROWTH, "rss-growth", .unit = UNIT_BYTES, .kind = KIND_SIZE),
	  .help = "memory that an attached target gains during a window", .source = SOURCE_TARGET,
	  .stored_tolerance_pct = 25, .paired_tolerance_pct = 25, .least = 256 * 1024 },
	[METRIC_PAGE_FAULTS] = { GROWS(PAGE_FAULTS, "page-faults", COUNT_METRIC, .portable = true),
	  .help = "page faults, minor and major", .source = SOURCE_TARGET, .stored_tolerance_pct = 1,
	  .paired_tolerance_pct = 1, .least = 10 },
	[METRIC_MAJOR_FAULTS] = { GROWS(MAJOR_FAULTS, "major-faults", COUNT_METRIC),
	  .help = "page faults that waited for a disk", .source = SOURCE_TARGET },
	[METRIC_VOLUNTARY_SWITCHES] = { GROWS(VOLUNTARY_SWITCHES, "voluntary-switches", COUNT_METRIC, .portable = true, .waits = true), .help = "times the target gave the CPU away by waiting",
	  .source = SOURCE_TARGET, .stored_tolerance_pct = 20, .paired_tolerance_pct = 20, .least = 10 },
	[METRIC_INVOLUNTARY_SWITCHES] = { GROWS(INVOLUNTARY_SWITCHES, "involuntary-switches", COUNT_METRIC, .waits = true),
	  .help = "times the target was pushed off its CPU", .source = SOURCE_TARGET },
	[METRIC_READ_CALLS] = { GROWS(READ_CALLS, "read-calls", EXACT_COUNT), .source = SOURCE_TARGET,
	  .help = "calls that read files and pipes, as /proc/PID/io counts them (syscr)" },
	[METRIC_WRITE_CALLS] = { GROWS(WRITE_CALLS, "write-calls", EXACT_COUNT), .source = SOURCE_TARGET,
	  .help = "calls that write, as /proc/PID/io counts them (syscw)" },
	[METRIC_READ_BYTES] = { GROWS(READ_BYTES, "read-bytes", EXACT_BYTES), .source = SOURCE_TARGET,
	  .help = "bytes that these calls read, from a disk or not (rchar)" },
	[METRIC_WRITTEN_BYTES] = { GROWS(WRITTEN_BYTES, "written-bytes", EXACT_BYTES), .source = SOURCE_TARGET,
	  .help = "bytes that calls wrote, to a disk or not (wchar)" },

	[METRIC_WORK] = { .name = "work", .help = "how much the load did in a window", COUNT_METRIC, .source = SOURCE_LOAD,
	  .higher_is_better = true, .waits = true },
	[METRIC_THROUGHPUT] = { .name = "throughput", .help = "how much the load did in a second", .unit = UNIT_RATIO,
	  .label = "/s", .kind = KIND_TIME, .source = SOURCE_LOAD, .higher_is_better = true, .waits = true,
	  .stored_tolerance_pct = 25, .paired_tolerance_pct = 3 },

	[METRIC_SIM_INSTRUCTIONS] = { .name = "sim-instructions", .help = "instructions, simulated; valgrind shows programs one fixed CPU, so all models give the same count", SIMULATED_COUNT,
	  .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5 },
	[METRIC_SIM_BRANCHES] = { .name = "sim-branches", .help = "branches, simulated", SIMULATED_COUNT,
	  .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5 },
	[METRIC_SIM_BRANCH_MISSES] = { .name = "sim-branch-misses", .help = "branch misses of a simulated predictor",
	  SIMULATED_COUNT, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1 },
	[METRIC_SIM_L1D_LOADS] = { .name = "sim-l1d-loads", .help = "loads, simulated", SIMULATED_COUNT,
	  .stored_tolerance_pct = 0.5, .paired_tolerance_pct = 0.5 },
	[METRIC_SIM_L1D_MISSES] = { .name = "sim-l1d-misses", .help = "load misses of a simulated first data cache",
	  SIMULATED_COUNT, .stored_tolerance_pct = 1, .paired_tolerance_pct = 1 },
	[METRIC_SIM_BRANCH_MISS_RATE] = { .name = "sim-branch-miss-rate", .help = "branch-miss-rate, simulated",
	  .unit = UNIT_FRACTION, .kind = KIND_COUNT, .source = SOURCE_SIMULATED, .portable = true, .stored_tolerance_pct = 1,
	  .paired_tolerance_pct = 1, .numerator = METRIC(SIM_BRANCH_MISSES), .denominator = METRIC(SIM_BRANCHES) },
	[METRIC_SIM_L1D_MISS_RATE] = { .name = "sim-l1d-miss-rate", .help = "l1d-miss-rate, simulated",
	  .unit = UNIT_FRACTION, .kind = KIND_COUNT, .source = SOURCE_SIMULATED, .portable = true, .stored_tolerance_pct = 1,
	  .paired_tolerance_pct = 1, .numerator = METRIC(SIM_L1D_MISSES), .denominator = METRIC(SIM_L1D_LOADS) },

	[METRIC_SYSTEM_CALLS] = { .name = "system-calls", EXACT_COUNT, .source = SOURCE_CALLS,
	  .help = "system calls of all processes and threads, counted by perf's tracepoints where allowed, else by strace, in one more "
		  "run; system-calls:NAME counts those of one name, such as system-calls:openat" },
	[METRIC_PROCESSES] = { .name = "processes", EXACT_COUNT, .source = SOURCE_CALLS,
	  .help = "processes started, with the target's first one and without threads, counted by strace in one more run" },
	[METRIC_TEXT_SIZE] = { .name = "text-size", FILE_SIZE,
	  .help = "code and read-only data of the executable and of the project's libraries that it needs, as size(1) counts text" },
	[METRIC_DATA_SIZE] = { .name = "data-size", FILE_SIZE,
	  .help = "their initialised data, as size(1) counts data" },
	[METRIC_FILE_SIZE] = { .name = "file-size", FILE_SIZE,
	  .help = "the bytes of these files, with debug information in them" },

	[METRIC_ALLOCATIONS] = { .name = "allocations", .help = "calls of malloc and similar functions", HEAP_COUNT },
	[METRIC_TEMPORARY_ALLOCATIONS] = { .name = "temporary-allocations", .help = "those freed before the next one is made",
	  HEAP_COUNT, .least = 10 },
	[METRIC_HEAP_PEAK] = { .name = "heap-peak", .help = "the most that was allocated at once", HEAP_BYTES },
	[METRIC_HEAP_LEAKED] = { .name = "heap-leaked", .help = "allocated and not freed at the end", HEAP_BYTES },
};

const size_t metric_catalogue_size = sizeof metric_catalogue / sizeof metric_catalogue[0];

const struct metric *metric_find(const char *name)
{
	for (size_t i = 0; i < metric_catalogue_size; i++)
		if (!strcmp(metric_catalogue[i].name, name))
			return &metric_catalogue[i];
	return NULL;
}

const char *metric_renamed(const char *name)
{
	static const struct gone_key renamed[] = {
		{ "wall", "wall-time" }, { "user", "user-time" }, { "sys", "system-time" }, { "cpu-cycles", "cycles" },
		{ "branch-instructions", "branches" }, { "l1d-loads", "L1-dcache-loads" }, { "l1d-misses", "L1-dcache-load-misses" },
		{ "peak-memory", "max-rss" }, { "faults", "page-faults" }, { "voluntary-context-switches", "voluntary-switches" },
	};

	for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
		if (!strcmp(renamed[i].key, name))
			return renamed[i].instead;
	return NULL;
}

const char *metric_gone(const char *name)
{
	return !strcmp(name, "offcpu-time") || text_starts(name, "offcpu-share") ? "wall-time or voluntary-switches" : NULL;
}

bool metric_name_is_share(const char *name)
{
	return !strcmp(name, METRIC_SYMBOLS) || !strcmp(name, METRIC_OUTPUT) || text_starts(name, METRIC_OF_SYMBOL) ||
	       text_starts(name, METRIC_OF_DSO);
}

const struct metric metric_share = {
	.name = METRIC_SYMBOLS, .help = "a share of the profile", .unit = UNIT_FRACTION, .kind = KIND_RATE, .source = SOURCE_PROFILE,
};

const char *metric_name_taken(const char *name)
{
	if (metric_find(name))
		return "a metric of pawl's own";
	if (metric_renamed(name))
		return "an earlier name of one of pawl's own metrics";
	if (metric_name_is_share(name))
		return "a word for gates on profiles";
	if (text_starts(name, METRIC_OF_CALL))
		return "how pawl counts system calls";
	return text_ends(name, strlen(name), METRIC_PER_WORK) ? "how pawl calls metrics per unit of work" : NULL;
}

bool metric_repeats(const struct metric *metric)
{
	return metric->source == SOURCE_SIMULATED || metric->source == SOURCE_HEAP || metric->source == SOURCE_CALLS ||
	       metric->source == SOURCE_FILE;
}

bool metric_counted(const struct metric *metric)
{
	const struct metric *whole = metric->of ?: metric;

	return metric_repeats(whole) || (whole->kind == KIND_COUNT && !whole->waits && whole->source != SOURCE_CUSTOM);
}

bool metric_together(const struct metric *metric)
{
	const struct metric *whole = metric->of ?: metric;

	return !whole->waits && (whole->source != SOURCE_CUSTOM || whole->benchmark);
}

bool metric_of_windows(const struct metric *metric)
{
	return metric->source == SOURCE_LOAD || metric == METRIC(RSS_GROWTH);
}

bool metric_disturbed(const struct metric *metric)
{
	const struct metric *plain = metric->of ?: metric;

	return plain->kind == KIND_TIME || plain->kind == KIND_RATE || plain->waits;
}

bool metric_same(const struct metric *a, const struct metric *b)
{
	return a == b || !strcmp(a->name, b->name);
}

size_t metric_events(const struct metric *metric, const char *events_out[2])
{
	if (metric->source == SOURCE_SOFTWARE || metric->source == SOURCE_HARDWARE) {
		events_out[0] = metric->name;
		return 1;
	}
	if (metric->source != SOURCE_DERIVED || metric->of)
		return 0;
	events_out[0] = metric->numerator->name;
	events_out[1] = metric->denominator->name;
	return 2;
}

/* True for times from the clocks of the kernel and perf, which count nanoseconds. */
static bool is_clocked(const struct metric *metric)
{
	return metric->unit == UNIT_MS && (metric->source == SOURCE_TARGET || metric->source == SOURCE_SOFTWARE);
}

double metric_round(const struct metric *metric, double value)
{
	double size = fabs(value);
	char text[64];

	/* Whole numbers stay. From 1e15 on, all numbers are treated as whole. */
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

/* -------- metrics of a scenario's own */

static bool is_call(const char *name)
{
	for (size_t i = 0; i < sizeof call_names / sizeof *call_names; i++)
		if (!strcmp(call_names[i], name))
			return true;
	return false;
}

const struct metric *metric_call(struct arena *arena, const char *name)
{
	struct metric made = { .help = "calls of one system call", EXACT_COUNT, .source = SOURCE_CALLS };

	if (!text_starts(name, METRIC_OF_CALL) || !is_call(name + strlen(METRIC_OF_CALL)))
		return NULL;
	made.name = arena_strdup(arena, name);
	return arena_memdup(arena, &made, sizeof made);
}

const char *metric_call_near(const char *name)
{
	return nearest(name + strlen(METRIC_OF_CALL), call_names, sizeof call_names / sizeof *call_names);
}

const struct metric *metric_event(struct arena *arena, const char *event)
{
	struct metric *made = arena_alloc(arena, 2 * sizeof *made);

	made[0] = (struct metric){
		.name = arena_strdup(arena, event), .help = "a perf event this scenario asks for", .kind = KIND_RATE,
		.source = SOURCE_HARDWARE, .normalised = &made[1],
	};
	made[1] = (struct metric){
		.name = arena_printf(arena, "%s" METRIC_PER_WORK, event), .help = "the same per operation", .kind = KIND_RATE,
		.source = SOURCE_DERIVED, .of = &made[0],
	};
	return &made[0];
}

static const struct {
	const char *word;
	enum metric_unit unit;
	enum metric_kind kind;
	double factor;
} printed_units[] = {
	{ "ns", UNIT_MS, KIND_TIME, 1e-6 }, { "us", UNIT_MS, KIND_TIME, 1e-3 }, { "ms", UNIT_MS, KIND_TIME, 1 },
	{ "s", UNIT_MS, KIND_TIME, 1e3 }, { "B", UNIT_BYTES, KIND_SIZE, 1 }, { "KiB", UNIT_BYTES, KIND_SIZE, 0x1p10 },
	{ "MiB", UNIT_BYTES, KIND_SIZE, 0x1p20 }, { "GiB", UNIT_BYTES, KIND_SIZE, 0x1p30 },
	{ "%", UNIT_FRACTION, KIND_TIME, 0.01 }, { "count", UNIT_COUNT, KIND_COUNT, 1 },
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

/* A metric with an unknown unit is treated as noisy as a time. */
const struct metric *metric_custom(struct arena *arena, const char *name, const char *unit, bool higher_is_better)
{
	struct metric m = {
		.name = arena_strdup(arena, name), .help = "a number that the target or its load prints",
		.unit = UNIT_RATIO, .kind = KIND_TIME, .source = SOURCE_CUSTOM,
		.higher_is_better = higher_is_better, .label = arena_strdup(arena, unit), .factor = 1,
	};

	for (size_t i = 0; unit && i < sizeof printed_units / sizeof printed_units[0]; i++) {
		if (strcmp(printed_units[i].word, unit))
			continue;
		m.unit = printed_units[i].unit;
		m.kind = printed_units[i].kind;
		m.factor = printed_units[i].factor;
	}
	return arena_memdup(arena, &m, sizeof m);
}

const struct metric *metric_benchmark(struct arena *arena, const char *name, const char *unit, bool waits, const char *why)
{
	struct metric m = *metric_custom(arena, name, unit, false);

	m.help = "a benchmark of the target";
	m.benchmark = true;
	m.waits = waits;
	m.why = arena_strdup(arena, why);
	m.stored_tolerance_pct = 25;
	m.paired_tolerance_pct = waits ? 5 : 3;
	m.together_tolerance_pct = waits ? 0 : 2;
	return arena_memdup(arena, &m, sizeof m);
}

static bool is_of_catalogue(const struct metric *metric)
{
	const struct metric *plain = metric->of ?: metric;

	return plain >= metric_catalogue && plain < metric_catalogue + metric_catalogue_size;
}

const struct metric *metric_copy(struct arena *arena, const struct metric *metric)
{
	if (is_of_catalogue(metric))
		return metric;
	if (metric->benchmark)
		return metric_benchmark(arena, metric->name, metric->label, metric->waits, metric->why);
	if (metric->source == SOURCE_CUSTOM)
		return metric_custom(arena, metric->name, metric->label, metric->higher_is_better);
	if (metric->source == SOURCE_CALLS)
		return metric_call(arena, metric->name);
	return metric->of ? metric_event(arena, metric->of->name)->normalised : metric_event(arena, metric->name);
}

void own_metrics_release(struct own_metrics *own)
{
	arena_release(&own->arena);
	*own = (struct own_metrics){ 0 };
}

static const struct metric *find_own(const struct own_metrics *own, const char *name)
{
	for (size_t i = 0; i < own->n; i++)
		if (!strcmp(own->items[i]->name, name))
			return own->items[i];
	return NULL;
}

static const struct metric *add_own(struct own_metrics *own, const struct metric *metric)
{
	return *ARENA_ADD(&own->arena, own->items, own->n, own->cap) = metric;
}

const struct metric *own_metrics_find(struct own_metrics *own, const char *name)
{
	const struct metric *known = metric_find(name) ?: find_own(own, name);
	size_t len = strlen(name);

	if (!known && len > strlen(METRIC_PER_WORK) && text_ends(name, len, METRIC_PER_WORK)) {
		CLEANUP(free_ptr) char *plain = xstrndup(name, len - strlen(METRIC_PER_WORK));

		known = own_metrics_find(own, plain)->normalised;
	}
	return known ?: add_own(own, metric_call(&own->arena, name) ?: metric_event(&own->arena, name));
}

const struct metric *own_metrics_add(struct own_metrics *own, const struct metric *metric)
{
	if (is_of_catalogue(metric))
		return metric;
	if (metric->of)
		return own_metrics_find(own, metric->name);
	return find_own(own, metric->name) ?: add_own(own, metric_copy(&own->arena, metric));
}
