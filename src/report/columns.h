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
/* True for a row that nothing is tolerated of: it is shown, not judged. */
bool gate_is_shown(const struct gate_result *gate);
/* Of column I, where SCENARIO's table (NULL: of several stored ones) is: in pairs there are a base and a head. */
const char *gate_column_title(size_t i, const struct scenario_result *scenario);

#endif
