/*
 * Measuring in pairs: the scenarios of two trees, or commands as typed.
 */
#ifndef PAWL_CMD_PAIRED_H
#define PAWL_CMD_PAIRED_H

#include <stdbool.h>

#include "base/mem.h"
#include "scenario/scenario.h"

struct error;
struct invocation;
struct project;

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
 * Finds what the scenarios of PROJECT, which is open, are compared with in pairs: --base, `base:` of pawl.yaml, or
 * where the event's change left its base if pawl.yaml says how to build that. OUT, for free(), is NULL if only the
 * baselines judge.
 */
int paired_base(const struct invocation *inv, struct project *project, char **out, struct error *err);
/*
 * Compares the scenarios of --head, else those of PROJECT's tree, with BASE: a commit or a folder. Returns the exit
 * status, or -1.
 */
int paired_scenarios(struct invocation *inv, struct project *project, const char *base, struct error *err);
/* Compares commands, which run in the folder where pawl was started. PROJECT has the folder for results. */
int paired_commands(struct invocation *inv, struct project *project, const struct typed *typed, struct error *err);

#endif
