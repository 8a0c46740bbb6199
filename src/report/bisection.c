#include "report/bisection.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/metric.h"
#include "report/print.h"
#include "report/words.h"

/* -------- bisection words */

/* Less of the whole change than this, in percent: others have their part. */
static const double most_of_it = 75;

static const char *shown(const char *id, char room[COMMIT_SHOWN + 1])
{
	snprintf(room, COMMIT_SHOWN + 1, "%s", id);
	return room;
}
#define SHOWN(id) shown(id, (char[COMMIT_SHOWN + 1]){ 0 })

static const struct commit *last_suspect(const struct bisection *b)
{
	return &b->commits.items[bisection_suspects(b).last];
}

const char *bisection_word(const struct bisection *b)
{
	static const char *const words[] = {
		[BISECT_UNFINISHED] = "UNFINISHED", [BISECT_NOTHING] = "NOTHING TO BISECT", [BISECT_FIRST_BAD] = "FIRST BAD",
		[BISECT_NARROWED] = "NARROWED", [BISECT_UNCONFIRMED] = "NOT FOUND", [BISECT_LOST] = "NOT FOUND",
	};

	if (b->whole.state == BISECT_SKIPPED)
		return "CANNOT TELL";
	return words[bisection_outcome(b)];
}

static const char *worse(const struct bisection *b)
{
	const struct metric *metric = b->metric ? metric_find(b->metric) : NULL;

	return metric ? format_worse(metric) : "worse";
}

void bisection_headline(const struct bisection *b, struct strbuf *out)
{
	struct suspects s = bisection_suspects(b);
	enum bisect_outcome outcome = bisection_outcome(b);

	strbuf_addf(out, "%s ", b->scenario);
	if (outcome == BISECT_NOTHING)
		strbuf_addf(out, "from %s to %s: %s", SHOWN(b->good), SHOWN(b->bad), b->whole.reason ?: "no regression");
	else if (outcome == BISECT_FIRST_BAD)
		strbuf_addf(out, "is %s since %s \"%s\"", worse(b), SHOWN(last_suspect(b)->id), last_suspect(b)->subject);
	else if (outcome == BISECT_NARROWED)
		strbuf_addf(out, "is %s since one of %zu commits, the last of which is %s \"%s\"", worse(b), s.last - s.first + 1,
			    SHOWN(last_suspect(b)->id), last_suspect(b)->subject);
	else if (outcome == BISECT_UNCONFIRMED)
		strbuf_addf(out, "is nearer to bad since %s \"%s\", but it is not surely %s than the commit before it",
			    SHOWN(last_suspect(b)->id), last_suspect(b)->subject, worse(b));
	else if (outcome == BISECT_LOST)
		strbuf_addf(out, "is %s since one of %zu commits: none between good and bad could be told", worse(b), b->commits.n);
	else
		strbuf_addf(out, "is %s since one of %zu commits so far", worse(b), s.last - s.first + 1);
}

/* "+98.3 % (+91.2 % to +104 %)". */
static void bisection_change(const struct bisect_step *step, struct strbuf *out)
{
	format_change(out, step->change_pct);
	if (!isfinite(step->low_pct) && !isfinite(step->high_pct))
		return;
	strbuf_adds(out, " (");
	format_interval(out, step->low_pct, step->high_pct);
	strbuf_addc(out, ')');
}

/* "v1.0 (1a2b3c4d5e6f)": a commit as it was given. */
static void bisection_end(const char *ref, const char *id, struct strbuf *out)
{
	if (ref && strncmp(ref, id, strlen(ref)))
		strbuf_addf(out, "%s (%s)", ref, SHOWN(id));
	else
		strbuf_adds(out, SHOWN(id));
}

static void add_cost(const struct bisection *b, struct strv *out)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s ", b->metric);
	bisection_change(&b->found, &text);
	strbuf_addf(&text, " against the commit before %s, %s, in %u pairs",
		    bisection_outcome(b) == BISECT_NARROWED ? "these" : "it", SHOWN(b->found.base), b->found.pairs);
	strv_take(out, strbuf_take(&text));
}

