/*
 * The commands that a report proposes.
 */
#ifndef PAWL_REPORT_COMMANDS_H
#define PAWL_REPORT_COMMANDS_H

#include "report/document.h"

struct result;
struct scenario_result;
struct strbuf;

/* Commands for the reader to type: each appends a shell command line, which the caller escapes for its format. */

/* Measure SCENARIO (NULL: all) again, with the options that shaped this result. */
void command_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/*
 * Accept SCENARIO (NULL: all) as it is now: the runs of RESULT where they can be accepted as they are, else new ones;
 * with a place for the reason where there is a baseline.
 */
void command_accept(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/*
 * What to do about SCENARIO where nothing can be accepted: find the commit that made it slower, or measure as many
 * pairs as would decide; nothing when there is nothing to do. The kind of block it is.
 */
enum block_kind command_next(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);

#endif
