#include "scenario/values.h"

#include <strings.h>

#include "base/mem.h"
#include "base/parse.h"
#include "scenario/expand.h"
#include "scenario/scenario.h"

/* -------- mappings by tables */

static const struct field *find_field(const struct fields *fields, const char *key)
{
	for (size_t i = 0; i < fields->n; i++)
		if (!strcmp(fields->items[i].key, key))
			return &fields->items[i];
	return NULL;
}

static int unknown_key(struct source *source, const struct node *key, const struct fields *fields)
{
	CLEANUP(strbuf_release) struct strbuf known = STRBUF_INIT;
	CLEANUP(free_ptr) const char **keys = xcalloc(fields->n, sizeof *keys);
	const char *near;
	size_t n = 0;

	for (size_t i = 0; i < fields->n; i++) {
		strbuf_addf(&known, "%s%s", n ? ", " : "", fields->items[i].key);
		keys[n++] = fields->items[i].key;
	}
	near = nearest(key->text, keys, n);
	if (near)
		return source_fault(source, key->at, "unknown key '%.60s'; did you mean '%s'?", key->text, near);
	return source_fault(source, key->at, "unknown key '%.60s'; the keys here are %s", key->text, known.buf);
}

static int refuse_unknown(struct source *source, const struct node *mapping, const struct fields *fields)
{
	int ret = 0;

	for (size_t i = 0; i < mapping->n; i++)
		if (!find_field(fields, mapping->entries[i].key.text))
			ret = unknown_key(source, &mapping->entries[i].key, fields);
	return ret;
}

/* A key that was meant to be this one has been told as unknown already. */
static bool misspelt(const struct node *mapping, const struct fields *fields, const char *key)
{
	for (size_t i = 0; i < mapping->n; i++) {
		const char *found = mapping->entries[i].key.text;

		if (!find_field(fields, found) && nearest(found, &key, 1))
			return true;
	}
	return false;
}

static int parse_field(struct source *source, const struct field *field, const struct node_entry *entry, char *base)
{
	size_t mark = source_enter(source, field->key);
	char *member = base + field->offset;
	char *before = field->type == FIELD_TEXT ? *(char **)member : NULL;
	int ret = 0;

	if (field->type == FIELD_OBJECT)
		ret = fields_parse(source, &entry->value, field->object, member);
	else if (field->type != FIELD_OWN && field->type != FIELD_LIST)
		ret = value_read(source, field, entry, member);
	if (!ret && field->yaml)
		ret = field->yaml(source, entry, member);
	if (ret < 0 && field->type == FIELD_TEXT)
		*(char **)member = before;
	source_leave(source, mark);
	return ret;
}

static int check_one_of(struct source *source, const struct node *mapping, const struct fields *fields)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	const struct node_entry *found = NULL;

	for (size_t i = 0; i < mapping->n; i++) {
		const struct node_entry *entry = &mapping->entries[i];
		const char *const *key = fields->one_of;

		while (*key && strcmp(*key, entry->key.text))
			key++;
		if (*key && found)
			return source_fault(source, entry->key.at, "%s and %s exclude each other; keep one",
					    found->key.text, entry->key.text);
		if (*key)
			found = entry;
	}
	if (found || !fields->what)
		return 0;
	for (const char *const *key = fields->one_of; *key; key++)
		strbuf_addf(&list, "%s%s", !list.len ? "" : key[1] ? ", " : " or ", *key);
	return source_fault(source, mapping->at, "%s is missing; add %s", fields->what, list.buf);
}

int fields_parse(struct source *source, const struct node *mapping, const struct fields *fields, void *out)
{
	int ret;

	if (mapping->kind != NODE_MAPPING)
		return node_expected(source, mapping, "a mapping");
	ret = refuse_unknown(source, mapping, fields);
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
		const struct node_entry *entry = node_find(mapping, field->key);

		if (entry && parse_field(source, field, entry, out) < 0)
			ret = -1;
		else if (!entry && field->needed && !misspelt(mapping, fields, field->key))
			ret = source_fault(source, mapping->at, "the key '%s' is missing; add %s", field->key,
					   field->missing);
	}
	return ret < 0 || !fields->one_of ? ret : check_one_of(source, mapping, fields);
}

static const char *entry_name(const struct node *node)
{
	const struct node_entry *name = node->kind == NODE_MAPPING ? node_find(node, "name") : NULL;

	return name && name->value.kind == NODE_TEXT && scenario_name_valid(name->value.text) ? name->value.text : NULL;
}

