/* Wall time that nobody gated is told where it is surely longer. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "gate/judge.h"
#include "gate/pair_wall.h"
#include "pair_samples.h"

static void words_say_by_how_much(void **state)
{
	static const struct {
		const char *name;
		struct pair_values clock, wall;
		const char *words;	/* how they begin; NULL: there are none */
	} rows[] = {
		{ "waits", { 100, 0.53, 0.01, 10 }, { 100, 25.6, 0.01, 10 },
		  "wall-time is 25.6 times as long although CPU time fell: the head waits for something; " },
		{ "a third", { 100, 0.53, 0.01, 10 }, { 100, 1.31, 0.01, 10 },
		  "wall-time is longer by 31 % although CPU time fell: " },
		{ "same CPU time", { 100, 1, 0.01, 10 }, { 100, 3, 0.01, 10 },
		  "wall-time is 3.0 times as long although no gate regressed: " },
		{ "not by much", { 100, 1, 0.01, 10 }, { 100, 1.15, 0.01, 10 }, NULL },
		{ "not for sure", { 100, 1, 0.01, 20 }, { 100, 1.3, 0.9, 20 }, NULL },
		{ "too few pairs", { 100, 1, 0.01, 8 }, { 100, 3, 0.01, 8 }, NULL },
		{ "faster", { 100, 1, 0.01, 10 }, { 100, 0.2, 0.01, 10 }, NULL },
		{ "it regressed", { 100, 2, 0.01, 10 }, { 100, 3, 0.01, 10 }, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(court_release) struct court court;
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		court_open_pairs(&court);
		add_pair_gate(&court, "task-clock");
		measure_pairs(&court, "task-clock", &rows[i].clock);
		measure_pairs(&court, "wall-time", &rows[i].wall);
		judge_in_pairs(&court);
		if (pair_wall_words(&court.s, &words) != (rows[i].words != NULL) ||
		    (rows[i].words && strncmp(words.buf, rows[i].words, strlen(rows[i].words))))
			fail_msg("%s: %s", rows[i].name, words.buf);
		assert_int_equal(strv_has(&court.s.notes, words.buf), rows[i].words != NULL);
	}
}

static void a_gate_speaks_for_itself(void **state)
{
	CLEANUP(court_release) struct court court;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	(void)state;
	court_open_pairs(&court);
	add_pair_gate(&court, "wall-time");
	measure_pairs(&court, "wall-time", &(struct pair_values){ 100, 3, 0.01, 10 });
	judge_in_pairs(&court);
	assert_false(pair_wall_words(&court.s, &words));
}

/* A window is as long as it was asked for, or until its load ends. */
static void windows_have_their_own_length(void **state)
{
	CLEANUP(court_release) struct court court;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	(void)state;
	court_open_pairs(&court);
	court.s.settings.window_s = 2;
	measure_pairs(&court, "wall-time", &(struct pair_values){ 100, 3, 0.01, 10 });
	judge_in_pairs(&court);
	assert_false(pair_wall_words(&court.s, &words));
}

static void the_result_says_it_first(void **state)
{
	struct result result = { .mode = xstrdup("paired") };
	struct court court;

	(void)state;
	court_open_pairs(&court);
	measure_pairs(&court, "wall-time", &(struct pair_values){ 100, 3, 0.01, 10 });
	judge_in_pairs(&court);
	scenario_result_release(result_add_scenario(&result, "gzip"));
	result.scenarios[0] = court.s;
	judge_together(&result);
	assert_int_equal(result.notes.n, 1);
	assert_ptr_equal(strstr(result.notes.items[0], "gzip: wall-time is 3.0 times as long"), result.notes.items[0]);
	court.s = (struct scenario_result){ 0 };
	result_release(&result);
	court_release(&court);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_say_by_how_much),
		cmocka_unit_test(a_gate_speaks_for_itself),
		cmocka_unit_test(windows_have_their_own_length),
		cmocka_unit_test(the_result_says_it_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
