#include "scenario/plan.h"

#include "base/cleanup.h"
#include "scenario/plan_service.h"

bool plan_attaches(const struct plan *plan)
{
	return plan->scenario->target_kind != TARGET_COMMAND;
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

/* The target is what one of the services runs. */
static void take_over_service(const struct plan_service *service, struct plan *out)
{
	arena_push_all(&out->arena, &out->target, &service->command);
	arena_push_all(&out->arena, &out->environment, &service->environment);
	out->cwd = service->cwd;
}

static int add_target(const struct plan_builder *builder, struct plan *out, struct error *err)
{
	const struct scenario *scenario = builder->scenario;
	size_t i = 0;

	if (plan_path(builder, "target.cwd", scenario->target_cwd, &out->cwd, err) < 0)
		return -1;
	if (scenario->target_kind == TARGET_PIDFILE)
		return plan_path(builder, "target.pidfile", scenario->target_text, &out->attach, err);
	if (scenario->target_kind != TARGET_SERVICE)
		return plan_text(builder, "target", scenario->target_text, &out->attach, err);
	while (strcmp(out->services[i].service->name, scenario->target_text))
		i++;
	take_over_service(&out->services[i], out);
	out->attach = arena_strdup(&out->arena, scenario->target_text);
	return 0;
}

int plan_build(const struct scenario *scenario, const struct plan_context *context, struct plan *out,
	       struct error *err)
{
	CLEANUP(plan_release) struct plan plan = { .scenario = scenario };
	const struct plan_builder builder = { scenario, context, &plan.arena, "" };

	plan.root = arena_strdup(&plan.arena, context->root);
	if (add_commands(&builder, &plan, err) < 0 || plan_services(&builder, &plan, err) < 0 ||
	    add_target(&builder, &plan, err) < 0)
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
