/*
 * A cause in words: the function's name and place, and the reason for its higher cost.
 */
#ifndef PAWL_CAUSE_REASON_H
#define PAWL_CAUSE_REASON_H

#include "base/text.h"
#include "cause/suspects.h"
#include "model/cause.h"

/*
 * Returns "find_by_sval (field.c:212)", or "hash (hash.c:3), inlined into find_by_sval," if the change is in inlined
 * code.
 */
const char *reason_name(const struct search *s, const struct suspect *x);
/* Sets CAUSE's function, its place, and the changed line that accounts for it. */
void reason_set_code(const struct search *s, struct cause *cause, const struct suspect *x);
/*
 * Appends how often a system call is made, such as "3 times as often". Begins with "at least" if calls were not counted
 * to the end of the program.
 */
void reason_add_calls(const struct search *s, const struct system_call *now, const struct system_call *was, struct strbuf *out);
/* Appends one clause: why X, whose cost is of KIND, costs more, as far as known. */
void reason_add(const struct search *s, enum cause_kind kind, const struct suspect *x, struct strbuf *out);

#endif
