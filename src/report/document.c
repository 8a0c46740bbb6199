#include "report/document.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/cause.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/profile.h"
#include "model/result.h"
#include "report/columns.h"
#include "report/commands.h"
#include "report/headline.h"
#include "model/metrics/numbers.h"
#include "report/pairs.h"
#include "report/severity.h"
#include "report/typed.h"
#include "report/words.h"

enum {
	TERMINAL = FOR_TEXT | FOR_VERBOSE,
	PAGES = FOR_MARKDOWN | FOR_HTML,
	MACHINES = FOR_JUNIT | FOR_ANNOTATIONS,
	LONG = TERMINAL | PAGES | FOR_JUNIT,	/* an annotation has room only for urgent facts */
	DETAIL = FOR_VERBOSE | PAGES,		/* a terminal shows it only with -v */
	ALL = TERMINAL | PAGES | MACHINES,
};

/* Details of a first line follow right below in narrow formats. */
enum { HEADLINE_WIDTH = 80, IDLE_NAMED = 5 };

/* A terminal shows regressions, doubts, causes and commands, -v and files the rest, but no list that the page has. */
const struct block_style block_styles[BLOCK_KINDS] = {
	[BLOCK_FAILED] = { PART_FAILURE, FORM_PROSE, LONG, "failed", "failed" },
	[BLOCK_LOG] = { PART_LOG, FORM_LOG, ALL, "", "the last lines of its output" },
	[BLOCK_LOG_PATH] = { PART_LOG, FORM_CODE, LONG, "log", "log" },
	[BLOCK_BASE] = { PART_SIDES, FORM_PROSE, LONG, "base", "base" },
	[BLOCK_HEAD] = { PART_SIDES, FORM_PROSE, LONG, "head", "head" },
	[BLOCK_GATES] = { PART_GATES, FORM_TABLE, LONG, "", "" },
	[BLOCK_CLAIM] = { PART_FINDINGS, FORM_PROSE, LONG, "claim", "claim" },
	[BLOCK_CAUSE] = { PART_FINDINGS, FORM_PROSE, ALL | FOR_COMMANDS, "cause", "cause" },
	/* The same for metrics that are not judged. */
	[BLOCK_DIFFERS] = { PART_FINDINGS, FORM_PROSE, DETAIL | FOR_JUNIT, "differs", "differs" },
	[BLOCK_CHANGED] = { PART_FINDINGS, FORM_CODE, ALL, "changed", "changed" },
	[BLOCK_HUNK] = { PART_FINDINGS, FORM_LOG, FOR_HTML | FOR_MARKDOWN, "", "" },
	[BLOCK_BECAUSE] = { PART_FINDINGS, FORM_PROSE, LONG | FOR_COMMANDS, "note", "note" },
	[BLOCK_WHY] = { PART_FINDINGS, FORM_PROSE, ALL, "note", "note" },
	[BLOCK_NOTE] = { PART_FINDINGS, FORM_PROSE, LONG | FOR_COMMANDS, "note", "note" },
	[BLOCK_EVIDENCE] = { PART_EVIDENCE, FORM_PROSE, FOR_VERBOSE | PAGES, "counted", "counted" },
	[BLOCK_WAITS] = { PART_FINDINGS, FORM_PROSE, FOR_JUNIT, "note", "note" },
	[BLOCK_SYMBOLS] = { PART_SYMBOLS, FORM_TABLE, DETAIL, "", "" },
	[BLOCK_PROFILE] = { PART_PROFILE, FORM_PROSE, DETAIL | FOR_JUNIT, "profile", "profile" },
	[BLOCK_WARNING] = { PART_PROFILE, FORM_PROSE, DETAIL, "warning", "warning" },
	[BLOCK_PICTURE] = { PART_PROFILE, FORM_CODE, FOR_VERBOSE | FOR_HTML, "picture", "" },
	/* The full table of symbols, for formats with links. */
	[BLOCK_TOP] = { PART_PROFILE, FORM_CODE, FOR_HTML, "", "table" },
	[BLOCK_AGAINST] = { PART_BASELINE, FORM_PROSE, DETAIL, "baseline", "baseline" },
	/* Shown only if it differs from the machine's own class. */
	[BLOCK_FOREIGN] = { PART_BASELINE, FORM_PROSE, FOR_TEXT | FOR_HTML, "warning", "warning" },
	[BLOCK_BASELINE] = { PART_BASELINE, FORM_PROSE, FOR_VERBOSE, "file", "baseline file" },
	[BLOCK_STORED] = { PART_METHOD, FORM_PROSE, DETAIL | MACHINES, "baseline", "against the baseline" },
	[BLOCK_PAIRS] = { PART_METHOD, FORM_PROSE, DETAIL | FOR_JUNIT | FOR_COMMANDS, "pairs", "pairs" },
	[BLOCK_ATTACHED] = { PART_LOAD, FORM_PROSE, DETAIL | FOR_JUNIT, "attached", "attached to" },
	[BLOCK_WORK] = { PART_LOAD, FORM_PROSE, DETAIL | FOR_JUNIT, "work", "work" },
	[BLOCK_ALSO] = { PART_FACTS, FORM_PROSE, FOR_VERBOSE | FOR_HTML, "medians", "medians" },
	[BLOCK_MEDIANS] = { PART_FACTS, FORM_PROSE, TERMINAL | FOR_HTML, "medians", "medians" },
	[BLOCK_VARIABLES] = { PART_FACTS, FORM_PROSE, FOR_VERBOSE, "note", "" },
	[BLOCK_SCENARIO] = { PART_FACTS, FORM_CODE, FOR_HTML, "", "scenario" },
	[BLOCK_BASELINE_FILE] = { PART_FACTS, FORM_CODE, FOR_HTML, "", "baseline file" },
	[BLOCK_EXECUTABLE] = { PART_FACTS, FORM_CODE, FOR_HTML, "", "executable" },
	[BLOCK_AGAIN] = { PART_COMMANDS, FORM_CODE, ALL, "rerun", "rerun" },
	[BLOCK_FIND] = { PART_COMMANDS, FORM_CODE, DETAIL | MACHINES, "bisect", "find the commit" },
	[BLOCK_DECIDE] = { PART_COMMANDS, FORM_CODE, ALL, "rerun", "rerun, long enough to decide" },
	[BLOCK_ACCEPT] = { PART_COMMANDS, FORM_CODE, ALL, "accept", "accept" },

	[BLOCK_JUDGE] = { PART_WHOLE, FORM_PROSE, ALL, "note", "note" },
	[BLOCK_RUN_NOTE] = { PART_WHOLE, FORM_PROSE, TERMINAL | PAGES, "note", "note" },
	[BLOCK_NOISE] = { PART_WHOLE, FORM_PROSE, TERMINAL | PAGES, "warning", "warning" },
	[BLOCK_CLASS] = { PART_WHOLE, FORM_CODE, DETAIL, "machine", "machine class" },
	/* A terminal and a comment show the machine in four lines, a page as a list. */
	[BLOCK_MACHINE] = { PART_WHOLE, FORM_PROSE, FOR_VERBOSE | FOR_MARKDOWN, "", "hardware" },
	[BLOCK_TIER] = { PART_WHOLE, FORM_PROSE, FOR_VERBOSE | FOR_MARKDOWN, "tier", "tier" },
	[BLOCK_CPU] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "CPU" },
	[BLOCK_CPUS] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "CPUs" },
	[BLOCK_COUNTERS] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "counter tier" },
	[BLOCK_REASON] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "why no better tier" },
	[BLOCK_REMEDY] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "remedy" },
	[BLOCK_HYPERVISOR] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "hypervisor" },
	[BLOCK_KERNEL] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "kernel" },
	[BLOCK_SYSTEM] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "system" },
	[BLOCK_PERF] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "perf" },
	[BLOCK_PERF_PATH] = { PART_WHOLE, FORM_CODE, FOR_HTML, "", "perf is" },
	[BLOCK_RUN] = { PART_WHOLE, FORM_PROSE, FOR_VERBOSE | FOR_MARKDOWN, "run", "run" },
	[BLOCK_VERSION] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "pawl" },
	[BLOCK_COMMIT] = { PART_WHOLE, FORM_PROSE, FOR_HTML, "", "commit" },
	[BLOCK_DATE] = { PART_WHOLE, FORM_CODE, FOR_HTML, "", "date" },
	[BLOCK_COMMAND] = { PART_WHOLE, FORM_CODE, DETAIL, "command", "command" },
	[BLOCK_RESULTS] = { PART_WHOLE, FORM_CODE, FOR_VERBOSE | FOR_HTML, "results", "results" },
	[BLOCK_REPORT] = { PART_WHOLE, FORM_CODE, TERMINAL | FOR_COMMANDS, "report", "" },
	[BLOCK_STATUS] = { PART_WHOLE, FORM_PROSE, DETAIL, "status", "exit status" },
};

