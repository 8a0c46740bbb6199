/* The symbols of a profile as JSON, and counts run by run. Used by profile_json.c. */
#ifndef PAWL_GATE_PROFILE_SYMBOLS_JSON_H
#define PAWL_GATE_PROFILE_SYMBOLS_JSON_H

#include "gate/json_fields.h"
#include "model/profile.h"

/* struct profile, whose samples, weight and runs have been read. A key equal to the symbol is left out. */
extern const struct json_codec profile_symbols_codec;
/* Refuses keys that a symbol does not have; for json_each(). */
int profile_symbol_known(const struct json *item, void *ctx, struct error *err);

void profile_counts_add(cJSON *object, const char *key, const uint64_t *counts, size_t n);
/* The N counts of an array to OUT: exactly as many, and their sum is SUM. */
int profile_counts_read(const struct json *at, uint64_t sum, uint64_t *out, size_t n, struct error *err);

#endif
