/* Accepted baselines as text and JSON: what they hold, and how they changed. Text is safe for a terminal. */
#ifndef PAWL_REPORT_FORMATS_ACCEPTED_H
#define PAWL_REPORT_FORMATS_ACCEPTED_H

#include <stddef.h>

#include "store/store.h"

struct baseline;
struct metric;
struct profile;
struct strbuf;

void accepted_show(struct strbuf *out, const struct baseline *base);

/* Append how the baseline in FILE, NOW, differs from BEFORE (NULL: it is new). JSON has every metric. */
void accepted_difference(struct strbuf *out, const char *file, const struct baseline *now, const struct baseline *before);
void accepted_difference_json(cJSON *array, const char *file, const struct baseline *now, const struct baseline *before);

/* Returns the median in METRIC's unit. NaN without a baseline, or if it was accepted in another unit. */
double accepted_median(const struct baseline *base, const struct metric *metric);
/* Appends a line such as "task-clock per request 2.5 us -> 2.7 us +8.0 %". */
void accepted_change(struct strbuf *out, const char *work_unit, const struct metric *metric, double before, double now);
/* Shares that changed by more than a point, a line each after INDENT blanks; or why they cannot be compared. */
void accepted_share_changes(struct strbuf *out, size_t indent, const struct profile *before, const struct profile *now);

#endif
