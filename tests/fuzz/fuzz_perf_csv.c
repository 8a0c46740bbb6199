/* Text of `perf stat -x` with both separators: rows are complete or rejected; a value is valid or has a reason. */
#include "measure/perf/perf_csv.h"
#include "model/events.h"
#include "model/measured.h"
#include "fuzz.h"

static void check_row(const struct perf_rows *rows, const struct perf_row *row)
{
	CLEANUP(event_name_release) struct event_name name = EVENT_NAME_INIT;
	enum missing why;
	double value;

	require(row->event[0] && isfinite(row->running_pct) && row->running_pct >= 0);
	require(row->state == ROW_COUNTED ? isfinite(row->value) && row->value >= 0 : isnan(row->value));
	event_name_parse(row->event, &name);
	require(!!name.name);
	value = perf_rows_value(rows, row->event, &why);
	require(isnan(value) == (why != MISSING_NOT));
	require(!!*missing_reason(why) == (why != MISSING_NOT));
}

static void check(const char *text, size_t size, char separator)
{
	CLEANUP(perf_rows_release) struct perf_rows rows = { 0 };
	struct error err = ERROR_INIT;

	if (perf_csv_parse(text, size, separator, &rows, &err)) {
		require(!rows.n && err.kind == ERR_SYSTEM && strstr(err.msg, "line "));
		return;
	}
	require(err.kind == ERR_NONE);
	/* Looking up every row would take quadratic time; a few are enough. */
	for (size_t i = 0; i < rows.n && i < 32; i++)
		check_row(&rows, &rows.items[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check((const char *)data, size, PERF_CSV_SEPARATOR);
	check((const char *)data, size, ',');
	return 0;
}
