/*
 * Names of symbols: for people, and to compare by.
 */
#ifndef PAWL_PROFILE_NAMES_H
#define PAWL_PROFILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "profile/stacks.h"

/*
 * Symbols' names: for people (demangled, whole) and to compare by. Demangling is libiberty's: C++, Rust (legacy and
 * v0), D, and Ada in files that hold Ada's run-time. The comparable name leaves out what differs between two builds
 * of the same code: a Rust hash ("::h" and 16 hex digits), ".constprop.N .isra.N .part.N .cold .llvm.N .lto_priv.N"
 * and "[clone ...]", a symbol version ("@@GLIBC_2.34"), a script engine's tier mark, folder and line ("LazyCompile:*f
 * /srv/x.js:10:5"; the line of a function without a name is kept), what Java and .NET number ("App$$Lambda$14/0x800c03000.apply"
 * is "App$$Lambda.apply", "$Proxy12", "f[Tier0]", "f_[j]"), addresses. Of the kernel, scheduler, interrupt, tick and RCU
 * symbols are one: "[kernel]".
 */

/*
 * Names come from strangers' programs: a short one may stand for gigabytes, so one that comes to more than DEMANGLED_LARGEST is
 * left as it is, as is one longer than MANGLED_LARGEST, and one that libiberty's limit of recursion refuses.
 */
enum { MANGLED_LARGEST = 8 << 10, DEMANGLED_LARGEST = 16 << 10 };

enum { NORMALISER_VERSION = 3 };	/* raised whenever a comparable name can come out otherwise */

/* RAW demangled, or as it is when it is not mangled; appended. ADA: RAW is from a file that holds Ada. */
void name_shown(const char *raw, bool ada, struct strbuf *out);
/* What SHOWN is compared by, when found in DSO (a path as perf writes it); appended. */
void name_comparable(const char *shown, const char *dso, struct strbuf *out);
/* Where a function of a script begins, as its name says. */
struct script_place {
	const char *file;		/* its base name, within the name; file_len bytes */
	size_t file_len;
	long line, column;		/* column 0: not known */
};
/* False when NAME, shown or comparable, is not of a script or has no line. */
bool name_script_place(const char *name, struct script_place *out);
/* The comparable name of a function of a script that has no name but its place. */
bool name_is_anonymous(const char *key);
/*
 * The file of a path, for people and to compare by: "libc.so.6", "[kernel]", "[ext4]" of a module, "[bpf]", "[vdso]",
 * "[jit]" for code that a program made at run time, "" for an unknown one; appended.
 */
void name_of_dso(const char *path, struct strbuf *out);
/* NAME without the parameters at its end: "app::parse(int) const" is "app::parse"; appended. */
void name_without_parameters(const char *name, struct strbuf *out);
/*
 * NAME for a sentence, appended: a long one of C++ without what it returns, parameters and arguments of templates, which
 * "app::Table::sum" tells as well; of what is longer still the beginning.
 */
void name_brief(const char *name, struct strbuf *out);
/* NAME behind what the function returns, which names of C++'s templates begin with: "void std::sort<int*>(int*, int*)". */
const char *name_qualified(const char *name);
bool dso_is_kernel(const char *path);
bool dso_is_jitted(const char *path);	/* code that a program made at run time, named with its pid or the like: "/tmp/perf-19.map" */

/*
 * Fills `shown`, `key`, `file` and `kernel` of every frame. Call it when the stacks are complete; calling it again does no harm. Stacks
 * beyond STACKS_LARGEST get no more text: the rest of their names stay as perf wrote them.
 */
void names_resolve(struct stacks *stacks);

/* Bytes of a name without arguments and those of templates. */
enum { NAME_PLAIN_MOST = 512 };

/* Whether SYMBOL, shown or comparable, is the function that a source text calls NAME: "ns::Parser::next(int)" is "next". */
bool symbol_is_named(const char *symbol, const char *name);
/* The last part of its name, without arguments: "next"; cut at SIZE. Of two that symbol_is_named() takes for one it is the same. */
void symbol_last_name(const char *symbol, char *out, size_t size);
/* True if the shorter of both ends the longer one, at the border of a part: a BORDER character or the beginning. */
bool name_ends_alike(const char *a, const char *b, char border);

#endif
