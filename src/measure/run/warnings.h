/*
 * Warnings of a loop, each once.
 */
#ifndef PAWL_MEASURE_RUN_WARNINGS_H
#define PAWL_MEASURE_RUN_WARNINGS_H

struct measured;
struct side_result;

/* Warnings about the windows of a side, gathered in one note. */
struct warnings {
	unsigned windows, dropped, hasty, unwaited;
	char *why;		/* why the last one was dropped, or NULL */
};

void warnings_add(struct warnings *warnings, const struct measured *window);
/*
 * Adds at most one note of each kind to RESULT. Dropped windows get no note if no others remain: that is the failure.
 * WHAT is their name: "window".
 */
void warnings_note(const struct warnings *warnings, const char *what, struct side_result *result);

#endif
