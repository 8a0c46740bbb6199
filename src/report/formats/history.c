#include "report/formats/history.h"

/*
 * Metrics over commits, as text and as a page that loads and runs nothing. Foreign text (names, subjects of commits,
 * paths) is escaped on entry.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/history.h"
#include "report/document.h"
#include "report/forge.h"
#include "report/formats/html.h"
#include "model/metrics/numbers.h"
#include "report/terminal.h"
#include "report/words.h"
#include "stats/stats.h"

enum { WIDTH = 80, SPARKS = 40, SUBJECT_LONGEST = 66 };

/* Returns the end of the group of series that share scenario and machine class. */
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

/* The change of a series from its first level to its last. */
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

/* "2 of 6 gated metrics changed, 1 for the worse: 60 results of 30 commits, 2026-10-01 to 2026-10-30" */
static void add_headline(struct strbuf *out, const struct history *history)
{
	struct totals totals = count(history);

	if (totals.changed)
		strbuf_addf(out, "%zu of %zu gated metric%s changed, %zu for the worse: ", totals.changed, totals.gated, plural(totals.gated),
			    totals.worse);
	else if (totals.gated > totals.short_gated)
		strbuf_addf(out, "no lasting change found in %zu gated metric%s: ", totals.gated - totals.short_gated,
			    plural(totals.gated - totals.short_gated));
	else if (totals.gated)
		strbuf_addf(out, "too few commits to find a change (%d are needed): ", (int)CHANGEPOINT_VALUES_LEAST);
	strbuf_addf(out, "%zu result%s of %zu commit%s, %s to %s", history->n_results, plural(history->n_results), history->n_commits,
		    plural(history->n_commits), history->commits[0].date, history->commits[history->n_commits - 1].date);
}

/* Adds a sentence for each kind of missing or omitted data. */
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
	strv_pushf(notes, "in 1000 series without a change, about one shows some by chance; the more so where the machine itself changes; "
		   "nothing is judged by this");
}

/* "or one of 3 commits before it that have no result", and similar doubts; empty if there are none. */
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

/* Values are printed if the largest is more than this many times the least. */
#define WIDE 2.0

enum listed { UNCHANGED, WANDERING, SHORT, OTHERS };

static const char *const listed_words[] = {
	[UNCHANGED] = "no change", [WANDERING] = "no lasting change found, but values differ widely", [SHORT] = "too few commits to tell",
	[OTHERS] = "changed too, judged by no gate (-v shows them)",
};

/* Finds the range of the values. Returns true if they differ widely. */
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
enum { DOTS_MOST = 500 };

/* Units of the drawing, which is stretched to the width of the page. */
enum { PLOT_WIDTH = 1000, PLOT_HEIGHT = 90, PLOT_TOP = 5 };

struct plot {
	const struct history_series *series;
	double low, high;
};

static struct plot plot_of(const struct history_series *series)
{
	struct plot plot = { series, INFINITY, -INFINITY };
	double middle, least;

	for (size_t i = 0; i < series->n; i++) {
		plot.low = fmin(plot.low, series->points[i].value);
		plot.high = fmax(plot.high, series->points[i].value);
	}
	/* At least 2 % from top to bottom, so that noise does not look like a change. */
	middle = plot.low / 2 + plot.high / 2;
	least = middle > 0 ? middle / 50 : 1;
	if (plot.high - plot.low < least) {
		plot.low = fmax(0, middle - least / 2);
		plot.high = plot.low + least;
	}
	return plot;
}

/* The x coordinate of POINT, which may be fractional. */
static double x_at(const struct plot *plot, double point)
{
	return PLOT_WIDTH * (point + 0.5) / (double)plot->series->n;
}

static double y_at(const struct plot *plot, double value)
{
	return PLOT_TOP + PLOT_HEIGHT * (1 - (value - plot->low) / (plot->high - plot->low));
}

