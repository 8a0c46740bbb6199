/*
 * A result in which no gate was judged proves nothing, and must say so before all else: why it is
 * so, and the command that changes it.
 */
#ifndef PAWL_REPORT_NOTHING_H
#define PAWL_REPORT_NOTHING_H

#include "base/strbuf.h"
#include "model/result.h"

/* The gravest reason; BLAME_NOBODY when something was judged. */
enum blame { BLAME_NOBODY, BLAME_FAILED, BLAME_UNFINISHED, BLAME_NEW, BLAME_NOT_MEASURED, BLAME_NO_GATES };

enum blame nothing_blame(const struct result *result);
/* BLAME, which is somebody, in words that end where the command begins; both are raw text. */
void nothing_explain(const struct result *result, enum blame blame, struct strbuf *why, struct strbuf *command);

/* The first line of why SCENARIO failed, cut short where it is long. */
void nothing_add_failure(struct strbuf *out, const struct scenario_result *scenario);

#endif
