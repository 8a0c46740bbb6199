#include "report/formats/accepted.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/baseline.h"
#include "model/machine.h"
#include "model/metrics/numbers.h"
#include "model/profile.h"
#include "report/terminal.h"
#include "report/words.h"
#include "stats/stats.h"

/* -------- profiles: the hottest symbols and changed shares */

enum { SYMBOLS_SHOWN = 10 };

static const double least_pp = 1;

static void add_samples(struct strbuf *out, const struct profile *profile)
{
	strbuf_addf(out, "%llu sample%s of ", (unsigned long long)profile->samples, profile->samples == 1 ? "" : "s");
	escape_terminal(out, profile->event);
	strbuf_addf(out, " at %u Hz, call graph %s", profile->frequency, call_graph_names[profile->call_graph]);
}

static void add_profile(struct strbuf *out, const struct profile *profile)
{
	CLEANUP(table_release) struct table table;

	table_init(&table, "rrll");
	if (!profile_exists(profile))
		return;
	strbuf_adds(out, "  profile: ");
	add_samples(out, profile);
	strbuf_addc(out, '\n');
	table_row(&table, "share", "samples", "file", "symbol");
	for (size_t i = 0; i < profile->n_symbols && i < SYMBOLS_SHOWN; i++) {
		const struct profile_symbol *symbol = &profile->symbols[i];

		table_row(&table, format_share(profile_share_pct(profile, symbol)).s,
			  format_short("%llu", (unsigned long long)symbol->samples).s, symbol->dso, symbol->symbol);
	}
	table_render(&table, 2, out);
}

struct moved_share {
	const struct profile_symbol *symbol;
	double before_pct, now_pct;
};

static double size_of(const struct moved_share *change)
{
	return fabs(change->now_pct - change->before_pct);
}

static int by_size(const void *a, const void *b)
{
	double x = size_of(a), y = size_of(b);

	return (x < y) - (x > y);
}

/* Returns the shares that changed by more than a point, the largest first, for free(). A symbol not listed has none. */
static struct moved_share *find_share_changes(const struct profile *before, const struct profile *now, size_t *n_out)
{
	size_t all = profile_incomparable(before, now) ? 0 : now->n_symbols + before->n_symbols, n = 0;
	struct moved_share *changes = xcalloc(all + 1, sizeof *changes);

	for (size_t i = 0; i < all; i++) {
		bool is_now = i < now->n_symbols;
		const struct profile_symbol *symbol = is_now ? &now->symbols[i] : &before->symbols[i - now->n_symbols];
		const struct profile_symbol *other = profile_find(is_now ? before : now, symbol->key, symbol->dso);

		changes[n] = (struct moved_share){
			symbol, profile_share_pct(before, is_now ? other : symbol), is_now ? profile_share_pct(now, symbol) : 0,
		};
		n += (is_now || !other) && size_of(&changes[n]) > least_pp;
	}
	qsort(changes, n, sizeof *changes, by_size);
	*n_out = n;
	return changes;
}

void accepted_share_changes(struct strbuf *out, size_t indent, const struct profile *before, const struct profile *now)
{
	const char *why_not = profile_incomparable(before, now);
	bool was = profile_exists(before), is = profile_exists(now);
	size_t n;
	CLEANUP(free_ptr) struct moved_share *changes = find_share_changes(before, now, &n);

	if (why_not && (was || is)) {
		strbuf_pad(out, ' ', indent);
		strbuf_adds(out, !is ? "profile: gone" : was ? "profile: " : "profile: new, ");
		if (is)
			add_samples(out, now);
		if (is && was)
			strbuf_addf(out, "; its shares cannot be compared with those of %s", why_not);
		strbuf_addc(out, '\n');
	}
	for (size_t i = 0; i < n; i++) {
		const struct moved_share *change = &changes[i];

		strbuf_pad(out, ' ', indent);
		strbuf_addf(out, "share %7s -> %7s  %8s  ", format_share(change->before_pct).s, format_share(change->now_pct).s,
			    format_points(change->now_pct - change->before_pct).s);
		escape_terminal(out, change->symbol->symbol);
		strbuf_adds(out, " (");
		escape_terminal(out, *change->symbol->dso ? change->symbol->dso : "-");
		strbuf_adds(out, ")\n");
	}
}

static void add_share_changes_json(cJSON *array, const struct profile *before, const struct profile *now)
{
	size_t n;
	CLEANUP(free_ptr) struct moved_share *changes = find_share_changes(before, now, &n);

	for (size_t i = 0; i < n; i++) {
		cJSON *one = json_add_object(array, NULL);

		json_add_string(one, "symbol", changes[i].symbol->symbol);
		json_add_string(one, "dso", changes[i].symbol->dso);
		json_add_number(one, "before_pct", changes[i].before_pct);
		json_add_number(one, "now_pct", changes[i].now_pct);
		json_add_number(one, "change_pp", changes[i].now_pct - changes[i].before_pct);
	}
}

/* -------- the numbers of a baseline */

/* The total of a window depends on how much its load did, so users see the value per unit of work, if there is one. */
static const struct metric *shown_metric(const struct baseline *base, size_t i)
{
	const struct series_set *series = &baseline_last(base)->series;
	const struct metric *metric = series->items[i].metric;

	return metric->normalised && series_find(series, metric->normalised) ? NULL : metric;
}

