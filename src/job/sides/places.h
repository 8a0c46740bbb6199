#ifndef PAWL_JOB_SIDES_PLACES_H
#define PAWL_JOB_SIDES_PLACES_H

struct changes;
struct own_code;
struct work;

/*
 * Finds by debug information where the own functions of WORK are defined, and whose they are: one in a library's
 * source is not the project's. Callgrind knows only the first executed line, which may be inlined.
 */
void places_find(struct work *work, const struct own_code *own);
/* The functions that the lines of CHANGES became, in SIDE's own programs and libraries that WORK names. */
void places_of_changes(struct changes *changes, int side, const struct work *work, const struct own_code *own);

#endif
