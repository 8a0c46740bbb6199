#include <stdint.h>
#include <strings.h>

#include "base/mem.h"
#include "scenario/yaml.h"

enum { COLUMNS = 2 };	/* of a level of mappings */

static void indent(struct yaml_writer *w, size_t more)
{
	strbuf_pad(w->out, ' ', COLUMNS * (w->depth + more));
}

/* -------- texts */

/* True for text that means itself without quotation marks, also between brackets. */
static bool is_plain(const char *text)
{
	const char *first = text + strspn(text, "-");

	return text_made_of(text, " _./+%=@-") && *first && !strchr(" +%=@", *first) && !text_ends(text, strlen(text), " ") &&
	       strcasecmp(text, "null");
}

static bool is_visible(const char *text, const char *extra)
{
	uint32_t code;

	for (size_t len; *text; text += len) {
		len = utf8_decode(text, &code);
		if (!escape_is_visible(code) && !strchr(extra, *text))
			return false;
	}
	return true;
}

/* True for lines that a literal block holds unchanged, and that GitHub's log does not take for a command. */
static bool is_block(const char *text)
{
	if (!strchr(text, '\n') || strchr(" \t\n", *text) || !is_visible(text, " \t\n"))
		return false;
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (escape_is_command(line))
			return false;
	}
	return true;
}

static void add_quoted(struct strbuf *out, const char *text)
{
	bool doubled = !is_visible(text, " ") || !strpbrk(text, "\"\\");
	char quote = doubled ? '"' : '\'';
	uint32_t code;

	strbuf_addc(out, quote);
	for (size_t len; *text; text += len) {
		len = utf8_decode(text, &code);
		if (*text == '\n')
			strbuf_adds(out, "\\n");
		else if (code != ' ' && !escape_is_visible(code))
			strbuf_addf(out, code < 0x100 ? "\\x%02x" : "\\U%08x", (unsigned)code);
		else if (*text == quote || (doubled && *text == '\\'))
			strbuf_addf(out, "%c%c", doubled ? '\\' : quote, *text);
		else
			strbuf_add(out, text, len);
	}
	strbuf_addc(out, quote);
}

static void add_scalar(struct strbuf *out, const char *text)
{
	if (is_plain(text))
		strbuf_adds(out, text);
	else
		add_quoted(out, text);
}

/* The rest of the line, and lines of a block MORE levels deeper. */
static void add_text(struct yaml_writer *w, const char *text, size_t more)
{
	size_t len = strlen(text);

	strbuf_addc(w->out, ' ');
	if (!is_block(text)) {
		add_scalar(w->out, text);
		strbuf_addc(w->out, '\n');
		return;
	}
	strbuf_addf(w->out, "|%s\n", text[len - 1] != '\n' ? "-" : text[len - 2] == '\n' ? "+" : "");
	for (size_t line; *text; text += line) {
		line = strcspn(text, "\n");
		if (line)
			indent(w, more);
		strbuf_add(w->out, text, line);
		strbuf_addc(w->out, '\n');
		line += text[line] == '\n';
	}
}

void yaml_text(struct yaml_writer *w, const char *text)
{
	if (text)
		add_text(w, text, 1);
}

void yaml_list(struct yaml_writer *w, const struct strv *texts)
{
	bool blocks = false;

	for (size_t i = 0; i < texts->n; i++)
		blocks |= is_block(texts->items[i]);
	strbuf_adds(w->out, blocks ? "\n" : " [");
	for (size_t i = 0; i < texts->n && blocks; i++) {
		indent(w, 1);
		strbuf_addc(w->out, '-');
		add_text(w, texts->items[i], 2);
	}
	for (size_t i = 0; i < texts->n && !blocks; i++) {
		strbuf_adds(w->out, i ? ", " : "");
		add_scalar(w->out, texts->items[i]);
	}
	strbuf_adds(w->out, blocks ? "" : "]\n");
}

/* -------- numbers */

void yaml_number(struct yaml_writer *w, double value, const char *unit)
{
	char text[40];

	snprintf(text, sizeof text, "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof text, "%.17g", value);
	strbuf_addf(w->out, " %s%s\n", text, unit);
}

struct unit {
	uint64_t size;
	const char *name;
};

/* Adds VALUE in the largest of UNITS that leaves a whole number. The last one has size 1. */
static void add_whole(struct yaml_writer *w, uint64_t value, const struct unit *units)
{
	while (units->size > 1 && (!value || value % units->size))
		units++;
	strbuf_addf(w->out, " %ju%s\n", (uintmax_t)(value / units->size), units->name);
}

void yaml_duration(struct yaml_writer *w, uint64_t ns)
{
	static const struct unit units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };

	add_whole(w, ns, units);
}

void yaml_size(struct yaml_writer *w, uint64_t bytes)
{
	static const struct unit units[] = { { 1 << 30, "GiB" }, { 1 << 20, "MiB" }, { 1 << 10, "KiB" }, { 1, "" } };

	add_whole(w, bytes, units);
}

