#include "report/formats/history.h"

/* Foreign text (names, subjects of commits, paths) is escaped on entry. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/history.h"
#include "report/document.h"
#include "report/forge.h"
#include "report/formats/charts.h"
#include "report/formats/html.h"
#include "model/metrics/numbers.h"
#include "report/terminal.h"
#include "report/words.h"
#include "stats/stats.h"

enum { WIDTH = 80, SPARKS = 40, SUBJECT_LONGEST = 66 };

static size_t group_end(const struct history *history, size_t i)
{
	size_t end = i;

	while (end < history->n_series && !strcmp(history->series[end].scenario, history->series[i].scenario) &&
	       !strcmp(history->series[end].class, history->series[i].class))
		end++;
	return end;
}

static const struct history_commit *commit_at(const struct history *history, const struct history_series *series, size_t point)
{
	return &history->commits[series->points[point].commit];
}

/* "3f2a9c1d0b7e", "3f2a9c1d0b7e+dirty", "no commit" */
static struct short_text short_id(const struct history_commit *commit)
{
	if (!commit->id)
		return format_short("no commit");
	return format_short("%.*s%s", (int)COMMIT_SHOWN, commit->id, commit->dirty ? "+dirty" : "");
}

static const char *way(const struct history_series *series, const struct history_change *change)
{
	if (change->spread)
		return "scatters otherwise";
	return history_is_worse(series, change) ? "worse" : "better";
}

