#include "unit.h"

#include "model/baseline.h"
#include "scenario/scenario.h"
#include "store/store.h"

static struct scenario parse(const char *body)
{
	struct scenario_defaults defaults;
	struct diags diags = DIAGS_INIT;
	struct scenario scenario;

	scenario_defaults_init(&defaults);
	assert_int_equal(scenario_parse(body, strlen(body), "s.yaml", &defaults, &scenario, &diags), 0);
	scenario_defaults_release(&defaults);
	return scenario;
}

static int give_port(void *ctx, const char *name, struct error *err)
{
	if (!strcmp(name, "none"))
		return error_set(err, ERR_SYSTEM, "no free port");
	*(unsigned *)ctx += 1;
	return *name ? 5000 + *name : 4000;
}

/* A scenario, and its plan in the project /p. */
struct planned {
	struct scenario s;
	struct plan plan;
};

static void planned_release(struct planned *planned)
{
	if (planned->plan.scenario)
		plan_release(&planned->plan);
	scenario_release(&planned->s);
}

static int try(struct planned *out, const char *root, struct error *err, const char *format, ...)
{
	unsigned asked = 0;
	const struct plan_context context = {
		.root = root, .scenario_dir = "/p/scenarios", .out = "/p/out", .tmp = "/t", .port = give_port, .ctx = &asked,
	};
	CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&body, format, args);
	va_end(args);
	*out = (struct planned){ .s = parse(body.buf) };
	*err = (struct error)ERROR_INIT;
	return plan_build(&out->s, &context, &out->plan, err);
}

