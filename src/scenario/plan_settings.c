/* What a baseline keeps of a scenario: what must be the same for numbers to be comparable. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "model/settings_metrics.h"
#include "scenario/command.h"
#include "scenario/expand.h"
#include "scenario/plan.h"

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

static void add_target(const struct scenario *scenario, struct settings *out)
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
	const struct strv none = STRV_INIT;

	*out = (struct settings){
		.setup = line_of(&scenario->setup, &none, scenario),
		.prepare = line_of(&scenario->prepare, &none, scenario),
		.load = line_of(&scenario->load.command, &scenario->load.environment, scenario),
		.cpus = xstrdup(scenario->measure.cpus),
		.aslr_off = scenario->measure.aslr_off,
		.window_s = window_s(scenario),
	};
	add_target(scenario, out);
	strv_copy(&out->events, &scenario->measure.events);
	add_services(scenario, out);
	add_metrics(scenario, out);
}