const struct block *blocks_next(const struct blocks *blocks, unsigned parts, const struct block *before)
{
	for (size_t i = before ? (size_t)(before - blocks->items) + 1 : 0; i < blocks->n; i++)
		if (block_styles[blocks->items[i].kind].part & parts)
			return &blocks->items[i];
	return NULL;
}

/* -------- adding blocks */

struct builder {
	struct document *document;
	struct arena *arena;
	struct blocks *blocks;
};

/* NULL if TEXT is NULL or the block is not for this reader. */
static struct block *add(struct builder *b, enum block_kind kind, const char *text)
{
	struct blocks *blocks = b->blocks;

	if (!text || !(block_styles[kind].readers & b->document->reader))
		return NULL;
	ARENA_GROW(b->arena, blocks->items, blocks->n, blocks->cap);
	blocks->items[blocks->n] = (struct block){
		.kind = kind, .label = block_styles[kind].label, .text = arena_strdup(b->arena, text),
	};
	return &blocks->items[blocks->n++];
}

/* Adds TEXT, unless it is empty, and empties it. */
static struct block *add_buf(struct builder *b, enum block_kind kind, struct strbuf *text)
{
	struct block *block = add(b, kind, text->len ? text->buf : NULL);

	strbuf_release(text);
	return block;
}

