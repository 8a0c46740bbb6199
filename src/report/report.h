/*
 * Reports: a document made once from a result, and a renderer for each format. Each section below is the file of its
 * name.
 */
#ifndef PAWL_REPORT_REPORT_H
#define PAWL_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/calibrate.h"
#include "judge/history.h"
#include "model/metric.h"
#include "model/result.h"

/* -------- numbers */

/*
 * Numbers as people read them, by value, for one printf: strbuf_addf(out, "took %s", format_elapsed(seconds).s). Only a
 * metric's label is foreign.
 */
struct short_text {
	char s[640];
};

struct short_text format_short(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A value in its unit with three to four significant digits; "-" for NaN. */
struct short_text format_value(double value, enum metric_unit unit);
/* The same with the label that a plain number has: "82.4 k/s", "912 req/s". */
struct short_text format_measured(double value, const struct metric *metric);
/* The same of a number somebody wrote, with the digits it has. */
struct short_text format_written(double value, const struct metric *metric);
/* "+5.2 %", "-0.03 %", "x12.5" beyond +900 %; "-" for NaN, "unknown" for an infinity. */
struct short_text format_change(double pct);
/* "+5.2 pp": of shares, whose changes are percentage points; "-" for NaN. */
struct short_text format_points(double pp);
/* "+2.1 % to +8.4 %"; "unknown" for a bound too few runs cannot give; "-" when there is none. */
struct short_text format_interval(double low_pct, double high_pct);
/* "42 s", "3 min 12 s". */
struct short_text format_elapsed(double seconds);
/* A symbol's name, not longer than MOST bytes and three dots. Foreign. */
struct short_text format_symbol(const char *symbol, size_t most);
/* The same of a function's name, without what it returns, takes and was made for. */
struct short_text format_function(const char *name, size_t most);

/* -------- severity */

enum tone { TONE_PLAIN, TONE_GOOD, TONE_WARNING, TONE_BAD };

/* Worst first: the order of scenarios in a report. */
enum severity {
	SEVERITY_FAILED,
	SEVERITY_MISSING,	/* a required gate was not measured */
	SEVERITY_REGRESSION,
	SEVERITY_PARTIAL,
	SEVERITY_SKIPPED,
	SEVERITY_INCONCLUSIVE,
	SEVERITY_NOT_MEASURED,
	SEVERITY_NEW,
	SEVERITY_NO_GATES,
	SEVERITY_ACCEPTED,
	SEVERITY_IMPROVEMENT,
	SEVERITY_PASS,
	/* Of pawl's own gate on symbols, see gate_result_quiet(): shown, but neither counted nor warned of. */
	SEVERITY_QUIET_INCONCLUSIVE,
	SEVERITY_QUIET_NOT_MEASURED,
	SEVERITY_QUIET_NEW,
	/* Not measured only because its scenario failed or was interrupted, which is shown anyway. */
	SEVERITY_FOLLOWS,
	SEVERITY_COUNT,
};

const char *severity_word(enum severity severity);	/* "REGRESSION", "pass" */
enum tone severity_tone(enum severity severity);
enum severity severity_of_gate(const struct scenario_result *scenario, const struct gate_result *gate);
/* Of a whole scenario: the first in that order that applies. */
enum severity severity_of(const struct scenario_result *scenario);
/* The gate of SCENARIO that stands for that severity, a time when there is one; or NULL. */
const struct gate_result *severity_gate(const struct scenario_result *scenario, enum severity severity);
/* How many gates of SCENARIO have it. */
size_t severity_count(const struct scenario_result *scenario, enum severity severity);

/* The machine class of its baseline when it is not this machine's, else NULL. */
const char *scenario_foreign_class(const struct result *result, const struct scenario_result *scenario);
/* True when its gates are judged in pairs by nature: they were not only confirmed by them. */
bool pairs_only(const struct scenario_result *scenario);

/* -------- headline */

/*
 * The first line of every report: what must not be overlooked, worst first, each part with a word in front:
 * "REGRESSION: 1 of 6 scenarios is slower (sqlite-join task-clock +92 %); NEW: ..." Texts and commands are foreign.
 */

struct headline_part {
	enum tone tone;
	const char *word;	/* "REGRESSION", "NOTHING WAS COMPARED" */
	const char *text;
	const char *command;	/* what mends it, or NULL */
	bool whole;		/* it is about all of the result: nothing that stands beside a scenario says it */
};

struct headline {
	struct headline_part *items;	/* at least one */
	size_t n, cap;
	const char *status;	/* the exit status and what it means: "1: a regression" */
};

/*
 * All in ARENA, or borrowed from RESULT. What does not fit into WIDTH columns does without names and causes, for a
 * reader who finds them right below; 0: nothing is left out.
 */
void headline_build(const struct result *result, struct arena *arena, size_t width, struct headline *out);
/* Another part before all others. */
void headline_lead(struct headline *headline, struct arena *arena, enum tone tone, const char *word, const char *text);

/* The first line of why SCENARIO failed, cut short where it is long. */
struct short_text headline_failure(const struct scenario_result *scenario);

/* -------- document */

/*
 * A report before it has a format: what there is to say of a result, in the order in which a reader meets it. It is
 * made once for one kind of reader; renderers lay its blocks out and print them. What a block is called, and which
 * readers it is for, stands in one table, block_styles.
 *
 * Everything is raw text that may come from outside: whoever prints it escapes it for the format. Nothing is judged
 * here. The document refers to the result, which must outlive it.
 */

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

/* -------- columns */

/* The tables that reports have; NULL where there is no row. All in ARENA, or borrowed from SCENARIO. */

/*
 * Gates, and in pairs what else was measured. What a scenario's failure or an interrupt left unmeasured has no row,
 * since it would have no number; but for a reader of JUnit, to whom a case that vanishes looks like one that was
 * removed.
 */
const struct document_table *columns_of_gates(struct arena *arena, const struct scenario_result *scenario,
					      unsigned reader);
/* For a terminal: those gates alone to which the scenario owes its verdict, as many as are read at a glance. */
const struct document_table *columns_of_worst(struct arena *arena, const struct scenario_result *scenario);
/* The hottest symbols, and those that are judged badly, moved or gone. */
const struct document_table *columns_of_symbols(struct arena *arena, const struct scenario_result *scenario);

/* -------- words */

/* What a gate found, in words. Names of metrics, units of work and printed units are foreign. */

/* "task-clock", "task-clock per request", "sim-branches (simulated)". */
void format_metric(struct strbuf *out, const char *work_unit, const struct metric *metric);
/* The metric of a gate by what it was judged: "instructions (simulated)", "task-clock per request". */
void format_gate(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* NOUN as there are many: "requests", "queries". */
void format_plural(struct strbuf *out, const char *noun);
/* What a regression of METRIC makes the program: "slower" or "worse". */
const char *format_worse(const struct metric *metric);

/* Behind the name of the gate on symbols: the one it is about; nothing for other gates and without a comparison. */
void format_gate_symbol(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate,
			size_t most);
/* In percent, or in points where the gate is on shares. */
struct short_text format_gate_change(const struct gate_result *gate, double change_pct);
struct short_text format_gate_interval(const struct gate_result *gate);
/* The tolerance as a scenario writes it: "+5 %", "-10 %", "max 512 MiB", joined by ", ". */
void format_tolerance(struct strbuf *out, const struct gate_result *gate);

/* What was found, in as few words as a list allows: "ipc -12.3 %", "max-rss 612 MiB over max 512 MiB". */
void format_finding(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The bound of its interval that is nearer to no change: "+2.1 %"; "-" where no change is certain. */
struct short_text format_least(const struct gate_result *gate);
/* Behind a change: " (at least +2.1 %)", or all of the interval where it is inconclusive: " (-0.4 to +8.8)". */
void format_evidence(struct strbuf *out, const struct gate_result *gate);
/* Behind that, of a gate that was judged in pairs: ", 40 pairs; about 18 more would decide". */
void format_pairs(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* All of it in a sentence: "task-clock +92.1 % (at least +41.2 %), tolerance 25 %". */
void format_words(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The verdict before it: in pairs a pass is a claim like the others, and stands in capitals. */
const char *format_verdict(const struct scenario_result *scenario, const struct gate_result *gate);
/* Both: "REGRESSION task-clock +92.1 % (at least +41.2 %), tolerance 25 %". */
void format_headline(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);

/*
 * Whose files judged, which stands right under the headline in every format, as lines. The first one names whose they
 * are, with each file that the change edits once; what follows explains single files, and what is not protected. None
 * where a tree is judged by its own files, and nothing differs.
 */
void judged_lines(struct strv *out, const struct judged_by *by);

/* -------- pairs */

/* What was measured in pairs. Labels of sides, units and metrics are foreign. */

/* What a side is called: its label, with its commit when the label lacks it; "base" and "head" where it has none. */
void pairs_label(struct strbuf *out, const struct scenario_result *scenario, bool head);
/* "20 of at most 40, order tossed from seed 7, ...": nothing without pairs. */
void pairs_facts(struct strbuf *out, const struct scenario_result *scenario);
/* True when stored runs had flagged a gate that pairs then judged: both steps are shown, also of a pass. */
bool pairs_judged_again(const struct scenario_result *scenario);
/* For each such gate: what the stored comparison found, and what pairs did. */
void pairs_stored_comparisons(const struct scenario_result *scenario, struct strv *out);

/* The values of both sides in the first MOST pairs in which each side has one, for free(); returns how many. */
size_t pairs_values(const struct scenario_result *scenario, const struct metric *metric, size_t most, double **base,
		    double **head);
/* Behind a side's median: " ±1.3 %", the standard deviation of its values. Nothing when they do not spread. */
struct short_text pairs_spread(const struct scenario_result *scenario, const struct gate_result *gate, bool head);
/* Head divided by base, pair by pair, as far as GATE rests on them; for free(). */
double *pairs_ratios(const struct scenario_result *scenario, const struct gate_result *gate, size_t *n_out);
/* What both sides measured and no gate judges, as gates without a tolerance, in ARENA: wall time, or ALL of it. */
struct gate_result *pairs_shown(struct arena *arena, const struct scenario_result *scenario, bool all, size_t *n_out);

/* -------- commands */

/* Commands for the reader to type: each appends a shell command line, which the caller escapes for its format. */

/* Measure SCENARIO (NULL: all) again, with the options that shaped this result. */
void command_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/*
 * Accept SCENARIO (NULL: all) as it is now: the runs of RESULT where they can be accepted as they are, else new ones;
 * with a place for the reason where there is a baseline.
 */
void command_accept(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/*
 * What to do about SCENARIO where nothing can be accepted: find the commit that made it slower, or measure as many
 * pairs as would decide; nothing when there is nothing to do. The kind of block it is.
 */
enum block_kind command_next(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);

/* -------- report */

/* Renderers: each sees one const result and appends to a buffer; none computes a verdict. */

/* Of a scenario, as flame_piece() drew them: markup, which is not escaped again. NULL: there is none. */
struct report_pictures {
	char *flame, *difference;
};

struct report_options {
	bool color;		/* text: ANSI colours */
	bool verbose;		/* text: scenarios that passed in full */
	unsigned width;		/* text: columns of the terminal; 0 means 80, and 100 when verbose */
	size_t limit;		/* markdown: leave out detail beyond this many bytes; 0 means 60,000 */
	const struct report_pictures *pictures;	/* html: one a scenario of the result, in its order; NULL: none */
};

typedef void report_fn(const struct result *result, const struct report_options *options, struct strbuf *out);

report_fn report_text, report_markdown, report_html, report_json, report_junit;
report_fn report_bmf, report_smaller, report_bigger, report_openmetrics;	/* exports.c: for programs that keep series */

/*
 * GitHub's workflow commands, on standard output of a step: what failed as errors, what is uncertain as warnings, at
 * the line of the scenario that holds the gate. At most ten of either, of which the last counts those left out: GitHub
 * shows no more.
 */
void report_annotations(const struct result *result, struct strbuf *out);

struct report_format {
	const char *name;
	report_fn *render;
};

/* The format of report_typed(), which only commands have that were compared without a scenario. */
#define REPORT_TYPED "typed"

/* By name, or NULL; the table for help and errors. */
const struct report_format *report_format_find(const char *name);
extern const struct report_format report_formats[];
extern const size_t report_formats_size;

/* -------- text, markdown, html: pieces for reports that are of no result, and for tests */

void print_text_table(const struct document_table *table, const struct report_options *options, struct strbuf *out);
void print_markdown_table(const struct document_table *table, struct strbuf *out);

/* What is being written, of HTML or XML. */
struct page {
	const struct document *document;
	struct strbuf *out;
	struct arena *arena;	/* of texts that are printed at once */
	const struct report_pictures *pictures;	/* of the result's scenarios; NULL: there are none */
};

void page_print(struct page *page, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* TEXT escaped, for one page_print(); newlines of the second stay. */
const char *markup(struct page *page, const char *text);
const char *markup_lines(struct page *page, const char *text);

/* The style sheet, which the page holds inline. */
extern const char html_style[];

/*
 * A strip of values: a dot each, the first on top, from small at the left to large at the right. Its axis is never
 * narrower than 1 % of the values, so that noise cannot look like a change.
 */
struct html_strip {
	const double *values;
	size_t n;
	const char *runs;	/* what N of them are called */
	const struct metric *metric;
	double baseline;		/* a solid line; NaN: there is none */
	double at_most, at_least;	/* dashed ones around what is tolerated */
	const char *base;		/* what the solid line is called; NULL: "baseline" */
};

void html_strip(struct strbuf *out, const struct html_strip *strip);

/* -------- charts */

/* What was measured at one time: a session of the baseline, the runs of now, or all pairs. */
struct chart_column {
	const char *label;	/* "11-20", "now"; NULL: none */
	const double *values;	/* in the order of measuring */
	size_t n;
	double middle;		/* their median; NaN: it is not drawn */
	bool judged;		/* not only what is compared with */
};

struct chart {
	const char *words;		/* all of it, for those who cannot see it; foreign */
	const struct metric *metric;	/* of the values; NULL: they are ratios, of which 1 is no change */
	const struct chart_column *columns;	/* oldest first */
	size_t n;
	double reference;		/* a solid line: what is compared with */
	double at_most, at_least;	/* dashed ones around what is tolerated; NaN: there is none */
	double estimate, low, high;	/* the change that was found and its bounds, as values; NaN unknown, bounds may be infinite */
};

/* An SVG of HTML as wide as its place. Its axis is never shorter than 1 % of the values. */
void chart_runs(struct strbuf *out, const struct chart *chart);

/* -------- typed */

/*
 * For a terminal: which is faster, by how much and how sure, then a line of numbers for each command. RESULT is of scenarios
 * that are commands, each in pairs, judged by its first gate; the base of all is one where they have one label.
 */
void report_typed(const struct result *result, const struct report_options *options, struct strbuf *out);
/* As hyperfine's --export-json and --export-markdown: times in seconds, per run or mean of adjacent runs. */
void report_typed_json(const struct result *result, const struct report_options *options, struct strbuf *out);
void report_typed_markdown(const struct result *result, const struct report_options *options, struct strbuf *out);

/* -------- calibrated */

/* What `pawl calibrate` found, for people and as JSON. Everything is borrowed; judge/calibrate.c has judged it. */

struct calibrated_scenario {
	const char *name;
	const char *failure;		/* why it could not be measured, or NULL */
	size_t pairs;
	unsigned dropped, rerun, batch;
	bool windows;			/* of which batch make a value, not runs */
	double seconds;			/* of all its pairs, with what is around them */
	double budget_s;		/* of one of its comparisons */
	const struct calibrating *metrics;
	size_t n;
};

struct calibrated {
	const char *date, *pawl;
	const char *class;		/* of the machine */
	double elapsed_s;
	uint64_t seed;
	unsigned gates;			/* for which comparisons are corrected */
	bool partial;			/* interrupted */
	const struct strv *busy;	/* why the machine was not quiet */
	const struct calibrated_scenario *scenarios;
	size_t n;
};

void calibrated_text(const struct calibrated *calibrated, struct strbuf *out);
void calibrated_json(const struct calibrated *calibrated, struct strbuf *out);

/* -------- history */

/* The course of metrics over commits, and where it changed (judge/history.h). */
struct history_options {
	bool color, verbose;	/* of text; verbose: metrics that no gate judges too */
	bool utf8;		/* the terminal shows more than ASCII */
	const char *commits_url;	/* of the page: the address of a commit without its name; NULL: no links */
};

void history_text(const struct history *history, const struct history_options *options, struct strbuf *out);
/* One page, which loads and runs nothing. */
void history_html(const struct history *history, const struct history_options *options, struct strbuf *out);

/* -------- terminal */

/* TEXT behind what an SGR escape sequence holds ("1;31"), or plain when STYLE is NULL. */
void text_styled(struct strbuf *out, const char *text, const char *style);

/*
 * A text table whose columns are as wide as their widest cell, counted in columns of a terminal. Each column is a
 * letter of COLUMNS: l for text at the left, r for numbers at the right. Cells are added row after row, escaped
 * already; their style must outlive the table.
 */

enum { TABLE_COLUMNS_MAX = 12 };

struct table_cell {
	char *text;
	const char *style;
};

struct table {
	const char *columns;
	struct table_cell *cells;
	size_t n, cap;
};

void table_init(struct table *table, const char *columns);
void table_release(struct table *table);
void table_add(struct table *table, const char *text, const char *style);
/* A row may be short only when it is the last. No line ends in blanks. */
void table_render(const struct table *table, unsigned indent, struct strbuf *out);

/*
 * TEXT, foreign, which begins at column INDENT of a line already begun, to the line's end. Newlines in it
 * begin a new line. WIDTH is the terminal's; words that are longer than a line stick out.
 */
void prose_add(struct strbuf *out, const char *text, unsigned indent, unsigned width);
/* The last MAX lines of a log, each behind MARGIN; tabs become blanks and long lines are cut. */
void prose_add_log(struct strbuf *out, const char *text, const char *margin, size_t max);

#endif
