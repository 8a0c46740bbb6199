/*
 * A struct's members as keys of a JSON object, from one table for both directions, so that what
 * is written can be read again. The table's order is the order of the keys in the file.
 *
 *	static const struct json_field fields[] = {
 *		JSON_NEEDED(struct session, date, json_codec_text),
 *		JSON_OPTIONAL(struct session, commit, json_codec_text),
 *		JSON_END,
 *	};
 */
#ifndef PAWL_GATE_JSON_FIELDS_H
#define PAWL_GATE_JSON_FIELDS_H

#include "store/json.h"

/* How one kind of member is written and read. READ replaces the member only on success. */
struct json_codec {
	void (*add)(cJSON *object, const char *key, const void *member);
	int (*read)(const struct json *at, void *member, struct error *err);	/* NULL: written only */
};

struct json_field {
	const char *key;	/* NULL ends the table */
	size_t offset;
	const struct json_codec *codec;
	bool needed;		/* missing is a fault; else missing or null leaves the member as it was */
};

#define JSON_NEEDED(type, member, codec_) { #member, offsetof(type, member), &(codec_), true }
#define JSON_OPTIONAL(type, member, codec_) { #member, offsetof(type, member), &(codec_), false }
/* A key whose codec sees the whole struct. */
#define JSON_WHOLE(key_, codec_, needed_) { key_, 0, &(codec_), needed_ }
#define JSON_END { NULL, 0, NULL, false }

void json_fields_add(cJSON *object, const struct json_field *fields, const void *record);
/* On failure RECORD holds what was read until then; the caller releases it. */
int json_fields_read(const struct json *object, const struct json_field *fields, void *record, struct error *err);
/* Refuse keys that FIELDS does not have. */
int json_fields_only(const struct json *object, const struct json_field *fields, struct error *err);

extern const struct json_codec json_codec_text;		/* char *, NULL as null */
extern const struct json_codec json_codec_texts;	/* struct strv */
extern const struct json_codec json_codec_bool;		/* bool */
extern const struct json_codec json_codec_unsigned;	/* unsigned */
extern const struct json_codec json_codec_size;		/* size_t */
extern const struct json_codec json_codec_count;	/* uint64_t, written as JSON_WHOLE_MAX at most */
extern const struct json_codec json_codec_number;	/* double, NaN as null */

#endif
