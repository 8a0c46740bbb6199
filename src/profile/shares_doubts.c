#include "profile/shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "profile/names.h"

/* Percent of the weight from which on something is said of it. */
enum {
	SHALLOW_PCT = 75,	/* in chains of one or two frames */
	STRIPPED_PCT = 5,	/* without symbol, in one file */
	UNKNOWN_PCT = 50,	/* of the frames */
	HIDDEN_PCT = 1,		/* kernel without symbol */
	FILES_NAMED = 3,
};

/* Weights, of the profile's event alone. */
struct tally {
	double all;
	double deep, shallow;	/* samples in user code, by how many of their frames are in a known file */
	double frames, unknown_frames;
	double kernel, hidden_kernel;
	double *file, *file_unknown;	/* by the number of the file's string, of leaves */
};

static bool is_unknown(const struct stacks *stacks, const struct frame *f)
{
	const char *name = stacks_text(stacks, f->name);

	return !*name || !strcmp(name, "[unknown]");
}

static bool has_file(const struct stacks *stacks, const struct frame *f)
{
	const char *path = stacks_text(stacks, f->dso);

	return *path && strcmp(path, "[unknown]") != 0;
}

static void tally_leaf(const struct stacks *stacks, const struct frame *leaf, double weight, struct tally *out)
{
	bool unknown = is_unknown(stacks, leaf);

	if (dso_is_kernel(stacks_text(stacks, leaf->dso))) {
		out->kernel += weight;
		out->hidden_kernel += unknown ? weight : 0;
	} else {
		out->file[leaf->dso] += weight;
		out->file_unknown[leaf->dso] += unknown ? weight : 0;
	}
}

/* A chain that reaches where threads begin is whole, however short. */
static bool is_whole(const struct stacks *stacks, const struct stack *s)
{
	static const char *const roots[] = { "_start", "__libc_start_", "start_thread", "clone", "__clone", "_dl_start", "thread_start" };
	const char *root = s->n ? stacks_text(stacks, stacks->frames[stacks->pool[s->first]].name) : "";

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
		if (!strncmp(root, roots[i], strlen(roots[i])))
			return true;
	return false;
}

static void tally_stack(const struct stacks *stacks, const struct stack *s, struct tally *out)
{
	size_t depth = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct frame *f = &stacks->frames[stacks->pool[s->first + i]];
		bool kernel = dso_is_kernel(stacks_text(stacks, f->dso));

		/* What a chain that lost its way hits is no depth. */
		depth += !kernel && has_file(stacks, f);
		out->frames += s->weight;
		out->unknown_frames += is_unknown(stacks, f) ? s->weight : 0;
	}
	out->all += s->weight;
	if (depth)
		*(depth <= 2 && !is_whole(stacks, s) ? &out->shallow : &out->deep) += s->weight;
	if (s->n)
		tally_leaf(stacks, &stacks->frames[stacks->pool[s->first + s->n - 1]], s->weight, out);
}

static void tally_event(const struct stacks *stacks, const char *event, struct tally *out)
{
	for (size_t i = 0; i < stacks->n; i++)
		if (!strcmp(stacks_text(stacks, stacks->events[stacks->items[i].event].name), event))
			tally_stack(stacks, &stacks->items[i], out);
}

