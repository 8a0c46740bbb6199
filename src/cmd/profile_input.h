/*
 * A profile from a file or standard input, whatever form it has: folded stacks, the text of perf script, or a recording,
 * which perf reads. The form is told from the bytes.
 */
#ifndef PAWL_CMD_PROFILE_INPUT_H
#define PAWL_CMD_PROFILE_INPUT_H

#include "base/error.h"
#include "profile/stacks.h"

/*
 * Read PATH ("-": standard input) into *OUT, names resolved. ERR_INPUT, with the path, when it is no profile or holds no sample;
 * ERR_SYSTEM when it cannot be read, or perf is missing or fails.
 */
int profile_input_read(const char *path, struct stacks *out, struct error *err);

#endif
