#include "unit.h"

#include "profile/folded.h"
#include "profile/names.h"
#include "profile/stacks.h"

/* -------- reading */

struct good {
	const char *text, *again;	/* the text written back */
	double weight;
	uint64_t samples;
	size_t stacks;
};

static void read_good(const struct good *row)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	struct error err = ERROR_INIT;

	if (folded_read(row->text, strlen(row->text), &stacks, &err) < 0)
		fail_msg("'%s': %s", row->text, err.msg);
	assert_int_equal(stacks.n, row->stacks);
	if (row->stacks) {
		assert_string_equal(stacks_text(&stacks, stacks.events[0].name), FOLDED_EVENT);
		assert_float_equal(stacks.events[0].weight, row->weight, 1e-9);
		assert_int_equal(stacks.events[0].samples, row->samples);
	}
	names_resolve(&stacks);
	assert_int_equal(folded_write(&stacks, FOLDED_BY_TEXT, &out, &err), 0);
	assert_string_equal(out.buf, row->again);
}

TEST(test_read)
{
	static const struct good rows[] = {
		{ "", "", 0, 0, 0 },
		{ "\n \r\n# nothing\n#\n", "", 0, 0, 0 },
		{ "main;work 12\n", "main;work 12\n", 12, 12, 1 },
		{ "b;c 2\na 3", "a 3\nb;c 2\n", 5, 5, 2 },
		/* The same stack twice, CRLF, trailing blanks, a tab before the weight. */
		{ "a;b 1\r\na;b 2  \nc\t4\n", "a;b 3\nc 4\n", 7, 7, 2 },
		/* Names with blanks and numbers, annotations, and a comment sign in a name. */
		{ "operator new(unsigned long);x y 3\n#sh;do_idle_[k] 1\n", "#sh;do_idle_[k] 1\noperator new(unsigned long);x y 3\n", 4, 4, 2 },
		{ "worker 1;f 10\nworker 2;f 4\n", "worker 1;f 10\nworker 2;f 4\n", 14, 14, 2 },
		{ "worker 1 10\n", "worker 1 10\n", 10, 10, 1 },
		/* Periods of a clock, too large for counts. Their common divisor gives the number of samples. */
		{ "a 3009027\nb 1003009\n", "a 3009027\nb 1003009\n", 4012036, 4, 2 },
		/* Cycles: the number of samples is unknown, so each line counts as one. */
		{ "a 12345678901\nb 7\nc 0\n", "a 12345678901\nb 7\nc 0\n", 12345678908, 2, 3 },
		{ "a 0.5\nb 1.25\n", "a 0.5\nb 1.25\n", 1.75, 2, 2 },
		/* Comments that end in a number; the kernel mark, on its own and after an empty name. */
		{ "a 1\n# taken on core 5\n#=== 7\nb 1\n", "a 1\nb 1\n", 2, 2, 2 },
		{ "sh;_[k];x_[k] 3\n", "sh;_[k];x_[k] 3\n", 3, 3, 1 },
		{ "a 9007199254740991\n", "a 9007199254740991\n", 9007199254740991, 1, 1 },
		/* A byte order mark; thread numbers on every line. */
		{ "\xef\xbb\xbf" "a;b 12\na;b 1\n", "a;b 13\n", 13, 13, 1 },
		{ "pool;f 1 10\npool;f 2 4\npool;g 1 1\n", "pool;f 1 10\npool;f 2 4\npool;g 1 1\n", 15, 15, 3 },
		{ "a;;b 2\n;c 2\n", "[unknown];c 2\na;[unknown];b 2\n", 4, 4, 2 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		read_good(&rows[i]);
}

TEST(test_refuse)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "main;work\n", "line 1: expected a stack and its weight, as in 'main;work 12', found 'main;work'" },
		{ "a 1\n\nb;c x\n", "line 3: expected a stack" },
		{ "a 1\nb -2\n", "line 2: expected" }, { "a 1.2.3\n", "line 1: expected" },
		{ "a12\n", "line 1: expected" },
		{ " 12\n", "line 1: there is a weight, but no stack" },
		{ "a;b 1 2\na;c 3 4\n", "pawl flamegraph --diff BASE HEAD" },
		{ "\tffff main (/bin/a)\n", "line 1: expected" },
		{ "a 9007199254740993\n", "up to 2^53 (9.007e15) they are exact" },
		{ "a 9007199254740991\nb 1\n", "add up to 9.01e+15" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		struct error err = ERROR_INIT;

		assert_int_equal(folded_read(rows[i].text, strlen(rows[i].text), &stacks, &err), -1);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, rows[i].want))
			fail_msg("'%s': %s", rows[i].text, err.msg);
	}
}

TEST(test_zero_byte)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	struct error err = ERROR_INIT;

	assert_int_equal(folded_read("a\0b 1\n", 6, &stacks, &err), -1);
	assert_non_null(strstr(err.msg, "line 1"));
}

TEST(test_too_many)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	for (int i = 0; i <= FOLDED_STACKS_LARGEST; i++)
		strbuf_addf(&text, "f%x 1\n", i);
	assert_int_equal(folded_read(text.buf, text.len, &stacks, &err), -1);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_non_null(strstr(err.msg, "more than 1000000 different stacks"));
}

/* -------- writing */

