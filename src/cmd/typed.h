/*
 * Commands that are compared as they are typed, without a scenario: `pawl ab 'A' 'B' 'C'`, each against the first, or --base-cmd
 * and --head-cmd. They are judged by one metric: CPU time without perf and without a search for causes, unless options say
 * otherwise, and task-clock where they are given as --base-cmd and --head-cmd.
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
	bool without_perf;	/* what they are judged by needs none */
};

/*
 * Arguments are commands when nothing says what scenarios are compared with and none of them names one; when some do, or options
 * do not fit, that is an ERR_INPUT. Options of INV that follow from it are set. OUT is for typed_release(), whatever happens.
 */
int typed_read(struct typed *out, struct invocation *inv, struct error *err);
/* --export-json and --export-markdown. */
int typed_export(const struct options *options, const struct result *result, struct error *err);
void typed_release(struct typed *typed);

#endif
