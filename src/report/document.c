#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* Bytes of a symbol beside its gate's name, and in a table of symbols; how many of the hottest have a row. */
enum { GATE_SYMBOL_LONGEST = 40, SYMBOL_LONGEST = 200, SYMBOLS_LISTED = 10 };
/* Shares of the samples: of what vanished, worth a row; under which a symbol is too slight for a terminal. */
#define VANISHED_LEAST_PCT 1.0
#define SLIGHT_PCT 0.5
/* A change that is so much off that of the medians, in points, and by half or more, is told to be another number. */
#define DISAGREE_PCT 2.0

enum {
	TERMINAL = FOR_TEXT | FOR_VERBOSE,
	PAGES = FOR_MARKDOWN | FOR_HTML,
	MACHINES = FOR_JUNIT | FOR_ANNOTATIONS,
	LONG = TERMINAL | PAGES | FOR_JUNIT,	/* an annotation has room for what is urgent alone */
	ALL = TERMINAL | PAGES | MACHINES,
};

/*
 * The one place that says what each block is called and who is shown it. Left out of a terminal is what takes many lines and
 * result.json or the page has; left out of Markdown what does not help to judge a change; of a JUnit case what stands in the
 * properties of its suite.
 */
const struct block_style block_styles[BLOCK_KINDS] = {
	[BLOCK_FAILED] = { PART_FAILURE, FORM_PROSE, LONG, "failed", "failed" },
	[BLOCK_LOG] = { PART_LOG, FORM_LOG, ALL, "", "the last lines of its output" },
	[BLOCK_LOG_PATH] = { PART_LOG, FORM_CODE, LONG, "log", "log" },
	[BLOCK_BASE] = { PART_SIDES, FORM_PROSE, LONG, "base", "base" },
	[BLOCK_HEAD] = { PART_SIDES, FORM_PROSE, LONG, "head", "head" },
	[BLOCK_GATES] = { PART_GATES, FORM_TABLE, LONG, "", "" },
	[BLOCK_BECAUSE] = { PART_FINDINGS, FORM_PROSE, LONG, "because", "because" },
	[BLOCK_WHY] = { PART_FINDINGS, FORM_PROSE, ALL, "why", "why" },
	[BLOCK_NOTE] = { PART_FINDINGS, FORM_PROSE, LONG, "note", "note" },
	/* Elsewhere a note of the whole run says it. */
	[BLOCK_WAITS] = { PART_FINDINGS, FORM_PROSE, FOR_JUNIT, "note", "note" },
	[BLOCK_SYMBOLS] = { PART_SYMBOLS, FORM_TABLE, TERMINAL | PAGES, "", "" },
	[BLOCK_PROFILE] = { PART_PROFILE, FORM_PROSE, LONG, "profile", "profile" },
	[BLOCK_WARNING] = { PART_PROFILE, FORM_PROSE, TERMINAL | PAGES, "doubt", "doubt" },
	[BLOCK_PICTURE] = { PART_PROFILE, FORM_CODE, TERMINAL | PAGES, "flames", "" },
	/* The table of symbols in full, for what has links. */
	[BLOCK_TOP] = { PART_PROFILE, FORM_CODE, PAGES, "", "table" },
	[BLOCK_AGAINST] = { PART_BASELINE, FORM_PROSE, TERMINAL | PAGES, "against", "against" },
	[BLOCK_BASELINE] = { PART_BASELINE, FORM_PROSE, FOR_VERBOSE, "baseline", "baseline" },
	[BLOCK_STORED] = { PART_METHOD, FORM_PROSE, ALL, "screen", "screen" },
	[BLOCK_PAIRS] = { PART_METHOD, FORM_PROSE, LONG, "pairs", "pairs" },
	[BLOCK_ATTACHED] = { PART_LOAD, FORM_PROSE, LONG, "attached", "attached to" },
	[BLOCK_WORK] = { PART_LOAD, FORM_PROSE, LONG, "work", "work" },
	/* Medians of what has no gate; a page has a table of it. */
	[BLOCK_ALSO] = { PART_FACTS, FORM_PROSE, FOR_VERBOSE, "also", "" },
	[BLOCK_MEDIANS] = { PART_FACTS, FORM_PROSE, TERMINAL, "medians", "" },
	[BLOCK_VARIABLES] = { PART_FACTS, FORM_PROSE, FOR_VERBOSE, "env", "" },
	[BLOCK_SCENARIO] = { PART_FACTS, FORM_CODE, FOR_HTML, "", "scenario" },
	[BLOCK_BASELINE_FILE] = { PART_FACTS, FORM_CODE, FOR_HTML, "", "baseline" },
	[BLOCK_EXECUTABLE] = { PART_FACTS, FORM_CODE, FOR_HTML, "", "executable" },
	[BLOCK_AGAIN] = { PART_COMMANDS, FORM_CODE, ALL, "again", "see it again" },
	[BLOCK_FIND] = { PART_COMMANDS, FORM_CODE, ALL, "find it", "find it" },
	[BLOCK_DECIDE] = { PART_COMMANDS, FORM_CODE, ALL, "decide", "decide" },
	[BLOCK_ACCEPT] = { PART_COMMANDS, FORM_CODE, ALL, "accept", "accept it" },

	[BLOCK_JUDGE] = { PART_WHOLE, FORM_PROSE, ALL, "judge", "judge" },
	[BLOCK_RUN_NOTE] = { PART_WHOLE, FORM_PROSE, TERMINAL | PAGES, "note", "note" },
	[BLOCK_NOISE] = { PART_WHOLE, FORM_PROSE, TERMINAL | PAGES, "noise", "noise" },
	[BLOCK_CLASS] = { PART_WHOLE, FORM_CODE, TERMINAL | PAGES, "machine", "machine class" },
	/* A terminal has the machine in four lines, a page in a list. */
	[BLOCK_MACHINE] = { PART_WHOLE, FORM_PROSE, TERMINAL, "", "" },
	[BLOCK_TIER] = { PART_WHOLE, FORM_PROSE, TERMINAL, "tier", "" },
	[BLOCK_CPU] = { PART_WHOLE, FORM_PROSE, PAGES, "", "CPU" },
	[BLOCK_CPUS] = { PART_WHOLE, FORM_PROSE, PAGES, "", "CPUs" },
	[BLOCK_COUNTERS] = { PART_WHOLE, FORM_PROSE, PAGES, "", "counter tier" },
	[BLOCK_REASON] = { PART_WHOLE, FORM_PROSE, PAGES, "", "why no better tier" },
	[BLOCK_REMEDY] = { PART_WHOLE, FORM_PROSE, PAGES, "", "remedy" },
	[BLOCK_HYPERVISOR] = { PART_WHOLE, FORM_PROSE, PAGES, "", "hypervisor" },
	[BLOCK_KERNEL] = { PART_WHOLE, FORM_PROSE, PAGES, "", "kernel" },
	[BLOCK_SYSTEM] = { PART_WHOLE, FORM_PROSE, PAGES, "", "system" },
	[BLOCK_PERF] = { PART_WHOLE, FORM_PROSE, PAGES, "", "perf" },
	[BLOCK_PERF_PATH] = { PART_WHOLE, FORM_CODE, PAGES, "", "perf is" },
	[BLOCK_RUN] = { PART_WHOLE, FORM_PROSE, TERMINAL, "run", "" },
	[BLOCK_VERSION] = { PART_WHOLE, FORM_PROSE, PAGES, "", "pawl" },
	[BLOCK_COMMIT] = { PART_WHOLE, FORM_PROSE, PAGES, "", "commit" },
	[BLOCK_DATE] = { PART_WHOLE, FORM_CODE, PAGES, "", "date" },
	[BLOCK_COMMAND] = { PART_WHOLE, FORM_CODE, TERMINAL | PAGES, "command", "command" },
	[BLOCK_RESULTS] = { PART_WHOLE, FORM_CODE, TERMINAL | PAGES, "results", "results" },
	[BLOCK_STATUS] = { PART_WHOLE, FORM_PROSE, TERMINAL | PAGES, "status", "exit status" },
};

