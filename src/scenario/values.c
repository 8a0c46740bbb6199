#include "base/mem.h"
#include "base/parse.h"
#include "base/regex.h"
#include "scenario/yaml.h"

/* -------- ${name} in a text */

static const char *const builtins[] = { "port", "scenario_dir", "out", "tmp" };
enum { BUILTINS = sizeof builtins / sizeof *builtins };

bool expand_is_builtin(const char *name)
{
	for (size_t i = 0; i < BUILTINS; i++)
		if (!strcmp(builtins[i], name))
			return true;
	return false;
}

/* Plain characters, or a name between ${ and }. */
struct piece {
	enum { PIECE_PLAIN, PIECE_NAME, PIECE_OPEN } kind;	/* PIECE_OPEN: ${ without its } */
	const char *start;
	size_t len;
	const char *rest;	/* the text after it */
};

static struct piece first_piece(const char *text)
{
	const char *end;
	size_t plain = strcspn(text, "$");

	if (plain)
		return (struct piece){ PIECE_PLAIN, text, plain, text + plain };
	if (text[1] != '{')
		return (struct piece){ PIECE_PLAIN, text, 1, text + (text[1] == '$' ? 2 : 1) };
	end = strchr(text, '}');
	if (!end)
		return (struct piece){ PIECE_OPEN, text, strlen(text), text + strlen(text) };
	return (struct piece){ PIECE_NAME, text + 2, (size_t)(end - text) - 2, end + 1 };
}

static const char *find_variable(const struct scenario *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->n_vars; i++)
		if (!strcmp(scenario->vars[i].name, name))
			return scenario->vars[i].value;
	return NULL;
}

/* NAME for port.NAME, "" for port itself, else NULL. */
static const char *port_name(const char *name)
{
	if (!strcmp(name, "port"))
		return "";
	return !strncmp(name, "port.", 5) && text_made_of(name + 5, "_-") ? name + 5 : NULL;
}

/* SHOWN starts with "${". The search starts at the node, because quotes, escapes and folding may precede it. */
static struct place place_of(const struct source *source, const struct node *node, const char *shown, size_t len)
{
	const char *from = source->text + node->offset, *end = source->text + source->len, *hit;

	while ((hit = memmem(from, (size_t)(end - from), shown, len))) {
		size_t dollars = 0;

		while (hit - dollars > source->text && hit[-1 - (ptrdiff_t)dollars] == '$')
			dollars++;
		if (dollars % 2 == 0)
			return source_place(source, (size_t)(hit - source->text));
		from = hit + 1;
	}
	return node->at;
}

int expand_check(struct source *source, const struct node *node)
{
	const struct scenario *scope = source->scope;
	struct piece piece;

	for (const char *text = node->text; scope && *text; text = piece.rest) {
		CLEANUP(free_ptr) const char **names = NULL;
		CLEANUP(free_ptr) char *name = NULL;
		struct place at;
		const char *near;

		piece = first_piece(text);
		name = xstrndup(piece.start, piece.len);
		if (piece.kind == PIECE_OPEN)
			return source_fault(source, place_of(source, node, text, strcspn(text, "\n")),
					    "'${' without its '}'; for these characters as they are, write $${");
		if (piece.kind == PIECE_PLAIN || find_variable(scope, name) || expand_is_builtin(name) || port_name(name))
			continue;
		names = xcalloc(scope->n_vars + BUILTINS, sizeof *names);
		for (size_t i = 0; i < scope->n_vars; i++)
			names[i] = scope->vars[i].name;
		memcpy(names + scope->n_vars, builtins, sizeof builtins);
		near = nearest(name, names, scope->n_vars + BUILTINS);
		at = place_of(source, node, text, piece.len + 3);
		if (near)
			return source_fault(source, at, "unknown name '%.60s'; did you mean '%s'? For the shell's own, write $${%.60s}",
					    name, near, name);
		return source_fault(source, at, "unknown name '%.60s'; for the shell's own, write $${%.60s}", name, name);
	}
	return 0;
}

int expand_text(const char *from, const struct scenario *scenario, const struct plan_context *context,
		struct strbuf *out, struct error *err)
{
	const struct {
		const char *name, *value;
	} folders[] = { { "scenario_dir", context->scenario_dir }, { "out", context->out }, { "tmp", context->tmp } };
	CLEANUP(free_ptr) char *text = context->place ? context->place(context->places, from) : xstrdup(from);
	struct piece piece;

