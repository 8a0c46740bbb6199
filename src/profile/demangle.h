/*
 * Mangled symbols to names, by libiberty: C++, Rust (legacy and v0), D, Ada. Names come from strangers' programs: a
 * short one may stand for gigabytes, so one that comes to more than DEMANGLED_LARGEST is left as it is, as is one longer
 * than MANGLED_LARGEST, and one that libiberty's limit of recursion refuses.
 */
#ifndef PAWL_PROFILE_DEMANGLE_H
#define PAWL_PROFILE_DEMANGLE_H

#include <stdbool.h>

#include "base/text.h"

enum { MANGLED_LARGEST = 8 << 10, DEMANGLED_LARGEST = 16 << 10 };

/* MANGLED, without suffix, appended; false, appending nothing, when it is none of these. */
bool demangle(const char *mangled, struct strbuf *out);
/* The same for what an Ada compiler makes of a name, which looks like any name in C. */
bool demangle_ada(const char *mangled, struct strbuf *out);

#endif