const struct block *blocks_next(const struct blocks *blocks, unsigned parts, size_t *at)
{
	while (*at < blocks->n) {
		const struct block *block = &blocks->items[(*at)++];

		if (block_styles[block->kind].part & parts)
			return block;
	}
	return NULL;
}

bool blocks_has(const struct blocks *blocks, unsigned parts)
{
	return blocks_next(blocks, parts, &(size_t){ 0 }) != NULL;
}

/* -------- adding blocks */

/* What is being filled. */
struct builder {
	struct document *document;
	struct arena *arena;
	struct blocks *blocks;
};

/* TEXT that is NULL or not for this reader adds nothing; returns the block or NULL. */
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

/* Empties TEXT, which adds nothing when it is empty. */
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

/* -------- tables */

static const struct document_table *add_table(struct builder *b, enum block_kind kind, const struct document_table *table)
{
	struct block *block = add(b, kind, "");

	return block ? block->table = arena_memdup(b->arena, table, sizeof *table) : NULL;
}

static struct document_row *add_row(struct builder *b, struct document_table *table)
{
	ARENA_GROW(b->arena, table->rows, table->n, table->cap);
	return &table->rows[table->n++];
}

static const char *take_cell(struct builder *b, struct strbuf *cell)
{
	const char *text = arena_strdup(b->arena, cell->buf);

	strbuf_release(cell);
	return text;
}

