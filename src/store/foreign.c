/* Files of other programs as results: a scenario for each benchmark, a run for each time that was written down. */
#include "store/store.h"

#include <math.h>

#include "base/mem.h"
#include "model/measured.h"

const char *const foreign_names[] = { "pawl", "hyperfine", "Google Benchmark" };

/* Times up to so many milliseconds, 31 years; a run that took longer was not measured. */
#define LONGEST_MS 1e12
/* What a gate tolerates of times that are stored: the catalogue's own for CPU time. */
#define TOLERANCE_PCT 25

/* -------- benchmarks to scenarios */

/* What a scenario may be called, from any NAME; for free(). */
static char *make_name(const char *name)
{
	enum { LONGEST = 90 };
	struct strbuf out = STRBUF_INIT;

	for (; *name && out.len < LONGEST; name++) {
		char letter[] = { *name, '\0' };

		if (text_made_of(letter, "_") || (out.len && *name == '.'))
			strbuf_addc(&out, *name);
		else if (out.len && out.buf[out.len - 1] != '-')
			strbuf_addc(&out, '-');
	}
	while (out.len && out.buf[out.len - 1] == '-')
		strbuf_truncate(&out, out.len - 1);
	return out.len ? strbuf_take(&out) : xstrdup("benchmark");
}

static bool is_taken(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (!strcmp(result->scenarios[i].name, name))
			return true;
	return false;
}

/* The one of FULL name, which repetitions follow each other in; made where there is none, with a gate on METRIC. */
static struct scenario_result *scenario_of(struct result *result, const char *full, const struct metric *metric)
{
	CLEANUP(free_ptr) char *first = make_name(full), *name = xstrdup(first);
	struct scenario_result *s;

	for (size_t i = result->n_scenarios; i-- > 0;)
		if (text_same(result->scenarios[i].description, full))
			return &result->scenarios[i];
	for (unsigned n = 2; is_taken(result, name); n++) {
		free(name);
		name = text_printf("%s-%u", first, n);
	}
	s = result_add_scenario(result, name);
	s->description = arena_strdup(&s->arena, full);
	scenario_result_add_gate(s, &(struct gate){ .metric = metric, .relative = true, .tolerance_pct = TOLERANCE_PCT, .max = NAN, .min = NAN });
	return s;
}

static void add_run(struct scenario_result *s, double wall_ms, double cpu_ms)
{
	struct run *run = side_result_add_run(&s->head);

	measured_set(&s->head, run, METRIC(WALL_TIME), wall_ms);
	if (!isnan(cpu_ms))
		measured_set(&s->head, run, METRIC(CPU_TIME), cpu_ms);
	s->head.runs_wanted = (unsigned)s->head.n_runs;
	if (!s->head.failure)
		s->head.state = SCENARIO_MEASURED;
}

/* OBJECT's KEY, in units of FACTOR milliseconds. */
static int read_time(const struct json *object, const char *key, double factor, double *out, struct error *err)
{
	struct json at;

	if (json_need(object, key, &at, err) < 0 || json_measured(&at, out, err) < 0)
		return -1;
	*out *= factor;
	return *out <= LONGEST_MS ? 0 : json_fault(&at, err, "expected a time, found one of more than 30 years");
}

/* -------- hyperfine: --export-json */

struct reader {
	struct result *result;
	struct scenario_result *scenario;	/* that the times are of */
	size_t failed;
};

static int read_exit_code(const struct json *at, void *ctx, struct error *err)
{
	struct reader *reader = ctx;

	(void)err;
	reader->failed += !(cJSON_IsNumber(at->value) && at->value->valuedouble == 0);
	return 0;
}

static int read_hyperfine_time(const struct json *at, void *ctx, struct error *err)
{
	struct reader *reader = ctx;
	double seconds;

	if (json_measured(at, &seconds, err) < 0)
		return -1;
	if (!(seconds <= LONGEST_MS / 1e3))
		return json_fault(at, err, "expected a time in seconds, found more than 30 years");
	add_run(reader->scenario, seconds * 1e3, NAN);
	return 0;
}

static int read_hyperfine(const struct json *at, void *ctx, struct error *err)
{
	struct reader *reader = ctx;
	CLEANUP(free_ptr) char *command = NULL;
	struct json name, times, codes;
	int got;

	if (json_need(at, "command", &name, err) < 0 || json_string(&name, &command, err) < 0 || json_need(at, "times", &times, err) < 0)
		return -1;
	if (!json_size(&times))
		return json_fault(&times, err, "expected the time of at least one run");
	reader->failed = 0;
	reader->scenario = scenario_of(reader->result, command, METRIC(WALL_TIME));
	if (reader->scenario->head.n_runs)
		return json_fault(&name, err, "the command is there twice; name one with --command-name");
	got = json_get(at, "exit_codes", &codes, err);
	if (json_each(&times, read_hyperfine_time, reader, err) < 0 || got < 0 || (got && json_each(&codes, read_exit_code, reader, err) < 0))
		return -1;
	if (reader->failed)
		NOTE(&reader->scenario->head, "%zu of %zu runs did not end with status 0", reader->failed, reader->scenario->head.n_runs);
	return 0;
}

/* -------- Google Benchmark: --benchmark_format=json */

static const char *const time_units[] = { "ns", "us", "ms", "s", NULL };
static const double time_factors[] = { 1e-6, 1e-3, 1, 1e3 };

