/*
 * A cause in words: the function's name and place, and why it costs more.
 */
#ifndef PAWL_CAUSE_REASON_H
#define PAWL_CAUSE_REASON_H

#include "base/text.h"
#include "cause/suspects.h"
#include "model/cause.h"

/* "find_by_sval (field.c:212)"; "hash (hash.c:3), inlined into find_by_sval," where the change is in what was inlined. */
const char *reason_name(const struct search *s, const struct suspect *x);
/* Which function CAUSE names, where it is, and the changed line that it rests on. */
void reason_set_code(const struct search *s, struct cause *cause, const struct suspect *x);
/* "3 times as often", "40,000 times instead of 12". */
void reason_add_times(struct strbuf *out, double before, double now);
/* The same of a system call; what was not counted to the end of the program is "at least" that. */
void reason_add_calls(const struct search *s, const struct system_call *now, const struct system_call *was, struct strbuf *out);
/* Why X, whose cost is of KIND, costs more, as far as that is known: one clause. */
void reason_add(const struct search *s, enum cause_kind kind, const struct suspect *x, struct strbuf *out);


#endif