/* Of what no gate judges nothing is tolerated: it is shown beside the gates, with both sides' medians. */
static bool is_shown(const struct gate_result *gate)
{
	return !gate->gate.relative && isnan(gate->gate.max) && isnan(gate->gate.min);
}

static void add_gate_row(struct builder *b, struct document_table *table, const struct scenario_result *scenario,
			 const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	/* Of symbols the share is that of the one whose change stands beside it. */
	bool no_share = gate->gate.kind == GATE_SYMBOLS && isnan(j->change_pct);
	struct document_row *row = add_row(b, table);
	struct strbuf cell = STRBUF_INIT;

	row->gate = gate;
	row->shown = is_shown(gate);
	row->severity = severity_of_gate(scenario, gate);
	row->tone = row->shown ? TONE_PLAIN : severity_tone(row->severity);
	format_gate(&cell, scenario, gate);
	format_gate_symbol(&cell, scenario, gate, GATE_SYMBOL_LONGEST);
	row->cells[0] = take_cell(b, &cell);
	strbuf_adds(&cell, format_measured(j->baseline, gate->gate.metric).s);
	if (j->pairs)
		pairs_spread(&cell, scenario, gate, false);
	row->cells[1] = take_cell(b, &cell);
	strbuf_adds(&cell, format_measured(no_share ? NAN : j->current, gate->gate.metric).s);
	if (j->pairs)
		pairs_spread(&cell, scenario, gate, true);
	row->cells[2] = take_cell(b, &cell);
	strbuf_adds(&cell, format_gate_change(gate, j->change_pct).s);
	row->cells[3] = take_cell(b, &cell);
	strbuf_adds(&cell, format_gate_interval(gate).s);
	row->cells[4] = take_cell(b, &cell);
	format_tolerance(&cell, gate);
	row->cells[5] = take_cell(b, &cell);
	row->cells[6] = row->shown ? "shown" : severity_word(row->severity);
}

/*
 * What a scenario's failure or an interrupt left unmeasured is told by that, not by rows without a number; but a suite in
 * which cases vanish looks like one in which they were removed.
 */
static const struct document_table *add_gates(struct builder *b, const struct scenario_result *scenario)
{
	bool paired = pairs_only(scenario), all = b->document->reader & FOR_JUNIT;
	size_t n_shown;
	CLEANUP(free_ptr) struct gate_result *shown = pairs_shown(scenario, b->document->reader & FOR_VERBOSE, &n_shown);
	struct document_table table = {
		.columns = {
			{ .title = "gate", .foreign = true },
			{ .title = paired ? "base" : "baseline", .right = true, .foreign = true },
			{ .title = paired ? "head" : "now", .right = true, .foreign = true },
			{ .title = "change", .right = true },
			{ .title = "interval", .right = true },
			{ .title = "tolerance", .foreign = true },
			{ .title = "verdict" },
		},
		.n_columns = 7,
	};

	for (size_t i = 0; i < scenario->n_gates; i++)
		if (all || severity_of_gate(scenario, &scenario->gates[i]) != SEVERITY_FOLLOWS)
			add_gate_row(b, &table, scenario, &scenario->gates[i]);
	for (size_t i = 0; i < n_shown; i++)
		add_gate_row(b, &table, scenario, arena_memdup(b->arena, &shown[i], sizeof shown[i]));
	return table.n ? add_table(b, BLOCK_GATES, &table) : NULL;
}

/* One decimal: more is not known of a share, and a column of equal ones is read at a glance. */
static const char *share_cell(struct builder *b, double pct)
{
	return isnan(pct) ? "-" : arena_printf(b->arena, "%.1f %%", pct);
}

/* "+6.1 ms" more than in the baseline, where the cost was found to have changed; else all of it. */
static void add_cost(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	bool changed = scenario_result_cost_changed(scenario) || symbol->verdict == VERDICT_REGRESSION;
	double more = changed ? symbol->cost_ms - symbol->base_cost_ms : NAN;

	strbuf_adds(out, more > 0 ? "+" : "");
	strbuf_adds(out, format_value(isnan(more) ? symbol->cost_ms : more, UNIT_MS).s);
}

/* "REGRESSION, new"; "moved from btreeParseCell" */
static void add_found(struct strbuf *out, const struct symbol_result *symbol)
{
	if (symbol->verdict == VERDICT_REGRESSION)
		strbuf_adds(out, severity_word(SEVERITY_REGRESSION));
	else if (symbol->verdict == VERDICT_INCONCLUSIVE && symbol->reason)
		strbuf_adds(out, verdict_names[symbol->verdict]);
	else if (symbol->change == SYMBOL_NEW || symbol->change == SYMBOL_VANISHED || symbol->change == SYMBOL_MOVED)
		strbuf_adds(out, symbol_change_names[symbol->change]);
	if (symbol->verdict == VERDICT_REGRESSION && symbol->change == SYMBOL_NEW)
		strbuf_adds(out, ", new");
	if (!symbol->moved)
		return;
	strbuf_adds(out, symbol->change_pp > 0 ? " from " : " to ");
	strbuf_adds(out, format_symbol(symbol->moved, SYMBOL_LONGEST).s);
}

