/*
 * A report before it has a format: the blocks of a result in reading order. It is built once for one kind of reader;
 * renderers lay out and print its blocks. One table, block_styles, has each block's labels and readers.
 *
 * All text is raw and may be foreign: the renderer escapes it for its format. No verdict is computed here. The
 * document refers to the result, which must outlive it.
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

/* Readers of a document; a block names all readers it is for. */
enum reader {
	FOR_TEXT = 1,		/* a terminal: failures and doubts in few lines; the rest is in the files */
	FOR_VERBOSE = 2,	/* a terminal with -v: everything */
	FOR_MARKDOWN = 4,	/* a summary or comment, usually read only at its beginning */
	FOR_HTML = 8,		/* a page: room for everything */
	FOR_JUNIT = 16,		/* one case, without its context */
	FOR_ANNOTATIONS = 32,	/* one warning at a line of a scenario */
	FOR_COMMANDS = 64,	/* a terminal, for typed commands: a table of them; with FOR_TEXT | FOR_VERBOSE, above everything */
};

/* The part of a scenario's report that a block belongs to. Each renderer orders the parts itself. */
enum part {
	PART_FAILURE = 1 << 0,
	PART_LOG = 1 << 1,	/* the end of the target's output, and the path of the rest */
	PART_SIDES = 1 << 2,	/* with pairs: the two sides */
	PART_GATES = 1 << 3,
	PART_FINDINGS = 1 << 4,	/* reasons for the verdicts, explanations, notes */
	PART_EVIDENCE = 1 << 13,	/* evidence for the causes: folded if the format can */
	PART_SYMBOLS = 1 << 5,
	PART_PROFILE = 1 << 6,
	PART_BASELINE = 1 << 7,	/* the baseline */
	PART_METHOD = 1 << 8,	/* how pairs were measured, and the earlier result against the stored baseline */
	PART_LOAD = 1 << 9,
	PART_FACTS = 1 << 10,
	PART_COMMANDS = 1 << 11,
	PART_WHOLE = 1 << 12,	/* not of a scenario: notes, the machine, the run */
};

enum form {
	FORM_PROSE,
	FORM_CODE,		/* a path, a name or a command: not wrapped, to be copied */
	FORM_LOG,		/* lines */
	FORM_TABLE,
};

enum block_kind {
	BLOCK_FAILED,
	BLOCK_LOG, BLOCK_LOG_PATH,
	BLOCK_BASE, BLOCK_HEAD,
	BLOCK_GATES,
	BLOCK_CLAIM, BLOCK_CAUSE, BLOCK_DIFFERS, BLOCK_CHANGED, BLOCK_HUNK, BLOCK_BECAUSE, BLOCK_WHY, BLOCK_EVIDENCE, BLOCK_WAITS, BLOCK_NOTE,
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
	const char *brief;	/* label in a terminal's narrow margin: "note" */
	const char *label;	/* label everywhere else: "differs" */
};

extern const struct block_style block_styles[BLOCK_KINDS];

enum { DOCUMENT_COLUMNS = 7 };

struct document_row {
	const char *cells[DOCUMENT_COLUMNS];
	enum tone tone;
	const struct gate_result *gate;		/* of a table of gates, whose verdict is last; otherwise NULL */
	enum severity severity;
	bool shown;				/* shown only: not judged by a gate, so without a verdict */
	const char *finding;			/* a gate in few words: "ipc -12.3 %" */
	const char *headline;			/* the same with its verdict and its evidence */
	const struct symbol_result *symbol;	/* of a table of symbols, otherwise NULL */
};

struct document_column {
	const char *title;
	bool right;	/* right-aligned, as numbers are */
	bool foreign;	/* the cell may hold foreign text */
};

struct document_table {
	struct document_column columns[DOCUMENT_COLUMNS];
	size_t n_columns;
	struct document_row *rows;
	size_t n, cap;
	const char *more;	/* below the table: what was left out; or NULL */
	bool first;		/* it begins the report, not indented */
	bool narrow;		/* must fit a terminal of 80 columns; its last column may be dropped */
	size_t toned;		/* the column that a row's tone applies to */
};

struct block {
	enum block_kind kind;
	const char *label;	/* the label of its style, or a more exact one: "accept, on a machine of class ..." */
	const char *text;
	const char *link;	/* its path relative to the page, or NULL */
	const struct document_table *table;
};

struct blocks {
	struct block *items;
	size_t n, cap;
};

/* Returns the first block of PARTS after BEFORE (NULL: of all blocks), or NULL. */
const struct block *blocks_next(const struct blocks *blocks, unsigned parts, const struct block *before);
/* Iterates over the blocks of PARTS. */
#define BLOCKS_EACH(block, blocks, parts) \
	for (const struct block *block = NULL; (block = blocks_next((blocks), (parts), block));)

struct document_scenario {
	const struct scenario_result *of;
	size_t index;			/* in the result */
	enum severity severity;
	const char *verdict;		/* "REGRESSION"; "PASS" if pairs passed */
	const char *words;		/* finding of the gate that decides the verdict, or NULL */
	bool brief;			/* one line in a terminal says all of it */
	bool explained;			/* it has more to say than its numbers */
	bool urgent;			/* shown before everything else */
	struct blocks blocks;
	const struct document_table *gates, *symbols;	/* for every reader; NULL: none to show */
};

struct document {
	const struct result *result;
	unsigned reader;
	struct headline headline;
	const char *measured;		/* "stored comparison, 42 s" */
	const char *class;		/* machine class */
	const char *command;		/* the command that made the result; NULL: unknown */
	const struct document_table *typed;	/* for typed commands; or NULL */
	struct blocks notes;
	struct document_scenario *scenarios;	/* worst first; for JUnit and annotations in the order of the run */
	size_t n;
	struct blocks conditions;	/* the machine and the run */
	struct arena arena;
};

/* READER is any single reader, or FOR_VERBOSE with FOR_TEXT, and perhaps FOR_COMMANDS. */
void document_build(struct document *document, const struct result *result, unsigned reader);
void document_release(struct document *document);

#endif
