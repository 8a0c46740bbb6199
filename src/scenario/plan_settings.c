/* What a baseline keeps of a scenario: what must be the same for numbers to be comparable. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "model/settings_metrics.h"
#include "scenario/command.h"
#include "scenario/plan.h"

static void add_target(const struct scenario *scenario, struct settings *out)
{
	const struct command *command = scenario_target_command(scenario);
	const struct service *service = NULL;

	strv_copy(&out->command, &command->argv);
	if (!command->argv.n) {
		strv_push(&out->command, target_kind_name(scenario->target_kind));
		strv_push(&out->command, scenario->target_text);
	}
	if (scenario->target_kind == TARGET_SERVICE)
		service = scenario_service(scenario, scenario->target_text);
	strv_copy(&out->environment, service ? &service->environment : &scenario->target_environment);
}

static void add_services(const struct scenario *scenario, struct settings *out)
{
	for (size_t i = 0; i < scenario->n_services; i++) {
		CLEANUP(free_ptr) char *command = command_text(&scenario->services[i].command);

		strv_pushf(&out->services, "%s: %s", scenario->services[i].name, command);
	}
}

static void add_figure(const char *name, const char *unit, const struct figure *figure, const char *how,
		       struct settings *out)
{
	settings_add_figure(out, name, unit, figure->regex ?: figure->json, how);
}

static void add_metrics(const struct scenario *scenario, struct settings *out)
{
	const struct load *load = &scenario->load;

	if (load->as != WORK_UNKNOWN)
		add_figure(METRIC_WORK, load->unit, &load->work, load->as == WORK_RATE ? "rate" : "count", out);
	for (size_t i = 0; i < scenario->n_metrics; i++) {
		const struct metric *metric = scenario->metrics[i].metric;

		add_figure(metric->name, metric->label, &scenario->metrics[i].figure,
			   metric->higher_is_better ? "higher" : "lower", out);
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
	*out = (struct settings){
		.setup = command_text(&scenario->setup),
		.prepare = command_text(&scenario->prepare),
		.load = command_text(&scenario->load.command),
		.cpus = xstrdup(scenario->measure.cpus),
		.aslr_off = scenario->measure.aslr_off,
		.window_s = window_s(scenario),
	};
	add_target(scenario, out);
	strv_copy(&out->events, &scenario->measure.events);
	add_services(scenario, out);
	add_metrics(scenario, out);
}