static void add_symbol_row(struct builder *b, struct document_table *table, const struct scenario_result *scenario,
			   const struct symbol_result *symbol)
{
	struct document_row *row = add_row(b, table);
	struct strbuf cell = STRBUF_INIT;

	row->symbol = symbol;
	row->tone = symbol->verdict == VERDICT_REGRESSION ? TONE_BAD : TONE_PLAIN;
	strbuf_adds(&cell, format_symbol(symbol->symbol, SYMBOL_LONGEST).s);
	row->cells[0] = take_cell(b, &cell);
	row->cells[1] = *symbol->dso ? symbol->dso : "-";
	row->cells[2] = share_cell(b, symbol->share_pct);
	row->cells[3] = share_cell(b, symbol->base_share_pct);
	/* With two standard errors behind. */
	row->cells[4] = isnan(symbol->change_pp) ? "-" :
		arena_printf(b->arena, "%+.1f ±%.1f", symbol->change_pp, 2 * symbol->error_pp);
	add_cost(&cell, scenario, symbol);
	row->cells[5] = take_cell(b, &cell);
	add_found(&cell, symbol);
	row->cells[6] = take_cell(b, &cell);
}

/* Too little on both sides to be worth a line of a terminal, and nobody complains of it. */
static bool is_slight(const struct symbol_result *symbol)
{
	/* A side without a profile has no share. */
	return !(symbol->share_pct >= SLIGHT_PCT) && !(symbol->base_share_pct >= SLIGHT_PCT) &&
	       symbol->verdict != VERDICT_REGRESSION && !(symbol->verdict == VERDICT_INCONCLUSIVE && symbol->reason);
}

static bool is_notable(const struct symbol_result *symbol)
{
	return symbol->verdict == VERDICT_REGRESSION || symbol->change == SYMBOL_MOVED ||
	       (symbol->change == SYMBOL_VANISHED && symbol->base_share_pct >= VANISHED_LEAST_PCT);
}

/* What a profile of CPU time has to do with. */
static bool concerns_symbols(const struct gate *gate)
{
	const struct metric *metric = gate->metric;

	return gate->kind != GATE_METRIC || !strcmp(metric->name, "instructions") ||
	       (metric->kind == KIND_TIME && metric->source != SOURCE_PRINTED);
}

/* Whether a reader needs the table at once: a time, instructions or symbols got worse, or may have. */
static bool symbols_wanted(const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates && scenario->n_symbols; i++) {
		enum severity severity = severity_of_gate(scenario, &scenario->gates[i]);

		if ((severity == SEVERITY_REGRESSION || severity == SEVERITY_INCONCLUSIVE) &&
		    concerns_symbols(&scenario->gates[i].gate))
			return true;
	}
	return false;
}

/* The hottest, and what is judged badly, moved or gone. A terminal has them where they matter, without slight ones. */
static const struct document_table *add_symbols(struct builder *b, const struct scenario_result *scenario, bool wanted)
{
	bool all = !(b->document->reader & FOR_TEXT) || b->document->reader & FOR_VERBOSE;
	size_t slight = 0;
	struct document_table table = {
		.columns = {
			{ .title = "symbol", .foreign = true },
			{ .title = "file", .foreign = true },
			{ .title = "share", .right = true },
			{ .title = pairs_only(scenario) ? "base" : "baseline", .right = true },
			{ .title = "change, pp", .right = true },
			{ .title = "cost", .right = true },
			{ .title = "", .foreign = true },
		},
		.n_columns = 7,
	};

	for (size_t i = 0; i < scenario->n_symbols && (all || wanted); i++) {
		const struct symbol_result *symbol = &scenario->symbols[i];

		if (!(i < SYMBOLS_LISTED && symbol->change != SYMBOL_VANISHED) && !is_notable(symbol))
			continue;
		if (!all && is_slight(symbol))
			slight++;
		else
			add_symbol_row(b, &table, scenario, symbol);
	}
	if (slight)
		table.more = arena_printf(b->arena, "%s%zu %s under %g %%", table.n ? "and " : "", slight,
					  table.n ? "more" : slight == 1 ? "symbol" : "symbols", SLIGHT_PCT);
	return table.n || slight ? add_table(b, BLOCK_SYMBOLS, &table) : NULL;
}

/* -------- a scenario, in the order of a terminal */

