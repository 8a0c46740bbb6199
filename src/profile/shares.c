#include "profile/shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/names.h"

enum { PARTS_MOST = 200 };

struct part_sum {
	uint64_t samples;
	double weight;
};

/* Sums for one symbol. */
struct sum {
	struct part_sum self, total;
	uint32_t shown;		/* frame that names it: the heaviest of its frames */
	double shown_weight;
	size_t stack;		/* the last stack with it, counted from 1 */
};

struct building {
	const struct stacks *stacks;
	uint32_t event;
	struct pair_index symbols;	/* a key in a file, both strings of `stacks` */
	uint32_t *symbol_of;	/* by frame of `stacks`, plus one for a stack without frames */
	struct sum *sums;	/* by symbol */
	uint64_t *run_samples;	/* self samples, n_runs per symbol */
	size_t n_runs;
	struct part_sum *files, *threads;	/* by string */
};

/* -------- sums */

static void add(struct part_sum *sum, const struct stack *s)
{
	sum->samples += s->samples;
	sum->weight += s->weight;
}

/* S is stack NUMBER. A symbol counts once, however often it occurs on it. */
static void add_total(struct sum *sum, const struct stack *s, size_t number)
{
	if (sum->stack != number)
		add(&sum->total, s);
	sum->stack = number;
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
	add(&b->files[b->symbols.items[symbol].b], s);
	add(&b->threads[s->comm], s);
}

static void sum_up(struct building *b)
{
	const struct stacks *stacks = b->stacks;
	CLEANUP(free_ptr) double *frame_weights = xcalloc(stacks->n_frames + 1, sizeof *frame_weights);

	b->symbol_of = xcalloc(stacks->n_frames + 1, sizeof *b->symbol_of);
	for (size_t i = 0; i < stacks->n_frames; i++) {
		const struct frame *f = &stacks->frames[i];

		b->symbol_of[i] = pair_index_of(&b->symbols, f->key ?: f->name, f->file);
	}
	b->symbol_of[stacks->n_frames] = pair_index_of(&b->symbols, 0, 0);
	b->sums = xcalloc(b->symbols.n, sizeof *b->sums);
	b->run_samples = xcalloc(b->symbols.n * b->n_runs, sizeof *b->run_samples);
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
	for (size_t i = 0; i < b->symbols.n; i++) {
		const struct pair *id = &b->symbols.items[i];
		const struct sum *sum = &b->sums[i];
		const char *key = id->a ? stacks_text(b->stacks, id->a) : "[unknown]";
		/* The kernel's grouped functions go by their group's name; the name of one of them would mislead. */
		bool by_key = !id->a || !strcmp(key, "[kernel]");
		struct profile_symbol *symbol;

		if (!sum->total.samples)
			continue;
		symbol = profile_add_symbol(out, by_key ? key : stacks_frame_shown(b->stacks, sum->shown - 1), key,
					    stacks_text(b->stacks, id->b));
		symbol->samples = sum->self.samples;
		symbol->total_samples = sum->total.samples;
		symbol->weight = sum->self.weight;
		symbol->total_weight = sum->total.weight;
		memcpy(symbol->run_samples, b->run_samples + i * b->n_runs, b->n_runs * sizeof *symbol->run_samples);
	}
	if (out->n_symbols)
		qsort(out->symbols, out->n_symbols, sizeof *out->symbols, compare_symbols);
	while (out->n_symbols > PROFILE_SYMBOLS_MOST)
		out->rest_samples += out->symbols[--out->n_symbols].samples;
}

static void list_parts(const struct building *b, const struct part_sum *sums, const char *unnamed, struct profile *profile,
		       struct profile_parts *out)
{
	for (size_t i = 0; i < b->stacks->n_strings; i++) {
		const char *name = stacks_text(b->stacks, (uint32_t)i);

		if (sums[i].samples)
			profile_add_part(profile, out, *name ? name : unnamed, sums[i].samples, sums[i].weight);
	}
	if (out->n)
		qsort(out->items, out->n, sizeof *out->items, compare_parts);
	if (out->n > PARTS_MOST)
		out->n = PARTS_MOST;
}

/* Returns the number of the event called NAME, or of the heaviest; n_events if not found. */
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
	out->event = arena_strdup(&out->arena, event ?: stacks_text(stacks, stacks->events[b.event].name));
	out->normaliser = NORMALISER_VERSION;
	out->run_samples = arena_alloc(&out->arena, b.n_runs * sizeof *out->run_samples);
	out->n_runs = b.n_runs;
	out->lost = stacks->lost;
	if (b.event < stacks->n_events) {
		out->samples = stacks->events[b.event].samples;
		out->weight = stacks->events[b.event].weight;
	}
	for (size_t i = 0; i < stacks->n; i++)
		if (stacks->items[i].event == b.event)
			out->run_samples[stacks->items[i].run] += stacks->items[i].samples;
	sum_up(&b);
	list_symbols(&b, out);
	list_parts(&b, b.files, "[unknown]", out, &out->dsos);
	list_parts(&b, b.threads, "", out, &out->threads);
	pair_index_release(&b.symbols);
	free(b.symbol_of);
	free(b.sums);
	free(b.run_samples);
	free(b.files);
	free(b.threads);
}

