/*
 * GitHub's workflow commands: what failed as errors, what is in doubt as warnings, at the line of
 * the scenario that holds the gate. They go to standard output of a step.
 */
#ifndef PAWL_REPORT_ANNOTATIONS_H
#define PAWL_REPORT_ANNOTATIONS_H

#include "base/text.h"
#include "model/result.h"

/* GitHub shows so many of a kind and silently drops the others of a step. */
enum { ANNOTATIONS_MAX = 10 };

/* At most ANNOTATIONS_MAX errors and as many warnings; the last of each counts those left out. */
void report_annotations(const struct result *result, struct strbuf *out);

#endif