	for (const char *at = text; *at; at = piece.rest) {
		CLEANUP(free_ptr) char *name = NULL, *placed = NULL;
		const char *value, *port;
		int number;

		piece = first_piece(at);
		name = xstrndup(piece.start, piece.len);
		if (piece.kind == PIECE_OPEN)
			return error_set(err, ERR_INPUT, "'${' without its '}' in '%.60s'", at);
		if (piece.kind == PIECE_PLAIN) {
			strbuf_adds(out, name);
			continue;
		}
		value = find_variable(scenario, name);
		port = value ? NULL : port_name(name);
		if (value && context->place)
			value = placed = context->place(context->places, value);
		for (size_t i = 0; !value && i < sizeof folders / sizeof *folders; i++)
			if (!strcmp(name, folders[i].name))
				value = folders[i].value;
		if (value) {
			strbuf_adds(out, value);
		} else if (!port) {
			return error_set(err, ERR_INPUT, "unknown name '%.60s'", name);
		} else {
			number = context->port(context->ctx, port, err);
			if (number < 0)
				return -1;
			strbuf_addf(out, "%d", number);
		}
	}
	return 0;
}

char *expand_vars(const char *text, const struct scenario *scenario)
{
	struct strbuf out = STRBUF_INIT;

	if (!text)
		return NULL;
	while (*text) {
		struct piece piece = first_piece(text);
		CLEANUP(free_ptr) char *name = xstrndup(piece.start, piece.len);
		const char *value = piece.kind == PIECE_NAME ? find_variable(scenario, name) : NULL;

		strbuf_add(&out, value ?: text, value ? strlen(value) : (size_t)(piece.rest - text));
		text = piece.rest;
	}
	return strbuf_take(&out);
}

static int stand_in_port(void *ctx, const char *name, struct error *err)
{
	(void)ctx;
	(void)name;
	(void)err;
	return 1;
}

/* With placeholders for ports and folders, so that the form can be checked; for free(). Call expand_check() first. */
static char *sample_of(const struct source *source, const char *text)
{
	static const struct plan_context stand_ins = {
		.root = "/", .scenario_dir = "/dir", .out = "/dir", .tmp = "/dir", .port = stand_in_port,
	};
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	if (!source->scope || expand_text(text, source->scope, &stand_ins, &out, NULL) < 0)
		return xstrdup(text);
	return strbuf_take(&out);
}

/* -------- values */

static const uint64_t day_ns = 86400ull * 1000000000;

const char *value_text(struct source *source, const struct node *node, const char *expected)
{
	if (node->kind != NODE_TEXT)
		node_expected(source, node, expected);
	else if (strlen(node->text) > VALUE_TEXT_MAX)
		source_fault(source, node->at, "the text is longer than %d KiB", VALUE_TEXT_MAX / 1024);
	else
		return node->text;
	return NULL;
}

bool scenario_name_valid(const char *name)
{
	return strlen(name) <= NAME_LONGEST && regex_matches(NAME_PATTERN, name);
}

static bool is_right(const struct field *field, const char *text)
{
	uint64_t number;

	if (field->fits)
		return field->fits(text);
	if (field->min > 0)
		return !parse_u64(text, &number, NULL) && (double)number >= field->min && (double)number <= field->max;
	return (field->max == 0 || strlen(text) <= field->max) && (!field->pattern || regex_matches(field->pattern, text));
}

static int read_string(struct source *source, const struct field *field, const struct node *node, char **out)
{
	CLEANUP(free_ptr) char *sample = NULL;

	if (field->expected && (node->kind != NODE_TEXT || (!field->names && !is_right(field, node->text))))
		return node_expected(source, node, field->expected);
	if (!value_text(source, node, "text"))
		return -1;
	if (!*node->text)
		return source_fault(source, node->at, "the text is empty");
	if (!field->expected && !is_right(field, node->text))
		return source_fault(source, node->at, "the text is longer than %.0f bytes", field->max);
	if (field->names && expand_check(source, node) < 0)
		return -1;
	if (field->names && field->expected && !is_right(field, sample = sample_of(source, node->text))) {
		if (!strcmp(node->text, sample))
			return node_expected(source, node, field->expected);
		return source_fault(source, node->at, "expected %s, found '%.60s', which becomes '%.60s'", field->expected,
				    node->text, sample);
	}
	*out = node->text;
	return 0;
}

