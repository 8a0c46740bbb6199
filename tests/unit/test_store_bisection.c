/* A search that is stored is read back the same, and only what makes sense is read. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "store/store.h"

#define ID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define ID_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define ID_C "cccccccccccccccccccccccccccccccccccccccc"

#define HEAD "\"schema\":1,\"pawl\":\"0.1.0\",\"scenario\":\"s\",\"text\":\"t\",\"class\":\"c\",\"good\":\"" ID_A "\",\"bad\":\"" ID_C "\",\"seed\":7"
#define STEP(state) "{\"base\":\"" ID_A "\",\"head\":\"" ID_B "\",\"state\":\"" state "\",\"change_pct\":50,\"low_pct\":null," \
	"\"high_pct\":60.5,\"pairs\":12,\"elapsed_s\":3.5}"
#define PLAN "\"metric\":\"task-clock\",\"tolerance_pct\":25,\"whole\":" STEP("bad")

static int parse(const char *text, struct bisection *out, struct error *err)
{
	*err = (struct error)ERROR_INIT;
	return bisection_parse(text, strlen(text), "state.json", out, err);
}

static void what_is_written_is_read(void **state)
{
	static const char *const texts[] = {
		"{" HEAD ",\"steps\":[]}",
		"{" HEAD "," PLAN ",\"steps\":[" STEP("good") "," STEP("skipped") "],\"explanation\":[\"one\",\"two\"],"
		"\"difference\":true,\"good_ref\":\"v1\",\"found\":" STEP("bad") "}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		CLEANUP(bisection_release) struct bisection b = { 0 }, again = { 0 };
		CLEANUP(free_ptr) char *text = NULL, *twice = NULL;
		struct error err;

		if (parse(texts[i], &b, &err) < 0)
			fail_msg("%s", err.msg);
		text = bisection_format(&b);
		if (parse(text, &again, &err) < 0)
			fail_msg("%s", err.msg);
		twice = bisection_format(&again);
		assert_string_equal(text, twice);
	}
}

static void all_of_it_is_read(void **state)
{
	CLEANUP(bisection_release) struct bisection b = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(parse("{" HEAD "," PLAN ",\"steps\":[" STEP("skipped") "]}", &b, &err), 0);
	assert_string_equal(b.good, ID_A);
	assert_string_equal(b.bad, ID_C);
	assert_int_equal(b.seed, 7);
	assert_string_equal(b.metric, "task-clock");
	assert_int_equal(b.whole.state, BISECT_BAD);
	assert_int_equal(b.n_steps, 1);
	assert_int_equal(b.steps[0].state, BISECT_SKIPPED);
	assert_int_equal(b.steps[0].pairs, 12);
	assert_true(b.steps[0].change_pct == 50 && b.steps[0].low_pct != b.steps[0].low_pct && b.steps[0].high_pct == 60.5);
	assert_int_equal(b.found.state, BISECT_UNTESTED);
}

/* For scripts: what follows from the rest is there. */
static void scripts_find_what_follows(void **state)
{
	static const char *const keys[] = { "status", "outcome", "suspects", "explains_pct", "commits", "pairs", "elapsed_s" };
	CLEANUP(bisection_release) struct bisection b = { 0 };
	CLEANUP(free_ptr) char *text = NULL;
	struct commits commits = { 0 };
	struct error err;
	cJSON *tree, *suspects;

	(void)state;
	assert_int_equal(parse("{" HEAD "," PLAN ",\"steps\":[" STEP("good") "],\"found\":" STEP("bad") "}", &b, &err), 0);
	commits_add(&commits, ID_B, "Jo", "2026-11-20", "one");
	commits_add(&commits, ID_C, "\x1b[1mMo", "2026-11-21", "two \"quoted\"");
	assert_int_equal(bisection_place(&b, &commits, &err), 0);
	text = bisection_format(&b);
	tree = json_parse(text, strlen(text), "x", &err);
	assert_non_null(tree);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (!cJSON_GetObjectItemCaseSensitive(tree, keys[i]))
			fail_msg("there is no %s in %s", keys[i], text);
	assert_string_equal(cJSON_GetObjectItemCaseSensitive(tree, "outcome")->valuestring, "first-bad");
	assert_int_equal(cJSON_GetObjectItemCaseSensitive(tree, "status")->valueint, 0);
	suspects = cJSON_GetObjectItemCaseSensitive(tree, "suspects");
	assert_int_equal(cJSON_GetArraySize(suspects), 1);
	assert_string_equal(cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(suspects, 0), "subject")->valuestring,
			    "two \"quoted\"");
	cJSON_Delete(tree);
}

static void faults_are_told(void **state)
{
	static const struct {
		const char *text, *words;
	} rows[] = {
		{ "", "expected" },
		{ "[]", "object" },
		{ "{}", "schema" },
		{ "{\"schema\":2}", "schema 2" },
		{ "{" HEAD "}", "steps" },
		{ "{" HEAD ",\"steps\":[],\"stepz\":[]}", "did you mean \"steps\"" },
		{ "{" HEAD ",\"steps\":{}}", "expected an array" },
		{ "{" HEAD ",\"steps\":[{}]}", "base" },
		{ "{" HEAD ",\"steps\":[" STEP("good") "]}", "bad was not found" },
		{ "{" HEAD ",\"steps\":[],\"whole\":" STEP("bad") "}", "needs its metric" },
		{ "{" HEAD "," PLAN ",\"steps\":[" STEP("ugly") "]}", "ugly" },
		{ "{" HEAD "," PLAN ",\"steps\":[" STEP("untested") "]}", "untested" },
		{ "{" HEAD ",\"metric\":\"a b\",\"steps\":[]}", "metric" },
		{ "{" HEAD ",\"metric\":\"ipc\",\"tolerance_pct\":0,\"whole\":" STEP("bad") ",\"steps\":[]}", "tolerance" },
		{ "{\"schema\":1,\"pawl\":\"0\",\"scenario\":\"../x\",\"text\":\"t\",\"class\":\"c\",\"good\":\"" ID_A "\",\"bad\":\"" ID_C
		  "\",\"seed\":7,\"steps\":[]}", "scenario" },
		{ "{\"schema\":1,\"pawl\":\"0\",\"scenario\":\"x\",\"text\":\"t\",\"class\":\"c\",\"good\":\"main\",\"bad\":\"" ID_C
		  "\",\"seed\":7,\"steps\":[]}", "full id" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct bisection b = { 0 };
		struct error err;

		if (parse(rows[i].text, &b, &err) == 0)
			fail_msg("taken: %s", rows[i].text);
		if (!strstr(err.msg, rows[i].words))
			fail_msg("'%s' is not in: %s", rows[i].words, err.msg);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_string_equal(err.at.path, "state.json");
		assert_null(b.good);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(all_of_it_is_read),
		cmocka_unit_test(scripts_find_what_follows),
		cmocka_unit_test(faults_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