static void add_failure(struct builder *b, const struct scenario_result *scenario)
{
	add(b, BLOCK_FAILED, scenario->failure);
	if (scenario->log_tail && *scenario->log_tail)
		add(b, BLOCK_LOG, scenario->log_tail);
	add(b, BLOCK_LOG_PATH, scenario->log_path);
}

static void add_sides(struct builder *b, const struct scenario_result *scenario)
{
	for (int head = 0; head < 2 && pairs_only(scenario); head++) {
		struct strbuf label = STRBUF_INIT;

		pairs_label(&label, scenario, head);
		add_buf(b, head ? BLOCK_HEAD : BLOCK_BASE, &label);
	}
}

static bool same_reason(const struct gate_result *a, const struct gate_result *b)
{
	const char *x = gate_judgement(a)->reason, *y = gate_judgement(b)->reason;

	return x && y && !strcmp(x, y);
}

static bool said_before(const struct scenario_result *scenario, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_reason(&scenario->gates[i], &scenario->gates[at]))
			return true;
	return false;
}

static void add_reason(const struct scenario_result *scenario, size_t first, struct strv *out)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = first; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (!same_reason(&scenario->gates[first], gate))
			continue;
		strbuf_adds(&text, text.len ? ", " : "");
		format_gate(&text, scenario, gate);
	}
	strbuf_addf(&text, ": %s", gate_judgement(&scenario->gates[first])->reason);
	strv_take(out, strbuf_take(&text));
}

/*
 * Whether a reader must wonder: the change is the middle of the differences between runs, which may go another way than the two
 * medians that stand beside it.
 */
static bool medians_disagree(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	double pct = 100 * (j->current / j->baseline - 1);

	if (gate->gate.kind != GATE_METRIC || !(j->baseline > 0) || !isfinite(pct) || !isfinite(j->change_pct))
		return false;
	return fabs(pct - j->change_pct) >= DISAGREE_PCT &&
	       (pct * j->change_pct <= 0 || fabs(pct) > 2 * fabs(j->change_pct) || 2 * fabs(pct) < fabs(j->change_pct));
}

static void add_disagreements(const struct scenario_result *scenario, struct strv *out)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		if (!medians_disagree(&scenario->gates[i]))
			continue;
		strbuf_adds(&names, names.len ? ", " : "");
		format_gate(&names, scenario, &scenario->gates[i]);
	}
	if (names.len)
		strv_pushf(out, "%s: the change is the middle of all differences between %s, not that of the two medians beside it",
			   names.buf, scenario->pairing ? "runs of a pair" : "runs");
	strbuf_release(&names);
}

/* Why gates got their verdicts, each sentence once however many gates share it, and what explains them. */
static void add_reasons(struct builder *b, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv reasons = STRV_INIT;

	for (size_t i = 0; i < scenario->n_gates; i++)
		if (gate_judgement(&scenario->gates[i])->reason && !said_before(scenario, i) &&
		    severity_of_gate(scenario, &scenario->gates[i]) != SEVERITY_FOLLOWS)
			add_reason(scenario, i, &reasons);
	add_disagreements(scenario, &reasons);
	if (severity_of(scenario) == SEVERITY_NO_GATES)
		strv_pushf(&reasons, "no gate judges it: write gates: in %s", scenario->path ?: scenario->name);
	add_all(b, BLOCK_BECAUSE, &reasons);
	add_all(b, BLOCK_WHY, &scenario->explanation);
}

static void add_scenario_notes(struct builder *b, const struct scenario_result *scenario)
{
	add(b, BLOCK_WAITS, scenario->waits);
	add_all(b, BLOCK_NOTE, &scenario->notes);
}

/* "cpu-clock at 997 Hz, 9120 samples in 3 runs; under the profiler the target took +2.1 % CPU time; costs are per run" */
static void add_sampling(struct strbuf *out, const struct scenario_result *scenario)
{
	const struct profile *profile = &scenario->profile;

	strbuf_addf(out, "%s at %u Hz, %llu samples in %zu %s", profile->event, profile->frequency,
		    (unsigned long long)profile->samples, profile->n_runs,
		    scenario_result_runs(scenario, profile->n_runs));
	if (profile->lost)
		strbuf_addf(out, ", %llu lost", (unsigned long long)profile->lost);
	if (!isnan(profile->overhead_pct))
		strbuf_addf(out, "; under the profiler the target took %+.1f %% CPU time", profile->overhead_pct);
	strbuf_addf(out, "; costs are per %s", scenario_result_count(scenario, METRIC_WORK) ?
		    scenario_result_work_unit(scenario) : scenario_result_runs(scenario, 1));
}

