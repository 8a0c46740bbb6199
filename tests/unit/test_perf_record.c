/* perf record and perf script on real processes: which processes are sampled, and how failures are reported. */
#include "unit.h"

#include <ctype.h>
#include <fcntl.h>

#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "model/measured.h"
#include "perf_fixture.h"

enum { FREQUENCY = 997 };

static const char *event;

/* A recording of a process started by the keeper. */
struct recording {
	struct session session;
	struct perf record;
	int fd;
	struct strbuf text;
	double cpu_ms;		/* of its sampled executions */
};

static int add_text(void *ctx, const char *data, size_t len, struct error *err)
{
	strbuf_add(ctx, data, len);
	return 0;
}

static int begin_with(struct recording *r, const char *by, enum call_graph mode, struct error *err)
{
	char pid[16];

	*r = (struct recording){
		.session = { .keeper = &keeper, .perf = perf, .lock_fd = -1, .scratch = root }, .record = PERF_INIT,
		.fd = file_unnamed(root, err), .text = STRBUF_INIT,
	};
	const struct record_spec spec = { .event = by, .frequency = FREQUENCY, .call_graph = mode, .fd = r->fd };

	snprintf(pid, sizeof pid, "%d", (int)keeper.pid);
	if (perf_record_attach(&keeper, &perf, &spec, pid, &r->record, err) < 0)
		return -1;
	return perf_switch(&keeper, &r->record, false, err);
}

static void finish(struct recording *r)
{
	perf_dispose(&keeper, &r->record);
	nothing_left();
	assert_null(keeper.children);
	strbuf_release(&r->text);
	close(r->fd);
}

static void begin(struct recording *r, enum call_graph mode)
{
	static const char *const events[] = { "cpu-clock", "cpu-clock:u" };
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < 2 && perf.path; i++) {
		event = events[i];
		if (begin_with(r, event, mode, &err) == 0)
			return;
		finish(r);
	}
	SKIP("perf cannot sample here: %s", perf.path ? err.msg : "there is none");
}

/* Returns the CPU time of the execution. */
static double execute(struct recording *r, const char *script, bool sampled)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct target_spec spec = {
		.child = { .argv = &argv, .cwd = root }, .timeout_ns = PATIENCE_NS, .record = sampled ? &r->record : NULL,
	};
	struct measured measured;
	struct error err = ERROR_INIT;

	set_shell(&argv, script);
	MUST(target_run(&r->session, &spec, NULL, &measured, &output, &err));
	r->cpu_ms += sampled ? measured.cpu_ms : 0;
	return measured.cpu_ms;
}

static void read_back(struct recording *r)
{
	struct error err = ERROR_INIT;

	if (perf_record_end(&keeper, &r->record, &err) < 0 ||
	    perf_script_read(&keeper, &perf, &(struct recorded){ .file = "perf.data", .fd = r->fd }, add_text, &r->text, &err) < 0)
		fail_msg("%s", err.msg);
}

/* Returns the number of samples of COMM, or of all. A line that begins at the margin heads a sample. */
static unsigned samples(const struct recording *r, const char *comm)
{
	unsigned n = 0;

	for (const char *line = r->text.buf; *line; line = strchr(line, '\n') + 1) {
		const char *eol = strchr(line, '\n'), *word = line + strspn(line, " ");

		assert_non_null(eol);
		if (!strchr("\t\n", *line) && memmem(line, (size_t)(eol - line), event, strlen(event)))
			n += !comm || (!strncmp(word, comm, strlen(comm)) && isspace(word[strlen(comm)]));
	}
	return n;
}

/* Returns the number of processes with samples. Their IDs follow the name: "sh  12/12". */
static unsigned sampled_processes(const struct recording *r)
{
	int pids[16];
	unsigned n = 0;

	for (const char *line = r->text.buf; *line; line = strchr(line, '\n') + 1) {
		int pid;
		unsigned i = 0;

		if (strchr("\t\n", *line) || sscanf(line, " %*s %d/", &pid) != 1)
			continue;
		while (i < n && pids[i] != pid)
			i++;
		if (i == n && n < sizeof pids / sizeof pids[0])
			pids[n++] = pid;
	}
	return n;
}

