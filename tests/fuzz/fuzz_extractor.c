/*
 * Extractors. The first line of the input is the regular expression and the JSON path; the rest is a program's output.
 * A number that is found is valid for every metric. An error has a message.
 */
#include "scenario/scenario.h"
#include "fuzz.h"

static void check(const struct extractor *extractor, const struct metric *metric, const char *text, size_t size)
{
	struct error err = ERROR_INIT, fault = ERROR_INIT;
	bool sound = extractor_check(extractor, &fault) == 0;
	double value = NAN;
	int found = extractor_find(extractor, metric, text, size, &value, &err);

	require(sound == (fault.kind == ERR_NONE));
	require(found == 1 ? isfinite(value) && value >= 0 : isnan(value));
	if (found < 0)
		require(err.msg[0] && err.kind == (sound ? ERR_TARGET : ERR_INPUT));
	else
		require(sound && err.kind == ERR_NONE);
}

static size_t count_of(const char *text, const char *any_of)
{
	size_t n = 0;

	for (; (text = strpbrk(text, any_of)); text++)
		n++;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const units[] = { NULL, "us", "MiB", "%" };
	const uint8_t *newline = memchr(data, '\n', size);
	size_t len = newline ? (size_t)(newline - data) : size, start = newline ? len + 1 : size;
	CLEANUP(free_ptr) char *pattern = xstrndup((const char *)data, len);

	/* The C library expands nested repeats, so their author decides how much memory they take. */
	if (strchr(pattern, '{') || count_of(pattern, "*+?") > 6)
		return 0;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;
		const struct metric *metric = metric_custom(&arena, "m", units[i], false);

		check(&(struct extractor){ .regex = pattern }, metric, (const char *)data + start, size - start);
		check(&(struct extractor){ .json = pattern }, metric, (const char *)data + start, size - start);
	}
	return 0;
}
