#include "measure/run/loop.h"

/* The built-ins that are others on each side. */
static const char port[] = "${port", folder[] = "${tmp}";

static bool speaks(const char *text, const char *of)
{
	return text && strstr(text, of);
}

static bool any_speaks(const struct strv *texts, const char *of)
{
	for (size_t i = 0; i < texts->n; i++)
		if (speaks(texts->items[i], of))
			return true;
	return false;
}

static bool service_speaks(const struct service *s, const char *of)
{
	return any_speaks(&s->command.argv, of) || any_speaks(&s->environment, of) || speaks(s->cwd, of) ||
	       speaks(s->ready.text, of) || any_speaks(&s->ready.command.argv, of);
}

static bool service_has_a_twin(const struct service *s)
{
	bool serves_a_port = s->ready.kind == READY_TCP || s->ready.kind == READY_HTTP;

	return service_speaks(s, port) || (!serves_a_port && service_speaks(s, folder));
}

/* Whether what the target is found by is another on each side. */
static bool target_has_a_twin(const struct scenario *s)
{
	switch (s->target_kind) {
	case TARGET_COMMAND:
	case TARGET_SERVICE:
		return true;
	case TARGET_PORT:
	case TARGET_PIDFILE:
	case TARGET_PROCESS:
		return speaks(s->target_text, port) || speaks(s->target_text, folder);
	case TARGET_PID:
	case TARGET_CGROUP:
	case TARGET_CONTAINER:
		return false;
	}
	return false;
}

enum pair_services loop_services(const struct scenario *scenario)
{
	if (!scenario->n_services)
		return PAIR_SERVICES_NONE;
	for (size_t i = 0; i < scenario->n_services; i++)
		if (!service_has_a_twin(&scenario->services[i]))
			return PAIR_SERVICES_AFRESH;
	return target_has_a_twin(scenario) ? PAIR_SERVICES_BESIDE : PAIR_SERVICES_AFRESH;
}

int loop_refuse_pairs(const struct scenario *scenario, struct error *err)
{
	enum target_kind kind = scenario->target_kind;

	if (kind == TARGET_COMMAND || kind == TARGET_SERVICE || (scenario->n_services && kind != TARGET_PID))
		return 0;
	return error_set(err, ERR_INPUT,
			 "%s: target.%s runs already, so there is one of it and nothing to compare it with; let a service "
			 "in 'env:' start it, once on each side, and set 'target: { service: NAME }'",
			 scenario->name, target_kind_name(kind));
}
