/*
 * How a scenario can run on two sides.
 */
#ifndef PAWL_MEASURE_RUN_TWO_SIDES_H
#define PAWL_MEASURE_RUN_TWO_SIDES_H

#include "measure/run/loop.h"

struct error;
struct scenario;

/*
 * Returns how SCENARIO's services live in pairs. Side by side requires that each listens on its own port (it uses
 * ${port}), or on no port and in its own folder (it uses ${tmp}). The target must be found by its service, its port,
 * or a file in such a folder.
 */
enum pair_services two_sides_services(const struct scenario *scenario);
/*
 * Returns 0, or -1 with an ERR_INPUT if SCENARIO cannot run in two trees: its target runs already and the scenario
 * does not start it.
 */
int two_sides_refuse(const struct scenario *scenario, struct error *err);

#endif