static bool is_short(const struct history_series *series)
{
	return series->n < CHANGEPOINT_VALUES_LEAST;
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static struct history_change overall(const struct history_series *series)
{
	const struct history_change *last = &series->changes[series->n_changes - 1];
	struct history_change all = { .from = series->changes[0].from, .to = last->to };

	all.change_pct = all.from > 0 ? 100 * (all.to - all.from) / all.from : NAN;
	return all;
}

/* -------- shared by all formats */

struct totals {
	size_t groups, series, gated, changed, worse, short_series, short_gated;
};

static struct totals count(const struct history *history)
{
	struct totals totals = { .series = history->n_series };

	for (size_t i = 0; i < history->n_series; i++) {
		const struct history_series *series = &history->series[i];
		bool worse = false;

		totals.groups += group_end(history, i) == i + 1;
		totals.gated += series->gated;
		totals.short_series += is_short(series);
		totals.short_gated += series->gated && is_short(series);
		if (!series->gated)
			continue;
		totals.changed += series->n_changes > 0;
		for (size_t k = 0; k < series->n_changes; k++)
			worse |= history_is_worse(series, &series->changes[k]);
		totals.worse += worse;
	}
	return totals;
}

/* The only gated series that got worse, if it changed once, at one commit; else NULL. */
static const struct history_series *only_worse(const struct history *history)
{
	const struct history_series *only = NULL;

	for (size_t i = 0; i < history->n_series; i++) {
		const struct history_series *series = &history->series[i];
		const struct history_change *first = series->changes;

		if (!series->gated || !series->n_changes || (series->n_changes == 1 && !history_is_worse(series, first)))
			continue;
		if (only || series->n_changes > 1 || first->drift || first->spread || !isfinite(first->change_pct))
			return NULL;
		only = series;
	}
	return only;
}

/* "words is 38 % slower since 3f2a9c1d0b7e"; "2 of 6 gated metrics changed, 1 for the worse" */
static void add_headline(struct strbuf *out, const struct history *history)
{
	const struct history_series *only = only_worse(history);
	struct totals totals = count(history);

	if (only) {
		strbuf_adds(out, only->scenario);
		format_changed(out, only->metric, only->changes[0].change_pct);
		strbuf_addf(out, " since %s", short_id(commit_at(history, only, only->changes[0].first)).s);
		if (totals.changed > 1)
			strbuf_addf(out, ", and %zu more gated metric%s changed", totals.changed - 1, plural(totals.changed - 1));
	} else if (totals.changed) {
		strbuf_addf(out, "%zu of %zu gated metric%s changed, %zu for the worse", totals.changed, totals.gated, plural(totals.gated),
			    totals.worse);
	} else if (totals.gated > totals.short_gated) {
		strbuf_addf(out, "No lasting change in %zu gated metric%s", totals.gated - totals.short_gated,
			    plural(totals.gated - totals.short_gated));
	} else if (totals.gated) {
		strbuf_addf(out, "%zu commit%s %s too few to find a change (%d are needed)", history->n_commits, plural(history->n_commits),
			    history->n_commits == 1 ? "is" : "are", (int)CHANGEPOINT_VALUES_LEAST);
	} else {
		strbuf_adds(out, "No gate judges these metrics");
	}
}

/* "60 results of 30 commits, 2026-10-01 to 2026-10-30" */
static void add_extent(struct strbuf *out, const struct history *history)
{
	strbuf_addf(out, "%zu result%s of %zu commit%s, %s to %s", history->n_results, plural(history->n_results), history->n_commits,
		    plural(history->n_commits), history->commits[0].date, history->commits[history->n_commits - 1].date);
}

static void notes_of(const struct history *history, struct strv *notes)
{
	struct totals totals = count(history);

	if (totals.short_series)
		strv_pushf(notes, "%zu of %zu series have fewer than %d commits, too few to find a change in", totals.short_series,
			   totals.series, (int)CHANGEPOINT_VALUES_LEAST);
	if (history->n_between)
		strv_pushf(notes, "%zu commit%s between the first and the last one %s no result", history->n_between,
			   plural(history->n_between), history->n_between == 1 ? "has" : "have");
	if (history->n_unknown)
		strv_pushf(notes, "%zu commit%s not in the history of HEAD (force-pushed, of another branch, or not fetched), placed by "
			   "the time of their results", history->n_unknown, history->n_unknown == 1 ? " is" : "s are");
	if (history->n_dirty)
		strv_pushf(notes, "%zu result%s of changed trees that no commit holds, placed by time", history->n_dirty,
			   history->n_dirty == 1 ? " is" : "s are");
	if (history->n_paired)
		strv_pushf(notes, "%zu measurement%s in pairs left out: their values belong beside the other side's", history->n_paired,
			   plural(history->n_paired));
	if (history->n_failed)
		strv_pushf(notes, "%zu measurement%s that failed left out", history->n_failed, plural(history->n_failed));
	if (history->n_copies)
		strv_pushf(notes, "%zu cop%s of the same measurement counted once", history->n_copies, history->n_copies == 1 ? "y" : "ies");
	if (history->n_older)
		strv_pushf(notes, "%zu older values left out: a series keeps the newest %d", history->n_older, (int)HISTORY_COMMITS_MOST);
	if (history->n_others)
		strv_pushf(notes, "%zu JSON file%s no result, left out", history->n_others, history->n_others == 1 ? " is" : "s are");
	for (size_t i = 0; i < history->n_damaged; i++)
		strv_pushf(notes, "damaged, left out: %s: %s", history->damaged[i].path, history->damaged[i].reason);
	strv_pushf(notes, "expect about 1 false change per 1,000 series, more if the machine itself changes; history never fails a build");
}

/* "or one of 3 commits before it that have no result" */
static void add_doubts(struct strbuf *out, const struct history *history, const struct history_series *series,
		       const struct history_change *change)
{
	size_t gap = history_gap(history, series, change->first);
	const struct history_commit *commit = commit_at(history, series, change->first);

	if (gap)
		strbuf_addf(out, "or one of the %zu commit%s before it without a result", gap, plural(gap));
	else if (commit->place == SIZE_MAX)
		strbuf_adds(out, commit->dirty ? "a changed tree" : "not in the history of HEAD");
	if (series->points[change->first].rewritten)
		strbuf_addf(out, "%sthe scenario itself changed here", out->len ? "; " : "");
}

/* -------- series without a change */

#define WIDE 2.0

enum listed { UNCHANGED, WANDERING, SHORT, OTHERS };

static const char *const listed_words[] = {
	[UNCHANGED] = "no change", [WANDERING] = "no lasting change found, but values differ widely", [SHORT] = "too few commits to tell",
	[OTHERS] = "changed too, judged by no gate (-v shows them)",
};

/* Returns true if the largest value is more than WIDE times the least, so that values are printed. */
static bool range_of(const struct history_series *series, double *least_out, double *most_out)
{
	*least_out = INFINITY;
	*most_out = -INFINITY;
	for (size_t i = 0; i < series->n; i++) {
		*least_out = fmin(*least_out, series->points[i].value);
		*most_out = fmax(*most_out, series->points[i].value);
	}
	return *least_out > 0 && *most_out > WIDE * *least_out;
}

static enum listed kind_of(const struct history_series *series)
{
	double least, most;

	if (series->n_changes)
		return OTHERS;
	if (is_short(series))
		return SHORT;
	return range_of(series, &least, &most) ? WANDERING : UNCHANGED;
}

/* Appends " (48.0 ms to 623 ms)" for a series without a change whose values differ widely. */
static void add_range(struct strbuf *out, const struct history_series *series)
{
	double least, most;

	if (range_of(series, &least, &most) && !series->n_changes)
		strbuf_addf(out, " (%s to %s)", format_measured(least, series->metric).s, format_measured(most, series->metric).s);
}

/* -------- text */

/* The course of a series as blocks of eight heights, each the median of a group of points. */
static void add_sparkline(struct strbuf *out, const struct history_series *series)
{
	double low = INFINITY, high = -INFINITY, parts[SPARKS];
	CLEANUP(free_ptr) double *values = xcalloc(series->n + 1, sizeof *values);
	size_t n = series->n < SPARKS ? series->n : SPARKS;

	for (size_t i = 0; i < series->n; i++)
		values[i] = series->points[i].value;
	for (size_t i = 0; i < n; i++) {
		size_t from = i * series->n / n, to = (i + 1) * series->n / n;

		parts[i] = stats_median(values + from, to - from);
		low = fmin(low, parts[i]);
		high = fmax(high, parts[i]);
	}
	for (size_t i = 0; i < n; i++) {
		int height = high > low ? (int)((parts[i] - low) / (high - low) * 7.999) : 0;
		const char block[] = { '\xe2', '\x96', (char)(0x81 + height), '\0' };

		strbuf_adds(out, block);
	}
}

static void add_change(struct strbuf *out, const struct history *history, const struct history_series *series,
		       const struct history_change *change)
{
	const struct history_commit *commit = commit_at(history, series, change->first),
				    *last = commit_at(history, series, change->last);
	CLEANUP(strbuf_release) struct strbuf doubts = STRBUF_INIT, subject = STRBUF_INIT;

	strbuf_addf(out, "    %s  %-*s  %9s -> %-9s %8s  %s\n", commit->date, (int)COMMIT_SHOWN, short_id(commit).s,
		    format_measured(change->from, series->metric).s, format_measured(change->to, series->metric).s,
		    change->spread ? "" : format_change(change->change_pct).s, way(series, change));
	if (change->drift)
		strbuf_addf(out, "      a drift until %s %s: no single commit made it\n", last->date, short_id(last).s);
	if (commit->subject) {
		escape_terminal(&subject, commit->subject);
		strbuf_addf(out, "      %s\n", format_symbol(subject.buf, SUBJECT_LONGEST).s);
	}
	add_doubts(&doubts, history, series, change);
	if (doubts.len)
		strbuf_addf(out, "      %s\n", doubts.buf);
}

static void add_series(struct strbuf *out, const struct history *history, const struct history_series *series,
		       const struct history_options *options)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, line = STRBUF_INIT;
	const struct history_change all = overall(series);

	format_metric(&name, series->work_unit, series->metric);
	strbuf_adds(&line, "  ");
	escape_terminal(&line, name.buf);
	if (series->n_changes > 1)
		strbuf_addf(&line, "  %s -> %s  %s in all", format_measured(all.from, series->metric).s,
			    format_measured(all.to, series->metric).s, format_change(all.change_pct).s);
	text_styled(out, line.buf, options->color ? "1" : NULL);
	strbuf_addc(out, '\n');
	if (options->utf8) {
		strbuf_adds(out, "    ");
		add_sparkline(out, series);
		strbuf_addc(out, '\n');
	}
	for (size_t i = 0; i < series->n_changes; i++)
		add_change(out, history, series, &series->changes[i]);
}

