/* One execution of a target without perf: its own costs, without those before exec. */
#include "unit.h"

#include <sys/resource.h>

#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/files/files.h"
#include "measure/process/processes.h"
#include "model/measured.h"
#include "keeper_fixture.h"

static int run_once(struct measured *out, const char *program, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
	const struct target_spec spec = { .child = { .argv = &argv, .cwd = root }, .timeout_ns = PATIENCE_NS };

	strv_push(&argv, program);
	return target_run(&session, &spec, NULL, out, &output, err);
}

/* Before exec the child changes its folder and descriptors, among others, which causes page faults. */
TEST_WITH(what_it_did_before_exec_is_not_counted, fixture_up, fixture_down)
{
	double least = INFINITY, most = 0;

	for (int i = 0; i < 40; i++) {
		CLEANUP(measured_release) struct measured m;
		struct error err = ERROR_INIT;

		MUST(run_once(&m, "true", &err));
		least = fmin(least, m.page_faults);
		most = fmax(most, m.page_faults);
	}
	if (most - least > 12)
		fail_msg("%g to %g faults", least, most);
	nothing_left();
}

TEST_WITH(what_kept_it_from_starting_is_reported, fixture_up, fixture_down)
{
	static const struct { const char *program, *words; } cases[] = {
		{ "no-such-program-3871", "No such file or directory" },
		{ "/etc/passwd", "Permission denied" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = ERROR_INIT;
		struct measured m;

		assert_int_equal(run_once(&m, cases[i].program, &err), -1);
		if (err.kind != ERR_TARGET || !strstr(err.msg, "cannot be started") || !strstr(err.msg, cases[i].words))
			fail_msg("case %zu: %s", i, err.msg);
		nothing_left();
	}
}

/* Asserts that pawl detects a file that gives a program more rights than its user has. Root already has all rights. */
static void assert_rights_taken(bool by_us)
{
	static const struct { mode_t mode; bool takes; } rows[] = {
		{ 0755, false }, { 04755, true }, { 02755, true }, { 06755, true }, { 01755, false },
		/* Not executable: never started */
		{ 04644, false },
	};
	CLEANUP(free_ptr) char *path = in_root("program");

	assert_int_equal(file_write(path, "#!/bin/sh\n", 10, NULL), 0);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (int whole = 0; whole < 2; whole++) {
			CLEANUP(strv_release) struct strv argv = STRV_INIT;

			/* Relative to its working folder, or by its full path */
			strv_push(&argv, whole ? path : "./program");
			assert_int_equal(chmod(path, rows[i].mode), 0);
			if (target_takes_rights(&(struct child_spec){ .argv = &argv, .cwd = whole ? NULL : root }) != (by_us && rows[i].takes))
				fail_msg("%04o", (unsigned)rows[i].mode);
		}
}

TEST_WITH(root_takes_no_rights, fixture_up, fixture_down)
{
	if (geteuid() != 0)
		SKIP("it is not run as root");
	assert_rights_taken(false);
}

TEST_WITH(a_setuid_program_takes_rights, fixture_up_as_nobody, fixture_down)
{
	assert_rights_taken(true);
}

/* Runs two shell scripts at once. */
static int run_two(const char *const texts[AT_ONCE_MOST], struct measured out[AT_ONCE_MOST], struct error *err)
{
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
	struct strbuf outputs[AT_ONCE_MOST] = { STRBUF_INIT, STRBUF_INIT };
	struct strv argvs[AT_ONCE_MOST] = { STRV_INIT, STRV_INIT };
	struct target_spec specs[AT_ONCE_MOST];
	struct outcome outcomes[AT_ONCE_MOST];
	int ret;

	for (unsigned i = 0; i < AT_ONCE_MOST; i++) {
		strv_push_all(&argvs[i], (const char *const[]){ "/bin/sh", "-c", texts[i], NULL });
		specs[i] = (struct target_spec){ .child = { .argv = &argvs[i], .cwd = root }, .timeout_ns = PATIENCE_NS };
		outcomes[i] = (struct outcome){ .out = &out[i], .output = &outputs[i] };
	}
	ret = targets_run(&session, specs, outcomes, AT_ONCE_MOST, NULL, err);
	for (unsigned i = 0; i < AT_ONCE_MOST; i++) {
		strv_release(&argvs[i]);
		strbuf_release(&outputs[i]);
	}
	return ret;
}

/* The state lasts for a second, and pawl looks at least every quarter of a second. */
TEST_WITH(what_one_does_to_the_other_is_seen, fixture_up, fixture_down)
{
	static const char victim[] = "echo $$ >pid.tmp; mv pid.tmp pid; until [ -e end ]; do sleep 0.02; done; rm end pid";
	const struct { const char *done, *undone; uint64_t bits; } rows[] = {
		{ ":", ":", 0 },
		{ "kill -STOP", "kill -CONT", PROPERTY_BITS(PROPERTY_STOP) },
		{ "renice -n 19 -p", ":", PROPERTY_BITS(PROPERTY_NICE) },
		{ "chrt -b -p 0", ":", PROPERTY_BITS(PROPERTY_POLICY) },
		{ "ionice -c 3 -p", ":", PROPERTY_BITS(PROPERTY_IO_PRIORITY) },
		{ "prlimit --cpu=1000 -p", ":", PROPERTY_BITS(PROPERTY_LIMITS) },
		{ "prlimit --nofile=100 -p", ":", 0 },
		{ "slack() { [ ! -w /proc/$1/timerslack_ns ] || echo 100000 >/proc/$1/timerslack_ns; }; slack", ":",
		  geteuid() ? 0 : PROPERTY_BITS(PROPERTY_TIMER_SLACK) },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		/* 19 is the highest nice value: if the test has it already, renice changes nothing. */
		if (rows[i].bits == PROPERTY_BITS(PROPERTY_NICE) && getpriority(PRIO_PROCESS, 0) == 19)
			continue;
		CLEANUP(free_ptr) char *attacker = text_printf("until [ -e pid ]; do sleep 0.02; done; pid=$(cat pid); %s $pid; sleep 1; "
							       "%s $pid; : >end", rows[i].done, rows[i].undone);
		struct measured out[AT_ONCE_MOST] = { 0 };
		struct error err = ERROR_INIT;

		if (run_two((const char *const[]){ victim, attacker }, out, &err) < 0)
			fail_msg("%s: %s", rows[i].done, err.msg);
		if (out[0].touched & ~rows[i].bits || (rows[i].bits && !out[0].touched) || out[1].touched)
			fail_msg("%s: %llx and %llx", rows[i].done, (unsigned long long)out[0].touched, (unsigned long long)out[1].touched);
		nothing_left();
	}
}