static double pct(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* -------- what is said */

static void doubt_samples(struct profile *profile)
{
	unsigned long long n = profile->samples;
	/* Without a frequency it is a recording of somebody's, which nobody gates. */
	unsigned long long wanted = profile->frequency ? PROFILE_SAMPLES_GATED : PROFILE_SAMPLES_SHOWN;

	if (n >= wanted)
		return;
	if (!n) {
		strv_push(&profile->doubts, "there are no samples: the target used no CPU time while it was recorded; let it "
			  "work longer, or raise profile.duration");
		return;
	}
	if (!profile->frequency) {
		strv_pushf(&profile->doubts, "%llu sample%s: small shares in the picture are chance; record for longer, or more "
			   "often (perf record -F)", n, n == 1 ? "" : "s");
		return;
	}
	strv_pushf(&profile->doubts, "%llu sample%s, and symbol gates need %d%s: raise profile.frequency or profile.duration", n,
		   n == 1 ? "" : "s", PROFILE_SAMPLES_GATED,
		   n < PROFILE_SAMPLES_SHOWN ? "; even small shares in the picture are chance" : "");
}

/* What to do about a recording of somebody's own is an option of perf record, not a key of the scenario. */
static const char *remedy(const struct profile *profile, const char *key, const char *option)
{
	return profile->frequency ? key : option;
}

static const char *unwind_by_dwarf(const struct profile *profile)
{
	return remedy(profile, "set profile.call-graph: dwarf", "record with perf record --call-graph dwarf");
}

static void doubt_lost(struct profile *profile)
{
	double lost = (double)profile->lost;

	if (profile->lost)
		strv_pushf(&profile->doubts, "perf lost %llu samples (%.1f %%), so the shares lean towards what ran while none "
			   "were lost: %s%s", (unsigned long long)profile->lost, pct(lost, lost + (double)profile->samples),
			   remedy(profile, "lower profile.frequency", "record less often (perf record -F), or with larger buffers (-m)"),
			   profile->call_graph == CALL_GRAPH_DWARF ? ", or set profile.call-graph: fp" : "");
}

static bool doubt_chains(struct profile *profile, const struct tally *t)
{
	double share = pct(t->shallow, t->shallow + t->deep);

	if (share < SHALLOW_PCT)
		return false;
	if (profile->call_graph == CALL_GRAPH_DWARF)
		strv_pushf(&profile->doubts, "chains end after one or two frames in %.0f %% of the samples: there is nothing to "
			   "unwind by; build with -fasynchronous-unwind-tables, and not with strip --strip-all", share);
	else
		strv_pushf(&profile->doubts, "chains end after one or two frames in %.0f %% of the samples: frame pointers are "
			   "missing; build with -fno-omit-frame-pointer, or %s", share, unwind_by_dwarf(profile));
	return true;
}

const char *shares_symbols_remedy(const char *file)
{
	if (!strcmp(file, "[jit]"))
		return "let its engine tell perf of them (node --perf-basic-prof, python3 -X perf)";
	if (!strcmp(file, "[kernel]"))
		return "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1";
	return "build it with -g and install it unstripped, or install its debug symbols (Debian: the package ending in -dbgsym)";
}

static void say_stripped(struct profile *profile, const char *path, double share)
{
	CLEANUP(strbuf_release) struct strbuf file = STRBUF_INIT;
	const char *remedy;

	name_of_dso(path, &file);
	remedy = shares_symbols_remedy(file.buf);
	if (!strcmp(file.buf, "[jit]"))
		strv_pushf(&profile->doubts, "%.0f %% of the profile is code made at run time, without symbols: %s", share, remedy);
	else
		strv_pushf(&profile->doubts, "%.0f %% of the profile is in %s without symbols: it is stripped, or was replaced since; %s",
			   share, path, remedy);
}

/* Files whose own time is mostly without symbol, the heaviest first. */
static bool doubt_stripped(const struct stacks *stacks, struct profile *profile, struct tally *t)
{
	bool said = false;

	for (int i = 0; i < FILES_NAMED; i++) {
		uint32_t worst = 0;

		for (uint32_t f = 1; f < stacks->n_strings; f++)
			if (t->file_unknown[f] > t->file_unknown[worst] && 2 * t->file_unknown[f] > t->file[f] &&
			    strcmp(stacks_text(stacks, f), "[unknown]") != 0)
				worst = f;
		if (!worst || pct(t->file_unknown[worst], t->all) < STRIPPED_PCT)
			break;
		say_stripped(profile, stacks_text(stacks, worst), pct(t->file_unknown[worst], t->all));
		t->file_unknown[worst] = 0;
		said = true;
	}
	return said;
}

static void doubt_unknown(struct profile *profile, const struct tally *t)
{
	double share = pct(t->unknown_frames, t->frames);

	if (share >= UNKNOWN_PCT)
		strv_pushf(&profile->doubts, "%.0f %% of the frames are [unknown]: build everything with -g and "
			   "-fno-omit-frame-pointer, or %s", share, unwind_by_dwarf(profile));
}

static bool user_only(const char *event)
{
	const char *modifier = strrchr(event, ':');

	return modifier && strchr(modifier, 'u') && !strchr(modifier, 'k');
}

static void doubt_kernel(struct profile *profile, const struct tally *t)
{
	double share = pct(t->hidden_kernel, t->all);

	if (user_only(profile->event))
		strv_push(&profile->doubts, "the kernel's part was not sampled, as kernel.perf_event_paranoid forbids it: "
			  "sudo sysctl kernel.perf_event_paranoid=1");
	else if (share >= HIDDEN_PCT && 2 * t->hidden_kernel > t->kernel)
		strv_pushf(&profile->doubts, "%.0f %% of the profile is in the kernel, whose symbols are hidden: %s", share,
			   shares_symbols_remedy("[kernel]"));
}

void shares_doubts(const struct stacks *stacks, struct profile *profile)
{
	CLEANUP(free_ptr) double *file = xcalloc(stacks->n_strings + 1, sizeof *file);
	CLEANUP(free_ptr) double *file_unknown = xcalloc(stacks->n_strings + 1, sizeof *file_unknown);
	struct tally tally = { .file = file, .file_unknown = file_unknown };
	bool chains, stripped;

	if (!profile_exists(profile))
		return;
	tally_event(stacks, profile->event, &tally);
	doubt_samples(profile);
	doubt_lost(profile);
	chains = doubt_chains(profile, &tally);
	stripped = doubt_stripped(stacks, profile, &tally);
	/* What is unknown for a reason that was given needs no other. */
	if (!chains && !stripped)
		doubt_unknown(profile, &tally);
	doubt_kernel(profile, &tally);
}
