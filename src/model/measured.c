#include "model/measured.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/events.h"

struct io_counts io_counts_add(struct io_counts a, struct io_counts b, double factor)
{
	return (struct io_counts){
		a.read_calls + factor * b.read_calls, a.write_calls + factor * b.write_calls,
		a.read_bytes + factor * b.read_bytes, a.written_bytes + factor * b.written_bytes,
	};
}

/* -------- runs that counted the same */

/* The numbers of struct measured, in the order of a result's columns. */
static const struct member {
	size_t offset;
	const struct metric *metric;	/* NULL: no column of its own */
} members[] = {
#define MEMBER(name) offsetof(struct measured, name)
	{ MEMBER(wall_ms), METRIC(WALL_TIME) }, { MEMBER(user_ms), METRIC(USER_TIME) }, { MEMBER(system_ms), METRIC(SYSTEM_TIME) },
	{ MEMBER(cpu_ms), METRIC(CPU_TIME) }, { MEMBER(max_rss_bytes), METRIC(MAX_RSS) },
	{ MEMBER(page_faults), METRIC(PAGE_FAULTS) }, { MEMBER(major_faults), METRIC(MAJOR_FAULTS) },
	{ MEMBER(voluntary_switches), METRIC(VOLUNTARY_SWITCHES) },
	{ MEMBER(involuntary_switches), METRIC(INVOLUNTARY_SWITCHES) },
	{ MEMBER(io.read_calls), METRIC(READ_CALLS) }, { MEMBER(io.write_calls), METRIC(WRITE_CALLS) },
	{ MEMBER(io.read_bytes), METRIC(READ_BYTES) }, { MEMBER(io.written_bytes), METRIC(WRITTEN_BYTES) },
	{ MEMBER(work), NULL }, { MEMBER(resident_before_bytes), NULL }, { MEMBER(resident_bytes), NULL },
#undef MEMBER
};
enum { MEMBERS = sizeof members / sizeof members[0] };

static double member_of(const struct measured *run, const struct member *member)
{
	return *(const double *)((const char *)run + member->offset);
}

static void mean_members(const struct measured *runs, size_t n, struct measured *out)
{
	for (const struct member *m = members; m < members + MEMBERS; m++) {
		double sum = 0, most = member_of(&runs[0], m);

		for (size_t i = 0; i < n; i++) {
			double value = member_of(&runs[i], m);

			sum += value;
			/* fmax() would ignore a run without a value. */
			most = isnan(value) || value > most ? value : most;
		}
		*(double *)((char *)out + m->offset) = m->metric == METRIC(MAX_RSS) ? most : sum / (double)n;
	}
}

/* Returns RUN's value of METRIC, or NULL. It is usually at INDEX, as in another run. */
static const struct measured_custom *same_custom(const struct measured *run, const struct metric *metric, size_t index)
{
	if (index < run->n_custom && metric_same(run->custom[index].metric, metric))
		return &run->custom[index];
	for (size_t i = 0; i < run->n_custom; i++)
		if (metric_same(run->custom[i].metric, metric))
			return &run->custom[i];
	return NULL;
}

static double mean_of_custom(const struct measured *runs, size_t n, const struct metric *metric, size_t index)
{
	double sum = 0;
	size_t printed = 0;

	for (size_t i = 0; i < n; i++) {
		const struct measured_custom *custom = same_custom(&runs[i], metric, index);

		if (!custom || isnan(custom->value))
			continue;
		sum += custom->value;
		printed++;
	}
	return printed ? sum / (double)printed : NAN;
}

/* Benchmarks may be in some of the runs only. */
static void mean_custom(const struct measured *runs, size_t n, struct measured *out)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		most += runs[i].n_custom;
	out->custom = most ? xcalloc(most, sizeof *out->custom) : NULL;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < runs[i].n_custom; k++) {
			const struct metric *metric = runs[i].custom[k].metric;

			if (i && same_custom(out, metric, k))
				continue;
			out->custom[out->n_custom++] = (struct measured_custom){ metric, mean_of_custom(runs, n, metric, k) };
		}
}

/*
 * Returns the row for the event of ROW, row INDEX of the first run. It is usually at the same index, as the same perf
 * wrote both.
 */
