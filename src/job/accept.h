/* Accepts runs as baselines: those that it measures, the latest if it would measure the same, or a stored result's. */
#ifndef PAWL_JOB_ACCEPT_H
#define PAWL_JOB_ACCEPT_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct request;
struct result;
struct strv;

struct accept_wish {
	struct request *request;
	const struct strv *scenarios;	/* names and paths; empty: all */
	const char *reason;		/* needed to replace a baseline; or NULL */
	const char *from;		/* a result to accept; NULL: measure */
	uint64_t sessions;		/* to measure; 0: one, or the latest run */
	bool force;			/* accept what failed or was interrupted, and replace what is damaged */
	/* Reads a result, with the options that shaped it, which only the command line knows. */
	int (*read)(const char *path, struct result *out, struct error *err);
};

/* Returns the exit status or -1. Sessions accepted before a failure stay. */
int accept_runs(const struct accept_wish *wish, struct error *err);

#endif
