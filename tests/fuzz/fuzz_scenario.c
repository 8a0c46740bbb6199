/* Scenarios and pawl.yaml: the bytes are read as both, and an accepted scenario is planned. */
#include "model/baseline.h"
#include "scenario/scenario.h"
#include "fuzz.h"

static int give_port(void *ctx, const char *name, struct error *err)
{
	(void)ctx;
	(void)name;
	(void)err;
	return 4000;
}

static void plan(const struct scenario *scenario)
{
	const struct plan_context context = {
		.root = "/p", .scenario_dir = "/p/s", .out = "/p/o", .tmp = "/t", .port = give_port,
	};
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct settings settings;
	struct plan plan;

	/* scenario_parse() guarantees that every name is known. */
	if (plan_build(scenario, &context, &plan, NULL) < 0)
		abort();
	plan_release(&plan);
	plan_settings(scenario, &arena, &settings);
}

/* What is printed with every default reads back. */
static void explain(const struct scenario *scenario, const struct scenario_defaults *defaults)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct scenario again;

	scenario_explain(scenario, defaults, &text);
	if (scenario_parse(text.buf, text.len, "s.yaml", defaults, &again, &diags) < 0)
		abort();
	scenario_release(&again);
}

/* True if DATA has nested repeats: the C library expands them, so their author decides how much memory they take. */
static bool repeats(const uint8_t *data, size_t size)
{
	for (size_t i = 1; i < size; i++)
		if ((data[i - 1] == '{' && data[i] >= '0' && data[i] <= '9') ||
		    (data[i - 1] && data[i] && strchr("*+?)", data[i - 1]) && strchr("*+?", data[i])))
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diags diags = DIAGS_INIT;
	struct strbuf shown = STRBUF_INIT;
	struct config config;
	struct scenario scenario;

	if (repeats(data, size))
		return 0;
	config_init(&config);
	if ((config_parse((const char *)data, size, "pawl.yaml", &config, &diags) < 0) != (diags.n > 0))
		abort();
	diags_render(&diags, &shown);
	diags_release(&diags);
	if (!scenario_parse((const char *)data, size, "s.yaml", &config.defaults, &scenario, &diags)) {
		plan(&scenario);
		if (size < 1000)	/* longer keys are written in another way */
			explain(&scenario, &config.defaults);
		scenario_release(&scenario);
	} else if (!diags.n) {
		abort();
	}
	diags_render(&diags, &shown);
	diags_release(&diags);
	strbuf_release(&shown);
	config_release(&config);
	return 0;
}
