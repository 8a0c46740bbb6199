/*
 * What `docker container inspect` (or podman's) answers, when it is asked with INSPECT_FORMAT: standard
 * output and error together, warnings included.
 */
#ifndef PAWL_MEASURE_SERVICES_REPLIES_H
#define PAWL_MEASURE_SERVICES_REPLIES_H

#include <stdbool.h>

#define INSPECT_FORMAT "pawl-state {{.State.Pid}} {{.State.Running}} {{.State.Status}}"

enum inspect_outcome {
	INSPECT_RUNNING,
	INSPECT_STOPPED,
	INSPECT_UNKNOWN,		/* there is no container of that name */
	INSPECT_DENIED,			/* no right to ask */
	INSPECT_NO_DAEMON,
	INSPECT_FAILED,			/* something else: see its first words */
};

struct inspected {
	enum inspect_outcome outcome;
	int pid;			/* of its first process, while it runs */
	char words[160];		/* its status ("exited"), or the first line of the fault */
};

/* TEXT is the answer, FAILED that the command's status was not 0. */
void inspected_parse(const char *text, bool failed, struct inspected *out);
/* A name or id that cannot be taken for an option: letters, digits, _ . -, beginning with a letter or digit. */
bool inspected_name_valid(const char *name);

#endif
