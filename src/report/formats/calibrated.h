/* The result of `pawl calibrate` as text and JSON. */
#ifndef PAWL_REPORT_FORMATS_CALIBRATED_H
#define PAWL_REPORT_FORMATS_CALIBRATED_H

#include <stddef.h>
#include <stdint.h>

struct calibrating;
struct result;
struct strbuf;

/* The result of `pawl calibrate`, judged by judge/calibrate.c. Everything is borrowed. */

struct calibrated_scenario {
	double seconds;			/* duration of all its pairs, with setup and cleanup */
	double budget_s;		/* duration of one of its comparisons */
	const struct calibrating *metrics;
	size_t n;
};

struct calibrated {
	const struct result *result;	/* of the comparison of the tree with itself */
	const struct calibrated_scenario *scenarios;	/* parallel to those of the result */
	const char *class;		/* machine class */
	uint64_t seed;
	unsigned gates;			/* number of gates that comparisons are corrected for */
};

void calibrated_text(const struct calibrated *calibrated, struct strbuf *out);
void calibrated_json(const struct calibrated *calibrated, struct strbuf *out);

#endif