static uint32_t frame(struct stacks *stacks, const char *name, const char *dso)
{
	return stacks_frame(stacks, stacks_string(stacks, name, strlen(name)), stacks_string(stacks, dso, strlen(dso)));
}

static void add(struct stacks *stacks, const char *event, const char *comm, const char *name, const char *dso, double weight)
{
	uint32_t f[2] = { frame(stacks, "main", "/bin/a"), frame(stacks, name, dso) };

	stacks_add(stacks, (struct stack_sample){ stacks_event(stacks, event, strlen(event)), stacks_string(stacks, comm, strlen(comm)), f, 2, 1, weight });
}

TEST(test_names)
{
	static const struct { const char *name, *dso, *want; } rows[] = {
		{ "work", "/lib/libc.so.6", "work" }, { "a;b\nc\x1b", "", "a:b\\nc\\x1b" },
		{ "[unknown]", "/usr/lib/lib foo.so.1", "[lib foo.so.1]" },
		{ "[unknown]", "/tmp/a;b.so", "[a:b.so]" },
		{ "[unknown]", "[unknown]", "[unknown]" },
		{ "[unknown]", "[vdso]", "[vdso]" }, { "", "", "[unknown]" },
		{ "(anonymous namespace)::f", "/bin/a", "(anonymous namespace)::f" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		frame(&stacks, rows[i].name, rows[i].dso);
		names_resolve(&stacks);
		folded_frame_name(&stacks, 0, &out);
		assert_string_equal(out.buf, rows[i].want);
	}
}

TEST(test_write)
{
	struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	struct error err = ERROR_INIT;

	add(&stacks, "cpu-clock", "sh;x", "work", "/bin/a", 1003009);
	add(&stacks, "cpu-clock", "", "work", "/bin/a", 1003009);
	/* Two unknown functions of a file read the same and share one line. */
	add(&stacks, "cpu-clock", "a", "[unknown]", "/lib/x.so", 1);
	add(&stacks, "cpu-clock", "a", "", "/lib/x.so", 2);
	/* Kernel functions are marked. A thread name cannot turn its line into a comment. */
	add(&stacks, "cpu-clock", "# 1", "vfs_read", "[kernel.kallsyms]", 4);
	add(&stacks, "cpu-clock", "# 1", "[unknown]", "[kernel.kallsyms]", 5);
	names_resolve(&stacks);
	assert_int_equal(folded_write(&stacks, FOLDED_BY_TEXT, &out, &err), 0);
	assert_string_equal(out.buf, "? 1;main;[kernel] 5\n? 1;main;vfs_read_[k] 4\n"
				     "[no name];main;work 1003009\na;main;[x.so] 3\nsh:x;main;work 1003009\n");
	stacks_release(&stacks);
	stacks = (struct stacks)STACKS_INIT;
	add(&stacks, "cpu-clock", "sh;x", "work", "/bin/a", 1003009);
	add(&stacks, "cpu-clock", "", "work", "/bin/a", 1003009);
	add(&stacks, "cpu-clock", "a", "[unknown]", "/lib/x.so", 3);
	strbuf_reset(&out);
	add(&stacks, "cycles", "a", "work", "/bin/a", 5);
	names_resolve(&stacks);
	assert_int_equal(folded_write(&stacks, FOLDED_BY_TEXT, &out, &err), 0);
	assert_string_equal(out.buf, "[cpu-clock];[no name];main;work 1003009\n[cpu-clock];a;main;[x.so] 3\n"
				     "[cpu-clock];sh:x;main;work 1003009\n[cycles];a;main;work 5\n");
	stacks_release(&stacks);
}

TEST(test_lost_weight)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	struct error err = ERROR_INIT;

	add(&stacks, "cpu-clock", "a", "work", "/bin/a", 100);
	stacks.items[0].weight = 99;
	assert_int_equal(folded_write(&stacks, FOLDED_BY_TEXT, &out, &err), -1);
	assert_int_equal(err.kind, ERR_SYSTEM);
}

/* -------- one event of several */

TEST(test_pick)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT, one = STACKS_INIT;
	struct error err = ERROR_INIT;
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	uint32_t event;

	add(&stacks, "page-faults", "a", "fault", "/bin/a", 900);
	add(&stacks, "cycles:u", "a", "work", "/bin/a", 5);
	add(&stacks, "cycles:u", "b", "work", "/bin/a", 6);
	assert_int_equal(stacks_find_event(&stacks, NULL, &event, &err), 0);
	assert_int_equal(event, 1);
	assert_int_equal(stacks_find_event(&stacks, "page-faults", &event, &err), 0);
	assert_int_equal(event, 0);
	assert_int_equal(stacks_find_event(&stacks, "cycles", &event, &err), 0);
	assert_int_equal(event, 1);
	assert_int_equal(stacks_find_event(&stacks, "cycle", &event, &err), -1);
	assert_string_equal(err.msg, "there is no event 'cycle' in it, only page-faults, cycles:u");
	stacks_merge(&one, &stacks, 1, NULL);
	assert_int_equal(one.n_events, 1);
	assert_int_equal(folded_write(&one, FOLDED_BY_TEXT, &out, &err), 0);
	assert_string_equal(out.buf, "a;main;work 5\nb;main;work 6\n");
}
