/*
 * What a search for the first commit that is slower has found: as text for a terminal, as Markdown, and as a section of an
 * HTML page. All append to OUT, escape whatever came from outside, and judge nothing.
 */
#ifndef PAWL_REPORT_BISECTION_H
#define PAWL_REPORT_BISECTION_H

#include "base/text.h"
#include "judge/bisect.h"
#include "report/headline.h"
#include "report/report.h"

void bisection_text(const struct bisection *bisection, const struct report_options *options, struct strbuf *out);
void bisection_html(const struct bisection *bisection, struct strbuf *out);
void bisection_markdown(const struct bisection *bisection, struct strbuf *out);

/* Puts what was searched for before the other parts of HEADLINE, that of the comparison that the search ended with. */
void bisection_lead(const struct bisection *bisection, struct headline *headline);

#endif
