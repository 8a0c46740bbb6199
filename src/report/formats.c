#include <string.h>

#include "report/report.h"

const struct report_format report_formats[] = {
	{ "text", report_text },
	{ "markdown", report_markdown },
	{ "html", report_html },
	{ "json", report_json },
	{ "junit", report_junit },
};

const size_t report_formats_size = sizeof report_formats / sizeof report_formats[0];

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; i < report_formats_size; i++)
		if (!strcmp(report_formats[i].name, name))
			return &report_formats[i];
	return NULL;
}
