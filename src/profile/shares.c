#include "profile/shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "profile/names.h"

enum { PARTS_MOST = 200 };

struct part_sum {
	uint64_t samples;
	double weight;
};

/* What is summed of one symbol. */
struct sum {
	struct part_sum self, total;
	uint32_t shown;		/* frame that it is called after: the heaviest of those that are this symbol */
	double shown_weight;
	size_t stack;		/* the last that it was seen on, from 1 */
};

struct building {
	const struct stacks *stacks;
	uint32_t event;
	struct stacks symbols;	/* only frames are used: a symbol is a key in a file, strings of `stacks` */
	uint32_t *symbol_of;	/* by frame of `stacks`; one more for a stack without any */
	struct sum *sums;	/* by frame of `symbols` */
	uint64_t *run_samples;	/* self samples, n_runs for each symbol */
	size_t n_runs;
	struct part_sum *files, *threads;	/* by string */
};

/* -------- sums */

static void number_symbols(struct building *b)
{
	const struct stacks *stacks = b->stacks;

	b->symbol_of = xcalloc(stacks->n_frames + 1, sizeof *b->symbol_of);
	for (size_t i = 0; i < stacks->n_frames; i++) {
		const struct frame *f = &stacks->frames[i];

		b->symbol_of[i] = stacks_frame(&b->symbols, f->key ?: f->name, f->file);
	}
	b->symbol_of[stacks->n_frames] = stacks_frame(&b->symbols, 0, 0);
}

static void add(struct part_sum *sum, const struct stack *s)
{
	sum->samples += s->samples;
	sum->weight += s->weight;
}

static void add_total(struct sum *sum, const struct stack *s, size_t number)
{
	if (sum->stack == number)
		return;
	sum->stack = number;
	add(&sum->total, s);
}

static void add_stack(struct building *b, const struct stack *s, size_t number, double *frame_weights)
{
	const uint32_t *frames = b->stacks->pool + s->first;
	uint32_t leaf = s->n ? frames[s->n - 1] : (uint32_t)b->stacks->n_frames, symbol = b->symbol_of[leaf];

	add(&b->sums[symbol].self, s);
	b->run_samples[symbol * b->n_runs + s->run] += s->samples;
	frame_weights[leaf] += s->weight;
	add_total(&b->sums[symbol], s, number);
	for (size_t i = 0; i < s->n; i++)
		add_total(&b->sums[b->symbol_of[frames[i]]], s, number);
	add(&b->files[b->symbols.frames[symbol].dso], s);
	add(&b->threads[s->comm], s);
}

static void sum_up(struct building *b)
{
	const struct stacks *stacks = b->stacks;
	CLEANUP(free_ptr) double *frame_weights = xcalloc(stacks->n_frames + 1, sizeof *frame_weights);

	b->sums = xcalloc(b->symbols.n_frames, sizeof *b->sums);
	b->run_samples = xcalloc(b->symbols.n_frames * b->n_runs, sizeof *b->run_samples);
	b->files = xcalloc(stacks->n_strings + 1, sizeof *b->files);
	b->threads = xcalloc(stacks->n_strings + 1, sizeof *b->threads);
	for (size_t i = 0; i < stacks->n; i++)
		if (stacks->items[i].event == b->event)
			add_stack(b, &stacks->items[i], i + 1, frame_weights);
	for (uint32_t i = 0; i <= stacks->n_frames; i++) {
		struct sum *sum = &b->sums[b->symbol_of[i]];

		if (sum->shown_weight >= frame_weights[i] && sum->shown)
			continue;
		sum->shown = i + 1;
		sum->shown_weight = frame_weights[i];
	}
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

static void list_symbols(const struct building *b, struct profile *out)
{
	for (size_t i = 0; i < b->symbols.n_frames; i++) {
		const struct frame *f = &b->symbols.frames[i];
		const struct sum *sum = &b->sums[i];
		const char *key = f->name ? stacks_text(b->stacks, f->name) : "[unknown]";
		/* The kernel's own doings go by their group's name: to call all of them by one of them would mislead. */
		bool by_key = !f->name || !strcmp(key, "[kernel]");
		struct profile_symbol *symbol;

		if (!sum->total.samples)
			continue;
		symbol = profile_add_symbol(out, by_key ? key : stacks_frame_shown(b->stacks, sum->shown - 1), key,
					    stacks_text(b->stacks, f->dso));
		symbol->samples = sum->self.samples;
		symbol->total_samples = sum->total.samples;
		symbol->weight = sum->self.weight;
		symbol->total_weight = sum->total.weight;
		memcpy(symbol->run_samples, b->run_samples + i * b->n_runs, b->n_runs * sizeof *symbol->run_samples);
	}
	if (out->n_symbols)
		qsort(out->symbols, out->n_symbols, sizeof *out->symbols, compare_symbols);
	while (out->n_symbols > SHARES_SYMBOLS_MOST) {
		struct profile_symbol *symbol = &out->symbols[--out->n_symbols];

		out->rest_samples += symbol->samples;
		free(symbol->symbol);
		free(symbol->key);
		free(symbol->dso);
		free(symbol->run_samples);
	}
}

static void list_parts(const struct building *b, const struct part_sum *sums, const char *unnamed, struct profile_parts *out)
{
	for (size_t i = 0; i < b->stacks->n_strings; i++) {
		const char *name = stacks_text(b->stacks, (uint32_t)i);

		if (sums[i].samples)
			profile_add_part(out, *name ? name : unnamed, sums[i].samples, sums[i].weight);
	}
	if (out->n)
		qsort(out->items, out->n, sizeof *out->items, compare_parts);
	while (out->n > PARTS_MOST)
		free(out->items[--out->n].name);
}

/* The number of the event called NAME, or of the heaviest; n_events: there is none. */
static uint32_t find_event(const struct stacks *stacks, const char *name)
{
	uint32_t found = (uint32_t)stacks->n_events;

	for (uint32_t i = 0; i < stacks->n_events; i++) {
		const struct event_total *event = &stacks->events[i];

		if (name ? !strcmp(stacks_text(stacks, event->name), name)
			 : found == stacks->n_events || event->weight > stacks->events[found].weight)
			found = i;
	}
	return found;
}

void shares_build(const struct stacks *stacks, const char *event, struct profile *out)
{
	struct building b = { .stacks = stacks, .event = find_event(stacks, event), .n_runs = stacks->run + 1u };

	if (!event && b.event == stacks->n_events)
		return;
	out->event = xstrdup(event ?: stacks_text(stacks, stacks->events[b.event].name));
	out->normaliser = NORMALISER_VERSION;
	out->run_samples = xcalloc(b.n_runs, sizeof *out->run_samples);
	out->n_runs = b.n_runs;
	out->lost = stacks->lost;
	if (b.event < stacks->n_events) {
		out->samples = stacks->events[b.event].samples;
		out->weight = stacks->events[b.event].weight;
	}
	for (size_t i = 0; i < stacks->n; i++)
		if (stacks->items[i].event == b.event)
			out->run_samples[stacks->items[i].run] += stacks->items[i].samples;
	number_symbols(&b);
	sum_up(&b);
	list_symbols(&b, out);
	list_parts(&b, b.files, "[unknown]", &out->dsos);
	list_parts(&b, b.threads, "", &out->threads);
	stacks_release(&b.symbols);
	free(b.symbol_of);
	free(b.sums);
	free(b.run_samples);
	free(b.files);
	free(b.threads);
}
