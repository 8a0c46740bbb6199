#include "cause/ledger/own_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "profile/names.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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
	"site-packages", "dist-packages", "node_modules", "miniconda3", "vcpkg_installed", NULL,
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
		if (text_one_of(path, (size_t)(slash - path), package_folders))
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
static const char *const cpp_names[] = { "std::*", "__gnu_cxx::*", "__cxxabiv1::*", "operator new*", "operator delete*", NULL };
/* Prefixes of names in the libraries of Rust and Go, which end without parameters. */
static const char *const other_names[] = {
	"std::*", "core::*", "alloc::*", "hashbrown::*", "compiler_builtins::*", "__rustc::*", "__rust_*", "__rdl_*", "__rg_*", "rust_begin_unwind*",
	"runtime.*", "internal/*", "sync.*", "sync/*", "syscall.*", "reflect.*", "fmt.*", "strings.*", "strconv.*", "sort.*", "bytes.*",
	"slices.*", "maps.*", "bufio.*", "unicode/*", "math/*", NULL,
};
/* Functions that compilers add to each program. */
static const char *const start_names[] = {
	"_start", "_init", "_fini", "(below main)", "__do_global_dtors_aux", "frame_dummy", "register_tm_clones",
	"deregister_tm_clones", "call_weak_fn", "__libc_csu_init", "__libc_csu_fini", "_dl_relocate_static_pie", NULL,
};

/* Functions of a linked-in C library, by the names that callers use. */
static const char *const c_names[] = {
	"malloc", "calloc", "realloc", "free", "malloc_consolidate", "sysmalloc", "unlink_chunk", "memalign", "memcpy", "memmove",
	"mempcpy", "memset", "memcmp", "bcmp", "memchr", "memrchr", "memmem", "strlen", "strnlen", "strcmp", "strncmp",
	"strcasecmp", "strncasecmp", "strchr", "strrchr", "strchrnul", "strcpy", "strncpy", "strcat", "strncat", "stpcpy",
	"strstr", "strspn", "strcspn", "strpbrk", "strtol", "strtoul", "strtod", "strdup", "qsort", "qsort_r", "bsearch", "printf",
	"fprintf", "sprintf", "snprintf", "vfprintf", "vsnprintf", "puts", "fputs", "fputc", "putc", "putchar", "fwrite",
	"fread", "fgets", "getc", "fgetc", "getline", "fopen", "fclose", "fflush", "fseek", "setvbuf", "sscanf", "read",
	"write", "open", "close", "lseek", "mmap", "munmap", "brk", "sbrk", "nanosleep", "usleep", "exit", "abort", NULL,
};
static const char *const c_prefixes[] = { "_IO_*", "_dl_*", "_int_*", "__GI_*", "__printf_*", "__vfprintf*", "__strto*", "__mpn_*", "_nl_*", NULL };

/*
 * True for Rust's methods of built-in types: "<u64 as core::fmt::Display>::fmt", "<&str as
 * alloc::string::ToString>::to_string".
 */
static bool is_rust_builtin(const char *key)
{
	static const char *const types[] = {
		"u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "bool", "char", "str",
		"()", "!", "[u8]", "[T]", "T", "&T", "&mut T", "&str", "&mut W", NULL,
	};
	const char *as = *key == '<' ? strstr(key, " as ") : NULL;

	return as && text_one_of(key + 1, (size_t)(as - key - 1), types) &&
	       text_matches_any(as + strlen(" as "), other_names);
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
	return text_matches_any(name, cpp_names) || is_rust_builtin(key) || text_matches_any(key, start_names) ||
	       (bare.len == strlen(key) && text_matches_any(key + (*key == '<'), other_names));
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
	return !text_matches_any(shown, c_prefixes) && !text_matches_any(name.buf, c_names);
}

/* -------- callees, by the names that callers use */

/* Internal names in libraries and kernels, and their common names. NULL: unchanged. A '*' ends a prefix. */
static const struct {
	const char *symbol, *name;
} known_as[] = {
	{ "asm_exc_page_fault", "[page fault]" }, { "exc_page_fault", "[page fault]" }, { "asm_page_fault", "[page fault]" },
	{ "page_fault", "[page fault]" }, { "do_user_addr_fault", "[page fault]" }, { "handle_mm_fault", "[page fault]" },
	{ "el0_da", "[page fault]" }, { "el0_ia", "[page fault]" }, { "do_mem_abort", "[page fault]" },
	{ "_int_malloc", "malloc" }, { "sysmalloc*", "malloc" }, { "malloc_consolidate", "malloc" }, { "ptmalloc_init*", "malloc" },
	{ "tcache_init*", "malloc" }, { "unlink_chunk*", "malloc" }, { "_int_free*", "free" }, { "systrim*", "free" },
	{ "cfree*", "free" }, { "_int_realloc", "realloc" }, { "_int_memalign", "memalign" }, { "munmap_chunk", "free" },
	{ "_dl_runtime_resolve*", "[dynamic linker]" }, { "_dl_fixup", "[dynamic linker]" },
	{ "__memmove_*", "memcpy" },
	/* unchanged */
	{ "__cxa_*", NULL }, { "__gxx_*", NULL }, { "__dynamic_cast", NULL }, { "__tls_get_addr", NULL }, { "__stack_chk_*", NULL },
	{ "__errno_location", NULL }, { "__libc_start_*", NULL },
};

