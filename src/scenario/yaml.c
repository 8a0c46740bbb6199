#include "scenario/yaml.h"

#include <stdint.h>
#include <yaml.h>

#include "base/mem.h"
#include "base/text.h"
#include "scenario/scenario.h"

/* -------- the text and its faults */

void source_release(struct source *source)
{
	strbuf_release(&source->where);
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
			diags_add(source->diags, source->path, NULL, 0, 0, 0,
				  "there are more faults than the %d told here", SOURCE_FAULTS_MAX);
		return -1;
	}
	va_start(args, fmt);
	strbuf_vaddf(&message, fmt, args);
	va_end(args);
	diags_add(source->diags, source->path, source->text, source->len, at.line, at.column, "%s%s%s",
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

/*
 * Call first: refuses what is too large, holds NUL, or is not UTF-8, and leaves out a byte order
 * mark, which editors do not count. 0, or -1 with a fault.
 */
static int source_check(struct source *source)
{
	static const char mark[] = "\xef\xbb\xbf";
	const char *nul = memchr(source->text, '\0', source->len);
	CLEANUP(free_ptr) char *text = NULL;
	size_t length;
	uint32_t code;

	if (source->len > SCENARIO_LARGEST)
		return source_fault(source, (struct place){ 0 }, "the file is larger than %d KiB",
				    SCENARIO_LARGEST / 1024);
	if (nul)
		return source_fault(source, source_place(source, (size_t)(nul - source->text)),
				    "expected text, found a NUL byte");
	if (source->len >= 3 && !memcmp(source->text, mark, 3)) {
		source->text += 3;
		source->len -= 3;
	}
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

/* libyaml counts characters; the cursor walks along with it and counts bytes and editors' lines. */
struct cursor {
	size_t index, offset;
	struct place at;
};

struct reader {
	struct source *source;
	yaml_parser_t parser;
	struct cursor cursor;
	size_t nodes;
};

static void cursor_to(struct reader *reader, size_t index)
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
}

static struct place place_of(struct reader *reader, const yaml_mark_t *mark)
{
	cursor_to(reader, mark->index);
	return reader->cursor.at;
}

static int parser_fault(struct reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	struct source *source = reader->source;
	const char *problem = parser->problem ?: "unknown fault";
	size_t offset;

	if (parser->error == YAML_MEMORY_ERROR)
		abort();
	if (parser->error == YAML_READER_ERROR)
		return source_fault(source, source_place(source, parser->problem_offset), "not valid YAML: %s",
				    problem);
	cursor_to(reader, parser->problem_mark.index);
	offset = reader->cursor.offset;
	if (offset < source->len && source->text[offset] == '\t')
		problem = "a tab where only spaces may indent";
	return source_fault(source, reader->cursor.at, "not valid YAML: %s%s%s%s", problem,
			    parser->context ? " (" : "", parser->context ?: "", parser->context ? ")" : "");
}

static int next_event(struct reader *reader, yaml_event_t *event)
{
	return yaml_parser_parse(&reader->parser, event) ? 0 : parser_fault(reader);
}

static bool means_nothing(const yaml_event_t *event)
{
	static const char *const words[] = { "", "~", "null", "Null", "NULL" };

	if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp((const char *)event->data.scalar.value, words[i]))
			return true;
	return false;
}

