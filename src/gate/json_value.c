#include "gate/json.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"

int json_string(const struct json *at, char **out, struct error *err)
{
	if (!cJSON_IsString(at->value))
		return json_mismatch(at, err, "a string");
	*out = xstrdup(at->value->valuestring);
	return 0;
}

int json_number(const struct json *at, double *out, struct error *err)
{
	if (!cJSON_IsNumber(at->value))
		return json_mismatch(at, err, "a number");
	if (!isfinite(at->value->valuedouble))
		return json_fault(at, err, "expected a finite number");
	*out = at->value->valuedouble;
	return 0;
}

int json_number_or_null(const struct json *at, double *out, struct error *err)
{
	if (cJSON_IsNull(at->value)) {
		*out = NAN;
		return 0;
	}
	if (!cJSON_IsNumber(at->value))
		return json_mismatch(at, err, "a number or null");
	return json_number(at, out, err);
}

int json_bool(const struct json *at, bool *out, struct error *err)
{
	if (!cJSON_IsBool(at->value))
		return json_mismatch(at, err, "true or false");
	*out = cJSON_IsTrue(at->value);
	return 0;
}

int json_u64(const struct json *at, uint64_t max, uint64_t *out, struct error *err)
{
	double value;

	if (max > JSON_WHOLE_MAX)
		max = JSON_WHOLE_MAX;
	if (!cJSON_IsNumber(at->value))
		return json_mismatch(at, err, "a whole number");
	if (json_number(at, &value, err) < 0)
		return -1;
	if (value < 0 || value > (double)max || floor(value) != value)
		return json_fault(at, err, "expected a whole number from 0 to %llu, found %.17g",
				  (unsigned long long)max, value);
	*out = (uint64_t)value;
	return 0;
}

int json_choice(const struct json *at, const char *const *words, size_t n, size_t *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;

	if (!cJSON_IsString(at->value))
		return json_mismatch(at, err, "a string");
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(words[i], at->value->valuestring)) {
			*out = i;
			return 0;
		}
		strbuf_addf(&all, "%s%s", i ? ", " : "", words[i]);
	}
	return json_fault(at, err, "expected one of %s, found '%.60s'", all.buf, at->value->valuestring);
}

int json_each(const struct json *at, int (*each)(const struct json *item, void *ctx, struct error *err), void *ctx,
	      struct error *err)
{
	struct json item = { .parent = at };

	if (!cJSON_IsArray(at->value) && !cJSON_IsObject(at->value))
		return json_mismatch(at, err, "an array or an object");
	cJSON_ArrayForEach(item.value, at->value) {
		item.key = item.value->string;
		if (each(&item, ctx, err) < 0)
			return -1;
		item.index++;
	}
	return 0;
}

size_t json_size(const struct json *at)
{
	return (size_t)cJSON_GetArraySize(at->value);
}

static int push_string(const struct json *item, void *ctx, struct error *err)
{
	char *text = NULL;

	if (json_string(item, &text, err) < 0)
		return -1;
	strv_take(ctx, text);
	return 0;
}

int json_strings(const struct json *at, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;

	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of strings");
	if (json_each(at, push_string, &list, err) < 0)
		return -1;
	strv_release(out);
	*out = list;
	list = (struct strv)STRV_INIT;
	return 0;
}
