#include "scenario/scenario.h"

#include "base/mem.h"
#include "model/result.h"
#include "scenario/yaml.h"

/* -------- the plan */

/* WHAT is the key of a text, for errors. After the first error nothing more is built. */
struct plan_builder {
	const struct scenario *scenario;
	const struct plan_context *context;
	struct arena *arena;
	const char *prefix;		/* put before every WHAT: "env.redis.", or "" */
	struct error *err;
	bool failed;
};

static char *plan_text(struct plan_builder *builder, const char *what, const char *from)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!from || builder->failed)
		return NULL;
	builder->failed = expand_text(from, builder->scenario, builder->context, &text, builder->err) < 0;
	if (builder->failed)
		error_wrap(builder->err, "%s%s", builder->prefix, what);
	return arena_strdup(builder->arena, text.buf);
}

/* Absolute: relative paths are below the root, which NULL stands for. */
static char *plan_path(struct plan_builder *builder, const char *what, const char *from)
{
	const char *root = builder->context->root;
	bool slash = *root && root[strlen(root) - 1] == '/';
	char *text = plan_text(builder, what, from ?: "");

	if (!text || *text == '/')
		return text;
	return arena_printf(builder->arena, "%s%s%s", root, *text && !slash ? "/" : "", text);
}

static struct strv plan_list(struct plan_builder *builder, const char *what, const struct strv *from)
{
	struct strv list = STRV_INIT;

	for (size_t i = 0; i < from->n && !builder->failed; i++)
		arena_push(builder->arena, &list, plan_text(builder, what, from->items[i]));
	return list;
}

static void plan_service(struct plan_builder *builder, const struct service *service, struct plan_service *out)
{
	const struct ready *ready = &service->ready;

	builder->prefix = arena_printf(builder->arena, "env.%s.", service->name);
	out->service = service;
	out->command = plan_list(builder, "command", &service->command.argv);
	out->environment = plan_list(builder, "environment", &service->environment);
	out->stop = plan_list(builder, "stop.command", &service->stop.command.argv);
	out->cwd = plan_path(builder, "cwd", service->cwd);
	out->ready_text = (ready->kind == READY_FILE || ready->kind == READY_UNIX ? plan_path : plan_text)(builder, "ready", ready->text);
	out->ready_headers = plan_list(builder, "ready.headers", &ready->headers);
	out->ready_body = plan_text(builder, "ready.body", ready->body);
	out->ready = plan_list(builder, "ready.command", &ready->command.argv);
	builder->prefix = "";
}

int plan_build(const struct scenario *scenario, const struct plan_context *context, struct plan *out, struct error *err)
{
	CLEANUP(plan_release) struct plan plan = { .scenario = scenario, .n_services = scenario->n_services };
	struct plan_builder builder = { .scenario = scenario, .context = context, .arena = &plan.arena, .prefix = "", .err = err };

	plan.root = arena_strdup(&plan.arena, context->root);
	plan.setup = plan_list(&builder, "setup", &scenario->setup.argv);
	plan.prepare = plan_list(&builder, "prepare", &scenario->prepare.argv);
	plan.cleanup = plan_list(&builder, "cleanup", &scenario->cleanup.argv);
	plan.warmup = plan_list(&builder, "warmup.command", &scenario->warmup_command.argv);
	plan.target = plan_list(&builder, "target.command", &scenario->target.argv);
	plan.environment = plan_list(&builder, "target.environment", &scenario->target_environment);
	plan.load = plan_list(&builder, "load.command", &scenario->load.command.argv);
	plan.load_environment = plan_list(&builder, "load.environment", &scenario->load.environment);
	plan.load_fail = plan_text(&builder, "load.fail", scenario->load.fail);
	plan.services = arena_alloc(&plan.arena, scenario->n_services * sizeof *plan.services);
	for (size_t i = 0; i < scenario->n_services; i++)
		plan_service(&builder, &scenario->services[i], &plan.services[i]);
	plan.cwd = plan_path(&builder, "target.cwd", scenario->target_cwd);
	plan.attach = scenario->target_kind == TARGET_PIDFILE ? plan_path(&builder, "target.pidfile", scenario->target_text) :
		      plan_text(&builder, "target", scenario->target_text);
	if (builder.failed)
		return -1;
	if (scenario->target_kind == TARGET_SERVICE) {
		const struct plan_service *service = plan.services;

		while (strcmp(service->service->name, scenario->target_text))
			service++;
		arena_push_all(&plan.arena, &plan.target, &service->command);
		arena_push_all(&plan.arena, &plan.environment, &service->environment);
		plan.cwd = service->cwd;
	}
	arena_push_all(&plan.arena, &plan.commands_environment, &plan.environment);
	if (scenario->harness.kind != HARNESS_NONE) {
		arena_push_all(&plan.arena, &plan.program, &plan.target);
		if (harness_writes_file(&scenario->harness))
			plan.benchmarks = arena_printf(&plan.arena, "%s/benchmarks", context->tmp);
		plan_ask(&plan, &(struct harness_ask){ .file = NULL });
	}
	*out = plan;
	plan = (struct plan){ 0 };
	return 0;
}

/* Returns the program's words with the arguments for ASK, in PLAN's arena. */
static struct strv asked(struct plan *plan, const struct harness_ask *ask)
{
	struct strv arguments = STRV_INIT, out = STRV_INIT;
	bool shell = plan->scenario->target.shell;

