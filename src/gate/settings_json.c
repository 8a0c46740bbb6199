#include "gate/settings_json.h"

#include "model/baseline.h"

static const struct json_field fields[] = {
	JSON_NEEDED(struct settings, command, json_codec_texts),
	JSON_OPTIONAL(struct settings, setup, json_codec_text),
	JSON_OPTIONAL(struct settings, prepare, json_codec_text),
	JSON_OPTIONAL(struct settings, environment, json_codec_texts),
	JSON_OPTIONAL(struct settings, events, json_codec_texts),
	JSON_OPTIONAL(struct settings, cpus, json_codec_text),
	JSON_OPTIONAL(struct settings, aslr_off, json_codec_bool),
	JSON_OPTIONAL(struct settings, services, json_codec_texts),
	JSON_OPTIONAL(struct settings, load, json_codec_text),
	JSON_OPTIONAL(struct settings, metrics, json_codec_texts),
	JSON_OPTIONAL(struct settings, window_s, json_codec_number),
	JSON_END,
};

static void add_settings(cJSON *object, const char *key, const void *member)
{
	json_fields_add(json_add_object(object, key), fields, member);
}

static int read_settings(const struct json *at, void *member, struct error *err)
{
	return json_fields_read(at, fields, member, err);
}

static int read_strict(const struct json *at, void *member, struct error *err)
{
	return json_fields_only(at, fields, err) < 0 ? -1 : read_settings(at, member, err);
}

const struct json_codec settings_codec = { add_settings, read_settings };
const struct json_codec settings_codec_strict = { add_settings, read_strict };
