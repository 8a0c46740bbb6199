#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/metric.h"

/* -------- words */

/* Less of the whole change than this, in percent: others have their part. */
static const double most_of_it = 75;

/* Bytes of a commit's subject in a table, and last lines of a build that failed. */
enum { SUBJECT_SHOWN = 48, LOG_LINES = 4 };

static const struct commit *last_suspect(const struct bisection *b)
{
	return &b->commits.items[bisection_suspects(b).last];
}

/* What stands before it: "FIRST BAD". */
static const char *word_of(const struct bisection *b)
{
	static const char *const words[] = {
		[BISECT_UNFINISHED] = "UNFINISHED", [BISECT_NOTHING] = "NOTHING TO BISECT",
		[BISECT_FIRST_BAD] = "FIRST BAD", [BISECT_NARROWED] = "NARROWED",
		[BISECT_UNCONFIRMED] = "NOT FOUND", [BISECT_LOST] = "NOT FOUND",
	};

	return b->whole.state == BISECT_SKIPPED ? "CANNOT TELL" : words[bisection_outcome(b)];
}

static enum tone tone_of(const struct bisection *b)
{
	enum bisect_outcome outcome = bisection_outcome(b);

	return outcome == BISECT_FIRST_BAD || outcome == BISECT_NARROWED ? TONE_BAD : TONE_WARNING;
}

/* "startup is slower since 1a2b3c4d5e6f \"subject\"" */
static const char *describe_outcome(const struct bisection *b, struct arena *arena)
{
	const struct metric *metric = b->metric ? metric_find(b->metric) : NULL;
	const char *name = b->scenario, *worse = metric ? format_worse(metric) : "worse";
	struct suspects s = bisection_suspects(b);
	const struct commit *last;

	switch (bisection_outcome(b)) {
	case BISECT_NOTHING:
		return arena_printf(arena, "%s from %.12s to %.12s: %s", name, b->good, b->bad,
				    b->whole.reason ?: "no regression");
	case BISECT_FIRST_BAD:
		last = last_suspect(b);
		return arena_printf(arena, "%s is %s since %.12s \"%s\"", name, worse, last->id, last->subject);
	case BISECT_NARROWED:
		last = last_suspect(b);
		return arena_printf(arena, "%s is %s since one of %zu commits, the last of which is %.12s \"%s\"", name,
				    worse, s.last - s.first + 1, last->id, last->subject);
	case BISECT_UNCONFIRMED:
		last = last_suspect(b);
		return arena_printf(
		    arena, "%s is nearer to bad since %.12s \"%s\", but it is not surely %s than the commit before it",
		    name, last->id, last->subject, worse);
	case BISECT_LOST:
		return arena_printf(arena, "%s is %s since one of %zu commits: none between good and bad could be "
				    "judged", name, worse, b->commits.n);
	default:
		return arena_printf(arena, "%s is %s since one of %zu commits so far", name, worse,
				    s.last - s.first + 1);
	}
}

/* "+98.3 % (+91.2 % to +104 %)". */
static struct short_text describe_change(const struct bisect_step *step)
{
	struct short_text change = format_change(step->change_pct);

	if (!isfinite(step->low_pct) && !isfinite(step->high_pct))
		return change;
	return format_short("%s (%s)", change.s, format_interval(step->low_pct, step->high_pct).s);
}

/* "v1.0 (1a2b3c4d5e6f)": a commit as it was given. */
static const char *describe_end(struct arena *arena, const char *ref, const char *id)
{
	if (ref && strncmp(ref, id, strlen(ref)))
		return arena_printf(arena, "%s (%.12s)", ref, id);
	return arena_printf(arena, "%.12s", id);
}

