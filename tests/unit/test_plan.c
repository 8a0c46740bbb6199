#include "unit.h"

#include "model/baseline.h"
#include "scenario/scenario.h"

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

TEST(replaces_names)
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

TEST(fills_every_part)
{
	struct scenario s = parse("prepare: [p, \"${tmp}\"]\ncleanup: [c]\nwarmup: { command: [w] }\n"
				  "target: { command: [t], environment: { O: \"${out}\", P: 1 } }\n");
	struct error err = ERROR_INIT;
	struct plan plan;

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

TEST(finds_the_working_folder)
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

TEST(plans_services)
{
	struct scenario s = parse("vars: { a: x }\n"
				  "env:\n"
				  "  - name: store\n"
				  "    command: [store, \"${port}\"]\n"
				  "    environment: { P: \"${port}\" }\n"
				  "    cwd: data\n"
				  "    ready: { command: [ping, \"${port}\"] }\n"
				  "    stop: { command: \"stop ${a}\" }\n"
				  "  - name: web\n"
				  "    command: ./web\n"
				  "    ready: { http: \"http://h:${port}/\", body: \"^${a}$$\" }\n"
				  "  - name: file\n"
				  "    command: f\n"
				  "    ready: { file: \"run/${a}.pid\" }\n"
				  "target: { service: store }\n"
				  "load: { command: [bench, \"${port}\"], environment: { O: \"${out}\" } }\n");
	const struct plan_service *service;
	struct error err = ERROR_INIT;
	struct plan plan;

	assert_int_equal(plan_build(&s, context("/p"), &plan, &err), 0);
	assert_true(plan_attaches(&plan));
	assert_int_equal(plan.n_services, 3);
	service = &plan.services[0];
	assert_ptr_equal(service->service, &s.services[0]);
	assert_string_equal(service->command.items[1], "4000");
	assert_string_equal(service->environment.items[0], "P=4000");
	assert_string_equal(service->cwd, "/p/data");
	assert_string_equal(service->ready.items[1], "4000");
	assert_null(service->ready_text);
	assert_string_equal(service->stop.items[2], "stop x");
	service = &plan.services[1];
	assert_string_equal(service->ready_text, "http://h:4000/");
	assert_string_equal(service->ready_body, "^x$");
	assert_string_equal(service->cwd, "/p");
	assert_int_equal(service->ready.n + service->stop.n + service->environment.n, 0);
	assert_string_equal(plan.services[2].ready_text, "/p/run/x.pid");
	assert_string_equal(plan.target.items[0], "store");
	assert_string_equal(plan.target.items[1], "4000");
	assert_string_equal(plan.environment.items[0], "P=4000");
	assert_string_equal(plan.cwd, "/p/data");
	assert_string_equal(plan.attach, "store");
	assert_string_equal(plan.load.items[1], "4000");
	assert_string_equal(plan.load_environment.items[0], "O=/p/out");
	plan_release(&plan);
	scenario_release(&s);
}

TEST(plans_what_to_attach_to)
{
	static const struct {
		const char *target, *expected;
	} cases[] = {
		{ "pid: \"${n}\"", "12" },
		{ "pidfile: run/x.pid", "/p/run/x.pid" },
		{ "pidfile: \"${tmp}/x.pid\"", "/t/x.pid" },
		{ "process: \"^x ${n}$$\"", "^x 12$" },
		{ "port: \"${port}\"", "4000" },
		{ "cgroup: a/b", "a/b" },
		{ "container: web", "web" },
		{ "command: [x]", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf body = STRBUF_INIT;
		struct error err = ERROR_INIT;
		struct scenario s;
		struct plan plan;

		strbuf_addf(&body, "vars: { n: 12 }\ntarget: { %s }\n", cases[i].target);
		s = parse(body.buf);
		assert_int_equal(plan_build(&s, context("/p"), &plan, &err), 0);
		assert_int_equal(plan_attaches(&plan), cases[i].expected != NULL);
		assert_int_equal(plan.target.n, !cases[i].expected);
		assert_string_equal(plan.cwd, "/p");
		if (cases[i].expected)
			assert_string_equal(plan.attach, cases[i].expected);
		else
			assert_null(plan.attach);
		plan_release(&plan);
		scenario_release(&s);
		strbuf_release(&body);
	}
}

TEST(names_the_service_that_gets_no_port)
{
	static const struct {
		const char *keys, *message;
	} cases[] = {
		{ "command: [x, \"${port.none}\"]", "env.a.command: no free port" },
		{ "command: x, environment: { P: \"${port.none}\" }", "env.a.environment: no free port" },
		{ "command: x, cwd: \"${port.none}\"", "env.a.cwd: no free port" },
		{ "command: x, stop: { command: \"${port.none}\" }", "env.a.stop.command: no free port" },
		{ "command: x, ready: { tcp: \"h:${port.none}\" }", "env.a.ready: no free port" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf body = STRBUF_INIT;
		struct error err = ERROR_INIT;
		struct plan plan = { .cwd = NULL };
		struct scenario s;

		strbuf_addf(&body, "env: [{ name: a, %s }]\ntarget: { command: x }\n", cases[i].keys);
		s = parse(body.buf);
		assert_int_equal(plan_build(&s, context("/p"), &plan, &err), -1);
		assert_string_equal(err.msg, cases[i].message);
		assert_null(plan.scenario);
		scenario_release(&s);
		strbuf_release(&body);
	}
}

TEST(passes_on_that_no_port_is_free)
{
	struct scenario s = parse("target: { command: [x, \"${port.none}\"] }\n");
	struct plan plan = { .cwd = NULL };
	struct error err = ERROR_INIT;

	assert_int_equal(plan_build(&s, context("/p"), &plan, &err), -1);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_string_equal(err.msg, "target.command: no free port");
	assert_null(plan.scenario);
	scenario_release(&s);
}

TEST(keeps_settings_as_written)
{
	struct scenario s = parse("setup: make ${tmp}\nprepare: [cp, a b, \"${tmp}\"]\n"
				  "target: { command: \"./t ${out}\", environment: { A: \"${port}\" } }\n"
				  "measure: { events: [e], cpus: 1, aslr: false }\n");
	struct settings settings;

	plan_settings(&s, &s.arena, &settings);
	assert_int_equal(settings.command.n, 3);
	assert_string_equal(settings.command.items[2], "./t ${out}");
	assert_string_equal(settings.setup, "make ${tmp}");
	assert_string_equal(settings.prepare, "cp 'a b' '${tmp}'");
	assert_string_equal(settings.environment.items[0], "A=${port}");
	assert_string_equal(settings.events.items[0], "e");
	assert_string_equal(settings.cpus, "1");
	assert_true(settings.aslr_off);
	scenario_release(&s);

	s = parse("target: { command: [x] }\n");
	plan_settings(&s, &s.arena, &settings);
	assert_null(settings.setup);
	assert_null(settings.prepare);
	assert_null(settings.cpus);
	scenario_release(&s);
}

TEST(keeps_settings_of_services)
{
	struct scenario s = parse("env:\n"
				  "  - name: store\n"
				  "    command: [store, \"${port}\", a b]\n"
				  "    environment: { A: \"${tmp}\" }\n"
				  "  - { name: web, command: \"./web | cat\" }\n"
				  "target: { service: store }\n"
				  "load:\n"
				  "  command: [bench, \"${port}\"]\n"
				  "  work: { json: a.b, as: rate, unit: request }\n"
				  "measure: { window: 1500ms }\n"
				  "metrics:\n"
				  "  - { name: lat, regex: 'p99 ([0-9.]+)', unit: ms, better: lower }\n"
				  "  - { name: rps, json: rps, better: higher }\n");
	static const struct { const char *name, *unit, *where; enum extracted_as as; } extracted[] = {
		{ "work", "request", "a.b", EXTRACTED_RATE }, { "lat", "ms", "p99 ([0-9.]+)", EXTRACTED_LOWER },
		{ "rps", NULL, "rps", EXTRACTED_HIGHER },
	};
	struct settings settings;

	plan_settings(&s, &s.arena, &settings);
	assert_int_equal(settings.command.n, 3);
	assert_string_equal(settings.command.items[1], "${port}");
	assert_int_equal(settings.environment.n, 1);
	assert_string_equal(settings.environment.items[0], "A=${tmp}");
	assert_int_equal(settings.services.n, 2);
	assert_string_equal(settings.services.items[0], "store: 'A=${tmp}' store '${port}' 'a b'");
	assert_string_equal(settings.services.items[1], "web: ./web | cat");
	assert_string_equal(settings.load, "bench '${port}'");
	assert_int_equal(settings.n_extracted, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(settings.extracted[i].name, extracted[i].name);
		assert_true(text_same(settings.extracted[i].unit, extracted[i].unit));
		assert_string_equal(settings.extracted[i].where, extracted[i].where);
		assert_int_equal(settings.extracted[i].as, extracted[i].as);
	}
	assert_true(settings.window_s == 1.5);
	scenario_release(&s);
}

/* Settings keep the value of a var, not its name. Built-in vars differ from run to run and stay names. */
TEST(keeps_settings_with_their_vars)
{
	static const char *const with = "vars: { n: 5, w: two words }\n"
					"setup: make ${n} $${n} $HOME ${tmp}\n"
					"env:\n"
					"  - { name: web, command: [web, \"${w}\"], environment: { A: \"${n}\" } }\n"
					"target: { service: web }\n"
					"load: { command: \"x ${n} ${port}\", environment: { B: \"${w}\" } }\n";
	struct scenario s = parse(with);
	struct settings settings;

	plan_settings(&s, &s.arena, &settings);
	assert_string_equal(settings.command.items[1], "two words");
	assert_string_equal(settings.setup, "make 5 $${n} $HOME ${tmp}");
	assert_string_equal(settings.environment.items[0], "A=5");
	assert_string_equal(settings.services.items[0], "web: 'A=5' web 'two words'");
	assert_string_equal(settings.load, "'B=two words' x 5 ${port}");
	scenario_release(&s);
}

TEST(keeps_settings_of_what_runs_already)
{
	struct scenario s = parse("target: { port: 6379 }\nload: { command: x, work: { json: a, as: count } }\n");
	struct settings settings;

	plan_settings(&s, &s.arena, &settings);
	assert_int_equal(settings.command.n, 2);
	assert_string_equal(settings.command.items[0], "port");
	assert_string_equal(settings.command.items[1], "6379");
	assert_true(settings.window_s == 0);
	scenario_release(&s);

	s = parse("target: { command: [x] }\n");
	plan_settings(&s, &s.arena, &settings);
	assert_true(settings.window_s == 0);
	assert_null(settings.load);
	assert_int_equal(settings.services.n + settings.n_extracted, 0);
	scenario_release(&s);
}
