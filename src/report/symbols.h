/*
 * The profile in a report: the table of the hottest symbols and what changed among them, how it was sampled, and where
 * its pictures lie. What is appended is raw text: names of symbols are foreign, escape them for the format.
 */
#ifndef PAWL_REPORT_SYMBOLS_H
#define PAWL_REPORT_SYMBOLS_H

#include "base/strbuf.h"
#include "model/result.h"
#include "report/standing.h"

struct symbol_column {
	const char *title;
	bool right;	/* aligned, as numbers are */
	bool foreign;	/* the cell may hold anything: escape it */
	void (*add)(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol);
};

enum { SYMBOL_COLUMNS = 7, SYMBOLS_LISTED = 10 };

/* symbol, file, share, baseline, change, cost, what became of it: the symbol is first. */
extern const struct symbol_column symbol_columns[SYMBOL_COLUMNS];
/* Of column I: where both sides were measured in pairs, they have a base. */
const char *symbol_column_title(size_t i, const struct scenario_result *scenario);

/* Indices of the symbols worth a row: SYMBOLS_LISTED of the hottest, what is judged badly, moved or gone; for free(). */
size_t *symbols_listed(const struct scenario_result *scenario, size_t *n_out);
/* Too little on both sides to be worth a line of a terminal, and nobody complains of it. */
bool symbol_is_slight(const struct symbol_result *symbol);
/* Under which share a symbol is slight, in percent. */
extern const double symbol_slight_pct;
enum tone symbol_tone(const struct symbol_result *symbol);

/* Whether a reader needs the table at once: a time, instructions or symbols got worse, or may have. */
bool symbols_wanted(const struct scenario_result *scenario);

/* "cpu-clock at 997 Hz, 9120 samples in 3 runs; profiling takes 2.1 % more CPU time"; nothing without a profile. */
void symbols_facts(struct strbuf *out, const struct scenario_result *scenario);
/* What a profile leaves in the scenario's folder. */
struct symbol_file {
	const char *label;	/* "flame graph" */
	const char *name;	/* "flamegraph.svg" */
	bool compared;		/* only where both sides have a profile */
};

enum { SYMBOL_FILES = 3 };

extern const struct symbol_file symbol_files[SYMBOL_FILES];

/* Where FILE of the scenario lies: "pawl-out/x/gzip/flamegraph.svg"; false, appending nothing, where there is none. */
bool symbols_path(struct strbuf *out, const struct result *result, const struct scenario_result *scenario,
		  const struct symbol_file *file);

#endif
