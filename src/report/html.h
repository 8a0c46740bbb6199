/* What other pages and tests need of the HTML report. */
#ifndef PAWL_REPORT_HTML_H
#define PAWL_REPORT_HTML_H

#include "base/text.h"
#include "model/metric.h"
#include "report/headline.h"

/* The style sheet, which the page holds inline. */
extern const char html_style[];

/* The class of a tone: "bad". */
const char *html_tone(enum tone tone);
/* A command that one click selects. */
void html_command(struct strbuf *out, const char *command);

/*
 * A strip of N values of METRIC, measured in what RUNS calls N of them: a dot each, the first on top, from small at the left
 * to large at the right. BASELINE is a solid line, AT_MOST and AT_LEAST dashed ones around what is tolerated; each may be
 * NaN. The axis holds all of it, and is never narrower than 1 % of the values, so that noise
 * cannot look like a change.
 */
struct html_strip {
	const double *values;
	size_t n;
	const char *runs;
	const struct metric *metric;
	double baseline, at_most, at_least;
	const char *base;	/* what the solid line is called: "baseline" */
};

void html_strip(struct strbuf *out, const struct html_strip *strip);

#endif
