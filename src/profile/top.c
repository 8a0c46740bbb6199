#include "profile/top.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "stats/proportion.h"

enum { SYMBOLS_USUALLY = 30, PARTS_MOST = 20, FILE_COLUMNS = 24 };

struct writer {
	const struct profile *profile;
	bool markdown;
	struct strbuf *out;
};

/* -------- cells */

static const char *or_unknown(const char *name)
{
	return *name ? name : "[unknown]";
}

/* In a terminal padded to COLUMNS. */
static void add_name(const struct writer *w, const char *name, size_t columns)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t width;

	if (w->markdown) {
		escape_code_span(w->out, or_unknown(name));
		return;
	}
	escape_terminal(&text, or_unknown(name));
	width = utf8_width(text.buf);
	strbuf_adds(w->out, text.buf);
	strbuf_pad(w->out, ' ', width < columns ? columns - width : 0);
}

static double share_pct(const struct profile *profile, double weight)
{
	return profile->weight > 0 ? 100 * weight / profile->weight : 0;
}

/* "12.13 to 12.56": where the share may be, by the number of samples. */
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

static void add_symbol(const struct writer *w, const struct profile_symbol *s)
{
	const struct profile *p = w->profile;

	strbuf_addf(w->out, w->markdown ? "| %.2f %% | " : "%6.2f %%  ", share_pct(p, s->weight));
	add_interval(w, s->weight);
	strbuf_addf(w->out, w->markdown ? " | %.2f %% | %llu | " : "  %6.2f %%  %8llu  ", share_pct(p, s->total_weight),
		    (unsigned long long)s->samples);
	add_name(w, s->dso, FILE_COLUMNS);
	strbuf_adds(w->out, w->markdown ? " | " : "  ");
	add_name(w, s->symbol, 0);
	strbuf_adds(w->out, w->markdown ? " |\n" : "\n");
}

static void add_symbols(const struct writer *w, const char *title, const struct profile_symbol *const *symbols, size_t n)
{
	add_heading(w, title,
		    "| self | 95 % interval | inclusive | samples | file | symbol |\n|---:|---:|---:|---:|---|---|",
		    "    self      95 % interval  inclusive   samples  file                      symbol");
	for (size_t i = 0; i < n; i++)
		add_symbol(w, symbols[i]);
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

	/* Equal ones stay in the order of the list. */
	return (x < y) - (x > y) ?: (*s > *t) - (*s < *t);
}

static const struct profile_symbol **pointers(const struct profile *profile)
{
	const struct profile_symbol **list = xcalloc(profile->n_symbols + 1, sizeof *list);

	for (size_t i = 0; i < profile->n_symbols; i++)
		list[i] = &profile->symbols[i];
	return list;
}

static bool is_clock(const char *event)
{
	return !strncmp(event, "cpu-clock", 9) || !strncmp(event, "task-clock", 10);
}

static void add_title(const struct writer *w)
{
	const struct profile *p = w->profile;

	add_name(w, p->event, 0);
	strbuf_addf(w->out, ": %llu samples", (unsigned long long)p->samples);
	if (p->n_runs > 1)
		strbuf_addf(w->out, " of %zu runs", p->n_runs);
	if (is_clock(p->event))
		strbuf_addf(w->out, ", %.1f ms", p->weight / 1e6);
	else
		strbuf_addf(w->out, ", weight %.0f", p->weight);
	if (p->lost)
		strbuf_addf(w->out, ", %llu lost", (unsigned long long)p->lost);
	strbuf_addc(w->out, '\n');
}

static void add_doubts(const struct writer *w)
{
	for (size_t i = 0; i < w->profile->doubts.n; i++) {
		strbuf_adds(w->out, w->markdown && !i ? "\n- " : w->markdown ? "- " : "warning: ");
		(w->markdown ? escape_markdown : escape_terminal)(w->out, w->profile->doubts.items[i]);
		strbuf_addc(w->out, '\n');
	}
}

void top_render(const struct profile *profile, const struct top_options *options, struct strbuf *out)
{
	const struct writer w = { profile, options->markdown, out };
	CLEANUP(free_ptr) const struct profile_symbol **list = NULL;
	size_t n = options->symbols ? options->symbols : SYMBOLS_USUALLY;

	if (!profile_exists(profile)) {
		strbuf_adds(out, "There is no profile.\n");
		return;
	}
	if (n > profile->n_symbols)
		n = profile->n_symbols;
	list = pointers(profile);
	add_title(&w);
	add_doubts(&w);
	add_symbols(&w, "By self share", list, n);
	if (n)
		qsort(list, profile->n_symbols, sizeof *list, by_total);
	add_symbols(&w, "By inclusive share", list, n);
	add_parts(&w, "By file", &profile->dsos);
	if (options->threads)
		add_parts(&w, "By thread", &profile->threads);
}
