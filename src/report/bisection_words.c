#include "report/bisection_words.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "model/metric.h"
#include "report/format.h"

/* Less of the whole change than this, in percent: others have their part. */
static const double most_of_it = 75;

static const char *shown(const char *id, char room[COMMIT_SHOWN + 1])
{
	snprintf(room, COMMIT_SHOWN + 1, "%s", id);
	return room;
}
#define SHOWN(id) shown(id, (char[COMMIT_SHOWN + 1]){ 0 })

static const struct commit *last_suspect(const struct bisection *b)
{
	return &b->commits.items[bisection_suspects(b).last];
}

const char *bisection_word(const struct bisection *b)
{
	static const char *const words[] = {
		[BISECT_UNFINISHED] = "UNFINISHED", [BISECT_NOTHING] = "NOTHING TO BISECT", [BISECT_FIRST_BAD] = "FIRST BAD",
		[BISECT_NARROWED] = "NARROWED", [BISECT_UNCONFIRMED] = "NOT FOUND", [BISECT_LOST] = "NOT FOUND",
	};

	if (b->whole.state == BISECT_SKIPPED)
		return "CANNOT TELL";
	return words[bisection_outcome(b)];
}

static const char *worse(const struct bisection *b)
{
	const struct metric *metric = b->metric ? metric_find(b->metric) : NULL;

	return metric ? format_worse(metric) : "worse";
}

void bisection_headline(const struct bisection *b, struct strbuf *out)
{
	struct suspects s = bisection_suspects(b);
	enum bisect_outcome outcome = bisection_outcome(b);

	strbuf_addf(out, "%s ", b->scenario);
	if (outcome == BISECT_NOTHING)
		strbuf_addf(out, "from %s to %s: %s", SHOWN(b->good), SHOWN(b->bad), b->whole.reason ?: "no regression");
	else if (outcome == BISECT_FIRST_BAD)
		strbuf_addf(out, "is %s since %s \"%s\"", worse(b), SHOWN(last_suspect(b)->id), last_suspect(b)->subject);
	else if (outcome == BISECT_NARROWED)
		strbuf_addf(out, "is %s since one of %zu commits, the last of which is %s \"%s\"", worse(b), s.last - s.first + 1,
			    SHOWN(last_suspect(b)->id), last_suspect(b)->subject);
	else if (outcome == BISECT_UNCONFIRMED)
		strbuf_addf(out, "is nearer to bad since %s \"%s\", but it is not surely %s than the commit before it",
			    SHOWN(last_suspect(b)->id), last_suspect(b)->subject, worse(b));
	else if (outcome == BISECT_LOST)
		strbuf_addf(out, "is %s since one of %zu commits: none between good and bad could be told", worse(b), b->commits.n);
	else
		strbuf_addf(out, "is %s since one of %zu commits so far", worse(b), s.last - s.first + 1);
}

void bisection_change(const struct bisect_step *step, struct strbuf *out)
{
	format_change(out, step->change_pct);
	if (!isfinite(step->low_pct) && !isfinite(step->high_pct))
		return;
	strbuf_adds(out, " (");
	format_interval(out, step->low_pct, step->high_pct);
	strbuf_addc(out, ')');
}

void bisection_end(const char *ref, const char *id, struct strbuf *out)
{
	if (ref && strncmp(ref, id, strlen(ref)))
		strbuf_addf(out, "%s (%s)", ref, SHOWN(id));
	else
		strbuf_adds(out, SHOWN(id));
}

static void add_cost(const struct bisection *b, struct strv *out)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s ", b->metric);
	bisection_change(&b->found, &text);
	strbuf_addf(&text, " against the commit before %s, %s, in %u pairs",
		    bisection_outcome(b) == BISECT_NARROWED ? "these" : "it", SHOWN(b->found.base), b->found.pairs);
	strv_take(out, strbuf_take(&text));
}

static void add_whole(const struct bisection *b, struct strv *out)
{
	double part = bisection_found_differs(b) ? bisection_explained_pct(b) : NAN;
	struct strbuf text = STRBUF_INIT;

	if (isfinite(part))
		strbuf_addf(&text, "that is %.0f %% of the whole change, ", part);
	else
		strbuf_adds(&text, "the whole change is ");
	bisection_change(&b->whole, &text);
	strbuf_addf(&text, " of %s from ", b->metric);
	bisection_end(b->good_ref, b->good, &text);
	strbuf_adds(&text, " to ");
	bisection_end(b->bad_ref, b->bad, &text);
	if (isnan(part) && b->found.state == BISECT_BAD)
		strbuf_adds(&text, ": this may be all of it");
	strv_take(out, strbuf_take(&text));
}

static void add_argument(const struct bisection *b, struct strbuf *out)
{
	escape_shell(out, b->argument ?: b->scenario);
}

static void add_search(const struct bisection *b, const char *good, const char *bad, struct strv *out)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_adds(&line, "  pawl bisect ");
	add_argument(b, &line);
	strbuf_addf(&line, " --good %s --bad %s", SHOWN(good), SHOWN(bad));
	strv_take(out, strbuf_take(&line));
}

/* Where else a part of the change may lie. */
static void add_rest(const struct bisection *b, struct strv *out)
{
	enum bisect_outcome outcome = bisection_outcome(b);
	const char *before = bisection_before(b), *last = last_suspect(b)->id;

	if ((outcome != BISECT_FIRST_BAD && outcome != BISECT_NARROWED) || bisection_found_differs(b) >= 0 ||
	    bisection_explained_pct(b) >= most_of_it ||
	    (!strcmp(before, b->good) && !strcmp(last, b->bad)))
		return;
	strv_push(out, "other commits have their part; search on with");
	if (strcmp(before, b->good))
		add_search(b, b->good, before, out);
	if (strcmp(last, b->bad))
		add_search(b, last, b->bad, out);
}

void bisection_sentences(const struct bisection *b, struct strv *out)
{
	enum bisect_outcome outcome = bisection_outcome(b);

	if (b->found.state != BISECT_UNTESTED)
		add_cost(b, out);
	if (b->whole.state == BISECT_BAD) {
		add_whole(b, out);
		add_rest(b, out);
	}
	if (outcome == BISECT_UNCONFIRMED)
		strv_push(out, "the change may have come in many small parts, which add up to half of it there");
	strv_copy(out, &b->explanation);
}

enum tone bisection_tone(const struct bisection *b)
{
	enum bisect_outcome outcome = bisection_outcome(b);

	return outcome == BISECT_FIRST_BAD || outcome == BISECT_NARROWED ? TONE_BAD : TONE_DOUBT;
}

void bisection_effort(const struct bisection *b, struct strbuf *out)
{
	unsigned n = bisection_comparisons(b), pairs = bisection_pairs(b);

	strbuf_addf(out, "%u comparison%s, %u pair%s, ", n, n == 1 ? "" : "s", pairs, pairs == 1 ? "" : "s");
	format_elapsed(out, bisection_elapsed_s(b));
}

void bisection_again(const struct bisection *b, struct strbuf *out)
{
	const struct bisect_step *step = b->found.state != BISECT_UNTESTED ? &b->found : &b->whole;

	if (step->state == BISECT_UNTESTED)
		return;
	strbuf_adds(out, "pawl ab ");
	add_argument(b, out);
	strbuf_addf(out, " --base-ref %s --head-ref %s --seed %llu", SHOWN(step->base), SHOWN(step->head),
		    (unsigned long long)b->seed);
}
