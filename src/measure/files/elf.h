/*
 * Programs and libraries, read with libdw: their identity, size and compilers, and the functions that source lines
 * became. Symbols and debug information in a separate file are found by build-id below /usr/lib/debug, or where the
 * program's debug link leads. Nothing is downloaded. Damaged files yield less, never an error.
 */
#ifndef PAWL_MEASURE_FILES_ELF_H
#define PAWL_MEASURE_FILES_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strv;

/* An ELF program or library. */
struct elf_file {
	bool symbols;		/* names of all functions */
	bool lines;		/* debug information */
	bool elsewhere;		/* it names a separate file for both */
	bool is_static;		/* linked statically: nothing can be loaded into it */
	uint64_t code_bytes;	/* size of the instructions; 0: unknown */
};

/* False if PATH is not an ELF file. */
bool elf_read(const char *path, struct elf_file *out);
/* Returns "build-id:<hex>" of the ELF file at PATH, else "fnv1a:<hex>" of any file's bytes; NULL if unreadable. For free(). */
char *elf_identity(const char *path);
struct elf_sizes {
	uint64_t text_bytes, data_bytes, file_bytes;	/* text and data as size(1) counts them in its Berkeley format */
};
/* Adds the sizes of the ELF file at PATH to OUT. False if it is not one. */
bool elf_add_sizes(const char *path, struct elf_sizes *out);
/* Appends the real paths of the libraries that the ELF file at PATH finds by its run path, and of those that these do. */
void elf_libraries(const char *path, struct strv *out);
/*
 * True if the ELF files A and B are loaded with equal bytes at the same addresses, but for the build-id and the text of each
 * side's own commit (COMMITS, NULL: unknown). What is not loaded, such as debug information, may differ.
 */
bool elf_same_code(const char *a, const char *b, const char *const commits[2]);
/* Returns the program that the kernel starts to load the program PATH (PT_INTERP), for free(); NULL: none. */
char *elf_interpreter(const char *path);
/* Appends the compilers named in the debug information of PATH, each once: "GNU C17 12.2.0 -mtune=generic -O2". */
void elf_compilers(const char *path, struct strv *out);

/*
 * SYMBOL is the compiler's mangled name. SOURCE and LINE locate its definition; SOURCE is a whole path unless the
 * build shortened it.
 */
typedef void elf_function_fn(void *ctx, const char *symbol, const char *source, unsigned line);
/* Calls SEEN for each function with code in the file PATH. Returns their number; 0 without debug information. */
unsigned elf_functions(const char *path, elf_function_fn *seen, void *ctx);

/* Code of a source line. */
struct elf_code {
	const char *source;	/* file of the line, as in elf_functions() */
	unsigned line;
	const char *symbol;	/* function that contains the code */
	const char *inlined;	/* function that contains the line, if it was inlined into `symbol`; or NULL */
};
typedef void elf_code_fn(void *ctx, const struct elf_code *code);
/* True if the code of lines in SOURCE is asked for. */
typedef bool elf_source_fn(void *ctx, const char *source);
/*
 * Calls SEEN for the code of each line of the sources that WANTED accepts, once for each function. A line without code
 * (a comment, a constant) is not seen. False without debug information.
 */
bool elf_lines(const char *path, elf_source_fn *wanted, elf_code_fn *seen, void *ctx);

#endif
