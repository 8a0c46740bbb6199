/*
 * Differences of unchanged programs whose two runs went at once on one CPU, and the paired rule on them.
 *
 * Recorded by `pawl ab --pairs together` of a command with itself, on a virtual machine with two CPUs busy with builds and
 * tests (load 12 to 16). Half of the series ran next to an intermittent CPU burner. A sample is a run of consecutive
 * pairs from a random start, wrapping around at the end. The order within each pair is random, as in pawl. A slower
 * program is simulated by multiplying the times of one side.
 */
#ifndef PAWL_TESTS_TOGETHER_RECORDING_H
#define PAWL_TESTS_TOGETHER_RECORDING_H

#include <math.h>

#include "judge/pairs.h"
#include "noise_tally.h"

enum { TOGETHER_PAIRS = 50 };

struct together_series {
	const char *program;
	bool neighbour;
	int ms;				/* CPU time of a run */
	int n;
	int d[TOGETHER_PAIRS];		/* ln(head / base) of CPU time, in hundredths of a percent */
};

static const struct together_series together_recording[] = {
	{ "sort", false, 54, 50,
		{ -78, 3, 108, 178, -545, 317, -422, 192, -123, 513, 180, 155, -152, -61, 56, 349, -210, -68, -57, 618,
		    135, 17, -300, -203, -164, -115, 41, 232, 30, -83, 28, -476, -395, 259, -200, 306, -238, 95, -177, 86,
		    -24, -145, -246, 235, 318, -60, -146, -93, 149, 77 } },
	{ "lz4", false, 199, 50,
		{ 11, -62, -182, 28, 221, -76, -1, -95, 219, -42, 66, -166, 168, 25, 68, 91, -15, 38, -16, -146, -346, 37,
		    -162, 108, -75, -169, 68, 73, -54, 40, -72, -238, -215, 153, 43, -324, 189, -10, 129, 298, -19, -374,
		    -36, 36, 75, 161, 88, 226, 41, 55 } },
	{ "zstd", false, 120, 50,
		{ 184, -450, 91, -61, 162, 510, 43, -586, 461, -116, 38, 204, 304, 159, -97, -597, -271, 103, 831, -178,
		    -237, -49, 441, 2, -199, -87, 224, -73, 51, -114, 178, -61, -214, 4, 184, 344, -369, 174, -146, -49,
		    13, 250, 102, -101, 77, -107, -46, -209, -79, 87 } },
	{ "cache8", false, 16, 50,
		{ 175, -14, -45, -199, -256, -44, 107, 230, 113, 27, 164, -164, -190, 146, 17, 239, 279, -811, -336, 46,
		    51, 22, -174, 88, 195, 170, 575, -5, 101, -434, -36, 199, -255, -117, -72, 516, -514, 0, -187, 78,
		    -127, -187, -96, 18, -140, 2, 479, -73, 632, -241 } },
	{ "sort", true, 51, 50,
		{ 32, -29, 146, -347, -12, 760, 437, -144, 43, 31, -113, 889, -34, -63, -321, -84, 69, -22, -413, 51, 343,
		    144, 152, 555, -54, 29, 32, -106, -5, 828, -3, -186, 24, 68, -12, 96, -182, 174, -229, 187, -307, -44,
		    -193, -197, -18, 131, -154, 310, 357, -165 } },
	{ "zstd", true, 102, 50,
		{ -643, 25, -31, 337, -48, -137, -149, 188, 415, 417, -93, 244, -402, -169, 626, 62, -132, -260, 21, -34,
		    253, -22, -90, -231, 226, 280, 176, -104, -125, 79, -232, 342, -197, -198, -133, -185, 407, -423, 15,
		    -37, -424, 23, 153, 252, -670, 137, 45, -100, -101, 117 } },
	{ "cache8", true, 16, 50,
		{ 313, 78, -270, 136, -162, -130, 1172, 326, 1707, 376, -1271, -12, 1203, 487, -136, 535, 787, -574, -687,
		    -968, 945, -441, 173, 415, 67, -117, 500, -318, 26, -319, 564, 597, 518, 578, 81, 660, -873, 807,
		    -242, 594, 50, -94, 461, 674, -40, -693, -633, -137, -249, -466 } },
	{ "xz", false, 84, 50,
		{ 386, -69, -458, -73, 264, -171, -163, -337, -73, 217, -110, 23, 388, 5, -226, 198, -45, -662, -17, 71,
		    -197, 114, -29, 275, 281, 69, -335, 27, -58, 240, -43, 145, 235, -580, -173, 42, 56, 139, 166, -358,
		    161, 388, -43, -148, -150, -65, 109, 378, 513, 628 } },
	{ "gzip", false, 72, 50,
		{ -146, -77, 64, -110, -102, -20, 203, -106, -47, -193, -86, -183, 100, 317, 77, 8, 113, -53, 191, 3, 121,
		    -3, -100, -59, -89, -29, -184, -175, 35, -100, -123, -117, 33, 129, 85, 74, 9, -258, -118, -142, 136,
		    37, -135, -196, 18, -83, -83, 532, -1, 23 } },
	{ "sqlite3", false, 82, 30,
		{ 22, -145, 463, 20, -95, 262, -461, -48, 455, -221, -202, -94, -363, -518, 1367, -489, -93, -488, -511,
		    -262, -325, -353, 326, -437, -728, 81, -67, -288, -453, 46 } },
	{ "xz", true, 73, 50,
		{ 207, -896, 173, -142, 7, -86, 45, -48, 139, -324, -258, -28, 72, -362, 271, -109, -138, 27, -98, 67,
		    -132, -128, 154, 35, 128, 251, 18, -416, -134, -110, 174, -309, -10, 72, 66, 32, -42, 43, 7, 133, 104,
		    -14, -130, -63, 275, -192, -132, -57, 112, -264 } },
	{ "gzip", true, 73, 50,
		{ 166, -49, -173, 38, -82, 199, -42, -149, 10, -658, 26, 97, -107, -180, 63, -88, 97, 134, 90, -106, 0,
		    42, 81, 0, -131, 186, 115, -17, 4, -150, -100, -81, 74, 46, 65, -182, 129, 108, 173, -1, 109, -52,
		    109, -115, -78, 90, 151, 62, -196, 1 } },
	{ "sqlite3", true, 86, 50,
		{ -295, 915, 64, 418, -148, -895, -147, 257, -1233, 300, -52, -342, -166, 19, -331, 883, -25, 95, 21, -47,
		    -144, 543, -109, 317, -253, -34, -372, 279, -157, 128, -27, 219, -134, 454, 711, 636, 99, 52, 479,
		    -334, -467, -301, -146, 18, -9, 312, -376, 5, -142, 617 } },
};

