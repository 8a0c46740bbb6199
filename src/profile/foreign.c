#include "profile/foreign.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "profile/folded.h"
#include "profile/script.h"

/* -------- frames as valgrind's tools write them */

/* Adds a frame to STACKS: "0x109154: main (m.c:2)", "0x48417B4: malloc (in /usr/lib/libc.so.6)", "0x1: ???". */
static uint32_t add_frame(struct stacks *stacks, const char *text, size_t len)
{
	const char *colon = len > 2 && !memcmp(text, "0x", 2) ? memmem(text, len, ": ", 2) : NULL, *name = colon ? colon + 2 : text;
	size_t n = len - (size_t)(name - text);
	CLEANUP(free_ptr) char *dso = NULL;

	/* The last parentheses hold the place; C++ parameters come before them. */
	for (size_t at = n; n && name[n - 1] == ')' && at > 1; at--) {
		if (name[at - 1] != '(' || name[at - 2] != ' ')
			continue;
		if (n - at > 3 && !memcmp(name + at, "in ", 3))
			dso = xstrndup(name + at + 3, n - at - 4);
		n = at - 2;
		break;
	}
	if (!n || (n == 3 && !memcmp(name, "???", 3)))
		return stacks_frame_of(stacks, "[unknown]", strlen("[unknown]"), dso ?: "");
	/* Frames with a source place have no file, so the file of the others is dropped. */
	return stacks_frame_of(stacks, name, n, "");
}

static int check_size(const struct stacks *stacks, struct error *err)
{
	if (stacks_bytes(stacks) > STACKS_LARGEST)
		return error_set(err, ERR_INPUT, "its stacks need more than the %d MiB they may take", STACKS_LARGEST >> 20);
	return 0;
}

/* -------- massif */

enum { DEPTH_MOST = 4096 };

struct massif {
	struct stacks *stacks;
	uint32_t frames[DEPTH_MOST];	/* of the nodes above, the allocation first */
	double left[DEPTH_MOST];	/* for each, bytes not yet accounted for by its children */
	size_t depth;
	uint32_t event, comm;
};

/* Adds the own bytes of nodes at DEPTH or deeper. */
static void settle(struct massif *m, size_t depth)
{
	while (m->depth > depth) {
		uint32_t reversed[DEPTH_MOST];
		double self = m->left[--m->depth];

		/* The root is not a place. */
		if (self <= 0 || !m->depth)
			continue;
		for (size_t i = 0; i < m->depth; i++)
			reversed[i] = m->frames[m->depth - i];
		stacks_add(m->stacks, (struct stack_sample){ m->event, m->comm, reversed, m->depth, (uint64_t)self, self });
	}
}

/* " n2: 2010 0x109154: a (m.c:2)" */
static int add_node(struct massif *m, const char *line, size_t len, size_t number, struct error *err)
{
	size_t depth = strspn(line, " "), at;
	double bytes = 0;

	for (at = depth + 1; at < len && text_is_digit(line[at]); at++)
		;
	if (at == depth + 1 || at + 2 >= len || line[depth] != 'n' || line[at] != ':' || line[at + 1] != ' ' || depth > m->depth)
		return error_set(err, ERR_INPUT, "line %zu: expected a node of massif's tree, found '%.*s'", number,
				 (int)(len < 80 ? len : 80), line);
	if (depth + 1 >= DEPTH_MOST)
		return error_set(err, ERR_INPUT, "line %zu: a stack has more than %d frames", number, DEPTH_MOST);
	settle(m, depth);
	for (at += 2; at < len && text_is_digit(line[at]); at++)
		bytes = bytes * 10 + (line[at] - '0');
	at += at < len && line[at] == ' ';
	if (!(bytes < 9007199254740992.0))
		return error_set(err, ERR_INPUT, "line %zu: a number is too large", number);
	/* "in 3 places, below massif's threshold (1.00%)" */
	m->frames[depth] = text_starts(line + at, "in ") ? stacks_frame_of(m->stacks, "[small]", strlen("[small]"), "") :
							   add_frame(m->stacks, line + at, len - at);
	m->left[depth] = bytes;
	m->depth = depth + 1;
	if (depth)
		m->left[depth - 1] -= bytes;
	return check_size(m->stacks, err);
}

/* Returns the start of the peak snapshot's tree, otherwise of the last tree; 0 if none. */
static size_t find_tree(const char *text)
{
	static const char *const marks[] = { "\nheap_tree=peak\n", "\nheap_tree=detailed\n" };
	const char *found = NULL;

	for (size_t i = 0; i < 2 && !found; i++)
		for (const char *at = text; (at = strstr(at, marks[i])); at++)
			found = at + strlen(marks[i]);
	return found ? (size_t)(found - text) : 0;
}

/* Returns TEXT with LF instead of CRLF. */
static char *without_returns(const char *text, size_t len)
{
	char *copy = xstrndup(text, len), *to = copy;

	for (const char *from = copy; *from; from++)
		if (from[0] != '\r' || from[1] != '\n')
			*to++ = *from;
	*to = '\0';
	return copy;
}