/*
 * One sample per millisecond of CPU time. Some are missing if the machine is held up, and the kernel's if only user samples
 * are permitted.
 */
static void assert_sampled(const struct recording *r, unsigned processes)
{
	if (samples(r, NULL) < 0.2 * r->cpu_ms || samples(r, NULL) > 1.3 * r->cpu_ms + 5 || sampled_processes(r) < processes)
		fail_msg("%u samples of %g ms in %u processes", samples(r, NULL), r->cpu_ms, sampled_processes(r));
}

#define BURN "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done"

/* -------- sampling */

TEST_WITH(every_execution_is_sampled, fixture_up, fixture_down)
{
	struct recording r;

	begin(&r, CALL_GRAPH_FP);
	for (int i = 0; i < 4; i++)
		execute(&r, BURN, true);
	read_back(&r);
	assert_sampled(&r, 4);
	assert_true(samples(&r, "sh") > 0.9 * samples(&r, NULL));
	assert_non_null(strstr(r.text.buf, "sh)\n"));
	finish(&r);
}

TEST_WITH(between_executions_nothing_is, fixture_up, fixture_down)
{
	struct recording r;
	double between_ms = 0;

	begin(&r, CALL_GRAPH_FP);
	execute(&r, "true", true);
	while (between_ms < 100 + 10 * r.cpu_ms)
		between_ms += execute(&r, BURN, false);
	read_back(&r);
	assert_true(samples(&r, "sh") < 1.3 * r.cpu_ms + 20);
	finish(&r);
}

TEST_WITH(children_are_sampled_too, fixture_up, fixture_down)
{
	struct recording r;

	begin(&r, CALL_GRAPH_FP);
	execute(&r, "(" BURN ") & (" BURN ") & wait", true);
	execute(&r, "sh -c '" BURN "'; true", true);
	read_back(&r);
	assert_sampled(&r, 3);
	finish(&r);
}

TEST_WITH(stacks_can_be_unwound, fixture_up, fixture_down)
{
	struct recording r;

	begin(&r, CALL_GRAPH_DWARF);
	execute(&r, BURN, true);
	read_back(&r);
	assert_non_null(strstr(r.text.buf, "main"));
	finish(&r);
}

TEST_WITH(no_sample_is_no_failure, fixture_up, fixture_down)
{
	struct recording r;

	begin(&r, CALL_GRAPH_FP);
	read_back(&r);
	assert_string_equal(r.text.buf, "");
	finish(&r);
}

/* perf's build-id cache in the home would grow with every run. */
TEST_WITH(the_home_is_left_alone, fixture_up, fixture_down)
{
	CLEANUP(free_ptr) char *home = xstrdup(getenv("HOME"));
	struct recording r;

	setenv("HOME", root, 1);
	begin(&r, CALL_GRAPH_FP);
	execute(&r, BURN, true);
	read_back(&r);
	assert_false(is_there(".debug"));
	finish(&r);
	home ? setenv("HOME", home, 1) : unsetenv("HOME");
}

TEST_WITH(a_file_that_was_there_is_replaced, fixture_up, fixture_down)
{
	struct recording r;

	begin(&r, CALL_GRAPH_FP);
	read_back(&r);
	finish(&r);
	begin(&r, CALL_GRAPH_FP);
	read_back(&r);
	assert_false(is_there("perf.data.old"));
	finish(&r);
}

/* -------- failures */

