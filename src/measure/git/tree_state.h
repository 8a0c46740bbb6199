/*
 * Whether a built tree is still as its build left it. A marker lists every file with a hash of its bytes; it is written
 * last, so a half built tree has none. Times and inodes do not count: a CI cache restores files with others.
 */
#ifndef PAWL_MEASURE_GIT_TREE_STATE_H
#define PAWL_MEASURE_GIT_TREE_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct error;

/* Writes the state of the tree at TOP to MARKER, without any .git. */
int tree_state_write(const char *top, const char *marker, struct error *err);
/*
 * True if TOP is as MARKER has it. Otherwise *WHY_OUT says what differs, for free(), or is NULL if there is no marker.
 * MAY_WRITE: new files, left by measuring or able to run in place of the tree's own, are removed; else they count as a
 * difference.
 */
bool tree_state_same(const char *top, const char *marker, bool may_write, char **why_out);
/* Returns the bytes that the tree takes on the disk, by its marker; false if it has none that can be read. */
bool tree_state_size(const char *marker, uint64_t *bytes_out);

#endif
