#include "gate/json_fields.h"

#include <limits.h>

enum { FIELDS_MAX = 64 };

void json_fields_add(cJSON *object, const struct json_field *fields, const void *record)
{
	for (; fields->key; fields++)
		fields->codec->add(object, fields->key, (const char *)record + fields->offset);
}

static int read_field(const struct json *object, const struct json_field *field, void *record, struct error *err)
{
	struct json at;
	int found;

	if (field->needed)
		found = json_need(object, field->key, &at, err) < 0 ? -1 : 1;
	else
		found = json_get(object, field->key, &at, err);
	if (found != 1 || !field->codec->read)
		return found < 0 ? -1 : 0;
	return field->codec->read(&at, (char *)record + field->offset, err);
}

int json_fields_read(const struct json *object, const struct json_field *fields, void *record, struct error *err)
{
	for (; fields->key; fields++)
		if (read_field(object, fields, record, err) < 0)
			return -1;
	return 0;
}

int json_fields_only(const struct json *object, const struct json_field *fields, struct error *err)
{
	const char *known[FIELDS_MAX + 1] = { NULL };

	for (size_t i = 0; i < FIELDS_MAX && fields[i].key; i++)
		known[i] = fields[i].key;
	return json_only(object, known, err);
}

static void add_text(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, *(char *const *)member);
}

static int read_text(const struct json *at, void *member, struct error *err)
{
	return json_string(at, member, err);
}

const struct json_codec json_codec_text = { add_text, read_text };

static void add_texts(cJSON *object, const char *key, const void *member)
{
	json_add_strings(object, key, member);
}

static int read_texts(const struct json *at, void *member, struct error *err)
{
	return json_strings(at, member, err);
}

const struct json_codec json_codec_texts = { add_texts, read_texts };

static void add_bool(cJSON *object, const char *key, const void *member)
{
	json_add_bool(object, key, *(const bool *)member);
}

static int read_bool(const struct json *at, void *member, struct error *err)
{
	return json_bool(at, member, err);
}

const struct json_codec json_codec_bool = { add_bool, read_bool };

static void add_unsigned(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, *(const unsigned *)member);
}

static int read_unsigned(const struct json *at, void *member, struct error *err)
{
	uint64_t value;

	if (json_u64(at, UINT_MAX, &value, err) < 0)
		return -1;
	*(unsigned *)member = (unsigned)value;
	return 0;
}

const struct json_codec json_codec_unsigned = { add_unsigned, read_unsigned };

static void add_size(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, (double)*(const size_t *)member);
}

static int read_size(const struct json *at, void *member, struct error *err)
{
	uint64_t value;

	if (json_u64(at, SIZE_MAX, &value, err) < 0)
		return -1;
	*(size_t *)member = (size_t)value;
	return 0;
}

const struct json_codec json_codec_size = { add_size, read_size };

static void add_count(cJSON *object, const char *key, const void *member)
{
	uint64_t count = *(const uint64_t *)member;

	json_add_number(object, key, (double)(count < JSON_WHOLE_MAX ? count : JSON_WHOLE_MAX));
}

static int read_count(const struct json *at, void *member, struct error *err)
{
	return json_u64(at, JSON_WHOLE_MAX, member, err);
}

const struct json_codec json_codec_count = { add_count, read_count };

static void add_number(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, *(const double *)member);
}

static int read_number(const struct json *at, void *member, struct error *err)
{
	return json_number_or_null(at, member, err);
}

const struct json_codec json_codec_number = { add_number, read_number };
