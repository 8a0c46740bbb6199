/* Hand-made profiles. */
#ifndef PAWL_TESTS_PROFILE_SAMPLES_H
#define PAWL_TESTS_PROFILE_SAMPLES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/profile.h"

/* Starts an empty profile of RUNS runs with SAMPLES samples each. */
static inline void profile_begin(struct profile *profile, uint64_t samples, size_t runs)
{
	*profile = (struct profile){
		.frequency = 997, .normaliser = 1, .samples = samples * runs,
		.weight = (double)(samples * runs) * 1e6, .n_runs = runs, .overhead_pct = NAN,
	};
	profile->event = arena_strdup(&profile->arena, "cpu-clock");
	profile->run_samples = arena_alloc(&profile->arena, runs * sizeof(uint64_t));
	for (size_t i = 0; i < runs; i++)
		profile->run_samples[i] = samples;
	profile->rest_samples = profile->samples;
}

/* Adds a function with HITS[i] samples in run i. */
static inline void profile_hits(struct profile *profile, const char *symbol, const char *dso, const uint64_t *hits)
{
	struct profile_symbol *added = profile_add_symbol(profile, symbol, symbol, dso ?: "prog");

	for (size_t i = 0; i < profile->n_runs; i++) {
		added->run_samples[i] = hits[i];
		added->samples += hits[i];
	}
	added->total_samples = added->samples;
	added->weight = added->total_weight = (double)added->samples * 1e6;
	profile->rest_samples -= added->samples;
	profile_add_part(profile, &profile->dsos, added->dso, added->samples, added->weight);
}

/*
 * Fills a profile from SHARES such as "hash 18.2, memcpy 40 libc.so.6": self shares in percent.
 * "hash 18.2/30" adds the inclusive share, 30. The file "-" is unknown. If the shares sum up to less
 * than 100 %, a function "light" with 0.05 % follows for the rest.
 */
static inline void profile_fill(struct profile *profile, uint64_t samples, size_t runs, const char *shares)
{
	profile_begin(profile, samples, runs);
	while (shares && *shares) {
		char symbol[100], dso[100] = "prog";
		uint64_t hits[PROFILE_RUNS_MAX];
		double pct, total = 0;
		int len = 0;

		if (sscanf(shares, " %99[^ ] %lf%n", symbol, &pct, &len) != 2)
			abort();
		shares += len;
		if (sscanf(shares, "/%lf%n", &total, &len) == 1)
			shares += len;
		if (sscanf(shares, " %99[^ ,]%n", dso, &len) == 1)
			shares += len;
		shares += *shares == ',';
		for (size_t i = 0; i < runs; i++)
			hits[i] = (uint64_t)lround((double)samples * pct / 100);
		profile_hits(profile, symbol, strcmp(dso, "-") ? dso : "", hits);
		if (total)
			profile->symbols[profile->n_symbols - 1].total_weight = profile->weight * total / 100;
	}
	if (profile->rest_samples) {
		uint64_t hits[PROFILE_RUNS_MAX];

		for (size_t i = 0; i < runs; i++)
			hits[i] = samples / 2000;
		profile_hits(profile, "light", "prog", hits);
	}
}

#endif
