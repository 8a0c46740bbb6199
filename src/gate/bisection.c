#include "gate/bisection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* -------- the search */

/* The last one known to be good comes before FIRST, the first one known to be bad is LAST. */
struct suspects bisection_suspects(const struct bisection *b)
{
	struct suspects s = { .last = b->commits.n ? b->commits.n - 1 : 0 };

	for (size_t i = 0; i < b->commits.n; i++)
		if (b->states[i] == BISECT_BAD) {
			s.last = i;
			break;
		}
	for (size_t i = 0; i < s.last; i++)
		if (b->states[i] == BISECT_GOOD)
			s.first = i + 1;
	for (size_t i = s.first; i < s.last; i++) {
		s.untested += b->states[i] == BISECT_UNTESTED;
		s.skipped += b->states[i] == BISECT_SKIPPED;
	}
	return s;
}

/* How many commits lie between I and the nearest one that was skipped, and one more; 0: none was. */
static size_t skipped_distance(const struct bisection *b, const struct suspects *s, size_t i)
{
	size_t nearest = 0;

	for (size_t k = s->first; k < s->last; k++) {
		size_t distance = k > i ? k - i : i - k;

		if (b->states[k] == BISECT_SKIPPED && (!nearest || distance < nearest))
			nearest = distance;
	}
	return nearest;
}

/*
 * What a comparison of commit I is worth: so many commits are ruled out whatever it says, times the chance that it says
 * anything. What keeps a commit from being built often keeps its neighbours too, the more so the more were skipped.
 */
static double worth(const struct bisection *b, const struct suspects *s, size_t i)
{
	size_t before = i - s->first + 1, behind = s->last - i;
	size_t distance = s->skipped ? skipped_distance(b, s, i) : 0;
	double chance = distance ? (double)distance / (double)(distance + s->skipped) : 1;

	return (double)(before < behind ? before : behind) * chance;
}

bool bisection_next(const struct bisection *b, size_t *out)
{
	struct suspects s = bisection_suspects(b);
	double best = 0;

	for (size_t i = s.first; i < s.last; i++)
		if (b->states[i] == BISECT_UNTESTED && worth(b, &s, i) > best) {
			best = worth(b, &s, i);
			*out = i;
		}
	return best > 0;
}

unsigned bisection_steps_left(const struct bisection *b)
{
	struct suspects s = bisection_suspects(b);
	unsigned steps = 0;

	for (size_t n = s.untested; n; n /= 2)
		steps++;
	return steps;
}

/* -------- what is known */

void bisect_step_release(struct bisect_step *step)
{
	free(step->base);
	free(step->head);
	free(step->reason);
	*step = (struct bisect_step){ 0 };
}

void bisection_release(struct bisection *b)
{
	char *const texts[] = { b->pawl, b->scenario, b->text, b->class, b->good, b->bad, b->good_ref, b->bad_ref, b->metric,
				b->folder, b->argument };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		free(texts[i]);
	bisect_step_release(&b->whole);
	bisect_step_release(&b->found);
	for (size_t i = 0; i < b->n_steps; i++)
		bisect_step_release(&b->steps[i]);
	free(b->steps);
	strv_release(&b->explanation);
	commits_release(&b->commits);
	free(b->states);
	*b = (struct bisection){ 0 };
}

static bool find(const struct bisection *b, const char *id, size_t *out)
{
	for (size_t i = 0; i < b->commits.n; i++)
		if (!strcmp(b->commits.items[i].id, id)) {
			*out = i;
			return true;
		}
	return false;
}

int bisection_place(struct bisection *b, struct commits *commits, struct error *err)
{
	size_t at;

	b->commits = *commits;
	*commits = (struct commits){ 0 };
	b->states = xcalloc(b->commits.n + 1, sizeof *b->states);
	if (b->commits.n)
		b->states[b->commits.n - 1] = BISECT_BAD;
	for (size_t i = 0; i < b->n_steps; i++) {
		if (!find(b, b->steps[i].head, &at) || at + 1 == b->commits.n)
			return error_set(err, ERR_INPUT, "commit %.12s is not between %.12s and %.12s", b->steps[i].head, b->good,
					 b->bad);
		b->states[at] = b->steps[i].state;
	}
	return 0;
}

const struct commit *bisection_commit(const struct bisection *b, const char *id)
{
	size_t at;

	return id && find(b, id, &at) ? &b->commits.items[at] : NULL;
}

void bisection_note(struct bisection *b, size_t at, struct bisect_step *step)
{
	VEC_GROW(b->steps, b->n_steps, b->cap_steps);
	b->steps[b->n_steps++] = *step;
	b->states[at] = step->state;
	*step = (struct bisect_step){ 0 };
}

const char *bisection_before(const struct bisection *b)
{
	struct suspects s = bisection_suspects(b);

	return s.first ? b->commits.items[s.first - 1].id : b->good;
}

static void each_step(const struct bisection *b, void (*see)(const struct bisect_step *step, void *ctx), void *ctx)
{
	see(&b->whole, ctx);
	for (size_t i = 0; i < b->n_steps; i++)
		see(&b->steps[i], ctx);
	see(&b->found, ctx);
}

static void add_pairs(const struct bisect_step *step, void *ctx)
{
	*(unsigned *)ctx += step->pairs;
}

unsigned bisection_pairs(const struct bisection *b)
{
	unsigned pairs = 0;

	each_step(b, add_pairs, &pairs);
	return pairs;
}

static void add_elapsed(const struct bisect_step *step, void *ctx)
{
	*(double *)ctx += step->elapsed_s;
}

double bisection_elapsed_s(const struct bisection *b)
{
	double elapsed_s = 0;

	each_step(b, add_elapsed, &elapsed_s);
	return elapsed_s;
}

static void add_one(const struct bisect_step *step, void *ctx)
{
	*(unsigned *)ctx += step->pairs > 0;
}

unsigned bisection_comparisons(const struct bisection *b)
{
	unsigned n = 0;

	each_step(b, add_one, &n);
	return n;
}