static void add_all(struct builder *b, enum block_kind kind, const struct strv *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		add(b, kind, texts->items[i]);
}

static const struct document_table *add_table(struct builder *b, enum block_kind kind,
					      const struct document_table *table)
{
	struct block *block = table ? add(b, kind, "") : NULL;

	if (block)
		block->table = table;
	return table;
}

/* True for a terminal without -v. */
static bool is_short(const struct builder *b)
{
	return b->document->reader == FOR_TEXT;
}

/* "BEFORE TEXT" as part of a sentence; empty if TEXT is NULL. */
static const char *piece(struct builder *b, const char *before, const char *text)
{
	return text ? arena_printf(b->arena, "%s%s", before, text) : "";
}

/* -------- a scenario, in the order of a terminal */

static void list_gate(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	strbuf_adds(out, out->len ? ", " : "");
	format_gate(out, scenario, gate);
}

static void format_other(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	if (out->len)
		strbuf_adds(out, ", ");
	else
		strbuf_addf(out, "%s ", severity_word(severity_of_gate(scenario, gate)));
	format_finding(out, scenario, gate);
	format_evidence(out, gate);
}

/* Bytes of a sentence, a source line and a line of evidence; names of symbols may have any length. */
enum { SENTENCE_LONGEST = 500, CAUSES_BRIEF = 2, WHYS_BRIEF = 2, SOURCE_LONGEST = 120, HUNK_LONGEST = 4000, EVIDENCE_LONGEST = 400, LABEL_LONGEST = 40 };

static const char *clipped(struct builder *b, const char *text, size_t most)
{
	size_t len = utf8_clip(text, most);

	return arena_printf(b->arena, "%.*s%s", (int)len, text, text[len] ? "..." : "");
}

/* The first explanation substitutes for a cause that was not found. */
static const char *partial_cause(const struct builder *b, const struct scenario_result *scenario)
{
	if (scenario->explanation.n)
		return scenario->explanation.items[0];
	return b->document->reader & MACHINES ? "not found; result.json has what was counted" :
	       b->document->reader & DETAIL ? "not found; see what was counted" : "not found; -v shows what was counted";
}

/* Returns the number of explanations used up. */
static size_t add_causes(struct builder *b, const struct scenario_result *scenario)
{
	bool regressed = scenario_result_regressed(scenario);
	const char *text;
	struct block *hunk;

	for (size_t i = 0; i < scenario->n_causes && i < (is_short(b) ? CAUSES_BRIEF : CAUSES_MOST); i++) {
		const struct cause *cause = &scenario->causes[i];

		add(b, regressed ? BLOCK_CAUSE : BLOCK_DIFFERS,
		    arena_printf(b->arena, "%s: %s", cause_kind_words[cause->kind], clipped(b, cause->sentence, SENTENCE_LONGEST)));
		/* Several causes may rest on one changed line. */
		if (i && text_same(cause->changed, scenario->causes[i - 1].changed))
			continue;
		text = cause->hunk && cause->changed_at ? clipped(b, cause->hunk, HUNK_LONGEST) : NULL;
		if (text && b->document->reader == FOR_MARKDOWN)
			text = arena_printf(b->arena, "@@ %s @@\n%s", cause->changed_at, text);
		hunk = add(b, BLOCK_HUNK, text);
		if (hunk)
			hunk->label = cause->changed_at;
		else
			add(b, BLOCK_CHANGED, cause->changed ? clipped(b, cause->changed, SOURCE_LONGEST) : NULL);
	}
	if (!regressed || scenario->n_causes || !scenario->evidence.n)
		return 0;
	add(b, BLOCK_CAUSE, partial_cause(b, scenario));
	return scenario->explanation.n > 0;
}