/* "no change: task-clock, page-faults": the names of series not shown themselves. */
static void add_names(struct strbuf *out, const struct history_series *group, size_t n, enum listed which, bool verbose)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < n; i++) {
		const struct history_series *series = &group[i];

		if (kind_of(series) != which || (which == OTHERS ? series->gated || verbose : !series->gated && !verbose))
			continue;
		strbuf_addf(&text, "%s%s", text.len ? ", " : listed_words[which], text.len ? "" : ": ");
		format_metric(&text, series->work_unit, series->metric);
		if (which == OTHERS)
			strbuf_addf(&text, " %s", format_change(overall(series).change_pct).s);
		add_range(&text, series);
	}
	if (!text.len)
		return;
	strbuf_adds(out, "  ");
	prose_add(out, text.buf, 4, WIDTH);
}

void history_text(const struct history *history, const struct history_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf headline = STRBUF_INIT;
	CLEANUP(strv_release) struct strv notes = STRV_INIT;
	const enum listed order[] = { OTHERS, UNCHANGED, WANDERING, SHORT };

	add_headline(&headline, history);
	strbuf_adds(&headline, ": ");
	add_extent(&headline, history);
	prose_add(out, headline.buf, 0, WIDTH);
	for (size_t i = 0, end; i < history->n_series; i = end) {
		const struct history_series *first = &history->series[i];

		end = group_end(history, i);
		strbuf_addc(out, '\n');
		escape_terminal(out, first->scenario);
		strbuf_adds(out, " on ");
		escape_terminal(out, first->class);
		strbuf_addf(out, ", %zu commit%s\n", first->n, plural(first->n));
		for (size_t k = i; k < end; k++)
			if (history->series[k].n_changes && (history->series[k].gated || options->verbose))
				add_series(out, history, &history->series[k], options);
		for (size_t k = 0; k < sizeof order / sizeof *order; k++)
			add_names(out, first, end - i, order[k], options->verbose);
	}
	strbuf_addc(out, '\n');
	notes_of(history, &notes);
	for (size_t i = 0; i < notes.n; i++) {
		strbuf_adds(out, "note: ");
		prose_add(out, notes.items[i], 6, WIDTH);
	}
}

