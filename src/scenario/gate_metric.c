/* Which metric a gate means. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "scenario/gates.h"

const struct metric *gates_find_metric(const struct gates *gates, const char *name)
{
	for (size_t i = 0; i < gates->n; i++)
		if (!strcmp(gates->items[i].metric->name, name))
			return gates->items[i].metric;
	return NULL;
}

const struct metric *gates_metric(struct arena *arena, const struct gates *gates, const struct gate_names *names,
				  const char *name)
{
	const struct metric *known = metric_find(name) ?: gates_find_metric(gates, name);

	for (size_t i = 0; !known && i < names->n_printed; i++)
		if (!strcmp(names->printed[i].metric->name, name))
			known = names->printed[i].metric;
	if (!known && strv_has(names->events, name)) {
		const struct metric event = metric_of_event(name);

		known = metric_copy(arena, &event);
	}
	return known;
}

static const char *nearest_metric(const char *word, const struct gate_names *names)
{
	static const char *const words[] = { "symbols", "budgets" };
	size_t all = metric_catalogue_size * 2 + names->events->n + names->n_printed + sizeof words / sizeof *words, n = 0;
	CLEANUP(free_ptr) const char **known = xcalloc(all, sizeof *known);

	for (size_t i = 0; i < metric_catalogue_size; i++) {
		known[n++] = metric_catalogue[i].name;
		if (metric_catalogue[i].alias)
			known[n++] = metric_catalogue[i].alias;
	}
	for (size_t i = 0; i < names->events->n; i++)
		known[n++] = names->events->items[i];
	for (size_t i = 0; i < names->n_printed; i++)
		known[n++] = names->printed[i].metric->name;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		known[n++] = words[i];
	return nearest(word, known, n);
}

/* The metric whose twin per unit of work is called WORD; NULL: none is. */
static const struct metric *twin_of(const char *word)
{
	size_t len = strlen(word), tail = strlen(METRIC_PER_WORK);
	CLEANUP(free_ptr) char *name = NULL;

	if (len <= tail || strcmp(word + len - tail, METRIC_PER_WORK))
		return NULL;
	name = xstrndup(word, len - tail);
	return metric_find(name);
}

int gates_unknown_metric(struct source *source, const struct node *key, const struct gate_names *names)
{
	const struct metric *twin = twin_of(key->text);
	const char *near = nearest_metric(key->text, names);

	if (twin)
		return source_fault(source, key->at, "write '%s': it is judged per unit of work where the load tells its work",
				    twin->name);
	if (near)
		return source_fault(source, key->at, "unknown metric '%.60s'; did you mean '%s'?", key->text, near);
	return source_fault(source, key->at,
			    "unknown metric '%.60s': neither in the catalogue of metrics nor under measure.events or "
			    "metrics",
			    key->text);
}