static const struct perf_row *same_event(const struct perf_rows *rows, const struct perf_row *row, size_t index)
{
	if (index < rows->n && !strcmp(rows->items[index].event, row->event))
		return &rows->items[index];
	for (size_t i = 0; i < rows->n; i++)
		if (!strcmp(rows->items[i].event, row->event))
			return &rows->items[i];
	return NULL;
}

static void mean_row(const struct measured *runs, size_t n, size_t index, struct perf_row *row)
{
	for (size_t i = 1; i < n; i++) {
		const struct perf_row *other = same_event(&runs[i].rows, row, index);

		if (!other || other->state != ROW_COUNTED) {
			row->state = row->state == ROW_COUNTED ? ROW_NOT_COUNTED : row->state;
			continue;
		}
		row->value += other->value;
		row->run_ns += other->run_ns;
		row->running_pct = fmin(row->running_pct, other->running_pct);
	}
	row->value = row->state == ROW_COUNTED ? row->value / (double)n : 0;
	row->run_ns = row->state == ROW_COUNTED ? row->run_ns / n : 0;
}

static void mean_rows(const struct measured *runs, size_t n, struct perf_rows *out)
{
	for (size_t i = 0; i < runs[0].rows.n; i++) {
		VEC_GROW(out->items, out->n, out->cap);
		out->items[out->n] = runs[0].rows.items[i];
		out->items[out->n].event = xstrdup(runs[0].rows.items[i].event);
		mean_row(runs, n, i, &out->items[out->n++]);
	}
}

void measured_mean(const struct measured *runs, size_t n, struct measured *out)
{
	*out = (struct measured){ 0 };
	mean_members(runs, n, out);
	mean_custom(runs, n, out);
	mean_rows(runs, n, &out->rows);
	for (size_t i = 0; i < n; i++)
		out->hasty = out->hasty || runs[i].hasty;
}

/* Takes what another program on the CPU changes from IN_TURN; it is not measured without. */
static void custom_at_once(struct measured *both, const struct measured *in_turn)
{
	size_t n = both->n_custom, more = in_turn ? in_turn->n_custom : 0, kept = 0;
	struct measured_custom *custom = n + more ? xcalloc(n + more, sizeof *custom) : NULL;

	for (size_t i = 0; i < n; i++)
		if (metric_together(both->custom[i].metric))
			custom[kept++] = both->custom[i];
	for (size_t i = 0; i < more; i++)
		if (!metric_together(in_turn->custom[i].metric))
			custom[kept++] = in_turn->custom[i];
	free(both->custom);
	both->custom = custom;
	both->n_custom = kept;
}

void measured_at_once(struct measured *both, struct measured *in_turn)
{
	both->both_ms = both->wall_ms;
	both->both_work = both->work;
	both->work = in_turn ? in_turn->work : both->work;
	both->wall_ms = in_turn ? in_turn->wall_ms : NAN;
	both->voluntary_switches = in_turn ? in_turn->voluntary_switches : NAN;
	both->involuntary_switches = in_turn ? in_turn->involuntary_switches : NAN;
	custom_at_once(both, in_turn);
}

/* -------- runs that counted something each */

void measured_fold(struct side_result *result, size_t n)
{
	struct run *runs = &result->runs[result->n_runs - n];

	for (size_t column = 0; column < result->n_metrics; column++) {
		double sum = 0, most = NAN;
		size_t measured = 0;

		for (size_t i = 0; i < n; i++) {
			double value = runs[i].values[column];

			if (isnan(value))
				continue;
			sum += value;
			most = fmax(most, value);
			measured++;
		}
		runs[0].values[column] = !measured ? NAN : result->metrics[column] == METRIC(MAX_RSS) ? most : sum / (double)measured;
	}
	for (size_t i = 1; i < n; i++)
		perf_rows_copy(&result->arena, &runs[0].rows, &runs[i].rows);
	runs[0].group = 0;
	result->n_runs -= n - 1;
}

/* -------- rows to values */

