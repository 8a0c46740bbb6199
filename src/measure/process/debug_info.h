/* Lists functions from the debug information (DWARF) of a program or library. */
#ifndef PAWL_MEASURE_PROCESS_DEBUG_INFO_H
#define PAWL_MEASURE_PROCESS_DEBUG_INFO_H

/*
 * SYMBOL is the compiler's mangled name. SOURCE and LINE locate its definition; SOURCE is a whole path unless the
 * build shortened it.
 */
typedef void debug_function_fn(void *ctx, const char *symbol, const char *source, unsigned line);

/*
 * Calls SEEN for each function with code in the file PATH. Returns their number; 0 if PATH has no debug information or
 * cannot be read.
 */
unsigned debug_functions(const char *path, debug_function_fn *seen, void *ctx);

#endif
