/* The text of a figure as a value of its metric: "1.25ms", "12MiB", "4.5%", "82412.3". */
#ifndef PAWL_MODEL_FIGURE_NUMBER_H
#define PAWL_MODEL_FIGURE_NUMBER_H

#include "base/error.h"
#include "model/metric.h"

/*
 * A number without a unit is in the unit that METRIC's scenario gave; one of a time, a size or a share
 * may bring its own. METRIC NULL: a plain count. Negative numbers are refused: nothing here measures
 * below zero.
 */
int figure_number(const char *text, const struct metric *metric, double *out, struct error *err);

#endif
