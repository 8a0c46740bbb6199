#include "gate/profiles.h"

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "gate/judge_missing.h"

/* What the other side is called, and what mends it where it was accepted once; in pairs both are made anew. */
static const char *other_side(const struct scenario_result *s)
{
	return s->pairing ? "base" : "baseline";
}

static const char *remedy(const struct scenario_result *s, const char *words)
{
	return s->pairing ? "" : words;
}

static bool differs(struct judgement *j, const struct scenario_result *s, const char *what, const char *now,
		    const char *before)
{
	judge_reason(j, "the %s's profile has another %s (%s, now %s)%s", other_side(s), what, before, now,
		     remedy(s, ": accept a new baseline"));
	return true;
}

static bool settings_differ(struct judgement *j, const struct scenario_result *s, const struct profile *before)
{
	const struct profile *now = &s->profile;
	char a[24], b[24];

	if (strcmp(now->event, before->event))
		return differs(j, s, "event", now->event, before->event);
	if (now->call_graph != before->call_graph)
		return differs(j, s, "call graph", call_graph_name(now->call_graph), call_graph_name(before->call_graph));
	if (now->frequency != before->frequency) {
		snprintf(a, sizeof a, "%u Hz", now->frequency);
		snprintf(b, sizeof b, "%u Hz", before->frequency);
		return differs(j, s, "frequency", a, b);
	}
	if (now->normaliser == before->normaliser)
		return false;
	snprintf(a, sizeof a, "version %u", now->normaliser);
	snprintf(b, sizeof b, "version %u", before->normaliser);
	return differs(j, s, "way of comparing names", a, b);
}

bool profiles_comparable(struct judgement *j, const struct scenario_result *s, const struct machine *machine,
			 const struct baseline *base)
{
	if (!profile_exists(&s->profile)) {
		judge_missing(j, s, machine);
		return false;
	}
	if (!base || !profile_exists(&base->profile)) {
		j->verdict = VERDICT_NEW;
		if (base)
			judge_reason(j, "the %s has no profile%s", other_side(s), remedy(s, " yet: accept a new one"));
		else
			judge_reason(j, "there is no baseline yet");
		return false;
	}
	return judge_class_allows(j, machine, base, j->ref.metric) && !settings_differ(j, s, &base->profile);
}

static void add_side(struct strbuf *out, const struct profile *profile, const char *where)
{
	strbuf_addf(out, "%s%llu samples in %zu run%s %s", out->len ? ", " : "", (unsigned long long)profile->samples,
		    profile->n_runs, profile->n_runs == 1 ? "" : "s", where);
}

static bool is_short(const struct profile *profile)
{
	return profile->samples < PROFILE_SAMPLES_GATED || profile->n_runs < PROFILE_RUNS_LEAST;
}

bool profiles_sufficient(struct judgement *j, const struct scenario_result *s, const struct profile *before)
{
	const struct profile *now = &s->profile;
	CLEANUP(strbuf_release) struct strbuf sides = STRBUF_INIT;

	if (is_short(now))
		add_side(&sides, now, "now");
	if (before && is_short(before))
		add_side(&sides, before, s->pairing ? "in the base" : "in the baseline");
	if (!sides.len)
		return true;
	j->verdict = VERDICT_INCONCLUSIVE;
	judge_reason(j, "only %s, of %d in %d that are needed: raise profile.duration, or profile.frequency%s", sides.buf,
		     PROFILE_SAMPLES_GATED, PROFILE_RUNS_LEAST,
		     before && is_short(before) ? remedy(s, ", then accept a new baseline") : "");
	return false;
}
