#include "scenario/harness/rows.h"

#include <ctype.h>
#include <math.h>

#include "stats/stats.h"

/* -------- asking */

static const double second_ns = 1e9, least_s = 0.001;

/* A run's time for each benchmark. */
static double seconds(const struct harness_ask *ask)
{
	return fmax((double)ask->time_ns / second_ns, least_s);
}

/* How often something of MS milliseconds fits into a benchmark's time, within limits. */
static unsigned times(uint64_t time_ns, double ms, double least, double most)
{
	double n = ms > 0 ? 1e3 * (double)time_ns / second_ns / ms : least;

	return (unsigned)fmin(fmax(n, least), most);
}

/* Longest filter by names. An argument may have 128 KiB. */
enum { NAMES_LONGEST = 32 << 10 };

/*
 * A regular expression for exactly NAMES, for free(); NULL: none, or too long. PARTS: of each part between slashes.
 * Escaping more would give GNU's \< a meaning.
 */
static char *exactly(const struct strv *names, bool parts)
{
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; names && i < names->n; i++) {
		strbuf_adds(&out, i ? "|^" : "^");
		for (const char *c = names->items[i]; *c; c++) {
			if (strchr(".[]{}()*+?^$|\\", *c))
				strbuf_addc(&out, '\\');
			if (*c == '/' && parts)
				strbuf_adds(&out, "$/^");
			else
				strbuf_addc(&out, *c);
		}
		strbuf_addc(&out, '$');
	}
	if (!out.len || out.len > NAMES_LONGEST) {
		strbuf_release(&out);
		return NULL;
	}
	return strbuf_take(&out);
}

/* A program takes about this many times what it is asked for: it tries fewer iterations first, then makes some more. */
#define GOOGLE_TAKES 1.8
#define GO_TAKES 2.0

typedef void ask_fn(const struct harness_ask *ask, const char *filter, struct arena *arena, struct strv *out);

static void ask_google(const struct harness_ask *ask, const char *filter, struct arena *arena, struct strv *out)
{
	CLEANUP(free_ptr) char *only = exactly(ask->only, false);

	arena_pushf(arena, out, "--benchmark_out=%s", ask->file);
	arena_push(arena, out, "--benchmark_out_format=json");
	if (!ask->older && (ask->iterations || !ask->time_ns)) {
		/* Versions before 1.8 show themselves in the first run, of one iteration. */
		arena_pushf(arena, out, "--benchmark_min_time=%ux", ask->iterations ?: 1);
	} else if (ask->iterations) {
		/* They repeat the single one that no time allows. */
		arena_push(arena, out, "--benchmark_min_time=0");
		arena_pushf(arena, out, "--benchmark_repetitions=%u", ask->iterations);
		arena_push(arena, out, "--benchmark_report_aggregates_only=true");
	} else {
		/* Every version takes a plain number of seconds; those from 1.8 on take "0.1s", too. */
		arena_pushf(arena, out, "--benchmark_min_time=%.6f", seconds(ask) / GOOGLE_TAKES);
	}
	if (only || filter)
		arena_pushf(arena, out, "--benchmark_filter=%s", only ?: filter);
}

static void ask_criterion(const struct harness_ask *ask, const char *filter, struct arena *arena, struct strv *out)
{
	CLEANUP(free_ptr) char *only = exactly(ask->only, false);
	/* Before 0.4 it takes whole seconds. */
	int digits = ask->older ? 0 : 6;
	double least = ask->older ? 1 : least_s;

	/* Not --output-format=bencher, which rounds to nanoseconds. */
	arena_push(arena, out, "--noplot");
	arena_push(arena, out, "--sample-size=10");
	/* Resampling takes longer than the benchmark, and only its intervals need it. */
	arena_push(arena, out, "--nresamples=1001");
	arena_pushf(arena, out, "--warm-up-time=%.*f", digits, fmax(seconds(ask) / 4, least));
	arena_pushf(arena, out, "--measurement-time=%.*f", digits, fmax(seconds(ask) / 2, least));
	if (only || filter)
		arena_push(arena, out, only ?: filter);
}

static void ask_go(const struct harness_ask *ask, const char *filter, struct arena *arena, struct strv *out)
{
	CLEANUP(free_ptr) char *only = exactly(ask->only, true);

	arena_push(arena, out, "-test.run=^$");
	if (ask->iterations)
		arena_pushf(arena, out, "-test.benchtime=%ux", ask->iterations);
	else
		arena_pushf(arena, out, "-test.benchtime=%.0fus", seconds(ask) / GO_TAKES * 1e6);
	arena_pushf(arena, out, "-test.bench=%s", only ?: filter ?: ".");
}

/*
 * An expression for -k that the functions of NAMES match, for free(); NULL: none, or not that of a function. It also
 * matches functions whose names hold one of these, and what has other parameters: every version takes plain words.
 */
