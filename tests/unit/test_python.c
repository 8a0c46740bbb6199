/* Counts of Python functions: one process, several, repeated runs. test_callgrind covers the format. */
#include "unit.h"

#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"

static const struct own_code own = { .root = "/srv/words" };

#define EVENTS "positions: line\nevents: ns entered\n"
#define FN(path, name, costs) "ob=" path "\nfl=" path "\nfn=" name "\n" costs "\n"
#define LIBRARY(folder, file, name, costs) "ob=" folder "/[" file "]\nfl=" folder "/" file "\nfn=" name "\n" costs "\n"
#define CALL(path, name, calls, costs) "cob=" path "\ncfl=" path "\ncfn=" name "\ncalls=" calls "\n" costs "\n"
#define END "totals: 0\n"

/* What Python 3.11 recorded. */
#define RECORDED EVENTS											\
	LIBRARY("/data/python/lib/python3.11/re", "_parser.py", "_parse", "516 310074 26")		\
	FN("???", "str.strip", "0 16542 350")								\
	FN("/srv/words/words.py", "Words.clean", "8 59098 350") CALL("???", "str.strip", "350 0", "8 16542")	\
	FN("/srv/words/words.py", "Words.split", "6 51458 1")						\
	CALL("/srv/words/words.py", "Words.clean", "350 8", "6 150000")					\
	FN("???", "print", "0 11 1")									\
	FN("/srv/words/words.py", "<module>", "1 13224 1")						\
	CALL("/srv/words/words.py", "Words.split", "1 6", "1 240000")					\
	"ob=[frozen importlib._bootstrap_external]\nfl=<frozen importlib._bootstrap_external>\n"	\
	"fn=FileFinder.find_spec\n1604 87834 13\n"							\
	FN("/srv/words/.venv/lib/python3.11/site-packages/simplejson/encoder.py", "JSONEncoder.encode", "3 90 40")	\
	FN("/srv/words/words.py", "report.<lambda>", "18 470 5")					\
	FN("/srv/words/words.py", "report.<lambda>", "17 30 2")						\
	END

static void release(struct work *work)
{
	work_release(work);
}

static const struct work_function *find(const struct work *work, const char *function, const char *object)
{
	for (size_t i = 0; i < work->n_functions; i++)
		if (!strcmp(work->functions[i].code.function, function) && !strcmp(work->functions[i].code.object, object))
			return &work->functions[i];
	fail_msg("there is no %s in '%s'", function, object);
	return NULL;
}

static const struct work_call *find_call(const struct work *work, const struct work_function *caller,
					 const struct work_function *callee)
{
	for (size_t i = 0; i < work->n_calls; i++)
		if (&work->functions[work->calls[i].caller] == caller && &work->functions[work->calls[i].callee] == callee)
			return &work->calls[i];
	fail_msg("%s does not call %s", caller->code.function, callee->code.function);
	return NULL;
}

static void read_text(const char *text, struct work *work)
{
	struct error err = ERROR_INIT;

	MUST(callgrind_read(text, strlen(text), &own, work, &err));
}

TEST(functions_have_their_script_and_line)
{
	CLEANUP(release) struct work work = { 0 };
	const struct work_function *clean, *split, *lambda;

	read_text(RECORDED, &work);
	clean = find(&work, "Words.clean", "/srv/words/words.py");
	assert_true(clean->code.own);
	assert_string_equal(clean->code.key, "Words.clean");
	assert_string_equal(clean->code.source, "/srv/words/words.py");
	assert_int_equal(clean->code.line, 8);
	assert_true(clean->calls == 350 && clean->self == 59098);
	split = find(&work, "Words.split", "/srv/words/words.py");
	assert_true(find_call(&work, split, clean)->calls == 350);
	assert_true(find_call(&work, split, clean)->total == 150000);
	lambda = find(&work, "report.<lambda>", "/srv/words/words.py");
	assert_int_equal(lambda->code.line, 17);
	assert_true(lambda->calls == 7 && lambda->self == 500);
	assert_int_equal(work.n_functions, 9);
	assert_int_equal(work.n_lines, 0);
	assert_true(work.total == 310074 + 16542 + 59098 + 51458 + 11 + 13224 + 87834 + 90 + 500);
}

TEST(libraries_and_what_is_built_in_are_foreign)
{
	static const struct { const char *function, *object; } cases[] = {
		{ "_parse", "/data/python/lib/python3.11/re/[_parser.py]" }, { "str.strip", "" }, { "print", "" },
		{ "FileFinder.find_spec", "[frozen importlib._bootstrap_external]" },
		{ "JSONEncoder.encode", "/srv/words/.venv/lib/python3.11/site-packages/simplejson/encoder.py" },
	};
	CLEANUP(release) struct work work = { 0 };

	read_text(RECORDED, &work);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_false(find(&work, cases[i].function, cases[i].object)->code.own);
}

