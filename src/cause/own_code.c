#include "cause/own_code.h"

#include <ctype.h>
#include <string.h>

#include "base/parse.h"
#include "cause/own_costs.h"
#include "profile/names.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool word_in(const char *const *list, size_t n, const char *text, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(list[i]) == len && !memcmp(list[i], text, len))
			return true;
	return false;
}

/* -------- files */

static const char *const system_folders[] = {
	"/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/opt", "/etc", "/boot", "/dev", "/proc", "/sys", "/snap",
	"/nix", "/gnu", "/rustc", "/var/lib", "/app/.heroku",
};
/* Folders within these for programs that people build themselves. */
static const char *const open_folders[] = { "/usr/src", "/usr/local/src" };
/* Folders of package managers, anywhere in a path. */
static const char *const package_folders[] = {
	".cargo", ".rustup", ".pyenv", ".nvm", ".asdf", ".sdkman", ".conda", ".local", ".npm", ".gem", ".rbenv", ".m2", ".gradle",
	"site-packages", "dist-packages", "node_modules", "miniconda3", "vcpkg_installed",
};

static bool below_any(const char *path, const char *const *folders, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (path_below(path, folders[i]))
			return true;
	return false;
}

static bool has_package_folder(const char *path)
{
	for (const char *slash; (slash = strchr(path, '/')); path = slash + 1)
		if (word_in(package_folders, COUNT(package_folders), path, (size_t)(slash - path)))
			return true;
	return false;
}

/*
 * True for files of Go modules, which Go keeps in $GOPATH/pkg/mod. With -trimpath, "example.com/yaml@v1.2.3/parse.go"
 * remains.
 */
static bool is_go_module(const char *path)
{
	const char *version = strstr(path, "@v");

	return strstr(path, "/pkg/mod/") || (version && isdigit((unsigned char)version[2]) && strchr(version, '/'));
}

static bool matches_any(const struct strv *patterns, const char *path)
{
	for (size_t i = 0; patterns && i < patterns->n; i++)
		if (glob_match(patterns->items[i], path) || glob_match(patterns->items[i], path_name(path)))
			return true;
	return false;
}

bool own_code_has(const struct own_code *own, const char *path)
{
	const char *below = own->root && *path == '/' ? path_below(path, own->root) : NULL;
	CLEANUP(strbuf_release) struct strbuf file = STRBUF_INIT;

	name_of_dso(path, &file);
	if (!file.len || *file.buf == '[')
		return false;
	if ((own->program && !strcmp(path, own->program)) || matches_any(own->patterns, path))
		return true;
	if (has_package_folder(below ?: path) || is_go_module(below ?: path))
		return false;
	return below || below_any(path, open_folders, COUNT(open_folders)) ||
	       !below_any(path, system_folders, COUNT(system_folders));
}

/* -------- functions of libraries that were linked in */

/* Prefixes of the C++ library's names. */
static const char *const cpp_names[] = { "std::", "__gnu_cxx::", "__cxxabiv1::", "operator new", "operator delete" };
/* Prefixes of names in the libraries of Rust and Go, which end without parameters. */
static const char *const other_names[] = {
	"std::", "core::", "alloc::", "hashbrown::", "compiler_builtins::", "__rustc::", "__rust_", "__rdl_", "__rg_", "rust_begin_unwind",
	"runtime.", "internal/", "sync.", "sync/", "syscall.", "reflect.", "fmt.", "strings.", "strconv.", "sort.", "bytes.",
	"slices.", "maps.", "bufio.", "unicode/", "math/",
};
/* Functions that compilers add to each program. */
static const char *const start_names[] = {
	"_start", "_init", "_fini", "(below main)", "__do_global_dtors_aux", "frame_dummy", "register_tm_clones",
	"deregister_tm_clones", "call_weak_fn", "__libc_csu_init", "__libc_csu_fini", "_dl_relocate_static_pie",
};

/* Functions of a linked-in C library, by the names that callers use. */
static const char *const c_names[] = {
	"malloc", "calloc", "realloc", "free", "malloc_consolidate", "sysmalloc", "unlink_chunk", "memalign", "memcpy", "memmove",
	"mempcpy", "memset", "memcmp", "bcmp", "memchr", "memrchr", "memmem", "strlen", "strnlen", "strcmp", "strncmp",
	"strcasecmp", "strncasecmp", "strchr", "strrchr", "strchrnul", "strcpy", "strncpy", "strcat", "strncat", "stpcpy",
	"strstr", "strspn", "strcspn", "strpbrk", "strtol", "strtoul", "strtod", "strdup", "qsort", "qsort_r", "bsearch", "printf",
	"fprintf", "sprintf", "snprintf", "vfprintf", "vsnprintf", "puts", "fputs", "fputc", "putc", "putchar", "fwrite",
	"fread", "fgets", "getc", "fgetc", "getline", "fopen", "fclose", "fflush", "fseek", "setvbuf", "sscanf", "read",
	"write", "open", "close", "lseek", "mmap", "munmap", "brk", "sbrk", "nanosleep", "usleep", "exit", "abort",
};
static const char *const c_prefixes[] = { "_IO_", "_dl_", "_int_", "__GI_", "__printf_", "__vfprintf", "__strto", "__mpn_", "_nl_" };

static bool starts_with_any(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text_starts(name, list[i]))
			return true;
	return false;
}

/*
 * True for Rust's methods of built-in types: "<u64 as core::fmt::Display>::fmt", "<&str as
 * alloc::string::ToString>::to_string".
 */
static bool is_rust_builtin(const char *key)
{
	static const char *const types[] = {
		"u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "bool", "char", "str",
		"()", "!", "[u8]", "[T]", "T", "&T", "&mut T", "&str", "&mut W",
	};
	const char *as = *key == '<' ? strstr(key, " as ") : NULL;

	return as && word_in(types, COUNT(types), key + 1, (size_t)(as - key - 1)) &&
	       starts_with_any(as + strlen(" as "), other_names, COUNT(other_names));
}

/*
 * True for a name of a language's library. KEY must be from name_comparable(), since C's "sort.part.0" begins like Go's
 * "sort.Slice".
 */
static bool is_library_name(const char *key)
{
	CLEANUP(strbuf_release) struct strbuf bare = STRBUF_INIT;
	const char *name = name_qualified(key);

	name_without_parameters(key, &bare);
	return starts_with_any(name, cpp_names, COUNT(cpp_names)) || is_rust_builtin(key) || word_in(start_names, COUNT(start_names), key, strlen(key)) ||
	       (bare.len == strlen(key) && starts_with_any(key + (*key == '<'), other_names, COUNT(other_names)));
}

bool own_code_has_function(const struct own_code *own, const char *path, const char *shown, bool has_source)
{
	CLEANUP(strbuf_release) struct strbuf key = STRBUF_INIT, name = STRBUF_INIT;

	if (!own_code_has(own, path))
		return false;
	name_comparable(shown, path, &key);
	if (is_library_name(key.buf) || (own->linked && own->program && !strcmp(path, own->program) && strv_has(own->linked, key.buf)))
		return false;
	if (has_source)
		return true;
	foreign_name(shown, &name);
	return !starts_with_any(shown, c_prefixes, COUNT(c_prefixes)) && !word_in(c_names, COUNT(c_names), name.buf, name.len);
}
