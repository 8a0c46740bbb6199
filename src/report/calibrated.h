/*
 * What `pawl calibrate` found, for people and as JSON. Everything is borrowed; nothing is judged here, see
 * gate/calibrating.h.
 */
#ifndef PAWL_REPORT_CALIBRATED_H
#define PAWL_REPORT_CALIBRATED_H

#include <stdint.h>

#include "base/strv.h"
#include "base/text.h"
#include "judge/calibrate.h"

struct calibrated_scenario {
	const char *name;
	const char *failure;		/* why it could not be measured, or NULL */
	size_t pairs;
	unsigned dropped, rerun, batch;
	bool windows;		/* of which batch make a value, not runs */
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
	unsigned gates;			/* that share the error */
	bool partial;			/* interrupted */
	const struct strv *busy;	/* why the machine was not quiet */
	const struct calibrated_scenario *scenarios;
	size_t n;
};

void calibrated_text(const struct calibrated *calibrated, struct strbuf *out);
void calibrated_json(const struct calibrated *calibrated, struct strbuf *out);

#endif