int massif_read(const char *text, size_t len, struct stacks *stacks, struct error *err)
{
	CLEANUP(free_ptr) char *copy = without_returns(text, len);
	CLEANUP(free_ptr) struct massif *m = xcalloc(1, sizeof *m);
	size_t at = find_tree(copy), number = 1;
	const char *cmd;
	int ret = 0;

	if (!at)
		return error_set(err, ERR_INPUT, "no snapshot in it has a tree: nothing was allocated, or it was cut off");
	*m = (struct massif){ .stacks = stacks, .event = stacks_event(stacks, STACKS_MEMORY, strlen(STACKS_MEMORY)) };
	if ((cmd = strstr(copy, "\ncmd: ")))
		m->comm = stacks_string(stacks, cmd + 6, strcspn(cmd + 6, "\n"));
	for (size_t i = 0; i < at; i++)
		number += copy[i] == '\n';
	for (const char *line = copy + at; ret == 0 && *line && *line != '#'; number++) {
		size_t n = strcspn(line, "\n");

		ret = add_node(m, line, n, number, err);
		line += n + (line[n] == '\n');
	}
	settle(m, 0);
	return ret < 0 ? -1 : stacks_exact(stacks, err);
}

/* -------- kinds of files */

/* Lines to check if the first is not recognised: a command's name may hold a line feed. */
enum { LINES_LOOKED_AT = 4 };

static const struct start {
	const char *magic;
	size_t len;
	enum profile_kind kind;
	const char *program;
} starts_of_files[] = {
	{ "PERFILE", 7, PROFILE_KIND_PERF_DATA, NULL }, { "2ELIFREP", 8, PROFILE_KIND_PERF_DATA, NULL },
	{ "\x1f\x8b", 2, PROFILE_KIND_PACKED, "gzip" }, { "\xfd" "7zXZ\0", 6, PROFILE_KIND_PACKED, "xz" },
	{ "\x28\xb5\x2f\xfd", 4, PROFILE_KIND_PACKED, "zstd" }, { "BZh", 3, PROFILE_KIND_PACKED, "bzip2" },
	{ "heap_v2/", 8, PROFILE_KIND_JEMALLOC, NULL },
	{ "<?xml", 5, PROFILE_KIND_MARKUP, NULL }, { "<svg", 4, PROFILE_KIND_MARKUP, NULL },
	{ "<!DOCTYPE", 9, PROFILE_KIND_MARKUP, NULL }, { "<!doctype", 9, PROFILE_KIND_MARKUP, NULL },
	{ "<html", 5, PROFILE_KIND_MARKUP, NULL }, { "{", 1, PROFILE_KIND_MARKUP, NULL }, { "[{", 2, PROFILE_KIND_MARKUP, NULL },
};

static const struct start *find_start(const char *data, size_t len)
{
	for (size_t i = 0; i < sizeof starts_of_files / sizeof starts_of_files[0]; i++)
		if (len >= starts_of_files[i].len && !memcmp(data, starts_of_files[i].magic, starts_of_files[i].len))
			return &starts_of_files[i];
	return NULL;
}

/* The kind of output of valgrind's and similar tools, from words near the beginning. */
static enum profile_kind kind_of_tool(const char *data, size_t len)
{
	enum { LOOKED_AT = 4096 };
	static const struct {
		const char *start;	/* after blanks */
		const char *word;	/* NULL: not needed */
		enum profile_kind kind;
	} tools[] = {
		{ "desc:", "\ntime_unit:", PROFILE_KIND_MASSIF }, { "desc:", "\nfl=", PROFILE_KIND_CACHEGRIND },
		{ "cmd:", "\nfl=", PROFILE_KIND_CACHEGRIND }, { "# callgrind format", NULL, PROFILE_KIND_CALLGRIND },
		{ "version:", "\ncreator: callgrind", PROFILE_KIND_CALLGRIND }, { "{", "\"dhatFileVersion\"", PROFILE_KIND_DHAT },
	};
	CLEANUP(free_ptr) char *text = xstrndup(data, len < LOOKED_AT ? len : LOOKED_AT);
	const char *start = text + strspn(text, " \t\r\n");

	for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
		if (text_starts(start, tools[i].start) && (!tools[i].word || strstr(start, tools[i].word)))
			return tools[i].kind;
	return PROFILE_KIND_EMPTY;
}

const char *profile_kind_packer(const char *data, size_t len)
{
	const struct start *start = find_start(data, len);

	return start ? start->program : NULL;
}

/* "main;work 12" */
static bool is_folded(const char *line, size_t len)
{
	size_t at = len;

	while (at && text_is_digit(line[at - 1]))
		at--;
	return at > 1 && at < len && line[at - 1] == ' ';
}

static enum profile_kind kind_of_text(const char *data, size_t len)
{
	const char *end = data + len;
	enum profile_kind kind = PROFILE_KIND_EMPTY;

	for (int looked = 0; data < end && looked < LINES_LOOKED_AT;) {
		const char *line = data, *stop = memchr(data, '\n', (size_t)(end - data)) ?: end;
		size_t n = (size_t)(stop - data);

		data = stop + 1;
		while (n && strchr(" \t\r", line[n - 1]))
			n--;
		if (!n || stacks_message(line, n) || folded_comment(line, n))
			continue;
		if (script_begins(line, n))
			return PROFILE_KIND_SCRIPT;
		kind = PROFILE_KIND_FOLDED;
		if (is_folded(line, n))
			break;
		looked++;
	}
	return kind;
}

enum profile_kind profile_kind_of(const char *data, size_t len)
{
	size_t mark = text_byte_order_mark(data, len);
	const struct start *start = find_start(data + mark, len - mark);
	enum profile_kind tool;

	data += mark;
	len -= mark;
	if (start && start->kind != PROFILE_KIND_MARKUP)
		return start->kind;
	if (memchr(data, '\0', len))
		return PROFILE_KIND_BINARY;
	if ((tool = kind_of_tool(data, len)) != PROFILE_KIND_EMPTY)
		return tool;
	return start ? start->kind : kind_of_text(data, len);
}
