#include "model/cause.h"

const char *const cause_kind_names[] = {
	[CAUSE_WORK] = "work", [CAUSE_SLOWER] = "slower-per-instruction", [CAUSE_SYSTEM_CALLS] = "system-calls",
	[CAUSE_FAULTS] = "faults", [CAUSE_WAITING] = "waiting", [CAUSE_LOCK] = "lock",
	[CAUSE_PARALLELISM] = "lost-parallelism", [CAUSE_ALLOCATION] = "allocation", [CAUSE_STARTUP] = "start-up",
	[CAUSE_BUILD] = "build", [CAUSE_LIBRARY] = "library", [CAUSE_INPUT] = "input", NULL,
};

const char *const cause_kind_words[] = {
	[CAUSE_WORK] = "more work", [CAUSE_SLOWER] = "slower per instruction", [CAUSE_SYSTEM_CALLS] = "system calls",
	[CAUSE_FAULTS] = "page faults", [CAUSE_WAITING] = "waiting", [CAUSE_LOCK] = "waiting for a lock",
	[CAUSE_PARALLELISM] = "less parallel", [CAUSE_ALLOCATION] = "memory allocation", [CAUSE_STARTUP] = "start-up",
	[CAUSE_BUILD] = "built differently", [CAUSE_LIBRARY] = "another library", [CAUSE_INPUT] = "more input", NULL,
};
