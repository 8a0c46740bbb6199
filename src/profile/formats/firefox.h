/*
 * Stacks as a profile of the Firefox Profiler (https://profiler.firefox.com), in version 70 of its processed format:
 * docs-developer/CHANGELOG-formats.md and src/types/profile.ts of https://github.com/firefox-devtools/profiler. Later
 * versions read it. All names are inside, so it opens without symbols. Equal stacks give equal bytes.
 *
 * Each thread of the stacks is a thread. Each frame is a function of category "User", "Kernel" or, without a known
 * file and symbol, "Other". Each file is a resource and a library. The weights are the stacks': milliseconds for clocks
 * and waits, bytes for memory, otherwise numbers that the viewer calls samples.
 *
 * Stacks have no times. A thread's samples follow one another, each as long as it weighs, or one millisecond a sample.
 */
#ifndef PAWL_PROFILE_FORMATS_FIREFOX_H
#define PAWL_PROFILE_FORMATS_FIREFOX_H

#include "base/text.h"
#include "profile/stacks.h"

/* Appends to OUT. STACKS have one event, and names from names_resolve(). */
void firefox_write(const struct stacks *stacks, const char *title, struct strbuf *out);

#endif
