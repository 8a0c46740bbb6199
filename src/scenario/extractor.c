#include "scenario/scenario.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "base/mem.h"
#include "base/parse.h"

/* -------- JSON paths */

enum { PATH_LONGEST = 500, INDEX_DIGITS = 6 };

struct step {
	const char *key;	/* NULL: an index */
	size_t len;
	int index;
};

/* The step at *AT, which moves behind it: 1, 0 at the end, -1 when it is none. FIRST has no dot before its key. */
static int next_step(const char **at, bool first, struct step *out)
{
	size_t len;

	if (**at == '[') {
		len = strspn(*at + 1, "0123456789");
		if (!len || len > INDEX_DIGITS || (*at)[1 + len] != ']')
			return -1;
		*out = (struct step){ .index = (int)strtol(*at + 1, NULL, 10) };
		*at += len + 2;
		return 1;
	}
	if (!**at)
		return first ? -1 : 0;
	if (!first && *(*at)++ != '.')
		return -1;
	len = strcspn(*at, ".[]");
	*out = (struct step){ .key = *at, .len = len };
	*at += len;
	return len ? 1 : -1;
}

/* "$.key", "$[0]" and "key" begin alike. */
static const char *path_start(const char *path)
{
	if (path[0] == '$' && path[1] == '.')
		return path + 2;
	return path[0] == '$' && path[1] == '[' ? path + 1 : path;
}

static int json_check(const char *path, struct error *err)
{
	const char *at = path_start(path);
	struct step step;
	int found = 1;

	for (bool first = true; found == 1; first = false)
		found = next_step(&at, first, &step);
	if (found < 0 || strlen(path) > PATH_LONGEST)
		return error_set(err, ERR_INPUT, "expected a JSON path such as latency.p99 or results[0].rate, found '%.60s'",
				 path);
	return 0;
}

/*
 * The last object or array that begins a line, for cJSON_Delete(), or NULL. What lies inside another one is part of it.
 * Attempts that fail late would take quadratic time, so what they may read together is bounded; log lines that begin
 * with a bracket fail at once.
 */
static cJSON *last_value(const char *text, size_t len)
{
	size_t budget = 16 * len;
	cJSON *last = NULL;

	for (size_t at = 0; at < len;) {
		bool begins_line = !at || text[at - 1] == '\n' || text[at - 1] == '\r';
		const char *end = text + at;
		cJSON *value = NULL;
		size_t read;

		if (begins_line && (text[at] == '{' || text[at] == '[') && budget)
			value = cJSON_ParseWithLengthOpts(text + at, len - at, &end, 0);
		read = (size_t)(end - text) - at;
		if (value) {
			cJSON_Delete(last);
			last = value;
			at += read;
			continue;
		}
		budget -= read < budget ? read : budget;
		at++;
	}
	return last;
}

