#include "model/bisection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const char *const bisect_state_names[] = {
	[BISECT_UNTESTED] = "untested", [BISECT_GOOD] = "good", [BISECT_BAD] = "bad", [BISECT_SKIPPED] = "skipped", NULL,
};

const char *const bisect_outcome_names[] = {
	[BISECT_UNFINISHED] = "unfinished", [BISECT_NOTHING] = "nothing", [BISECT_FIRST_BAD] = "first-bad",
	[BISECT_NARROWED] = "narrowed", [BISECT_UNCONFIRMED] = "unconfirmed", [BISECT_LOST] = "lost",
};

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

/* -------- commits */

const struct commit *bisection_commit(const struct bisection *b, const char *id)
{
	for (size_t i = 0; id && i < b->commits.n; i++)
		if (!strcmp(b->commits.items[i].id, id))
			return &b->commits.items[i];
	return NULL;
}

int bisection_place(struct bisection *b, struct commits *commits, struct error *err)
{
	b->commits = *commits;
	*commits = (struct commits){ 0 };
	b->states = xcalloc(b->commits.n + 1, sizeof *b->states);
	if (b->commits.n)
		b->states[b->commits.n - 1] = BISECT_BAD;
	for (size_t i = 0; i < b->n_steps; i++) {
		const struct commit *commit = bisection_commit(b, b->steps[i].head);

		if (!commit || commit == &b->commits.items[b->commits.n - 1])
			return error_set(err, ERR_INPUT, "commit %.12s is not between %.12s and %.12s", b->steps[i].head, b->good,
					 b->bad);
		b->states[commit - b->commits.items] = b->steps[i].state;
	}
	return 0;
}

void bisection_add_step(struct bisection *b, size_t at, struct bisect_step *step)
{
	VEC_GROW(b->steps, b->n_steps, b->cap_steps);
	b->steps[b->n_steps++] = *step;
	b->states[at] = step->state;
	*step = (struct bisect_step){ 0 };
}

/* The last one known to be good comes before FIRST, the first one known to be bad is LAST. */
struct suspects bisection_suspects(const struct bisection *b)
{
	struct suspects s = { 0 };

	while (s.last + 1 < b->commits.n && b->states[s.last] != BISECT_BAD)
		s.last++;
	for (size_t i = 0; i < s.last; i++)
		if (b->states[i] == BISECT_GOOD)
			s.first = i + 1;
	for (size_t i = s.first; i < s.last; i++) {
		s.untested += b->states[i] == BISECT_UNTESTED;
		s.skipped += b->states[i] == BISECT_SKIPPED;
	}
	return s;
}

const char *bisection_before(const struct bisection *b)
{
	struct suspects s = bisection_suspects(b);

	return s.first ? b->commits.items[s.first - 1].id : b->good;
}

/* -------- what is known */

enum bisect_outcome bisection_outcome(const struct bisection *b)
{
	struct suspects s = bisection_suspects(b);

	if (b->whole.state == BISECT_GOOD || b->whole.state == BISECT_SKIPPED)
		return BISECT_NOTHING;
	if (b->whole.state == BISECT_UNTESTED || s.untested)
		return BISECT_UNFINISHED;
	if (s.skipped && s.last - s.first + 1 == b->commits.n)
		return BISECT_LOST;
	if (b->found.state == BISECT_UNTESTED)
		return BISECT_UNFINISHED;
	if (b->found.state != BISECT_BAD)
		return BISECT_UNCONFIRMED;
	return s.skipped ? BISECT_NARROWED : BISECT_FIRST_BAD;
}

int bisection_status(const struct bisection *b)
{
	enum bisect_outcome outcome = bisection_outcome(b);

	return outcome == BISECT_FIRST_BAD || outcome == BISECT_NARROWED ? STATUS_OK : STATUS_NOT_MEASURED;
}

double bisection_worsening(double change_pct, bool higher_is_better)
{
	double change = log1p(change_pct / 100);

	return higher_is_better ? -change : change;
}

double bisection_explained_pct(const struct bisection *b)
{
	double whole = bisection_worsening(b->whole.change_pct, b->higher_is_better);

	if (b->found.state == BISECT_UNTESTED || !(whole > 0))
		return NAN;
	return 100 * bisection_worsening(b->found.change_pct, b->higher_is_better) / whole;
}

int bisection_found_differs(const struct bisection *b)
{
	int more = b->found.low_pct > b->whole.high_pct, less = b->found.high_pct < b->whole.low_pct;

	if (b->found.state == BISECT_UNTESTED)
		return 0;
	return b->higher_is_better ? less - more : more - less;
}

struct bisection_effort bisection_effort(const struct bisection *b)
{
	struct bisection_effort effort = { 0 };

	for (size_t i = 0; i < b->n_steps + 2; i++) {
		const struct bisect_step *step = !i ? &b->whole : i <= b->n_steps ? &b->steps[i - 1] : &b->found;

		effort.comparisons += step->pairs > 0;
		effort.pairs += step->pairs;
		effort.elapsed_s += step->elapsed_s;
	}
	return effort;
}