/* "3f2a9c1d0b7e, 2026-10-12: 10.0 ms to 11.1 ms, +11 %, worse" */
static void change_words(struct strbuf *out, const struct history *history, const struct history_series *series,
			 const struct history_change *change)
{
	const struct history_commit *commit = commit_at(history, series, change->first);

	strbuf_addf(out, "%s, %s: %s to %s, %s%s%s", short_id(commit).s, commit->date, format_measured(change->from, series->metric).s,
		    format_measured(change->to, series->metric).s, change->spread ? "" : format_change(change->change_pct).s,
		    change->spread ? "" : ", ", way(series, change));
}

static void add_marks(struct strbuf *out, const struct history *history, const struct plot *plot)
{
	const struct history_series *series = plot->series;

	for (size_t i = 1; i < series->n; i++)
		if (series->points[i].rewritten)
			strbuf_addf(out, "<path class=\"rewritten\" d=\"M%.1f %dv%d\"><title>the scenario itself changed</title></path>",
				    x_at(plot, (double)i - 0.5), (int)PLOT_TOP, (int)PLOT_HEIGHT);
	for (size_t i = 0; i < series->n_changes; i++) {
		const struct history_change *change = &series->changes[i];
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		change_words(&words, history, series, change);
		strbuf_addf(out, "<path class=\"mark %s\" d=\"M%.1f %dv%d\"><title>", history_is_worse(series, change) ? "worse" : "better",
			    x_at(plot, (double)change->first - 0.5), (int)PLOT_TOP, (int)PLOT_HEIGHT);
		escape_html(out, words.buf);
		strbuf_adds(out, "</title></path>");
	}
}

/* Dots, the levels between changes as horizontal lines, and a line at the start of each change. */
static void add_drawing(struct strbuf *out, const struct history *history, const struct plot *plot)
{
	const struct history_series *series = plot->series;
	size_t dots = series->n > DOTS_MOST ? DOTS_MOST : series->n;

	add_marks(out, history, plot);
	strbuf_adds(out, "<path class=\"points\" d=\"");
	for (size_t i = 0; i < dots; i++) {
		size_t at = i * series->n / dots;

		strbuf_addf(out, "M%.1f %.1fh0", x_at(plot, (double)at), y_at(plot, series->points[at].value));
	}
	strbuf_adds(out, "\"/>");
	if (!series->n_changes)
		return;
	strbuf_addf(out, "<path class=\"level\" d=\"M%.1f %.1f", x_at(plot, -0.5), y_at(plot, series->changes[0].from));
	for (size_t i = 0; i < series->n_changes; i++) {
		const struct history_change *change = &series->changes[i];

		strbuf_addf(out, change->drift ? "H%.1fL%.1f %.1f" : "H%.1fM%.1f %.1f", x_at(plot, (double)change->first - 0.5),
			    x_at(plot, (double)change->last - 0.5), y_at(plot, change->to));
	}
	strbuf_addf(out, "H%.1f\"/>", x_at(plot, (double)series->n - 0.5));
}

/* Appends a picture's title in one line, escaped. */
static void add_title(struct strbuf *out, const struct history_series *series)
{
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;

	format_metric(&title, series->work_unit, series->metric);
	if (series->n_changes) {
		const struct history_change all = overall(series);

		strbuf_addf(&title, ": %s to %s, %s in %zu change%s", format_measured(all.from, series->metric).s,
			    format_measured(all.to, series->metric).s, format_change(all.change_pct).s, series->n_changes,
			    plural(series->n_changes));
	} else {
		strbuf_addf(&title, ": %s", listed_words[kind_of(series)]);
		add_range(&title, series);
	}
	escape_html(out, title.buf);
}

/* -------- a page */