/* -------- drawing */

/* More dots would only cover each other; the choice depends only on their order. */
enum { DOTS_MOST = 200 };

/* Letters of a commit below a chart, and the least distance of two of them, as a part of the width. */
enum { LABEL_LONGEST = 8 };
#define LABEL_DISTANCE 0.2

/* "3f2a9c1d0b7e, 2026-10-12: 10.0 ms to 11.1 ms, +11 %, worse" */
static void change_words(struct strbuf *out, const struct history *history, const struct history_series *series,
			 const struct history_change *change)
{
	const struct history_commit *commit = commit_at(history, series, change->first);

	strbuf_addf(out, "%s, %s: %s to %s, %s%s%s", short_id(commit).s, commit->date, format_measured(change->from, series->metric).s,
		    format_measured(change->to, series->metric).s, change->spread ? "" : format_change(change->change_pct).s,
		    change->spread ? "" : ", ", way(series, change));
}

struct drawing {
	struct page page;
	const struct history *history;
	const char *repository;
	const struct history_series *series;
	struct chart chart;
};

static const char *link_of(struct drawing *d, const struct history_commit *commit)
{
	struct strbuf url = STRBUF_INIT;

	return !commit->dirty && forge_commit(&url, d->repository, commit->id) ? arena_take(d->page.arena, strbuf_take(&url)) : NULL;
}