const char *missing_reason(enum missing why)
{
	static const char *const reasons[] = {
		[MISSING_NOT] = "",
		[MISSING_ROW] = "perf left the event out, as it does when the machine cannot count it",
		[MISSING_UNSUPPORTED] = "this machine does not support the event",
		[MISSING_NOT_COUNTED] = "the event was never counted: the target ended before its turn, or too many events share "
					"the counters",
		[MISSING_MULTIPLEXED] = "the event was counted only part of the time, so perf's value is an extrapolation",
		[MISSING_HYBRID] = "the target ran on core types that count differently; pin it to one with measure.cpus",
		[MISSING_FALSE_ZERO] = "perf reports 0 here whatever happened",
	};

	return reasons[why];
}

/* True if a zero is not a count. perf 7.2 prints 0 for its own times if it could not take them. */
static bool is_false_zero(const struct event_name *name, const struct perf_row *row)
{
	if (event_name_reads_false_zero(name))
		return true;
	return row->state == ROW_COUNTED && row->value == 0 &&
	       (!strcmp(name->name, "duration_time") || !strcmp(name->name, "user_time") ||
		!strcmp(name->name, "system_time"));
}

double perf_rows_value(const struct perf_rows *rows, const char *event, enum missing *why_out)
{
	CLEANUP(event_name_release) struct event_name asked = EVENT_NAME_INIT;
	/* About the rows that match best: */
	struct {
		int match;
		bool hybrid;		/* rows of core types, though none was requested */
		bool false_zero;
		bool not_counted;	/* at least one */
		bool several_ran;	/* rows of different events ran for more than a hundredth of the time */
		const struct perf_row *ran;	/* the first of them */
		const struct perf_row *longest;	/* counted for the longest time, however short; NULL: no row was counted */
	} best = { 0 };
	enum missing why = MISSING_NOT;

	event_name_parse(event, &asked);
	for (const struct perf_row *row = rows->items; row < rows->items + rows->n; row++) {
		CLEANUP(event_name_release) struct event_name name = EVENT_NAME_INIT;
		int match;

		event_name_parse(row->event, &name);
		match = event_name_match(&asked, &name);
		if (!match || match < best.match)
			continue;
		if (match > best.match) {
			memset(&best, 0, sizeof best);
			best.match = match;
			best.hybrid = name.core && !asked.core;
		}
		best.false_zero |= is_false_zero(&name, row);
		best.not_counted |= row->state == ROW_NOT_COUNTED;
		if (row->state != ROW_COUNTED)
			continue;
		if (row->running_pct > 100 - PERF_LEAST_RUNNING_PCT) {
			best.several_ran |= best.ran && strcmp(best.ran->event, row->event);
			best.ran = best.ran ?: row;
		}
		if (!best.longest || row->running_pct > best.longest->running_pct)
			best.longest = row;
	}

	if (!best.match)
		why = MISSING_ROW;
	else if (best.false_zero)
		why = MISSING_FALSE_ZERO;
	else if (!best.longest)
		why = best.not_counted ? MISSING_NOT_COUNTED : MISSING_UNSUPPORTED;
	else if (best.hybrid && best.several_ran)
		why = MISSING_HYBRID;
	else if (best.longest->running_pct < PERF_LEAST_RUNNING_PCT)
		why = MISSING_MULTIPLEXED;
	if (why_out)
		*why_out = why;
	return why == MISSING_NOT ? best.longest->value : NAN;
}

const char *perf_rows_multiplexed(const struct perf_rows *rows, const struct strv *events)
{
	const char *waited = NULL;
	bool counted = false;

	for (size_t i = 0; i < events->n; i++) {
		enum missing why;

		if (!event_needs_counter(events->items[i]))
			continue;
		perf_rows_value(rows, events->items[i], &why);
		if (why == MISSING_MULTIPLEXED)
			return events->items[i];
		if (why == MISSING_NOT_COUNTED && !waited)
			waited = events->items[i];
		counted = counted || why == MISSING_NOT;
	}
	return counted ? waited : NULL;
}

/* -------- a run to its columns */

void measured_release(struct measured *measured)
{
	perf_rows_release(&measured->rows);
	free(measured->custom);
	free(measured->launcher);
	free(measured->dropped);
	measured->custom = NULL;
	measured->n_custom = 0;
	measured->launcher = measured->dropped = NULL;
}