static int add_text(struct source *source, const struct node_entry *entry, void *texts)
{
	static const struct field plain = { .type = FIELD_TEXT };
	char *text;

	if (read_string(source, &plain, &entry->value, &text) < 0)
		return -1;
	arena_push(source->arena, texts, text);
	return 0;
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

static const struct field truth = { .words = (const char *const[]){ "false", "true", NULL }, .expected = "true or false" };

static int read_value(struct source *source, const struct field *field, const struct node_entry *entry, void *member)
{
	const struct node *node = &entry->value;
	const char *text = node->kind == NODE_TEXT ? node->text : "";
	struct strv texts = STRV_INIT;
	char expected[80];
	uint64_t whole;
	unsigned word;
	double pct;

	switch (field->type) {
	case FIELD_TEXT:
		return read_string(source, field, node, member);
	case FIELD_TEXTS:
		if ((node->kind == NODE_TEXT ? add_text(source, entry, &texts) :
		     node_each(source, node, NODE_LIST, "text or a list of texts", add_text, &texts)) < 0)
			return -1;
		*(struct strv *)member = texts;
		return 0;
	case FIELD_BOOL:
		if (read_word(source, field->words ? field : &truth, node, &word) < 0)
			return -1;
		*(bool *)member = word;
		return 0;
	case FIELD_UNSIGNED:
		if (field->words)
			return read_word(source, field, node, member);
		snprintf(expected, sizeof expected, "a whole number from %.0f to %.0f", field->min, field->max);
		if (parse_u64(text, &whole, NULL) < 0 || whole < field->min || whole > field->max)
			return node_expected(source, node, expected);
		*(unsigned *)member = (unsigned)whole;
		return 0;
	case FIELD_U64:
		if (parse_duration(text, &whole, NULL) < 0)
			return node_expected(source, node, "a duration such as 30s");
		if (!whole || whole > day_ns)
			return node_expected(source, node, "a duration above 0s and up to 24h");
		*(uint64_t *)member = whole;
		return 0;
	case FIELD_DOUBLE:
		if (parse_percent(text, &pct, NULL) < 0 || !(pct >= field->min && pct <= field->max))
			return node_expected(source, node, field->expected);
		*(double *)member = pct;
		return 0;
	case FIELD_VERSION:
		return strcmp(text, "1") ? node_expected(source, node, "1, the version of the format that this pawl reads") : 0;
	case FIELD_OBJECT:
		return fields_parse(source, node, field->object, member);
	case FIELD_LIST:
		if (node->kind == NODE_MAPPING && field->missing)
			return source_fault(source, node->at, "expected a list of %s, found a mapping; %s", field->expected, field->missing);
		return fields_each(source, node, field->expected ?: field->key, field->max, field->yaml, member);
	default:
		return 0;
	}
}

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
	CLEANUP(free_ptr) char *others = NULL, *hint = NULL;

	for (const struct gone_key *gone = fields->gone; gone && gone->key; gone++)
		if (!strcmp(gone->key, key->text))
			return source_fault(source, key->at, "the key '%s' is gone; %s", gone->key, gone->instead);
	for (size_t i = 0; i < fields->n; i++) {
		strbuf_addf(&known, "%s%s", i ? ", " : "", fields->items[i].key);
		keys[i] = fields->items[i].key;
	}
	others = text_printf(", see 'man %s'; the keys here are %s", source->scope ? "pawl-scenario" : "pawl.yaml", known.buf);
	hint = nearest_hint(key->text, keys, fields->n, others);
	return source_fault(source, key->at, "unknown key '%.60s'%s", key->text, hint);
}

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
	int ret = read_value(source, field, entry, member);

	if (!ret && field->yaml && field->type != FIELD_LIST)
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

static int check_fit(struct source *source, const struct node *mapping, const struct fields *fields, const void *record)
{
	int ret = 0;

	for (size_t i = 0; i < mapping->n; i++) {
		const struct node *key = &mapping->entries[i].key;
		const char *why = fields->unfit(source->scope, record, key->text);
		size_t mark = source_enter(source, key->text);

		if (why)
			ret = source_fault(source, key->at, "%s", why);
		source_leave(source, mark);
	}
	return ret;
}

