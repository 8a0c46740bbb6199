#include "model/cpuinfo.h"

#include <ctype.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/strv.h"
#include "model/arm_part.h"
#include "model/machine.h"

enum { PART_LONGEST = 64 };

/* A line "key : value", both without surrounding space; pointers into the text. */
struct field {
	const char *key, *value;
	size_t key_len, value_len;
};

static size_t without_trailing_space(const char *s, size_t len)
{
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	return len;
}

static bool next_field(const char **text, struct field *out)
{
	while (**text) {
		const char *line = *text;
		size_t len = strcspn(line, "\n");
		const char *colon = memchr(line, ':', len);

		*text += len + (line[len] == '\n');
		if (!colon)
			continue;
		*out = (struct field){ .key = line, .value = colon + 1 };
		out->key_len = without_trailing_space(line, (size_t)(colon - line));
		while (out->value < line + len && isspace((unsigned char)*out->value))
			out->value++;
		out->value_len = without_trailing_space(out->value, (size_t)(line + len - out->value));
		return true;
	}
	return false;
}

static bool is_key(const struct field *field, const char *key)
{
	return field->key_len == strlen(key) && !strncasecmp(field->key, key, field->key_len);
}

/* The first value of KEY that is not empty, runs of spaces made one; NULL when there is none. */
static char *first_value(const char *text, const char *key)
{
	struct strbuf value = STRBUF_INIT;
	struct field field;

	while (next_field(&text, &field)) {
		if (!is_key(&field, key) || !field.value_len)
			continue;
		for (size_t i = 0; i < field.value_len; i++)
			if (!isspace((unsigned char)field.value[i]))
				strbuf_addc(&value, field.value[i]);
			else if (!strbuf_ends_with(&value, " "))
				strbuf_addc(&value, ' ');
		return strbuf_take(&value);
	}
	return NULL;
}

static unsigned number_of(const char *text, const char *key)
{
	CLEANUP(free_ptr) char *value = first_value(text, key);

	return value ? (unsigned)strtoul(value, NULL, 0) : 0;
}

/* Each kind of core once, in the order of its first CPU; NULL when the text is not arm's. */
static char *arm_model(const char *text, const char *sys_vendor)
{
	CLEANUP(strv_release) struct strv kinds = STRV_INIT;
	struct strbuf joined = STRBUF_INIT;
	unsigned implementer = 0;
	struct field field;

	while (next_field(&text, &field)) {
		if (is_key(&field, "CPU implementer")) {
			implementer = (unsigned)strtoul(field.value, NULL, 0);
		} else if (is_key(&field, "CPU part")) {
			unsigned part = (unsigned)strtoul(field.value, NULL, 0);
			CLEANUP(free_ptr) char *kind = arm_part_name(implementer, part, sys_vendor);

			if (!strv_has(&kinds, kind))
				strv_push(&kinds, kind);
		}
	}
	for (size_t i = 0; i < kinds.n; i++)
		strbuf_addf(&joined, "%s%s", i ? " + " : "", kinds.items[i]);
	return kinds.n ? strbuf_take(&joined) : NULL;
}

char *cpuinfo_model(const char *text, const char *sys_vendor)
{
	/* x86 and LoongArch; MIPS; RISC-V; POWER; s390 */
	static const char *const keys[] = { "model name", "cpu model", "uarch", "cpu", "vendor_id" };
	/* First, because 32-bit arm also has a model name, which names only the architecture. */
	char *model = arm_model(text, sys_vendor);

	for (size_t i = 0; !model && i < sizeof keys / sizeof *keys; i++)
		model = first_value(text, keys[i]);
	return model ?: xstrdup("unknown");
}

/* True when a word of NAME before the clock rate is a model number: two digits or more, as in 8370C, 7B12, N100. */
static bool has_model_number(const char *name)
{
	while (*name && *name != '@') {
		size_t len = 0, digits = 0;

		for (; isalnum((unsigned char)name[len]); len++)
			digits += isdigit((unsigned char)name[len]) != 0;
		/* "64-Core" counts cores. */
		if (digits >= 2 && strncasecmp(name + len, "-core", 5))
			return true;
		name += len ? len : 1;
	}
	return false;
}

char *cpuinfo_slug(const char *text, const char *sys_vendor)
{
	CLEANUP(free_ptr) char *model = cpuinfo_model(text, sys_vendor);
	struct strbuf slug = STRBUF_INIT;
	CLEANUP(free_ptr) char *plain = machine_cpu_slug(model);

	strbuf_adds(&slug, plain);
	if (cpuinfo_is_x86(text) && !has_model_number(model)) {
		unsigned family = number_of(text, "cpu family"), number = number_of(text, "model");

		strbuf_addf(&slug, "-f%um%u", family, number);
		/* Skylake, Cascade Lake and Cooper Lake servers differ only in the stepping. */
		if (family == 6 && number == 85)
			strbuf_addf(&slug, "s%u", number_of(text, "stepping"));
	}
	return strbuf_take(&slug);
}

/* The number of CPUs distinguishes, so a long name gives way to it. */
static void truncate_slug(struct strbuf *slug, size_t longest)
{
	if (slug->len > longest)
		strbuf_truncate(slug, longest);
	while (slug->len && !isalnum((unsigned char)slug->buf[slug->len - 1]))
		strbuf_truncate(slug, slug->len - 1);
}

char *cpuinfo_part(const char *text, const char *sys_vendor, unsigned cpus, const char *override)
{
	bool own = override && *override;
	CLEANUP(free_ptr) char *slug = own ? machine_cpu_slug(override) : cpuinfo_slug(text, sys_vendor);
	struct strbuf part = STRBUF_INIT;
	char suffix[32] = "";

	if (!own)
		snprintf(suffix, sizeof suffix, "-%ucpu", cpus);
	strbuf_adds(&part, slug);
	truncate_slug(&part, PART_LONGEST - strlen(suffix));
	strbuf_adds(&part, suffix);
	return strbuf_take(&part);
}

bool cpuinfo_flag(const char *text, const char *flag)
{
	size_t flag_len = strlen(flag);
	struct field field;

	while (next_field(&text, &field)) {
		const char *end = field.value + field.value_len;

		if (!is_key(&field, "flags"))
			continue;
		for (const char *word = field.value; word < end; word++) {
			size_t len = strcspn(word, " \n");

			if (len == flag_len && !strncmp(word, flag, len))
				return true;
			word += len;
		}
		return false;
	}
	return false;
}

bool cpuinfo_is_x86(const char *text)
{
	struct field field;

	while (next_field(&text, &field))
		if (is_key(&field, "flags"))
			return true;
	return false;
}
