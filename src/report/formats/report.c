#include "report/formats/report.h"

#include <string.h>

#include "base/mem.h"
#include "store/store.h"

/* -------- result.json */

void report_json(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(free_ptr) char *text = result_format(result);

	(void)options;
	strbuf_adds(out, text);
}

/* -------- the formats */

const char *const report_formats[] = {
	"text", "markdown", "html", "json", "junit", "bmf", "smaller-is-better", "bigger-is-better", "openmetrics", NULL,
};

/* In their order. */
static report_fn *const renderers[] = {
	report_text, report_markdown, report_html, report_json, report_junit, report_bmf, report_smaller, report_bigger, report_openmetrics,
};

report_fn *report_format_find(const char *name)
{
	for (size_t i = 0; report_formats[i]; i++)
		if (!strcmp(report_formats[i], name))
			return renderers[i];
	return NULL;
}
