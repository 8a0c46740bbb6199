#include "model/figure_json.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"

enum { PATH_LONGEST = 500, INDEX_DIGITS = 6 };

struct step {
	const char *key;	/* NULL: an index */
	size_t len;
	int index;
};

static int read_index(const char **at, struct step *out)
{
	size_t digits = strspn(*at + 1, "0123456789");

	if (!digits || digits > INDEX_DIGITS || (*at)[1 + digits] != ']')
		return -1;
	*out = (struct step){ .index = (int)strtol(*at + 1, NULL, 10) };
	*at += digits + 2;
	return 1;
}

/* The step at *AT, which moves behind it: 1, 0 at the end, -1 when it is none. FIRST has no dot before its key. */
static int next_step(const char **at, bool first, struct step *out)
{
	size_t len;

	if (**at == '[')
		return read_index(at, out);
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

int figure_json_check(const char *path, struct error *err)
{
	const char *at = path_start(path);
	bool first = true;
	struct step step;
	int found;

	while ((found = next_step(&at, first, &step)) == 1)
		first = false;
	if (found < 0 || strlen(path) > PATH_LONGEST)
		return error_set(err, ERR_INPUT, "expected a JSON path such as latency.p99 or results[0].rate, found '%.60s'",
				 path);
	return 0;
}

static const cJSON *walk(const cJSON *value, const char *path)
{
	const char *at = path_start(path);
	struct step step;

	for (bool first = true; value && next_step(&at, first, &step) == 1; first = false) {
		CLEANUP(free_ptr) char *key = step.key ? xstrndup(step.key, step.len) : NULL;

		if (key)
			value = cJSON_IsObject(value) ? cJSON_GetObjectItemCaseSensitive(value, key) : NULL;
		else
			value = cJSON_IsArray(value) ? cJSON_GetArrayItem(value, step.index) : NULL;
	}
	return value;
}

static bool begins_line(const char *text, size_t at)
{
	return (text[at] == '{' || text[at] == '[') && (!at || text[at - 1] == '\n' || text[at - 1] == '\r');
}

/*
 * The last value, for cJSON_Delete(), or NULL. What lies inside another one is part of it. Attempts that
 * fail late would take quadratic time, so what they may read together is bounded; log lines that begin
 * with a bracket fail at once.
 */
static cJSON *last_value(const char *text, size_t len)
{
	size_t budget = 16 * len;
	cJSON *last = NULL;

	for (size_t at = 0; at < len;) {
		const char *end = text + at;
		cJSON *value = NULL;

		if (begins_line(text, at) && budget)
			value = cJSON_ParseWithLengthOpts(text + at, len - at, &end, 0);
		if (value) {
			cJSON_Delete(last);
			last = value;
			at = (size_t)(end - text);
			continue;
		}
		budget -= (size_t)(end - text) - at < budget ? (size_t)(end - text) - at : budget;
		at++;
	}
	return last;
}

static char *text_of(const cJSON *value)
{
	CLEANUP(strbuf_release) struct strbuf number = STRBUF_INIT;

	if (cJSON_IsString(value))
		return xstrdup(value->valuestring);
	if (!cJSON_IsNumber(value))
		return cJSON_PrintUnformatted(value);
	strbuf_addf(&number, "%.17g", value->valuedouble);
	return strbuf_take(&number);
}

int figure_json_find(const char *path, const char *text, size_t len, char **out)
{
	cJSON *root = last_value(text, len);
	const cJSON *value = root ? walk(root, path) : NULL;

	if (value)
		*out = text_of(value);
	cJSON_Delete(root);
	return value != NULL;
}
