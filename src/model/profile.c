#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

enum { HASH_LENGTH = 17 };	/* with its mark */

const char *const call_graph_names[] = { "fp", "dwarf", "lbr", NULL };

static void parts_release(struct profile_parts *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		free(parts->items[i].name);
	free(parts->items);
}

void profile_release(struct profile *profile)
{
	for (size_t i = 0; i < profile->n_symbols; i++) {
		free(profile->symbols[i].symbol);
		free(profile->symbols[i].key);
		free(profile->symbols[i].dso);
		free(profile->symbols[i].run_samples);
	}
	free(profile->symbols);
	free(profile->event);
	free(profile->run_samples);
	parts_release(&profile->dsos);
	parts_release(&profile->threads);
	strv_release(&profile->warnings);
	*profile = (struct profile){ .overhead_pct = NAN };
}

static uint64_t *copy_counts(const uint64_t *counts, size_t n)
{
	return n ? xcopy(counts, n * sizeof *counts) : NULL;
}

static void copy_symbols(struct profile *out, const struct profile *from)
{
	out->symbols = xcalloc(from->n_symbols + 1, sizeof *out->symbols);
	out->n_symbols = from->n_symbols;
	out->cap_symbols = from->n_symbols + 1;
	for (size_t i = 0; i < from->n_symbols; i++) {
		struct profile_symbol *symbol = &out->symbols[i];

		*symbol = from->symbols[i];
		symbol->symbol = xstrdup(symbol->symbol);
		symbol->key = xstrdup(symbol->key);
		symbol->dso = xstrdup(symbol->dso);
		symbol->run_samples = copy_counts(symbol->run_samples, from->n_runs);
	}
}

static void copy_parts(struct profile_parts *out, const struct profile_parts *from)
{
	*out = (struct profile_parts){ 0 };
	for (size_t i = 0; i < from->n; i++)
		profile_add_part(out, from->items[i].name, from->items[i].samples, from->items[i].weight);
}

void profile_copy(struct profile *out, const struct profile *from)
{
	*out = *from;
	out->event = xstrdup(from->event);
	out->run_samples = copy_counts(from->run_samples, from->n_runs);
	out->warnings = (struct strv)STRV_INIT;
	strv_copy(&out->warnings, &from->warnings);
	copy_symbols(out, from);
	copy_parts(&out->dsos, &from->dsos);
	copy_parts(&out->threads, &from->threads);
}

bool profile_exists(const struct profile *profile)
{
	return profile->event;
}

bool profile_event_is_clock(const char *event)
{
	return !strncmp(event, "cpu-clock", 9) || !strncmp(event, "task-clock", 10);
}

static char *kept_name(const char *text)
{
	struct strbuf name = STRBUF_INIT;
	bool whole = true;

	for (const char *at = text; *at;) {
		uint32_t code;
		size_t n = utf8_decode(at, &code);

		strbuf_add(&name, n ? at : "\xef\xbf\xbd", n ?: 3);
		at += n ?: 1;
		whole &= n > 0;
	}
	whole &= name.len <= PROFILE_NAME_LONGEST;
	if (!whole) {
		strbuf_truncate(&name, utf8_clip(name.buf, PROFILE_NAME_LONGEST - HASH_LENGTH));
		strbuf_addf(&name, "#%016llx", (unsigned long long)fnv_text(FNV_START, text));
	}
	return strbuf_take(&name);
}

struct profile_symbol *profile_add_symbol(struct profile *profile, const char *symbol, const char *key, const char *dso)
{
	VEC_GROW(profile->symbols, profile->n_symbols, profile->cap_symbols);
	profile->symbols[profile->n_symbols] = (struct profile_symbol){
		.symbol = kept_name(symbol), .key = kept_name(key), .dso = kept_name(dso),
		.run_samples = xcalloc(profile->n_runs + 1, sizeof *profile->run_samples),
	};
	return &profile->symbols[profile->n_symbols++];
}

void profile_add_part(struct profile_parts *parts, const char *name, uint64_t samples, double weight)
{
	VEC_GROW(parts->items, parts->n, parts->cap);
	parts->items[parts->n++] = (struct profile_part){ kept_name(name), samples, weight };
}

const struct profile_symbol *profile_find(const struct profile *profile, const char *key, const char *dso)
{
	CLEANUP(free_ptr) char *kept_key = kept_name(key);
	CLEANUP(free_ptr) char *kept_dso = kept_name(dso);

	for (size_t i = 0; i < profile->n_symbols; i++)
		if (!strcmp(profile->symbols[i].key, kept_key) && !strcmp(profile->symbols[i].dso, kept_dso))
			return &profile->symbols[i];
	return NULL;
}

/* The only symbol of that key in OTHER, when its file holds nothing of the kind in OWN. */
static const struct profile_symbol *find_elsewhere(const struct profile *own, const struct profile *other, const char *key)
{
	const struct profile_symbol *found = NULL;

	/* Names such as "[unknown]" mean nothing by themselves. */
	if (*key == '[' || !*key)
		return NULL;
	for (size_t i = 0; i < other->n_symbols; i++) {
		const struct profile_symbol *candidate = &other->symbols[i];

		if (strcmp(candidate->key, key))
			continue;
		if (found || profile_find(own, key, candidate->dso))
			return NULL;
		found = candidate;
	}
	return found;
}

const struct profile_symbol *profile_find_same(const struct profile *own, const struct profile *other,
					       const struct profile_symbol *symbol)
{
	const struct profile_symbol *found = profile_find(other, symbol->key, symbol->dso);

	if (found)
		return found;
	found = find_elsewhere(own, other, symbol->key);
	/* One for one only: were there two here, it could be either. */
	return found && find_elsewhere(other, own, symbol->key) == symbol ? found : NULL;
}

double profile_share_pct(const struct profile *profile, const struct profile_symbol *symbol)
{
	return symbol && profile->weight > 0 ? 100 * symbol->weight / profile->weight : 0;
}
