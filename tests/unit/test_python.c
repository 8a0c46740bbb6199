/* Counts of Python functions: one process, several, repeated runs, and invalid text. */
#include "unit.h"

#include <string.h>

#include "base/mem.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"

static const struct own_code own = { .root = "/srv/words" };

/* Lines of a recording by Python 3.11. */
#define HEAD "pawl-python 1\nversion 3.11.7\nthreads 1\nlibrary /data/python/lib/python3.11\nmain words.py\n"
#define RECORDED HEAD											\
	"function 0 516 26 310074 _parse\t/data/python/lib/python3.11/re/_parser.py\n"		\
	"function 1 0 350 16542 <method 'strip' of 'str' objects>\t\n"					\
	"function 2 8 350 59098 Words.clean\t/srv/words/words.py\n"					\
	"function 3 6 1 51458 Words.split\t/srv/words/words.py\n"					\
	"function 4 0 1 11 <built-in method builtins.print>\t\n"					\
	"function 5 0 1 7 <built-in method posix.stat>\t\n"						\
	"function 6 0 1 7 <built-in method __new__ of type object at 0x7f54fdb54930>\t\n"		\
	"function 7 1 1 13224 <module>\t/srv/words/words.py\n"						\
	"function 8 1604 13 87834 FileFinder.find_spec\t<frozen importlib._bootstrap_external>\n"	\
	"function 9 3 40 90 JSONEncoder.encode\t/srv/words/.venv/lib/python3.11/site-packages/simplejson/encoder.py\n" \
	"function 10 18 5 470 report.<lambda>\t/srv/words/words.py\n"					\
	"function 11 17 2 30 report.<lambda>\t/srv/words/words.py\n"					\
	"call 3 2 350 150000\n"										\
	"call 2 1 350 16542\n"										\
	"call 7 3 1 240000\n"										\
	"end\n"

static void release(struct work *work)
{
	arena_release(&work->arena);
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

	if (python_read(text, strlen(text), &own, work, &err) < 0)
		fail_msg("%s", err.msg);
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
	assert_int_equal(work.n_functions, 11);
	assert_true(work.total == 310074 + 16542 + 59098 + 51458 + 11 + 7 + 7 + 13224 + 87834 + 90 + 500);
}

TEST(libraries_and_what_is_built_in_are_foreign)
{
	static const struct {
		const char *function, *object;
	} cases[] = {
		{ "_parse", "/data/python/lib/python3.11/re/_parser.py" }, { "str.strip", "" }, { "print", "" },
		{ "posix.stat", "" }, { "__new__", "" }, { "FileFinder.find_spec", "<frozen importlib._bootstrap_external>" },
		{ "JSONEncoder.encode", "/srv/words/.venv/lib/python3.11/site-packages/simplejson/encoder.py" },
	};
	CLEANUP(release) struct work work = { 0 };

	read_text(RECORDED, &work);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_false(find(&work, cases[i].function, cases[i].object)->code.own);
}

