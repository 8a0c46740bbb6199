#include "profile/shares.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "profile/flame.h"
#include "stats/stats.h"

enum { SYMBOLS_USUALLY = 30, PARTS_MOST = 20, FILE_COLUMNS = 24 };

struct writer {
	const struct profile *profile;
	bool markdown;
	double scale;		/* from weight to the value shown: nanoseconds to ms */
	struct strbuf *out;
};

/* -------- cells */

/* Pads to COLUMNS in a terminal. */
static void add_name(const struct writer *w, const char *name, size_t columns)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t width;

	name = *name ? name : "[unknown]";
	if (w->markdown) {
		escape_code_span(w->out, name);
		return;
	}
	escape_terminal(&text, name);
	width = utf8_width(text.buf);
	strbuf_adds(w->out, text.buf);
	strbuf_pad(w->out, ' ', width < columns ? columns - width : 0);
}

static double share_pct(const struct profile *profile, double weight)
{
	return profile->weight > 0 ? 100 * weight / profile->weight : 0;
}

/* "12.13 to 12.56": the interval of the share, from the number of samples. */
static void add_interval(const struct writer *w, double weight)
{
	double n = (double)w->profile->samples;
	struct interval in = stats_wilson(share_pct(w->profile, weight) / 100 * n, n, STATS_Z95);

	strbuf_addf(w->out, w->markdown ? "%.2f to %.2f" : "%6.2f to %6.2f", 100 * in.low, 100 * in.high);
}

static void add_heading(const struct writer *w, const char *title, const char *markdown, const char *text)
{
	if (w->markdown)
		strbuf_addf(w->out, "\n### %s\n\n%s\n", title, markdown);
	else
		strbuf_addf(w->out, "\n%s\n%s\n", title, text);
}

/* -------- tables */

static void add_symbols(const struct writer *w, const char *title, const struct profile_symbol *const *symbols, size_t n)
{
	const struct profile *p = w->profile;

	add_heading(w, title,
		    "| self | 95 % interval | inclusive | samples | file | symbol |\n|---:|---:|---:|---:|---|---|",
		    "    self      95 % interval  inclusive   samples  file                      symbol");
	for (size_t i = 0; i < n; i++) {
		const struct profile_symbol *s = symbols[i];

		strbuf_addf(w->out, w->markdown ? "| %.2f %% | " : "%6.2f %%  ", share_pct(p, s->weight));
		add_interval(w, s->weight);
		strbuf_addf(w->out, w->markdown ? " | %.2f %% | %llu | " : "  %6.2f %%  %8llu  ", share_pct(p, s->total_weight),
			    (unsigned long long)s->samples);
		add_name(w, s->dso, FILE_COLUMNS);
		strbuf_adds(w->out, w->markdown ? " | " : "  ");
		add_name(w, s->symbol, 0);
		strbuf_adds(w->out, w->markdown ? " |\n" : "\n");
	}
}

static void add_parts(const struct writer *w, const char *title, const struct profile_parts *parts)
{
	add_heading(w, title, "| share | 95 % interval | samples | |\n|---:|---:|---:|---|",
		    "   share      95 % interval   samples");
	for (size_t i = 0; i < parts->n && i < PARTS_MOST; i++) {
		const struct profile_part *part = &parts->items[i];

		strbuf_addf(w->out, w->markdown ? "| %.2f %% | " : "%6.2f %%  ", share_pct(w->profile, part->weight));
		add_interval(w, part->weight);
		strbuf_addf(w->out, w->markdown ? " | %llu | " : "  %8llu  ", (unsigned long long)part->samples);
		add_name(w, part->name, 0);
		strbuf_adds(w->out, w->markdown ? " |\n" : "\n");
	}
	if (parts->n > PARTS_MOST)
		strbuf_addf(w->out, "%sand %zu lighter ones\n", w->markdown ? "\n" : "", parts->n - PARTS_MOST);
}

/* -------- the whole */

static int by_total(const void *a, const void *b)
{
	const struct profile_symbol *const *s = a, *const *t = b;
	double x = (*s)->total_weight, y = (*t)->total_weight;

	/* Equal items keep the order of the list. */
	return (x < y) - (x > y) ?: (*s > *t) - (*s < *t);
}

/* -------- two profiles */

/* A symbol of two profiles; one side may be missing. */
struct change {
	const struct profile_symbol *head, *base;
	double by, noise;		/* of the value shown: percentage points, or weight */
};

struct comparison {
	const struct profile *head, *base;
	bool absolute;
	struct change *items;
	size_t n;
};

static void compare(struct comparison *c, const struct profile_symbol *head, const struct profile_symbol *base)
{
	const struct profile_symbol *symbols[] = { head, base };
	const struct profile *of[] = { c->head, c->base };
	struct share_count counts[2];
	struct flame_weight weights[2];
	struct share_change change;
	struct change *out = &c->items[c->n++];

	for (int i = 0; i < 2; i++) {
		counts[i] = (struct share_count){ profile_share_pct(of[i], symbols[i]) / 100, of[i]->samples, NULL, NULL, 0 };
		weights[i] = (struct flame_weight){
			.weight = symbols[i] ? symbols[i]->weight : 0, .samples = symbols[i] ? (double)symbols[i]->samples : 0,
			.one = of[i]->samples ? of[i]->weight / (double)of[i]->samples : 0,
		};
	}
	if (c->absolute) {
		*out = (struct change){ head, base, weights[0].weight - weights[1].weight, flame_weight_noise(&weights[0], &weights[1]) };
	} else {
		share_compare(&counts[0], &counts[1], &change);
		*out = (struct change){ head, base, 100 * change.rise, 100 * FLAME_NOISE_ERRORS * change.error };
	}
}

