#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/metric.h"

/* -------- words */

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

/* "FIRST BAD", and behind it what of: "startup is slower since 1a2b3c4d5e6f \"subject\"". */
static const char *word_of(const struct bisection *b)
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

static void add_headline(const struct bisection *b, struct strbuf *out)
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
static void add_change(const struct bisect_step *step, struct strbuf *out)
{
	strbuf_adds(out, format_change(step->change_pct).s);
	if (!isfinite(step->low_pct) && !isfinite(step->high_pct))
		return;
	strbuf_adds(out, " (");
	strbuf_adds(out, format_interval(step->low_pct, step->high_pct).s);
	strbuf_addc(out, ')');
}

/* "v1.0 (1a2b3c4d5e6f)": a commit as it was given. */
static void add_end(const char *ref, const char *id, struct strbuf *out)
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
	add_change(&b->found, &text);
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
	add_change(&b->whole, &text);
	strbuf_addf(&text, " of %s from ", b->metric);
	add_end(b->good_ref, b->good, &text);
	strbuf_adds(&text, " to ");
	add_end(b->bad_ref, b->bad, &text);
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
static void add_sentences(const struct bisection *b, struct strv *out)
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

static enum tone tone_of(const struct bisection *b)
{
	enum bisect_outcome outcome = bisection_outcome(b);

	return outcome == BISECT_FIRST_BAD || outcome == BISECT_NARROWED ? TONE_BAD : TONE_WARNING;
}

/* "7 comparisons, 96 pairs, 5 min 12 s". */
static void add_effort(const struct bisection *b, struct strbuf *out)
{
	struct bisection_effort all = bisection_effort(b);

	strbuf_addf(out, "%u comparison%s, %u pair%s, %s", all.comparisons, all.comparisons == 1 ? "" : "s", all.pairs,
		    all.pairs == 1 ? "" : "s", format_elapsed(all.elapsed_s).s);
}

/* The command that measures the change of `found` again, quoted for a shell; nothing without one. */
static void add_again(const struct bisection *b, struct strbuf *out)
{
	const struct bisect_step *step = b->found.state != BISECT_UNTESTED ? &b->found : &b->whole;

	if (step->state == BISECT_UNTESTED)
		return;
	strbuf_adds(out, "pawl ab ");
	add_argument(b, out);
	strbuf_addf(out, " --base-ref %s --head-ref %s --seed %llu", SHOWN(step->base), SHOWN(step->head),
		    (unsigned long long)b->seed);
}

/* -------- what every format tells */

enum { SUBJECT_SHOWN = 48, LOG_LINES = 4 };

void bisection_words_release(struct bisection_words *words)
{
	strv_release(&words->suspects);
	strv_release(&words->sentences);
	strv_release(&words->skipped);
	strbuf_release(&words->headline);
	strbuf_release(&words->effort);
	strbuf_release(&words->again);
	arena_release(&words->arena);
}

static void add_row(const struct bisection *b, const struct bisect_step *step, struct bisection_words *words)
{
	const struct commit *commit = bisection_commit(b, step->head);
	CLEANUP(strbuf_release) struct strbuf subject = STRBUF_INIT, change = STRBUF_INIT, interval = STRBUF_INIT;
	struct document_table *table = &words->table;
	struct document_row *row;

	if (step->state == BISECT_UNTESTED)
		return;
	strbuf_adds(&subject, format_symbol(commit ? commit->subject : "", SUBJECT_SHOWN).s);
	strbuf_adds(&change, format_change(step->change_pct).s);
	strbuf_adds(&interval, format_interval(step->low_pct, step->high_pct).s);
	ARENA_GROW(&words->arena, table->rows, table->n, table->cap);
	row = &table->rows[table->n++];
	row->cells[0] = arena_strndup(&words->arena, step->head, COMMIT_SHOWN);
	row->cells[1] = arena_strdup(&words->arena, subject.buf);
	row->cells[2] = arena_strdup(&words->arena, change.buf);
	row->cells[3] = arena_strdup(&words->arena, interval.buf);
	row->cells[4] = arena_printf(&words->arena, "%u", step->pairs);
	row->cells[5] = bisect_state_names[step->state];
}

static void add_suspects(const struct bisection *b, struct bisection_words *words)
{
	struct suspects s = bisection_suspects(b);
	enum bisect_outcome outcome = bisection_outcome(b);

	if (outcome == BISECT_NOTHING || outcome == BISECT_LOST || outcome == BISECT_UNFINISHED)
		return;
	for (size_t i = s.first; i <= s.last && i < b->commits.n; i++) {
		const struct commit *commit = &b->commits.items[i];

		strv_pushf(&words->suspects, "%s, %s, %s: %s", commit->id, commit->date, commit->author, commit->subject);
	}
}