static void add_whole(const struct bisection *b, struct strv *out)
{
	double part = bisection_found_differs(b) ? bisection_explained_pct(b) : NAN;
	struct strbuf text = STRBUF_INIT;

	if (isfinite(part))
		strbuf_addf(&text, "that is %.0f %% of the whole change, ", part);
	else
		strbuf_adds(&text, "the whole change is ");
	bisection_change(&b->whole, &text);
	strbuf_addf(&text, " of %s from ", b->metric);
	bisection_end(b->good_ref, b->good, &text);
	strbuf_adds(&text, " to ");
	bisection_end(b->bad_ref, b->bad, &text);
	if (isnan(part) && b->found.state == BISECT_BAD)
		strbuf_adds(&text, ": this may be all of it");
	strv_take(out, strbuf_take(&text));
}

static void add_argument(const struct bisection *b, struct strbuf *out)
{
	escape_shell(out, b->argument ?: b->scenario);
}

static void add_search(const struct bisection *b, const char *good, const char *bad, struct strv *out)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_adds(&line, "  pawl bisect ");
	add_argument(b, &line);
	strbuf_addf(&line, " --good %s --bad %s", SHOWN(good), SHOWN(bad));
	strv_take(out, strbuf_take(&line));
}

/* Where else a part of the change may lie. */
static void add_rest(const struct bisection *b, struct strv *out)
{
	enum bisect_outcome outcome = bisection_outcome(b);
	const char *before = bisection_before(b), *last = last_suspect(b)->id;

	if ((outcome != BISECT_FIRST_BAD && outcome != BISECT_NARROWED) || bisection_found_differs(b) >= 0 ||
	    bisection_explained_pct(b) >= most_of_it ||
	    (!strcmp(before, b->good) && !strcmp(last, b->bad)))
		return;
	strv_push(out, "other commits have their part; search on with");
	if (strcmp(before, b->good))
		add_search(b, b->good, before, out);
	if (strcmp(last, b->bad))
		add_search(b, last, b->bad, out);
}

/* What follows from it, a sentence an item: what it costs, which part of the whole that is, what to do else. */
static void bisection_sentences(const struct bisection *b, struct strv *out)
{
	enum bisect_outcome outcome = bisection_outcome(b);

	if (b->found.state != BISECT_UNTESTED)
		add_cost(b, out);
	if (b->whole.state == BISECT_BAD) {
		add_whole(b, out);
		add_rest(b, out);
	}
	if (outcome == BISECT_UNCONFIRMED)
		strv_push(out, "the change may have come in many small parts, which add up to half of it there");
	strv_copy(out, &b->explanation);
}

enum tone bisection_tone(const struct bisection *b)
{
	enum bisect_outcome outcome = bisection_outcome(b);

	return outcome == BISECT_FIRST_BAD || outcome == BISECT_NARROWED ? TONE_BAD : TONE_WARNING;
}

/* "7 comparisons, 96 pairs, 5 min 12 s". */
static void bisection_effort(const struct bisection *b, struct strbuf *out)
{
	unsigned n = bisection_comparisons(b), pairs = bisection_pairs(b);

	strbuf_addf(out, "%u comparison%s, %u pair%s, ", n, n == 1 ? "" : "s", pairs, pairs == 1 ? "" : "s");
	format_elapsed(out, bisection_elapsed_s(b));
}

/* The command that measures the change of `found` again, quoted for a shell; nothing without one. */
static void bisection_again(const struct bisection *b, struct strbuf *out)
{
	const struct bisect_step *step = b->found.state != BISECT_UNTESTED ? &b->found : &b->whole;

	if (step->state == BISECT_UNTESTED)
		return;
	strbuf_adds(out, "pawl ab ");
	add_argument(b, out);
	strbuf_addf(out, " --base-ref %s --head-ref %s --seed %llu", SHOWN(step->base), SHOWN(step->head),
		    (unsigned long long)b->seed);
}

/* -------- bisection */

enum { SUBJECT_SHOWN = 48, LOG_LINES = 4 };

/* -------- the comparisons */

