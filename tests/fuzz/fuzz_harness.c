/*
 * Output of benchmark programs. The first byte chooses the program. Names that are found can be stored, each once, and
 * a benchmark has a positive value or a reason. An error has a message.
 */
#include "model/metrics/metric.h"
#include "scenario/harness/harness.h"
#include "fuzz.h"

static void check(const struct benchmarks *found)
{
	require(found->n && found->n <= BENCHMARKS_MOST);
	for (size_t i = 0; i < found->n; i++) {
		const struct benchmark *b = &found->items[i];

		require(*b->name && strlen(b->name) <= METRIC_BENCHMARK_LONGEST && !metric_name_taken(b->name) && !strchr(b->name, '\n'));
		require(b->why ? isnan(b->value) : isfinite(b->value) && b->value > 0);
		for (size_t k = 0; k < i; k++)
			require(strcmp(b->name, found->items[k].name) != 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct harness harness = { .places = { .list = (char *)"a.b", .name = (char *)"n", .value = (char *)"v", .unit = (char *)"u" } };
	CLEANUP(benchmarks_release) struct benchmarks found = { 0 };
	struct error err = ERROR_INIT;

	if (!size)
		return 0;
	/* Digits, so that seeds can be texts. */
	harness.kind = HARNESS_GOOGLE + data[0] % (HARNESS_JSON - HARNESS_GOOGLE + 1);
	if (harness_read(&harness, (const char *)data + 1, size - 1, false, &found, &err) == 0)
		check(&found);
	else
		require(err.msg[0] && err.kind == ERR_TARGET);
	return 0;
}
