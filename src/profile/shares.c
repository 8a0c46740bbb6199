#include "profile/shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "profile/names.h"

enum { PARTS_MOST = 200 };

/* What is summed of one symbol; its number is that of the frame (key, dso) in `names`. */
struct sum {
	uint64_t samples, total_samples;
	double weight, total_weight;
	uint32_t shown;		/* of `names`: what it is called; of several the heaviest */
	double shown_weight;
	size_t stack;		/* the last that it was seen on, from 1 */
	uint64_t run_samples[PROFILE_RUNS_MAX];
};

struct part_sum {
	uint64_t samples;
	double weight;
};

/* Runs number their strings each in their own way; `names` gives all of them one number. */
struct building {
	struct stacks names;
	struct sum *sums;	/* parallel to names.frames */
	size_t cap_sums;
	struct part_sum *dsos, *threads;	/* by string of `names` */
	size_t cap_dsos, cap_threads;
	uint32_t nobody;	/* what an empty stack counts for */
	size_t n_stacks;
};

/* -------- one number for all runs */

static uint32_t string_of(struct building *b, const char *text)
{
	return stacks_string(&b->names, text, strlen(text));
}

static uint32_t symbol_of(struct building *b, const char *key, const char *path)
{
	CLEANUP(strbuf_release) struct strbuf file = STRBUF_INIT;

	name_of_dso(path, &file);
	return stacks_frame(&b->names, string_of(b, key), string_of(b, file.buf));
}

static uint32_t *symbols_of(struct building *b, const struct stacks *run)
{
	uint32_t *numbers = xcalloc(run->n_frames + 1, sizeof *numbers);

	for (size_t i = 0; i < run->n_frames; i++) {
		const struct frame *f = &run->frames[i];

		numbers[i] = symbol_of(b, stacks_text(run, f->key ?: f->name), stacks_text(run, f->dso));
	}
	return numbers;
}

static void widen(void **items, size_t *cap, size_t n, size_t size)
{
	if (n <= *cap)
		return;
	*items = xrealloc_array(*items, n, size);
	memset((char *)*items + *cap * size, 0, (n - *cap) * size);
	*cap = n;
}

static void add_part(struct building *b, struct part_sum **parts, size_t *cap, uint32_t string, const struct stack *s)
{
	widen((void **)parts, cap, b->names.n_strings, sizeof **parts);
	(*parts)[string].samples += s->samples;
	(*parts)[string].weight += s->weight;
}

/* -------- sums */

static void add_self(struct sum *sum, const struct stack *s, size_t run)
{
	sum->samples += s->samples;
	sum->weight += s->weight;
	sum->run_samples[run] += s->samples;
}

static void add_total(struct building *b, struct sum *sum, const struct stack *s)
{
	if (sum->stack == b->n_stacks)
		return;
	sum->stack = b->n_stacks;
	sum->total_samples += s->samples;
	sum->total_weight += s->weight;
}

static void add_stack(struct building *b, const struct stacks *run, size_t r, const uint32_t *numbers, const struct stack *s)
{
	uint32_t leaf = s->n ? numbers[run->pool[s->first + s->n - 1]] : b->nobody;

	b->n_stacks++;
	add_self(&b->sums[leaf], s, r);
	add_total(b, &b->sums[leaf], s);
	for (size_t i = 0; i < s->n; i++)
		add_total(b, &b->sums[numbers[run->pool[s->first + i]]], s);
	add_part(b, &b->dsos, &b->cap_dsos, b->names.frames[leaf].dso, s);
	add_part(b, &b->threads, &b->cap_threads, string_of(b, stacks_text(run, s->comm)), s);
}

/* Self weights by frame, as two frames of one key may be called differently. */
static void choose_shown(struct building *b, const struct stacks *run, const uint32_t *numbers, uint32_t event)
{
	CLEANUP(free_ptr) double *weights = xcalloc(run->n_frames + 1, sizeof *weights);

	for (size_t i = 0; i < run->n; i++)
		if (run->items[i].event == event && run->items[i].n)
			weights[run->pool[run->items[i].first + run->items[i].n - 1]] += run->items[i].weight;
	for (size_t i = 0; i < run->n_frames; i++) {
		struct sum *sum = &b->sums[numbers[i]];

		if (sum->shown && weights[i] <= sum->shown_weight)
			continue;
		sum->shown = string_of(b, stacks_frame_shown(run, (uint32_t)i));
		sum->shown_weight = weights[i];
	}
}

/* The number of EVENT in RUN; false when it has none of it. */
static bool event_in(const struct stacks *run, const char *event, uint32_t *out)
{
	for (size_t i = 0; i < run->n_events; i++)
		if (!strcmp(stacks_text(run, run->events[i].name), event)) {
			*out = (uint32_t)i;
			return true;
		}
	return false;
}

static void add_run(struct building *b, const struct stacks *run, size_t r, const char *event)
{
	CLEANUP(free_ptr) uint32_t *numbers = symbols_of(b, run);
	uint32_t number;

	widen((void **)&b->sums, &b->cap_sums, b->names.n_frames, sizeof *b->sums);
	if (!event_in(run, event, &number))
		return;
	for (size_t i = 0; i < run->n; i++)
		if (run->items[i].event == number)
			add_stack(b, run, r, numbers, &run->items[i]);
	choose_shown(b, run, numbers, number);
}

