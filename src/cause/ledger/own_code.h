/*
 * Decides which code is the project's own: programs that the project builds, or its scripts. Code in system folders
 * (libc, the kernel, an interpreter) is foreign, and named as its callers know it.
 */
#ifndef PAWL_CAUSE_LEDGER_OWN_CODE_H
#define PAWL_CAUSE_LEDGER_OWN_CODE_H

#include <stdbool.h>

#include "base/text.h"

/* Defines the project's own code. */
struct own_code {
	const char *root;	/* the project's tree on this side; everything below it is own; or NULL */
	const char *program;	/* path of the measured program, which is always own; or NULL */
	const struct strv *linked;	/* library functions in it, as from name_comparable(); may be NULL */
	const struct strv *patterns;	/* globs on paths and base names that the project sets (`own-code:`); may be NULL */
};

/*
 * True if PATH, an executable, library or script, is own: below root, or outside system folders. Exception: folders of
 * package managers are foreign even there. `program` and `patterns` make a path own wherever it is. False for code
 * without a file: the kernel, "[vdso]", code generated at run time.
 */
bool own_code_has(const struct own_code *own, const char *path);
/*
 * True if a function in PATH is own; SHOWN is its name from name_shown(). The language's libraries and start-up code
 * are foreign even when linked into an own program. The C library is foreign, too, unless debug information gives its
 * source (HAS_SOURCE).
 */
bool own_code_has_function(const struct own_code *own, const char *path, const char *shown, bool has_source);

/*
 * Appends the name that callers use for SYMBOL: "strcmp" for "__strcmp_evex" and "strcmp@plt", "memcpy" for
 * "__memmove_avx_unaligned_erms" (which implements both), "malloc" for "__libc_malloc", "[page fault]" for
 * "asm_exc_page_fault", "std::vector::push_back" for each instantiation.
 */
void foreign_name(const char *symbol, struct strbuf *out);
/* True if a foreign function belongs to the malloc family. SHOWN is its name from name_shown(). */
bool foreign_allocates(const char *shown);
/* True if it is one of them that frees. */
bool foreign_frees(const char *shown);

#endif
