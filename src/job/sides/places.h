#ifndef PAWL_JOB_SIDES_PLACES_H
#define PAWL_JOB_SIDES_PLACES_H

struct changes;
struct own_code;
struct work;

/*
 * Finds where the own functions of WORK are defined. Callgrind knows only the first line that was executed, which may
 * be inlined; samples know no line. Debug information decides, also whose a function is: one defined in a library's
 * source is not the project's. Without it a function has no place.
 */
void places_find(struct work *work, const struct own_code *own);
/*
 * Asks debug information which functions the lines of CHANGES became, in the own programs and libraries of SIDE that
 * WORK names. A line without code (a comment, a constant) became none.
 */
void places_of_changes(struct changes *changes, int side, const struct work *work, const struct own_code *own);

#endif