static const char page_style[] =
	":root{--dot:#7d93ab}@media (prefers-color-scheme:dark){:root{--dot:#6f8296}}"
	"figure{margin:1.2rem 0 0}figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;color:var(--soft);"
	"font-size:.82rem}figure svg{display:block;width:100%;height:6.5rem;border:1px solid var(--line);border-radius:6px}"
	".changes{list-style:none;padding:0;margin:.6rem 0}.changes li{margin:.45rem 0}.changes small{display:block;color:var(--soft);"
	"font-size:.88rem}h3{color:var(--ink);font-size:1rem;margin:1.4rem 0 .3rem}h2 small{font-weight:400;color:var(--soft);"
	"display:block;font-size:.82rem}.plot{display:grid;grid-template-columns:auto 1fr;gap:0 .5rem}"
	".axis{display:flex;flex-direction:column;justify-content:space-between;text-align:right;color:var(--soft);font-size:.82rem}"
	".plot figcaption{grid-column:2}"
	".points{fill:none;stroke:var(--dot);stroke-width:4;stroke-linecap:round;vector-effect:non-scaling-stroke}"
	".level{fill:none;stroke:var(--ink);stroke-width:1.5;vector-effect:non-scaling-stroke}"
	".mark{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}"
	".mark.worse{stroke:var(--bad)}.mark.better{stroke:var(--good);stroke-dasharray:6 3}"
	".rewritten{stroke:var(--soft);stroke-dasharray:1 4;vector-effect:non-scaling-stroke}";

/* The commit's short name, as a link if its repository is known. */
static void add_commit(struct strbuf *out, const struct history_commit *commit, const char *repository)
{
	CLEANUP(strbuf_release) struct strbuf url = STRBUF_INIT;
	bool linked = !commit->dirty && forge_commit(&url, repository, commit->id);

	if (linked) {
		strbuf_adds(out, "<a href=\"");
		escape_html(out, url.buf);
		strbuf_adds(out, "\">");
	}
	strbuf_adds(out, "<code>");
	escape_html(out, short_id(commit).s);
	strbuf_adds(out, linked ? "</code></a>" : "</code>");
}

static void add_page_changes(struct strbuf *out, const struct history *history, const struct history_series *series, const char *repository)
{
	strbuf_adds(out, "<ul class=\"changes\">\n");
	for (size_t i = 0; i < series->n_changes; i++) {
		const struct history_change *change = &series->changes[i];
		const struct history_commit *commit = commit_at(history, series, change->first),
					    *last = commit_at(history, series, change->last);
		CLEANUP(strbuf_release) struct strbuf doubts = STRBUF_INIT;
		bool worse = history_is_worse(series, change);

		strbuf_addf(out, "<li><span class=\"tag %s\">%s</span> <b>%s</b> %s to %s since ", worse ? "bad" : "good", way(series, change),
			    change->spread ? "" : format_change(change->change_pct).s, format_measured(change->from, series->metric).s,
			    format_measured(change->to, series->metric).s);
		add_commit(out, commit, repository);
		strbuf_addf(out, ", %s", commit->date);
		if (change->drift) {
			strbuf_adds(out, ", a drift until ");
			add_commit(out, last, repository);
			strbuf_addf(out, ", %s: no single commit made it", last->date);
		}
		add_doubts(&doubts, history, series, change);
		strbuf_adds(out, "<small>");
		escape_html(out, commit->subject ?: "");
		strbuf_adds(out, commit->subject && doubts.len ? "; " : "");
		escape_html(out, doubts.buf);
		strbuf_adds(out, "</small></li>\n");
	}
	strbuf_adds(out, "</ul>\n");
}

static void add_end(struct strbuf *out, const struct history_commit *commit, const char *repository)
{
	strbuf_adds(out, "<span>");
	add_commit(out, commit, repository);
	strbuf_addf(out, " %s</span>", commit->date);
}

