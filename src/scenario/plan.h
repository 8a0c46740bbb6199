/*
 * The plan: a scenario with every ${name} replaced, ready to be executed. Names are those of
 * `vars:` and the built-ins ${port}, ${port.NAME}, ${scenario_dir}, ${out}, ${tmp}; $$ is a dollar
 * sign; a dollar before anything else stays. scenario_parse() has refused unknown names already.
 */
#ifndef PAWL_SCENARIO_PLAN_H
#define PAWL_SCENARIO_PLAN_H

#include "base/error.h"
#include "scenario/scenario.h"

/* What the surroundings give; all paths absolute. */
struct plan_context {
	const char *root;		/* working folder of every command */
	const char *scenario_dir, *out, *tmp;
	/* A free TCP port for NAME ("" for ${port}), the same for the same name; -1 with an error set. */
	int (*port)(void *ctx, const char *name, struct error *err);
	void *ctx;
	/*
	 * What the scenario's own TEXT, names not replaced yet, says where its paths lie elsewhere; for free(). NULL: as it stands.
	 * What the built-ins stand for never goes through it.
	 */
	char *(*place)(void *places, const char *text);
	void *places;
};

struct plan_service {
	const struct service *service;	/* borrowed, as the scenario */
	struct strv command, environment, stop, ready;	/* argvs; stop and ready empty when there is none */
	char *cwd;			/* absolute */
	char *ready_text, *ready_body;	/* expanded; a file's path is absolute; NULL when there is none */
};

struct plan {
	struct arena arena;		/* of everything below but the scenario */
	const struct scenario *scenario;	/* borrowed: must outlive the plan */
	struct strv setup, prepare, cleanup, warmup;	/* argvs; empty when there is none */
	struct strv target;		/* argv of the command or service measured; empty when it runs already */
	struct strv environment;	/* NAME=VALUE added to the target's */
	struct strv commands_environment;	/* the same, of setup, prepare, cleanup and warmup */
	char *cwd;			/* absolute working folder of the target */
	struct plan_service *services;
	size_t n_services;
	struct strv load, load_environment;
	char *load_fail;		/* or NULL */
	char *attach;			/* what to attach to: a service's name, a number, an absolute path, an
					   expression ...; NULL for a command */
	char *root;			/* absolute working folder of the other commands */
};

/* True when windows on running processes are measured, not a command run to its end. */
bool plan_attaches(const struct plan *plan);

int plan_build(const struct scenario *scenario, const struct plan_context *context, struct plan *out,
	       struct error *err);
void plan_release(struct plan *plan);

/* The settings of a baseline, from the scenario as it was written, before replacing. */
struct settings;
void plan_settings(const struct scenario *scenario, struct settings *out);

#endif
