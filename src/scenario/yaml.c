#include "scenario/yaml.h"

#include <stdint.h>
#include <strings.h>
#include <yaml.h>

#include "base/mem.h"

/* -------- the text and its faults */

void source_release(struct source *source)
{
	strbuf_release(&source->where);
	arena_release(&source->nodes);
}

struct place source_place(const struct source *source, size_t offset)
{
	struct place at = { 1, 1 };

	for (size_t i = 0; i < offset && i < source->len; i++) {
		at.column++;
		if (source->text[i] == '\n')
			at = (struct place){ at.line + 1, 1 };
	}
	return at;
}

int source_fault(struct source *source, struct place at, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf message = STRBUF_INIT;
	va_list args;

	if (++source->faults > SOURCE_FAULTS_MAX) {
		if (source->faults == SOURCE_FAULTS_MAX + 1)
			diags_add(source->diags, (struct diag_place){ .path = source->path },
				  "there are more faults than the %d shown here", SOURCE_FAULTS_MAX);
		return -1;
	}
	va_start(args, fmt);
	strbuf_vaddf(&message, fmt, args);
	va_end(args);
	diags_add(source->diags, (struct diag_place){ source->path, at.line, at.column, source->text, source->len }, "%s%s%s",
		  source->where.buf, source->where.len ? ": " : "", message.buf);
	return -1;
}

size_t source_enter(struct source *source, const char *key)
{
	size_t mark = source->where.len;

	strbuf_addf(&source->where, "%s%s", mark ? "." : "", key);
	return mark;
}

void source_leave(struct source *source, size_t mark)
{
	strbuf_truncate(&source->where, mark);
}

/* Call first. A byte order mark is skipped, since editors do not count it. */
static int source_check(struct source *source)
{
	const char *nul = memchr(source->text, '\0', source->len);
	CLEANUP(free_ptr) char *text = NULL;
	size_t length, mark;
	uint32_t code;

	if (source->len > SCENARIO_LARGEST)
		return source_fault(source, (struct place){ 0 }, "the file is larger than %d KiB",
				    SCENARIO_LARGEST / 1024);
	if (nul)
		return source_fault(source, source_place(source, (size_t)(nul - source->text)),
				    "expected text, found a NUL byte");
	mark = text_byte_order_mark(source->text, source->len);
	source->text += mark;
	source->len -= mark;
	text = xstrndup(source->text, source->len);
	for (size_t i = 0; i < source->len; i += length) {
		length = utf8_decode(text + i, &code);
		if (!length)
			return source_fault(source, source_place(source, i),
					    "expected UTF-8 text, found the byte 0x%02x", (unsigned char)text[i]);
	}
	return 0;
}

/* -------- text to nodes */

/* libyaml counts characters. The cursor follows it and counts bytes and lines as editors do. */
struct reader {
	struct source *source;
	yaml_parser_t *parser;
	struct cursor {
		size_t index, offset;
		struct place at;
	} cursor;
	size_t nodes;
};

static struct place cursor_to(struct reader *reader, size_t index)
{
	const struct source *source = reader->source;
	struct cursor *cursor = &reader->cursor;

	if (index < cursor->index)
		*cursor = (struct cursor){ .at = { 1, 1 } };
	for (; cursor->index < index && cursor->offset < source->len; cursor->index++) {
		if (source->text[cursor->offset] == '\n')
			cursor->at = (struct place){ cursor->at.line + 1, 0 };
		do {
			cursor->offset++;
			cursor->at.column++;
		} while (cursor->offset < source->len && (source->text[cursor->offset] & 0xc0) == 0x80);
	}
	return cursor->at;
}

static int next_event(struct reader *reader, yaml_event_t *event)
{
	const yaml_parser_t *parser = reader->parser;
	struct source *source = reader->source;
	const char *problem;
	struct place at;

	if (yaml_parser_parse(reader->parser, event))
		return 0;
	if (parser->error == YAML_MEMORY_ERROR)
		abort();
	problem = parser->problem ?: "unknown fault";
	if (parser->error == YAML_READER_ERROR)
		return source_fault(source, source_place(source, parser->problem_offset), "not valid YAML: %s", problem);
	at = cursor_to(reader, parser->problem_mark.index);
	if (reader->cursor.offset < source->len && source->text[reader->cursor.offset] == '\t')
		problem = "a tab where only spaces may indent";
	return source_fault(source, at, "not valid YAML: %s%s%s%s", problem, parser->context ? " (" : "",
			    parser->context ?: "", parser->context ? ")" : "");
}

static int read_text(struct reader *reader, const yaml_event_t *event, struct node *out)
{
	const char *text = (const char *)event->data.scalar.value;
	bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;

	if (memchr(text, '\0', event->data.scalar.length))
		return source_fault(reader->source, out->at, "text must not hold a NUL character");
	if (plain && TEXT_IS(text, "", "~", "null", "Null", "NULL"))
		return 0;
	out->kind = NODE_TEXT;
	out->text = arena_strndup(reader->source->arena, text, event->data.scalar.length);
	return 0;
}

static void refuse_decoration(struct reader *reader, const yaml_char_t *anchor, const yaml_char_t *tag, struct place at)
{
	if (anchor)
		source_fault(reader->source, at,
			     "YAML anchors (&%.60s) are not part of this format; write the value out", anchor);
	if (tag)
		source_fault(reader->source, at, "YAML tags (%.60s) are not part of this format; leave it out", tag);
}

static int read_node(struct reader *reader, const yaml_event_t *event, unsigned depth, struct node *out);

