#include "scenario/scenario.h"

#include "base/mem.h"
#include "base/parse.h"
#include "model/result.h"
#include "scenario/yaml.h"

/* -------- texts as a plan has them; WHAT is the key they stand under, for errors */

struct plan_builder {
	const struct scenario *scenario;
	const struct plan_context *context;
	struct arena *arena;
	const char *prefix;		/* put before every WHAT: "env.redis.", or "" */
};

/* FROM with its names replaced; NULL stays NULL. *OUT is in the arena. */
static int plan_text(const struct plan_builder *builder, const char *what, const char *from, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (from && expand_text(from, builder->scenario, builder->context, &text, err) < 0)
		return error_wrap(err, "%s%s", builder->prefix, what);
	*out = from ? arena_strdup(builder->arena, text.buf) : NULL;
	return 0;
}

/* The same, as an absolute path: what is relative lies below the root, and NULL is the root. */
static int plan_path(const struct plan_builder *builder, const char *what, const char *from, char **out, struct error *err)
{
	const char *root = builder->context->root;
	bool slash = *root && root[strlen(root) - 1] == '/';
	char *text;

	if (plan_text(builder, what, from ?: "", &text, err) < 0)
		return -1;
	*out = *text == '/' ? text : arena_printf(builder->arena, "%s%s%s", root, *text && !slash ? "/" : "", text);
	return 0;
}

/* Every text of FROM, appended to OUT. */
static int plan_list(const struct plan_builder *builder, const char *what, const struct strv *from, struct strv *out,
	      struct error *err)
{
	for (size_t i = 0; i < from->n; i++) {
		char *text;

		if (plan_text(builder, what, from->items[i], &text, err) < 0)
			return -1;
		arena_push(builder->arena, out, text);
	}
	return 0;
}

/* -------- the plan */

bool plan_attaches(const struct plan *plan)
{
	return plan->scenario->target_kind != TARGET_COMMAND;
}

static int add_service(const struct plan_builder *builder, const struct service *service, struct plan_service *out,
		       struct error *err)
{
	const struct ready *ready = &service->ready;

	out->service = service;
	if (plan_list(builder, "command", &service->command.argv, &out->command, err) < 0 ||
	    plan_list(builder, "environment", &service->environment, &out->environment, err) < 0 ||
	    plan_list(builder, "stop.command", &service->stop.command.argv, &out->stop, err) < 0 ||
	    plan_path(builder, "cwd", service->cwd, &out->cwd, err) < 0 ||
	    (ready->kind == READY_FILE ? plan_path : plan_text)(builder, "ready", ready->text, &out->ready_text, err) < 0 ||
	    plan_text(builder, "ready.body", ready->body, &out->ready_body, err) < 0)
		return -1;
	return plan_list(builder, "ready.command", &ready->command.argv, &out->ready, err);
}

static int add_commands(const struct plan_builder *builder, struct plan *out, struct error *err)
{
	const struct scenario *scenario = builder->scenario;
	const struct {
		const char *what;
		const struct strv *from;
		struct strv *out;
	} lists[] = {
		{ "setup", &scenario->setup.argv, &out->setup },
		{ "prepare", &scenario->prepare.argv, &out->prepare },
		{ "cleanup", &scenario->cleanup.argv, &out->cleanup },
		{ "warmup.command", &scenario->warmup_command.argv, &out->warmup },
		{ "target.command", &scenario->target.argv, &out->target },
		{ "target.environment", &scenario->target_environment, &out->environment },
		{ "load.command", &scenario->load.command.argv, &out->load },
		{ "load.environment", &scenario->load.environment, &out->load_environment },
	};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (plan_list(builder, lists[i].what, lists[i].from, lists[i].out, err) < 0)
			return -1;
	return plan_text(builder, "load.fail", scenario->load.fail, &out->load_fail, err);
}

/* Known once the services are: it may be what one of them runs. */
static int add_target(const struct plan_builder *builder, struct plan *out, struct error *err)
{
	const struct scenario *scenario = builder->scenario;
	const struct plan_service *service = out->services;

	if (plan_path(builder, "target.cwd", scenario->target_cwd, &out->cwd, err) < 0)
		return -1;
	if (scenario->target_kind == TARGET_PIDFILE)
		return plan_path(builder, "target.pidfile", scenario->target_text, &out->attach, err);
	if (scenario->target_kind != TARGET_SERVICE)
		return plan_text(builder, "target", scenario->target_text, &out->attach, err);
	while (strcmp(service->service->name, scenario->target_text))
		service++;
	arena_push_all(&out->arena, &out->target, &service->command);
	arena_push_all(&out->arena, &out->environment, &service->environment);
	out->cwd = service->cwd;
	out->attach = scenario->target_text;
	return 0;
}