/* Labels POINT with its commit, unless another label or the last one is too near. */
static void add_label(struct drawing *d, size_t point)
{
	const struct history_commit *commit = commit_at(d->history, d->series, point);
	double at = (double)point + 0.5, least = LABEL_DISTANCE * d->chart.columns;

	if (d->chart.n_labels && (at - d->chart.labels[d->chart.n_labels - 1].at < least ||
				  (point + 1 < d->series->n && d->chart.columns - at < least)))
		return;
	chart_label(&d->chart, (struct chart_label){
		.at = at, .text = arena_printf(d->page.arena, "%.*s", LABEL_LONGEST, short_id(commit).s), .link = link_of(d, commit),
	});
}

static void fill_dots(struct drawing *d)
{
	const struct history_series *series = d->series;
	size_t dots = series->n > DOTS_MOST ? DOTS_MOST : series->n;

	for (size_t i = 0; i < dots; i++) {
		size_t at = i * series->n / dots;
		const struct history_commit *commit = commit_at(d->history, series, at);

		chart_dot(&d->chart, (struct chart_dot){
			.at = (double)at + 0.5, .value = series->points[at].value, .class = "point", .link = link_of(d, commit),
			.title = arena_printf(d->page.arena, "%s, %s", short_id(commit).s, commit->date),
		});
	}
}

static void fill_changes(struct drawing *d)
{
	const struct history_series *series = d->series;
	double from = 0, level = series->n_changes ? series->changes[0].from : NAN;

	add_label(d, 0);
	for (size_t i = 1; i < series->n; i++)
		if (series->points[i].rewritten)
			chart_mark(&d->chart, (struct chart_mark){ (double)i, "rewritten", "the scenario itself changed" });
	for (size_t i = 0; i < series->n_changes; i++) {
		const struct history_change *change = &series->changes[i];
		double first = (double)change->first, last = (double)change->last;
		struct strbuf words = STRBUF_INIT;

		change_words(&words, d->history, series, change);
		chart_mark(&d->chart, (struct chart_mark){ first, history_is_worse(series, change) ? "worse" : "better",
							   arena_take(d->page.arena, strbuf_take(&words)) });
		chart_line(&d->chart, (struct chart_line){ from, first, level, level, "level" });
		if (change->drift)
			chart_line(&d->chart, (struct chart_line){ first, last, level, change->to, "level" });
		from = last;
		level = change->to;
		add_label(d, change->first);
	}
	chart_line(&d->chart, (struct chart_line){ from, (double)series->n, level, level, "level" });
	if (series->n > 1)
		add_label(d, series->n - 1);
}

static void add_title(struct strbuf *title, const struct history_series *series)
{
	format_metric(title, series->work_unit, series->metric);
	if (series->n_changes) {
		const struct history_change all = overall(series);

		strbuf_addf(title, ": %s to %s, %s in %zu change%s", format_measured(all.from, series->metric).s,
			    format_measured(all.to, series->metric).s, format_change(all.change_pct).s, series->n_changes,
			    plural(series->n_changes));
	} else {
		strbuf_addf(title, ": %s", listed_words[kind_of(series)]);
		add_range(title, series);
	}
}

/* -------- a page */

static const char *commit_link(struct drawing *d, const struct history_commit *commit)
{
	return markup_commit(&d->page, d->repository, commit->dirty ? NULL : commit->id, short_id(commit).s);
}

static void add_page_changes(struct drawing *d)
{
	const struct history_series *series = d->series;
	struct page *page = &d->page;

	page_print(page, "<ul class=\"changes\">\n");
	for (size_t i = 0; i < series->n_changes; i++) {
		const struct history_change *change = &series->changes[i];
		const struct history_commit *commit = commit_at(d->history, series, change->first),
					    *last = commit_at(d->history, series, change->last);
		CLEANUP(strbuf_release) struct strbuf doubts = STRBUF_INIT;

		add_doubts(&doubts, d->history, series, change);
		page_print(page, "<li><span class=\"tag %s\">%s</span> <b>%s</b> %s to %s since %s, %s", history_is_worse(series, change) ? "bad" : "good",
			   way(series, change), change->spread ? "" : format_change(change->change_pct).s, format_measured(change->from, series->metric).s,
			   format_measured(change->to, series->metric).s, commit_link(d, commit), commit->date);
		if (change->drift)
			page_print(page, ", a drift until %s, %s: no single commit made it", commit_link(d, last), last->date);
		page_print(page, "<small>%s%s%s</small></li>\n", markup(page, commit->subject ?: ""), commit->subject && doubts.len ? "; " : "",
			   markup(page, doubts.buf));
	}
	page_print(page, "</ul>\n");
}

