#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/baseline.h"
#include "scenario/plan.h"

static struct scenario parse(const char *body)
{
	struct scenario_defaults defaults;
	struct diags diags = DIAGS_INIT;
	struct strbuf text = STRBUF_INIT;
	struct scenario scenario;

	scenario_defaults_init(&defaults);
	strbuf_addf(&text, "version: 1\n%s", body);
	assert_int_equal(scenario_parse(text.buf, text.len, "s.yaml", &defaults, &scenario, &diags), 0);
	scenario_defaults_release(&defaults);
	strbuf_release(&text);
	return scenario;
}

static int give_port(void *ctx, const char *name, struct error *err)
{
	if (!strcmp(name, "none"))
		return error_set(err, ERR_SYSTEM, "no free port");
	*(unsigned *)ctx += 1;
	return *name ? 5000 + *name : 4000;
}

static const struct plan_context *context(const char *root)
{
	static unsigned asked;
	static struct plan_context context = {
		.scenario_dir = "/p/scenarios", .out = "/p/out", .tmp = "/t", .port = give_port, .ctx = &asked,
	};

	context.root = root;
	return &context;
}

static void replaces_names(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ "plain", "plain" },
		{ "${a}${b}", "1${out}" },
		{ "x${a}y", "x1y" },
		{ "${port}-${port.a}-${port.b}", "4000-5097-5098" },
		{ "${scenario_dir} ${out} ${tmp}", "/p/scenarios /p/out /t" },
		{ "$HOME $(date) $ $1 {a}", "$HOME $(date) $ $1 {a}" },
		{ "$$ $${a} $$$${a} $$${a}", "$ ${a} $${a} $1" },
		{ "end$", "end$" },
		{ "$$HOME", "$HOME" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf body = STRBUF_INIT;
		struct scenario s;
		struct plan plan;
		struct error err = ERROR_INIT;

		strbuf_addf(&body, "vars: { a: 1, b: \"${out}\" }\ntarget: { command: [x, \"%s\"] }\nsetup: \"%s\"\n",
			    cases[i].text, cases[i].text);
		s = parse(body.buf);
		assert_int_equal(plan_build(&s, context("/p"), &plan, &err), 0);
		assert_int_equal(plan.target.n, 2);
		assert_string_equal(plan.target.items[1], cases[i].expected);
		assert_int_equal(plan.setup.n, 3);
		assert_string_equal(plan.setup.items[2], cases[i].expected);
		plan_release(&plan);
		scenario_release(&s);
		strbuf_release(&body);
	}
}

static void fills_every_part(void **state)
{
	struct scenario s = parse("prepare: [p, \"${tmp}\"]\ncleanup: [c]\nwarmup: { command: [w] }\n"
				  "target: { command: [t], environment: { O: \"${out}\", P: 1 } }\n");
	struct error err = ERROR_INIT;
	struct plan plan;

	(void)state;
	assert_int_equal(plan_build(&s, context("/p"), &plan, &err), 0);
	assert_ptr_equal(plan.scenario, &s);
	assert_int_equal(plan.setup.n, 0);
	assert_string_equal(plan.prepare.items[1], "/t");
	assert_string_equal(plan.cleanup.items[0], "c");
	assert_string_equal(plan.warmup.items[0], "w");
	assert_int_equal(plan.environment.n, 2);
	assert_string_equal(plan.environment.items[0], "O=/p/out");
	assert_string_equal(plan.root, "/p");
	plan_release(&plan);
	scenario_release(&s);
}

static void finds_the_working_folder(void **state)
{
	static const struct {
		const char *root, *cwd, *expected;
	} cases[] = {
		{ "/p", "", "/p" },
		{ "/p", ", cwd: sub/dir", "/p/sub/dir" },
		{ "/", ", cwd: sub", "/sub" },
		{ "/p", ", cwd: /abs", "/abs" },
		{ "/p", ", cwd: \"${tmp}/x\"", "/t/x" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf body = STRBUF_INIT;
		struct error err = ERROR_INIT;
		struct scenario s;
		struct plan plan;

		strbuf_addf(&body, "target: { command: x%s }\n", cases[i].cwd);
		s = parse(body.buf);
		assert_int_equal(plan_build(&s, context(cases[i].root), &plan, &err), 0);
		assert_string_equal(plan.cwd, cases[i].expected);
		plan_release(&plan);
		scenario_release(&s);
		strbuf_release(&body);
	}
}

static void passes_on_that_no_port_is_free(void **state)
{
	struct scenario s = parse("target: { command: [x, \"${port.none}\"] }\n");
	struct plan plan = { .cwd = NULL };
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(plan_build(&s, context("/p"), &plan, &err), -1);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_string_equal(err.msg, "target.command: no free port");
	assert_null(plan.scenario);
	scenario_release(&s);
}

static void keeps_settings_as_written(void **state)
{
	struct scenario s = parse("setup: make ${tmp}\nprepare: [cp, a b, \"${tmp}\"]\n"
				  "target: { command: \"./t ${out}\", environment: { A: \"${port}\" } }\n"
				  "measure: { events: [e], cpus: 1, aslr: off }\n");
	struct settings settings;

	(void)state;
	plan_settings(&s, &settings);
	assert_int_equal(settings.command.n, 3);
	assert_string_equal(settings.command.items[2], "./t ${out}");
	assert_string_equal(settings.setup, "make ${tmp}");
	assert_string_equal(settings.prepare, "cp 'a b' '${tmp}'");
	assert_string_equal(settings.environment.items[0], "A=${port}");
	assert_string_equal(settings.events.items[0], "e");
	assert_string_equal(settings.cpus, "1");
	assert_true(settings.aslr_off);
	settings_release(&settings);
	scenario_release(&s);

	s = parse("target: { command: [x] }\n");
	plan_settings(&s, &settings);
	assert_null(settings.setup);
	assert_null(settings.prepare);
	assert_null(settings.cpus);
	settings_release(&settings);
	scenario_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replaces_names),
		cmocka_unit_test(fills_every_part),
		cmocka_unit_test(finds_the_working_folder),
		cmocka_unit_test(passes_on_that_no_port_is_free),
		cmocka_unit_test(keeps_settings_as_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