int fields_each(struct source *source, const struct node *list, const char *what, size_t max, field_fn *parse,
		void *out)
{
	char expected[80];
	int ret = 0;

	snprintf(expected, sizeof expected, "a list of 1 to %zu %s", max, what);
	if (list->kind != NODE_LIST)
		return node_expected(source, list, expected);
	if (!list->n || list->n > max)
		return source_fault(source, list->at, "expected %s, found %zu", expected, list->n);
	for (size_t i = 0; i < list->n; i++) {
		const char *name = entry_name(&list->entries[i].value);
		size_t mark = name ? source_enter(source, name) : source->where.len;

		if (parse(source, &list->entries[i], out) < 0)
			ret = -1;
		source_leave(source, mark);
	}
	return ret;
}

/* -------- values */

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

bool scenario_name_valid(const char *name)
{
	return strlen(name) <= NAME_LONGEST && regex_matches(NAME_PATTERN, name);
}

static int wrong_shape(struct source *source, const struct node *node, const char *expected, const char *sample)
{
	if (!strcmp(node->text, sample))
		return node_expected(source, node, expected);
	return source_fault(source, node->at, "expected %s, found '%.60s', which becomes '%.60s'", expected, node->text,
			    sample);
}

static bool is_right(const struct field *field, const char *text)
{
	if (field->fits)
		return field->fits(text);
	return (field->max == 0 || strlen(text) <= field->max) && (!field->pattern || regex_matches(field->pattern, text));
}

static int read_text(struct source *source, const struct field *field, const struct node *node, char **out)
{
	CLEANUP(free_ptr) char *sample = NULL;

	if (field->expected && (node->kind != NODE_TEXT || (!field->names && !is_right(field, node->text))))
		return node_expected(source, node, field->expected);
	if (!value_text(source, node, "text"))
		return -1;
	if (!*node->text)
		return source_fault(source, node->at, "the text is empty");
	if (field->names && expand_check(source, node) < 0)
		return -1;
	if (field->names && field->expected) {
		sample = expand_sample(source, node->text);
		if (!is_right(field, sample))
			return wrong_shape(source, node, field->expected, sample);
	}
	*out = node->text;
	return 0;
}

static int add_text(struct source *source, const struct node *node, struct strv *texts)
{
	static const struct field plain = { .type = FIELD_TEXT };
	char *text;

	if (read_text(source, &plain, node, &text) < 0)
		return -1;
	arena_push(source->arena, texts, text);
	return 0;
}

static int read_texts(struct source *source, const struct node *node, struct strv *out)
{
	struct strv texts = STRV_INIT;
	int ret = 0;

	if (node->kind == NODE_TEXT)
		ret = add_text(source, node, &texts);
	else if (node->kind != NODE_LIST)
		ret = node_expected(source, node, "text or a list of texts");
	for (size_t i = 0; node->kind == NODE_LIST && i < node->n; i++)
		if (add_text(source, &node->entries[i].value, &texts) < 0)
			ret = -1;
	if (!ret)
		*out = texts;
	return ret;
}

static int read_word(struct source *source, const struct field *field, const struct node *node, unsigned *out)
{
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;

	for (unsigned i = (unsigned)field->min; field->words[i]; i++) {
		if (node->kind == NODE_TEXT && !strcmp(node->text, field->words[i])) {
			*out = i;
			return 0;
		}
		strbuf_addf(&all, "%s%s", !all.len ? "" : field->words[i + 1] ? ", " : " or ", field->words[i]);
	}
	return node_expected(source, node, field->expected ?: all.buf);
}

static int read_bool(struct source *source, const struct field *field, const struct node *node, bool *out)
{
	unsigned word;

	if (!field->words)
		return value_bool(source, node, out);
	if (read_word(source, field, node, &word) < 0)
		return -1;
	*out = word;
	return 0;
}

static int read_unsigned(struct source *source, const struct field *field, const struct node *node, unsigned *out)
{
	unsigned low = (unsigned)field->min, high = (unsigned)field->max;
	char expected[80];
	uint64_t value;

	if (field->words)
		return read_word(source, field, node, out);
	snprintf(expected, sizeof expected, "a whole number from %u to %u", low, high);
	if (node->kind != NODE_TEXT || parse_u64(node->text, &value, NULL) < 0 || value < low || value > high)
		return node_expected(source, node, expected);
	*out = (unsigned)value;
	return 0;
}

static int read_duration(struct source *source, const struct node *node, uint64_t *out)
{
	uint64_t ns;

	if (node->kind != NODE_TEXT || parse_duration(node->text, &ns, NULL) < 0)
		return node_expected(source, node, "a duration such as 30s");
	if (!ns || ns > day_ns)
		return node_expected(source, node, "a duration above 0s and up to 24h");
	*out = ns;
	return 0;
}

static int read_percent(struct source *source, const struct field *field, const struct node *node, double *out)
{
	double pct;

	if (node->kind != NODE_TEXT || parse_percent(node->text, &pct, NULL) < 0 || !(pct >= field->min && pct <= field->max))
		return node_expected(source, node, field->expected);
	*out = pct;
	return 0;
}

