#include <math.h>
#include <stdbool.h>

#include "base/cleanup.h"
#include "model/event_name.h"
#include "model/perfstat_value.h"

void perf_rows_release(struct perf_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->items[i].event);
	free(rows->items);
	*rows = (struct perf_rows){ 0 };
}

char *perfstat_event_name(const char *event, char **core_out)
{
	CLEANUP(event_name_release) struct event_name name = EVENT_NAME_INIT;

	event_name_parse(event, &name);
	if (core_out)
		*core_out = take_ptr(&name.core);
	return take_ptr(&name.name);
}

const char *missing_reason(enum missing why)
{
	switch (why) {
	case MISSING_NOT:
		return "";
	case MISSING_ROW:
		return "perf left the event out, as it does when the machine cannot count it";
	case MISSING_UNSUPPORTED:
		return "this machine does not support the event";
	case MISSING_NOT_COUNTED:
		return "the event was never counted: the target ended before its turn, or too many events share "
		       "the counters";
	case MISSING_MULTIPLEXED:
		return "the event was counted only part of the time, so perf's value is an extrapolation";
	case MISSING_HYBRID:
		return "the target ran on core types that count differently; pin it to one with measure.cpus";
	case MISSING_FALSE_ZERO:
		return "perf reports 0 here whatever happened";
	}
	return "unknown";
}

/* The rows that answer best for one event, taken together. */
struct answer {
	int match;
	bool hybrid;		/* rows of core types, though none was asked for */
	bool false_zero;
	bool not_counted;	/* at least one row was not */
	bool several_ran;	/* rows of different events ran for more than a hundredth of the time */
	const struct perf_row *ran;	/* the first of those */
	const struct perf_row *longest;	/* counted for the longest time, however short; NULL: none was */
};

/* perf 7.2 was seen to read its own times as 0 when it could not take them. */
static bool is_false_zero(const struct event_name *name, const struct perf_row *row)
{
	if (event_name_reads_false_zero(name))
		return true;
	return row->state == ROW_COUNTED && row->value == 0 &&
	       (!strcmp(name->name, "duration_time") || !strcmp(name->name, "user_time") ||
		!strcmp(name->name, "system_time"));
}

static void add_row(struct answer *answer, const struct event_name *name, const struct perf_row *row)
{
	answer->false_zero |= is_false_zero(name, row);
	answer->not_counted |= row->state == ROW_NOT_COUNTED;
	if (row->state != ROW_COUNTED)
		return;
	if (row->running_pct > 100 - PERFSTAT_LEAST_RUNNING_PCT) {
		answer->several_ran |= answer->ran && strcmp(answer->ran->event, row->event);
		answer->ran = answer->ran ?: row;
	}
	if (!answer->longest || row->running_pct > answer->longest->running_pct)
		answer->longest = row;
}

static struct answer collect(const struct perf_rows *rows, const struct event_name *asked)
{
	struct answer answer = { 0 };

	for (size_t i = 0; i < rows->n; i++) {
		CLEANUP(event_name_release) struct event_name name = EVENT_NAME_INIT;
		int match;

		event_name_parse(rows->items[i].event, &name);
		match = event_name_match(asked, &name);
		if (!match || match < answer.match)
			continue;
		if (match > answer.match)
			answer = (struct answer){ .match = match, .hybrid = name.core && !asked->core };
		add_row(&answer, &name, &rows->items[i]);
	}
	return answer;
}

static enum missing judge(const struct answer *answer)
{
	if (!answer->match)
		return MISSING_ROW;
	if (answer->false_zero)
		return MISSING_FALSE_ZERO;
	if (!answer->longest)
		return answer->not_counted ? MISSING_NOT_COUNTED : MISSING_UNSUPPORTED;
	if (answer->hybrid && answer->several_ran)
		return MISSING_HYBRID;
	return answer->longest->running_pct < PERFSTAT_LEAST_RUNNING_PCT ? MISSING_MULTIPLEXED : MISSING_NOT;
}

double perfstat_value(const struct perf_rows *rows, const char *event, enum missing *why_out)
{
	CLEANUP(event_name_release) struct event_name asked = EVENT_NAME_INIT;
	struct answer answer;
	enum missing why;

	event_name_parse(event, &asked);
	answer = collect(rows, &asked);
	why = judge(&answer);
	if (why_out)
		*why_out = why;
	return why == MISSING_NOT ? answer.longest->value : NAN;
}
