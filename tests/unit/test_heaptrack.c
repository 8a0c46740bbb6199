/* Counts from heaptrack, and programs that run under it. */
#include "unit.h"

#include "measure/tools/heaptrack.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/files/files.h"
#include "keeper_fixture.h"
#include "read_file.h"

TEST(sums_are_of_the_weights)
{
	static const struct { const char *text; double sum; const char *error; } cases[] = {
		{ "", 0, NULL }, { "\n\n", 0, NULL }, { "main;f; 12\n", 12, NULL }, { "main 1\nmain;f (x.c); 2\r\nmain;g 4", 7, NULL },
		{ "operator new(unsigned long) 0\n", 0, NULL }, { "a 123456789012345\n", 123456789012345, NULL },
		{ "main\n", 0, "line 1: expected a stack and its weight, found 'main'" }, { "a 1\n12\n", 0, "line 2: expected a stack and its weight, found '12'" },
		{ "a 1\na;b12\n", 0, "line 2: expected a stack and its weight, found 'a;b12'" }, { "a -1\n", 0, "line 1: expected a stack and its weight, found 'a -1'" },
		{ "a 1.5\n", 0, "line 1: expected a stack and its weight, found 'a 1.5'" },
		{ "a 1000000000000000000\n", 0, "line 1: expected a stack and its weight, found 'a 1000000000000000000'" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = ERROR_INIT;
		double sum = -1;

		assert_int_equal(heaptrack_sum(cases[i].text, strlen(cases[i].text), &sum, &err), cases[i].error ? -1 : 0);
		assert_string_equal(err.msg, cases[i].error ?: "");
		assert_true(sum == (cases[i].error ? -1 : cases[i].sum));
	}
}

TEST(a_recording_adds_up)
{
	CLEANUP(strbuf_release) struct strbuf text = read_file("tests/fixtures/heap/allocations.folded.xz");
	double sum;

	assert_int_equal(heaptrack_sum(text.buf, text.len, &sum, NULL), 0);
	assert_true(sum == 611048);
}

/* -------- stand-ins for heaptrack */

static void write_program(const char *name, const char *text)
{
	CLEANUP(free_ptr) char *folder = in_root("bin"), *path = file_join(folder, name);

	assert_int_equal(file_make_dirs(folder, NULL), 0);
	assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

static void count(const char *tracker, const char *printer, const char *word, struct heap_use *out)
{
	CLEANUP(free_ptr) char *before = xstrdup(getenv("PATH")), *path = text_printf("%s/bin:%s", root, before);
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
	const struct target_spec spec = { .child = { .argv = &argv, .cwd = root }, .timeout_ns = PATIENCE_NS };
	struct error err = ERROR_INIT;

	write_program("heaptrack", tracker);
	write_program("heaptrack_print", printer);
	if (!strcmp(word, "list"))
		strv_push_all(&argv, (const char *const[]){ "prog", "arg", NULL });
	else
		strv_push_all(&argv, (const char *const[]){ "/bin/sh", "-c", word, NULL });
	setenv("PATH", path, 1);
	heaptrack_run(&session, &spec, &(struct heap_wish){ .keep = root }, out, &output, &err);
	out->why_not = err;
	setenv("PATH", before, 1);
	nothing_left();
}

#define TRACKER "#!/bin/sh\necho \"$*\" >\"$2.said\"; : >\"$2.gz\"\n"
/* The weight is the length of the cost's name. */
#define PRINTER "#!/bin/sh\necho \"a;b; ${#6}\" >\"$4\"\n"

TEST_WITH(what_it_says_is_read, fixture_up, fixture_down)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = in_root("heaptrack-said"), *kept = in_root("heap.folded");
	struct heap_use use;

	count("#!/bin/sh\necho \"$*\" >heaptrack-said; : >\"$2.gz\"\n", PRINTER, "list", &use);
	assert_true(use.known);
	assert_string_equal(use.why_not.msg, "");
	assert_true(use.allocations == 11 && use.temporary == 9 && use.peak_bytes == 4 && use.leaked_bytes == 6);
	assert_int_equal(file_read(path, 1000, &said, NULL), 0);
	assert_true(text_starts(said.buf, "-o ") && text_ends(said.buf, said.len, "/heaptrack-0/out -- prog arg\n"));
	strbuf_reset(&said);
	assert_int_equal(file_read(kept, 1000, &said, NULL), 0);
	assert_string_equal(said.buf, "a;b; 11\n");
	assert_true(is_there("heap-peak.folded"));
}

TEST_WITH(a_shell_is_not_what_is_followed, fixture_up, fixture_down)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = in_root("heaptrack-said");
	struct heap_use use;

	count("#!/bin/sh\necho \"$*\" >heaptrack-said; : >\"$2.gz\"\n", PRINTER, "prog 'two words' >printed", &use);
	assert_true(use.known);
	assert_int_equal(file_read(path, 1000, &said, NULL), 0);
	assert_true(text_ends(said.buf, said.len, "/heaptrack-0/out -- prog two words\n") || strstr(said.buf, "two words"));
	assert_true(is_there("printed"));
}

TEST_WITH(what_goes_wrong_is_told, fixture_up, fixture_down)
{
	static const struct { const char *tracker, *printer, *why; } cases[] = {
		{ "#!/bin/sh\nexit 3\n", PRINTER, "under heaptrack, which follows one program (give target.command as a list of it and its arguments): "
		  "the target exited with status 3" },
		{ "#!/bin/sh\n", PRINTER, "heaptrack left no output" },
		{ TRACKER, "#!/bin/sh\necho broken >&2\nexit 1\n", "heaptrack_print: " },
		{ TRACKER, "#!/bin/sh\necho a;b >\"$4\"\n", "heaptrack_print" },
		{ TRACKER, "#!/bin/sh\necho nothing >\"$4\"\n", "what heaptrack_print says: line 1: expected a stack and its weight, found 'nothing'" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct heap_use use;

		count(cases[i].tracker, cases[i].printer, "list", &use);
		assert_false(use.known);
		if (!text_starts(use.why_not.msg, cases[i].why))
			fail_msg("%s", use.why_not.msg);
	}
}
