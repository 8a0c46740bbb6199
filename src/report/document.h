/*
 * A report before it has a format: what there is to say of a result, in the order in which a reader meets it. It is
 * made once for one kind of reader; renderers lay its blocks out and print them. What a block is called, and which
 * readers it is for, stands in one table, block_styles.
 *
 * Everything is raw text that may come from outside: whoever prints it escapes it for the format. Nothing is judged
 * here. The document refers to the result, which must outlive it.
 */
#ifndef PAWL_REPORT_DOCUMENT_H
#define PAWL_REPORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "report/headline.h"
#include "report/severity.h"

struct gate_result;
struct result;
struct scenario_result;
struct symbol_result;

/* For whom a document is; a block names all that it is for. */
enum reader {
	FOR_TEXT = 1,		/* a terminal: what is worse or doubtful, in few lines; the rest is in the files */
	FOR_VERBOSE = 2,	/* the same, who asked for all of it */
	FOR_MARKDOWN = 4,	/* a summary or comment, of which the beginning is read */
	FOR_HTML = 8,		/* a page: room for everything */
	FOR_JUNIT = 16,		/* one case, without what stands around it */
	FOR_ANNOTATIONS = 32,	/* one warning beside a line of a scenario */
};

/* Where in a scenario's report a block belongs; each renderer puts the parts in an order of its own. */
enum part {
	PART_FAILURE = 1 << 0,
	PART_LOG = 1 << 1,	/* the end of the target's output, and where the rest lies */
	PART_SIDES = 1 << 2,	/* in pairs: what the sides are */
	PART_GATES = 1 << 3,
	PART_FINDINGS = 1 << 4,	/* what the verdicts rest on, what explains them, what is to be known */
	PART_EVIDENCE = 1 << 13,	/* what the causes rest on: folded where a format can */
	PART_SYMBOLS = 1 << 5,
	PART_PROFILE = 1 << 6,
	PART_BASELINE = 1 << 7,	/* what was compared with */
	PART_METHOD = 1 << 8,	/* how pairs were made, and what the comparison with the stored baseline had found */
	PART_LOAD = 1 << 9,
	PART_FACTS = 1 << 10,
	PART_COMMANDS = 1 << 11,
	PART_WHOLE = 1 << 12,	/* of no scenario: notes, the machine, the run */
};

enum form {
	FORM_PROSE,
	FORM_CODE,		/* a path, a name, a command: not wrapped, to be copied */
	FORM_LOG,		/* lines */
	FORM_TABLE,
};

enum block_kind {
	BLOCK_FAILED,
	BLOCK_LOG, BLOCK_LOG_PATH,
	BLOCK_BASE, BLOCK_HEAD,
	BLOCK_GATES,
	BLOCK_CAUSE, BLOCK_DIFFERS, BLOCK_CHANGED, BLOCK_BECAUSE, BLOCK_WHY, BLOCK_EVIDENCE, BLOCK_WAITS, BLOCK_NOTE,
	BLOCK_SYMBOLS,
	BLOCK_PROFILE, BLOCK_WARNING, BLOCK_PICTURE, BLOCK_TOP,
	BLOCK_AGAINST, BLOCK_FOREIGN, BLOCK_BASELINE,
	BLOCK_STORED, BLOCK_PAIRS,
	BLOCK_ATTACHED, BLOCK_WORK,
	BLOCK_ALSO, BLOCK_MEDIANS, BLOCK_VARIABLES,
	BLOCK_SCENARIO, BLOCK_BASELINE_FILE, BLOCK_EXECUTABLE,
	BLOCK_AGAIN, BLOCK_FIND, BLOCK_DECIDE, BLOCK_ACCEPT,