int value_read(struct source *source, const struct field *field, const struct node_entry *entry, void *member)
{
	const struct node *node = &entry->value;

	switch (field->type) {
	case FIELD_TEXT:
		return read_text(source, field, node, member);
	case FIELD_TEXTS:
		return read_texts(source, node, member);
	case FIELD_BOOL:
		return read_bool(source, field, node, member);
	case FIELD_UNSIGNED:
		return read_unsigned(source, field, node, member);
	case FIELD_U64:
		return read_duration(source, node, member);
	case FIELD_DOUBLE:
		return read_percent(source, field, node, member);
	case FIELD_VERSION:
		if (node->kind == NODE_TEXT && !strcmp(node->text, "1"))
			return 0;
		return node_expected(source, node, "1, the version of the format that this pawl reads");
	default:
		abort();	/* the table is wrong: its mapping cannot be read at all */
	}
}

int value_regex(struct source *source, const struct node_entry *entry, void *out)
{
	CLEANUP(free_ptr) char *sample = expand_sample(source, *(char **)out);
	struct error why = ERROR_INIT;
	regex_t regex;

	if (regex_compile(&regex, sample, REG_NOSUB, &why) < 0)
		return source_fault(source, entry->value.at, "the regular expression '%.60s' cannot be used: %s",
				    entry->value.text, why.msg);
	regfree(&regex);
	return 0;
}

/* -------- commands and their environment */

static int add_argument(struct source *source, const struct node *node, struct strv *argv)
{
	const char *text = value_text(source, node, "text");

	if (!text || expand_check(source, node) < 0)
		return -1;
	arena_push(source->arena, argv, text);
	return 0;
}

static bool blank(const char *text)
{
	return !text[strspn(text, " \t\r\n")];
}

static int parse_line(struct source *source, const struct node *node, struct command *out)
{
	if (blank(node->text))
		return source_fault(source, node->at, "the command is empty");
	arena_push(source->arena, &out->argv, "/bin/sh");
	arena_push(source->arena, &out->argv, "-c");
	out->shell = true;
	return add_argument(source, node, &out->argv);
}

static int parse_list(struct source *source, const struct node *node, struct command *out)
{
	int ret = 0;

	if (!node->n)
		return source_fault(source, node->at, "the command is empty");
	for (size_t i = 0; i < node->n; i++)
		if (add_argument(source, &node->entries[i].value, &out->argv) < 0)
			ret = -1;
	if (!ret && blank(out->argv.items[0]))
		return source_fault(source, node->entries[0].value.at, "the program's name is empty");
	return ret;
}

int value_command(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct command command = { .line = node->at.line, .column = node->at.column };
	int ret;

	if (node->kind == NODE_TEXT)
		ret = parse_line(source, node, &command);
	else if (node->kind == NODE_LIST)
		ret = parse_list(source, node, &command);
	else
		ret = node_expected(source, node, "a command: text for the shell, or a list of words");
	if (!ret)
		*(struct command *)out = command;
	return ret;
}

static int check_variable(struct source *source, const char *name, struct place at)
{
	if (text_made_of(name, "_") && !(*name >= '0' && *name <= '9'))
		return 0;
	return source_fault(source, at, "expected the name of an environment variable, found '%.60s'", name);
}

int value_variables(struct source *source, const struct node_entry *entry, void *out)
{
	struct strv names = STRV_INIT;
	const struct node *list = &entry->value;
	int ret = 0;

	if (list->kind != NODE_LIST)
		return node_expected(source, list, "a list of names of environment variables");
	for (size_t i = 0; i < list->n; i++) {
		const char *name = value_text(source, &list->entries[i].value, "the name of an environment variable");

		if (!name || check_variable(source, name, list->entries[i].value.at) < 0)
			ret = -1;
		else
			arena_push(source->arena, &names, name);
	}
	*(struct strv *)out = names;
	return ret;
}

static int add_variable(struct source *source, const struct node_entry *entry, struct strv *environment)
{
	const char *name = entry->key.text, *value;
	size_t mark;
	int ret = -1;

	if (check_variable(source, name, entry->key.at) < 0)
		return -1;
	mark = source_enter(source, name);
	value = value_text(source, &entry->value, "text (\"\" for none)");
	if (value && !expand_check(source, &entry->value)) {
		arena_pushf(source->arena, environment, "%s=%s", name, value);
		ret = 0;
	}
	source_leave(source, mark);
	return ret;
}

int value_environment(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	int ret = 0;

	if (node->kind != NODE_MAPPING)
		return node_expected(source, node, "a mapping of names to values");
	*(struct strv *)out = (struct strv)STRV_INIT;
	for (size_t i = 0; i < node->n; i++)
		if (add_variable(source, &node->entries[i], out) < 0)
			ret = -1;
	return ret;
}
