/*
 * The commands a report tells its reader to type: how to see the same thing again, how to accept
 * it. Each appends one shell command line; the words come from a result, so they are quoted, but
 * the caller still escapes the line for its format.
 */
#ifndef PAWL_REPORT_COMMANDS_H
#define PAWL_REPORT_COMMANDS_H

#include "base/text.h"
#include "model/result.h"

/* Measure SCENARIO (NULL: all) again, with the options that shaped this result. */
void command_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/*
 * Accept SCENARIO (NULL: all) as it is now: the runs of RESULT where they can be accepted as they are, else new ones; with a
 * place for the reason where there is a baseline.
 */
void command_accept(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/*
 * What to do about SCENARIO where nothing can be accepted: find the commit that made it slower, or measure as many pairs as
 * would decide. What it does, in a word or two; NULL when there is nothing to do.
 */
const char *command_next(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);

#endif
