/*
 * A profile as verdicts need it: which symbols were sampled, how often, in which of the profiled runs.
 * Made from stacks by profile/shares.h, kept in results and in baselines, judged by judge/. The stacks
 * themselves stay in the run's folder.
 *
 * Weight is the sum of the sample periods, in what the event counts: nanoseconds for cpu-clock, cycles for
 * cycles. A share is a symbol's weight divided by the whole profile's, self unless another is named.
 */
#ifndef PAWL_MODEL_PROFILE_H
#define PAWL_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"

enum {
	PROFILE_RUNS_LEAST = 3,		/* separate profiled runs a side, so that their spread is known */
	PROFILE_SAMPLES_GATED = 3000,	/* under this a symbol gate is inconclusive */
	PROFILE_SAMPLES_SHOWN = 1000,	/* under this the picture is marked, too */
	PROFILE_RUNS_MAX = 64,
	PROFILE_SYMBOLS_MOST = 1000,	/* listed; what is lighter counts in rest_samples */
	PROFILE_NAME_LONGEST = 2000,	/* bytes of a symbol, key or file */
};

/*
 * In recordings whose stacks are unwound, a process's number has that of its execs so far above its own bits, which are no more
 * on Linux: see perf_data_part_execs().
 */
enum { RECORDED_PID_BITS = 22, RECORDED_EXECS_MOST = 500 };
#define RECORDED_PID_MASK ((1u << RECORDED_PID_BITS) - 1)

enum call_graph { CALL_GRAPH_FP, CALL_GRAPH_DWARF, CALL_GRAPH_LBR };

extern const char *const call_graph_names[];	/* "fp"; of each, then NULL */

struct profile_symbol {
	char *symbol;		/* as people read it: demangled; "[unknown]" where nobody knows */
	char *key;		/* comparable: the same code has the same key in two builds */
	char *dso;		/* base name of its file: "libc.so.6", "[kernel]", "[vdso]"; "" unknown */
	uint64_t samples, total_samples;	/* self; inclusive: anywhere on the stack, once a sample */
	double weight, total_weight;
	uint64_t *run_samples;	/* self, parallel to the profile's */
};

/* A file, or a thread's name, and what was sampled in it. */
struct profile_part {
	char *name;
	uint64_t samples;
	double weight;
};

struct profile_parts {
	struct profile_part *items;	/* heaviest first */
	size_t n, cap;
};

/* Its texts and lists are its arena's. */
struct profile {
	struct arena arena;
	char *event;		/* "cpu-clock", "cycles"; NULL: there is no profile */
	unsigned frequency;	/* Hz */
	enum call_graph call_graph;
	unsigned normaliser;	/* the version of the rules that made the keys */
	uint64_t samples, lost;
	double weight;
	uint64_t *run_samples;	/* samples of each profiled run; n_runs of them */
	size_t n_runs;
	struct profile_symbol *symbols;	/* heaviest self first; key and dso together are unique */
	size_t n_symbols, cap_symbols;
	uint64_t rest_samples;	/* of symbols too light to be listed; they count in `samples` */
	struct profile_parts dsos, threads;
	double overhead_pct;	/* by how much the profiled runs took more task-clock than the counted ones; NaN unknown */
	struct strv warnings;	/* what is wrong with it, each with its remedy: few samples, stripped, lost, ...; without one, why */
};

void profile_release(struct profile *profile);
/* The same, borrowed: valid as long as PROFILE is, and nothing to release. */
struct profile profile_view(const struct profile *profile);
bool profile_exists(const struct profile *profile);
/* Weights of EVENT are nanoseconds. */
bool profile_event_is_clock(const char *event);
/*
 * A new symbol with n_runs zeros, to be filled; valid until the next call. Names are kept so that they can be written
 * and read back: bytes that are no UTF-8 as U+FFFD, what is longer than PROFILE_NAME_LONGEST cut off, each with a hash of
 * the whole behind it, so that two names stay two. The same goes for parts, and for what is looked for.
 */
struct profile_symbol *profile_add_symbol(struct profile *profile, const char *symbol, const char *key, const char *dso);
/* To PARTS, which are the profile's. */
void profile_add_part(struct profile *profile, struct profile_parts *parts, const char *name, uint64_t samples, double weight);
/* The symbol of that key in that DSO, or NULL. */
const struct profile_symbol *profile_find(const struct profile *profile, const char *key, const char *dso);
/*
 * What SYMBOL of OWN is in OTHER, or NULL: the same when key and file are; else when the key is, and is in one file on
 * each side, since a program may have been renamed.
 */
const struct profile_symbol *profile_find_same(const struct profile *own, const struct profile *other,
					       const struct profile_symbol *symbol);
/* 0 to 100; of NULL and of an empty profile 0. */
double profile_share_pct(const struct profile *profile, const struct profile_symbol *symbol);

/*
 * On a busy machine the shares of unchanged code shift from one hour to another beyond what samples leave open: by one
 * standard deviation of so much times p(1 - p).
 */
#define PROFILE_BUSY_SHIFT 0.05

#endif