static void add_row(const struct bisection *b, const struct bisect_step *step, struct arena *arena, struct document_table *table)
{
	const struct commit *commit = bisection_commit(b, step->head);
	CLEANUP(strbuf_release) struct strbuf subject = STRBUF_INIT, change = STRBUF_INIT, interval = STRBUF_INIT;
	struct document_row *row;

	if (step->state == BISECT_UNTESTED)
		return;
	format_symbol(&subject, commit ? commit->subject : "", SUBJECT_SHOWN);
	format_change(&change, step->change_pct);
	format_interval(&interval, step->low_pct, step->high_pct);
	ARENA_GROW(arena, table->rows, table->n, table->cap);
	row = &table->rows[table->n++];
	row->cells[0] = arena_strndup(arena, step->head, COMMIT_SHOWN);
	row->cells[1] = arena_strdup(arena, subject.buf);
	row->cells[2] = arena_strdup(arena, change.buf);
	row->cells[3] = arena_strdup(arena, interval.buf);
	row->cells[4] = arena_printf(arena, "%u", step->pairs);
	row->cells[5] = bisect_state_name(step->state);
}

/* No rows: there is nothing to show. */
static struct document_table make_table(const struct bisection *b, struct arena *arena)
{
	struct document_table table = {
		.columns = {
			{ .title = "commit", .foreign = true }, { .title = "subject", .foreign = true },
			{ .title = "against good", .right = true, .foreign = true }, { .title = "interval", .foreign = true },
			{ .title = "pairs", .right = true }, { .title = "is" },
		},
		.n_columns = 6,
	};

	if (b->whole.state == BISECT_UNTESTED || bisection_outcome(b) == BISECT_NOTHING)
		return table;
	add_row(b, &b->whole, arena, &table);
	for (size_t i = 0; i < b->n_steps; i++)
		add_row(b, &b->steps[i], arena, &table);
	return table;
}

/* WHY is the first line of its reason. */
static void each_skipped(const struct bisection *b,
			 void (*see)(const struct bisect_step *step, const char *why, struct strbuf *out), struct strbuf *out)
{
	for (size_t i = 0; i < b->n_steps; i++)
		if (b->steps[i].state == BISECT_SKIPPED) {
			const char *reason = b->steps[i].reason ?: "";
			CLEANUP(free_ptr) char *why = xstrndup(reason, strcspn(reason, "\n"));

			see(&b->steps[i], why, out);
		}
}

static bool any_skipped(const struct bisection *b)
{
	for (size_t i = 0; i < b->n_steps; i++)
		if (b->steps[i].state == BISECT_SKIPPED)
			return true;
	return false;
}

/* -------- text */

static void add_line(struct strbuf *out, const char *text)
{
	strbuf_adds(out, "  ");
	escape_terminal(out, text);
	strbuf_addc(out, '\n');
}

/* The commits to blame, each as a line that ADD appends; GAP stands behind its hash. */
static void add_suspects(const struct bisection *b, const char *gap, void (*add)(struct strbuf *out, const char *text),
			 struct strbuf *out)
{
	struct suspects s = bisection_suspects(b);
	enum bisect_outcome outcome = bisection_outcome(b);

	if (outcome == BISECT_NOTHING || outcome == BISECT_LOST || outcome == BISECT_UNFINISHED)
		return;
	for (size_t i = s.first; i <= s.last && i < b->commits.n; i++) {
		const struct commit *commit = &b->commits.items[i];
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

		strbuf_addf(&line, "%s%s%s, %s: %s", commit->id, gap, commit->date, commit->author, commit->subject);
		add(out, line.buf);
	}
	strbuf_addc(out, '\n');
}

/* A build's last lines follow its first one. */
static void text_skipped(const struct bisect_step *step, const char *why, struct strbuf *out)
{
	size_t first = strlen(why);

	strbuf_addf(out, "  skipped %.*s: ", COMMIT_SHOWN, step->head);
	escape_terminal(out, why);
	strbuf_addc(out, '\n');
	if (step->reason && step->reason[first])
		prose_add_log(out, step->reason + first + 1, "    | ", LOG_LINES);
}

static void text_headline(const struct bisection *b, bool color, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf headline = STRBUF_INIT;

	bisection_headline(b, &headline);
	strbuf_addf(out, "%s%s%s: ", color ? "\x1b[1m" : "", bisection_word(b), color ? "\x1b[0m" : "");
	escape_terminal(out, headline.buf);
	strbuf_adds(out, "\n\n");
}