TEST_WITH(a_perf_that_refuses_is_quoted, fixture_up, fixture_down)
{
	static const struct { const char *event; enum call_graph mode; const char *words; } cases[] = {
		{ "no-such-event", CALL_GRAPH_FP, "no-such-event" },
		{ "cpu-clock", CALL_GRAPH_LBR, "branch stack sampling" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0] && perf.path; i++) {
		struct error err = ERROR_INIT;
		struct recording r;

		assert_int_equal(begin_with(&r, cases[i].event, cases[i].mode, &err), -1);
		assert_int_equal(err.kind, ERR_SYSTEM);
		assert_non_null(strstr(err.msg, "perf record cannot attach: "));
		if (!strstr(err.msg, cases[i].words) || strstr(err.msg, "Usage"))
			fail_msg("%s", err.msg);
		finish(&r);
	}
}

TEST_WITH(a_killed_perf_is_reported, fixture_up, fixture_down)
{
	struct error err = ERROR_INIT;
	struct recording r;

	begin(&r, CALL_GRAPH_FP);
	kill(r.record.child.pid, SIGKILL);
	while (!r.record.child.ended)
		rest(NS_PER_MS);
	assert_int_equal(perf_record_end(&keeper, &r.record, &err), -1);
	assert_non_null(strstr(err.msg, "perf record was killed by SIGKILL"));
	finish(&r);
}

TEST_WITH(a_damaged_recording_is_reported, fixture_up, fixture_down)
{
	CLEANUP(free_ptr) char *file = in_root("bad.data");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	static const char *const contents[] = { "", "PERFILE2", "no recording at all, but text that is long enough to be a header of one" };

	for (size_t i = 0; i < sizeof contents / sizeof contents[0] && perf.path; i++) {
		struct error err = ERROR_INIT;

		assert_int_equal(file_write(file, contents[i], strlen(contents[i]), NULL), 0);
		assert_int_equal(perf_script_read(&keeper, &perf, &(struct recorded){ .file = file, .fd = -1 }, add_text, &text, &err), -1);
		assert_int_equal(err.kind, ERR_SYSTEM);
		assert_non_null(strstr(err.msg, "perf script "));
		assert_non_null(strstr(err.msg, file));
		assert_null(keeper.children);
	}
	assert_string_equal(text.buf, "");
}

static int refuse_text(void *ctx, const char *data, size_t len, struct error *err)
{
	++*(int *)ctx;
	return error_set(err, ERR_INPUT, "I do not like this");
}

/* An endless perf is ended if the reader refuses its text. */
TEST_WITH(who_reads_may_refuse, fixture_up, fixture_down)
{
	CLEANUP(free_ptr) char *fake = in_root("perf");
	static const char script[] = "#!/bin/sh\nexec yes\n";
	struct perf_tool tool = { .path = fake };
	struct error err = ERROR_INIT;
	int asked = 0;

	assert_int_equal(file_write(fake, script, strlen(script), NULL), 0);
	assert_int_equal(chmod(fake, 0755), 0);
	assert_int_equal(perf_script_read(&keeper, &tool, &(struct recorded){ .file = "x", .fd = -1 }, refuse_text, &asked, &err), -1);
	assert_string_equal(err.msg, "I do not like this");
	assert_int_equal(asked, 1);
	nothing_left();
}

static int take_text(void *ctx, const char *data, size_t len, struct error *err)
{
	*(size_t *)ctx += len;
	return 0;
}