/* -------- the profile */

static int by_weight(double a, double b)
{
	return (a < b) - (a > b);
}

static int compare_symbols(const void *a, const void *b)
{
	const struct profile_symbol *s = a, *t = b;

	return by_weight(s->weight, t->weight) ?: by_weight(s->total_weight, t->total_weight) ?: strcmp(s->key, t->key) ?:
	       strcmp(s->dso, t->dso);
}

static int compare_parts(const void *a, const void *b)
{
	const struct profile_part *p = a, *q = b;

	return by_weight(p->weight, q->weight) ?: strcmp(p->name, q->name);
}

/* The kernel's own doings go by their group's name: to call all of them by one of them would mislead. */
static const char *shown_of(const struct building *b, const struct sum *sum, const char *key)
{
	return !sum->shown || !strcmp(key, "[kernel]") ? key : stacks_text(&b->names, sum->shown);
}

static void list_symbols(const struct building *b, struct profile *out)
{
	for (size_t i = 0; i < b->cap_sums; i++) {
		const struct frame *f = &b->names.frames[i];
		const struct sum *sum = &b->sums[i];
		const char *key = stacks_text(&b->names, f->name);
		struct profile_symbol *symbol;

		if (!sum->total_samples)
			continue;
		symbol = profile_add_symbol(out, shown_of(b, sum, key), key, stacks_text(&b->names, f->dso));
		symbol->samples = sum->samples;
		symbol->total_samples = sum->total_samples;
		symbol->weight = sum->weight;
		symbol->total_weight = sum->total_weight;
		memcpy(symbol->run_samples, sum->run_samples, out->n_runs * sizeof *sum->run_samples);
	}
	if (out->n_symbols)
		qsort(out->symbols, out->n_symbols, sizeof *out->symbols, compare_symbols);
}

static void drop_light_symbols(struct profile *out)
{
	while (out->n_symbols > SHARES_SYMBOLS_MOST) {
		struct profile_symbol *symbol = &out->symbols[--out->n_symbols];

		out->rest_samples += symbol->samples;
		free(symbol->symbol);
		free(symbol->key);
		free(symbol->dso);
		free(symbol->run_samples);
	}
}

static void list_parts(const struct building *b, const struct part_sum *sums, size_t n, const char *unnamed,
		       struct profile_parts *out)
{
	for (size_t i = 0; i < n; i++) {
		const char *name = stacks_text(&b->names, (uint32_t)i);

		if (sums[i].samples)
			profile_add_part(out, *name ? name : unnamed, sums[i].samples, sums[i].weight);
	}
	if (out->n)
		qsort(out->items, out->n, sizeof *out->items, compare_parts);
	while (out->n > PARTS_MOST)
		free(out->items[--out->n].name);
}

/* The name of the event that weighs most, or NULL. */
static const char *heaviest_event(const struct stacks *const *runs, size_t n_runs)
{
	const char *heaviest = NULL;
	double most = 0;

	for (size_t r = 0; r < n_runs; r++)
		for (size_t e = 0; e < runs[r]->n_events; e++) {
			const char *name = stacks_text(runs[r], runs[r]->events[e].name);
			double weight = 0;
			uint32_t number;

			for (size_t i = 0; i < n_runs; i++)
				weight += event_in(runs[i], name, &number) ? runs[i]->events[number].weight : 0;
			if (heaviest && weight <= most)
				continue;
			heaviest = name;
			most = weight;
		}
	return heaviest;
}

static void sum_runs(const struct stacks *const *runs, size_t n_runs, struct profile *out)
{
	out->run_samples = xcalloc(n_runs + 1, sizeof *out->run_samples);
	out->n_runs = n_runs;
	for (size_t r = 0; r < n_runs; r++) {
		uint32_t number;

		out->lost += runs[r]->lost;
		if (!event_in(runs[r], out->event, &number))
			continue;
		out->run_samples[r] = runs[r]->events[number].samples;
		out->samples += runs[r]->events[number].samples;
		out->weight += runs[r]->events[number].weight;
	}
}

void shares_build(const struct stacks *const *runs, size_t n_runs, const char *event, struct profile *out)
{
	struct building b = { 0 };

	if (!event)
		event = heaviest_event(runs, n_runs);
	if (!event)
		return;
	if (n_runs > PROFILE_RUNS_MAX)
		abort();
	out->event = xstrdup(event);
	out->normaliser = NORMALISER_VERSION;
	sum_runs(runs, n_runs, out);
	b.nobody = symbol_of(&b, "[unknown]", "");
	for (size_t r = 0; r < n_runs; r++)
		add_run(&b, runs[r], r, event);
	list_symbols(&b, out);
	drop_light_symbols(out);
	list_parts(&b, b.dsos, b.cap_dsos, "[unknown]", &out->dsos);
	list_parts(&b, b.threads, b.cap_threads, "", &out->threads);
	stacks_release(&b.names);
	free(b.sums);
	free(b.dsos);
	free(b.threads);
}