static void add_reasons(struct builder *b, const struct scenario_result *scenario)
{
	const struct gate_result *gates = scenario->gates;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const char *reason = gate_judgement(&gates[i])->reason;
		struct strbuf text = STRBUF_INIT;

		if (!reason || severity_of_gate(scenario, &gates[i]) == SEVERITY_FOLLOWS)
			continue;
		/* A page's title says it, or the gate is among what it folds. */
		if (b->document->reader == FOR_HTML &&
		    (gate_result_quiet(&gates[i]) ||
		     (severity_of(scenario) == SEVERITY_NEW && !scenario->baseline_label && !scenario->paired)))
			continue;
		for (size_t k = 0; k < scenario->n_gates; k++) {
			if (!text_same(gate_judgement(&gates[k])->reason, reason))
				continue;
			if (k < i)
				break;
			list_gate(&text, scenario, &gates[k]);
		}
		if (text.len)
			strbuf_addf(&text, ": %s", reason);
		add_buf(b, BLOCK_BECAUSE, &text);
	}
}

/* True if the verdict's line or columns_of_worst() shows GATE, in a scenario whose severity is WORST. */
static bool is_among_worst(const struct scenario_result *scenario, const struct gate_result *gate, enum severity worst)
{
	return severity_of_gate(scenario, gate) == worst &&
	       (gate->gate.relative || gate == severity_gate(scenario, worst));
}

static bool has_row(const struct builder *b, const struct scenario_result *scenario, const struct gate_result *gate, enum severity worst)
{
	return b->document->reader == FOR_MARKDOWN || is_among_worst(scenario, gate, worst);
}

/* True if the verdict's line and the command to rerun say all: how many more pairs decide, or that none would. */
static bool is_said_by_pairs(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return j->pairs && j->verdict == VERDICT_INCONCLUSIVE && !isnan(j->more_pairs);
}

/* The gates that decide get their reason, unless a cause explains more; others their finding, unless a table has it. */
static void add_reasons_briefly(struct builder *b, const struct scenario_result *scenario)
{
	enum severity worst = severity_of(scenario);
	bool explained = worst == SEVERITY_REGRESSION && (scenario->n_causes || scenario->explanation.n);

	if (worst == SEVERITY_PASS && scenario->pairing.identical.binary) {
		add(b, BLOCK_BECAUSE, gate_judgement(&scenario->gates[0])->reason);
		return;
	}
	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];
		enum severity severity = severity_of_gate(scenario, gate);
		const char *reason = gate_judgement(gate)->reason;
		bool in_table = has_row(b, scenario, gate, worst), repeated = false;
		struct strbuf text = STRBUF_INIT;

		/* A change without a number is reported only by its reason. */
		if (severity >= SEVERITY_PROVEN || is_said_by_pairs(gate) ||
		    (in_table && (!reason || (explained && isfinite(gate_judgement(gate)->change_pct)))))
			continue;
		if (severity == SEVERITY_NEW && !scenario->baseline_label && !gate->gate.metric->benchmark)
			continue;
		for (size_t k = 0; k < scenario->n_gates && reason && !repeated; k++) {
			const struct gate_result *other = &scenario->gates[k];

			if (severity_of_gate(scenario, other) != severity || has_row(b, scenario, other, worst) != in_table ||
			    !text_same(gate_judgement(other)->reason, reason))
				continue;
			repeated = k < i;
			if (!repeated && in_table)
				list_gate(&text, scenario, other);
			else if (!repeated)
				format_other(&text, scenario, other);
		}
		if (!reason)
			format_other(&text, scenario, gate);
		if (text.len && reason)
			strbuf_addf(&text, ": %s", reason);
		add_buf(b, BLOCK_BECAUSE, &text);
	}
}

/* Notes that are part of a reason are left out. */
static void add_notes(struct builder *b, const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->head.notes.n; i++) {
		const char *note = scenario->head.notes.items[i];
		bool repeated = false;

		for (size_t k = 0; k < scenario->n_gates && !repeated; k++) {
			const struct judgement *j = gate_judgement(&scenario->gates[k]);

			repeated = j->verdict == VERDICT_NOT_MEASURED && j->reason && strstr(j->reason, note);
		}
		if (!repeated)
			add(b, BLOCK_NOTE, note);
	}
}

static void add_explanations(struct builder *b, const struct scenario_result *scenario, size_t first)
{
	enum severity worst = severity_of(scenario);
	struct strbuf disagree = STRBUF_INIT;

	(is_short(b) || b->document->reader == FOR_MARKDOWN ? add_reasons_briefly : add_reasons)(b, scenario);
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (medians_disagree(&scenario->gates[i]) &&
		    (!is_short(b) || is_among_worst(scenario, &scenario->gates[i], worst)))
			list_gate(&disagree, scenario, &scenario->gates[i]);
	if (disagree.len)
		strbuf_addf(
		    &disagree,
		    ": the change is the median of all differences between %s; the two medians differ by another amount",
		    scenario->paired ? "runs of a pair" : "runs");
	add_buf(b, BLOCK_BECAUSE, &disagree);
	if (worst == SEVERITY_NO_GATES)
		add(b, BLOCK_BECAUSE,
		    arena_printf(b->arena, "no gate judges it: write gates: in %s", scenario->path ?: scenario->name));
	for (size_t i = first; i < scenario->explanation.n && (i < WHYS_BRIEF || !is_short(b)); i++)
		add(b, BLOCK_WHY, scenario->explanation.items[i]);
}

