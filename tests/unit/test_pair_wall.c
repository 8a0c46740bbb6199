/* Wall time that nobody gated is told where it is surely longer. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "judge/judge.h"
#include "pair_samples.h"

static void words_say_by_how_much(void **state)
{
	static const struct {
		const char *name;
		struct pair_values clock, wall;
		const char *words;	/* how they begin; NULL: there are none */
		double tolerance_pct;	/* 0: that of pairs */
	} rows[] = {
		{ "waits", { 100, 0.53, 0.01, 10 }, { 100, 25.6, 0.01, 10 },
		  "wall-time is 25.6 times as long although CPU time fell: the head waits for something; ", 0 },
		{ "a third", { 100, 0.53, 0.01, 10 }, { 100, 1.31, 0.01, 10 },
		  "wall-time is longer by 31 % although CPU time fell: ", 0 },
		{ "same CPU time", { 100, 1, 0.01, 10 }, { 100, 3, 0.01, 10 },
		  "wall-time is 3.0 times as long although no gate regressed: ", 0 },
		{ "more CPU time too", { 100, 1.15, 0.01, 10 }, { 150, 2.1, 0.01, 10 },
		  "wall-time is 2.1 times as long although no gate regressed: ", 300 },
		{ "as much CPU time", { 100, 2.01, 0.01, 10 }, { 110, 1.94, 0.01, 10 }, NULL, 300 },
		{ "on several CPUs", { 400, 2, 0.01, 10 }, { 110, 1.9, 0.01, 10 }, NULL, 300 },
		{ "waits for CPUs", { 100, 2, 0.01, 10 }, { 400, 2.1, 0.01, 10 }, NULL, 300 },
		{ "not by much", { 100, 1, 0.01, 10 }, { 100, 1.15, 0.01, 10 }, NULL, 0 },
		{ "not for sure", { 100, 1, 0.01, 20 }, { 100, 1.3, 0.9, 20 }, NULL, 0 },
		{ "too few pairs", { 100, 1, 0.01, 8 }, { 100, 3, 0.01, 8 }, NULL, 0 },
		{ "faster", { 100, 1, 0.01, 10 }, { 100, 0.2, 0.01, 10 }, NULL, 0 },
		{ "it regressed", { 100, 2, 0.01, 10 }, { 100, 3, 0.01, 10 }, NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		fixture_open_pairs(&fixture);
		add_pair_gate(&fixture, "task-clock");
		fixture.s.gates[0].gate.tolerance_pct = rows[i].tolerance_pct ?: fixture.s.gates[0].gate.tolerance_pct;
		fixture.s.gates[0].gate.by_default = !rows[i].tolerance_pct;
		measure_pairs(&fixture, "task-clock", &rows[i].clock);
		measure_pairs(&fixture, "wall-time", &rows[i].wall);
		judge_in_pairs(&fixture);
		if (pair_wall_words(&fixture.s, &words) != (rows[i].words != NULL) ||
		    (rows[i].words && strncmp(words.buf, rows[i].words, strlen(rows[i].words))))
			fail_msg("%s: %s", rows[i].name, words.buf);
		assert_int_equal(fixture.s.notes.n, 0);
	}
}

/* Where stored runs come first nobody else says it, and the scenario does. */
static void a_confirmation_says_it_of_the_scenario(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	fixture.s.pairing->confirming = true;
	measure_pairs(&fixture, "wall-time", &(struct pair_values){ 100, 3, 0.01, 10 });
	judge_in_pairs(&fixture);
	assert_int_equal(fixture.s.notes.n, 1);
	assert_ptr_equal(strstr(fixture.s.notes.items[0], "wall-time is 3.0 times as long"), fixture.s.notes.items[0]);
}

static void a_gate_speaks_for_itself(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "wall-time");
	measure_pairs(&fixture, "wall-time", &(struct pair_values){ 100, 3, 0.01, 10 });
	judge_in_pairs(&fixture);
	assert_false(pair_wall_words(&fixture.s, &words));
}

/* A window is as long as it was asked for, or until its load ends. */
static void windows_have_their_own_length(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	(void)state;
	fixture_open_pairs(&fixture);
	fixture.s.settings.window_s = 2;
	measure_pairs(&fixture, "wall-time", &(struct pair_values){ 100, 3, 0.01, 10 });
	judge_in_pairs(&fixture);
	assert_false(pair_wall_words(&fixture.s, &words));
}

static void the_result_says_it_first(void **state)
{
	struct result result = { .mode = MODE_PAIRED };
	struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	measure_pairs(&fixture, "wall-time", &(struct pair_values){ 100, 3, 0.01, 10 });
	judge_in_pairs(&fixture);
	scenario_result_release(result_add_scenario(&result, "gzip"));
	result.scenarios[0] = fixture.s;
	judge_together(&result);
	assert_int_equal(result.notes.n, 1);
	assert_ptr_equal(strstr(result.notes.items[0], "gzip: wall-time is 3.0 times as long"), result.notes.items[0]);
	fixture.s = (struct scenario_result){ 0 };
	result_release(&result);
	fixture_release(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_say_by_how_much),
		cmocka_unit_test(a_confirmation_says_it_of_the_scenario),
		cmocka_unit_test(a_gate_speaks_for_itself),
		cmocka_unit_test(windows_have_their_own_length),
		cmocka_unit_test(the_result_says_it_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