static char *by_functions(const struct strv *names, const char *filter)
{
	CLEANUP(strv_release) struct strv functions = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; names && i < names->n; i++) {
		const char *path = names->items[i], *at = path;
		size_t len;

		for (const char *next; (next = strstr(at, "::"));)
			at = next + strlen("::");
		for (len = 0; isalnum((unsigned char)at[len]) || at[len] == '_' || at[len] & 0x80;)
			len++;
		if (!len || (at[len] && at[len] != '['))
			return NULL;
		strv_take(&functions, xstrndup(at, len));
	}
	strv_sort(&functions);
	for (size_t i = 0; i < functions.n; i++)
		if (!i || strcmp(functions.items[i], functions.items[i - 1]) != 0)
			strbuf_addf(&out, "%s%s", out.len ? " or " : "", functions.items[i]);
	if (!out.len || out.len > NAMES_LONGEST)
		return NULL;
	return filter ? text_printf("(%s) and (%s)", filter, out.buf) : strbuf_take(&out);
}

static void ask_pytest(const struct harness_ask *ask, const char *filter, struct arena *arena, struct strv *out)
{
	CLEANUP(free_ptr) char *only = by_functions(ask->only, filter);

	arena_push(arena, out, "--benchmark-only");
	arena_pushf(arena, out, "--benchmark-json=%s", ask->file);
	if (ask->iterations) {
		/* A round is then one call, unless that is too short for the timer. */
		arena_push(arena, out, "--benchmark-min-time=0");
		arena_push(arena, out, "--benchmark-max-time=0");
		arena_pushf(arena, out, "--benchmark-min-rounds=%u", ask->iterations);
	} else {
		arena_push(arena, out, "--benchmark-min-rounds=1");
		arena_pushf(arena, out, "--benchmark-max-time=%.6f", seconds(ask));
	}
	if (only || filter) {
		arena_push(arena, out, "-k");
		arena_push(arena, out, only ?: filter);
	}
}

/* Milliseconds of a sample of Catch2, about; and of its warm-up, as part of the whole. */
#define CATCH2_SAMPLE_MS 0.1
enum { CATCH2_SAMPLES_LEAST = 10, CATCH2_SAMPLES_MOST = 10000, CATCH2_WARM_UP = 10 };

static void ask_catch2(const struct harness_ask *ask, const char *filter, struct arena *arena, struct strv *out)
{
	if (filter)
		arena_push(arena, out, filter);
	arena_push(arena, out, "--reporter=xml");
	arena_pushf(arena, out, "--out=%s", ask->file);
	arena_push(arena, out, "--benchmark-no-analysis");
	arena_pushf(arena, out, "--benchmark-warmup-time=%.0f", ceil(1e3 * seconds(ask) / CATCH2_WARM_UP));
	arena_pushf(arena, out, "--benchmark-samples=%u", times(ask->time_ns, CATCH2_SAMPLE_MS, CATCH2_SAMPLES_LEAST, CATCH2_SAMPLES_MOST));
}

enum { HYPERFINE_RUNS_MOST = 1000 };

static void ask_hyperfine(const struct harness_ask *ask, const char *filter, struct arena *arena, struct strv *out)
{
	(void)filter;
	arena_pushf(arena, out, "--export-json=%s", ask->file);
	arena_push(arena, out, "--style=basic");
	arena_pushf(arena, out, "--runs=%u", times(ask->time_ns, ask->longest_ms, 1, HYPERFINE_RUNS_MOST));
}

static const struct {
	ask_fn *ask;		/* NULL: it cannot be asked for anything */
	bool file;		/* its results go to a file, which its own prints cannot damage */
	bool filters, some;	/* takes a filter; runs benchmarks by their names */
	unsigned iterations_most;	/* that it can be asked for; 0: it takes no number */
	struct harness_older older;	/* .refuse NULL: none */
} formats[] = {
	[HARNESS_GOOGLE] = { ask_google, .file = true, .filters = true, .some = true, .iterations_most = 100000000,
			     .older = { "--benchmark_min_time is expected to be a double", .iterations_most = 10000 } },
	[HARNESS_CRITERION] = { ask_criterion, .filters = true, .some = true, .older = {
		"isn't a valid value", .note = "this criterion is older than 0.4 and takes whole seconds, so that each benchmark takes two "
					       "in each run: update it, or raise measure.budget" } },
	[HARNESS_GO] = { ask_go, .filters = true, .some = true, .iterations_most = 100000000 },
	[HARNESS_PYTEST] = { ask_pytest, .file = true, .filters = true, .some = true, .iterations_most = 10000 },
	[HARNESS_CATCH2] = { ask_catch2, .file = true, .filters = true },
	[HARNESS_NANOBENCH] = { .ask = NULL },
	[HARNESS_HYPERFINE] = { ask_hyperfine, .file = true },
	[HARNESS_JSON] = { .ask = NULL },
};

