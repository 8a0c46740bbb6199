#include "unit.h"

#include <cjson/cJSON.h>

#include "exchange_samples.h"
#include "profile/formats/firefox.h"

static cJSON *at(const cJSON *from, const char *path)
{
	CLEANUP(free_ptr) char *copy = xstrdup(path);
	char *rest = NULL;
	cJSON *found = (cJSON *)from;

	for (char *name = strtok_r(copy, ".", &rest); name; name = strtok_r(NULL, ".", &rest)) {
		found = cJSON_GetObjectItemCaseSensitive(found, name);
		if (!found)
			fail_msg("there is no %s in %s", name, path);
	}
	return found;
}

static int number(const cJSON *table, const char *column, int i)
{
	const cJSON *item = cJSON_GetArrayItem(at(table, column), i);

	assert_true(cJSON_IsNumber(item));
	return item->valueint;
}

static const char *text(const cJSON *profile, int i)
{
	const char *string = cJSON_GetStringValue(cJSON_GetArrayItem(at(profile, "shared.stringArray"), i));

	assert_non_null(string);
	return string;
}

static cJSON *write_and_read(const struct exchange_stack *rows, size_t n, struct stacks *stacks)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, again = STRBUF_INIT;
	cJSON *profile;

	exchange_stacks(rows, n, stacks);
	firefox_write(stacks, "a \xff title", &out);
	firefox_write(stacks, "a \xff title", &again);
	assert_string_equal(out.buf, again.buf);
	for (const char *s = out.buf; *s;) {
		uint32_t code;
		size_t len = utf8_decode(s, &code);

		assert_true(len && (code >= ' ' || code == '\n'));
		s += len;
	}
	profile = cJSON_Parse(out.buf);
	assert_non_null(profile);
	return profile;
}

/* Every column of a table has its length. */
static void check_table(const cJSON *profile, const char *path, const char *columns)
{
	const cJSON *table = at(profile, path);
	CLEANUP(free_ptr) char *copy = xstrdup(columns);
	char *rest = NULL;

	for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
		if (!cJSON_IsArray(at(table, name)))
			fail_msg("%s.%s is no list", path, name);
		assert_int_equal(cJSON_GetArraySize(at(table, name)), at(table, "length")->valueint);
	}
}

/* What src/types/profile.ts of the Firefox Profiler requires in version 70. */
static void check_required(const cJSON *profile)
{
	static const char *const tables[][2] = {
		{ "shared.stackTable", "frame prefixOffset" },
		{ "shared.frameTable", "address lib inlineDepth category subcategory func nativeSymbol innerWindowID line column originalLocation" },
		{ "shared.funcTable", "name isJS relevantForJS resource source lineNumber columnNumber originalLocation" },
		{ "shared.resourceTable", "name host type" },
		{ "shared.nativeSymbols", "libIndex address name functionSize" },
		{ "shared.sources", "id filename startLine startColumn sourceMapURL content" },
		{ "shared.sourceLocationTable", "source line column" },
	};
	static const char *const meta[] = { "interval", "startTime", "processType", "product", "stackwalk", "version", "markerSchema", "categories" };
	const cJSON *item;

	assert_int_equal(at(profile, "meta.preprocessedProfileVersion")->valueint, 70);
	assert_true(cJSON_IsTrue(at(profile, "meta.symbolicated")));
	for (size_t i = 0; i < sizeof meta / sizeof meta[0]; i++)
		at(at(profile, "meta"), meta[i]);
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
		check_table(profile, tables[i][0], tables[i][1]);
	cJSON_ArrayForEach(item, at(profile, "libs"))
		for (const char *const *key = (const char *const[]){ "arch", "name", "path", "debugName", "debugPath", "breakpadId", "codeId", NULL }; *key; key++)
			at(item, *key);
	cJSON_ArrayForEach(item, at(profile, "threads")) {
		static const char *const keys[] = { "processType", "processStartupTime", "processShutdownTime", "registerTime", "unregisterTime",
						    "pausedRanges", "name", "isMainThread", "pid", "tid" };

		for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
			at(item, keys[i]);
		check_table(item, "samples", "stack time weight");
		check_table(item, "markers", "data name startTime endTime phase category");
	}
}

