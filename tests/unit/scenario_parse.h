/* Parses scenarios from text, for tests of their parts and for tables of faults. */
#ifndef PAWL_TESTS_SCENARIO_PARSE_H
#define PAWL_TESTS_SCENARIO_PARSE_H

#include "scenario/scenario.h"

#define S 1000000000ull
#define PATH "scenarios/http.yaml"
#define HEAD "version: 1\ntarget: { command: ./prog }\n"

static struct scenario_defaults defaults;

static int set_up(void **state)
{
	scenario_defaults_init(&defaults);
	return 0;
}

static int tear_down(void **state)
{
	scenario_defaults_release(&defaults);
	return 0;
}

static inline struct scenario parse_under(const struct scenario_defaults *under, const char *text)
{
	struct diags diags = DIAGS_INIT;
	struct strbuf shown = STRBUF_INIT;
	struct scenario scenario;

	if (scenario_parse(text, strlen(text), PATH, under, &scenario, &diags) < 0) {
		diags_render(&diags, &shown);
		fail_msg("expected no fault in\n%s\n%s", text, shown.buf);
	}
	assert_int_equal(diags.n, 0);
	return scenario;
}

static inline struct scenario parse_good(const char *text)
{
	return parse_under(&defaults, text);
}

/* Fills CONFIG from the text of a pawl.yaml. */
static inline void parse_config(const char *text, struct config *config)
{
	struct diags diags = DIAGS_INIT;

	config_init(config);
	assert_int_equal(config_parse(text, strlen(text), "pawl.yaml", config, &diags), 0);
}

/* Parses HEAD and TEXT under a pawl.yaml. */
static inline struct scenario parse_layers(const char *config_text, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf whole = STRBUF_INIT;
	CLEANUP(config_release) struct config config;

	parse_config(config_text, &config);
	strbuf_addf(&whole, "%s%s", HEAD, text);
	return parse_under(&config.defaults, whole.buf);
}

/* Checks that LINES stand in what `pawl check --explain` prints of HEAD and TEXT. NULL: any may. */
static inline void check_explained(const char *config_text, const char *head, const char *text, const char *lines)
{
	CLEANUP(strbuf_release) struct strbuf whole = STRBUF_INIT, shown = STRBUF_INIT;
	CLEANUP(scenario_release) struct scenario s = { 0 };
	CLEANUP(config_release) struct config config;

	parse_config(config_text, &config);
	strbuf_addf(&whole, "%s%s", head, text);
	s = parse_under(&config.defaults, whole.buf);
	scenario_explain(&s, &config.defaults, &shown);
	if (lines && !strstr(shown.buf, lines))
		fail_msg("%s\nexpected:\n%s\nfound:\n%s", whole.buf, lines, shown.buf);
}

struct good {
	const char *text, *lines;
};

#define CHECK_GOOD(head, cases) \
	for (size_t i = 0; i < sizeof (cases) / sizeof *(cases); i++) \
		check_explained("", head, (cases)[i].text, (cases)[i].lines)

/* The same under a pawl.yaml. */
struct layered {
	const char *config, *text, *lines;
};

#define CHECK_LAYERED(head, cases) \
	for (size_t i = 0; i < sizeof (cases) / sizeof *(cases); i++) \
		check_explained((cases)[i].config, head, (cases)[i].text, (cases)[i].lines)

/* Returns the faults without their source lines, one per line. The caller frees the string. */
static inline char *parse_bad_bytes(const char *text, size_t len, const char *path)
{
	struct diags diags = DIAGS_INIT;
	struct strbuf shown = STRBUF_INIT;
	struct scenario scenario;

	if (!scenario_parse(text, len, path, &defaults, &scenario, &diags))
		fail_msg("expected a fault in\n%s", text);
	assert_true(diags.n > 0);
	for (size_t i = 0; i < diags.n; i++) {
		free(diags.items[i].source);
		diags.items[i].source = NULL;
	}
	diags_render(&diags, &shown);
	diags_release(&diags);
	return strbuf_take(&shown);
}

static inline void assert_bad_bytes(const char *text, size_t len, const char *faults)
{
	CLEANUP(free_ptr) char *shown = parse_bad_bytes(text, len, PATH);

	assert_string_equal(shown, faults);
}

struct bad {
	const char *text, *faults;	/* each fault as "LINE:COLUMN: message\n" */
};

static inline void check_bad(const char *head, const struct bad *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, expected = STRBUF_INIT;
		const char *p = cases[i].faults;
		char *shown;

		strbuf_addf(&text, "%s%s", head, cases[i].text);
		for (size_t len; *p; p += len) {
			len = strcspn(p, "\n") + 1;
			strbuf_addf(&expected, PATH ":%.*s", (int)len, p);
		}
		shown = parse_bad_bytes(text.buf, text.len, PATH);
		if (strcmp(shown, expected.buf))
			fail_msg("%s\nexpected: %sfound: %s", text.buf, expected.buf, shown);
		free(shown);
	}
}

#define CHECK_BAD(head, cases) check_bad(head, cases, sizeof (cases) / sizeof *(cases))

#endif
