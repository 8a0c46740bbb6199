#ifndef PAWL_JOB_PLACES_H
#define PAWL_JOB_PLACES_H

struct work;

/*
 * Has the functions of WORK begin where their sources say, by the line that has the name: callgrind knows only the first line
 * that was executed, which may be one that was inlined. Of those without debug information the source is looked for below ROOT,
 * among C and C++; where there is one such function, it is that. A matter of milliseconds, of at most 48 MiB of sources.
 */
void places_find(struct work *work, const char *root);

#endif
