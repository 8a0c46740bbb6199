/* Limits of a process that a scenario starts: its nice value and its resource limits. */
#ifndef PAWL_MODEL_CONFINES_H
#define PAWL_MODEL_CONFINES_H

#include <stdbool.h>
#include <stdint.h>

/* A resource limit, soft and hard. */
struct limit {
	const char *name;		/* "nofile" */
	int resource;			/* RLIMIT_NOFILE */
	uint64_t most;			/* UINT64_MAX: unlimited */
};

enum { LIMITS_MOST = 9 };

/* Limits of a process, apart from its user. */
struct confines {
	int nice;
	bool niced;			/* false: the nice value is pawl's */
	struct limit limits[LIMITS_MOST];
	unsigned n_limits;
};

#endif