static void add_profile(struct builder *b, const struct scenario_result *scenario)
{
	static const struct {
		enum block_kind kind;
		const char *label, *name;
		bool compared;		/* only if both sides have a profile */
	} files[] = {
		{ BLOCK_PICTURE, "flame graph", "flamegraph.svg", false },
		{ BLOCK_PICTURE, "difference", "diff.svg", true },
		{ BLOCK_TOP, "table", "top.md", false },
	};
	const struct profile *profile = &scenario->head.profile;
	const char *dir = b->document->result->out_dir;
	const char *beside = dir ? arena_printf(b->arena, "%s/%s", dir, scenario->name) : NULL;
	/* In merged results each scenario has its own folder. */
	const char *folder = scenario->folder ?: beside;
	struct strbuf facts = STRBUF_INIT;

	if (!profile_exists(profile))
		return;
	strbuf_addf(&facts, "%s at %u Hz, %llu samples in %zu %s", profile->event, profile->frequency,
		    (unsigned long long)profile->samples, profile->n_runs,
		    scenario_result_runs(scenario, profile->n_runs));
	if (profile->lost)
		strbuf_addf(&facts, ", %llu lost", (unsigned long long)profile->lost);
	if (!isnan(profile->overhead_pct))
		strbuf_addf(&facts, "; under the profiler the target took %s CPU time", format_change(profile->overhead_pct).s);
	strbuf_addf(&facts, "; costs are per %s", side_result_count(&scenario->head, METRIC(WORK)) ?
		    scenario_result_work_unit(scenario) : scenario_result_runs(scenario, 1));
	add_buf(b, BLOCK_PROFILE, &facts);
	add_all(b, BLOCK_WARNING, &profile->warnings);
	for (size_t i = 0; i < sizeof files / sizeof files[0] && folder; i++) {
		const char *path = arena_printf(b->arena, "%s/%s", folder, files[i].name);
		struct block *block = files[i].compared && !scenario->difference ? NULL : add(b, files[i].kind, path);

		if (!block)
			continue;
		block->label = files[i].label;
		/* The page is next to the scenarios' folders, so a relative link works wherever both are copied. */
		if (beside && !strcmp(folder, beside))
			block->link = arena_printf(b->arena, "./%s/%s", scenario->name, files[i].name);
	}
}

static void add_log_path(struct builder *b, const struct scenario_result *scenario)
{
	struct block *block = add(b, BLOCK_LOG_PATH, scenario->head.log_path);
	const char *dir = b->document->result->out_dir;
	size_t len = dir ? strlen(dir) : 0;

	if (block && len && text_starts(block->text, dir) && block->text[len] == '/')
		block->link = arena_printf(b->arena, ".%s", block->text + len);
}

/* "2026-11-20, commit a1b2c3d, 3 sessions; now 15 runs" */
static void add_baseline(struct builder *b, const struct scenario_result *scenario)
{
	const struct side_result *head = &scenario->head;
	const char *foreign = scenario_foreign_class(b->document->result, scenario);
	const char *wanted = arena_printf(b->arena, "%u", head->runs_wanted);

	if (pairs_only(scenario) || !head->n_runs)
		return;
	add(b, BLOCK_AGAINST, arena_printf(b->arena, "%s%s; now %zu %s%s", scenario->baseline_label ?: "no baseline",
					   piece(b, ", of another machine class: ", foreign), head->n_runs,
					   scenario_result_runs(scenario, head->n_runs),
					   piece(b, " of ", head->runs_wanted > head->n_runs ? wanted : NULL)));
	if (foreign && !(b->document->reader & FOR_VERBOSE))
		add(b, BLOCK_FOREIGN, arena_printf(b->arena, "a baseline of another machine class, %s", foreign));
	add(b, BLOCK_BASELINE, scenario->baseline_path);
}

static void add_load(struct builder *b, const struct scenario_result *scenario)
{
	const struct side_result *head = &scenario->head;
	double wall_ms = side_result_median(head, METRIC(WALL_TIME));
	double work = side_result_median(head, METRIC(WORK));
	double rate = side_result_median(head, METRIC(THROUGHPUT));
	struct strbuf attached = STRBUF_INIT, done = STRBUF_INIT;

	strbuf_adds(&attached, head->attached ?: "");
	if (attached.len && head->n_runs)
		strbuf_addf(&attached, ", %zu %s", head->n_runs, scenario_result_runs(scenario, head->n_runs));
	if (attached.len && head->n_runs && !isnan(wall_ms))
		strbuf_addf(&attached, " of %s", format_value(wall_ms, UNIT_MS).s);
	add_buf(b, BLOCK_ATTACHED, &attached);
	if (isnan(work))
		return;
	strbuf_addf(&done, "%s ", format_value(work, UNIT_COUNT).s);
	if (work == 1)
		strbuf_adds(&done, scenario_result_work_unit(scenario));
	else
		format_plural(&done, head->work_unit ?: "unit of work");
	strbuf_addf(&done, " in each %s", scenario_result_runs(scenario, 1));
	if (!isnan(rate))
		strbuf_addf(&done, ", %s", format_measured(rate, METRIC(THROUGHPUT)).s);
	add_buf(b, BLOCK_WORK, &done);
}

