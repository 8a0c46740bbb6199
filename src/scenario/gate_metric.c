/* Which metric a gate means, and those that gates own. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "scenario/gates.h"

const struct metric *gates_own(const struct gates *gates, const char *name)
{
	for (size_t i = 0; i < gates->n_own; i++)
		if (!strcmp(gates->own[i]->name, name))
			return gates->own[i];
	return NULL;
}

static const struct metric *take_own(struct gates *gates, struct metric *metric)
{
	VEC_GROW(gates->own, gates->n_own, gates->cap_own);
	return gates->own[gates->n_own++] = metric;
}

const struct metric *gates_adopt(struct gates *gates, const struct metric *metric)
{
	return metric_find(metric->name) ?: gates_own(gates, metric->name) ?: take_own(gates, metric_new_copy(metric));
}

const struct metric *gates_metric(struct gates *gates, const struct gate_names *names, const char *name)
{
	const struct metric *known = metric_find(name) ?: gates_own(gates, name);

	if (known)
		return known;
	for (size_t i = 0; i < names->n_printed; i++)
		if (!strcmp(names->printed[i].metric->name, name))
			return take_own(gates, metric_new_copy(names->printed[i].metric));
	return strv_has(names->events, name) ? take_own(gates, metric_new_event(name)) : NULL;
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
