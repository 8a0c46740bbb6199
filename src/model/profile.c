#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_LENGTH = 17 };	/* with its mark */

const char *const call_graph_names[] = { "fp", "dwarf", "lbr", NULL };

void profile_release(struct profile *profile)
{
	arena_release(&profile->arena);
	*profile = (struct profile){ .overhead_pct = NAN };
}

struct profile profile_view(const struct profile *profile)
{
	struct profile view = *profile;

	view.arena = (struct arena)ARENA_INIT;
	return view;
}

bool profile_exists(const struct profile *profile)
{
	return profile->event;
}

const char *profile_incomparable(const struct profile *a, const struct profile *b)
{
	if (!profile_exists(a) || !profile_exists(b))
		return "none";
	if (strcmp(a->event, b->event))
		return "another event";
	if (a->call_graph != b->call_graph)
		return "another call graph";
	return a->normaliser == b->normaliser ? NULL : "another version of comparable names";
}

bool profile_event_is_clock(const char *event)
{
	return text_starts(event, "cpu-clock") || text_starts(event, "task-clock");
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
	struct arena *arena = &profile->arena;

	ARENA_GROW(arena, profile->symbols, profile->n_symbols, profile->cap_symbols);
	profile->symbols[profile->n_symbols] = (struct profile_symbol){
		.symbol = arena_take(arena, kept_name(symbol)), .key = arena_take(arena, kept_name(key)),
		.dso = arena_take(arena, kept_name(dso)),
		.run_samples = arena_alloc(arena, profile->n_runs * sizeof *profile->run_samples),
	};
	return &profile->symbols[profile->n_symbols++];
}

void profile_add_part(struct profile *profile, struct profile_parts *parts, const char *name, uint64_t samples, double weight)
{
	ARENA_GROW(&profile->arena, parts->items, parts->n, parts->cap);
	parts->items[parts->n++] = (struct profile_part){ arena_take(&profile->arena, kept_name(name)), samples, weight };
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

/* Returns the only symbol of OTHER with this key, if OWN has no such key in its file; else NULL. */
static const struct profile_symbol *find_elsewhere(const struct profile *own, const struct profile *other, const char *key)
{
	const struct profile_symbol *found = NULL;

	/* Names such as "[unknown]" are ambiguous across files. */
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
	/* The match must be unique in both directions. */
	return found && find_elsewhere(other, own, symbol->key) == symbol ? found : NULL;
}

double profile_share_pct(const struct profile *profile, const struct profile_symbol *symbol)
{
	return symbol && profile->weight > 0 ? 100 * symbol->weight / profile->weight : 0;
}
