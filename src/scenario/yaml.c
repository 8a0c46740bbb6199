#include "scenario/yaml.h"

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