/* How the profile was taken, and what it left in the scenario's folder. */
static void add_profile(struct builder *b, const struct scenario_result *scenario)
{
	static const struct {
		enum block_kind kind;
		const char *label, *name;
		bool compared;		/* only where both sides have a profile */
	} files[] = {
		{ BLOCK_PICTURE, "flame graph", "flamegraph.svg", false },
		{ BLOCK_PICTURE, "difference", "diff.svg", true },
		{ BLOCK_TOP, "table", "top.md", false },
	};
	const char *dir = b->document->result->out_dir;
	struct strbuf facts = STRBUF_INIT;

	if (!profile_exists(&scenario->profile))
		return;
	add_sampling(&facts, scenario);
	add_buf(b, BLOCK_PROFILE, &facts);
	add_all(b, BLOCK_WARNING, &scenario->profile.warnings);
	for (size_t i = 0; i < sizeof files / sizeof files[0] && dir; i++) {
		const char *path = arena_printf(b->arena, "%s/%s/%s", dir, scenario->name, files[i].name);
		struct block *block = files[i].compared && !scenario->difference ? NULL : add(b, files[i].kind, path);

		if (!block)
			continue;
		block->label = files[i].label;
		/* The page lies beside the scenarios' folders: a relative link finds them wherever both are taken. */
		block->link = arena_printf(b->arena, "./%s/%s", scenario->name, files[i].name);
	}
}

/* "2026-11-20, commit a1b2c3d, 3 sessions; now 15 runs" */
static void add_baseline(struct builder *b, const struct scenario_result *scenario)
{
	const char *foreign = scenario_foreign_class(b->document->result, scenario);
	struct strbuf text = STRBUF_INIT;

	if (pairs_only(scenario) || !scenario->n_runs)
		return;
	strbuf_adds(&text, scenario->baseline_label ?: "no baseline");
	if (foreign)
		strbuf_addf(&text, ", of another machine class: %s", foreign);
	strbuf_addf(&text, "; now %zu %s", scenario->n_runs, scenario_result_runs(scenario, scenario->n_runs));
	if (scenario->runs_wanted > scenario->n_runs)
		strbuf_addf(&text, " of %u", scenario->runs_wanted);
	add_buf(b, BLOCK_AGAINST, &text);
	add(b, BLOCK_BASELINE, scenario->baseline_path);
}

static void add_method(struct builder *b, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv stored = STRV_INIT;
	struct strbuf facts = STRBUF_INIT;

	pairs_stored_comparisons(scenario, &stored);
	add_all(b, BLOCK_STORED, &stored);
	pairs_facts(&facts, scenario);
	add_buf(b, BLOCK_PAIRS, &facts);
}

/* What an attached target was, how long it was watched, and what its load did meanwhile. */
static void add_load(struct builder *b, const struct scenario_result *scenario)
{
	double wall_ms = scenario_result_median(scenario, "wall-time");
	double work = scenario_result_median(scenario, METRIC_WORK), rate = scenario_result_median(scenario, METRIC_THROUGHPUT);
	struct strbuf attached = STRBUF_INIT, done = STRBUF_INIT;

	strbuf_adds(&attached, scenario->attached ?: "");
	if (attached.len && scenario->n_runs)
		strbuf_addf(&attached, ", %zu %s", scenario->n_runs, scenario_result_runs(scenario, scenario->n_runs));
	if (attached.len && scenario->n_runs && !isnan(wall_ms)) {
		strbuf_adds(&attached, " of ");
		strbuf_adds(&attached, format_value(wall_ms, UNIT_MS).s);
	}
	add_buf(b, BLOCK_ATTACHED, &attached);
	if (isnan(work))
		return;
	strbuf_adds(&done, format_value(work, UNIT_COUNT).s);
	strbuf_addc(&done, ' ');
	if (work == 1)
		strbuf_adds(&done, scenario_result_work_unit(scenario));
	else
		format_plural(&done, scenario->work_unit ?: "unit of work");
	strbuf_addf(&done, " in each %s", scenario_result_runs(scenario, 1));
	if (!isnan(rate)) {
		strbuf_adds(&done, ", ");
		strbuf_adds(&done, format_measured(rate, metric_find(METRIC_THROUGHPUT)).s);
	}
	add_buf(b, BLOCK_WORK, &done);
}

/* Shown in another place: by its gate, by what the load did, or per unit of work. */
static bool is_shown_elsewhere(const struct scenario_result *scenario, const struct metric *metric)
{
	CLEANUP(free_ptr) char *normalised = metric_per_work_name(metric);

	return scenario_result_is_gated(scenario, metric->name) || metric->source == SOURCE_LOAD ||
	       (scenario->attached && !strcmp(metric->name, "wall-time")) ||
	       scenario_result_count(scenario, normalised);
}

