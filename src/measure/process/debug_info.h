/* Functions as the debug information (DWARF) of a program or library has them. */
#ifndef PAWL_MEASURE_PROCESS_DEBUG_INFO_H
#define PAWL_MEASURE_PROCESS_DEBUG_INFO_H

/* SYMBOL as the compiler names it, mangled; SOURCE and LINE of its definition, a whole path unless the build made it shorter. */
typedef void debug_function_fn(void *ctx, const char *symbol, const char *source, unsigned line);

/*
 * Calls SEEN for each function that has code in the file PATH. Returns how many there are: 0 where PATH has no debug information or
 * cannot be read.
 */
unsigned debug_functions(const char *path, debug_function_fn *seen, void *ctx);

#endif
