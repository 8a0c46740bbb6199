#ifndef PAWL_JOB_PLACES_H
#define PAWL_JOB_PLACES_H

struct own_code;
struct work;

/*
 * Gives the own functions of WORK the place where they are defined: callgrind knows only the first line that was executed, which may be
 * one that was inlined, and samples know none. Debug information decides, also whose a function is: one that is defined in a library's
 * source is not the project's. Functions that it does not have are looked for in sources below OWN's root; if there is one of that name,
 * it is that. At most 48 MiB of sources are read.
 */
void places_find(struct work *work, const struct own_code *own);

#endif