TEST(what_the_command_line_holds_is_own)
{
	static const struct {
		const char *text;
		bool own;
	} cases[] = {
		{ "pawl-python 1\nmain -c\nfunction 0 1 1 5 f\t<string>\nend\n", true },
		{ "pawl-python 1\nmain -\nfunction 0 1 1 5 f\t<stdin>\nend\n", true },
		{ "pawl-python 1\nmain /srv/words/words.py\nfunction 0 1 1 5 f\t<string>\nend\n", false },
		{ "pawl-python 1\nfunction 0 1 1 5 f\t<stdin>\nend\n", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(release) struct work work = { 0 };

		read_text(cases[i].text, &work);
		assert_int_equal(work.n_functions, 1);
		assert_int_equal(work.functions[0].code.own, cases[i].own);
	}
}

TEST(names_of_what_is_built_in)
{
	static const struct {
		const char *written, *name;
	} cases[] = {
		{ "<built-in method builtins.len>", "len" }, { "<built-in method __builtin__.len>", "len" },
		{ "<built-in method time.sleep>", "time.sleep" }, { "<slot wrapper '__init__' of 'object' objects>", "object.__init__" },
		{ "<method 'append' of 'list' objects>", "list.append" }, { "<method 'x' of >", "<method 'x' of >" },
		{ "<built-in method >", "<built-in method >" }, { "<>", "<>" }, { "len", "len" }, { "<method '", "<method '" },
		{ "<built-in method from_bytes of type object at 0x10>", "from_bytes" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *text = text_printf("pawl-python 1\nfunction 0 0 1 5 %s\t\nend\n", cases[i].written);
		CLEANUP(release) struct work work = { 0 };

		read_text(text, &work);
		assert_string_equal(work.functions[0].code.function, cases[i].name);
		assert_null(work.functions[0].code.source);
	}
}

TEST(processes_add_up)
{
	static const char second[] = HEAD
		"function 0 6 2 2 Words.split\t/srv/words/words.py\n"
		"function 1 40 1 100 other\t/srv/words/other.py\n"
		"function 2 8 10 1000 Words.clean\t/srv/words/words.py\n"
		"call 0 2 10 1500\ncall 1 2 1 7\nend\n";
	CLEANUP(release) struct work work = { 0 };
	const struct work_function *clean, *split;

	read_text(RECORDED, &work);
	read_text(second, &work);
	clean = find(&work, "Words.clean", "/srv/words/words.py");
	split = find(&work, "Words.split", "/srv/words/words.py");
	assert_int_equal(work.n_functions, 12);
	assert_true(clean->calls == 360 && clean->self == 60098);
	assert_true(find_call(&work, split, clean)->calls == 360);
	assert_true(find_call(&work, split, clean)->total == 151500);
	assert_true(find_call(&work, find(&work, "other", "/srv/words/other.py"), clean)->calls == 1);
	assert_int_equal(work.n_calls, 4);
}

TEST(of_two_executions_the_least_counts)
{
	static const char again[] = HEAD
		"function 0 6 1 60000 Words.split\t/srv/words/words.py\n"
		"function 1 8 350 50000 Words.clean\t/srv/words/words.py\n"
		"function 2 0 350 20000 <method 'strip' of 'str' objects>\t\n"
		"call 0 1 350 120000\ncall 1 2 349 900000\nend\n";
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
	CLEANUP(free_ptr) char *text = text_printf(
		"pawl-python 1\nfunction 0 6 1 %.0f Words.split\t%s/words.py\nfunction 1 8 %u %.0f Words.clean\t%s/words.py\n"
		"function 2 0 350 %.0f <method 'strip' of 'str' objects>\t\nfunction 3 1 1 %.0f <module>\t%s/words.py\n"
		"function 4 1 1 %.0f _parse\t/data/python/lib/re.py\ncall 0 1 %u 5\ncall 1 2 350 100000\nend\n",
		split * pace, root, cleaned, 1e6 * pace * cleaned / 350, root, 4e6 * 1.01 * pace, 3e6 * 0.99 * pace, root, 9e6 * pace, cleaned);

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

	read_text("pawl-python 1\nfunction 0 1 1 5000000 f\t/srv/a.py\nend\n", &base);
	read_text("pawl-python 1\nfunction 0 1 1 9000000 g\t/srv/a.py\nend\n", &head);
	python_settle(&base, &own, &head, &own);
	assert_true(head.total == 9e6);
	python_settle(&base, &own, &none, &own);
	python_settle(&none, &own, &base, &own);
	assert_true(base.total == 5e6);
}

TEST(other_text_is_refused)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ "", "what was written of calls in Python is cut off after line 0" },
		{ HEAD, "what was written of calls in Python is cut off after line 5" },
		{ "pawl-python 1\nend", "what was written of calls in Python is cut off after line 2" },
		{ "pawl-python 2\nend\n", "line 1 is not what is written of calls in Python: 'pawl-python 2'" },
		{ "end\n", "line 1 is not what is written of calls in Python: 'end'" },
		{ HEAD "pawl-python 1\nend\n", "line 6 is not what is written of calls in Python: 'pawl-python 1'" },
		{ HEAD "end\nend\n", "line 7 is not what is written of calls in Python: 'end'" },
		{ HEAD "\nend\n", "line 6 is not what is written of calls in Python: ''" },
		{ HEAD "function 1 1 1 1 f\t/a.py\nend\n", "line 6 is not what is written of calls in Python: 'function 1 1 1 1 f\t/a.py'" },
		{ HEAD "function 0 1 1 f\t/a.py\nend\n", "line 6 is not what is written of calls in Python: 'function 0 1 1 f\t/a.py'" },
		{ HEAD "function 0 1 1 -1 f\t/a.py\nend\n", "line 6 is not what is written of calls in Python: 'function 0 1 1 -1 f\t/a.py'" },
		{ HEAD "function 0 1 1 1 f\nend\n", "line 6 is not what is written of calls in Python: 'function 0 1 1 1 f'" },
		{ HEAD "function 0 1 1 1 \t/a.py\nend\n", "line 6 is not what is written of calls in Python: 'function 0 1 1 1 \t/a.py'" },
		{ HEAD "function 0 1 1 1 f\t/a.py\tx\nend\n", "line 6 is not what is written of calls in Python: 'function 0 1 1 1 f\t/a.py\tx'" },
		{ HEAD "function 0 4294967296 1 1 f\t\nend\n", "line 6 is not what is written of calls in Python: 'function 0 4294967296 1 1 f\t'" },
		{ HEAD "function 0 1 1 1 f\t\ncall 0 1 1 1\nend\n", "line 7 is not what is written of calls in Python: 'call 0 1 1 1'" },
		{ HEAD "function 0 1 1 1 f\t\ncall 0 0 1\nend\n", "line 7 is not what is written of calls in Python: 'call 0 0 1'" },
		{ HEAD "function 0 1 1 1 f\t\ncall 0 0 1 1 1\nend\n", "line 7 is not what is written of calls in Python: 'call 0 0 1 1 1'" },
		{ HEAD "function 0 1 1 1000000000000000000 f\t\nend\n",
		  "line 6 is not what is written of calls in Python: 'function 0 1 1 1000000000000000000 f\t'" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(release) struct work work = { 0 };
		struct error err = ERROR_INIT;

		assert_int_equal(python_read(cases[i].text, strlen(cases[i].text), &own, &work, &err), -1);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_string_equal(err.msg, cases[i].expected);
		assert_int_equal(work.n_functions, 0);
	}
}
