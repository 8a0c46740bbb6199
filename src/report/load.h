/* An attached target in words: what it was, how long it was watched, what its load did meanwhile. */
#ifndef PAWL_REPORT_LOAD_H
#define PAWL_REPORT_LOAD_H

#include "base/strbuf.h"
#include "model/result.h"

/* "service redis (pid 12), 15 windows of 5.00 s"; nothing of a command. Foreign text. */
void load_attached(struct strbuf *out, const struct scenario_result *scenario);
/* "412 k requests in each window, 82.4 k/s"; nothing when nobody told. Foreign text. */
void load_work(struct strbuf *out, const struct scenario_result *scenario);
/* True for a metric that one of these tells. */
bool load_tells(const struct scenario_result *scenario, const struct metric *metric);

#endif
