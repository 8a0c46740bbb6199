/*
 * The figures of a scenario as its settings keep them, one text each: "NAME UNIT WHERE HOW". UNIT is
 * "-" when there is none; HOW is lower or higher of a printed metric, and rate or count of the work,
 * which is called METRIC_WORK and whose unit is what the load does.
 */
#ifndef PAWL_MODEL_SETTINGS_METRICS_H
#define PAWL_MODEL_SETTINGS_METRICS_H

#include "model/result.h"

void settings_add_figure(struct settings *settings, const char *name, const char *unit, const char *where,
			 const char *how);
/*
 * Make known to SCENARIO what the figures of SETTINGS are: units of printed metrics, and what the load
 * does. Settings come from files, too: a text that is no figure, and what is no unit, is passed over.
 */
void settings_define_metrics(const struct settings *settings, struct scenario_result *scenario);

#endif
