/*
 * What a scenario says of being run on two sides.
 */
#ifndef PAWL_MEASURE_RUN_TWO_SIDES_H
#define PAWL_MEASURE_RUN_TWO_SIDES_H

#include "measure/run/loop.h"

struct error;
struct scenario;

/*
 * How SCENARIO's services can live in pairs: beside each other where each of them listens on a port of its own (it speaks
 * of ${port}) or on no port at all and in a folder of its own (it speaks of ${tmp}), and where the target is found by its
 * service, its port, or a file in such a folder.
 */
enum pair_services two_sides_services(const struct scenario *scenario);
/*
 * 0, or -1 with an ERR_INPUT when SCENARIO cannot be run in two trees, since its target runs already and nothing in the
 * scenario starts it.
 */
int two_sides_refuse(const struct scenario *scenario, struct error *err);

#endif