/* Prefixes to remove, tried in this order. */
static const char *const inner_prefixes[] = {
	"__x64_sys_", "__ia32_sys_", "__arm64_sys_", "__se_sys_", "__do_sys_", "ksys_", "__GI_", "__libc_", "__vdso_",
	"__isoc99_", "__isoc23_", "__ieee754_", "_IO_new_", "_IO_", "__new_", "__",
};

/* Suffixes of C library functions that exist for several kinds of CPU. */
static const char *const cpu_kinds[] = {
	"_sse2", "_sse3", "_sse4", "_ssse3", "_avx", "_evex", "_erms", "_fma", "_rtm", "_generic", "_neon", "_asimd", "_sve", "_mops",
};

/* Suffixes of the C library's internal functions. */
static const char *const suffixes[] = { "_l_internal", "_internal", "_nocancel", "_cancel", "_impl", "_chk" };

/* True for a C identifier. "list.append" and "__init__" are Python's. */
static bool is_identifier(const char *symbol)
{
	size_t len = strspn(symbol, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	CLEANUP(strbuf_release) struct strbuf bare = STRBUF_INIT;

	if (len > 4 && !symbol[len] && !strncmp(symbol, "__", 2) && text_ends(symbol, len, "__"))
		return false;
	if (symbol[len] == '.')
		name_comparable(symbol, "", &bare);
	return len && (!symbol[len] || symbol[len] == '@' || (symbol[len] == '.' && bare.len == len));
}

/* Returns the length of NAME without a suffix for a kind of CPU. */
static size_t without_cpu_kind(const char *name, size_t len)
{
	size_t least = len;

	for (size_t i = 0; i < COUNT(cpu_kinds); i++) {
		const char *at = memmem(name, len, cpu_kinds[i], strlen(cpu_kinds[i]));

		if (at && at > name && (size_t)(at - name) < least)
			least = (size_t)(at - name);
	}
	return least;
}

/* Appends a name such as "std::vector<int>::push_back(int const&)" without template arguments and parameters. */
static void add_template(const char *name, struct strbuf *out)
{
	int open = 0;

	for (; *name && (open || *name != '('); name++) {
		bool of_name = !open && (strbuf_ends_with(out, "operator") || strbuf_ends_with(out, "operator<"));

		if (*name == '<' && !of_name)
			open++;
		else if (*name == '>' && open)
			open--;
		else if (!open)
			strbuf_addc(out, *name);
	}
	while (strbuf_ends_with(out, " "))
		strbuf_truncate(out, out->len - 1);
}

void foreign_name(const char *symbol, struct strbuf *out)
{
	const char *name = symbol;
	size_t len;

	if (!is_identifier(symbol)) {
		if (text_starts(name_qualified(symbol), "std::"))
			add_template(name_qualified(symbol), out);
		else
			name_without_parameters(symbol, out);
		return;
	}
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < COUNT(known_as); i++)
			if (text_matches(name, known_as[i].symbol)) {
				strbuf_adds(out, known_as[i].name ?: name);
				return;
			}
		for (size_t i = 0; i < COUNT(inner_prefixes) && !again; i++) {
			size_t skip = strlen(inner_prefixes[i]);

			again = text_starts(name, inner_prefixes[i]) && (islower((unsigned char)name[skip]) || name[skip] == '_');
			name += again ? skip : 0;
		}
	}
	name += name > symbol && name[0] == '_' && islower((unsigned char)name[1]);
	len = strcspn(name, "@.");
	/* An own function with such a suffix has no underscores before its name. */
	if (name > symbol)
		len = without_cpu_kind(name, len);
	for (size_t i = 0; i < COUNT(suffixes) && name > symbol; i++)
		if (text_ends(name, len, suffixes[i]) && len > strlen(suffixes[i]))
			len -= strlen(suffixes[i]);
	strbuf_add(out, name, len);
}

bool foreign_allocates(const char *name)
{
	return TEXT_IS(name, "malloc*", "calloc*", "realloc*", "free*", "memalign*", "posix_memalign*", "aligned_alloc*", "reallocarray*", "operator new*",
		       "operator delete*", "strdup*", "__libc_malloc*", "_int_malloc*", "cfree*", "g_malloc*", "g_free*", "__rustc::__rust_*",
		       "__rustc::__rdl_*", "__rust_*", "__rdl_*", "alloc::raw_vec::*");
}

bool foreign_frees(const char *name)
{
	return TEXT_IS(name, "free*", "cfree*", "operator delete*", "g_free*", "__rustc::__rust_dealloc*", "__rustc::__rdl_dealloc*", "__rust_dealloc*",
		       "__rdl_dealloc*");
}