/*
 * Least part of the kernel's CPU time that perf must count, and the reverse. The kernel also charges switching, and
 * the end of a process, which takes 5 ms with 100 MB of memory. In programs that only fork, start threads or exit,
 * perf counted 57 to 108 % of the kernel's time, on a machine with a load of 11 on two CPUs.
 */
#define PERF_LEAST 0.4
#define KERNEL_LEAST 0.4

void measured_check(struct measured *m, double kernel_ms, double slack_ms, double stolen_ms)
{
	double clock_ms = perf_rows_value(&m->rows, "task-clock", NULL);
	CLEANUP(strbuf_release) struct strbuf why = STRBUF_INIT;

	if (isnan(clock_ms) || isnan(kernel_ms))
		return;
	if (clock_ms < PERF_LEAST * kernel_ms - slack_ms) {
		strbuf_addf(&why, "perf counted %.4g ms of CPU time, the kernel %.4g ms: the target ran a program that perf may not "
			    "look at (setuid, or unreadable), or interfered with perf", clock_ms, kernel_ms);
		free(m->dropped);
		m->dropped = strbuf_take(&why);
	} else if (KERNEL_LEAST * clock_ms > kernel_ms + slack_ms + stolen_ms) {
		m->unwaited = true;
		m->user_ms = m->system_ms = m->cpu_ms = m->max_rss_bytes = m->page_faults = m->major_faults = NAN;
		m->voluntary_switches = m->involuntary_switches = NAN;
		m->io = (struct io_counts){ NAN, NAN, NAN, NAN };
	}
}

void measured_set(struct side_result *result, struct run *run, const struct metric *metric, double value)
{
	size_t column = side_result_column(result, metric);

	run->values[column] = value;
}

void measured_derive(struct side_result *result, struct run *run)
{
	for (const struct metric *m = metric_catalogue; m < metric_catalogue + metric_catalogue_size; m++) {
		double above = m->numerator ? run_value(result, run, m->numerator) : NAN;
		double below = m->numerator ? run_value(result, run, m->denominator) : NAN;

		/* task-clock, in milliseconds, is the only denominator with a dimension. */
		if (!isnan(above) && below > 0)
			measured_set(result, run, m, above / below * (m->unit == UNIT_HZ ? 1e3 : 1));
	}
}

void measured_store(const struct measured *measured, const struct strv *events, unsigned group,
		    struct side_result *result)
{
	struct run *run = side_result_add_run(result);
	double work = measured->work;
	size_t n;

	run->group = group;
	run->both_ms = measured->both_ms;
	perf_rows_copy(&result->arena, &run->rows, &measured->rows);
	for (size_t i = 0; i < events->n; i++)
		measured_set(result, run, own_metrics_find(&result->own_metrics, events->items[i]),
			     perf_rows_value(&run->rows, events->items[i], NULL));
	for (const struct member *m = members; m < members + MEMBERS; m++)
		if (m->metric)
			measured_set(result, run, m->metric, member_of(measured, m));
	/* A target that released memory has not grown. */
	if (measured->resident_before_bytes > 0 && measured->resident_bytes > 0)
		measured_set(result, run, METRIC(RSS_GROWTH), fmax(0, measured->resident_bytes - measured->resident_before_bytes));
	if (work > 0)
		measured_set(result, run, METRIC(WORK), work);
	if (work > 0 && measured->wall_ms > 0)
		measured_set(result, run, METRIC(THROUGHPUT), work / measured->wall_ms * 1e3);
	for (size_t i = 0; i < measured->n_custom; i++)
		measured_set(result, run, measured->custom[i].metric, measured->custom[i].value);
	measured_derive(result, run);
	/* Counts of a window depend on the work done in it; counts of a single action do not. */
	n = work > 0 ? result->n_metrics : 0;
	for (size_t i = 0; i < n; i++)
		if (result->metrics[i]->normalised && !isnan(run->values[i]))
			measured_set(result, run, result->metrics[i]->normalised, run->values[i] /
				     (measured->both_work > 0 && metric_together(result->metrics[i]) ? measured->both_work : work));
}