enum { TOGETHER_SERIES = sizeof together_recording / sizeof *together_recording };

/* Decides on the recorded program I from a random start, with tossed order, slower by FACTOR. */
static inline struct paired decide_together(size_t i, const struct paired_terms *terms, double factor, uint64_t *random)
{
	const struct together_series *s = &together_recording[i];
	size_t start = below(random, (size_t)s->n);
	double d[PAIRS_MOST];
	struct paired p;

	for (size_t k = 0; k < PAIRS_MOST; k++) {
		double noise = s->d[(start + k) % (size_t)s->n] / 1e4;

		d[k] = (below(random, 2) ? -noise : noise) + log(factor);
	}
	if (!paired_decide(d, PAIRS_MOST, true, terms, &p))
		abort();
	return p;
}

/* Tallies suites of GATES gates each, slower by FACTOR; N of every recorded program. */
static inline struct tally toss_together(unsigned gates, double tolerance_pct, bool looks_at_once, double factor, uint64_t random,
					 unsigned n)
{
	const struct paired_terms terms = { .gates = gates, .tolerance = log1p(tolerance_pct / 100), .together = looks_at_once };
	struct tally tally = { 0 };

	for (unsigned i = 0; i < n * TOGETHER_SERIES; i++) {
		struct paired p = decide_together(i % TOGETHER_SERIES, &terms, factor, &random);

		count_gate(&tally, p.verdict, 2. * p.pairs);
	}
	return tally;
}

/* Tallies N suites of GATES gates, which are the sets, slower by FACTOR. Each gate is a recorded program, by chance. */
static inline struct tally toss_suites(unsigned gates, double tolerance_pct, double factor, uint64_t random, unsigned n)
{
	const struct paired_terms terms = { .gates = gates, .tolerance = log1p(tolerance_pct / 100), .together = true };
	struct tally tally = { .sets = n };

	for (unsigned i = 0; i < n; i++) {
		unsigned before = tally.regressed;

		for (unsigned gate = 0; gate < gates; gate++) {
			struct paired p = decide_together(below(&random, TOGETHER_SERIES), &terms, factor, &random);

			tally.gates++;
			tally.regressed += p.verdict == VERDICT_REGRESSION;
			tally.passed += p.verdict == VERDICT_PASS || p.verdict == VERDICT_IMPROVEMENT;
			tally.runs += 2. * p.pairs;
		}
		tally.sets_regressed += tally.regressed > before;
	}
	return tally;
}

#endif
