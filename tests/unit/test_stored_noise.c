/* The stored rule on runs that really were noisy: an unchanged program is hardly ever accused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/wait.h>

#include "base/cleanup.h"
#include "gate/stored.h"
#include "gate_samples.h"

enum { ROUNDS_MAX = 64, REGIMES_MAX = 8, WORKLOADS_MAX = 8, BLOCK = 15 };

/* tests/fixtures/noise/unchanged.csv.xz: runs of one program in one regime, in order of time. */
struct stream {
	double clock[ROUNDS_MAX], faults[ROUNDS_MAX];
	size_t n;
};

struct recording {
	struct strv regimes, workloads;
	struct stream streams[REGIMES_MAX][WORKLOADS_MAX][2];	/* dA and dA2, measured in turn */
};

static size_t index_of(struct strv *names, const char *name, size_t limit)
{
	size_t at = 0;

	while (at < names->n && strcmp(names->items[at], name))
		at++;
	if (at == names->n)
		strv_push(names, name);
	assert_true(names->n <= limit);
	return at;
}

/* NULL where xz is not installed. */
static struct recording *read_recording(void)
{
	struct recording *recording = xcalloc(1, sizeof *recording);
	FILE *in = popen("xz -dc tests/fixtures/noise/unchanged.csv.xz", "r");
	char line[256], regime[32], workload[32], variant[8];
	double clock, faults;
	unsigned round;
	size_t rows = 0;
	int status;

	assert_non_null(in);
	while (fgets(line, sizeof line, in)) {
		struct stream *s;

		if (sscanf(line, "%31[^,],%u,%31[^,],%7[^,],%lf,%lf", regime, &round, workload, variant, &clock, &faults) != 6)
			continue;
		s = &recording->streams[index_of(&recording->regimes, regime, REGIMES_MAX)]
				       [index_of(&recording->workloads, workload, WORKLOADS_MAX)][!strcmp(variant, "dA2")];
		assert_true(s->n < ROUNDS_MAX);
		s->clock[s->n] = clock;
		s->faults[s->n++] = faults;
		rows++;
	}
	status = pclose(in);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		free(recording);
		return NULL;
	}
	assert_int_equal(status, 0);
	assert_int_equal(rows, 3480);
	return recording;
}

static void free_recording(struct recording **recording)
{
	if (!*recording)
		return;
	strv_release(&(*recording)->regimes);
	strv_release(&(*recording)->workloads);
	free(*recording);
}

struct tally {
	size_t cases, accused, passed;
};

static void judge_blocks(const char *metric, double tolerance, const double *before, size_t sessions, size_t length,
			 const double *now, struct tally *tally)
{
	CLEANUP(baseline_release) struct baseline base = { 0 };
	struct gate gate = relative_gate(metric_find(metric), tolerance);
	const struct stored_terms terms = { .virtual_machine = true };
	struct change change;

	for (size_t i = 0; i < sessions; i++) {
		add_session(&base);
		add_to_session(&base, metric, before + i * length, length);
	}
	stored_compare(&gate, &base, metric, now, BLOCK, &terms, &change);
	tally->cases++;
	tally->accused += change.verdict == VERDICT_REGRESSION;
	tally->passed += change.verdict == VERDICT_PASS;
}

/* Blocks of BEFORE against blocks of NOW, some rounds apart; of one regime they must not overlap. */
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

	for (size_t w = 0; w < r->workloads.n; w++)
		for (size_t a = 0; a < r->regimes.n; a++)
			for (size_t b = 0; b < r->regimes.n; b++)
				for (size_t v = 0; v < 2; v++)
					if ((a != b) == other_regime)
						judge_streams(&r->streams[a][w][v], &r->streams[b][w][!v], sessions, a == b, metric,
							      tolerance, &tally);
	return tally;
}

static void an_unchanged_program_is_hardly_ever_accused(void **state)
{
	static const struct {
		const char *words, *metric;
		double tolerance;
		size_t sessions;
		bool other_regime;
	} cases[] = {
		{ "another block of time, one session", "task-clock", 25, 1, false },
		{ "another block of time, three sessions", "task-clock", 25, 3, false },
		{ "other neighbours, one session", "task-clock", 25, 1, true },
		{ "other neighbours, three sessions of one hour", "task-clock", 25, 3, true },
		{ "another block of time, one session", "page-faults", 1, 1, false },
		{ "other neighbours, three sessions of one hour", "page-faults", 1, 3, true },
	};
	CLEANUP(free_recording) struct recording *recording = read_recording();

	(void)state;
	if (!recording) {
		print_message("xz is not installed\n");
		skip();
	}
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tally t = judge_recording(recording, cases[i].sessions, cases[i].other_regime, cases[i].metric,
						 cases[i].tolerance);

		print_message("%s, %s: accused %zu of %zu, %.3f %%; %.1f %% pass\n", cases[i].metric, cases[i].words,
			      t.accused, t.cases, 100. * (double)t.accused / (double)t.cases,
			      100. * (double)t.passed / (double)t.cases);
		assert_true(t.cases > 500);
		assert_true((double)t.accused <= 0.01 * (double)t.cases);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unchanged_program_is_hardly_ever_accused),
	};

	return cmocka_run_group_tests_name("stored_noise", tests, NULL, NULL);
}