/* True if another place shows METRIC: a gate, the load, or a value per unit of work. */
static bool is_shown_elsewhere(const struct scenario_result *scenario, const struct metric *metric)
{
	return scenario_result_is_gated(scenario, metric) || metric->source == SOURCE_LOAD ||
	       (scenario->head.attached && metric == METRIC(WALL_TIME)) ||
	       (metric->normalised && side_result_count(&scenario->head, metric->normalised));
}

static void add_facts(struct builder *b, const struct scenario_result *scenario)
{
	struct strbuf medians = STRBUF_INIT, variables = STRBUF_INIT;

	/* "wall-time 63.1 ms, cycles 210 M", for metrics without a gate. Of pairs a page has a table. */
	for (size_t i = 0; i < scenario->head.n_metrics && !(scenario->paired && b->document->reader == FOR_HTML); i++) {
		const struct metric *metric = scenario->head.metrics[i];
		double median = side_result_median(&scenario->head, metric);

		if (isnan(median) || is_shown_elsewhere(scenario, metric))
			continue;
		strbuf_adds(&medians, medians.len ? ", " : "");
		format_metric(&medians, scenario_result_work_unit(scenario), metric);
		strbuf_addf(&medians, " %s", format_measured(median, metric).s);
	}
	add_buf(b, scenario->n_gates ? BLOCK_ALSO : BLOCK_MEDIANS, &medians);
	for (size_t i = 0; i < scenario->variables.n; i++)
		strbuf_addf(&variables, "%s%s", i ? ", " : "passed on: ", scenario->variables.items[i]);
	add_buf(b, BLOCK_VARIABLES, &variables);
	add(b, BLOCK_SCENARIO, scenario->path);
	add(b, BLOCK_BASELINE_FILE, scenario->baseline_path);
	add(b, BLOCK_EXECUTABLE, scenario->head.executable);
}

static bool can_accept(const struct scenario_result *scenario)
{
	if (scenario->head.state == SCENARIO_FAILED)
		return false;
	for (size_t i = 0; i < scenario->n_gates && pairs_only(scenario); i++)
		if (scenario->gates[i].by_baseline && scenario->gates[i].stored.verdict == VERDICT_REGRESSION)
			return true;
	if (pairs_only(scenario))
		return false;
	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		/* The baseline may lack the gate's metric. */
		if (gate_judgement(gate)->verdict == VERDICT_NOT_MEASURED && gate->gate.relative &&
		    !isnan(gate_judgement(gate)->current))
			return true;
	}
	return severity_count(scenario, SEVERITY_REGRESSION) || severity_count(scenario, SEVERITY_IMPROVEMENT) ||
	       severity_count(scenario, SEVERITY_PROVEN) || severity_count(scenario, SEVERITY_NEW);
}

/* True if the line of the scenario itself ends in the command that accepts it. */
static bool is_saved_at_once(const struct builder *b, const struct scenario_result *scenario)
{
	return is_short(b) && severity_of(scenario) == SEVERITY_NEW && can_accept(scenario) && !result_compares(b->document->result);
}

static void add_commands(struct builder *b, const struct scenario_result *scenario)
{
	const struct result *result = b->document->result;
	struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
	enum block_kind kind;
	struct block *block;

	if (result_compares(result) || b->document->reader == FOR_COMMANDS)
		return;
	kind = command_next(&text, result, scenario);
	/* The longer run replaces the same run again in a terminal. */
	if (kind != BLOCK_DECIDE || !text.len || !is_short(b)) {
		command_again(&again, result, scenario);
		add_buf(b, BLOCK_AGAIN, &again);
	}
	add_buf(b, kind, &text);
	if (!can_accept(scenario) || is_saved_at_once(b, scenario))
		return;
	command_accept(&text, result, scenario);
	if ((block = add_buf(b, BLOCK_ACCEPT, &text)))
		block->label = arena_printf(b->arena, "accept, on a machine of class %s", b->document->class);
}

static void add_claims(struct builder *b, const struct scenario_result *scenario, const struct gate_result *said)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];
		struct strbuf text = STRBUF_INIT;

		if (!gate->gate.claim || gate == said || severity_of_gate(scenario, gate) == SEVERITY_MISSING)
			continue;
		format_headline(&text, scenario, gate);
		add_buf(b, BLOCK_CLAIM, &text);
	}
}

