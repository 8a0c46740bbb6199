#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* -------- paths */

enum { INDEX_DIGITS = 6 };

struct step {
	const char *key;	/* NULL: an index */
	size_t len;
	int index;
};

/* 1, 0 at the end, or -1 if invalid. FIRST: its key has no dot before it. */
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

static const char *path_start(const char *path)
{
	if (path[0] == '$' && path[1] == '.')
		return path + 2;
	return path[0] == '$' && path[1] == '[' ? path + 1 : path;
}

bool json_path_valid(const char *path)
{
	const char *at = path_start(path);
	struct step step;
	int found = 1;

	for (bool first = true; found == 1; first = false)
		found = next_step(&at, first, &step);
	return found == 0;
}

const cJSON *json_at(const cJSON *root, const char *path)
{
	const cJSON *value = root;
	const char *at = path_start(path);
	struct step step;
	int found = 1;

	for (bool first = true; value && (found = next_step(&at, first, &step)) == 1; first = false) {
		CLEANUP(free_ptr) char *key = step.key ? xstrndup(step.key, step.len) : NULL;

		if (key)
			value = cJSON_IsObject(value) ? cJSON_GetObjectItemCaseSensitive(value, key) : NULL;
		else
			value = cJSON_IsArray(value) ? cJSON_GetArrayItem(value, step.index) : NULL;
	}
	return found < 0 ? NULL : value;
}

/* -------- values in an output */

cJSON *json_scan_next(struct json_scan *scan)
{
	for (; scan->at < scan->len; scan->at++) {
		const char *text = scan->text + scan->at, *end = text;
		bool begins_line = !scan->at || text[-1] == '\n' || text[-1] == '\r';
		cJSON *value = NULL;
		size_t read;

		if (begins_line && (*text == '{' || *text == '[') && scan->budget)
			value = cJSON_ParseWithLengthOpts(text, scan->len - scan->at, &end, 0);
		read = (size_t)(end - text);
		if (value) {
			scan->begin = scan->at;
			scan->at += read;
			return value;
		}
		scan->budget -= read < scan->budget ? read : scan->budget;
	}
	return NULL;
}
