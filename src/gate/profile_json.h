/*
 * A profile as JSON. Results keep up to PROFILE_JSON_RESULT_MOST symbols, the heaviest and those that these were called
 * from, with files, threads and doubts; baselines keep the heaviest PROFILE_JSON_BASELINE_MOST with files, and refuse
 * unknown keys. Shares under 0.1 % are left out. The samples of symbols that are left out
 * are added to rest_samples. What is read adds up: the samples of the runs to the symbol's, a symbol's to no more
 * than all.
 */
#ifndef PAWL_GATE_PROFILE_JSON_H
#define PAWL_GATE_PROFILE_JSON_H

#include "gate/json_fields.h"

enum { PROFILE_JSON_RESULT_MOST = 300, PROFILE_JSON_BASELINE_MOST = 60 };

/* struct profile; where there is none, null in results, and no key in baselines. */
extern const struct json_codec profile_codec, profile_codec_strict;

/* Of a profile as it was written, keep the first MOST symbols. */
void profile_json_shorten(cJSON *profile, size_t most);

#endif
