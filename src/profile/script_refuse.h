/*
 * What is said of text that perf script has not written: on which line, what stands there, what to give instead. All
 * return -1, with ERR_INPUT.
 */
#ifndef PAWL_PROFILE_SCRIPT_REFUSE_H
#define PAWL_PROFILE_SCRIPT_REFUSE_H

#include "base/error.h"
#include "profile/script_line.h"

/* LINE, the NUMBERth from 1, is neither a sample's header nor a record. */
int script_refuse_line(uint64_t number, struct span line, struct error *err);
/* The sample there was written without FIELDS of perf script -F, "ip". */
int script_refuse_missing(uint64_t number, const char *fields, struct error *err);
/* A NUL byte follows START. */
int script_refuse_nul(uint64_t number, struct span start, struct error *err);
int script_refuse_long(uint64_t number, struct error *err);

#endif
