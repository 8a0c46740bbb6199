/* Compares two trees of a project by its scenarios, or commands as typed, in pairs: finds, builds, measures and reports. */
#ifndef PAWL_JOB_COMPARISON_H
#define PAWL_JOB_COMPARISON_H

#include <stdbool.h>

#include "base/mem.h"
#include "scenario/scenario.h"

struct error;
struct project;
struct strv;

/* A command, and the one it is compared with. */
struct typed_pair {
	struct scenario base, head;
	const char *base_label, *head_label;	/* their names, or the commands themselves */
};

struct typed {
	struct arena arena;
	struct typed_pair *pairs;
	size_t n, cap;
	bool without_perf;	/* the metric that judges them needs no perf */
	bool either;		/* CPU time or wall time judges, by what the commands do */
};

/*
 * Finds the base of pairs: --base, `base:` of pawl.yaml, or where the event's change left its base if there is a
 * `build:`. OUT, for free(), is NULL if only the baselines judge.
 */
int comparison_base(struct project *project, char **out, struct error *err);
/* Compares the scenarios that ARGS name, of --head, else of PROJECT's tree, with BASE. Returns the status, or -1. */
int comparison_of_scenarios(struct project *project, const struct strv *args, const char *base, struct error *err);
/* Compares commands, which run in the folder where pawl was started. PROJECT has the folder for results. */
int comparison_of_commands(struct project *project, const struct typed *typed, struct error *err);

#endif