/* -------- warnings */

#define WARN(profile_, ...) arena_pushf(&(profile_)->arena, &(profile_)->warnings, __VA_ARGS__)

/* Warning thresholds, in percent of the weight. */
enum {
	SHALLOW_PCT = 75,	/* in chains of one or two frames */
	STRIPPED_PCT = 5,	/* without symbol, in one file */
	UNKNOWN_PCT = 50,	/* of the frames */
	HIDDEN_PCT = 1,		/* in the kernel without symbol */
	FILES_NAMED = 3,
};

/* Weights of the profile's event. */
struct tally {
	double all;
	double deep, shallow;	/* samples in user code, by how many of their frames are in a known file */
	double frames, unknown_frames;
	double kernel, hidden_kernel;
	double *file, *file_unknown;	/* of leaves, by the number of the path's string */
};

/* True if a chain reaches a thread's entry point, however short it is. */
static bool is_whole(const struct stacks *stacks, const struct frame *root)
{
	static const char *const roots[] = { "_start", "__libc_start_", "start_thread", "clone", "__clone", "_dl_start", "thread_start" };

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
		if (text_starts(stacks_text(stacks, root->name), roots[i]))
			return true;
	return false;
}

static void tally_stack(const struct stacks *stacks, const struct stack *s, const bool *unknown, struct tally *out)
{
	const uint32_t *frames = stacks->pool + s->first;
	const struct frame *leaf = s->n ? &stacks->frames[frames[s->n - 1]] : NULL;
	double leaf_unknown = s->n && unknown[frames[s->n - 1]] ? s->weight : 0;
	size_t depth = 0;

	out->all += s->weight;
	for (size_t i = 0; i < s->n; i++) {
		const struct frame *f = &stacks->frames[frames[i]];

		/* Frames without a file come from failed unwinding and do not count. */
		depth += !f->kernel && f->file;
		out->frames += s->weight;
		out->unknown_frames += unknown[frames[i]] ? s->weight : 0;
	}
	if (depth)
		*(depth <= 2 && !is_whole(stacks, &stacks->frames[frames[0]]) ? &out->shallow : &out->deep) += s->weight;
	if (leaf && leaf->kernel) {
		out->kernel += s->weight;
		out->hidden_kernel += leaf_unknown;
	} else if (leaf) {
		out->file[leaf->dso] += s->weight;
		out->file_unknown[leaf->dso] += leaf_unknown;
	}
}