/* What follows from it, a sentence an item: what it costs, which part of the whole that is, what to do else. */
static void add_sentences(const struct bisection *b, const char *argument, struct bisection_words *words)
{
	enum bisect_outcome outcome = bisection_outcome(b);
	bool found = outcome == BISECT_FIRST_BAD || outcome == BISECT_NARROWED;
	struct strv *out = &words->sentences;
	struct arena *arena = &words->arena;

	if (b->found.state != BISECT_UNTESTED)
		arena_pushf(arena, out, "%s %s against the commit before %s, %.12s, in %u pairs", b->metric,
			    describe_change(&b->found).s, outcome == BISECT_NARROWED ? "these" : "it", b->found.base,
			    b->found.pairs);
	if (b->whole.state == BISECT_BAD) {
		double part = bisection_found_differs(b) ? bisection_explained_pct(b) : NAN;

		arena_pushf(arena, out, "%s%s of %s from %s to %s%s",
			    isnan(part) ? "the whole change is "
					: format_short("that is %.0f %% of the whole change, ", part).s,
			    describe_change(&b->whole).s, b->metric, describe_end(arena, b->good_ref, b->good),
			    describe_end(arena, b->bad_ref, b->bad),
			    isnan(part) && b->found.state == BISECT_BAD ? ": this may be all of it" : "");
	}
	/* Where else a part of the change may lie. */
	if (b->whole.state == BISECT_BAD && found && bisection_found_differs(b) < 0 &&
	    bisection_explained_pct(b) < most_of_it) {
		const char *before = bisection_before(b), *last = last_suspect(b)->id;
		bool earlier = strcmp(before, b->good), later = strcmp(last, b->bad);

		if (earlier || later)
			arena_push(arena, out, "other commits have their part; search on with");
		if (earlier)
			arena_pushf(arena, out, "  pawl bisect %s --good %.12s --bad %.12s", argument, b->good, before);
		if (later)
			arena_pushf(arena, out, "  pawl bisect %s --good %.12s --bad %.12s", argument, last, b->bad);
	}
	if (outcome == BISECT_UNCONFIRMED)
		arena_push(arena, out,
			   "the change may have come in many small parts, which add up to half of it there");
	arena_push_all(arena, out, &b->explanation);
}

static void add_row(const struct bisection *b, const struct bisect_step *step, struct bisection_words *words)
{
	const struct commit *commit = bisection_commit(b, step->head);
	struct document_table *table = &words->table;
	struct arena *arena = &words->arena;

	if (step->state == BISECT_UNTESTED)
		return;
	ARENA_GROW(arena, table->rows, table->n, table->cap);
	table->rows[table->n++] = (struct document_row){
		.cells = {
			[0] = arena_strndup(arena, step->head, COMMIT_SHOWN),
			[1] = arena_strdup(arena, format_symbol(commit ? commit->subject : "", SUBJECT_SHOWN).s),
			[2] = arena_strdup(arena, format_change(step->change_pct).s),
			[3] = arena_strdup(arena, format_interval(step->low_pct, step->high_pct).s),
			[4] = arena_printf(arena, "%u", step->pairs),
			[5] = bisect_state_names[step->state],
		},
	};
}

struct bisection_words bisection_words(const struct bisection *b)
{
	struct bisection_words words = {
		.tone = tone_of(b), .arena = ARENA_INIT, .again = "",
		.table = {
			.columns = {
				{ .title = "commit", .foreign = true }, { .title = "subject", .foreign = true },
				{ .title = "against good", .right = true, .foreign = true },
				{ .title = "interval", .foreign = true }, { .title = "pairs", .right = true },
				{ .title = "is" },
			},
			.n_columns = 6,
		},
	};
	const struct bisect_step *last = b->found.state != BISECT_UNTESTED ? &b->found : &b->whole;
	struct bisection_effort effort = bisection_effort(b);
	enum bisect_outcome outcome = bisection_outcome(b);
	struct suspects s = bisection_suspects(b);
	CLEANUP(strbuf_release) struct strbuf argument = STRBUF_INIT;

