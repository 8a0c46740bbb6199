#include "measure/perf/perf_csv.h"

#include <math.h>
#include <stdbool.h>

#include "base/mem.h"
#include "base/parse.h"
#include "model/events.h"
#include "model/result.h"

enum { COLUMN_VALUE, COLUMN_UNIT, COLUMN_EVENT, COLUMN_RUN, COLUMN_RUNNING, COLUMNS };

struct field {
	const char *text;
	size_t len;
};

static size_t split(struct field line, char separator, struct field columns[COLUMNS])
{
	size_t n = 0;

	for (;;) {
		const char *end = memchr(line.text, separator, line.len);
		size_t len = end ? (size_t)(end - line.text) : line.len;

		columns[n++] = (struct field){ line.text, len };
		if (!end || n == COLUMNS)
			return n;
		line.text += len + 1;
		line.len -= len + 1;
	}
}

static bool field_is(struct field field, const char *word)
{
	return field.len == strlen(word) && !memcmp(field.text, word, field.len);
}

/*
 * A row starts with a value. As many columns with another start are a damaged row, or one of an option that pawl never
 * passes (-A, --per-thread, -I).
 */
static bool is_row(const struct field columns[COLUMNS], size_t n)
{
	struct field first = columns[0];

	if (!first.len)
		return n == COLUMNS && (columns[COLUMN_UNIT].len || columns[COLUMN_EVENT].len);
	if (first.text[0] == '#')
		return false;
	return n == COLUMNS || first.text[0] == '<' || (first.text[0] >= '0' && first.text[0] <= '9');
}

static int damaged(struct error *err, const char *expected, struct field found)
{
	return error_set(err, ERR_SYSTEM, "expected %s, found '%.*s'", expected,
			 (int)(found.len < 60 ? found.len : 60), found.text);
}

/* A text that is too long, or has a NUL, becomes "", which is no number. */
static const char *number_text(struct field field, char buf[static 32])
{
	bool fits = field.len < 32 && !memchr(field.text, '\0', field.len);

	snprintf(buf, 32, "%.*s", fits ? (int)field.len : 0, field.text);
	return buf;
}

static int read_row(const struct field columns[COLUMNS], struct perf_row *out, struct error *err)
{
	struct field value = columns[COLUMN_VALUE], event = columns[COLUMN_EVENT];
	CLEANUP(event_name_release) struct event_name name = EVENT_NAME_INIT;
	struct perf_row row = { .value = NAN };
	char buf[32];

	row.state = field_is(value, "<not counted>")	? ROW_NOT_COUNTED :
		    field_is(value, "<not supported>")	? ROW_NOT_SUPPORTED :
							  ROW_COUNTED;
	if (row.state == ROW_COUNTED && (parse_double(number_text(value, buf), &row.value, NULL) || row.value < 0))
		return damaged(err, "a count with a decimal point", value);
	if (!event.len || memchr(event.text, '\0', event.len))
		return damaged(err, "an event", event);
	if (parse_u64(number_text(columns[COLUMN_RUN], buf), &row.run_ns, NULL))
		return damaged(err, "how long the event counted, in nanoseconds", columns[COLUMN_RUN]);
	if (parse_double(number_text(columns[COLUMN_RUNNING], buf), &row.running_pct, NULL) || row.running_pct < 0)
		return damaged(err, "the percentage of time counted", columns[COLUMN_RUNNING]);

	/* Another unit would go unnoticed until a gate is judged. */
	row.event = xstrndup(event.text, event.len);
	event_name_parse(row.event, &name);
	if (row.state == ROW_COUNTED && (!strcmp(name.name, "task-clock") || !strcmp(name.name, "cpu-clock")) &&
	    !field_is(columns[COLUMN_UNIT], "msec")) {
		free(row.event);
		return damaged(err, "the unit msec of a clock", columns[COLUMN_UNIT]);
	}
	*out = row;
	return 0;
}

static int parse_line(struct field line, char separator, struct perf_rows *rows, struct error *err)
{
	struct field columns[COLUMNS];
	struct perf_row row;
	size_t n;

	for (; line.len && line.text[0] == ' '; line.len--)
		line.text++;
	n = split(line, separator, columns);
	if (!is_row(columns, n))
		return 0;
	if (n < COLUMNS)
		return error_set(err, ERR_SYSTEM, "expected five columns, found %zu", n);
	if (read_row(columns, &row, err))
		return -1;
	*VEC_ADD(rows->items, rows->n, rows->cap) = row;
	return 0;
}

int perf_csv_parse(const char *text, size_t len, char separator, struct perf_rows *out, struct error *err)
{
	const char *end = text + len, *line;
	struct perf_rows rows = { 0 };

	for (size_t number = 1; (line = text_next_line(&text, end, &len)); number++) {
		if (parse_line((struct field){ line, len }, separator, &rows, err)) {
			perf_rows_release(&rows);
			return error_wrap(err, "line %zu of perf stat's output is damaged (cut short, or written in "
					  "a locale other than C?)", number);
		}
	}
	*out = rows;
	return 0;
}
