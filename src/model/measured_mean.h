/*
 * Several executions as one value: the runs of a batch, and the runs in which the groups of events were counted.
 * Peak memory is the largest; all else is the mean of one run, so that values read per run whatever the batch, and
 * quotients made of them are those of the sums.
 */
#ifndef PAWL_MODEL_MEASURED_MEAN_H
#define PAWL_MODEL_MEASURED_MEAN_H

#include "model/measured.h"

/*
 * N (at least 1) executions that counted the same events, into OUT, which holds nothing and is for measured_release().
 * An event that one of them did not count was not counted. A printed figure is the mean of those that printed it.
 */
void measured_mean(const struct measured *runs, size_t n, struct measured *out);

/*
 * Make one run of RESULT's last N (at least 1), which counted different events: a metric becomes the mean of those that
 * measured it. The rows of all are kept.
 */
void measured_fold(struct scenario_result *result, size_t n);

#endif