static int read_text(struct reader *reader, const yaml_event_t *event, struct node *out)
{
	const char *text = (const char *)event->data.scalar.value;

	if (memchr(text, '\0', event->data.scalar.length))
		return source_fault(reader->source, out->at, "text must not hold a NUL character");
	if (means_nothing(event))
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

/* An empty entry of COLLECTION, valid until the next one is made. */
static struct node_entry *new_entry(struct reader *reader, struct node *collection, struct place at)
{
	if (collection->n == NODE_ENTRIES_MAX) {
		source_fault(reader->source, at, "more than %d entries in one list or mapping", NODE_ENTRIES_MAX);
		return NULL;
	}
	ARENA_GROW(reader->source->arena, collection->entries, collection->n, collection->cap);
	collection->entries[collection->n] = (struct node_entry){ 0 };
	return &collection->entries[collection->n++];
}

static int read_list(struct reader *reader, unsigned depth, struct node *out)
{
	for (;;) {
		CLEANUP(yaml_event_delete) yaml_event_t event = { 0 };
		struct node_entry *entry;

		if (next_event(reader, &event) < 0)
			return -1;
		if (event.type == YAML_SEQUENCE_END_EVENT)
			return 0;
		entry = new_entry(reader, out, place_of(reader, &event.start_mark));
		if (!entry || read_node(reader, &event, depth + 1, &entry->value) < 0)
			return -1;
	}
}

static int read_key(struct reader *reader, const yaml_event_t *event, struct node *out)
{
	if (read_node(reader, event, 0, out) < 0)
		return -1;
	if (out->kind == NODE_NOTHING) {	/* null is a word like any other here */
		out->kind = NODE_TEXT;
		out->text = arena_strdup(reader->source->arena, (const char *)event->data.scalar.value);
	}
	return 0;
}

/* The last entry of MAPPING goes when an earlier one has its key. */
static void drop_duplicate(struct reader *reader, struct node *mapping)
{
	struct node_entry *last = &mapping->entries[mapping->n - 1];
	const struct node_entry *first = node_find(mapping, last->key.text);

	if (first == last)
		return;
	source_fault(reader->source, last->key.at, "the key '%.60s' is given twice, first on line %u", last->key.text,
		     first->key.at.line);
	mapping->n--;
}

static int read_mapping(struct reader *reader, unsigned depth, struct node *out)
{
	for (;;) {
		CLEANUP(yaml_event_delete) yaml_event_t key = { 0 };
		CLEANUP(yaml_event_delete) yaml_event_t value = { 0 };
		struct place at;
		struct node_entry *entry;

		if (next_event(reader, &key) < 0)
			return -1;
		if (key.type == YAML_MAPPING_END_EVENT)
			return 0;
		at = place_of(reader, &key.start_mark);
		if (key.type == YAML_SEQUENCE_START_EVENT || key.type == YAML_MAPPING_START_EVENT)
			return source_fault(reader->source, at, "a key must be text");
		entry = new_entry(reader, out, at);
		if (!entry || read_key(reader, &key, &entry->key) < 0)
			return -1;
		if (next_event(reader, &value) < 0 || read_node(reader, &value, depth + 1, &entry->value) < 0)
			return -1;
		drop_duplicate(reader, out);
	}
}

static int read_node(struct reader *reader, const yaml_event_t *event, unsigned depth, struct node *out)
{
	out->at = place_of(reader, &event->start_mark);
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
		out->kind = NODE_LIST;
		return read_list(reader, depth, out);
	case YAML_MAPPING_START_EVENT:
		refuse_decoration(reader, event->data.mapping_start.anchor, event->data.mapping_start.tag, out->at);
		out->kind = NODE_MAPPING;
		return read_mapping(reader, depth, out);
	case YAML_ALIAS_EVENT:
		return source_fault(reader->source, out->at,
				    "YAML aliases (*%.60s) are not part of this format; write the value out, "
				    "or quote it",
				    event->data.alias.anchor);
	default:
		abort();	/* libyaml's grammar has nothing else where a node may stand */
	}
}

static int read_document(struct reader *reader, struct node *root)
{
	size_t documents = 0;

	for (;;) {
		CLEANUP(yaml_event_delete) yaml_event_t event = { 0 };

		if (next_event(reader, &event) < 0)
			return -1;
		switch (event.type) {
		case YAML_STREAM_END_EVENT:
			return 0;
		case YAML_DOCUMENT_START_EVENT:
			if (documents++)
				return source_fault(reader->source, place_of(reader, &event.start_mark),
						    "a second YAML document starts here; a file holds one");
			break;
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		default:
			if (read_node(reader, &event, 1, root) < 0)
				return -1;
		}
	}
}

int node_read(struct source *source, struct node *out)
{
	struct node root = { .at = { 1, 1 } };
	struct reader reader = { .source = source, .cursor.at = { 1, 1 } };
	int ret;

	if (source_check(source) < 0)
		return -1;
	if (!yaml_parser_initialize(&reader.parser))
		abort();
	yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&reader.parser, (const unsigned char *)source->text, source->len);
	ret = read_document(&reader, &root);
	yaml_parser_delete(&reader.parser);
	if (ret < 0)
		return -1;
	*out = root;
	return 0;
}

/* -------- nodes */

/* Longer text is cut in faults. */
enum { DESCRIBED_LONGEST = 60 };

const struct node_entry *node_find(const struct node *mapping, const char *key)
{
	for (size_t i = 0; i < mapping->n; i++)
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
