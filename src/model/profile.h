/*
 * A profile as verdicts need it: the sampled symbols, how often, and in which profiled runs. profile/shares.h makes
 * it from stacks, results and baselines store it, judge/ judges it. The stacks themselves stay in the run's folder.
 *
 * Weight is the sum of the sample periods, in the unit of the event: nanoseconds for cpu-clock, cycles for cycles. A
 * share is a symbol's weight divided by the whole profile's. It is the self share unless stated.
 */
#ifndef PAWL_MODEL_PROFILE_H
#define PAWL_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"

enum {
	PROFILE_RUNS_LEAST = 3,		/* fewest profiled runs a side, to measure their spread */
	PROFILE_SAMPLES_GATED = 3000,	/* below this a symbol gate is inconclusive */
	PROFILE_SAMPLES_SHOWN = 1000,	/* below this the picture is marked as well */
	PROFILE_RUNS_MAX = 64,
	PROFILE_SYMBOLS_MOST = 1000,	/* listed; lighter ones count in rest_samples */
	PROFILE_NAME_LONGEST = 2000,	/* longest symbol, key or file, in bytes */
};

/*
 * In recordings with unwound stacks, the bits of a process's number above RECORDED_PID_BITS hold its number of execs.
 * Linux uses no more bits for the process itself. See perf_data_part_execs().
 */
enum { RECORDED_PID_BITS = 22, RECORDED_EXECS_MOST = 500 };
#define RECORDED_PID_MASK ((1u << RECORDED_PID_BITS) - 1)

enum call_graph { CALL_GRAPH_FP, CALL_GRAPH_DWARF, CALL_GRAPH_LBR };

extern const char *const call_graph_names[];	/* "fp", ...; NULL-terminated */

struct profile_symbol {
	char *symbol;		/* for people: demangled; "[unknown]" if unknown */
	char *key;		/* for comparisons: the same code has the same key in two builds */
	char *dso;		/* base name of its file: "libc.so.6", "[kernel]", "[vdso]"; "" unknown */
	uint64_t samples, total_samples;	/* self; inclusive: anywhere on the stack, once per sample */
	double weight, total_weight;
	uint64_t *run_samples;	/* self, parallel to the profile's */
};

/* A file or a thread name, with its samples. */
struct profile_part {
	char *name;
	uint64_t samples;
	double weight;
};

struct profile_parts {
	struct profile_part *items;	/* heaviest first */
	size_t n, cap;
};

/* The arena owns the texts and lists. */
struct profile {
	struct arena arena;
	char *event;		/* "cpu-clock", "cycles"; NULL: no profile */
	unsigned frequency;	/* Hz */
	enum call_graph call_graph;
	bool cut;		/* the budget left it less than profile.duration; not stored */
	unsigned normaliser;	/* the version of the rules that made the keys */
	uint64_t samples, lost;
	double weight;
	uint64_t *run_samples;	/* samples of each profiled run, n_runs items */
	size_t n_runs;
	struct profile_symbol *symbols;	/* sorted by self weight, heaviest first; key and dso together are unique */
	size_t n_symbols, cap_symbols;
	uint64_t rest_samples;	/* of symbols too light to be listed; included in `samples` */
	struct profile_parts dsos, threads;
	double overhead_pct;	/* additional task-clock of the profiled runs over the counted ones; NaN: unknown */
	struct strv warnings;	/* problems, each with a remedy: few samples, stripped, lost, ...; without a profile, why */
};

void profile_release(struct profile *profile);
/* Returns a view that borrows from PROFILE. It is valid as long as PROFILE and must not be released. */
struct profile profile_view(const struct profile *profile);
bool profile_exists(const struct profile *profile);
/* Returns why the shares of A and B cannot be compared, or NULL. */
const char *profile_incomparable(const struct profile *a, const struct profile *b);
/* True if weights of EVENT are nanoseconds. */
bool profile_event_is_clock(const char *event);
/*
 * Adds a symbol with n_runs zeros to be filled; valid until the next call. Names are kept in a form that can be
 * written and read back. Invalid UTF-8 becomes U+FFFD, and names beyond PROFILE_NAME_LONGEST are cut. Each changed
 * name gets a hash of the original, so that different names stay different. The same applies to parts and to
 * searches.
 */
struct profile_symbol *profile_add_symbol(struct profile *profile, const char *symbol, const char *key, const char *dso);
/* Adds a part to PARTS, which must be the profile's. */
void profile_add_part(struct profile *profile, struct profile_parts *parts, const char *name, uint64_t samples, double weight);
/* Returns the symbol with this key in this DSO, or NULL. */
const struct profile_symbol *profile_find(const struct profile *profile, const char *key, const char *dso);
/*
 * Returns the symbol of OTHER that equals SYMBOL of OWN, or NULL. Key and file must be equal. Exception: if the key
 * is in one file on each side, the file may differ, because a program may be renamed.
 */
const struct profile_symbol *profile_find_same(const struct profile *own, const struct profile *other,
					       const struct profile_symbol *symbol);
/* Returns 0 to 100; 0 if SYMBOL is NULL or the profile is empty. */
double profile_share_pct(const struct profile *profile, const struct profile_symbol *symbol);

/*
 * Shift of shares of unchanged code on a busy machine, from one hour to another and beyond sampling error. One
 * standard deviation is this times p(1 - p).
 */
#define PROFILE_BUSY_SHIFT 0.05

#endif