int plan_build(const struct scenario *scenario, const struct plan_context *context, struct plan *out, struct error *err)
{
	CLEANUP(plan_release) struct plan plan = {
		.scenario = scenario, .n_services = scenario->n_services,
	};
	struct plan_builder builder = { scenario, context, &plan.arena, "" };

	plan.root = arena_strdup(&plan.arena, context->root);
	if (add_commands(&builder, &plan, err) < 0)
		return -1;
	plan.services = arena_alloc(&plan.arena, scenario->n_services * sizeof *plan.services);
	for (size_t i = 0; i < scenario->n_services; i++) {
		builder.prefix = arena_printf(&plan.arena, "env.%s.", scenario->services[i].name);
		if (add_service(&builder, &scenario->services[i], &plan.services[i], err) < 0)
			return -1;
	}
	builder.prefix = "";
	if (add_target(&builder, &plan, err) < 0)
		return -1;
	arena_push_all(&plan.arena, &plan.commands_environment, &plan.environment);
	*out = plan;
	plan = (struct plan){ 0 };
	return 0;
}

void plan_release(struct plan *plan)
{
	arena_release(&plan->arena);
	*plan = (struct plan){ 0 };
}

/* -------- settings: what a baseline keeps of a scenario, which must be the same for numbers to be comparable */

static void add_texts(const struct strv *texts, const struct scenario *scenario, struct strv *out)
{
	for (size_t i = 0; i < texts->n; i++) {
		CLEANUP(free_ptr) char *text = expand_vars(texts->items[i], scenario);

		strv_push(out, text);
	}
}

/* The command as a line of shell, behind the variables it is given; NULL when there is none. */
static char *line_of(const struct command *command, const struct strv *environment, const struct scenario *scenario)
{
	const struct command assignments = { .argv = *environment };
	CLEANUP(free_ptr) char *given = command_text(&assignments);
	CLEANUP(free_ptr) char *bare = command_text(command);
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (!bare)
		return NULL;
	strbuf_addf(&line, "%s%s%s", given ?: "", given ? " " : "", bare);
	return expand_vars(line.buf, scenario);
}

static void settings_add_target(const struct scenario *scenario, struct settings *out)
{
	const struct command *command = scenario_target_command(scenario);
	const struct service *service = NULL;

	add_texts(&command->argv, scenario, &out->command);
	if (!command->argv.n) {
		strv_push(&out->command, target_kind_name(scenario->target_kind));
		strv_take(&out->command, expand_vars(scenario->target_text, scenario));
	}
	if (scenario->target_kind == TARGET_SERVICE)
		service = scenario_service(scenario, scenario->target_text);
	add_texts(service ? &service->environment : &scenario->target_environment, scenario, &out->environment);
	strv_copy(&out->environment, &scenario->target_pass);
}

static void add_services(const struct scenario *scenario, struct settings *out)
{
	for (size_t i = 0; i < scenario->n_services; i++) {
		const struct service *service = &scenario->services[i];
		CLEANUP(free_ptr) char *line = line_of(&service->command, &service->environment, scenario);

		strv_pushf(&out->services, "%s: %s", service->name, line);
	}
}

static void add_metrics(const struct scenario *scenario, struct settings *out)
{
	const struct load *load = &scenario->load;

	if (load->as != WORK_UNKNOWN)
		settings_add_figure(out, METRIC_WORK, load->unit, load->work.regex ?: load->work.json,
				    load->as == WORK_RATE ? "rate" : "count");
	for (size_t i = 0; i < scenario->n_metrics; i++) {
		const struct metric *metric = scenario->metrics[i].metric;
		const struct extractor *from = &scenario->metrics[i].extractor;

		settings_add_figure(out, metric->name, metric->label, from->regex ?: from->json,
				    metric->higher_is_better ? "higher" : "lower");
	}
}

static double window_s(const struct scenario *scenario)
{
	if (scenario->target_kind == TARGET_COMMAND || scenario->load.as == WORK_COUNT)
		return 0;
	return (double)scenario->measure.window_ns / 1e9;
}

void plan_settings(const struct scenario *scenario, struct settings *out)
{
	const struct strv none = STRV_INIT;

	*out = (struct settings){
		.setup = line_of(&scenario->setup, &none, scenario),
		.prepare = line_of(&scenario->prepare, &none, scenario),
		.load = line_of(&scenario->load.command, &scenario->load.environment, scenario),
		.cpus = xstrdup(scenario->measure.cpus),
		.aslr_off = scenario->measure.aslr_off,
		.window_s = window_s(scenario),
	};
	settings_add_target(scenario, out);
	strv_copy(&out->events, &scenario->measure.events);
	add_services(scenario, out);
	add_metrics(scenario, out);
}
