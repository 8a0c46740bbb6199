#include "scenario/scenario.h"

#include <math.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/regex.h"
#include "store/store.h"

/* -------- JSON paths */

enum { PATH_LONGEST = 500 };

static int json_check(const char *path, struct error *err)
{
	if (!json_path_valid(path) || strlen(path) > PATH_LONGEST)
		return error_set(err, ERR_INPUT, "expected a JSON path such as latency.p99 or results[0].rate, found '%.60s'",
				 path);
	return 0;
}

/* The number or string at PATH in the last value of TEXT, others as JSON; for free(). NULL: not found. */
static char *json_find(const char *path, const char *text, size_t len)
{
	struct json_scan scan = { text, len, .budget = JSON_SCAN_BUDGET(len) };
	struct strbuf found = STRBUF_INIT;
	cJSON *root = NULL, *next;
	const cJSON *value;

	while ((next = json_scan_next(&scan))) {
		cJSON_Delete(root);
		root = next;
	}
	value = json_at(root, path);
	if (cJSON_IsString(value)) {
		strbuf_adds(&found, value->valuestring);
	} else if (cJSON_IsNumber(value)) {
		strbuf_addf(&found, "%.17g", value->valuedouble);
	} else if (value) {
		CLEANUP(free_ptr) char *printed = cJSON_PrintUnformatted(value);

		strbuf_adds(&found, printed ?: "");
	}
	cJSON_Delete(root);
	return value ? strbuf_take(&found) : NULL;
}

/* -------- numbers */

/* More characters than any number has. */
enum { NUMBER_LONGEST = 64 };

int extractor_parse_unit(const char *text, enum metric_unit unit, double *out, struct error *err)
{
	double number, scale = 1;
	uint64_t whole;

	if (unit == UNIT_MS || unit == UNIT_BYTES) {
		if ((unit == UNIT_MS ? parse_duration : parse_size)(text, &whole, err) < 0)
			return -1;
		number = (double)whole;
		scale = unit == UNIT_MS ? 1e6 : 1;
	} else if (unit == UNIT_FRACTION) {
		if (parse_percent(text, &number, err) < 0)
			return -1;
		scale = 100;
	} else if (parse_double(text, &number, err) < 0) {
		return -1;
	}
	*out = number / scale;
	return 0;
}

/* Without a unit it has METRIC's (NULL: a plain count). No metric can be negative. */
static int read_number(const char *text, const struct metric *metric, double *out, struct error *err)
{
	CLEANUP(free_ptr) char *number = xstrdup(text + strspn(text, " \t"));
	double value;
	char *mu;

	for (size_t len = strlen(number); len && strchr(" \t", number[len - 1]);)
		number[--len] = '\0';
	if (strlen(number) > NUMBER_LONGEST)
		return error_set(err, ERR_INPUT, "expected a number, found '%.60s...'", number);
	/* Go writes microseconds as a micro sign or a Greek mu. */
	mu = strstr(number, "\xc2\xb5") ?: strstr(number, "\xce\xbc");
	if (mu) {
		*mu = 'u';
		memmove(mu + 1, mu + 2, strlen(mu + 2) + 1);
	}
	if (parse_double(number, &value, NULL) == 0)
		value *= metric && metric->factor != 0 ? metric->factor : 1;
	else if (extractor_parse_unit(number, metric ? metric->unit : UNIT_COUNT, &value, err) < 0)
		return -1;
	if (value < 0 || !isfinite(value))
		return error_set(err, ERR_INPUT, "expected a number that is not negative, found '%.60s'", number);
	*out = value;
	return 0;
}

/* -------- regular expressions */

static int compile(const char *text, struct regex **out, struct error *err)
{
	CLEANUP(regex_release) struct regex *regex = NULL;
	size_t groups;

	if (regex_compile(text, REGEX_LINES, &regex, err) < 0)
		return error_wrap(err, "the regular expression '%.100s' cannot be used", text);
	groups = regex_groups(regex);
	if (groups != 1)
		return error_set(err, ERR_INPUT,
				 "expected a regular expression with one group around the number, such as 'rate: ([0-9.]+)', "
				 "found %s in '%.100s'", groups ? "more" : "none", text);
	*out = take_ptr(&regex);
	return 0;
}

static int last_in_line(struct regex *regex, const char *line, size_t len, struct regex_span *out, struct error *err)
{
	struct regex_span match[2];
	int got = 0, found = 0;

	for (size_t from = 0; from <= len && (got = regex_find(regex, (struct regex_text){ line, len, from, 0 }, match, err)) > 0;) {
		if (match[1].end > match[1].start) {
			*out = match[1];
			found = 1;
		}
		/* After an empty match the same position would match forever. */
		from = match[0].end > from ? match[0].end : from + 1;
	}
	return got < 0 ? -1 : found;
}

/* Returns 1, 0 or -1. A line ends at a newline or, as in progress output, at a carriage return. */
static int find_capture(struct regex *regex, const char *text, size_t len, struct strbuf *out, struct error *err)
{
	struct regex_span capture;

	for (size_t end = len, start; ; end = start - 1) {
		int found;

		for (start = end; start && text[start - 1] != '\n' && text[start - 1] != '\r'; start--)
			;
		found = last_in_line(regex, text + start, end - start, &capture, err);
		if (found > 0)
			strbuf_add(out, text + start + capture.start, capture.end - capture.start);
		if (found || !start)
			return found;
	}
}

static int check_regex(const char *text, struct error *err)
{
	CLEANUP(regex_release) struct regex *regex = NULL;

	return compile(text, &regex, err);
}

static int find_by_regex(const char *expression, const char *text, size_t len, struct strbuf *out, struct error *err)
{
	CLEANUP(regex_release) struct regex *regex = NULL;
	int found;

	if (compile(expression, &regex, err) < 0)
		return -1;
	found = find_capture(regex, text, len, out, err);
	return found < 0 ? error_wrap(err, "the regular expression '%.100s' cannot be used", expression) : found;
}

/* -------- either kind */

int extractor_check(const struct extractor *extractor, struct error *err)
{
	if (!extractor->regex == !extractor->json)
		return error_set(err, ERR_INPUT, "expected either a regular expression or a JSON path");
	return extractor->regex ? check_regex(extractor->regex, err) : json_check(extractor->json, err);
}

static int find_by_path(const char *path, const char *text, size_t len, struct strbuf *out)
{
	CLEANUP(free_ptr) char *found = json_find(path, text, len);

	if (found)
		strbuf_adds(out, found);
	return found ? 1 : 0;
}

int extractor_find(const struct extractor *extractor, const struct metric *metric, const char *text, size_t len, double *out,
		   struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf number = STRBUF_INIT;
	struct error why = ERROR_INIT;
	int found;

	if (extractor_check(extractor, err) < 0)
		return -1;
	found = extractor->regex ? find_by_regex(extractor->regex, text, len, &number, err) :
				   find_by_path(extractor->json, text, len, &number);
	if (found <= 0)
		return found;
	if (read_number(number.buf, metric, out, &why) < 0)
		return error_set(err, ERR_TARGET, "%s '%.100s' finds no number in the output: %s",
				 extractor->regex ? "the regular expression" : "the JSON path",
				 extractor->regex ?: extractor->json, why.msg);
	return 1;
}