struct bisection_words bisection_words(const struct bisection *b)
{
	struct bisection_words words = {
		.tone = tone_of(b),
		.headline = STRBUF_INIT, .effort = STRBUF_INIT, .again = STRBUF_INIT, .arena = ARENA_INIT,
		.table = {
			.columns = {
				{ .title = "commit", .foreign = true }, { .title = "subject", .foreign = true },
				{ .title = "against good", .right = true, .foreign = true },
				{ .title = "interval", .foreign = true }, { .title = "pairs", .right = true }, { .title = "is" },
			},
			.n_columns = 6,
		},
	};

	add_headline(b, &words.headline);
	add_suspects(b, &words);
	add_sentences(b, &words.sentences);
	add_effort(b, &words.effort);
	add_again(b, &words.again);
	if (b->whole.state != BISECT_UNTESTED && bisection_outcome(b) != BISECT_NOTHING)
		add_row(b, &b->whole, &words);
	for (size_t i = 0; i < b->n_steps; i++) {
		const struct bisect_step *step = &b->steps[i];

		if (words.table.n)
			add_row(b, step, &words);
		if (step->state == BISECT_SKIPPED)
			strv_pushf(&words.skipped, "skipped %.*s: %.*s", COMMIT_SHOWN, step->head,
				   (int)strcspn(step->reason ?: "", "\n"), step->reason ?: "");
	}
	return words;
}

/* -------- text */

static void text_line(struct strbuf *out, const char *text)
{
	strbuf_adds(out, "  ");
	escape_terminal(out, text);
	strbuf_addc(out, '\n');
}

static void text_lines(struct strbuf *out, const struct strv *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		text_line(out, lines->items[i]);
}

/* A build's last lines follow its first one. */
static void text_skipped(const struct bisection *b, const struct bisection_words *words, struct strbuf *out)
{
	for (size_t i = 0, n = 0; i < b->n_steps; i++) {
		const char *reason = b->steps[i].reason ?: "", *rest = strchr(reason, '\n');

		if (b->steps[i].state != BISECT_SKIPPED)
			continue;
		text_line(out, words->skipped.items[n++]);
		if (rest)
			prose_add_log(out, rest + 1, "    | ", LOG_LINES);
	}
}

void bisection_text(const struct bisection *b, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(bisection_words_release) struct bisection_words words = bisection_words(b);

	strbuf_addf(out, options->color ? "\x1b[1m%s\x1b[0m: " : "%s: ", word_of(b));
	escape_terminal(out, words.headline.buf);
	strbuf_adds(out, "\n\n");
	text_lines(out, &words.suspects);
	strbuf_adds(out, words.suspects.n ? "\n" : "");
	text_lines(out, &words.sentences);
	if (words.table.n) {
		strbuf_addc(out, '\n');
		print_text_table(&words.table, &(struct report_options){ 0 }, out);
		text_skipped(b, &words, out);
	}
	strbuf_addc(out, '\n');
	text_line(out, words.effort.buf);
	if (b->folder) {
		strbuf_adds(out, "  files: ");
		escape_terminal(out, b->folder);
		strbuf_adds(out, b->difference ? " (diff.svg shows where the time went)\n" : "\n");
	}
	if (words.again.len) {
		strbuf_adds(out, "  see it again: ");
		escape_terminal(out, words.again.buf);
		strbuf_addc(out, '\n');
	}
}

/* -------- Markdown */

static void markdown_items(struct strbuf *out, const struct strv *items)
{
	for (size_t i = 0; i < items->n; i++) {
		strbuf_adds(out, "- ");
		escape_markdown(out, items->items[i] + strspn(items->items[i], " "));
		strbuf_addc(out, '\n');
	}
}

void bisection_markdown(const struct bisection *b, struct strbuf *out)
{
	CLEANUP(bisection_words_release) struct bisection_words words = bisection_words(b);

	strbuf_addf(out, "## %s: ", word_of(b));
	escape_markdown(out, words.headline.buf);
	strbuf_adds(out, "\n\n");
	markdown_items(out, &words.suspects);
	strbuf_adds(out, words.suspects.n ? "\n" : "");
	markdown_items(out, &words.sentences);
	if (words.table.n) {
		strbuf_addc(out, '\n');
		print_markdown_table(&words.table, out);
		strbuf_adds(out, words.skipped.n ? "\n" : "");
		markdown_items(out, &words.skipped);
	}
	strbuf_addf(out, "\n%s\n", words.effort.buf);
	if (words.again.len) {
		strbuf_adds(out, "\nSee it again: ");
		escape_code_span(out, words.again.buf);
		strbuf_addc(out, '\n');
	}
}

void bisection_lead(const struct bisection *b, struct headline *headline, struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;

	add_headline(b, &text);
	headline_lead(headline, arena, tone_of(b), word_of(b), arena_take(arena, strbuf_take(&text)));
}
