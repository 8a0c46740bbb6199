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

/* The sentences that every report of a search is made of. They hold foreign text: whoever shows them escapes it. */

/* "FIRST BAD", and behind it what of: "startup is slower since 1a2b3c4d5e6f \"subject\"". */
const char *bisection_word(const struct bisection *bisection);
void bisection_headline(const struct bisection *bisection, struct strbuf *out);
enum tone bisection_tone(const struct bisection *bisection);

#endif
