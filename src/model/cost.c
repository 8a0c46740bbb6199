#include "model/cost.h"

#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "model/metrics/numbers.h"
#include "stats/stats.h"

/* Standard error of a median in terms of that of a mean, for normal values. */
#define MEDIAN_FACTOR 1.2533

static void take(const double *values, size_t n, double *median, double *error)
{
	*median = n ? stats_median(values, n) : NAN;
	*error = n ? MEDIAN_FACTOR * stats_sd(values, n) / sqrt((double)n) : NAN;
}

/* Share of a profile's samples in other programs that is not an accident. */
#define OTHERS_LEAST 0.005

/* True if more than one program was sampled. */
static bool has_programs(const struct profile *profile)
{
	uint64_t others = 0;

	/* perf names a program that is about to be executed by its number, as ":1234". */
	for (size_t i = 1; i < profile->threads.n; i++)
		others += profile->threads.items[i].name[0] == ':' ? 0 : profile->threads.items[i].samples;
	return (double)others > OTHERS_LEAST * (double)profile->samples;
}

static double find_unseen(const struct scenario_result *s, const struct profile *before)
{
	const struct profile *now = &s->head.profile;
	double ms = side_result_median(scenario_result_measured(s), METRIC(TASK_CLOCK));

	/* An attached target was started before. Counters interrupt from the first moment on. */
	if (now->frequency == before->frequency || s->head.attached || !profile_event_is_clock(now->event))
		return 0;
	/* Each started program has a first tick of its own. */
	if (!now->frequency || !before->frequency || !(ms > 0) || has_programs(now) || has_programs(before))
		return 1;
	return fmin(1, fabs(1e3 / now->frequency - 1e3 / before->frequency) / ms);
}

static void find_amounts(const struct scenario_result *scenario, const struct baseline *base, struct cost *out)
{
	const struct side_result *s = scenario_result_measured(scenario);

	/* Take the first metric that both sides know, else one known for `now`. */
	for (int i = 0; i < (base ? 3 : 2); i++) {
		const struct metric *plain = i == 1 ? METRIC(INSTRUCTIONS) : METRIC(TASK_CLOCK);
		const struct metric *metric = side_result_normalised(s, plain);
		const struct baseline *beside = i < 2 ? base : NULL;
		CLEANUP(free_ptr) double *now = NULL, *before = NULL;
		size_t n;

		*out = (struct cost){ .metric = plain, .per_work = metric->of, .before = NAN, .before_error = NAN };
		now = side_result_values(s, metric, &n);
		take(now, n, &out->now, &out->now_error);
		if (beside) {
			before = baseline_values(beside, metric, &n);
			take(before, n, &out->before, &out->before_error);
		}
		if (!isnan(out->now) && (!beside || !isnan(out->before)))
			return;
	}
	*out = (struct cost){ .now = NAN, .before = NAN, .now_error = NAN, .before_error = NAN };
}

void cost_find(const struct scenario_result *scenario, const struct baseline *base, struct cost *out)
{
	find_amounts(scenario, base, out);
	out->unseen = base && profile_exists(&base->profile) && profile_exists(&scenario->head.profile) ?
		      find_unseen(scenario, &base->profile) : 0;
}

struct cost_text cost_text(double amount, const struct metric *metric)
{
	bool named = metric->unit == UNIT_COUNT || metric->unit == UNIT_RATIO;
	struct cost_text out;

	snprintf(out.text, sizeof out.text, "%.20s%s%.40s", format_value(fabs(amount), metric->unit).s, named ? " " : "", named ? metric->name : "");
	return out;
}
