/* Names of symbols: for people, and to compare by. */
#ifndef PAWL_PROFILE_NAMES_H
#define PAWL_PROFILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "profile/stacks.h"

/*
 * Symbol names: for people (demangled, complete) and for comparison. libiberty demangles C++, Rust (legacy and v0)
 * and D, and Ada in files that contain Ada's run-time. The comparable name omits what differs between two builds of
 * the same code:
 *	a Rust hash ("::h" and 16 hex digits)
 *	".constprop.N .isra.N .part.N .cold .llvm.N .lto_priv.N" and "[clone ...]"
 *	a symbol version ("@@GLIBC_2.34")
 *	a script engine's tier mark, folder and line ("LazyCompile:*f /srv/x.js:10:5"; unnamed functions keep the line)
 *	numbers of Java and .NET ("App$$Lambda$14/0x800c03000.apply" is "App$$Lambda.apply", "$Proxy12", "f[Tier0]", "f_[j]")
 *	addresses
 * The kernel's scheduler, interrupt, tick and RCU symbols share one name: "[kernel]".
 */

/*
 * Names are foreign, and a short one may expand to gigabytes. Names stay mangled if the result would exceed
 * DEMANGLED_LARGEST, if they exceed MANGLED_LARGEST, or if they reach libiberty's recursion limit.
 */
enum { MANGLED_LARGEST = 8 << 10, DEMANGLED_LARGEST = 16 << 10 };

enum { NORMALISER_VERSION = 3 };	/* raised with every change to comparable names */

/* Appends RAW demangled, or unchanged if it is not mangled. ADA: RAW is from a file that contains Ada. */
void name_shown(const char *raw, bool ada, struct strbuf *out);
/* Appends the comparable name of SHOWN, found in DSO (a path as perf writes it). */
void name_comparable(const char *shown, const char *dso, struct strbuf *out);
/* The start of a script function, from its name. */
struct script_place {
	const char *file;		/* base name, within the name; file_len bytes */
	size_t file_len;
	long line, column;		/* column 0: unknown */
};
/* False if NAME, shown or comparable, is not of a script or has no line. */
bool name_script_place(const char *name, struct script_place *out);
/* True if the comparable name KEY is a script function named only by its place. */
bool name_is_anonymous(const char *key);
/*
 * Appends the file of a path, for people and for comparison: "libc.so.6", "[kernel]", "[ext4]" for a module, "[bpf]",
 * "[vdso]", "[jit]" for code generated at run time, "" if unknown.
 */
void name_of_dso(const char *path, struct strbuf *out);
/* Appends NAME without trailing parameters: "app::parse(int) const" becomes "app::parse". */
void name_without_parameters(const char *name, struct strbuf *out);
/*
 * Appends NAME for a sentence. A long C++ name loses its return type, parameters and template arguments, as in
 * "app::Table::sum"; a name that is still too long is cut.
 */
void name_brief(const char *name, struct strbuf *out);
/* Returns NAME after its return type, with which C++ template names begin: "void std::sort<int*>(int*, int*)". */
const char *name_qualified(const char *name);
bool dso_is_kernel(const char *path);
bool dso_is_jitted(const char *path);	/* generated code, in a file named with a pid or similar: "/tmp/perf-19.map" */

/*
 * Fills `shown`, `key`, `file` and `kernel` of every frame. Call it when the stacks are complete; repeated calls are
 * safe. If stacks exceed STACKS_LARGEST, the remaining names stay as perf wrote them.
 */
void names_resolve(struct stacks *stacks);

/* Bytes of a name without its arguments and template arguments. */
enum { NAME_PLAIN_MOST = 512 };

/*
 * True if SYMBOL, shown or comparable, is the function that source code calls NAME: "ns::Parser::next(int)" is
 * "next".
 */
bool symbol_is_named(const char *symbol, const char *name);
/*
 * The last part of a symbol's name, without arguments: "next"; cut at SIZE. Equal for symbols that symbol_is_named()
 * treats as one.
 */
void symbol_last_name(const char *symbol, char *out, size_t size);

#endif
