/*
 * Warnings of a loop, each once.
 */
#ifndef PAWL_MEASURE_RUN_WARNINGS_H
#define PAWL_MEASURE_RUN_WARNINGS_H

struct measured;
struct side_result;

/* What to warn of in the windows of a side, gathered for one note instead of one each. */
struct warnings {
	unsigned windows, dropped, hasty, unwaited;
	char *why;		/* the last one was dropped, or NULL */
};

void warnings_add(struct warnings *warnings, const struct measured *window);
/*
 * At most one note of each kind, to RESULT; none of windows of which no other remains: that is the failure. WHAT they are
 * called: "window".
 */
void warnings_note(const struct warnings *warnings, const char *what, struct side_result *result);

#endif
