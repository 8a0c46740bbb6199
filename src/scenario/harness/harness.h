/*
 * Benchmark programs as targets: how a program is asked for its benchmarks, and how its output becomes values. One
 * row of `formats` and one reader for each kind of program. No input or output.
 */
#ifndef PAWL_SCENARIO_HARNESS_HARNESS_H
#define PAWL_SCENARIO_HARNESS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"

enum harness_kind {
	HARNESS_NONE,
	HARNESS_GOOGLE, HARNESS_CRITERION, HARNESS_GO, HARNESS_PYTEST, HARNESS_CATCH2, HARNESS_NANOBENCH, HARNESS_HYPERFINE,
	HARNESS_JSON,
};

extern const char *const harness_names[];	/* "none", "google-benchmark", ...; NULL-terminated */

/* Most benchmarks of one run. */
enum { BENCHMARKS_MOST = 1000 };
/* Most bytes of results that are read. */
enum { HARNESS_TEXT_MOST = 8 << 20 };

/* Paths of what HARNESS_JSON reads, see json_at(). */
struct harness_places {
	char *list;		/* of the array of benchmarks; NULL: the whole is the array */
	char *name, *value;	/* in each benchmark */
	char *unit;		/* a key in each benchmark, or one of ns, us, ms, s, B, KiB, MiB, GiB, count */
};

struct harness {
	enum harness_kind kind;
	char *filter;		/* as the program takes it; NULL: all benchmarks */
	struct harness_places places;
};

/* -------- asking */

/* The request for the next run. */
struct harness_ask {
	const char *file;	/* for the results, if harness_writes_file() */
	uint64_t time_ns;	/* to measure each benchmark for; 0: the shortest, to learn their names */
	double longest_ms;	/* the longest value seen; 0: none yet */
	const struct strv *only;	/* the benchmarks to run; NULL: those of the filter */
	unsigned iterations;	/* of each benchmark, see harness_iterations(); 0: as many as fit */
	bool older;		/* as older versions take it, see harness_older() */
};

/* True if the results go to a file instead of standard output. */
bool harness_writes_file(const struct harness *harness);
/* True if a filter can be given. */
bool harness_filters(enum harness_kind kind);
/*
 * True if benchmarks can be chosen by their names. A run may still lack some, because names are cleaned and versions
 * differ, and may have others, whose names hold a chosen one.
 */
bool harness_runs_some(const struct harness *harness);
/*
 * Returns how many iterations to ask for, of an OLDER version or not, so that each benchmark takes about TIME_NS; 0: it
 * takes no number.
 */
unsigned harness_iterations(const struct harness *harness, uint64_t time_ns, double longest_ms, bool older);
/* Older versions that take other arguments. */
struct harness_older {
	const char *refuse;	/* the text by which they refuse the usual ones */
	unsigned iterations_most;	/* see harness_iterations() */
	const char *note;	/* what they cost, or NULL */
};
/* NULL: all versions take the same arguments. */
const struct harness_older *harness_older(const struct harness *harness);
/* Appends the arguments for ASK to OUT. */
void harness_arguments(const struct harness *harness, const struct harness_ask *ask, struct arena *arena, struct strv *out);

/* -------- reading */

struct benchmark {
	const char *name;	/* as printed; control characters become question marks */
	double value;		/* in UNIT; the median of its repetitions; NaN: not measured */
	const char *unit;	/* as metric_benchmark() takes it; times are in ms */
	bool waits;		/* wall time; else CPU time */
	const char *why;	/* why it is not measured; else NULL */
};

/* In the program's order, each name once. */
struct benchmarks {
	struct arena arena;
	struct benchmark *items;
	size_t n, cap;
	size_t unnamed;		/* rows without a usable name */
};

void benchmarks_release(struct benchmarks *benchmarks);
/*
 * Reads the benchmarks in TEXT, the file's or standard output. A skipped or failed one has no value; aggregates are
 * left out. OUT is written only on success. ERR_TARGET if TEXT cannot be read, has too many, or none. SOME: only some
 * were asked for, and none is no error.
 */
int harness_read(const struct harness *harness, const char *text, size_t len, bool some, struct benchmarks *out, struct error *err);

#endif