static void add_figure(struct strbuf *out, const struct history *history, const struct history_series *series, const char *repository)
{
	const struct plot plot = plot_of(series);
	const double marks[] = { plot.high, plot.low / 2 + plot.high / 2, plot.low };
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	format_metric(&name, series->work_unit, series->metric);
	strbuf_adds(out, "<h3>");
	escape_html(out, name.buf);
	strbuf_adds(out, "</h3>\n");
	if (series->n_changes)
		add_page_changes(out, history, series, repository);
	strbuf_adds(out, "<figure class=\"plot\"><div class=\"axis\">");
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		strbuf_addf(out, "<span>%s</span>", format_measured(marks[i], series->metric).s);
	strbuf_adds(out, "</div>\n<svg role=\"img\" viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\"><title>");
	add_title(out, series);
	strbuf_adds(out, "</title>");
	add_drawing(out, history, &plot);
	strbuf_adds(out, "</svg>\n<figcaption>");
	add_end(out, commit_at(history, series, 0), repository);
	if (series->n > DOTS_MOST)
		strbuf_addf(out, "<span>%d of %zu commits drawn", (int)DOTS_MOST, series->n);
	else
		strbuf_addf(out, "<span>%zu commit%s", series->n, plural(series->n));
	if (!series->n_changes) {
		strbuf_addf(out, ": %s", listed_words[kind_of(series)]);
		add_range(out, series);
	}
	strbuf_adds(out, "</span>");
	add_end(out, commit_at(history, series, series->n - 1), repository);
	strbuf_adds(out, "</figcaption></figure>\n");
}

/* Gated metrics, changed ones first; then, folded, other changes; then the names of all others. */
static void add_section(struct strbuf *out, const struct history *history, size_t from, size_t to, const char *repository)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;
	const struct history_series *first = &history->series[from];
	bool folded = false;

	strbuf_adds(out, "<section class=\"card\"><h2>");
	escape_html(out, first->scenario);
	strbuf_adds(out, " <small>");
	escape_html(out, first->class);
	strbuf_adds(out, "</small></h2>\n");
	for (int changed = 1; changed >= 0; changed--)
		for (size_t i = from; i < to; i++)
			if (history->series[i].gated && (history->series[i].n_changes > 0) == changed)
				add_figure(out, history, &history->series[i], repository);
	for (size_t i = from; i < to; i++) {
		const struct history_series *series = &history->series[i];

		if (series->gated)
			continue;
		if (!series->n_changes) {
			strbuf_adds(&names, names.len ? ", " : "");
			format_metric(&names, series->work_unit, series->metric);
			add_range(&names, series);
			continue;
		}
		if (!folded)
			strbuf_adds(out, "<details><summary>changed too, judged by no gate</summary>\n");
		folded = true;
		add_figure(out, history, series, repository);
	}
	strbuf_adds(out, folded ? "</details>\n" : "");
	if (names.len) {
		strbuf_adds(out, "<p class=\"sides\">Judged by no gate, and no lasting change found: ");
		escape_html(out, names.buf);
		strbuf_adds(out, "</p>\n");
	}
	strbuf_adds(out, "</section>\n");
}

void history_html(const struct history *history, const struct history_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf headline = STRBUF_INIT;
	CLEANUP(strv_release) struct strv notes = STRV_INIT;

	add_headline(&headline, history);
	strbuf_addf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>performance over commits</title>\n<style>\n%s%s\n</style>\n"
		    "</head>\n<body>\n<header><h1>", html_style, page_style);
	escape_html(out, headline.buf);
	strbuf_adds(out, "</h1></header>\n<main>\n");
	for (int changed = 1; changed >= 0; changed--)
		for (size_t i = 0, end; i < history->n_series; i = end) {
			bool any = false;

			end = group_end(history, i);
			for (size_t k = i; k < end; k++)
				any |= history->series[k].gated && history->series[k].n_changes;
			if (any == changed)
				add_section(out, history, i, end, options->repository);
		}
	notes_of(history, &notes);
	strbuf_adds(out, "<section class=\"notes\"><h2>Notes</h2>\n<ul>\n");
	for (size_t i = 0; i < notes.n; i++) {
		strbuf_adds(out, "<li>");
		escape_html(out, notes.items[i]);
		strbuf_adds(out, "</li>\n");
	}
	strbuf_adds(out, "</ul></section>\n</main>\n</body>\n</html>\n");
}
