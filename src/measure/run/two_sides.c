#include "measure/run/two_sides.h"

#include "base/error.h"
#include "measure/run/loop.h"
#include "scenario/scenario.h"

/* The built-in variables that differ between sides. */
static const char port[] = "${port", folder[] = "${tmp}";

static bool mentions(const char *text, const char *what)
{
	return text && strstr(text, what);
}

/* True if one instance per side can run at the same time. */
static bool service_fits_beside(const struct service *s)
{
	const struct strv *const lists[] = { &s->command.argv, &s->environment, &s->ready.command.argv };
	bool serves_a_port = s->ready.kind == READY_TCP || (s->ready.kind == READY_HTTP && !mentions(s->ready.text, "//unix:/") &&
							    !mentions(s->ready.text, "//unix:${"));
	bool own_port = mentions(s->cwd, port) || mentions(s->ready.text, port);
	bool own_folder = mentions(s->cwd, folder) || mentions(s->ready.text, folder);

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		for (size_t k = 0; k < lists[i]->n; k++) {
			own_port |= mentions(lists[i]->items[k], port);
			own_folder |= mentions(lists[i]->items[k], folder);
		}
	return own_port || (own_folder && !serves_a_port);
}

enum pair_services two_sides_services(const struct scenario *s)
{
	enum target_kind kind = s->target_kind;
	/* True if each side identifies its target differently. */
	bool beside = kind == TARGET_COMMAND || kind == TARGET_SERVICE ||
		      ((kind == TARGET_PORT || kind == TARGET_PIDFILE || kind == TARGET_PROCESS) &&
		       (mentions(s->target_text, port) || mentions(s->target_text, folder)));

	for (size_t i = 0; i < s->n_services; i++)
		beside = beside && service_fits_beside(&s->services[i]);
	if (!s->n_services)
		return PAIR_SERVICES_NONE;
	return beside ? PAIR_SERVICES_BESIDE : PAIR_SERVICES_AFRESH;
}

int two_sides_refuse(const struct scenario *scenario, struct error *err)
{
	enum target_kind kind = scenario->target_kind;

	if (kind == TARGET_COMMAND || kind == TARGET_SERVICE || (scenario->n_services && kind != TARGET_PID))
		return 0;
	return error_set(err, ERR_INPUT,
			 "%s: target.%s runs already, so there is one of it and nothing to compare it with; let a service "
			 "in 'env:' start it, once on each side, and set 'target: { service: NAME }'",
			 scenario->name, target_kind_name(kind));
}