const char *const harness_names[] = {
	"none", "google-benchmark", "criterion", "go", "pytest-benchmark", "catch2", "nanobench", "hyperfine", "json", NULL,
};

bool harness_writes_file(const struct harness *harness)
{
	return formats[harness->kind].file;
}

bool harness_filters(enum harness_kind kind)
{
	return formats[kind].filters;
}

bool harness_runs_some(const struct harness *harness)
{
	return formats[harness->kind].some;
}

unsigned harness_iterations(const struct harness *harness, uint64_t time_ns, double longest_ms, bool older)
{
	unsigned most = older ? formats[harness->kind].older.iterations_most : formats[harness->kind].iterations_most;

	return most ? times(time_ns, longest_ms, 1, most) : 0;
}

const struct harness_older *harness_older(const struct harness *harness)
{
	const struct harness_older *older = &formats[harness->kind].older;

	return older->refuse ? older : NULL;
}

void harness_arguments(const struct harness *harness, const struct harness_ask *ask, struct arena *arena, struct strv *out)
{
	if (formats[harness->kind].ask)
		formats[harness->kind].ask(ask, harness->filter, arena, out);
}

/* -------- one value for each name */

static int by_name(const void *a, const void *b)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
	int order = strcmp(x->of.name, y->of.name);

	order = order ? order : x->median - y->median;
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* A number that comes twice shows two benchmarks that cannot be told apart. */
static struct row join(struct row *const *same, size_t n)
{
	CLEANUP(free_ptr) double *values = xcalloc(n, sizeof *values);
	struct row out = *same[0];

	while (n > 1 && same[n - 1]->median && !same[0]->median)
		n--;
	for (size_t i = 0; i < n; i++) {
		values[i] = same[i]->of.value;
		out.of.why = out.of.why ?: same[i]->of.why;
		if (i && same[i]->repetition <= same[i - 1]->repetition)
			out.of.why = "several benchmarks have this name";
		if (strcmp(same[i]->of.unit, out.of.unit))
			out.of.why = "its unit differs between repetitions";
	}
	out.of.value = out.of.why ? NAN : stats_median(values, n);
	return out;
}

static void join_all(struct rows *rows, struct benchmarks *out)
{
	CLEANUP(free_ptr) struct row **sorted = xcalloc(rows->n + 1, sizeof *sorted);
	CLEANUP(free_ptr) struct row *joined = xcalloc(rows->n + 1, sizeof *joined);
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		sorted[i] = &rows->items[i];
	qsort(sorted, rows->n, sizeof *sorted, by_name);
	for (size_t i = 0, end; i < rows->n; i = end) {
		for (end = i + 1; end < rows->n && !strcmp(sorted[end]->of.name, sorted[i]->of.name);)
			end++;
		joined[n++] = join(&sorted[i], end - i);
	}
	qsort(joined, n, sizeof *joined, by_place);
	out->items = arena_alloc(&rows->arena, (n + 1) * sizeof *out->items);
	for (size_t i = 0; i < n; i++)
		out->items[i] = joined[i].of;
	out->n = out->cap = n;
	out->unnamed = rows->unnamed;
	out->arena = rows->arena;
	rows->arena = (struct arena)ARENA_INIT;
}

void benchmarks_release(struct benchmarks *benchmarks)
{
	arena_release(&benchmarks->arena);
	*benchmarks = (struct benchmarks){ 0 };
}

static int refuse(const struct harness *harness, const struct benchmarks *found, bool some, struct error *err)
{
	const char *name = harness_names[harness->kind];

	if (found->n > BENCHMARKS_MOST)
		return error_set(err, ERR_TARGET, "%s reported %zu benchmarks, of at most %d; choose some with target.filter, or split the "
				 "scenario", name, found->n, BENCHMARKS_MOST);
	if (found->n || some)
		return 0;
	if (harness->filter)
		return error_set(err, ERR_TARGET, "%s reported no benchmark: target.filter '%.100s' matches none", name, harness->filter);
	return error_set(err, ERR_TARGET, "%s reported no benchmark%s", name, found->unnamed ? " with a name" : "");
}

int harness_read(const struct harness *harness, const char *text, size_t len, bool some, struct benchmarks *out, struct error *err)
{
	struct rows rows = { .harness = harness };
	struct benchmarks found = { 0 };
	/* Some leave an empty file if their filter matches nothing. */
	int ret = !len ? 0 : rows_read(&rows, text, len, err);

	if (ret == 0) {
		join_all(&rows, &found);
		ret = refuse(harness, &found, some, err);
	}
	arena_release(&rows.arena);
	if (ret == 0)
		*out = found;
	else
		benchmarks_release(&found);
	return ret;
}
