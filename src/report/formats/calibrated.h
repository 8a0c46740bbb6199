/*
 * The result of `pawl calibrate` as text and JSON.
 */
#ifndef PAWL_REPORT_FORMATS_CALIBRATED_H
#define PAWL_REPORT_FORMATS_CALIBRATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct calibrating;
struct strbuf;
struct strv;

/* The result of `pawl calibrate`, judged by judge/calibrate.c. Everything is borrowed. */

struct calibrated_scenario {
	const char *name;
	const char *failure;		/* why it could not be measured, or NULL */
	size_t pairs;
	unsigned dropped, rerun, batch;
	bool windows;			/* a value is a batch of windows, not a run */
	double seconds;			/* duration of all its pairs, with setup and cleanup */
	double budget_s;		/* duration of one of its comparisons */
	const struct calibrating *metrics;
	size_t n;
};

struct calibrated {
	const char *date, *pawl;
	const char *class;		/* machine class */
	double elapsed_s;
	uint64_t seed;
	unsigned gates;			/* number of gates that comparisons are corrected for */
	bool partial;			/* interrupted */
	const struct strv *busy;	/* why the machine was not quiet */
	const struct calibrated_scenario *scenarios;
	size_t n;
};

void calibrated_text(const struct calibrated *calibrated, struct strbuf *out);
void calibrated_json(const struct calibrated *calibrated, struct strbuf *out);

#endif
