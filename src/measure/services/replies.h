/*
 * Parses the answer of `docker container inspect` (or podman's) to INSPECT_FORMAT: standard output and error together,
 * warnings included.
 */
#ifndef PAWL_MEASURE_SERVICES_REPLIES_H
#define PAWL_MEASURE_SERVICES_REPLIES_H

#include <stdbool.h>

#define INSPECT_FORMAT "pawl-state {{.State.Pid}} {{.State.Running}} {{.State.Status}}"

enum inspect_outcome {
	INSPECT_RUNNING,
	INSPECT_STOPPED,
	INSPECT_UNKNOWN,		/* no container of that name exists */
	INSPECT_DENIED,			/* no permission to ask */
	INSPECT_NO_DAEMON,
	INSPECT_FAILED,			/* other failure: see its first words */
};

struct inspected {
	enum inspect_outcome outcome;
	int pid;			/* of its first process, while that runs */
	char words[160];		/* its status ("exited"), or the first line of the error */
};

/* Parses TEXT, the answer. FAILED: the command's status was not 0. */
void inspected_parse(const char *text, bool failed, struct inspected *out);
/* True for a name or id that cannot be an option: letters, digits, _ . -, beginning with a letter or digit. */
bool inspected_name_valid(const char *name);

#endif
