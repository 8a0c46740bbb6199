/*
 * What counts as the project's own code: what the project builds, or its scripts. What lies in the system's folders (libc, the
 * kernel, an interpreter) is foreign.
 */
#ifndef PAWL_CAUSE_OWN_CODE_H
#define PAWL_CAUSE_OWN_CODE_H

#include <stdbool.h>

#include "base/text.h"

/* What counts as the project's own. */
struct own_code {
	const char *root;	/* folder of the project's tree on this side; what lies below it is own; or NULL */
	const char *program;	/* path of the program that is measured: own where nothing else is; or NULL */
	const struct strv *linked;	/* functions in it that are a library's, as name_comparable() has them; may be NULL */
	const struct strv *patterns;	/* globs on paths and base names that the project names itself (`own:`); may be NULL */
};

/*
 * True for PATH of an executable, library or script below root, or in no folder of the system's or of a package manager's; of
 * what `program` and `patterns` say, wherever it lies. False for code that has no file: the kernel, "[vdso]", what was made at
 * run time.
 */
bool own_code_has(const struct own_code *own, const char *path);
/*
 * The same of a function, SHOWN by name_shown(), in PATH: libraries of the language, start-up code and, unless debug information
 * HAS its SOURCE, the C library are foreign although a program was linked with them.
 */
bool own_code_has_function(const struct own_code *own, const char *path, const char *shown, bool has_source);

#endif
