/* Calls counted in real Python processes, however they start and end. test_python covers parsing. */
#include "unit.h"

#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"
#include "measure/tools/python.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/files/files.h"
#include "model/measured.h"
#include "model/side.h"
#include "keeper_fixture.h"

struct counted {
	struct own_code own;
	struct work work;
	unsigned files;
};

static void counted_release(struct counted *c)
{
	work_release(&c->work);
}

static int feed(void *ctx, size_t side, const char *text, size_t len, struct error *err)
{
	struct counted *c = (struct counted *)ctx + side;

	c->files++;
	return callgrind_read(text, len, &c->own, &c->work, err);
}

static int count_both(const struct target_spec *specs, unsigned n, struct counted *counted, struct error *err)
{
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
	const struct tool_use use = { .limit_ns = PATIENCE_NS, .feed = feed, .ctx = counted };
	CLEANUP(free_ptr) char *python = file_find_program("python3", "/");

	if (!python)
		skip();
	return tool_run(&session, &tool_python, specs, n, &use, err);
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	CLEANUP(free_ptr) char *path = in_root(name);
	struct error err = ERROR_INIT;

	if (file_write(path, text, strlen(text), &err) < 0 || chmod(path, mode) < 0)
		fail_msg("%s: %s", name, err.msg);
}

/* Counts the Python calls of SCRIPT, run by sh in the fixture's folder. */
static int count(const char *script, struct counted *out, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	const struct target_spec spec = { .child = { .argv = &argv, .cwd = root }, .timeout_ns = PATIENCE_NS };

	*out = (struct counted){ .own = { .root = root } };
	set_shell(&argv, script);
	return count_both(&spec, 1, out, err);
}

/* Returns the number of calls of the project's FUNCTION. */
static double calls(const struct counted *c, const char *function)
{
	double sum = 0;

	for (size_t i = 0; i < c->work.n_functions; i++)
		if (c->work.functions[i].code.own && !strcmp(c->work.functions[i].code.function, function))
			sum += c->work.functions[i].calls;
	return sum;
}

static int up(void **state)
{
	if (fixture_up(state) < 0)
		return -1;
	write_file("x.py",
		   "#!/usr/bin/env python3\n"
		   "import sys\n"
		   "def leaf(x):\n    return x + 1\n"
		   "class Some:\n    def method(self, n):\n        return [leaf(i) for i in range(n)]\n"
		   "if __name__ == '__main__':\n    print(sum(Some().method(100)) + len(sys.argv))\n", 0755);
	return 0;
}

TEST_WITH(however_python_is_started, up, fixture_down)
{
	static const char *const scripts[] = {
		"python3 x.py", "exec python3 x.py", "./x.py", "python3 -m x", "python3 x.py | cat", "python3 <x.py", "cat x.py | python3 -",
		"python3 -c 'import x; x.Some().method(100)'", "PYTHONPATH=$PYTHONPATH:/nowhere python3 x.py",
		"PYTHONPATH=/nowhere python3 -m x", "env -u PYTHONPATH python3 x.py", "python3 -E x.py", "env -u PYTHONUSERBASE python3 x.py",
		"python3 -c 'import subprocess, sys; subprocess.run([sys.executable, \"x.py\"], check=True)'",
		"python3 -c 'import os, sys; os.execv(sys.executable, [\"python3\", \"x.py\"])'",
	};

	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		CLEANUP(counted_release) struct counted c;
		struct error err = ERROR_INIT;

		if (count(scripts[i], &c, &err) < 0)
			fail_msg("%s: %s", scripts[i], err.msg);
		if (calls(&c, "leaf") != 100 || calls(&c, "Some.method") != 1)
			fail_msg("%s: %g calls of leaf, %g of method", scripts[i], calls(&c, "leaf"), calls(&c, "Some.method"));
		nothing_left();
	}
}