TEST(processes_add_up)
{
	static const char second[] = EVENTS
		FN("/srv/words/words.py", "Words.split", "6 2 2") CALL("/srv/words/words.py", "Words.clean", "10 8", "6 1500")
		FN("/srv/words/other.py", "other", "40 100 1") CALL("/srv/words/words.py", "Words.clean", "1 8", "40 7")
		FN("/srv/words/words.py", "Words.clean", "8 1000 10") END;
	CLEANUP(release) struct work work = { 0 };
	const struct work_function *clean, *split;

	read_text(RECORDED, &work);
	read_text(second, &work);
	clean = find(&work, "Words.clean", "/srv/words/words.py");
	split = find(&work, "Words.split", "/srv/words/words.py");
	assert_int_equal(work.n_functions, 10);
	assert_true(clean->calls == 360 && clean->self == 60098);
	assert_true(find_call(&work, split, clean)->calls == 360);
	assert_true(find_call(&work, split, clean)->total == 151500);
	assert_true(find_call(&work, find(&work, "other", "/srv/words/other.py"), clean)->calls == 1);
	assert_int_equal(work.n_calls, 4);
}

TEST(of_two_executions_the_least_counts)
{
	static const char again[] = EVENTS
		FN("/srv/words/words.py", "Words.split", "6 60000 1") CALL("/srv/words/words.py", "Words.clean", "350 8", "6 120000")
		FN("/srv/words/words.py", "Words.clean", "8 50000 350") CALL("???", "str.strip", "349 0", "8 900000")
		FN("???", "str.strip", "0 20000 350") END;
	CLEANUP(release) struct work work = { 0 }, other = { 0 };
	const struct work_function *clean, *split, *strip;

	read_text(RECORDED, &work);
	read_text(again, &other);
	python_least(&work, &other);
	clean = find(&work, "Words.clean", "/srv/words/words.py");
	split = find(&work, "Words.split", "/srv/words/words.py");
	strip = find(&work, "str.strip", "");
	assert_true(clean->self == 50000 && split->self == 51458 && strip->self == 16542 && clean->calls == 350);
	assert_true(find_call(&work, split, clean)->total == 120000);
	assert_true(find_call(&work, clean, strip)->total == 16542 && find_call(&work, clean, strip)->calls == 349);
	assert_true(find(&work, "<module>", "/srv/words/words.py")->self == 0);
	assert_true(work.total == 50000 + 51458 + 16542);
}

/* Reads a side of one program. Functions called equally often take about PACE times as long. */
static void read_side(struct work *work, const char *root, double pace, double split, unsigned cleaned)
{
	CLEANUP(free_ptr) char *path = text_printf("%s/words.py", root);
	CLEANUP(free_ptr) char *text = text_printf(
		EVENTS FN("%s", "Words.split", "6 %.0f 1") CALL("%s", "Words.clean", "%u 8", "6 5")
		FN("%s", "Words.clean", "8 %.0f %u") CALL("???", "str.strip", "350 0", "8 100000")
		FN("???", "str.strip", "0 %.0f 350") FN("%s", "<module>", "1 %.0f 1")
		LIBRARY("/data/python/lib", "re.py", "_parse", "1 %.0f 1") END,
		path, path, split * pace, path, path, cleaned, path, path, 1e6 * pace * cleaned / 350, cleaned, 4e6 * 1.01 * pace,
		path, path, 3e6 * 0.99 * pace, 9e6 * pace);

	read_text(text, work);
}

TEST(sides_are_compared_at_one_pace)
{
	CLEANUP(release) struct work base = { 0 }, head = { 0 };

	read_side(&base, "/srv/base", 1, 2e6, 350);
	read_side(&head, "/srv/head", 1.2, 2.5e6, 420);
	assert_true(base.timed && head.timed);
	python_settle(&base, &own, &head, &own);
	/* Functions with equal calls, and equal time apart from the pace, get equal costs. */
	assert_true(find(&head, "str.strip", "")->self == find(&base, "str.strip", "")->self);
	assert_true(find(&head, "<module>", "/srv/head/words.py")->self == find(&base, "<module>", "/srv/base/words.py")->self);
	/* Functions that are called more often, or take longer, keep their time. */
	assert_true(find(&head, "Words.clean", "/srv/head/words.py")->self > 1.15 * 1e6);
	assert_true(find(&head, "Words.split", "/srv/head/words.py")->self > 1.2 * 2e6);
	assert_true(head.total > base.total && head.total < 1.05 * base.total);
}

TEST(nothing_in_common_is_left_as_it_is)
{
	CLEANUP(release) struct work base = { 0 }, head = { 0 }, none = { 0 };

	read_text(EVENTS FN("/srv/a.py", "f", "1 5000000 1") END, &base);
	read_text(EVENTS FN("/srv/a.py", "g", "1 9000000 1") END, &head);
	python_settle(&base, &own, &head, &own);
	assert_true(head.total == 9e6);
	python_settle(&base, &own, &none, &own);
	python_settle(&none, &own, &base, &own);
	assert_true(base.total == 5e6);
}