#define PLANNED(name, root, ...) \
	CLEANUP(planned_release) struct planned name; \
	struct error name##_err; \
	assert_int_equal(try(&name, root, &name##_err, __VA_ARGS__), 0)

static void assert_words(const struct strv *words, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

	for (size_t i = 0; i < words->n; i++)
		strbuf_addf(&found, "%s%s", i ? "|" : "", words->items[i]);
	assert_string_equal(found.buf, expected);
}

TEST(replaces_names)
{
	static const struct { const char *text, *expected; } cases[] = {
		{ "plain", "plain" }, { "${a}${b}", "1${out}" }, { "x${a}y", "x1y" },
		{ "${port}-${port.a}-${port.b}", "4000-5097-5098" },
		{ "${scenario_dir} ${out} ${tmp}", "/p/scenarios /p/out /t" },
		{ "$HOME $(date) $ $1 {a}", "$HOME $(date) $ $1 {a}" },
		{ "$$ $${a} $$$${a} $$${a}", "$ ${a} $${a} $1" },
		{ "end$", "end$" }, { "$$HOME", "$HOME" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		PLANNED(p, "/p", "vars: { a: 1, b: \"${out}\" }\ntarget: { command: [x, \"%s\"] }\nsetup: \"%s\"\n", cases[i].text, cases[i].text);

		assert_string_equal(p.plan.target.items[1], cases[i].expected);
		assert_string_equal(p.plan.setup.items[2], cases[i].expected);
	}
}

TEST(fills_every_part)
{
	PLANNED(p, "/p", "prepare: [p, \"${tmp}\"]\ncleanup: [c]\nwarmup: { command: [w] }\n"
			 "target: { command: [t], environment: { O: \"${out}\", P: 1 } }\n");

	assert_ptr_equal(p.plan.scenario, &p.s);
	assert_words(&p.plan.setup, "");
	assert_words(&p.plan.prepare, "p|/t");
	assert_words(&p.plan.cleanup, "c");
	assert_words(&p.plan.warmup, "w");
	assert_words(&p.plan.environment, "O=/p/out|P=1");
	assert_string_equal(p.plan.root, "/p");
}

TEST(finds_the_working_folder)
{
	static const struct { const char *root, *cwd, *expected; } cases[] = {
		{ "/p", "", "/p" }, { "/p", ", cwd: sub/dir", "/p/sub/dir" }, { "/", ", cwd: sub", "/sub" }, { "/p", ", cwd: /abs", "/abs" },
		{ "/p", ", cwd: \"${tmp}/x\"", "/t/x" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		PLANNED(p, cases[i].root, "target: { command: x%s }\n", cases[i].cwd);

		assert_string_equal(p.plan.cwd, cases[i].expected);
	}
}

TEST(plans_services)
{
	PLANNED(p, "/p", "vars: { a: x }\n"
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
	const struct plan *plan = &p.plan;
	const struct plan_service *store = &plan->services[0], *web = &plan->services[1];

	assert_true(plan_attaches(plan));
	assert_int_equal(plan->n_services, 3);
	assert_ptr_equal(store->service, &p.s.services[0]);
	assert_words(&store->command, "store|4000");
	assert_words(&store->environment, "P=4000");
	assert_string_equal(store->cwd, "/p/data");
	assert_words(&store->ready, "ping|4000");
	assert_null(store->ready_text);
	assert_words(&store->stop, "/bin/sh|-c|stop x");
	assert_string_equal(web->ready_text, "http://h:4000/");
	assert_string_equal(web->ready_body, "^x$");
	assert_string_equal(web->cwd, "/p");
	assert_int_equal(web->ready.n + web->stop.n + web->environment.n, 0);
	assert_string_equal(plan->services[2].ready_text, "/p/run/x.pid");
	assert_words(&plan->target, "store|4000");
	assert_words(&plan->environment, "P=4000");
	assert_string_equal(plan->cwd, "/p/data");
	assert_string_equal(plan->attach, "store");
	assert_words(&plan->load, "bench|4000");
	assert_words(&plan->load_environment, "O=/p/out");
}

TEST(plans_what_to_attach_to)
{
	static const struct { const char *target, *expected; } cases[] = {
		{ "pid: \"${n}\"", "12" }, { "pidfile: run/x.pid", "/p/run/x.pid" }, { "pidfile: \"${tmp}/x.pid\"", "/t/x.pid" },
		{ "process: \"^x ${n}$$\"", "^x 12$" }, { "port: \"${port}\"", "4000" }, { "cgroup: a/b", "a/b" },
		{ "container: web", "web" }, { "command: [x]", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		PLANNED(p, "/p", "vars: { n: 12 }\ntarget: { %s }\n", cases[i].target);

		assert_int_equal(plan_attaches(&p.plan), cases[i].expected != NULL);
		assert_int_equal(p.plan.target.n, !cases[i].expected);
		assert_string_equal(p.plan.cwd, "/p");
		assert_true(text_same(p.plan.attach, cases[i].expected));
	}
}

#define TARGET "target: { command: x }\n"

TEST(names_what_gets_no_port)
{
	static const struct { const char *body, *message; } cases[] = {
		{ "target: { command: [x, \"${port.none}\"] }\n", "target.command: no free port" },
		{ "env: [{ name: a, command: [x, \"${port.none}\"] }]\n" TARGET, "env.a.command: no free port" },
		{ "env: [{ name: a, command: x, environment: { P: \"${port.none}\" } }]\n" TARGET, "env.a.environment: no free port" },
		{ "env: [{ name: a, command: x, cwd: \"${port.none}\" }]\n" TARGET, "env.a.cwd: no free port" },
		{ "env: [{ name: a, command: x, stop: { command: \"${port.none}\" } }]\n" TARGET, "env.a.stop.command: no free port" },
		{ "env: [{ name: a, command: x, ready: { tcp: \"h:${port.none}\" } }]\n" TARGET, "env.a.ready: no free port" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(planned_release) struct planned p;
		struct error err;

		assert_int_equal(try(&p, "/p", &err, "%s", cases[i].body), -1);
		assert_int_equal(err.kind, ERR_SYSTEM);
		assert_string_equal(err.msg, cases[i].message);
		assert_null(p.plan.scenario);
	}
}

/* -------- settings: a baseline keeps them as written, but with the values of vars */

TEST(keeps_settings)
{
	static const struct { const char *body, *settings; } cases[] = {
		{ "setup: make ${tmp}\nprepare: [cp, a b, \"${tmp}\"]\n"
		  "target: { command: \"./t ${out}\", environment: { A: \"${port}\" } }\n"
		  "measure: { events: [e], cpus: 1, aslr: false }\n",
		  "{\"command\":[\"/bin/sh\",\"-c\",\"./t ${out}\"],\"setup\":\"make ${tmp}\",\"prepare\":\"cp 'a b' '${tmp}'\","
		  "\"environment\":[\"A=${port}\"],\"events\":[\"e\"],\"cpus\":\"1\",\"aslr_off\":true,\"services\":[],\"load\":null,"
		  "\"metrics\":[],\"window_s\":0}" },
		{ "target: { command: [x] }\n",
		  "{\"command\":[\"x\"],\"setup\":null,\"prepare\":null,\"environment\":[],\"events\":[],\"cpus\":null,\"aslr_off\":false,"
		  "\"services\":[],\"load\":null,\"metrics\":[],\"window_s\":0}" },
		{ "env:\n"
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
		  "  - { name: rps, json: rps, better: higher }\n",
		  "{\"command\":[\"store\",\"${port}\",\"a b\"],\"setup\":null,\"prepare\":null,\"environment\":[\"A=${tmp}\"],\"events\":[],"
		  "\"cpus\":null,\"aslr_off\":false,\"services\":[\"store: 'A=${tmp}' store '${port}' 'a b'\",\"web: ./web | cat\"],"
		  "\"load\":\"bench '${port}'\",\"metrics\":[\"work request a.b rate\",\"lat ms p99 ([0-9.]+) lower\",\"rps - rps higher\"],"
		  "\"window_s\":1.5}" },
		/* Built-in vars differ from run to run and stay names. */
		{ "vars: { n: 5, w: two words }\n"
		  "setup: make ${n} $${n} $HOME ${tmp}\n"
		  "env:\n"
		  "  - { name: web, command: [web, \"${w}\"], environment: { A: \"${n}\" } }\n"
		  "target: { service: web }\n"
		  "load: { command: \"x ${n} ${port}\", environment: { B: \"${w}\" } }\n",
		  "{\"command\":[\"web\",\"two words\"],\"setup\":\"make 5 $${n} $HOME ${tmp}\",\"prepare\":null,\"environment\":[\"A=5\"],"
		  "\"events\":[],\"cpus\":null,\"aslr_off\":false,\"services\":[\"web: 'A=5' web 'two words'\"],"
		  "\"load\":\"'B=two words' x 5 ${port}\",\"metrics\":[],\"window_s\":5}" },
		/* A target that runs already, whose load ends the window. */
		{ "target: { port: 6379 }\nload: { command: x, work: { json: a, as: count } }\n",
		  "{\"command\":[\"port\",\"6379\"],\"setup\":null,\"prepare\":null,\"environment\":[],\"events\":[],\"cpus\":null,"
		  "\"aslr_off\":false,\"services\":[],\"load\":\"x\",\"metrics\":[\"work - a count\"],\"window_s\":0}" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(scenario_release) struct scenario s = parse(cases[i].body);
		CLEANUP(free_ptr) char *text = NULL;
		cJSON *tree = json_new_object();
		struct settings settings;

		plan_settings(&s, &s.arena, &settings);
		json_write(tree, &settings_fields, &settings);
		text = cJSON_PrintUnformatted(tree);
		cJSON_Delete(tree);
		assert_string_equal(text, cases[i].settings);
	}
}
