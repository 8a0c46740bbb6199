/* The columns of a table of gates, which text and Markdown share. */
#ifndef PAWL_REPORT_COLUMNS_H
#define PAWL_REPORT_COLUMNS_H

#include "base/strbuf.h"
#include "model/result.h"

struct gate_column {
	const char *title;
	bool right;	/* aligned, as numbers are */
	bool foreign;	/* the cell may hold anything: escape it */
	void (*add)(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
};

enum { GATE_COLUMNS = 7 };

/* gate, baseline, now, change, interval, tolerance, verdict: the verdict is last. */
extern const struct gate_column gate_columns[GATE_COLUMNS];

#endif