/* -------- mappings */

void yaml_key(struct yaml_writer *w, const char *key)
{
	indent(w, 0);
	add_scalar(w->out, key);
	strbuf_addc(w->out, ':');
}

void yaml_pairs(struct yaml_writer *w, const struct strv *pairs, const char *separator)
{
	strbuf_adds(w->out, pairs->n ? "\n" : "");
	w->depth++;
	for (size_t i = 0; i < pairs->n; i++) {
		const char *value = strstr(pairs->items[i], separator);
		CLEANUP(free_ptr) char *name = xstrndup(pairs->items[i], (size_t)(value - pairs->items[i]));

		yaml_key(w, name);
		yaml_text(w, value + strlen(separator));
	}
	w->depth--;
}

static void add_value(struct yaml_writer *w, const struct field *field, const void *member)
{
	switch (field->type) {
	case FIELD_TEXT:
		yaml_text(w, *(char *const *)member);
		break;
	case FIELD_TEXTS:
		if (((const struct strv *)member)->n)
			yaml_list(w, member);
		break;
	case FIELD_BOOL:
		yaml_text(w, field->words ? field->words[*(const bool *)member] : *(const bool *)member ? "true" : "false");
		break;
	case FIELD_UNSIGNED:
		if (*(const unsigned *)member < field->min)
			break;
		if (field->words)
			yaml_text(w, field->words[*(const unsigned *)member]);
		else
			yaml_number(w, *(const unsigned *)member, "");
		break;
	case FIELD_U64:
		if (*(const uint64_t *)member)
			yaml_duration(w, *(const uint64_t *)member);
		break;
	case FIELD_DOUBLE:
		yaml_number(w, *(const double *)member, "%");
		break;
	case FIELD_VERSION:
		yaml_number(w, field->max, "");
		break;
	default:
		yaml_object(w, field->object, member);
	}
}

static bool is_one_of(const struct fields *fields, const char *key)
{
	for (const char *const *one = fields->one_of; one && *one; one++)
		if (!strcmp(*one, key))
			return true;
	return false;
}

static bool belongs(const struct yaml_writer *w, const struct fields *fields, const void *record, const char *key)
{
	const char *kind = fields->kinds ? fields->kinds[*(const unsigned *)((const char *)record + fields->kind)] : key;

	return (!is_one_of(fields, key) || !strcmp(key, kind)) && (!fields->unfit || !fields->unfit(w->scenario, record, key));
}

void yaml_fields(struct yaml_writer *w, const struct fields *fields, const void *record)
{
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
		const void *member = (const char *)record + field->offset;
		size_t start = w->out->len, begun;

		if (!belongs(w, fields, record, field->key))
			continue;
		yaml_key(w, field->key);
		begun = w->out->len;
		if (field->show)
			field->show(w, field, member);
		else
			add_value(w, field, member);
		if (w->out->len == begun)
			strbuf_truncate(w->out, start);
	}
}

void yaml_object(struct yaml_writer *w, const struct fields *fields, const void *record)
{
	size_t start = w->out->len, begun;

	strbuf_addc(w->out, '\n');
	begun = w->out->len;
	w->depth++;
	yaml_fields(w, fields, record);
	w->depth--;
	if (w->out->len == begun)
		strbuf_truncate(w->out, start);
}

void yaml_item(struct yaml_writer *w, const struct fields *fields, const void *record)
{
	size_t dash = w->out->len + COLUMNS * (w->depth + 1);

	w->depth += 2;
	yaml_fields(w, fields, record);
	w->depth -= 2;
	w->out->buf[dash] = '-';
}

/* -------- hooks shared by several tables */

void show_command(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct command *command = member;

	(void)field;
	if (command->shell)
		yaml_text(w, command->argv.items[2]);
	else if (command->argv.n)
		yaml_list(w, &command->argv);
}

void show_environment(struct yaml_writer *w, const struct field *field, const void *member)
{
	(void)field;
	yaml_pairs(w, member, "=");
}

void show_texts(struct yaml_writer *w, const struct field *field, const void *member)
{
	(void)field;
	yaml_list(w, member);
}

void show_nice(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct confines *confines = member;

	(void)field;
	if (confines->niced)
		yaml_number(w, confines->nice, "");
}

void show_limits(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct confines *confines = member;

	(void)field;
	strbuf_adds(w->out, confines->n_limits ? "\n" : "");
	w->depth++;
	for (unsigned i = 0; i < confines->n_limits; i++) {
		const struct limit *limit = &confines->limits[i];

		yaml_key(w, limit->name);
		if (limit->most == UINT64_MAX)
			yaml_text(w, "unlimited");
		else
			add_whole(w, limit->most, &(const struct unit){ 1, "" });
	}
	w->depth--;
}
