/* The sentences that every report of a search is made of. They hold foreign text: whoever shows them escapes it. */
#ifndef PAWL_REPORT_BISECTION_WORDS_H
#define PAWL_REPORT_BISECTION_WORDS_H

#include "base/strbuf.h"
#include "gate/bisection.h"
#include "report/standing.h"

/* "FIRST BAD", and behind it what of: "startup is slower since 1a2b3c4d5e6f \"subject\"". */
const char *bisection_word(const struct bisection *bisection);
void bisection_headline(const struct bisection *bisection, struct strbuf *out);
enum tone bisection_tone(const struct bisection *bisection);
/* What follows from it, a sentence an item: what it costs, which part of the whole that is, what to do else. */
void bisection_sentences(const struct bisection *bisection, struct strv *out);
/* "7 comparisons, 96 pairs, 5 min 12 s". */
void bisection_effort(const struct bisection *bisection, struct strbuf *out);
/* "+98.3 % (+91.2 % to +104 %)". */
void bisection_change(const struct bisect_step *step, struct strbuf *out);
/* "v1.0 (1a2b3c4d5e6f)": a commit as it was given. */
void bisection_end(const char *ref, const char *id, struct strbuf *out);
/* The command that measures the change of `found` again, quoted for a shell; nothing without one. */
void bisection_again(const struct bisection *bisection, struct strbuf *out);

#endif
