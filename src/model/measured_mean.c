#include "model/measured_mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* -------- runs that counted the same */

static const size_t means[] = {
#define MEMBER(name) offsetof(struct measured, name)
	MEMBER(wall_ms), MEMBER(user_ms), MEMBER(system_ms), MEMBER(cpu_ms), MEMBER(page_faults), MEMBER(major_faults),
	MEMBER(voluntary_switches), MEMBER(involuntary_switches), MEMBER(work),
#undef MEMBER
};

static double member(const struct measured *run, size_t offset)
{
	return *(const double *)((const char *)run + offset);
}

static void mean_members(const struct measured *runs, size_t n, struct measured *out)
{
	for (size_t m = 0; m < sizeof means / sizeof means[0]; m++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += member(&runs[i], means[m]);
		*(double *)((char *)out + means[m]) = sum / (double)n;
	}
	/* fmax() would pass over one that was not measured. */
	out->max_rss_bytes = runs[0].max_rss_bytes;
	for (size_t i = 1; i < n; i++)
		if (isnan(runs[i].max_rss_bytes) || runs[i].max_rss_bytes > out->max_rss_bytes)
			out->max_rss_bytes = runs[i].max_rss_bytes;
}

static double mean_figure(const struct measured *runs, size_t n, size_t figure)
{
	double sum = 0;
	size_t printed = 0;

	for (size_t i = 0; i < n; i++) {
		if (figure >= runs[i].n_figures || isnan(runs[i].figures[figure].value))
			continue;
		sum += runs[i].figures[figure].value;
		printed++;
	}
	return printed ? sum / (double)printed : NAN;
}

static void mean_figures(const struct measured *runs, size_t n, struct measured *out)
{
	out->n_figures = runs[0].n_figures;
	out->figures = out->n_figures ? xcalloc(out->n_figures, sizeof *out->figures) : NULL;
	for (size_t i = 0; i < out->n_figures; i++)
		out->figures[i] = (struct measured_figure){ runs[0].figures[i].metric, mean_figure(runs, n, i) };
}

/* The row of RUN for the event that is the INDEX-th row of FIRST: at the same place, as the same perf wrote both. */
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
	mean_figures(runs, n, out);
	mean_rows(runs, n, &out->rows);
	for (size_t i = 0; i < n; i++)
		out->hasty = out->hasty || runs[i].hasty;
}

/* -------- runs that counted something each */

static double fold_column(const struct run *runs, size_t n, size_t column, bool largest)
{
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
	if (!measured)
		return NAN;
	return largest ? most : sum / (double)measured;
}

static void move_rows(struct perf_rows *to, struct perf_rows *from)
{
	for (size_t i = 0; i < from->n; i++) {
		VEC_GROW(to->items, to->n, to->cap);
		to->items[to->n++] = from->items[i];
	}
	free(from->items);
	*from = (struct perf_rows){ 0 };
}

void measured_fold(struct scenario_result *result, size_t n)
{
	struct run *runs = &result->runs[result->n_runs - n];

	for (size_t column = 0; column < result->n_metrics; column++)
		runs[0].values[column] = fold_column(runs, n, column, !strcmp(result->metrics[column]->name, "max-rss"));
	for (size_t i = 1; i < n; i++) {
		move_rows(&runs[0].rows, &runs[i].rows);
		free(runs[i].values);
	}
	runs[0].pass = 0;
	result->n_runs -= n - 1;
}
