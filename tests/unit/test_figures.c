/* Every format prints the same figures: those of a row of the table of gates. */
#include "unit.h"

#include "model/result.h"
#include "report/columns.h"
#include "report/document.h"
#include "report/formats/report.h"
#include "report_samples.h"

enum { BASE_AT = 1, HEAD_AT, CHANGE_AT };

static const struct format {
	const char *name;
	report_fn *render;
	unsigned reader;
	bool all; /* also gates that passed */
} formats[] = {
	{ "text", report_text, FOR_TEXT, false },
	{ "text -v", report_text, FOR_VERBOSE, true },
	{ "markdown", report_markdown, FOR_MARKDOWN, false },
	{ "html", report_html, FOR_HTML, true },
	{ "junit", report_junit, FOR_JUNIT, false },
};

static void check_row(const struct format *format, const char *out, const struct document_row *row)
{
	static const size_t figures[] = { HEAD_AT, CHANGE_AT };
	/* A terminal shows the value and the limit of a broken budget, not its change. */
	size_t n = format->all || row->gate->gate.relative ? 2 : 1;

	if (!format->all && row->severity != SEVERITY_REGRESSION)
		return;
	for (size_t i = 0; i < n; i++) {
		const char *cell = row->cells[figures[i]], *spread = strstr(cell, " \u00b1");
		CLEANUP(free_ptr) char *figure = xstrndup(cell, spread ? (size_t)(spread - cell) : strlen(cell));

		if (strcmp(figure, "-") && !strstr(out, figure))
			fail_msg("%s lacks '%s' of %s\n%s", format->name, figure, row->cells[0], out);
	}
}

static void check_sample(const struct sample *sample, const struct format *format)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct report_options options = { .verbose = format->reader == FOR_VERBOSE, .whole = true, .width = 1000 };

	sample->fill(&result);
	format->render(&result, &options, &out);
	for (size_t i = 0; i < result.n_scenarios; i++) {
		const struct document_table *gates = columns_of_gates(&arena, &result.scenarios[i], FOR_VERBOSE);

		for (size_t k = 0; gates && k < gates->n; k++)
			if (gates->rows[k].gate)
				check_row(format, out.buf, &gates->rows[k]);
	}
}

TEST(test_every_format_prints_them)
{
	for (size_t i = 0; i < SAMPLES; i++)
		for (size_t k = 0; k < sizeof formats / sizeof formats[0] && samples[i].fill != sample_hostile; k++)
			check_sample(&samples[i], &formats[k]);
}