void bisection_text(const struct bisection *b, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv sentences = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf effort = STRBUF_INIT, again = STRBUF_INIT, folder = STRBUF_INIT;
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct document_table table = make_table(b, &arena);

	text_headline(b, options->color, out);
	add_suspects(b, "  ", add_line, out);
	bisection_sentences(b, &sentences);
	for (size_t i = 0; i < sentences.n; i++)
		add_line(out, sentences.items[i]);
	if (table.n) {
		strbuf_addc(out, '\n');
		print_text_table(&table, &(struct report_options){ 0 }, out);
		each_skipped(b, text_skipped, out);
	}
	bisection_effort(b, &effort);
	bisection_again(b, &again);
	strbuf_adds(out, "\n");
	add_line(out, effort.buf);
	strbuf_addf(&folder, "files: %s%s", b->folder ?: "", b->difference ? " (diff.svg shows where the time went)" : "");
	if (b->folder)
		add_line(out, folder.buf);
	if (again.len) {
		strbuf_adds(out, "  see it again: ");
		escape_terminal(out, again.buf);
		strbuf_addc(out, '\n');
	}
}

/* -------- Markdown */

static void markdown_skipped(const struct bisect_step *step, const char *why, struct strbuf *out)
{
	strbuf_addf(out, "- skipped %.*s: ", COMMIT_SHOWN, step->head);
	escape_markdown(out, why);
	strbuf_addc(out, '\n');
}

static void markdown_item(struct strbuf *out, const char *text)
{
	strbuf_adds(out, "- ");
	escape_markdown(out, text + strspn(text, " "));
	strbuf_addc(out, '\n');
}

void bisection_markdown(const struct bisection *b, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv sentences = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf headline = STRBUF_INIT, effort = STRBUF_INIT, again = STRBUF_INIT;
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct document_table table = make_table(b, &arena);

	bisection_headline(b, &headline);
	strbuf_addf(out, "## %s: ", bisection_word(b));
	escape_markdown(out, headline.buf);
	strbuf_adds(out, "\n\n");
	add_suspects(b, ", ", markdown_item, out);
	bisection_sentences(b, &sentences);
	for (size_t i = 0; i < sentences.n; i++)
		markdown_item(out, sentences.items[i]);
	if (table.n) {
		strbuf_adds(out, "\n");
		print_markdown_table(&table, out);
		strbuf_adds(out, any_skipped(b) ? "\n" : "");
		each_skipped(b, markdown_skipped, out);
	}
	bisection_effort(b, &effort);
	strbuf_addf(out, "\n%s\n", effort.buf);
	bisection_again(b, &again);
	if (again.len) {
		strbuf_adds(out, "\nSee it again: ");
		escape_code_span(out, again.buf);
		strbuf_addc(out, '\n');
	}
}

/* -------- HTML */

static void html_item(struct strbuf *out, const char *text)
{
	strbuf_adds(out, "<li>");
	escape_html(out, text + strspn(text, " "));
	strbuf_adds(out, "</li>\n");
}

static void html_skipped(const struct bisect_step *step, const char *why, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "skipped %.*s: %s", COMMIT_SHOWN, step->head, why);
	html_item(out, line.buf);
}

void bisection_html(const struct bisection *b, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv sentences = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf effort = STRBUF_INIT, again = STRBUF_INIT;
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct document_table table = make_table(b, &arena);

	strbuf_addf(out, "<section class=\"card %s\" aria-labelledby=\"search\">\n<h2 id=\"search\">the search</h2>\n<ul>\n",
		    html_tone(bisection_tone(b)));
	add_suspects(b, ", ", html_item, out);
	bisection_sentences(b, &sentences);
	for (size_t i = 0; i < sentences.n; i++)
		html_item(out, sentences.items[i]);
	each_skipped(b, html_skipped, out);
	bisection_effort(b, &effort);
	html_item(out, effort.buf);
	strbuf_adds(out, "</ul>\n");
	if (table.n) {
		strbuf_adds(out, "<table class=\"gates\">\n<thead><tr>");
		print_html_table(&table, out);
	}
	bisection_again(b, &again);
	if (again.len)
		html_command(out, again.buf);
	strbuf_adds(out, "</section>\n");
}