int fields_parse(struct source *source, const struct node *mapping, const struct fields *fields, void *out)
{
	int ret = 0;

	if (mapping->kind != NODE_MAPPING)
		return node_expected(source, mapping, "a mapping");
	/* Otherwise an invalid value would cause further faults. */
	for (unsigned i = 0; fields->kinds && fields->kinds[i]; i++)
		if (node_find(mapping, fields->kinds[i]))
			*(unsigned *)((char *)out + fields->kind) = i;
	for (size_t i = 0; i < mapping->n; i++)
		if (!find_field(fields, mapping->entries[i].key.text))
			ret = unknown_key(source, &mapping->entries[i].key, fields);
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
		const struct node_entry *entry = node_find(mapping, field->key);

		if (entry && parse_field(source, field, entry, out) < 0)
			ret = -1;
		else if (!entry && field->needed && !misspelt(mapping, fields, field->key))
			ret = source_fault(source, mapping->at, "the key '%s' is missing; add %s", field->key, field->missing);
	}
	if (!ret && fields->one_of)
		ret = check_one_of(source, mapping, fields);
	return ret < 0 || !fields->unfit ? ret : check_fit(source, mapping, fields, out);
}

int fields_each(struct source *source, const struct node *list, const char *what, double max, field_fn *read, void *out)
{
	char expected[80];
	int ret = 0;

	snprintf(expected, sizeof expected, "a list of 1 to %.0f %s", max, what);
	if (list->kind != NODE_LIST)
		return node_expected(source, list, expected);
	if (!list->n || (double)list->n > max)
		return source_fault(source, list->at, "expected %s, found %zu", expected, list->n);
	for (size_t i = 0; i < list->n; i++) {
		const struct node_entry *name = node_find(&list->entries[i].value, "name");
		bool named = name && name->value.kind == NODE_TEXT && scenario_name_valid(name->value.text);
		size_t mark = named ? source_enter(source, name->value.text) : source->where.len;

		if (read(source, &list->entries[i], out) < 0)
			ret = -1;
		source_leave(source, mark);
	}
	return ret;
}

/* -------- hooks shared by several tables */

int value_regex(struct source *source, const struct node_entry *entry, void *out)
{
	CLEANUP(free_ptr) char *sample = sample_of(source, *(char **)out);
	struct error why = ERROR_INIT;
	CLEANUP(regex_release) struct regex *regex = NULL;

	if (regex_compile(sample, 0, &regex, &why) < 0)
		return source_fault(source, entry->value.at, "the regular expression '%.60s' cannot be used: %s",
				    entry->value.text, why.msg);
	return 0;
}

static bool is_blank(const char *text)
{
	return !text[strspn(text, " \t\r\n")];
}

static int add_argument(struct source *source, const struct node_entry *entry, void *argv)
{
	const char *text = value_text(source, &entry->value, "text");

	if (!text || expand_check(source, &entry->value) < 0)
		return -1;
	arena_push(source->arena, argv, text);
	return 0;
}

int value_command(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct command command = { .shell = node->kind == NODE_TEXT };

	if (command.shell ? is_blank(node->text) : node->kind == NODE_LIST && !node->n)
		return source_fault(source, node->at, "the command is empty");
	if (command.shell) {
		arena_push(source->arena, &command.argv, "/bin/sh");
		arena_push(source->arena, &command.argv, "-c");
		if (add_argument(source, entry, &command.argv) < 0)
			return -1;
	} else if (node_each(source, node, NODE_LIST, "a command: text for the shell, or a list of words", add_argument,
			     &command.argv) < 0) {
		return -1;
	} else if (is_blank(command.argv.items[0])) {
		return source_fault(source, node->entries[0].value.at, "the program's name is empty");
	}
	*(struct command *)out = command;
	return 0;
}

static int check_variable(struct source *source, const char *name, struct place at)
{
	if (text_made_of(name, "_") && !(*name >= '0' && *name <= '9'))
		return 0;
	return source_fault(source, at, "expected the name of an environment variable, found '%.60s'", name);
}

static int add_name(struct source *source, const struct node_entry *entry, void *names)
{
	const char *name = value_text(source, &entry->value, "the name of an environment variable");

	if (!name || check_variable(source, name, entry->value.at) < 0)
		return -1;
	arena_push(source->arena, names, name);
	return 0;
}

int value_variables(struct source *source, const struct node_entry *entry, void *out)
{
	return node_each(source, &entry->value, NODE_LIST, "a list of names of environment variables", add_name, out);
}

static int add_variable(struct source *source, const struct node_entry *entry, void *environment)
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
	return node_each(source, &entry->value, NODE_MAPPING, "a mapping of names to values", add_variable, out);
}