/* A number or a string at PATH, which was checked; anything else as the JSON it is: that is no number. For free(), or NULL. */
static char *json_find(const char *path, const char *text, size_t len)
{
	cJSON *root = last_value(text, len);
	const cJSON *value = root;
	const char *at = path_start(path);
	struct strbuf found = STRBUF_INIT;
	struct step step;

	for (bool first = true; value && next_step(&at, first, &step) == 1; first = false) {
		CLEANUP(free_ptr) char *key = step.key ? xstrndup(step.key, step.len) : NULL;

		if (key)
			value = cJSON_IsObject(value) ? cJSON_GetObjectItemCaseSensitive(value, key) : NULL;
		else
			value = cJSON_IsArray(value) ? cJSON_GetArrayItem(value, step.index) : NULL;
	}
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

/*
 * A number without a unit is in the unit that METRIC's scenario gave; one of a time, a size or a share
 * may bring its own. METRIC NULL: a plain count. Negative numbers are refused: nothing here measures
 * below zero.
 */
static int read_number(const char *text, const struct metric *metric, double *out, struct error *err)
{
	CLEANUP(free_ptr) char *number = xstrdup(text + strspn(text, " \t"));
	double value;
	char *mu;

	for (size_t len = strlen(number); len && strchr(" \t", number[len - 1]);)
		number[--len] = '\0';
	if (strlen(number) > NUMBER_LONGEST)
		return error_set(err, ERR_INPUT, "expected a number, found '%.60s...'", number);
	/* Go writes microseconds with a Greek letter: the micro sign, or a mu. */
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

static int compile(const char *text, regex_t *out, struct error *err)
{
	regex_t regex;
	size_t groups;

	if (regex_compile(&regex, text, REG_NEWLINE, err) < 0)
		return error_wrap(err, "the regular expression '%.100s' cannot be used", text);
	groups = regex.re_nsub;
	if (groups == 1) {
		*out = regex;
		return 0;
	}
	regfree(&regex);
	return error_set(err, ERR_INPUT,
			 "expected a regular expression with one group around the number, such as 'rate: ([0-9.]+)', "
			 "found %s in '%.100s'", groups ? "more" : "none", text);
}

/* The last capture in LINE. It may hold a NUL, and yet must end in one: sanitizers look for that. */
static bool last_in_line(const regex_t *regex, const struct strbuf *line, regmatch_t *out)
{
	regoff_t to = (regoff_t)line->len;
	bool found = false;

	for (regoff_t from = 0; from <= to;) {
		regmatch_t match[2] = { { .rm_so = from, .rm_eo = to } };

		if (regexec(regex, line->buf, 2, match, REG_STARTEND))
			break;
		if (match[1].rm_so >= 0 && match[1].rm_eo > match[1].rm_so) {
			*out = match[1];
			found = true;
		}
		/* After an empty match the same place would match for ever. */
		from = match[0].rm_eo > from ? match[0].rm_eo : from + 1;
	}
	return found;
}

/*
 * What the group of REGEX captures in its last match that captures anything. A line ends at a newline or, as progress is
 * printed, at a carriage return; no match spans two. For free(), or NULL.
 */
static char *regex_find(const regex_t *regex, const char *text, size_t len)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	regmatch_t capture;

	for (size_t end = len, start; ; end = start - 1) {
		for (start = end; start && text[start - 1] != '\n' && text[start - 1] != '\r'; start--)
			;
		strbuf_reset(&line);
		strbuf_add(&line, text + start, end - start);
		if (last_in_line(regex, &line, &capture))
			return xstrndup(line.buf + capture.rm_so, (size_t)(capture.rm_eo - capture.rm_so));
		if (!start)
			return NULL;
	}
}

/* -------- either */

int extractor_check(const struct extractor *extractor, struct error *err)
{
	CLEANUP(regfree) regex_t compiled = { 0 };

	if (!extractor->regex == !extractor->json)
		return error_set(err, ERR_INPUT, "expected either a regular expression or a JSON path");
	return extractor->regex ? compile(extractor->regex, &compiled, err) : json_check(extractor->json, err);
}

int extractor_find(const struct extractor *extractor, const struct metric *metric, const char *text, size_t len, double *out,
		   struct error *err)
{
	CLEANUP(regfree) regex_t regex = { 0 };
	CLEANUP(free_ptr) char *found = NULL;
	struct error why = ERROR_INIT;

	if (extractor_check(extractor, err) < 0 || (extractor->regex && compile(extractor->regex, &regex, err) < 0))
		return -1;
	found = extractor->regex ? regex_find(&regex, text, len) : json_find(extractor->json, text, len);
	if (!found)
		return 0;
	if (read_number(found, metric, out, &why) < 0)
		return error_set(err, ERR_TARGET, "%s '%.100s' finds no number in the output: %s",
				 extractor->regex ? "the regular expression" : "the JSON path",
				 extractor->regex ?: extractor->json, why.msg);
	return 1;
}