/* Made of other lines of the file: a mean, or what the time grows with. */
static int is_aggregate(const struct json *at, const char *name, bool *out, struct error *err)
{
	static const char *const types[] = { "iteration", "aggregate", NULL };
	static const char *const ends[] = { "_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS" };
	size_t len = strlen(name), type = 0;
	struct json run_type;
	int got = json_get(at, "run_type", &run_type, err);

	if (got < 0 || (got && json_choice(&run_type, types, &type, err) < 0))
		return -1;
	*out = type;
	/* Old versions have no types. */
	for (size_t i = 0; !got && i < sizeof ends / sizeof ends[0]; i++)
		*out |= text_ends(name, len, ends[i]);
	return 0;
}

static int read_error(const struct json *at, struct scenario_result *s, struct error *err)
{
	CLEANUP(free_ptr) char *words = NULL;
	struct json message;
	int got = json_get(at, "error_message", &message, err);

	if (got < 0 || (got && json_string(&message, &words, err) < 0))
		return -1;
	s->head.state = SCENARIO_FAILED;
	s->head.failure = arena_printf(&s->head.arena, "the benchmark failed: %s", words ?: "it says no more");
	return 0;
}

static int read_benchmark(const struct json *at, void *ctx, struct error *err)
{
	struct reader *reader = ctx;
	CLEANUP(free_ptr) char *full = NULL;
	struct scenario_result *s;
	struct json name, failed, time_unit;
	size_t unit = 0;
	bool skip, bad = false;
	double real_ms, cpu_ms;
	int got;

	if (json_need(at, "name", &name, err) < 0 || json_string(&name, &full, err) < 0 || is_aggregate(at, full, &skip, err) < 0)
		return -1;
	if (skip)
		return 0;
	s = scenario_of(reader->result, full, METRIC(CPU_TIME));
	got = json_get(at, "error_occurred", &failed, err);
	if (got < 0 || (got && json_bool(&failed, &bad, err) < 0))
		return -1;
	if (bad)
		return read_error(at, s, err);
	got = json_get(at, "time_unit", &time_unit, err);
	if (got < 0 || (got && json_choice(&time_unit, time_units, &unit, err) < 0) ||
	    read_time(at, "real_time", time_factors[unit], &real_ms, err) < 0 ||
	    read_time(at, "cpu_time", time_factors[unit], &cpu_ms, err) < 0)
		return -1;
	add_run(s, real_ms, cpu_ms);
	return 0;
}

/* What of its machine it tells; a class is more than that. */
static int read_context(const struct json *root, struct result *result, struct error *err)
{
	struct json context, cpus;
	double n = 0;
	int got = json_get(root, "context", &context, err);

	if (got <= 0)
		return got;
	got = json_get(&context, "num_cpus", &cpus, err);
	if (got <= 0 || json_measured(&cpus, &n, err) < 0)
		return got <= 0 ? got : -1;
	if (n < 1 || n > 65536)
		return json_fault(&cpus, err, "expected a number of CPUs, found %.17g", n);
	result->machine.cpus = (unsigned)n;
	result->machine.part = arena_printf(&result->machine.arena, "%.0fcpu", n);
	return 0;
}

/* -------- a file */

static enum foreign program_of(const cJSON *tree)
{
	if (cJSON_GetObjectItemCaseSensitive(tree, "schema"))
		return FOREIGN_PAWL;
	if (cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(tree, "results")))
		return FOREIGN_HYPERFINE;
	return cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(tree, "benchmarks")) ? FOREIGN_GOOGLE : FOREIGN_PAWL;
}

static int read_all(const struct json *root, enum foreign program, struct result *out, struct error *err)
{
	bool hyperfine = program == FOREIGN_HYPERFINE;
	struct reader reader = { .result = out };
	struct json list;

	*out = (struct result){ .mode = MODE_STORED, .pawl = PAWL_VERSION };
	/* Virtual until proven otherwise: its times then move more by themselves. */
	out->machine.hypervisor = "unknown";
	out->machine.tier = TIER_NONE;
	out->machine.tier_reason = "the file is of another program, which does not tell";
	if (!hyperfine && read_context(root, out, err) < 0)
		return -1;
	if (json_need(root, hyperfine ? "results" : "benchmarks", &list, err) < 0 ||
	    json_each(&list, hyperfine ? read_hyperfine : read_benchmark, &reader, err) < 0)
		return -1;
	if (out->n_scenarios)
		return 0;
	return json_size(&list) ? json_fault(&list, err, "there are aggregates only; measure without --benchmark_report_aggregates_only") :
				  json_fault(&list, err, "there is no benchmark in it");
}

int foreign_parse(const char *text, size_t len, const char *path, enum foreign *program_out, struct result *out, struct error *err)
{
	CLEANUP(result_release) struct result result = { 0 };
	cJSON *tree = json_parse(text, len, path, err);
	struct json root = { .value = tree };
	enum foreign program;
	int ret = 0;

	if (!tree)
		return -1;
	program = program_of(tree);
	if (program != FOREIGN_PAWL)
		ret = read_all(&root, program, &result, err);
	cJSON_Delete(tree);
	if (ret < 0)
		return error_at(err, path, 0, 0);
	*program_out = program;
	*out = result;
	result = (struct result){ 0 };
	return 0;
}
