#include "cmd/accepted_profile.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "report/table.h"

enum { SYMBOLS_SHOWN = 10 };

static const double least_pp = 1;

static void add_samples(struct strbuf *out, const struct profile *profile)
{
	strbuf_addf(out, "%llu sample%s of ", (unsigned long long)profile->samples, profile->samples == 1 ? "" : "s");
	escape_terminal(out, profile->event);
	strbuf_addf(out, " at %u Hz, call graph %s", profile->frequency, call_graph_name(profile->call_graph));
}

static void add_cell(struct table *table, const char *foreign)
{
	CLEANUP(strbuf_release) struct strbuf safe = STRBUF_INIT;

	escape_terminal(&safe, foreign);
	table_add(table, *safe.buf ? safe.buf : "-", NULL);
}

void accepted_profile_add(struct strbuf *out, const struct profile *profile)
{
	static const char *const titles[] = { "share", "samples", "file", "symbol" };
	CLEANUP(table_release) struct table table;
	char number[32];

	table_init(&table, "rrll");
	if (!profile_exists(profile))
		return;
	strbuf_adds(out, "  profile: ");
	add_samples(out, profile);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		table_add(&table, titles[i], NULL);
	for (size_t i = 0; i < profile->n_symbols && i < SYMBOLS_SHOWN; i++) {
		const struct profile_symbol *symbol = &profile->symbols[i];

		snprintf(number, sizeof number, "%.1f %%", profile_share_pct(profile, symbol));
		table_add(&table, number, NULL);
		snprintf(number, sizeof number, "%llu", (unsigned long long)symbol->samples);
		table_add(&table, number, NULL);
		add_cell(&table, symbol->dso);
		add_cell(&table, symbol->symbol);
	}
	table_render(&table, 2, out);
}

/* Why shares of the two cannot be compared, or NULL. */
static const char *difference(const struct profile *a, const struct profile *b)
{
	if (strcmp(a->event, b->event))
		return "another event";
	if (a->frequency != b->frequency)
		return "another frequency";
	if (a->call_graph != b->call_graph)
		return "another call graph";
	return a->normaliser == b->normaliser ? NULL : "another version of comparable names";
}

bool accepted_profile_comparable(const struct profile *a, const struct profile *b)
{
	return profile_exists(a) && profile_exists(b) && !difference(a, b);
}

struct change {
	const struct profile_symbol *symbol;
	double before_pct, now_pct;
};

struct changes {
	struct change *items;
	size_t n, cap;
};

static void changes_release(struct changes *changes)
{
	free(changes->items);
}

static double size_of(const struct change *change)
{
	return fabs(change->now_pct - change->before_pct);
}

static int by_size(const void *a, const void *b)
{
	double x = size_of(a), y = size_of(b);

	return (x < y) - (x > y);
}

static void add_change(struct changes *changes, const struct profile_symbol *symbol, double before_pct, double now_pct)
{
	const struct change change = { symbol, before_pct, now_pct };

	if (size_of(&change) <= least_pp)
		return;
	VEC_GROW(changes->items, changes->n, changes->cap);
	changes->items[changes->n++] = change;
}

static void find_changes(const struct profile *before, const struct profile *now, struct changes *out)
{
	if (!accepted_profile_comparable(before, now))
		return;
	for (size_t i = 0; i < now->n_symbols; i++) {
		const struct profile_symbol *symbol = &now->symbols[i];

		add_change(out, symbol, profile_share_pct(before, profile_find(before, symbol->key, symbol->dso)),
			   profile_share_pct(now, symbol));
	}
	for (size_t i = 0; i < before->n_symbols; i++) {
		const struct profile_symbol *symbol = &before->symbols[i];

		if (!profile_find(now, symbol->key, symbol->dso))
			add_change(out, symbol, profile_share_pct(before, symbol), 0);
	}
	if (out->n)
		qsort(out->items, out->n, sizeof *out->items, by_size);
}

static void add_changes(struct strbuf *out, size_t indent, const struct changes *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->items[i];

		strbuf_pad(out, ' ', indent);
		strbuf_addf(out, "share %5.1f %% -> %5.1f %%  %+5.1f pp  ", change->before_pct, change->now_pct,
			    change->now_pct - change->before_pct);
		escape_terminal(out, change->symbol->symbol);
		strbuf_adds(out, " (");
		escape_terminal(out, *change->symbol->dso ? change->symbol->dso : "-");
		strbuf_adds(out, ")\n");
	}
}

static void add_why_not(struct strbuf *out, const struct profile *before, const struct profile *now)
{
	if (!profile_exists(now)) {
		strbuf_adds(out, "profile: gone\n");
		return;
	}
	strbuf_adds(out, profile_exists(before) ? "profile: " : "profile: new, ");
	add_samples(out, now);
	if (profile_exists(before))
		strbuf_addf(out, "; its shares cannot be compared with those of %s", difference(before, now));
	strbuf_addc(out, '\n');
}

void accepted_profile_changes_add(struct strbuf *out, size_t indent, const struct profile *before,
				  const struct profile *now)
{
	CLEANUP(changes_release) struct changes changes = { 0 };

	if (!profile_exists(before) && !profile_exists(now))
		return;
	if (!accepted_profile_comparable(before, now)) {
		strbuf_pad(out, ' ', indent);
		add_why_not(out, before, now);
	}
	find_changes(before, now, &changes);
	add_changes(out, indent, &changes);
}

void accepted_profile_changes_json(cJSON *array, const struct profile *before, const struct profile *now)
{
	CLEANUP(changes_release) struct changes changes = { 0 };

	find_changes(before, now, &changes);
	for (size_t i = 0; i < changes.n; i++) {
		const struct change *change = &changes.items[i];
		cJSON *one = json_add_object(array, NULL);

		json_add_string(one, "symbol", change->symbol->symbol);
		json_add_string(one, "dso", change->symbol->dso);
		json_add_number(one, "before_pct", change->before_pct);
		json_add_number(one, "now_pct", change->now_pct);
		json_add_number(one, "change_pp", change->now_pct - change->before_pct);
	}
}