/* "wall-time 63.1 ms, cycles 210 M": medians of what no gate shows. */
static void add_medians(struct builder *b, const struct scenario_result *scenario)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < scenario->n_metrics; i++) {
		const struct metric *metric = scenario->metrics[i];
		double median = scenario_result_median(scenario, metric->name);

		if (isnan(median) || is_shown_elsewhere(scenario, metric))
			continue;
		strbuf_adds(&text, text.len ? ", " : "");
		format_metric(&text, scenario, metric);
		strbuf_addc(&text, ' ');
		strbuf_adds(&text, format_measured(median, metric).s);
	}
	add_buf(b, scenario->n_gates ? BLOCK_ALSO : BLOCK_MEDIANS, &text);
}

static void add_facts(struct builder *b, const struct scenario_result *scenario)
{
	struct strbuf variables = STRBUF_INIT;

	add_load(b, scenario);
	add_medians(b, scenario);
	for (size_t i = 0; i < scenario->variables.n; i++)
		strbuf_addf(&variables, "%s%s", i ? ", " : "passed on: ", scenario->variables.items[i]);
	add_buf(b, BLOCK_VARIABLES, &variables);
	add(b, BLOCK_SCENARIO, scenario->path);
	add(b, BLOCK_BASELINE_FILE, scenario->baseline_path);
	add(b, BLOCK_EXECUTABLE, scenario->executable);
}

/* A gate whose value the baseline has nothing to compare with. */
static bool lacks_baseline(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return j->verdict == VERDICT_NOT_MEASURED && gate->gate.relative && !isnan(j->current);
}

/*
 * True when its new numbers could be accepted: a regression, an improvement, or no baseline to compare with. Of a comparison in
 * pairs nothing is kept, so there is nothing to accept.
 */
static bool can_accept(const struct scenario_result *scenario)
{
	if (scenario->state == SCENARIO_FAILED || pairs_only(scenario))
		return false;
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (lacks_baseline(&scenario->gates[i]))
			return true;
	return severity_count(scenario, SEVERITY_REGRESSION) || severity_count(scenario, SEVERITY_IMPROVEMENT) ||
	       severity_count(scenario, SEVERITY_NEW);
}

static void add_commands(struct builder *b, const struct scenario_result *scenario)
{
	const struct result *result = b->document->result;
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	struct strbuf again = STRBUF_INIT, next = STRBUF_INIT, accept = STRBUF_INIT;
	struct block *block;

	command_again(&again, result, scenario);
	add_buf(b, BLOCK_AGAIN, &again);
	command_next(&next, result, scenario);
	add_buf(b, scenario_result_regressed(scenario) ? BLOCK_FIND : BLOCK_DECIDE, &next);
	if (!can_accept(scenario))
		return;
	command_accept(&accept, result, scenario);
	if ((block = add_buf(b, BLOCK_ACCEPT, &accept)))
		block->label = arena_printf(b->arena, "accept it, on a machine of class %s", class);
}

/* What has nothing to explain fits a line; but who compares two programs wants their numbers, whatever the verdict. */
static bool is_brief(const struct document *document, const struct scenario_result *scenario)
{
	if (document->result->n_scenarios == 1 && pairs_only(scenario))
		return false;
	return severity_of(scenario) == SEVERITY_PASS && !(document->reader & FOR_VERBOSE) && !pairs_judged_again(scenario);
}

static void build_scenario(struct document *document, size_t index, struct document_scenario *out)
{
	const struct scenario_result *scenario = &document->result->scenarios[index];
	enum severity severity = severity_of(scenario);
	const struct gate_result *gate = severity_gate(scenario, severity);
	struct builder b = { document, &document->arena, &out->blocks };

	*out = (struct document_scenario){
		.of = scenario, .index = index, .severity = severity, .brief = is_brief(document, scenario),
		.verdict = gate ? format_verdict(scenario, gate) : severity_word(severity),
		.explained = severity != SEVERITY_PASS || scenario->explanation.n || scenario->notes.n ||
			     pairs_judged_again(scenario),
		.symbols_wanted = symbols_wanted(scenario),
		.urgent = severity <= SEVERITY_INCONCLUSIVE && severity != SEVERITY_SKIPPED,
	};
	if (gate && (gate_judgement(gate)->pairs || severity != SEVERITY_PASS) && severity != SEVERITY_NEW) {
		struct strbuf words = STRBUF_INIT;

		format_words(&words, scenario, gate);
		out->words = take_cell(&b, &words);
	}
	if (out->brief && document->reader & FOR_TEXT)
		return;
	add_failure(&b, scenario);
	add_sides(&b, scenario);
	out->gates = add_gates(&b, scenario);
	add_reasons(&b, scenario);
	out->symbols = add_symbols(&b, scenario, out->symbols_wanted);
	add_scenario_notes(&b, scenario);
	add_profile(&b, scenario);
	add_baseline(&b, scenario);
	add_method(&b, scenario);
	add_facts(&b, scenario);
	add_commands(&b, scenario);
}

