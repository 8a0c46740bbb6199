/*
 * Stacks as a profile of pprof, for `go tool pprof` and what else reads its files: a gzipped protobuf of profile.proto
 * (https://github.com/google/pprof/blob/main/proto/profile.proto). Equal stacks give equal bytes.
 *
 * The sample types are "samples", a count, and one for each event: in nanoseconds for clocks and waits, in bytes for
 * memory, otherwise a count. Each stack is a sample with the label "thread", if its thread has a name. Each frame is a
 * function and a location. Each file is a mapping; the kernel's is called "[kernel.kallsyms]". There are no addresses,
 * lines or times, since stacks have none. Names are those of folded text, in valid UTF-8.
 *
 * Values are whole numbers. Decimal weights are rounded so that an event's values still add up to its rounded weight.
 */
#ifndef PAWL_PROFILE_FORMATS_PPROF_H
#define PAWL_PROFILE_FORMATS_PPROF_H

#include "base/text.h"
#include "profile/stacks.h"

/* Appends to OUT. STACKS have names from names_resolve(). TITLE becomes a comment of the profile. */
void pprof_write(const struct stacks *stacks, const char *title, struct strbuf *out);

#endif
