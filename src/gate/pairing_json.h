/*
 * A comparison in pairs as JSON: "pairing" tells how it was made and what the sides are, "pairs" has both sides' values,
 * an object of numbers or null a side, and which of them ran first. Read in this order, behind "printed_metrics". Both are
 * left out of scenarios that were measured alone. The base's profile is not kept: what was found of it is in "symbols".
 */
#ifndef PAWL_GATE_PAIRING_JSON_H
#define PAWL_GATE_PAIRING_JSON_H

#include "gate/json_fields.h"

/* Each takes a struct scenario_result. */
extern const struct json_codec pairing_codec, pairs_codec;

#endif