/* What is built in, of the library, or of another file has a name and is not the project's. */
TEST_WITH(names_and_calls_are_those_of_the_source, up, fixture_down)
{
	static const struct { const char *function, *source; double calls; bool own; } cases[] = {
		{ "Some.method", "/x.py", 1, true }, { "leaf", "/x.py", 100, true }, { "outer.inner", "/<string>", 3, true },
		{ "<module>", "/<string>", 1, true }, { "list.append", NULL, 3, false }, { "time.sleep", NULL, 1, false },
		{ "JSONEncoder.encode", "/json/encoder.py", 1, false },
	};
	CLEANUP(counted_release) struct counted c;
	struct error err = ERROR_INIT;

	if (count("python3 -c 'import json, time, x\ndef outer(a):\n  def inner(i): a.append(i)\n  return sum(inner(i) or 1 for i in range(3))\n"
		  "outer([]); x.Some().method(100); json.dumps({}); json.JSONEncoder().encode([1]); time.sleep(0)'", &c, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(c.work.timed);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct work_function *f = NULL;

		for (size_t k = 0; k < c.work.n_functions; k++) {
			const struct code *code = &c.work.functions[k].code;

			if (!strcmp(code->function, cases[i].function) && code->own == cases[i].own &&
			    (cases[i].source ? code->source && text_ends(code->source, strlen(code->source), cases[i].source) : !code->source))
				f = &c.work.functions[k];
		}
		if (!f)
			fail_msg("there is no %s", cases[i].function);
		if (cases[i].own && f->calls != cases[i].calls)
			fail_msg("%s: %g calls", cases[i].function, f->calls);
	}
}

TEST_WITH(however_it_ends, up, fixture_down)
{
	static const struct { const char *script; double calls; } cases[] = {
		{ "python3 -c 'import x, os; x.leaf(1); os._exit(0)'", 1 },
		{ "python3 -c 'import x, sys; x.leaf(1); sys.exit(0)'", 1 },
		{ "python3 -c 'import x; x.leaf(1); raise ValueError' 2>&1 || :", 1 },
		{ "python3 -c 'import x, os; x.leaf(1); p = os.fork(); x.leaf(2); p and os.wait()'", 3 },
		{ "python3 -c 'import x, os; x.leaf(1); p = os.fork(); x.leaf(2); p and os.wait(); os._exit(0)'", 3 },
		{ "python3 -c 'import x, multiprocessing as m; p = m.Process(target=x.leaf, args=(1,)); p.start(); p.join()'", 1 },
		{ "python3 -c 'import x, multiprocessing as m\nwith m.get_context(\"fork\").Pool(2) as p: p.map(x.leaf, range(50))'", 50 },
		{ "python3 -c 'import x, atexit; atexit.register(x.leaf, 1)'", 1 },
		{ "python3 -c 'import x, signal, os; x.leaf(1); os.kill(os.getpid(), signal.SIGINT)' 2>&1 || :", 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(counted_release) struct counted c;
		struct error err = ERROR_INIT;

		if (count(cases[i].script, &c, &err) < 0)
			fail_msg("%s: %s", cases[i].script, err.msg);
		if (calls(&c, "leaf") != cases[i].calls)
			fail_msg("%s: %g calls of leaf", cases[i].script, calls(&c, "leaf"));
		nothing_left();
	}
}

/* From Python 3.12 on, counting ends when a second thread starts. */
TEST_WITH(threads_are_counted_or_left_out, up, fixture_down)
{
	CLEANUP(counted_release) struct counted c;
	struct error err = ERROR_INIT;
	double n;

	write_file("t.py", "import threading, x\nx.Some().method(3)\n"
		   "t = [threading.Thread(target=x.Some().method, args=(5,)) for i in range(4)]\n"
		   "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
		   "[i.start() for i in t]; [i.join() for i in t]\n", 0644);
	MUST(count("python3 t.py", &c, &err));
	n = calls(&c, "leaf");
	if (n != 3 && n != 3 + 4 * 5)
		fail_msg("%g calls", n);
	nothing_left();
}

TEST_WITH(what_would_have_been_imported_still_is, up, fixture_down)
{
	static const char *const scripts[] = {
		"PYTHONPATH=$PYTHONPATH:$PWD/site python3 -c 'import builtins, x; builtins.known; x.leaf(1)'",
		"python3 -c 'import sys, os, x; x.leaf(1); assert not [p for p in sys.path if \"python.0\" in p]'",
		"python3 -c 'import os, x; x.leaf(1); assert os.environ[\"PYTHONHASHSEED\"] == \"0\"'",
	};
	CLEANUP(free_ptr) char *site = in_root("site");

	assert_int_equal(file_make_dirs(site, NULL), 0);
	write_file("site/sitecustomize.py", "import builtins\nbuiltins.known = 1\n", 0644);
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		CLEANUP(counted_release) struct counted c;
		struct error err = ERROR_INIT;

		if (count(scripts[i], &c, &err) < 0)
			fail_msg("%s: %s", scripts[i], err.msg);
		assert_true(calls(&c, "leaf") == 1);
	}
}

/* Holds whether pawl's module is loaded as sitecustomize or as usercustomize. */
TEST_WITH(the_users_own_modules_are_still_found, up, fixture_down)
{
	static const char *const scripts[] = { "", "PYTHONPATH=/nowhere ", "PYTHONPATH=$PWD/site " };
	CLEANUP(free_ptr) char *base = in_root("user"), *site = in_root("site");

	assert_int_equal(file_make_dirs(site, NULL), 0);
	write_file("site/sitecustomize.py", "", 0644);
	setenv("PYTHONUSERBASE", base, 1);
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		CLEANUP(counted_release) struct counted c;
		CLEANUP(free_ptr) char *script = text_printf(
			"site=user/lib/python$(python3 -c 'import sys; print(\"%%d.%%d\" %% sys.version_info[:2])')/site-packages\n"
			"mkdir -p $site; echo 'import sys; sys.known = 1' >$site/usercustomize.py; echo ../../.. >$site/a.pth\n"
			"%spython3 -c 'import os, site, sys, x; sys.known; x.leaf(1)\n"
			"assert site.USER_SITE in sys.path and site.USER_SITE == os.path.abspath(\"'$site'\")\n"
			"assert site.USER_BASE == os.path.abspath(\"user\") in sys.path\n"
			"assert not [p for p in sys.path if \"python.0\" in p]'", scripts[i]);
		struct error err = ERROR_INIT;

		if (count(script, &c, &err) < 0)
			fail_msg("%s: %s", scripts[i], err.msg);
		assert_true(calls(&c, "leaf") == 1);
	}
	unsetenv("PYTHONUSERBASE");
}

