/* Internals of harness/: rows as readers find them, before the rows of one name are joined. */
#ifndef PAWL_SCENARIO_HARNESS_ROWS_H
#define PAWL_SCENARIO_HARNESS_ROWS_H

#include <cjson/cJSON.h>

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

/* Adds a row, with copies of its texts. Without a usable name it is only counted. */
void rows_add(struct rows *rows, const struct row *row);
/* Sets OF's value to NUMBER of UNIT, or why there is none. NUMBER must be a positive number. */
void row_measure(struct row *row, double number, const char *unit);

/* Adds the rows of one program's output. ERR_TARGET if it cannot be read. */
typedef int read_rows(struct rows *rows, const char *text, size_t len, struct error *err);

read_rows rows_google, rows_pytest, rows_nanobench, rows_hyperfine, rows_json;	/* json.c */
read_rows rows_go, rows_criterion, rows_catch2;					/* text.c */

#endif
