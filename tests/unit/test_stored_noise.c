/* The stored rule on runs with real noise: an unchanged program almost never regresses. */
#include "unit.h"

#include <stdlib.h>

#include "judge/stored.h"
#include "gate_samples.h"
#include "noise_recording.h"

enum { BLOCK = 15 };

/* Returns how many of N cases run: one under an emulator, which is many times slower. */
static size_t affordable(size_t n)
{
	return getenv("PAWL_EMULATED") ? 1 : n;
}

/* Runs of one program in one regime, in chronological order. */
struct stream {
	double clock[NOISE_ROUNDS], wall[NOISE_ROUNDS], faults[NOISE_ROUNDS];
	size_t n;
};

struct recording {
	size_t regimes, programs;
	struct stream streams[NOISE_REGIMES][NOISE_PROGRAMS][2];	/* dA and dA2, measured in turn */
};

static void take_stream(const struct noise *noise, size_t regime, size_t program, const char *variant, struct stream *out)
{
	const struct noise_run *runs = noise_series(noise, regime, program, variant);

	for (out->n = 0; runs && out->n < noise->rounds[regime]; out->n++) {
		out->clock[out->n] = runs[out->n].task_ms;
		out->wall[out->n] = runs[out->n].wall_ms;
		out->faults[out->n] = runs[out->n].page_faults;
	}
}

/* Returns NULL if xz is not installed. */
static struct recording *read_recording(void)
{
	CLEANUP(noise_free) struct noise *noise = noise_open();
	struct recording *recording;

	if (!noise)
		return NULL;
	recording = xcalloc(1, sizeof *recording);
	recording->regimes = noise->regimes.n;
	recording->programs = noise->programs.n;
	for (size_t r = 0; r < noise->regimes.n; r++)
		for (size_t p = 0; p < noise->programs.n; p++)
			for (size_t v = 0; v < 2; v++)
				take_stream(noise, r, p, v ? "dA2" : "dA", &recording->streams[r][p][v]);
	return recording;
}

struct tally {
	size_t cases, false_positives, passed;
	double limits;		/* sum */
};

/* Returns the verdict on N runs of a command. TOLERANCE_PCT 0: the default. *LIMIT_OUT is the limit that was used. */
static enum verdict compare(const char *metric, double tolerance_pct, bool virtual_machine, const struct baseline *base,
			    const double *now, size_t n, double *limit_out)
{
	CLEANUP(scenario_result_release) struct scenario_result s = { .name = "recorded" };
	const struct machine machine = { .hypervisor = virtual_machine ? "kvm" : NULL };
	struct gate gate = relative_gate(metric_find(metric), tolerance_pct ?: metric_find(metric)->stored_tolerance_pct);
	struct judgement j = { 0 };

	gate.by_default = !(tolerance_pct > 0);
	judgement_reset(&j, &gate);
	stored_compare(&(struct stored_terms){ &gate, &s, &machine, base }, &j, now, n);
	*limit_out = j.tolerance_pct;
	return j.verdict;
}

static void judge_blocks(const char *metric, double tolerance, const double *before, size_t sessions, size_t length,
			 const double *now, struct tally *tally)
{
	CLEANUP(baseline_release) struct baseline base = { 0 };
	enum verdict verdict;
	double limit;

	for (size_t i = 0; i < sessions; i++) {
		add_session(&base);
		add_to_session(&base, metric, before + i * length, length);
	}
	verdict = compare(metric, tolerance, true, &base, now, BLOCK, &limit);
	tally->cases++;
	tally->limits += limit;
	tally->false_positives += verdict == VERDICT_REGRESSION;
	tally->passed += verdict == VERDICT_PASS;
}

/* Judges blocks of BEFORE against blocks of NOW, some rounds apart. Blocks of one regime must not overlap. */
static void judge_streams(const struct stream *before, const struct stream *now, size_t sessions, bool same_time,
			  const char *metric, double tolerance, struct tally *tally)
{
	bool clock = !strcmp(metric, "task-clock");
	size_t length = sessions > 1 ? BLOCK / 3 * 2 : BLOCK, used = sessions * length, step = same_time ? 2 : 7;

	for (size_t s = 0; s + used <= before->n; s += step)
		for (size_t t = 0; t + BLOCK <= now->n; t += step)
			if (!same_time || t >= s + used || s >= t + BLOCK)
				judge_blocks(metric, tolerance, (clock ? before->clock : before->faults) + s, sessions, length,
					     (clock ? now->clock : now->faults) + t, tally);
}

