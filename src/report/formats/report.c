#include "report/formats/report.h"

#include <string.h>

#include "base/mem.h"
#include "report/document.h"
#include "store/store.h"

/* -------- result.json */

void report_json(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(free_ptr) char *text = result_format(result);

	(void)options;
	strbuf_adds(out, text);
}

/* -------- the formats */

const struct report_format report_formats[] = {
	{ "text", report_text },
	{ "markdown", report_markdown },
	{ "html", report_html },
	{ "json", report_json },
	{ "junit", report_junit },
	{ "bmf", report_bmf },
	{ "smaller-is-better", report_smaller },
	{ "bigger-is-better", report_bigger },
	{ "openmetrics", report_openmetrics },
	{ REPORT_TYPED, report_typed },
};

const size_t report_formats_size = sizeof report_formats / sizeof report_formats[0];

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; i < report_formats_size; i++)
		if (!strcmp(report_formats[i].name, name))
			return &report_formats[i];
	return NULL;
}