	BLOCK_JUDGE, BLOCK_RUN_NOTE, BLOCK_NOISE,
	BLOCK_CLASS, BLOCK_MACHINE, BLOCK_TIER,
	BLOCK_CPU, BLOCK_CPUS, BLOCK_COUNTERS, BLOCK_REASON, BLOCK_REMEDY, BLOCK_HYPERVISOR, BLOCK_KERNEL, BLOCK_SYSTEM,
	BLOCK_PERF, BLOCK_PERF_PATH,
	BLOCK_RUN, BLOCK_VERSION, BLOCK_COMMIT, BLOCK_DATE,
	BLOCK_COMMAND, BLOCK_RESULTS, BLOCK_REPORT, BLOCK_STATUS,
	BLOCK_KINDS,
};

struct block_style {
	enum part part;
	enum form form;
	unsigned readers;
	const char *brief;	/* what stands before it in a terminal's narrow margin: "again" */
	const char *label;	/* everywhere else: "see it again" */
};

extern const struct block_style block_styles[BLOCK_KINDS];

enum { DOCUMENT_COLUMNS = 7 };

struct document_row {
	const char *cells[DOCUMENT_COLUMNS];
	enum tone tone;
	const struct gate_result *gate;		/* of a table of gates, whose verdict is last; else NULL */
	enum severity severity;
	bool shown;				/* no gate judges it: it has no verdict */
	const char *finding;			/* of a gate in few words: "ipc -12.3 %" */
	const char *headline;			/* with its verdict, and all that supports it */
	const struct symbol_result *symbol;	/* of a table of symbols, else NULL */
};

struct document_column {
	const char *title;
	bool right;	/* aligned, as numbers are */
	bool foreign;	/* the cell may hold anything */
};

struct document_table {
	struct document_column columns[DOCUMENT_COLUMNS];
	size_t n_columns;
	struct document_row *rows;
	size_t n, cap;
	const char *more;	/* below it: what was left out; or NULL */
	bool narrow;		/* it is to fit a terminal of 80 columns, at the cost of its last column */
	size_t toned;		/* the column that a row's tone is of */
};

struct block {
	enum block_kind kind;
	const char *label;	/* of its style, or more exactly: "accept it, on a machine of class ..." */
	const char *text;
	const char *link;	/* where it lies seen from the page, or NULL */
	const struct document_table *table;
};

struct blocks {
	struct block *items;
	size_t n, cap;
};

/* The first block of PARTS behind BEFORE, or of all where that is NULL; NULL: there is none. */
const struct block *blocks_next(const struct blocks *blocks, unsigned parts, const struct block *before);
/* Each of them in turn. */
#define BLOCKS_EACH(block, blocks, parts) \
	for (const struct block *block = NULL; (block = blocks_next((blocks), (parts), block));)

struct document_scenario {
	const struct scenario_result *of;
	size_t index;			/* in the result */
	enum severity severity;
	const char *verdict;		/* "REGRESSION"; of pairs that passed "PASS" */
	const char *words;		/* what was found by the gate that stands for it; or NULL */
	bool brief;			/* a line of a terminal says all of it */
	bool explained;			/* there is more to say of it than its numbers */
	bool urgent;			/* a reader needs that before anything else */
	bool symbols_wanted;		/* so is where the time goes: times, instructions or symbols may be worse */
	struct blocks blocks;
	const struct document_table *gates, *symbols;	/* for every reader; NULL: there are none to show */
};

struct document {
	const struct result *result;
	unsigned reader;
	struct headline headline;
	const char *measured;		/* "stored comparison, 42 s" */
	const char *class;		/* of the machine */
	const char *command;		/* that made it; NULL: not known */
	struct blocks notes;
	struct document_scenario *scenarios;	/* worst first; for machines in the order of the run */
	size_t n;
	struct blocks conditions;	/* the machine and the run */
	struct arena arena;
};

/* READER is FOR_TEXT, or FOR_TEXT | FOR_VERBOSE, or another one alone. */
void document_build(struct document *document, const struct result *result, unsigned reader);
void document_release(struct document *document);

#endif
