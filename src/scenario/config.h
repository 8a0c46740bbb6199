/*
 * pawl.yaml at a project's root: where things are, how a checkout is built, and defaults for every
 * scenario. All of it is optional; without the file config_init() is the configuration.
 */
#ifndef PAWL_SCENARIO_CONFIG_H
#define PAWL_SCENARIO_CONFIG_H

#include "scenario/scenario.h"

struct config {
	struct arena arena;		/* of everything below */
	struct command build;		/* builds a checkout; argv.n is 0 when there is none */
	char *scenarios, *baselines, *out;	/* folders relative to the root: scenarios, baselines, pawl-out */
	char *calibration;		/* file relative to the root (calibration.h), or NULL */
	struct scenario_defaults defaults;
};

void config_init(struct config *config);
void config_release(struct config *config);
/* Reads over what OUT holds (call config_init() first). 0, or -1 with faults added; OUT then holds what had none. */
int config_parse(const char *text, size_t len, const char *path, struct config *out, struct diags *diags);

#endif
