#include "gate/machine_json.h"

#include <ctype.h>

#include "base/cleanup.h"

/* Beyond this many CPUs no Linux is built; a file that claims more is damaged. */
enum { CPUS_MAX = 65536, PART_LONGEST = 128 };

static void add_text(cJSON *object, const char *key, const void *member)
{
	json_codec_text.add(object, key, member);
}

/* Parts of the class end up in the names of files. */
static int read_part(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *text = NULL;
	size_t len = 0;

	if (json_string(at, &text, err) < 0)
		return -1;
	while (isalnum((unsigned char)text[len]) || (text[len] && strchr("._-", text[len])))
		len++;
	if (!len || text[len] || len > PART_LONGEST || text[0] == '.')
		return json_fault(at, err,
				  "expected at most %d letters, digits and . _ - with no dot first, found '%.60s'",
				  PART_LONGEST, text);
	*(char **)member = take_ptr(&text);
	return 0;
}

static const struct json_codec part_codec = { add_text, read_part };

static void add_cpus(cJSON *object, const char *key, const void *member)
{
	json_codec_unsigned.add(object, key, member);
}

static int read_cpus(const struct json *at, void *member, struct error *err)
{
	uint64_t cpus;

	if (json_u64(at, CPUS_MAX, &cpus, err) < 0)
		return -1;
	*(unsigned *)member = (unsigned)cpus;
	return 0;
}

static const struct json_codec cpus_codec = { add_cpus, read_cpus };

static void add_tier(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, tier_name(*(const enum tier *)member));
}

static int read_tier(const struct json *at, void *member, struct error *err)
{
	const char *names[TIER_NONE + 1];
	size_t index;

	for (size_t i = 0; i <= TIER_NONE; i++)
		names[i] = tier_name((enum tier)i);
	if (json_choice(at, names, TIER_NONE + 1, &index, err) < 0)
		return -1;
	*(enum tier *)member = (enum tier)index;
	return 0;
}

static const struct json_codec tier_codec = { add_tier, read_tier };

static void add_class(cJSON *object, const char *key, const void *member)
{
	CLEANUP(free_ptr) char *class = machine_class(member);

	json_add_string(object, key, class);
}

const struct json_codec machine_codec_class = { add_class, NULL };

int machine_json_check_class(const struct json *object, const struct machine *machine, struct error *err)
{
	CLEANUP(free_ptr) char *found = NULL, *derived = machine_class(machine);
	struct json at;

	if (json_need(object, "class", &at, err) < 0 || json_string(&at, &found, err) < 0)
		return -1;
	if (strcmp(found, derived))
		return json_fault(&at, err, "the machine's arch, part and tier make the class '%s', found '%.100s'",
				  derived, found);
	return 0;
}

static const struct json_field stable[] = {
	JSON_NEEDED(struct machine, arch, part_codec),
	JSON_NEEDED(struct machine, cpu, json_codec_text),
	JSON_NEEDED(struct machine, part, part_codec),
	JSON_NEEDED(struct machine, cpus, cpus_codec),
	JSON_NEEDED(struct machine, tier, tier_codec),
	JSON_OPTIONAL(struct machine, hypervisor, json_codec_text),
	JSON_NEEDED(struct machine, kernel, json_codec_text),
	JSON_END,
};

static const struct json_field whole[] = {
	JSON_WHOLE("class", machine_codec_class, false),
	JSON_NEEDED(struct machine, tier, tier_codec),
	JSON_NEEDED(struct machine, arch, part_codec),
	JSON_NEEDED(struct machine, cpu, json_codec_text),
	JSON_NEEDED(struct machine, part, part_codec),
	JSON_NEEDED(struct machine, cpus, cpus_codec),
	JSON_OPTIONAL(struct machine, hypervisor, json_codec_text),
	JSON_NEEDED(struct machine, kernel, json_codec_text),
	JSON_NEEDED(struct machine, os, json_codec_text),
	JSON_OPTIONAL(struct machine, perf_path, json_codec_text),
	JSON_OPTIONAL(struct machine, perf_version, json_codec_text),
	JSON_OPTIONAL(struct machine, tier_reason, json_codec_text),
	JSON_OPTIONAL(struct machine, tier_remedy, json_codec_text),
	JSON_OPTIONAL(struct machine, counters, json_codec_unsigned),
	JSON_OPTIONAL(struct machine, notes, json_codec_texts),
	JSON_END,
};

static void add_stable(cJSON *object, const char *key, const void *member)
{
	json_fields_add(json_add_object(object, key), stable, member);
}

static int read_stable(const struct json *at, void *member, struct error *err)
{
	return json_fields_only(at, stable, err) < 0 ? -1 : json_fields_read(at, stable, member, err);
}

const struct json_codec machine_codec_stable = { add_stable, read_stable };

static void add_whole(cJSON *object, const char *key, const void *member)
{
	json_fields_add(json_add_object(object, key), whole, member);
}

static int read_whole(const struct json *at, void *member, struct error *err)
{
	return json_fields_read(at, whole, member, err);
}

const struct json_codec machine_codec = { add_whole, read_whole };
