#ifndef PAWL_JOB_PLACES_H
#define PAWL_JOB_PLACES_H

struct own_code;
struct work;

/*
 * Finds where the own functions of WORK are defined. Callgrind knows only the first line that was executed, which may
 * be inlined; samples know no line. Debug information decides, also whose a function is: one defined in a library's
 * source is not the project's. Without it a function has no place.
 */
void places_find(struct work *work, const struct own_code *own);

#endif