static void build_scenario(struct document *document, size_t index, struct document_scenario *out)
{
	const struct scenario_result *scenario = &document->result->scenarios[index];
	const bool verbose = document->reader & FOR_VERBOSE, terminal = document->reader & FOR_TEXT;
	enum severity severity = severity_of(scenario);
	const struct gate_result *gate = severity_gate(scenario, severity);
	struct builder b = { document, &document->arena, &out->blocks };
	CLEANUP(strv_release) struct strv stored = STRV_INIT;
	struct strbuf text = STRBUF_INIT;

	*out = (struct document_scenario){
		.of = scenario, .index = index, .severity = severity,
		.verdict = gate ? format_verdict(scenario, gate) : severity_word(severity),
		/* A comparison of two bare commands always shows its numbers. */
		.brief = severity == SEVERITY_PASS && is_short(&b) && (!pairs_only(scenario) || scenario->path),
		.explained = severity != SEVERITY_PASS || scenario->explanation.n || scenario->head.notes.n ||
			     scenario->n_causes || scenario->evidence.n,
		.urgent = severity <= SEVERITY_INCONCLUSIVE && severity != SEVERITY_SKIPPED,
	};
	if (gate && (gate_judgement(gate)->pairs || severity != SEVERITY_PASS)) {
		format_words(&text, scenario, gate);
		if (is_saved_at_once(&b, scenario)) {
			strbuf_adds(&text, ". Save it: ");
			command_accept(&text, document->result, scenario);
		}
		out->words = arena_take(b.arena, strbuf_take(&text));
	}
	if (out->brief && terminal)
		return;
	add(&b, BLOCK_FAILED, scenario->head.failure);
	add(&b, BLOCK_LOG, scenario->head.log_tail && *scenario->head.log_tail ? scenario->head.log_tail : NULL);
	add_log_path(&b, scenario);
	/* The command to repeat it names the sides, except for two bare commands. */
	for (int head = 0; head < 2 && pairs_only(scenario) && (!terminal || verbose || !scenario->path); head++) {
		pairs_label(&text, scenario, head);
		add_buf(&b, head ? BLOCK_HEAD : BLOCK_BASE, &text);
	}
	out->gates = add_table(&b, BLOCK_GATES, is_short(&b) ? columns_of_worst(b.arena, scenario) :
			       columns_of_gates(b.arena, scenario, document->reader));
	add_claims(&b, scenario, gate);
	add_explanations(&b, scenario, add_causes(&b, scenario));
	for (size_t i = 0; i < scenario->evidence.n; i++)
		add(&b, BLOCK_EVIDENCE, clipped(&b, scenario->evidence.items[i], EVIDENCE_LONGEST));
	out->symbols = add_table(&b, BLOCK_SYMBOLS, columns_of_symbols(b.arena, scenario));
	add(&b, BLOCK_WAITS, scenario->idle);
	add(&b, BLOCK_WAITS, scenario->waits);
	add(&b, BLOCK_WAITS, scenario->pairing.other_work);
	if (document->reader & FOR_COMMANDS)
		typed_waiting(&text, scenario);
	add_buf(&b, BLOCK_NOTE, &text);
	add_notes(&b, scenario);
	add_profile(&b, scenario);
	add_baseline(&b, scenario);
	pairs_stored_comparisons(scenario, &stored);
	add_all(&b, BLOCK_STORED, &stored);
	pairs_facts(&text, scenario, document->reader == FOR_COMMANDS);
	add_buf(&b, BLOCK_PAIRS, &text);
	add_load(&b, scenario);
	add_facts(&b, scenario);
	add_commands(&b, scenario);
	/* A line below the table of several commands needs to say whose it is. */
	for (size_t i = 0; i < out->blocks.n && document->reader == FOR_COMMANDS && document->result->n_scenarios > 1; i++)
		out->blocks.items[i].text = arena_printf(b.arena, "%s: %s", clipped(&b, scenario_result_measured(scenario)->label ?: scenario->name,
									    LABEL_LONGEST), out->blocks.items[i].text);
}

/* -------- the whole */

static void add_typed(struct builder *b, const struct result *result)
{
	if (result->status == STATUS_REGRESSION && !strv_has(&result->command, "--explain") && !strv_has(&result->command, "--no-explain"))
		add(b, BLOCK_NOTE, "--explain looks for the cause");
}

