#include "scenario/values.h"

#include <strings.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/regex.h"
#include "scenario/expand.h"

enum { UNIT_LONGEST = 24, NAME_LONGEST = 100 };

static const uint64_t day_ns = 86400ull * 1000000000;

const char *value_text(struct source *source, const struct node *node, const char *expected)
{
	if (node->kind != NODE_TEXT) {
		node_expected(source, node, expected);
		return NULL;
	}
	if (strlen(node->text) > VALUE_TEXT_MAX) {
		source_fault(source, node->at, "the text is longer than %d KiB", VALUE_TEXT_MAX / 1024);
		return NULL;
	}
	return node->text;
}

int value_count(struct source *source, const struct node *node, unsigned low, unsigned high, unsigned *out)
{
	char expected[80];
	uint64_t value;

	snprintf(expected, sizeof expected, "a whole number from %u to %u", low, high);
	if (node->kind != NODE_TEXT || parse_u64(node->text, &value, NULL) < 0 || value < low || value > high)
		return node_expected(source, node, expected);
	*out = (unsigned)value;
	return 0;
}

int value_bool(struct source *source, const struct node *node, bool *out)
{
	static const char *const words[] = { "off", "on", "false", "true", "no", "yes" };

	for (size_t i = 0; node->kind == NODE_TEXT && i < sizeof words / sizeof *words; i++) {
		if (strcasecmp(node->text, words[i]))
			continue;
		*out = i % 2;
		return 0;
	}
	return node_expected(source, node, "on or off");
}

bool value_made_of(const char *text, const char *extra)
{
	if (!*text)
		return false;
	for (; *text; text++) {
		bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');

		if (!letter && !(*text >= '0' && *text <= '9') && !strchr(extra, *text))
			return false;
	}
	return true;
}

bool scenario_name_valid(const char *name)
{
	return value_made_of(name, "._-") && *name != '.' && strlen(name) <= NAME_LONGEST;
}

int value_string(struct source *source, const struct node_entry *entry, void *out)
{
	const char *text = value_text(source, &entry->value, "text");

	if (!text)
		return -1;
	if (!*text)
		return source_fault(source, entry->value.at, "the text is empty");
	*(char **)out = entry->value.text;
	return 0;
}

int value_expanded(struct source *source, const struct node_entry *entry, void *out)
{
	char *text;

	if (value_string(source, entry, &text) < 0 || expand_check(source, &entry->value) < 0)
		return -1;
	*(char **)out = text;
	return 0;
}

static int wrong_shape(struct source *source, const struct node *node, const char *expected, const char *sample)
{
	if (!strcmp(node->text, sample))
		return node_expected(source, node, expected);
	return source_fault(source, node->at, "expected %s, found '%.60s', which becomes '%.60s'", expected, node->text,
			    sample);
}

int value_shaped(struct source *source, const struct node_entry *entry, bool (*fits)(const char *text),
		 const char *expected, char **out)
{
	CLEANUP(free_ptr) char *sample = NULL;
	char *text;

	if (entry->value.kind != NODE_TEXT)
		return node_expected(source, &entry->value, expected);
	if (value_expanded(source, entry, &text) < 0)
		return -1;
	sample = expand_sample(source, text);
	if (!fits(sample))
		return wrong_shape(source, &entry->value, expected, sample);
	*out = text;
	return 0;
}

int value_regex(struct source *source, const struct node_entry *entry, void *out)
{
	CLEANUP(free_ptr) char *sample = NULL;
	struct error why = ERROR_INIT;
	regex_t regex;
	char *text;

	if (value_expanded(source, entry, &text) < 0)
		return -1;
	sample = expand_sample(source, text);
	if (regex_compile(&regex, sample, REG_NOSUB, &why) < 0)
		return source_fault(source, entry->value.at, "the regular expression '%.60s' cannot be used: %s", text,
				    why.msg);
	regfree(&regex);
	*(char **)out = text;
	return 0;
}

int value_name(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind != NODE_TEXT || !scenario_name_valid(entry->value.text))
		return node_expected(source, &entry->value,
				     "a name of at most 100 letters, digits, '.', '_' or '-' that does not start "
				     "with '.'");
	return value_string(source, entry, out);
}

int value_user(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind != NODE_TEXT || !value_made_of(entry->value.text, "._-") || *entry->value.text == '-')
		return node_expected(source, &entry->value, "the name of a user");
	return value_string(source, entry, out);
}

int value_unit(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind != NODE_TEXT || !value_made_of(entry->value.text, "/%_-") ||
	    strlen(entry->value.text) > UNIT_LONGEST)
		return node_expected(source, &entry->value, "a short word such as ms, MiB or request");
	return value_string(source, entry, out);
}

int value_duration(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	uint64_t ns;

	if (node->kind != NODE_TEXT || parse_duration(node->text, &ns, NULL) < 0)
		return node_expected(source, node, "a duration such as 30s");
	if (!ns || ns > day_ns)
		return node_expected(source, node, "a duration above 0s and up to 24h");
	*(uint64_t *)out = ns;
	return 0;
}

static int add_word(struct source *source, const struct node *node, struct strv *words)
{
	const char *text = value_text(source, node, "text");

	if (!text)
		return -1;
	if (!*text)
		return source_fault(source, node->at, "the text is empty");
	arena_push(source->arena, words, text);
	return 0;
}

int value_words(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct strv words = STRV_INIT;
	int ret = 0;

	if (node->kind == NODE_TEXT)
		ret = add_word(source, node, &words);
	else if (node->kind != NODE_LIST)
		ret = node_expected(source, node, "text or a list of texts");
	for (size_t i = 0; node->kind == NODE_LIST && i < node->n; i++)
		if (add_word(source, &node->entries[i].value, &words) < 0)
			ret = -1;
	if (!ret)
		*(struct strv *)out = words;
	return ret;
}

int value_switch(struct source *source, const struct node_entry *entry, void *out)
{
	return value_bool(source, &entry->value, out);
}
