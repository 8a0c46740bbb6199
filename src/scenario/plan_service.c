#include "scenario/plan_service.h"

static int add_ready(const struct plan_builder *builder, const struct ready *ready, struct plan_service *out,
		     struct error *err)
{
	int (*text)(const struct plan_builder *, const char *, const char *, char **, struct error *) = plan_text;

	if (ready->kind == READY_FILE)
		text = plan_path;
	if (text(builder, "ready", ready->text, &out->ready_text, err) < 0 ||
	    plan_text(builder, "ready.body", ready->body, &out->ready_body, err) < 0)
		return -1;
	return plan_list(builder, "ready.command", &ready->command.argv, &out->ready, err);
}

static int add_service(const struct plan_builder *builder, const struct service *service, struct plan_service *out,
		       struct error *err)
{
	out->service = service;
	if (plan_list(builder, "command", &service->command.argv, &out->command, err) < 0 ||
	    plan_list(builder, "environment", &service->environment, &out->environment, err) < 0 ||
	    plan_list(builder, "stop.command", &service->stop.command.argv, &out->stop, err) < 0 ||
	    plan_path(builder, "cwd", service->cwd, &out->cwd, err) < 0)
		return -1;
	return add_ready(builder, &service->ready, out, err);
}

int plan_services(const struct plan_builder *builder, struct plan *out, struct error *err)
{
	const struct scenario *scenario = builder->scenario;

	out->services = arena_alloc(&out->arena, scenario->n_services * sizeof *out->services);
	out->n_services = scenario->n_services;
	for (size_t i = 0; i < scenario->n_services; i++) {
		const struct service *service = &scenario->services[i];
		struct plan_builder inner = *builder;

		inner.prefix = arena_printf(builder->arena, "env.%s.", service->name);
		if (add_service(&inner, service, &out->services[i], err) < 0)
			return -1;
	}
	return 0;
}
