/*
 * What calibrating showed.
 */
#ifndef PAWL_REPORT_CALIBRATED_H
#define PAWL_REPORT_CALIBRATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct calibrating;
struct strbuf;
struct strv;

/* What `pawl calibrate` found, for people and as JSON. Everything is borrowed; judge/calibrate.c has judged it. */

struct calibrated_scenario {
	const char *name;
	const char *failure;		/* why it could not be measured, or NULL */
	size_t pairs;
	unsigned dropped, rerun, batch;
	bool windows;			/* of which batch make a value, not runs */
	double seconds;			/* of all its pairs, with what is around them */
	double budget_s;		/* of one of its comparisons */
	const struct calibrating *metrics;
	size_t n;
};

struct calibrated {
	const char *date, *pawl;
	const char *class;		/* of the machine */
	double elapsed_s;
	uint64_t seed;
	unsigned gates;			/* for which comparisons are corrected */
	bool partial;			/* interrupted */
	const struct strv *busy;	/* why the machine was not quiet */
	const struct calibrated_scenario *scenarios;
	size_t n;
};

void calibrated_text(const struct calibrated *calibrated, struct strbuf *out);
void calibrated_json(const struct calibrated *calibrated, struct strbuf *out);

#endif
