/*
 * Commands compared as typed, without a scenario: `pawl ab 'A' 'B' 'C'`, each against the first, or --base-cmd and
 * --head-cmd. One metric judges them. For typed arguments it is CPU time, without perf and without a search for
 * causes, unless options say otherwise. For --base-cmd and --head-cmd it is task-clock.
 *
 *	typed_read() -> measuring -> report_typed(), typed_export() -> typed_release()
 */
#ifndef PAWL_CMD_TYPED_H
#define PAWL_CMD_TYPED_H

#include <stdbool.h>

#include "base/mem.h"
#include "scenario/scenario.h"

struct error;
struct invocation;
struct options;
struct result;

struct typed_pair {
	struct scenario base, head;
	const char *base_label, *head_label;	/* their names, or the commands themselves */
};

struct typed {
	struct arena arena;
	struct typed_pair *pairs;	/* n 0: the arguments are scenarios */
	size_t n, cap;
	bool positional;	/* typed as arguments */
	bool without_perf;	/* the metric that judges them needs no perf */
};

/*
 * Reads the commands. Arguments are commands if no option says what scenarios are compared with, and no argument
 * names a scenario. A mixture of both, or options that do not fit, is an ERR_INPUT. Sets the options of INV that
 * follow. OUT needs typed_release() in every case.
 */
int typed_read(struct typed *out, struct invocation *inv, struct error *err);
/* Writes the files of --export-json and --export-markdown. */
int typed_export(const struct options *options, const struct result *result, struct error *err);
void typed_release(struct typed *typed);

#endif