/* -------- the whole */

static void add_notes(struct builder *b)
{
	const struct result *result = b->document->result;
	CLEANUP(strv_release) struct strv judged = STRV_INIT;

	judged_lines(&judged, &result->judged_by);
	add_all(b, BLOCK_JUDGE, &judged);
	add_all(b, BLOCK_RUN_NOTE, &result->notes);
	add_all(b, BLOCK_NOISE, &result->machine.notes);
}

/* Two commands that are compared have no file, and none of their gates needs a counter. */
static bool is_of_commands(const struct result *result)
{
	return result->n_scenarios == 1 && pairs_only(&result->scenarios[0]) && !result->scenarios[0].path;
}

static void add_machine(struct builder *b, const struct machine *machine)
{
	CLEANUP(free_ptr) char *class = machine_class(machine);
	const char *remedy = is_of_commands(b->document->result) ? NULL : machine->tier_remedy;
	struct strbuf text = STRBUF_INIT, tier = STRBUF_INIT;

	add(b, BLOCK_CLASS, class);
	strbuf_addf(&text, "%s, %u %s", machine->cpu ?: "unknown CPU", machine->cpus, machine->cpus == 1 ? "CPU" : "CPUs");
	if (machine->hypervisor)
		strbuf_addf(&text, ", hypervisor %s", machine->hypervisor);
	if (machine->kernel)
		strbuf_addf(&text, ", kernel %s", machine->kernel);
	if (machine->perf_version)
		strbuf_addf(&text, ", perf %s", machine->perf_version);
	if (machine->perf_version && machine->perf_path)
		strbuf_addf(&text, " (%s)", machine->perf_path);
	add_buf(b, BLOCK_MACHINE, &text);
	strbuf_adds(&tier, tier_names[machine->tier]);
	if (machine->tier_reason)
		strbuf_addf(&tier, ": %s", machine->tier_reason);
	if (remedy)
		strbuf_addf(&tier, "; remedy: %s", remedy);
	add_buf(b, BLOCK_TIER, &tier);
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
}

static void add_run(struct builder *b)
{
	const struct result *result = b->document->result;
	CLEANUP(free_ptr) char *command = result_command_line(result);
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, b->document->measured);
	if (result->date)
		strbuf_addf(&text, ", %s", result->date);
	if (result->commit)
		strbuf_addf(&text, ", commit %s", result->commit);
	if (result->pawl)
		strbuf_addf(&text, ", pawl %s", result->pawl);
	add_buf(b, BLOCK_RUN, &text);
	add(b, BLOCK_VERSION, result->pawl);
	add(b, BLOCK_COMMIT, result->commit);
	add(b, BLOCK_DATE, result->date);
	add(b, BLOCK_COMMAND, command);
	add(b, BLOCK_RESULTS, result->out_dir);
	add(b, BLOCK_STATUS, b->document->headline.status);
}

/*
 * Indices of scenarios, worst first; machines read suites and annotations in the order of the run, which is the same from
 * build to build.
 */
static size_t *order_of(struct document *document, const struct result *result)
{
	size_t *order = arena_alloc(&document->arena, (result->n_scenarios + 1) * sizeof *order), n = 0;

	for (int severity = 0; severity < SEVERITY_COUNT; severity++)
		for (size_t i = 0; i < result->n_scenarios && n < result->n_scenarios; i++)
			if (document->reader & MACHINES || (int)severity_of(&result->scenarios[i]) == severity)
				order[n++] = i;
	return order;
}

void document_build(struct document *document, const struct result *result, unsigned reader)
{
	struct builder b = { document, &document->arena, &document->notes };
	struct strbuf measured = STRBUF_INIT;
	size_t *order;

	*document = (struct document){ .result = result, .reader = reader, .arena = ARENA_INIT };
	headline_build(result, &document->headline);
	strbuf_addf(&measured, "%s comparison, ", result_mode_names[result->mode]);
	strbuf_adds(&measured, format_elapsed(result->elapsed_s).s);
	document->measured = take_cell(&b, &measured);
	add_notes(&b);
	document->scenarios = arena_alloc(&document->arena, (result->n_scenarios + 1) * sizeof *document->scenarios);
	order = order_of(document, result);
	for (; document->n < result->n_scenarios; document->n++)
		build_scenario(document, order[document->n], &document->scenarios[document->n]);
	b.blocks = &document->conditions;
	add_machine(&b, &result->machine);
	add_run(&b);
}

void document_release(struct document *document)
{
	headline_release(&document->headline);
	arena_release(&document->arena);
	*document = (struct document){ 0 };
}
