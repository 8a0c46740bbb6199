/* The commands that a report proposes. */
#ifndef PAWL_REPORT_COMMANDS_H
#define PAWL_REPORT_COMMANDS_H

#include "report/document.h"

struct result;
struct scenario_result;
struct strbuf;

/*
 * Commands for the reader to type. Each function appends a shell command line, which the caller escapes for its
 * format.
 */

/* Measures SCENARIO (NULL: all) again, with the options that shaped this result. */
void command_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/*
 * Accepts SCENARIO (NULL: all) as it is now: the runs of RESULT if they can be accepted, otherwise new ones. If there
 * is a baseline, the command has a placeholder for the reason.
 */
void command_accept(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/*
 * The next step for SCENARIO if nothing can be accepted: find the commit that made it slower, or measure enough pairs
 * to decide. May append nothing. Returns the kind of block.
 */
enum block_kind command_next(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);

#endif
