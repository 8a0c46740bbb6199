/*
 * The source of a function with what each line of it costs on both sides, for `pawl explain --lines`. Pure: whoever calls reads
 * the files.
 *
 *	path = source_path(&work, code) for each side, read it -> source_rows_make() -> source_rows_release()
 */
#ifndef PAWL_JUDGE_SOURCE_H
#define PAWL_JUDGE_SOURCE_H

#include "model/outline.h"
#include "profile/evidence.h"

enum source_row_kind {
	ROW_SAME,
	ROW_ADDED,	/* the head alone has the line */
	ROW_REMOVED,	/* the base alone */
	ROW_INLINED,	/* all that the compiler put into it from elsewhere: TEXT says from which function or file, there is no line */
};

struct source_row {
	enum source_row_kind kind;
	unsigned line, base_line;	/* 0: that side does not have it */
	const char *text;
	double base, head;		/* instructions executed in it, calls not included; 0: none */
};

/*
 * The lines from the function's head to its end, in the order of the head with the removed ones in between. Then what was
 * inlined: a row for each function or file, with the lines of those in the same file behind it.
 */
struct source_rows {
	struct arena arena;
	const char *function, *path;	/* shown; of the side that has it, the head's first */
	struct source_row *items;
	size_t n, cap;
	double base, head;		/* of the function with what was inlined; NaN: its source is not there */
};

/* Where debug information says that CODE's function is on the side of WORK; NULL: not known. May be relative to the project. */
const char *source_path(const struct work *work, const struct code *code);
/*
 * Of the function CODE, of either side. TEXT is that of source_path()'s file, NULL where it cannot be read: that side has no
 * costs by line then, and its lines are taken to be the other's. False, writing nothing, when no line of it is known.
 */
bool source_rows_make(const struct code *code, const struct work *base, const char *base_text, const struct work *head,
		      const char *head_text, struct source_rows *out);
void source_rows_release(struct source_rows *rows);

#endif