static void check_ranges(const cJSON *profile)
{
	int nodes = at(profile, "shared.stackTable.length")->valueint, frames = at(profile, "shared.frameTable.length")->valueint;
	int libs = cJSON_GetArraySize(at(profile, "libs"));

	assert_int_equal(libs, at(profile, "shared.resourceTable.length")->valueint);
	for (int i = 0; i < nodes; i++) {
		assert_in_range(number(at(profile, "shared.stackTable"), "frame", i), 0, frames - 1);
		assert_in_range(number(at(profile, "shared.stackTable"), "prefixOffset", i), 0, i);
	}
	for (int i = 0; i < frames; i++) {
		assert_in_range(number(at(profile, "shared.frameTable"), "lib", i) + 1, 0, libs);
		assert_in_range(number(at(profile, "shared.frameTable"), "category", i), 0, 2);
		text(profile, number(at(profile, "shared.funcTable"), "name", i));
	}
}

static void check_sums(const cJSON *profile, const struct stacks *stacks)
{
	bool time = stacks_unit(stacks, 0) == STACKS_NS;
	const cJSON *thread, *weight;
	double sum = 0;

	cJSON_ArrayForEach(thread, at(profile, "threads"))
		cJSON_ArrayForEach(weight, at(thread, "samples.weight"))
			sum += weight->valuedouble * (time ? 1e6 : 1);
	assert_true(fabs(sum - stacks->events[0].weight) <= 1e-9 * stacks->events[0].weight);
}

TEST(test_sums)
{
	for (size_t i = 0; i < sizeof exchange_all / sizeof exchange_all[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		cJSON *profile = write_and_read(exchange_all[i].rows, exchange_all[i].n, &stacks);

		print_message("%s\n", exchange_all[i].name);
		check_required(profile);
		check_ranges(profile);
		check_sums(profile, &stacks);
		cJSON_Delete(profile);
	}
}

/* The stack of the sample I of a thread, as "main/work [category]" with that of its leaf. */
static void read_stack(const cJSON *profile, const cJSON *thread, int i, struct strbuf *out)
{
	const cJSON *stack = cJSON_GetArrayItem(at(thread, "samples.stack"), i), *shared = at(profile, "shared");
	int path[8], n = 0, category = -1;

	for (int node = cJSON_IsNull(stack) ? -1 : stack->valueint; node >= 0;) {
		int back = number(shared, "stackTable.prefixOffset", node), frame = number(shared, "stackTable.frame", node);

		category = category < 0 ? number(shared, "frameTable.category", frame) : category;
		path[n++] = number(shared, "funcTable.name", frame);
		node = back ? node - back : -1;
	}
	while (n--)
		strbuf_addf(out, "%s%s", text(profile, path[n]), n ? "/" : "");
	strbuf_addf(out, " [%d]", category);
}

TEST(test_contents)
{
	static const struct { int thread, sample; const char *stack; } rows[] = {
		{ 0, 0, "main/work [1]" }, { 0, 1, "main/work/sys_read [2]" }, { 0, 2, "[unknown] [0]" }, { 1, 0, "main/[libz.so.1] [1]" }, { 1, 1, " [-1]" },
	};
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	cJSON *profile = write_and_read(exchange_plain, sizeof exchange_plain / sizeof exchange_plain[0], &stacks);
	const cJSON *threads = at(profile, "threads"), *libs = at(profile, "libs");

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

		read_stack(profile, cJSON_GetArrayItem(threads, rows[i].thread), rows[i].sample, &found);
		assert_string_equal(found.buf, rows[i].stack);
	}
	assert_string_equal(at(cJSON_GetArrayItem(threads, 0), "name")->valuestring, "app");
	assert_string_equal(at(cJSON_GetArrayItem(threads, 1), "name")->valuestring, "pool");
	assert_string_equal(at(cJSON_GetArrayItem(threads, 0), "samples.weightType")->valuestring, "tracing-ms");
	assert_string_equal(at(cJSON_GetArrayItem(libs, 0), "path")->valuestring, "/bin/app");
	assert_string_equal(at(cJSON_GetArrayItem(libs, 1), "name")->valuestring, "[kernel]");
	/* Samples follow one another: the second begins where the first, of 3.000001 ms, ends. */
	assert_float_equal(cJSON_GetArrayItem(at(cJSON_GetArrayItem(threads, 0), "samples.time"), 1)->valuedouble, 3.000001, 1e-9);
	cJSON_Delete(profile);
}