static void add_conditions(struct builder *b, const struct result *result)
{
	const struct machine *machine = &result->machine;
	/* Two compared commands have no file, and their gates need no counter. */
	bool commands = result->n_scenarios == 1 && pairs_only(&result->scenarios[0]) && !result->scenarios[0].path;
	const char *remedy = commands ? NULL : machine->tier_remedy;
	const char *perf = machine->perf_version && machine->perf_path ?
		arena_printf(b->arena, "%s (%s)", machine->perf_version, machine->perf_path) : machine->perf_version;

	add(b, BLOCK_CLASS, b->document->class);
	add(b, BLOCK_MACHINE,
	    arena_printf(b->arena, "%s, %u %s%s%s%s", machine->cpu ?: "unknown CPU", machine->cpus,
			 machine->cpus == 1 ? "CPU" : "CPUs", piece(b, ", hypervisor ", machine->hypervisor),
			 piece(b, ", kernel ", machine->kernel), piece(b, ", perf ", perf)));
	add(b, BLOCK_TIER,
	    arena_printf(b->arena, "%s%s%s", tier_names[machine->tier], piece(b, ": ", machine->tier_reason),
			 piece(b, "; remedy: ", remedy)));
	add(b, BLOCK_CPU, machine->cpu);
	add(b, BLOCK_CPUS, arena_printf(b->arena, "%u", machine->cpus));
	add(b, BLOCK_COUNTERS, tier_names[machine->tier]);
	add(b, BLOCK_REASON, machine->tier_reason);
	add(b, BLOCK_REMEDY, remedy);
	add(b, BLOCK_HYPERVISOR, machine->hypervisor);
	add(b, BLOCK_KERNEL, machine->kernel);
	add(b, BLOCK_SYSTEM, machine->os);
	add(b, BLOCK_PERF, machine->perf_version);
	add(b, BLOCK_PERF_PATH, machine->perf_path);

	add(b, BLOCK_RUN, arena_printf(b->arena, "%s%s%s%s", b->document->measured, piece(b, ", ", result->date),
				       piece(b, ", commit ", result->commit), piece(b, ", pawl ", result->pawl)));
	add(b, BLOCK_VERSION, result->pawl);
	add(b, BLOCK_COMMIT, result->commit);
	add(b, BLOCK_DATE, result->date);
	add(b, BLOCK_COMMAND, b->document->command);
	add(b, BLOCK_RESULTS, result->out_dir);
	add(b, BLOCK_REPORT, result->out_dir ? arena_printf(b->arena, "%s/report.html", result->out_dir) : NULL);
	add(b, BLOCK_STATUS, b->document->headline.status);
}

/* Adds which scenarios would pass for ever. Each says so itself, too. */
static void add_idle(struct builder *b, const struct result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		if (result->scenarios[i].idle && n++ < IDLE_NAMED)
			add(b, BLOCK_NOISE, arena_printf(b->arena, "%s %s", scenario_result_label(&result->scenarios[i]), result->scenarios[i].idle));
	if (n > IDLE_NAMED)
		add(b, BLOCK_NOISE, arena_printf(b->arena, "%zu more scenarios have such a warning", n - IDLE_NAMED));
}

void document_build(struct document *document, const struct result *result, unsigned reader)
{
	struct builder b = { document, &document->arena, &document->notes };
	CLEANUP(strv_release) struct strv judged = STRV_INIT;

	*document = (struct document){ .result = result, .reader = reader, .arena = ARENA_INIT };
	headline_build(result, b.arena, reader & (FOR_MARKDOWN | FOR_HTML) || is_short(&b) ? HEADLINE_WIDTH : 0, &document->headline);
	document->measured = arena_printf(b.arena, "%s comparison, %s", result_mode_names[result->mode],
					  format_elapsed(result->elapsed_s).s);
	document->class = arena_take(b.arena, machine_class(&result->machine));
	document->command = arena_take(b.arena, result_command_line(result));
	judged_lines(&judged, &result->judged_by);
	add_all(&b, BLOCK_JUDGE, &judged);
	add_idle(&b, result);
	add_all(&b, BLOCK_RUN_NOTE, &result->notes);
	if (!result->merged)
		add_all(&b, BLOCK_NOISE, &result->machine.notes);
	document->scenarios = arena_alloc(b.arena, (result->n_scenarios + 1) * sizeof *document->scenarios);
	/* JUnit and annotations keep the order of the run, which is the same in every build. */
	for (int severity = 0; severity < SEVERITY_COUNT; severity++)
		for (size_t i = 0; i < result->n_scenarios && document->n < result->n_scenarios; i++)
			if (reader & MACHINES || (int)severity_of(&result->scenarios[i]) == severity)
				build_scenario(document, i, &document->scenarios[document->n++]);
	b.blocks = &document->conditions;
	if (reader & FOR_COMMANDS)
		document->typed = typed_table(b.arena, result);
	if (reader == FOR_COMMANDS)
		add_typed(&b, result);
	if (result->merged)
		add_all(&b, BLOCK_NOISE, &result->machine.notes);
	add_conditions(&b, result);
}

void document_release(struct document *document)
{
	arena_release(&document->arena);
	*document = (struct document){ 0 };
}
