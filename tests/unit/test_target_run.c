/* One execution of a target without perf: what is its own, and what went before. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "keeper_fixture.h"
#include "measure/perf/perf.h"

static int run_once(struct measured *out, const char *program, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
	const struct target_spec spec = { .child = { .argv = &argv, .cwd = root }, .timeout_ns = PATIENCE_NS };

	strv_push(&argv, program);
	return target_run(&session, &spec, NULL, out, &output, err);
}

/* The child changes its folder, its descriptors and more before exec, and faults on the way. */
static void what_it_did_before_exec_is_not_counted(void **state)
{
	double least = INFINITY, most = 0;

	(void)state;
	for (int i = 0; i < 40; i++) {
		struct measured m;
		struct error err = ERROR_INIT;

		if (run_once(&m, "true", &err) < 0)
			fail_msg("%s", err.msg);
		least = fmin(least, m.page_faults);
		most = fmax(most, m.page_faults);
		measured_release(&m);
	}
	if (most - least > 12)
		fail_msg("%g to %g faults", least, most);
	nothing_left();
}

static void what_kept_it_from_starting_is_reported(void **state)
{
	static const struct { const char *program, *words; } cases[] = {
		{ "no-such-program-3871", "No such file or directory" },
		{ "/etc/passwd", "Permission denied" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = ERROR_INIT;
		struct measured m;

		assert_int_equal(run_once(&m, cases[i].program, &err), -1);
		if (err.kind != ERR_TARGET || !strstr(err.msg, "cannot be started") || !strstr(err.msg, cases[i].words))
			fail_msg("case %zu: %s", i, err.msg);
		nothing_left();
	}
}

#define staged(f) cmocka_unit_test_setup_teardown(f, fixture_up, fixture_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		staged(what_it_did_before_exec_is_not_counted),
		staged(what_kept_it_from_starting_is_reported),
	};

	return cmocka_run_group_tests_name("target_run", tests, NULL, NULL);
}