static int by_size(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (fabs(x->by) < fabs(y->by)) - (fabs(x->by) > fabs(y->by));
}

static void add_side(const struct writer *w, const struct profile *of, const struct profile_symbol *s, bool absolute)
{
	if (!s)
		strbuf_addf(w->out, "  %10s", "none");
	else if (absolute)
		strbuf_addf(w->out, "  %10.5g", s->weight / w->scale);
	else
		strbuf_addf(w->out, "  %8.2f %%", share_pct(of, s->weight));
}

static void add_change(const struct writer *w, const struct comparison *c, const struct change *change)
{
	const struct profile_symbol *s = change->head ?: change->base;
	double scale = c->absolute ? w->scale : 1;

	strbuf_addf(w->out, c->absolute ? "%+10.5g  \xc2\xb1%-8.3g" : "%+10.2f  \xc2\xb1%-8.2f", change->by / scale, change->noise / scale);
	add_side(w, c->base, change->base, c->absolute);
	add_side(w, c->head, change->head, c->absolute);
	strbuf_adds(w->out, "  ");
	add_name(w, s->dso, FILE_COLUMNS);
	strbuf_adds(w->out, "  ");
	add_name(w, s->symbol, 0);
	strbuf_addc(w->out, '\n');
}

static void add_changes(const struct writer *w, const struct comparison *c, size_t most)
{
	size_t shown = 0, more = 0, still = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (fabs(c->items[i].by) <= c->items[i].noise)
			still++;
		else if (shown == most)
			more++;
		else if (++shown)
			add_change(w, c, &c->items[i]);
	}
	if (more)
		strbuf_addf(w->out, "and %zu smaller changes\n", more);
	strbuf_addf(w->out, "%s%zu symbol%s changed by no more than the noise of sampling\n", shown ? "\n" : "", still, still == 1 ? "" : "s");
}

static void add_title(const struct writer *w)
{
	const struct profile *p = w->profile;

	add_name(w, p->event, 0);
	strbuf_addf(w->out, ": %llu samples", (unsigned long long)p->samples);
	if (p->n_runs > 1)
		strbuf_addf(w->out, " of %zu runs", p->n_runs);
	if (profile_event_is_clock(p->event))
		strbuf_addf(w->out, ", %.1f ms", p->weight / 1e6);
	else
		strbuf_addf(w->out, ", weight %.0f", p->weight);
	if (p->lost)
		strbuf_addf(w->out, ", %llu lost", (unsigned long long)p->lost);
	strbuf_addc(w->out, '\n');
}

void top_render(const struct profile *profile, const struct top_options *options, struct strbuf *out)
{
	const struct writer w = { .profile = profile, .markdown = options->markdown, .out = out };
	CLEANUP(free_ptr) const struct profile_symbol **list = NULL;
	size_t n = options->symbols ? options->symbols : SYMBOLS_USUALLY;

	if (!profile_exists(profile)) {
		strbuf_adds(out, "There is no profile.\n");
		return;
	}
	if (n > profile->n_symbols)
		n = profile->n_symbols;
	list = xcalloc(profile->n_symbols + 1, sizeof *list);
	for (size_t i = 0; i < profile->n_symbols; i++)
		list[i] = &profile->symbols[i];
	add_title(&w);
	for (size_t i = 0; i < profile->warnings.n; i++) {
		strbuf_adds(out, w.markdown && !i ? "\n- " : w.markdown ? "- " : "warning: ");
		(w.markdown ? escape_markdown : escape_terminal)(out, profile->warnings.items[i]);
		strbuf_addc(out, '\n');
	}
	add_symbols(&w, "By self share", list, n);
	if (n)
		qsort(list, profile->n_symbols, sizeof *list, by_total);
	add_symbols(&w, "By inclusive share", list, n);
	add_parts(&w, "By file", &profile->dsos);
	if (options->markdown)
		add_parts(&w, "By thread", &profile->threads);
}

void top_render_difference(const struct profile *head, const struct profile *base, const struct top_options *options, struct strbuf *out)
{
	bool clock = profile_exists(head) && profile_event_is_clock(head->event);
	struct writer w = { .scale = clock ? 1e6 : 1, .out = out };
	struct comparison c = { .head = head, .base = base, .absolute = options->absolute };

	if (!profile_exists(head) || !profile_exists(base)) {
		strbuf_adds(out, "There is no profile.\n");
		return;
	}
	strbuf_adds(out, "head  ");
	w.profile = head;
	add_title(&w);
	strbuf_adds(out, "base  ");
	w.profile = base;
	add_title(&w);
	strbuf_addf(out, "\nBy change of self %s, head against base\n", c.absolute ? "weight" : "share");
	strbuf_addf(out, "%10s   %-8s  %10s  %10s  %-*s  symbol\n", !c.absolute ? "points" : clock ? "ms" : "weight", "noise", "base", "head",
		    FILE_COLUMNS, "file");
	c.items = xcalloc(head->n_symbols + base->n_symbols + 1, sizeof *c.items);
	for (size_t i = 0; i < head->n_symbols; i++)
		compare(&c, &head->symbols[i], profile_find_same(head, base, &head->symbols[i]));
	for (size_t i = 0; i < base->n_symbols; i++)
		if (!profile_find_same(base, head, &base->symbols[i]))
			compare(&c, NULL, &base->symbols[i]);
	qsort(c.items, c.n, sizeof *c.items, by_size);
	add_changes(&w, &c, options->symbols ? options->symbols : SYMBOLS_USUALLY);
	free(c.items);
}
