/* What was run. Parts that differ are named in the report; an event that only one side has leaves its gate unmeasured. */
#ifndef PAWL_MODEL_SETTINGS_H
#define PAWL_MODEL_SETTINGS_H

#include <stdbool.h>

#include "base/text.h"

struct settings {
	struct strv command;		/* argv before ${...} is replaced; a string command is "/bin/sh", "-c", TEXT */
	char *setup, *prepare;		/* as text; NULL when there is none */
	struct strv environment;	/* NAME=VALUE as the scenario has them, then the NAMEs it passes on */
	struct strv events;		/* perf events asked for beyond the standard ones */
	char *cpus;			/* pinned to, or NULL */
	bool aslr_off;
	struct strv services;		/* "NAME: COMMAND" in order */
	char *load;			/* as text, or NULL */
	struct strv metrics;		/* printed metrics and work, as settings_define_metrics() reads them */
	double window_s;		/* of attached targets; 0 for commands */
};

void settings_release(struct settings *settings);
void settings_copy(struct settings *out, const struct settings *from);
/* NULL when equal, else the name of the first part that differs: "command", "setup", ... */
const char *settings_difference(const struct settings *a, const struct settings *b);

#endif
