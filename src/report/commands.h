/*
 * The commands that a report proposes.
 */
#ifndef PAWL_REPORT_COMMANDS_H
#define PAWL_REPORT_COMMANDS_H

#include "report/document.h"

struct result;
struct scenario_result;
struct strbuf;

/* Each appends a shell command line, which the caller escapes for its format. */

/* Measures SCENARIO (NULL: all) again, with the options that shaped this result. */
void command_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/* Accepts SCENARIO (NULL: all): the runs of RESULT if they can be, else new ones. A placeholder asks for a reason. */
void command_accept(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/* If nothing can be accepted: find the commit, or measure enough pairs; or nothing. Returns the kind of block. */
enum block_kind command_next(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);

#endif