/* It hangs silently, after some text, while printing without end, or with its output closed. */
TEST_WITH(a_perf_that_hangs_is_ended, fixture_up, fixture_down)
{
	CLEANUP(free_ptr) char *fake = in_root("perf");
	static const struct {
		unsigned limit_ms;
		const char *script, *error;
	} cases[] = {
		{ 300, "#!/bin/sh\nexec sleep 300\n", "perf script did not end within 0.3 s on x" },
		{ 300, "#!/bin/sh\necho text\nexec sleep 300\n", "perf script did not end within 0.3 s on x" },
		{ 300, "#!/bin/sh\nexec yes\n", "perf script did not end within 0.3 s on x" },
		/* It must start within the limit. */
		{ 2000, "#!/bin/sh\necho it waits >&2\nexec sleep 300 >&-\n", "perf script hangs on x: it waits" },
	};
	struct perf_tool tool = { .path = fake };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct recorded recorded = { .file = "x", .fd = -1, .limit_ns = cases[i].limit_ms * NS_PER_MS };
		uint64_t start = clock_now_ns();
		struct error err = ERROR_INIT;
		size_t len = 0;

		assert_int_equal(file_write(fake, cases[i].script, strlen(cases[i].script), NULL), 0);
		assert_int_equal(chmod(fake, 0755), 0);
		assert_int_equal(perf_script_read(&keeper, &tool, &recorded, take_text, &len, &err), -1);
		assert_string_equal(err.msg, cases[i].error);
		assert_int_equal(err.kind, ERR_SYSTEM);
		assert_true(clock_now_ns() - start >= recorded.limit_ns && clock_now_ns() - start < PATIENCE_NS);
		nothing_left();
	}
}

static int keep_text(void *ctx, const char *data, size_t len, struct error *err)
{
	strbuf_add(ctx, data, len);
	return 0;
}

/* On request, complete samples read before the time limit are kept. Without any, the error is the same. */
TEST_WITH(what_was_read_by_the_limit_is_kept, fixture_up, fixture_down)
{
	CLEANUP(free_ptr) char *fake = in_root("perf");
	static const struct { const char *script, *text; int ret; bool cut; } cases[] = {
		{ "printf 'one\\n\\tmain\\n\\ntwo\\n\\tma'; exec sleep 300", "one\n\tmain\n\n", 0, true },
		{ "printf 'one\\n\\tmain\\n'; sleep 0.1; printf '\\ntwo\\n\\tmain\\n\\n'; exec sleep 300", "one\n\tmain\n\ntwo\n\tmain\n\n", 0, true },
		{ "printf 'one\\n\\tma'; exec sleep 300", "", -1, false },
		{ "printf 'one\\n\\tmain\\n\\ntwo\\n'", "one\n\tmain\n\ntwo\n", 0, false },
	};
	struct perf_tool tool = { .path = fake };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *script = text_printf("#!/bin/sh\n%s\n", cases[i].script);
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		bool cut = false, hangs = cases[i].cut || cases[i].ret;
		const struct recorded recorded = { .file = "x", .fd = -1, .limit_ns = hangs ? 2 * NS_PER_S : PATIENCE_NS, .cut = &cut };
		struct error err = ERROR_INIT;

		assert_int_equal(file_write(fake, script, strlen(script), NULL), 0);
		assert_int_equal(chmod(fake, 0755), 0);
		assert_int_equal(perf_script_read(&keeper, &tool, &recorded, keep_text, &text, &err), cases[i].ret);
		assert_string_equal(text.buf, cases[i].text);
		assert_int_equal(cut, cases[i].cut);
		nothing_left();
	}
}

TEST_WITH(how_long_it_may_take_follows_from_the_size, fixture_up, fixture_down)
{
	CLEANUP(free_ptr) char *file = in_root("sized");
	static const struct { off_t bytes; uint64_t seconds; } cases[] = {
		{ 0, 60 }, { (1 << 20) - 1, 60 }, { 5 << 20, 110 }, { 53 << 20, 590 }, { 54 << 20, 600 }, { (off_t)1 << 40, 600 },
	};
	int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(ftruncate(fd, cases[i].bytes), 0);
		assert_true(perf_script_limit_ns(&(struct recorded){ .file = "x", .fd = fd }) == cases[i].seconds * NS_PER_S);
		assert_true(perf_script_limit_ns(&(struct recorded){ .file = file, .fd = -1 }) == cases[i].seconds * NS_PER_S);
	}
	close(fd);
	assert_true(perf_script_limit_ns(&(struct recorded){ .file = "/nowhere", .fd = -1 }) == 600 * NS_PER_S);
}