static struct tally judge_recording(const struct recording *r, size_t sessions, bool other_regime, const char *metric,
				    double tolerance)
{
	struct tally tally = { 0 };

	for (size_t w = 0; w < r->programs; w++)
		for (size_t a = 0; a < r->regimes; a++)
			for (size_t b = 0; b < r->regimes; b++)
				for (size_t v = 0; v < 2; v++)
					if ((a != b) == other_regime)
						judge_streams(&r->streams[a][w][v], &r->streams[b][w][!v], sessions, a == b, metric,
							      tolerance, &tally);
	return tally;
}

TEST(an_unchanged_program_hardly_ever_regresses)
{
	static const struct {
		const char *words, *metric; double tolerance; size_t sessions; bool other_regime;
	} cases[] = {
		{ "another block of time, one session", "task-clock", 25, 1, false },
		{ "another block of time, three sessions", "task-clock", 25, 3, false },
		{ "other neighbours, one session", "task-clock", 25, 1, true },
		{ "other neighbours, three sessions of one hour", "task-clock", 25, 3, true },
		{ "another block of time, one session", "task-clock", 0, 1, false },
		{ "another block of time, three sessions", "task-clock", 0, 3, false },
		{ "other neighbours, one session", "task-clock", 0, 1, true },
		{ "other neighbours, three sessions of one hour", "task-clock", 0, 3, true },
		{ "another block of time, one session", "page-faults", 1, 1, false },
		{ "other neighbours, three sessions of one hour", "page-faults", 1, 3, true },
	};
	CLEANUP(free_ptr) struct recording *recording = read_recording();

	if (!recording)
		SKIP("xz is not installed");
	for (size_t i = 0; i < affordable(sizeof cases / sizeof cases[0]); i++) {
		struct tally t = judge_recording(recording, cases[i].sessions, cases[i].other_regime, cases[i].metric,
						 cases[i].tolerance);

		print_message("%s, %s: %zu false positives of %zu, %.3f %%; %.2f %% pass; limit %.1f %%\n", cases[i].metric,
			      cases[i].words, t.false_positives, t.cases, 100. * (double)t.false_positives / (double)t.cases,
			      100. * (double)t.passed / (double)t.cases, t.limits / (double)t.cases);
		assert_true(t.cases > 500);
		assert_true((double)t.false_positives <= 0.01 * (double)t.cases);
		assert_true(cases[i].tolerance > 0 || (double)t.passed >= 0.98 * (double)t.cases);
	}
}

/* Judges one run NOW, anywhere in the recording, against each block of N stored runs of the same program. */
static void judge_single_runs(const struct stream *before, const struct stream *now, bool same, size_t n, const char *metric,
			      struct tally *tally)
{
	bool wall = !strcmp(metric, "wall-time");

	for (size_t s = 0; s + n <= before->n; s += 3) {
		CLEANUP(baseline_release) struct baseline base = { 0 };

		add_session(&base);
		add_to_session(&base, metric, (wall ? before->wall : before->clock) + s, n);
		for (size_t t = 0; t < now->n; t++) {
			const double *run = (wall ? now->wall : now->clock) + t;
			double limit;

			if (same && t >= s && t < s + n)
				continue;
			tally->cases++;
			tally->false_positives += compare(metric, 25, false, &base, run, 1, &limit) == VERDICT_REGRESSION;
		}
	}
}

/* The baseline ran on an idle machine, the run on a busy one. The machine is assumed to have the narrowest spreads. */
TEST(a_single_run_hardly_ever_regresses)
{
	static const size_t stored[] = { 1, 3, 5, 10, 20 };
	static const char *const metrics[] = { "task-clock", "wall-time" };
	CLEANUP(free_ptr) struct recording *r = read_recording();

	if (!r)
		SKIP("xz is not installed");
	for (size_t m = 0; m < affordable(2); m++)
		for (size_t i = 0; i < affordable(sizeof stored / sizeof stored[0]); i++) {
			struct tally t = { 0 };

			for (size_t w = 0; w < r->programs; w++)
				for (size_t k = 0; k < 4 * r->regimes * r->regimes; k++) {
					size_t a = k / 4 % r->regimes, b = k / 4 / r->regimes;

					judge_single_runs(&r->streams[a][w][k & 1], &r->streams[b][w][k >> 1 & 1],
							  a == b && (k & 1) == (k >> 1 & 1), stored[i], metrics[m], &t);
				}
			print_message("%s, one run against %zu: %zu false positives of %zu\n", metrics[m], stored[i], t.false_positives, t.cases);
			assert_true(t.cases > 100000);
			assert_true((double)t.false_positives < 1e-4 * (double)t.cases);
		}
}