double accepted_median(const struct baseline *base, const struct metric *metric)
{
	CLEANUP(free_ptr) double *values = NULL;
	size_t n = 0;

	for (size_t i = 0; base && i < base->n_sessions; i++) {
		const struct series *series = series_find(&base->sessions[i].series, metric);

		if (series && (series->metric->unit != metric->unit || !text_same(series->metric->label, metric->label)))
			return NAN;
	}
	values = base ? baseline_values(base, metric, &n) : NULL;
	return stats_median(values, n);
}

static double change_pct(double before, double now)
{
	return before > 0 ? (now / before - 1) * 100 : NAN;
}

void accepted_change(struct strbuf *out, const char *work_unit, const struct metric *metric, double before, double now)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, words = STRBUF_INIT;

	format_metric(&name, work_unit, metric);
	strbuf_addf(&words, "%-32s %s -> %s  %s", name.buf, format_measured(before, metric).s,
		    format_measured(now, metric).s, format_change(change_pct(before, now)).s);
	escape_terminal(out, words.buf);
}

/* -------- one baseline */

static void add_metrics(const struct baseline *base, struct strbuf *out)
{
	CLEANUP(table_release) struct table table;

	table_init(&table, "lrrrr");
	table_row(&table, "metric", "median", "least", "most", "values");
	for (size_t i = 0; i < baseline_last(base)->series.n; i++) {
		const struct metric *metric = shown_metric(base, i);
		CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
		CLEANUP(free_ptr) double *values = NULL;
		size_t n;

		if (!metric)
			continue;
		values = baseline_values(base, metric, &n);
		stats_sort(values, n);
		format_metric(&name, baseline_work_unit(base), metric);
		table_row(&table, name.buf, format_measured(stats_median_sorted(values, n), metric).s,
			  format_measured(values[0], metric).s, format_measured(values[n - 1], metric).s,
			  format_short("%zu", n).s);
	}
	table_render(&table, 2, out);
}

static void add_busy(struct strbuf *out, const struct baseline_session *session)
{
	for (size_t i = 0; i < session->busy.n; i++) {
		strbuf_adds(out, i ? "; " : "    busy: ");
		escape_terminal(out, session->busy.items[i]);
	}
	strbuf_adds(out, session->busy.n ? "; its times count for little\n" : "");
}

void accepted_show(struct strbuf *out, const struct baseline *base)
{
	CLEANUP(free_ptr) char *class = machine_class(&base->machine);

	strbuf_addf(out, "%s on %s\n", base->scenario, class);
	for (size_t k = 0; k < base->n_sessions; k++) {
		const struct baseline_session *s = &base->sessions[k];
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		strbuf_addf(&words, "  session %zu: %s, commit %s, by %s%s%s", k + 1, s->date ?: "-",
			    s->commit ?: "-", s->by ?: "-", s->reason ? ": " : "", s->reason ?: "");
		escape_terminal(out, words.buf);
		strbuf_addc(out, '\n');
		add_busy(out, s);
	}
	add_metrics(base, out);
	add_profile(out, &base->profile);
	strbuf_addc(out, '\n');
}

/* -------- how a baseline differs from the one before */

static const struct profile no_profile = { 0 };

void accepted_difference(struct strbuf *out, const char *file, const struct baseline *now, const struct baseline *before)
{
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;
	const char *reason = baseline_last(now)->reason;
	size_t n = now->n_sessions;

	strbuf_addf(&title, "%s/%s: %s%zu session%s", now->scenario, file, before ? "" : "new, ", n, n == 1 ? "" : "s");
	if (before)
		strbuf_addf(&title, ", %zu before", before->n_sessions);
	if (reason)
		strbuf_addf(&title, ": %s", reason);
	escape_terminal(out, title.buf);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < baseline_last(now)->series.n; i++) {
		const struct metric *metric = shown_metric(now, i);

		if (!metric)
			continue;
		strbuf_adds(out, "  ");
		accepted_change(out, baseline_work_unit(now), metric, accepted_median(before, metric),
				accepted_median(now, metric));
		strbuf_addc(out, '\n');
	}
	accepted_share_changes(out, 2, before ? &before->profile : &no_profile, &now->profile);
}

/* Scripts get every metric. */
void accepted_difference_json(cJSON *array, const char *file, const struct baseline *now, const struct baseline *before)
{
	const struct series_set *series = &baseline_last(now)->series;
	cJSON *object = json_add_object(array, NULL), *metrics;

	json_add_string(object, "scenario", now->scenario);
	json_add_string(object, "file", file);
	json_add_string(object, "reason", baseline_last(now)->reason);
	json_add_bool(object, "before", before != NULL);
	metrics = json_add_array(object, "metrics");
	for (size_t i = 0; i < series->n; i++) {
		const struct metric *metric = series->items[i].metric;
		double was = accepted_median(before, metric), is = accepted_median(now, metric);
		cJSON *change = json_add_object(metrics, NULL);

		json_add_string(change, "metric", metric->name);
		json_add_number(change, "before", was);
		json_add_number(change, "now", is);
		json_add_number(change, "change_pct", change_pct(was, is));
	}
	add_share_changes_json(json_add_array(object, "symbols"), before ? &before->profile : &no_profile,
			       &now->profile);
}