static double pct(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* -------- texts of warnings */

static void warn_samples(struct profile *profile)
{
	unsigned long long n = profile->samples;
	const char *s = n == 1 ? "" : "s", *duration = profile->cut ? "--budget" : "profile.duration";

	/* Without a frequency it is an external recording, which is never gated. */
	if (n >= (profile->frequency ? PROFILE_SAMPLES_GATED : PROFILE_SAMPLES_SHOWN))
		return;
	if (!n)
		WARN(profile, "there are no samples: the target used no CPU time while it was recorded; let it "
			  "work longer, or raise %s", duration);
	else if (!profile->frequency)
		WARN(profile, "%llu sample%s: small shares in the picture are chance; record for longer, or more "
			   "often (perf record -F)", n, s);
	else
		WARN(profile, "%llu sample%s, and symbol gates need %d%s: raise profile.frequency or %s", n,
			   s, PROFILE_SAMPLES_GATED, n < PROFILE_SAMPLES_SHOWN ? "; even small shares in the picture are chance" : "", duration);
}

static void warn_lost(struct profile *profile)
{
	double lost = (double)profile->lost;

	if (profile->lost)
		WARN(profile, "perf lost %llu samples (%.1f %%), so the shares lean towards what ran while none "
			   "were lost: %s%s", (unsigned long long)profile->lost, pct(lost, lost + (double)profile->samples),
			   profile->frequency ? "lower profile.frequency"
					      : "record less often (perf record -F), or with larger buffers (-m)",
			   profile->call_graph == CALL_GRAPH_DWARF ? ", or set profile.call-graph: fp" : "");
}

/* For an external recording the remedy is an option of perf record, not a key of the scenario. */
static const char *unwind_by_dwarf(const struct profile *profile)
{
	return profile->frequency ? "set profile.call-graph: dwarf" : "record with perf record --call-graph dwarf";
}

static bool warn_chains(struct profile *profile, const struct tally *t)
{
	double share = pct(t->shallow, t->shallow + t->deep);

	if (share < SHALLOW_PCT)
		return false;
	if (profile->call_graph == CALL_GRAPH_DWARF)
		WARN(profile, "chains end after one or two frames in %.0f %% of the samples: there is nothing to "
			   "unwind by; build with -fasynchronous-unwind-tables, and not with strip --strip-all", share);
	else
		WARN(profile, "chains end after one or two frames in %.0f %% of the samples: frame pointers are "
			   "missing; build with -fno-omit-frame-pointer, or %s", share, unwind_by_dwarf(profile));
	return true;
}

const char *shares_symbols_remedy(const char *file)
{
	if (!strcmp(file, "[jit]"))
		return "let its engine write a symbol map for perf (node --perf-basic-prof, python3 -X perf)";
	if (!strcmp(file, "[kernel]"))
		return "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1";
	return "build it with -g and install it unstripped, or install its debug symbols (Debian: the package ending in -dbgsym)";
}

/* Warns about files whose self time is mostly without symbols, the heaviest first. */
static bool warn_stripped(const struct stacks *stacks, struct profile *profile, struct tally *t)
{
	bool warned = false;

	for (int i = 0; i < FILES_NAMED; i++) {
		uint32_t worst = 0;
		size_t frame = 0;
		const char *file;
		double share;

		for (uint32_t f = 1; f < stacks->n_strings; f++)
			if (t->file_unknown[f] > t->file_unknown[worst] && 2 * t->file_unknown[f] > t->file[f] &&
			    strcmp(stacks_text(stacks, f), "[unknown]") != 0)
				worst = f;
		share = pct(t->file_unknown[worst], t->all);
		if (!worst || share < STRIPPED_PCT)
			break;
		while (stacks->frames[frame].dso != worst)
			frame++;
		file = stacks_text(stacks, stacks->frames[frame].file);
		if (!strcmp(file, "[jit]"))
			WARN(profile, "%.0f %% of the profile is code made at run time, without symbols: %s", share,
				   shares_symbols_remedy(file));
		else
			WARN(profile, "%.0f %% of the profile is in %s without symbols: it is stripped, or was replaced "
				   "since; %s", share, stacks_text(stacks, worst), shares_symbols_remedy(file));
		t->file_unknown[worst] = 0;
		warned = true;
	}
	return warned;
}

static void warn_kernel(struct profile *profile, const struct tally *t)
{
	const char *modifier = strrchr(profile->event, ':');
	double share = pct(t->hidden_kernel, t->all);

	if (modifier && strchr(modifier, 'u') && !strchr(modifier, 'k'))
		WARN(profile, "the kernel's part was not sampled, as kernel.perf_event_paranoid forbids it: "
			  "sudo sysctl kernel.perf_event_paranoid=1");
	else if (share >= HIDDEN_PCT && 2 * t->hidden_kernel > t->kernel)
		WARN(profile, "%.0f %% of the profile is in the kernel, whose symbols are hidden: %s", share,
			   shares_symbols_remedy("[kernel]"));
}

void shares_warn(const struct stacks *stacks, struct profile *profile)
{
	CLEANUP(free_ptr) double *file = xcalloc(stacks->n_strings + 1, sizeof *file);
	CLEANUP(free_ptr) double *file_unknown = xcalloc(stacks->n_strings + 1, sizeof *file_unknown);
	CLEANUP(free_ptr) bool *unknown = xcalloc(stacks->n_frames + 1, sizeof *unknown);
	struct tally tally = { .file = file, .file_unknown = file_unknown };
	bool chains, stripped;

	if (!profile_exists(profile))
		return;
	for (size_t i = 0; i < stacks->n_frames; i++) {
		const char *name = stacks_text(stacks, stacks->frames[i].name);

		unknown[i] = !*name || !strcmp(name, "[unknown]");
	}
	for (size_t i = 0; i < stacks->n; i++)
		if (!strcmp(stacks_text(stacks, stacks->events[stacks->items[i].event].name), profile->event))
			tally_stack(stacks, &stacks->items[i], unknown, &tally);
	warn_samples(profile);
	warn_lost(profile);
	chains = warn_chains(profile, &tally);
	stripped = warn_stripped(stacks, profile, &tally);
	/* Unknown frames already explained need no further warning. */
	if (!chains && !stripped && pct(tally.unknown_frames, tally.frames) >= UNKNOWN_PCT)
		WARN(profile, "%.0f %% of the frames are [unknown]: build everything with -g and "
			   "-fno-omit-frame-pointer, or %s", pct(tally.unknown_frames, tally.frames), unwind_by_dwarf(profile));
	warn_kernel(profile, &tally);
}
