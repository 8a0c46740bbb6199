/*
 * The recording in tests/fixtures/noise, for tests of rules on real noise: noise_open() or noise_read(), look up
 * runs by regime, program, variant and round, then noise_free().
 */
#ifndef PAWL_TESTS_NOISE_RECORDING_H
#define PAWL_TESTS_NOISE_RECORDING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/text.h"

enum { NOISE_REGIMES = 8, NOISE_PROGRAMS = 8, NOISE_VARIANTS = 16, NOISE_ROUNDS = 64, NOISE_ROWS = 10080 };

struct noise_run {
	bool there;
	unsigned pos;		/* position in its round, among all variants of the program */
	double task_ms, wall_ms, page_faults;
};

struct noise {
	struct strv regimes, programs, variants;
	size_t rounds[NOISE_REGIMES];
	struct noise_run runs[NOISE_REGIMES][NOISE_PROGRAMS][NOISE_VARIANTS][NOISE_ROUNDS];
};

/* Returns the index of NAME in NAMES, or names->n if it is missing. */
static inline size_t noise_find(const struct strv *names, const char *name)
{
	size_t at = 0;

	while (at < names->n && strcmp(names->items[at], name))
		at++;
	return at;
}

static inline size_t noise_intern(struct strv *names, const char *name, size_t limit)
{
	size_t at = noise_find(names, name);

	if (at == names->n)
		strv_push(names, name);
	if (names->n > limit)
		abort();
	return at;
}

/* Releases *NOISE, which may be NULL. */
static inline void noise_free(struct noise **noise)
{
	if (!*noise)
		return;
	strv_release(&(*noise)->regimes);
	strv_release(&(*noise)->programs);
	strv_release(&(*noise)->variants);
	free(*noise);
}

/* Reads the rows of runs.csv. Returns NULL unless all rows are there. */
static inline struct noise *noise_read(FILE *in)
{
	struct noise *noise = xcalloc(1, sizeof *noise);
	char line[256], regime[32], program[32], variant[8];
	size_t rows = 0;
	unsigned round;

	while (fgets(line, sizeof line, in)) {
		struct noise_run run = { .there = true };
		size_t r;

		if (sscanf(line, "%31[^,],%u,%31[^,],%7[^,],%u,%lf,%lf,%*f,%*f,%lf", regime, &round, program, variant,
			   &run.pos, &run.task_ms, &run.wall_ms, &run.page_faults) != 8)
			continue;
		if (round >= NOISE_ROUNDS)
			abort();
		r = noise_intern(&noise->regimes, regime, NOISE_REGIMES);
		noise->runs[r][noise_intern(&noise->programs, program, NOISE_PROGRAMS)]
			   [noise_intern(&noise->variants, variant, NOISE_VARIANTS)][round] = run;
		if (noise->rounds[r] <= round)
			noise->rounds[r] = round + 1;
		rows++;
	}
	if (rows != NOISE_ROWS)
		noise_free(&noise);
	return rows == NOISE_ROWS ? noise : NULL;
}

/* Opens the recording of the current checkout. Returns NULL if xz is not installed. Aborts if the recording differs. */
static inline struct noise *noise_open(void)
{
	FILE *in = popen("xz -dc tests/fixtures/noise/runs.csv.xz", "r");
	struct noise *noise = in ? noise_read(in) : NULL;
	int status = in ? pclose(in) : -1;

	if (noise || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		return noise;
	abort();
}

/* Returns the rounds of one program in one regime, in order of time; NULL if the recording lacks them. */
static inline const struct noise_run *noise_series(const struct noise *noise, size_t regime, size_t program,
						   const char *variant)
{
	size_t v = noise_find(&noise->variants, variant);

	if (v == noise->variants.n || !noise->runs[regime][program][v][0].there)
		return NULL;
	return noise->runs[regime][program][v];
}

#endif