TEST_WITH(its_own_variables_are_kept, up, fixture_down)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT, environment = STRV_INIT, pass = STRV_INIT;
	const struct target_spec spec = {
		.child = { .argv = &argv, .cwd = root, .environment = &environment, .pass = &pass }, .timeout_ns = PATIENCE_NS,
	};
	CLEANUP(counted_release) struct counted c = { .own = { .root = root } };
	struct error err = ERROR_INIT;

	strv_push(&pass, "HOME");
	strv_push(&environment, "PYTHONHASHSEED=7");
	strv_push(&environment, "PYTHONPATH=/nowhere:/else");
	set_shell(&argv, "test $PYTHONHASHSEED = 7 && case $PYTHONPATH in */python-0:/nowhere:/else) python3 x.py;; *) exit 3;; esac");
	MUST(count_both(&spec, 1, &c, &err));
	assert_true(calls(&c, "leaf") == 100);
	assert_int_equal(environment.n, 2);
}

TEST_WITH(both_sides_at_once, up, fixture_down)
{
	struct strv argv[SIDES] = { STRV_INIT, STRV_INIT };
	struct target_spec specs[SIDES];
	struct counted c[SIDES] = { { .own = { .root = root } }, { .own = { .root = root } } };
	struct error err = ERROR_INIT;

	for (unsigned i = 0; i < SIDES; i++) {
		specs[i] = (struct target_spec){ .child = { .argv = &argv[i], .cwd = root }, .timeout_ns = PATIENCE_NS };
		set_shell(&argv[i], i ? "python3 -c 'import x; x.Some().method(7)'" : "python3 -c 'import x; x.Some().method(5)'");
	}
	MUST(count_both(specs, SIDES, c, &err));
	assert_true(calls(&c[0], "leaf") == 5 && calls(&c[1], "leaf") == 7);
	for (unsigned i = 0; i < SIDES; i++)
		counted_release(&c[i]);
	for (unsigned i = 0; i < SIDES; i++)
		strv_release(&argv[i]);
	nothing_left();
}

TEST_WITH(what_counts_nothing_is_said, up, fixture_down)
{
	static const struct { const char *script, *expected; enum error_kind kind; } cases[] = {
		{ "true", "no process of Python counted its calls: it was started with -S or -I, what started it cleared its environment, "
		  "or it was ended by a signal; or a wrapper set PYTHONPATH itself for a virtual environment or for -s: let it keep what "
		  "PYTHONPATH was, as PYTHONPATH=src:$PYTHONPATH does", ERR_SYSTEM },
		{ "python3 -I -c 1", "no process of Python counted its calls", ERR_SYSTEM },
		{ "PYTHONPATH=/nowhere python3 -s -c 1", "no process of Python counted its calls", ERR_SYSTEM },
		{ "env -i \"$(command -v python3)\" -c 1 || :", "no process of Python counted its calls", ERR_SYSTEM },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(counted_release) struct counted c;
		struct error err = ERROR_INIT;

		assert_int_equal(count(cases[i].script, &c, &err), -1);
		if (err.kind != cases[i].kind || !text_starts(err.msg, cases[i].expected))
			fail_msg("%s: %s", cases[i].script, err.msg);
		nothing_left();
	}
}