	escape_shell(&argument, b->argument ?: b->scenario);
	words.headline = describe_outcome(b, &words.arena);
	if (outcome == BISECT_FIRST_BAD || outcome == BISECT_NARROWED || outcome == BISECT_UNCONFIRMED)
		for (size_t i = s.first; i <= s.last && i < b->commits.n; i++) {
			const struct commit *commit = &b->commits.items[i];

			arena_pushf(&words.arena, &words.suspects, "%s, %s, %s: %s", commit->id, commit->date,
				    commit->author, commit->subject);
		}
	add_sentences(b, argument.buf, &words);
	words.effort = arena_printf(&words.arena, "%u comparison%s, %u pair%s, %s", effort.comparisons,
				    effort.comparisons == 1 ? "" : "s", effort.pairs, effort.pairs == 1 ? "" : "s",
				    format_elapsed(effort.elapsed_s).s);
	if (last->state != BISECT_UNTESTED)
		words.again = arena_printf(&words.arena, "pawl ab %s --base-ref %.12s --head-ref %.12s --seed %llu",
					   argument.buf, last->base, last->head, (unsigned long long)b->seed);
	if (b->whole.state != BISECT_UNTESTED && outcome != BISECT_NOTHING)
		add_row(b, &b->whole, &words);
	for (size_t i = 0; i < b->n_steps; i++) {
		const struct bisect_step *step = &b->steps[i];

		if (words.table.n)
			add_row(b, step, &words);
		if (step->state == BISECT_SKIPPED)
			arena_pushf(&words.arena, &words.skipped, "skipped %.12s: %.*s", step->head,
				    (int)strcspn(step->reason ?: "", "\n"), step->reason ?: "");
	}
	return words;
}

void bisection_words_release(struct bisection_words *words)
{
	arena_release(&words->arena);
}

void bisection_lead(const struct bisection *b, struct headline *headline, struct arena *arena)
{
	headline_lead(headline, arena, tone_of(b), word_of(b), describe_outcome(b, arena));
}

/* -------- for a terminal, and as Markdown */

static void add_line(struct strbuf *out, const char *margin, const char *text)
{
	strbuf_adds(out, margin);
	escape_terminal(out, text);
	strbuf_addc(out, '\n');
}

static void add_items(struct strbuf *out, const struct strv *items, bool markdown)
{
	for (size_t i = 0; i < items->n; i++) {
		if (!markdown) {
			add_line(out, "  ", items->items[i]);
			continue;
		}
		strbuf_adds(out, "- ");
		escape_markdown(out, items->items[i] + strspn(items->items[i], " "));
		strbuf_addc(out, '\n');
	}
}

/* What was found, up to the table of comparisons. */
static void add_findings(struct strbuf *out, const struct bisection_words *words, bool markdown)
{
	strbuf_addc(out, '\n');
	add_items(out, &words->suspects, markdown);
	strbuf_adds(out, words->suspects.n ? "\n" : "");
	add_items(out, &words->sentences, markdown);
	strbuf_adds(out, words->table.n ? "\n" : "");
}

void bisection_text(const struct bisection *b, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(bisection_words_release) struct bisection_words words = bisection_words(b);

	text_styled(out, word_of(b), options->color ? "1" : NULL);
	add_line(out, ": ", words.headline);
	add_findings(out, &words, false);
	if (words.table.n)
		print_text_table(&words.table, &(struct report_options){ 0 }, out);
	for (size_t i = 0, n = 0; i < b->n_steps && words.table.n; i++) {
		const char *reason = b->steps[i].reason ?: "", *rest = strchr(reason, '\n');

		if (b->steps[i].state != BISECT_SKIPPED)
			continue;
		add_line(out, "  ", words.skipped.items[n++]);
		/* A build's last lines follow its first one. */
		if (rest)
			prose_add_log(out, rest + 1, "    | ", LOG_LINES);
	}
	strbuf_addf(out, "\n  %s\n", words.effort);
	if (b->folder) {
		strbuf_adds(out, "  files: ");
		escape_terminal(out, b->folder);
		strbuf_adds(out, b->difference ? " (diff.svg shows where the time went)\n" : "\n");
	}
	if (*words.again)
		add_line(out, "  see it again: ", words.again);
}

void bisection_markdown(const struct bisection *b, struct strbuf *out)
{
	CLEANUP(bisection_words_release) struct bisection_words words = bisection_words(b);

	strbuf_addf(out, "## %s: ", word_of(b));
	escape_markdown(out, words.headline);
	strbuf_addc(out, '\n');
	add_findings(out, &words, true);
	if (words.table.n) {
		print_markdown_table(&words.table, out);
		strbuf_adds(out, words.skipped.n ? "\n" : "");
		add_items(out, &words.skipped, true);
	}
	strbuf_addf(out, "\n%s\n", words.effort);
	if (*words.again) {
		strbuf_adds(out, "\nSee it again: ");
		escape_code_span(out, words.again);
		strbuf_addc(out, '\n');
	}
}
