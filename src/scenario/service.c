#include "scenario/service.h"

#include "scenario/ready.h"
#include "scenario/stop.h"
#include "scenario/values.h"

static const struct field service_items[] = {
	{ "name", .parse = value_name, .offset = offsetof(struct service, name), .required = "a name for the service" },
	{ "command", .parse = value_command, .offset = offsetof(struct service, command),
	  .required = "the command that starts it and stays" },
	{ "environment", .parse = value_environment, .offset = offsetof(struct service, environment) },
	{ "cwd", .parse = value_expanded, .offset = offsetof(struct service, cwd) },
	{ "user", .parse = value_user, .offset = offsetof(struct service, user) },
	{ "ready", .nested = &ready_fields, .parse = ready_check, .offset = offsetof(struct service, ready) },
	{ "stop", .nested = &stop_fields, .parse = stop_check, .offset = offsetof(struct service, stop) },
};

const struct fields service_fields = FIELDS(service_items);

/* A service with faults is kept when it has its name, so that a target that names it is no second fault. */
static int add_service(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct scenario *scenario = out;
	struct service service = { .line = node->at.line };
	const struct service *twin;
	int ret;

	ready_init(&service.ready);
	stop_init(&service.stop);
	ret = fields_parse(source, node, &service_fields, &service);
	if (!service.name)
		return -1;
	twin = scenario_service(scenario, service.name);
	if (twin)
		return source_fault(source, node->at, "another service is called '%s', on line %u; rename one",
				    service.name, twin->line);
	ARENA_GROW(source->arena, scenario->services, scenario->n_services, scenario->cap_services);
	scenario->services[scenario->n_services++] = service;
	return ret;
}

int services_parse(struct source *source, const struct node_entry *entry, void *out)
{
	return fields_each(source, &entry->value, "services", SCENARIO_SERVICES_MAX, add_service, out);
}

const struct service *scenario_service(const struct scenario *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->n_services; i++)
		if (!strcmp(scenario->services[i].name, name))
			return &scenario->services[i];
	return NULL;
}