static int read_entries(struct reader *reader, enum node_kind kind, unsigned depth, struct node *out)
{
	struct source *source = reader->source;

	out->kind = kind;
	for (;;) {
		CLEANUP(yaml_event_delete) yaml_event_t event = { 0 };
		CLEANUP(yaml_event_delete) yaml_event_t value = { 0 };
		const struct node_entry *first;
		struct node_entry *entry;
		struct place at;

		if (next_event(reader, &event) < 0)
			return -1;
		if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT)
			return 0;
		at = cursor_to(reader, event.start_mark.index);
		if (kind == NODE_MAPPING && (event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT))
			return source_fault(source, at, "a key must be text");
		if (out->n == NODE_ENTRIES_MAX)
			return source_fault(source, at, "more than %d entries in one list or mapping", NODE_ENTRIES_MAX);
		entry = ARENA_ADD(&source->nodes, out->entries, out->n, out->cap);
		*entry = (struct node_entry){ 0 };
		if (kind == NODE_LIST) {
			if (read_node(reader, &event, depth + 1, &entry->value) < 0)
				return -1;
			continue;
		}
		if (read_node(reader, &event, 0, &entry->key) < 0)
			return -1;
		if (entry->key.kind == NODE_NOTHING) {	/* null is an ordinary word here */
			entry->key.kind = NODE_TEXT;
			entry->key.text = arena_strdup(source->arena, (const char *)event.data.scalar.value);
		}
		if (next_event(reader, &value) < 0 || read_node(reader, &value, depth + 1, &entry->value) < 0)
			return -1;
		first = node_find(out, entry->key.text);
		if (first != entry) {
			source_fault(source, entry->key.at, "the key '%.60s' is given twice, first on line %u", entry->key.text,
				     first->key.at.line);
			out->n--;
		}
	}
}

static int read_node(struct reader *reader, const yaml_event_t *event, unsigned depth, struct node *out)
{
	out->at = cursor_to(reader, event->start_mark.index);
	out->offset = reader->cursor.offset;
	if (depth > NODE_DEPTH_MAX)
		return source_fault(reader->source, out->at, "nested deeper than %d levels", NODE_DEPTH_MAX);
	if (++reader->nodes > NODE_TOTAL_MAX)
		return source_fault(reader->source, out->at, "more than %d values in one file", NODE_TOTAL_MAX);
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		refuse_decoration(reader, event->data.scalar.anchor, event->data.scalar.tag, out->at);
		return read_text(reader, event, out);
	case YAML_SEQUENCE_START_EVENT:
		refuse_decoration(reader, event->data.sequence_start.anchor, event->data.sequence_start.tag, out->at);
		return read_entries(reader, NODE_LIST, depth, out);
	case YAML_MAPPING_START_EVENT:
		refuse_decoration(reader, event->data.mapping_start.anchor, event->data.mapping_start.tag, out->at);
		return read_entries(reader, NODE_MAPPING, depth, out);
	case YAML_ALIAS_EVENT:
		return source_fault(reader->source, out->at,
				    "YAML aliases (*%.60s) are not part of this format; write the value out, "
				    "or quote it",
				    event->data.alias.anchor);
	default:
		abort();	/* libyaml's grammar allows no other event for a node */
	}
}

int node_read(struct source *source, struct node *out)
{
	CLEANUP(yaml_parser_delete) yaml_parser_t parser;
	struct reader reader = { .source = source, .parser = &parser, .cursor.at = { 1, 1 } };
	struct node root = { .at = { 1, 1 } };
	size_t documents = 0;

	if (!yaml_parser_initialize(&parser))
		abort();
	if (source_check(source) < 0)
		return -1;
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->len);
	for (;;) {
		CLEANUP(yaml_event_delete) yaml_event_t event = { 0 };

		if (next_event(&reader, &event) < 0)
			return -1;
		switch (event.type) {
		case YAML_STREAM_END_EVENT:
			*out = root;
			return 0;
		case YAML_DOCUMENT_START_EVENT:
			if (documents++)
				return source_fault(source, cursor_to(&reader, event.start_mark.index),
						    "a second YAML document starts here; a file holds one");
			break;
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		default:
			if (read_node(&reader, &event, 1, &root) < 0)
				return -1;
		}
	}
}

/* -------- nodes */

enum { DESCRIBED_LONGEST = 60 };

const struct node_entry *node_find(const struct node *mapping, const char *key)
{
	for (size_t i = 0; mapping->kind == NODE_MAPPING && i < mapping->n; i++)
		if (!strcmp(mapping->entries[i].key.text, key))
			return &mapping->entries[i];
	return NULL;
}

int node_expected(struct source *source, const struct node *node, const char *expected)
{
	static const char *const kinds[] = {
		[NODE_NOTHING] = "nothing", [NODE_LIST] = "a list", [NODE_MAPPING] = "a mapping",
	};
	size_t len;

	if (node->kind != NODE_TEXT)
		return source_fault(source, node->at, "expected %s, found %s", expected, kinds[node->kind]);
	len = utf8_clip(node->text, DESCRIBED_LONGEST);
	return source_fault(source, node->at, "expected %s, found '%.*s%s'", expected, (int)len, node->text,
			    node->text[len] ? "..." : "");
}

int node_each(struct source *source, const struct node *node, enum node_kind kind, const char *expected, field_fn *read,
	      void *out)
{
	int ret = 0;

	if (node->kind != kind)
		return node_expected(source, node, expected);
	for (size_t i = 0; i < node->n; i++)
		if (read(source, &node->entries[i], out) < 0)
			ret = -1;
	return ret;
}

/* -------- writing */

enum { COLUMNS = 2 };	/* of a level of mappings */

static void indent(struct yaml_writer *w, size_t more)
{
	strbuf_pad(w->out, ' ', COLUMNS * (w->depth + more));
}

/* -------- texts that are written */

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

/* -------- mappings that are written */

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
