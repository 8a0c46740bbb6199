/* Causes in words. */
#ifndef PAWL_CAUSE_SENTENCE_H
#define PAWL_CAUSE_SENTENCE_H

#include <stdbool.h>

#include "base/text.h"
#include "cause/blame.h"
#include "cause/ledger/code.h"
#include "cause/ledger/system_calls.h"
#include "model/cause.h"
#include "model/metrics/numbers.h"

struct short_text times_text(double n);	/* "once", "40,000 times" */

/*
 * The parts of a sentence: "LEAD; WHO DOES 1.2 ms more per run FOR, 80 % of the change: REASON; TAIL". All but WHO may
 * be NULL; without DOES there is no amount, and without PART no percentage.
 */
struct words {
	const char *lead, *who, *does, *for_what, *reason, *tail;
	bool part;
};

/* Adds a cause of KIND; the caller sets the other fields. */
struct cause *sentence_add_cause(struct search *s, enum cause_kind kind);
/* Sets CAUSE's amount, at most the change that was asked for, and its part of that. */
void sentence_set_amount(const struct search *s, struct cause *cause, double amount);
/* Sets CAUSE's sentence. Its amount is in METRIC. */
void sentence_set(const struct search *s, struct cause *cause, const struct metric *metric, const struct words *words);

/* Sets the texts and the place of the change that CAUSE rests on. */
void sentence_set_change(const struct search *s, struct cause *cause, const struct change *c);
/*
 * Returns "find_by_sval (field.c:212)", or "hash (hash.c:3), inlined into find_by_sval," if the change is in inlined
 * code. Sets CAUSE's function, its place, and the changed line that accounts for it.
 */
const char *sentence_name_suspect(const struct search *s, struct cause *cause, const struct suspect *x);
/*
 * Returns "page_of (logs.pl:10)" and the number of further places, N in all. Sets CAUSE's place and changed line to C.
 */
const char *sentence_name_change(const struct search *s, struct cause *cause, const struct change *c, size_t n);
/* Appends name and place, as far as known. */
void sentence_add_code(const struct code *code, struct strbuf *out);
/*
 * Appends how often a system call is made, such as "3 times as often". Begins with "at least" if calls were not counted
 * to the end of the program.
 */
void sentence_add_calls(const struct search *s, const struct system_call *now, const struct system_call *was, struct strbuf *out);
/* Appends one clause: why X, whose cost is of KIND, costs more, as far as known. */
void sentence_add_reason(const struct search *s, enum cause_kind kind, const struct suspect *x, struct strbuf *out);

#endif
