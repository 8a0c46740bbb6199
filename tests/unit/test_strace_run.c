/* Targets under strace, at once and alone; what is said where that cannot be. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "keeper_fixture.h"
#include "measure/perf/perf.h"
#include "profile/evidence.h"

static int run_of(const char *const commands[], size_t n, const struct strace_wish *wish, struct strace_text *texts, struct error *err)
{
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
	struct strv argvs[2] = { 0 };
	struct target_spec specs[2];
	int ret;

	for (size_t i = 0; i < n; i++) {
		strv_push(&argvs[i], "/bin/sh");
		strv_push(&argvs[i], "-c");
		strv_push(&argvs[i], commands[i]);
		specs[i] = (struct target_spec){ .child = { .argv = &argvs[i], .cwd = root }, .timeout_ns = PATIENCE_NS };
	}
	ret = strace_run(&session, specs, n, wish, texts, err);
	strv_release(&argvs[0]);
	strv_release(&argvs[1]);
	return ret;
}

static void skip_without_strace(void)
{
	if (!strace_available())
		skip();
}

static void two_at_once(void **state)
{
	static const char *const commands[] = { "sleep 0.05", "echo a >out; cat out out >/dev/null" };
	struct strace_text texts[2] = { { STRBUF_INIT, true }, { STRBUF_INIT, true } };
	struct system_calls calls[2];
	struct error err = ERROR_INIT;

	(void)state;
	skip_without_strace();
	if (run_of(commands, 2, &(struct strace_wish){ .limit_ns = PATIENCE_NS }, texts, &err) < 0)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < 2; i++) {
		assert_false(texts[i].cut);
		if (strace_read(texts[i].text.buf, texts[i].text.len, &calls[i], &err) < 0)
			fail_msg("%s", err.msg);
		strbuf_release(&texts[i].text);
	}
	assert_true(calls[0].waited_ms[WAIT_SLEEP] > 49);
	assert_true(calls[1].waited_ms[WAIT_SLEEP] < 1);
	assert_true(calls[0].programs.n >= 1 && calls[1].processes == 2);
	system_calls_release(&calls[0]);
	system_calls_release(&calls[1]);
	nothing_left();
}

/* A shell that goes on for ever is ended, and what it did until then is known; only the calls that were asked for. */
static void what_takes_too_long_is_cut(void **state)
{
	static const char *const commands[] = { "while :; do : </dev/null; done" };
	struct strace_text text = { STRBUF_INIT, false };
	struct system_calls calls;
	struct error err = ERROR_INIT;

	(void)state;
	skip_without_strace();
	if (run_of(commands, 1, &(struct strace_wish){ .calls = "openat", .limit_ns = NS_PER_S / 2 }, &text, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(text.cut && err.kind == ERR_NONE);
	assert_int_equal(strace_read(text.text.buf, text.text.len, &calls, &err), 0);
	assert_true(calls.n == 1 && calls.items[0].calls > 10);
	system_calls_release(&calls);
	strbuf_release(&text.text);
	nothing_left();
}

static void why_it_cannot_be(void **state)
{
	static const struct {
		const char *command, *words;
	} cases[] = {
		{ "exit 3", "under strace, which the target may not bear: the target exited with status 3" },
		{ "echo 'strace: ptrace(PTRACE_SEIZE, 12): Operation not permitted' >&2; exit 1", "add --cap-add=SYS_PTRACE" },
	};

	(void)state;
	skip_without_strace();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct strace_text text = { STRBUF_INIT, false };
		struct error err = ERROR_INIT;

		assert_int_equal(run_of(&cases[i].command, 1, &(struct strace_wish){ .limit_ns = PATIENCE_NS }, &text, &err), -1);
		if (err.kind != ERR_SYSTEM || !strstr(err.msg, cases[i].words))
			fail_msg("case %zu: %s", i, err.msg);
		strbuf_release(&text.text);
		nothing_left();
	}
}

#define staged(f) cmocka_unit_test_setup_teardown(f, fixture_up, fixture_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		staged(two_at_once),
		staged(what_takes_too_long_is_cut),
		staged(why_it_cannot_be),
	};

	return cmocka_run_group_tests_name("strace_run", tests, NULL, NULL);
}
