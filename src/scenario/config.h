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
	char *calibration;		/* file relative to the root, or NULL */
	struct scenario_defaults defaults;
};

void config_init(struct config *config);
void config_release(struct config *config);
/* Reads over what OUT holds (call config_init() first). 0, or -1 with faults added; OUT then holds what had none. */
int config_parse(const char *text, size_t len, const char *path, struct config *out, struct diags *diags);

/*
 * The calibration file: for a machine class and a scenario, the tolerances that comparisons in pairs can keep there.
 * `pawl calibrate --write` writes it, pawl.yaml names it (calibration: FILE), people may read and edit it.
 *
 *	version: 1
 *	entries:
 *	  - machine: "x86_64-intel-xeon-8370c-4cpu-sw"
 *	    scenario: "gzip"
 *	    date: 2026-11-21T09:12:33Z
 *	    pairs: 240
 *	    tolerances:
 *	      "task-clock": 2.5%
 *
 * They replace the tolerance of a gate only in pairs, and only where the gate has no tolerance of its own.
 */

enum {
	CALIBRATION_LARGEST = 1 << 20,		/* bytes */
	CALIBRATION_ENTRIES_MAX = 1000,
	CALIBRATION_TOLERANCES_MAX = 200,	/* of one entry */
};

struct calibrated_tolerance {
	char *metric;
	double pct;
};

struct calibration_entry {
	char *machine;		/* the class: "x86_64-intel-xeon-8370c-4cpu-sw" */
	char *scenario;
	char *date;		/* UTC, as 2026-11-21T09:12:33Z */
	unsigned pairs;
	struct calibrated_tolerance *items;
	size_t n, cap;
	unsigned line;		/* 0: not from a file */
};

struct calibration {
	struct arena arena;	/* of everything below */
	struct calibration_entry *entries;
	size_t n, cap;
};

void calibration_release(struct calibration *calibration);
/* Append a tolerance to an entry that is being made; METRIC is copied. */
void calibration_entry_add(struct arena *arena, struct calibration_entry *entry, const char *metric, double pct);

/* 0, or -1 with at least one fault added to DIAGS; OUT is written only on success. */
int calibration_parse(const char *text, size_t len, const char *path, struct calibration *out, struct diags *diags);
/* A copy of ENTRY, instead of the one that is there for its machine and scenario; keeps the order by both. */
void calibration_put(struct calibration *calibration, const struct calibration_entry *entry);
/* The file's text, which calibration_parse() reads back. */
void calibration_print(const struct calibration *calibration, struct strbuf *out);

/* The entry for a machine class and a scenario, or NULL. */
const struct calibration_entry *calibration_find(const struct calibration *calibration, const char *machine,
						 const char *scenario);
/* Sets what was found for machine class MACHINE in SCENARIO's gates; those it says nothing of get none. */
void calibration_apply(const struct calibration *calibration, const char *machine, struct scenario *scenario);

#endif