	harness_arguments(&plan->scenario->harness, ask, &plan->arena, &arguments);
	for (size_t i = 0; i < plan->program.n; i++) {
		struct strbuf word = STRBUF_INIT;

		strbuf_adds(&word, plan->program.items[i]);
		/* The last word of "/bin/sh -c TEXT" is the whole command. */
		for (size_t k = 0; k < arguments.n && shell && i + 1 == plan->program.n; k++) {
			strbuf_addc(&word, ' ');
			escape_shell(&word, arguments.items[k]);
		}
		arena_push(&plan->arena, &out, word.buf);
		strbuf_release(&word);
	}
	if (!shell)
		arena_push_all(&plan->arena, &out, &arguments);
	return out;
}

void plan_ask(struct plan *plan, const struct harness_ask *ask)
{
	struct harness_ask with_file = *ask;

	if (plan->scenario->harness.kind == HARNESS_NONE)
		return;
	with_file.file = plan->benchmarks;
	plan->some_benchmarks = ask->only;
	plan->target = asked(plan, &with_file);
	with_file.older = harness_older(&plan->scenario->harness) != NULL;
	if (with_file.older)
		plan->older = asked(plan, &with_file);
}

bool plan_attaches(const struct plan *plan)
{
	return plan->scenario->target_kind != TARGET_COMMAND;
}

void plan_release(struct plan *plan)
{
	arena_release(&plan->arena);
	*plan = (struct plan){ 0 };
}

/* -------- settings: the part of a scenario kept in a baseline; numbers are comparable only if it is the same */

static void add_texts(struct arena *arena, const struct strv *texts, const struct scenario *scenario, struct strv *out)
{
	for (size_t i = 0; i < texts->n; i++) {
		CLEANUP(free_ptr) char *text = expand_vars(texts->items[i], scenario);

		arena_push(arena, out, text);
	}
}

/* After its variables; NULL without a command. */
static char *line_of(const struct command *command, const struct strv *environment, const struct scenario *scenario)
{
	const struct command assignments = { .argv = *environment };
	CLEANUP(free_ptr) char *given = command_text(&assignments);
	CLEANUP(free_ptr) char *bare = command_text(command);
	CLEANUP(free_ptr) char *line = bare ? text_printf("%s%s%s", given ?: "", given ? " " : "", bare) : NULL;

	return line ? expand_vars(line, scenario) : NULL;
}

void plan_settings(const struct scenario *scenario, struct arena *arena, struct settings *out)
{
	const struct strv none = STRV_INIT, *environment = &scenario->target_environment;
	const struct command *command = scenario_target_command(scenario);
	const struct load *load = &scenario->load;
	bool windows = scenario->target_kind != TARGET_COMMAND && load->as != WORK_COUNT;

	*out = (struct settings){
		.setup = arena_take(arena, line_of(&scenario->setup, &none, scenario)),
		.prepare = arena_take(arena, line_of(&scenario->prepare, &none, scenario)),
		.load = arena_take(arena, line_of(&load->command, &load->environment, scenario)),
		.cpus = arena_strdup(arena, scenario->measure.cpus),
		.aslr_off = scenario->measure.aslr_off,
		.window_s = windows ? (double)scenario->measure.window_ns / 1e9 : 0,
	};
	add_texts(arena, &command->argv, scenario, &out->command);
	for (size_t i = 1; i < scenario->target_services.n; i++)
		add_texts(arena, &scenario_service(scenario, scenario->target_services.items[i])->command.argv, scenario, &out->command);
	if (!command->argv.n) {
		CLEANUP(free_ptr) char *text = expand_vars(scenario->target_text, scenario);

		arena_push(arena, &out->command, target_kind_name(scenario->target_kind));
		arena_push(arena, &out->command, text);
	}
	if (scenario->target_kind == TARGET_SERVICE)
		environment = &scenario_service(scenario, scenario->target_text)->environment;
	add_texts(arena, environment, scenario, &out->environment);
	/* Values of other benchmarks, or of another program, are not comparable. */
	if (scenario->harness.kind != HARNESS_NONE)
		arena_pushf(arena, &out->command, "(%s%s%s)", harness_names[scenario->harness.kind], scenario->harness.filter ? " " : "",
			    scenario->harness.filter ?: "");
	arena_push_all(arena, &out->environment, &scenario->target_pass);
	arena_push_all(arena, &out->events, &scenario->measure.events);
	for (size_t i = 0; i < scenario->n_services; i++) {
		const struct service *service = &scenario->services[i];
		CLEANUP(free_ptr) char *line = line_of(&service->command, &service->environment, scenario);

		arena_pushf(arena, &out->services, "%s: %s", service->name, line);
	}
	if (load->as != WORK_UNKNOWN)
		settings_extract(arena, out, METRIC(WORK)->name, load->unit, load->work.regex ?: load->work.json,
				 load->as == WORK_RATE ? EXTRACTED_RATE : EXTRACTED_COUNT);
	for (size_t i = 0; i < scenario->n_metrics; i++) {
		const struct metric *metric = scenario->metrics[i].metric;
		const struct extractor *from = &scenario->metrics[i].extractor;

		settings_extract(arena, out, metric->name, metric->label, from->regex ?: from->json,
				 metric->higher_is_better ? EXTRACTED_HIGHER : EXTRACTED_LOWER);
	}
}