static void add_figure(struct drawing *d, const struct history_series *series)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, title = STRBUF_INIT, rest = STRBUF_INIT;
	struct page *page = &d->page;

	d->series = series;
	format_metric(&name, series->work_unit, series->metric);
	page_print(page, "<h3>%s</h3>\n", markup(page, name.buf));
	if (series->n_changes)
		add_page_changes(d);
	add_title(&title, series);
	d->chart = (struct chart){
		.words = title.buf, .metric = series->metric, .columns = (double)series->n, .room_from = NAN, .room_to = NAN, .arena = page->arena,
	};
	fill_dots(d);
	fill_changes(d);
	page_print(page, "<figure>");
	chart_add(page->out, &d->chart);
	if (series->n > DOTS_MOST)
		strbuf_addf(&rest, ", %d drawn", (int)DOTS_MOST);
	if (!series->n_changes) {
		strbuf_addf(&rest, ": %s", listed_words[kind_of(series)]);
		add_range(&rest, series);
	}
	page_print(page, "<figcaption>%zu commit%s%s</figcaption></figure>\n", series->n, plural(series->n), rest.buf);
}

/* Gated metrics, changed ones first; then, folded, other changes; then the names of all others. */
static void add_section(struct drawing *d, size_t from, size_t to)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;
	const struct history_series *all = d->history->series;
	struct page *page = &d->page;
	bool folded = false;

	page_print(page, "<section class=\"card\"><h2>%s <small>%s</small></h2>\n", markup(page, all[from].scenario), markup(page, all[from].class));
	for (int changed = 1; changed >= 0; changed--)
		for (size_t i = from; i < to; i++)
			if (all[i].gated && (all[i].n_changes > 0) == changed)
				add_figure(d, &all[i]);
	for (size_t i = from; i < to; i++) {
		if (all[i].gated)
			continue;
		if (!all[i].n_changes) {
			strbuf_adds(&names, names.len ? ", " : "");
			format_metric(&names, all[i].work_unit, all[i].metric);
			add_range(&names, &all[i]);
			continue;
		}
		page_print(page, folded ? "" : "<details><summary>changed too, judged by no gate</summary>\n");
		folded = true;
		add_figure(d, &all[i]);
	}
	page_print(page, folded ? "</details>\n" : "");
	if (names.len)
		page_print(page, "<p class=\"note\">Judged by no gate, and no lasting change found: %s</p>\n", markup(page, names.buf));
	page_print(page, "</section>\n");
}

void history_html(const struct history *history, const struct history_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf headline = STRBUF_INIT, extent = STRBUF_INIT;
	CLEANUP(strv_release) struct strv notes = STRV_INIT;
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct drawing d = { .page = { .out = out, .arena = &arena }, .history = history, .repository = options->repository };
	const char *title;

	add_headline(&headline, history);
	add_extent(&extent, history);
	title = markup(&d.page, headline.buf);
	page_begin(&d.page, title, "");
	page_print(&d.page, "<header><h1>%s</h1>\n<p class=\"note\">%s</p></header>\n<main id=\"main\">\n", title, extent.buf);
	for (int changed = 1; changed >= 0; changed--)
		for (size_t i = 0, end; i < history->n_series; i = end) {
			bool any = false;

			end = group_end(history, i);
			for (size_t k = i; k < end; k++)
				any |= history->series[k].gated && history->series[k].n_changes;
			if (any == changed)
				add_section(&d, i, end);
		}
	notes_of(history, &notes);
	page_print(&d.page, "<section class=\"card note\"><h2>Notes</h2>\n<ul>\n");
	for (size_t i = 0; i < notes.n; i++)
		page_print(&d.page, "<li>%s</li>\n", markup(&d.page, notes.items[i]));
	page_print(&d.page, "</ul></section>\n</main>\n</body>\n</html>\n");
}
