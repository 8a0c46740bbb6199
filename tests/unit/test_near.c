/* A near miss of any name that a scenario or pawl.yaml can have is answered by the name that was meant. */
#include "unit.h"

#include "scenario/scenario.h"
#include "scenario/yaml.h"

#include "scenario_parse.h"

FIXTURE(set_up, tear_down);

/* Returns NAME with two neighbours swapped, for free(); NULL if none differ. */
static char *misspell(const char *name)
{
	char *out = xstrdup(name);

	for (char *p = out + 1; *p && p[1]; p++)
		if (p[0] != p[1]) {
			char first = p[0];

			p[0] = p[1];
			p[1] = first;
			return out;
		}
	free(out);
	return NULL;
}

static void check_asks(const struct diags *diags, const char *wrong, const char *right)
{
	CLEANUP(free_ptr) char *question = text_printf("'%s'; did you mean '%s'?", wrong, right);

	for (size_t i = 0; i < diags->n; i++)
		if (strstr(diags->items[i].message, question))
			return;
	fail_msg("%s: %s", question, diags->n ? diags->items[0].message : "no fault");
}

/* Returns the number of keys checked: those of FIELDS and of what is below. */
static size_t check_keys(const struct fields *fields)
{
	size_t n = 0;

	for (size_t i = 0; i < fields->n; i++) {
		const char *key = fields->items[i].key;
		CLEANUP(free_ptr) char *wrong = misspell(key), *text = wrong ? text_printf("%s: x\n", wrong) : NULL;
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;
		CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
		CLEANUP(source_release) struct source source = SOURCE_INIT("x.yaml", text, text ? strlen(text) : 0, &arena, &diags);
		static uint64_t record[4096];
		struct node root;

		if (fields->items[i].object)
			n += check_keys(fields->items[i].object);
		if (!wrong)
			continue;
		n++;
		assert_int_equal(node_read(&source, &root), 0);
		fields_parse(&source, &root, fields, record);
		check_asks(&diags, wrong, key);
	}
	return n;
}

TEST(every_key)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct fields *definitions = gates_definitions(&arena);

	assert_in_range(check_keys(&scenario_fields), 80, 1000);
	assert_in_range(check_keys(&config_fields), 20, 1000);
	for (size_t i = 0; i < definitions->n; i++)
		if (definitions->items[i].object && strcmp(definitions->items[i].key, "gates"))
			check_keys(definitions->items[i].object);
}

static void check_scenario(const char *format, const char *name)
{
	CLEANUP(free_ptr) char *wrong = misspell(name), *text = NULL;
	CLEANUP(strbuf_release) struct strbuf whole = STRBUF_INIT;
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	const char *at = strstr(format, "NAME");
	struct scenario scenario;

	assert_non_null(wrong);
	strbuf_addf(&whole, "%.*s%s%s", (int)(at - format), format, wrong, at + strlen("NAME"));
	assert_int_equal(scenario_parse(whole.buf, whole.len, "x.yaml", &defaults, &scenario, &diags), -1);
	check_asks(&diags, wrong, name);
}

TEST(every_metric)
{
	for (size_t i = 0; i < metric_catalogue_size; i++)
		check_scenario("target: x\ngates: { NAME: 5% }\n", metric_catalogue[i].name);
	check_scenario("target: x\ngates: { NAME: 5% }\n", "symbols");
	check_scenario("target: x\ngates: { NAME: [] }\n", "budgets");
	check_scenario("target: x\nmeasure: { events: [cache-references] }\ngates: { NAME: 5% }\n", "cache-references");
	check_scenario("target: x\nmetrics: [{ name: p99-latency, json: a, better: lower }]\ngates: { NAME: 5% }\n", "p99-latency");
}

TEST(every_other_name)
{
	static const char *const limits[] = { "core", "cpu", "data", "fsize", "memlock", "nofile", "nproc", "stack", NULL };

	check_scenario("env: [{ name: redis, command: x }]\ntarget: { service: NAME }\n", "redis");
	check_scenario("env: [{ name: redis, command: x }]\ntarget: { service: [NAME] }\n", "redis");
	check_scenario("vars: { level: 6 }\ntarget: ./prog ${NAME}\n", "level");
	check_scenario("target: ./prog ${NAME}\n", "scenario_dir");
	for (const char *const *limit = limits; *limit; limit++)
		check_scenario("target: { service: a }\nenv: [{ name: a, command: x, limits: { NAME: 1 } }]\n", *limit);
}

/* Other spellings of the same words. */
TEST(other_spellings)
{
	static const struct { const char *text, *question; } cases[] = {
		{ "Target: x\n", "'Target'; did you mean 'target'?" },
		{ "target: x\nMEASURE: {}\n", "'MEASURE'; did you mean 'measure'?" },
		{ "target: { command: x, pass_env: [A] }\n", "'pass_env'; did you mean 'pass-env'?" },
		{ "target: x\nprofile: { callGraph: fp }\n", "'callGraph'; did you mean 'call-graph'?" },
		{ "target: x\ngates: { cpu_time: 5% }\n", "'cpu_time'; did you mean 'cpu-time'?" },
		{ "target: x\ngates: { CPU-Time: 5% }\n", "'CPU-Time'; did you mean 'cpu-time'?" },
		{ "target: x\ngates: { IPC: 5% }\n", "'IPC'; did you mean 'ipc'?" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
		struct scenario scenario;

		assert_int_equal(scenario_parse(cases[i].text, strlen(cases[i].text), "x.yaml", &defaults, &scenario, &diags), -1);
		if (!strstr(diags.items[0].message, cases[i].question))
			fail_msg("expected %s, found %s", cases[i].question, diags.items[0].message);
	}
}
