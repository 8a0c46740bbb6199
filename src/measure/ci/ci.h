/*
 * The variables of CI systems: whose change is measured, and where the run is shown.
 *
 * An unmerged change is someone else's, and its base judges it. A row of ci.c says how each system shows one. GitHub does by
 * the event's name and the file that describes it:
 *
 *	pull_request, and all that begin so
 *	merge_group
 *	push of a merge queue's branch
 *	workflow_run that a pull request began
 *	issue_comment on a pull request
 */
#ifndef PAWL_MEASURE_CI_CI_H
#define PAWL_MEASURE_CI_CI_H

#include <stdbool.h>

struct ci {
	bool foreign;		/* someone else's change */
	char *why;		/* "GITHUB_EVENT_NAME is pull_request"; NULL: no system that pawl knows */
	char *base;		/* git's name for the base of a foreign change; NULL: unknown */
	char *shown;		/* the same for messages: "origin/main" */
	const char *told_by;	/* the variables that name the base */
	const char *commit;	/* the one that the job began with; NULL: unknown */
};

void ci_read(struct ci *out);
void ci_release(struct ci *ci);

/* The commit that the job asks to compare with, as --base; NULL: none. */
const char *ci_base(void);
/* Return the address of the repository, and of the run, as the variables have it. For free(); NULL: unknown. */
char *ci_repository(void);
char *ci_run(void);

#endif
