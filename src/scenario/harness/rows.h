/* Internals of harness/: the readers of programs' outputs, and rows as they find them, before those of one name are joined. */
#ifndef PAWL_SCENARIO_HARNESS_ROWS_H
#define PAWL_SCENARIO_HARNESS_ROWS_H

#include "scenario/harness/harness.h"

struct row {
	struct benchmark of;	/* why NULL: measured */
	double repetition;	/* its number, or NaN if the program does not number them */
	bool median;		/* of repetitions, which count instead if they are there, too */
	size_t at;		/* its place in the output */
};

struct rows {
	struct arena arena;
	struct row *items;
	size_t n, cap;
	size_t unnamed;
	const struct harness *harness;
};

/* Adds the rows of one program's output, of ROWS' harness. ERR_TARGET if it cannot be read. */
int rows_read(struct rows *rows, const char *text, size_t len, struct error *err);

#endif
