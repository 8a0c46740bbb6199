#include "profile/formats/pprof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "profile/folded.h"

/* -------- protobuf: fields of a number and a wire type, https://protobuf.dev/programming-guides/encoding/ */

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

static void add_varint(struct strbuf *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		strbuf_addc(out, (char)(value | 0x80));
	strbuf_addc(out, (char)value);
}

static void add_number(struct strbuf *out, unsigned field, uint64_t value)
{
	add_varint(out, field << 3 | WIRE_VARINT);
	add_varint(out, value);
}

static void add_bytes(struct strbuf *out, unsigned field, const char *bytes, size_t len)
{
	add_varint(out, field << 3 | WIRE_BYTES);
	add_varint(out, len);
	strbuf_add(out, bytes, len);
}

/* Appends MESSAGE, which may be a packed list, and empties it. */
static void add_message(struct strbuf *out, unsigned field, struct strbuf *message)
{
	add_bytes(out, field, message->buf, message->len);
	strbuf_reset(message);
}

/* -------- profile.proto: the field numbers of its messages */

enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_MAPPING = 3, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6, PROFILE_COMMENT = 13, PROFILE_DEFAULT_SAMPLE_TYPE = 14,
	VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2,
	SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3,
	LABEL_KEY = 1, LABEL_STR = 2,
	MAPPING_ID = 1, MAPPING_FILENAME = 5, MAPPING_HAS_FUNCTIONS = 7,
	LOCATION_ID = 1, LOCATION_MAPPING_ID = 2, LOCATION_LINE = 4,
	LINE_FUNCTION_ID = 1,
	FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3,
};

struct writer {
	const struct stacks *stacks;
	struct arena arena;
	struct stacks strings;		/* only its strings are used: those of the profile, the first of which is "" */
	struct strbuf out, message, part, name;
	uint32_t *mappings;		/* for each string of STACKS, the mapping of the file with that path; 0: none */
	uint32_t n_mappings;
	double *sums;			/* for each event, the weights so far */
};

static void writer_release(struct writer *w)
{
	stacks_release(&w->strings);
	strbuf_release(&w->out);
	strbuf_release(&w->message);
	strbuf_release(&w->part);
	strbuf_release(&w->name);
	arena_release(&w->arena);
}

static uint32_t string_of(struct writer *w, const char *text)
{
	strbuf_reset(&w->name);
	escape_terminal(&w->name, text);
	return stacks_string(&w->strings, w->name.buf, w->name.len);
}

static void add_type(struct writer *w, const char *type, const char *unit)
{
	add_number(&w->message, VALUE_TYPE_TYPE, string_of(w, type));
	add_number(&w->message, VALUE_TYPE_UNIT, string_of(w, unit));
	add_message(&w->out, PROFILE_SAMPLE_TYPE, &w->message);
}

/* Readers show the event with most samples first. */
static void add_types(struct writer *w)
{
	static const char *const units[] = { [STACKS_COUNT] = "count", [STACKS_NS] = "nanoseconds", [STACKS_BYTES] = "bytes" };
	const struct stacks *stacks = w->stacks;
	size_t most = 0;

	add_type(w, "samples", "count");
	for (size_t i = 0; i < stacks->n_events; i++) {
		add_type(w, stacks_text(stacks, stacks->events[i].name), units[stacks_unit(stacks, (uint32_t)i)]);
		if (stacks->events[i].samples > stacks->events[most].samples)
			most = i;
	}
	if (stacks->n_events)
		add_number(&w->out, PROFILE_DEFAULT_SAMPLE_TYPE, string_of(w, stacks_text(stacks, stacks->events[most].name)));
}

/* Adds the files of all frames, or only of programs: readers take the first for the program. */
static void add_mappings(struct writer *w, bool programs)
{
	for (uint32_t i = 0; i < w->stacks->n_frames; i++) {
		const struct frame *f = &w->stacks->frames[i];
		const char *path = stacks_text(w->stacks, f->dso);

		if (!f->file || w->mappings[f->dso] || (programs && (*path == '[' || strstr(path, ".so") || f->kernel)))
			continue;
		w->mappings[f->dso] = ++w->n_mappings;
		add_number(&w->message, MAPPING_ID, w->n_mappings);
		add_number(&w->message, MAPPING_FILENAME, string_of(w, path));
		/* Keeps readers from looking for symbols. */
		add_number(&w->message, MAPPING_HAS_FUNCTIONS, 1);
		add_message(&w->out, PROFILE_MAPPING, &w->message);
	}
}

/* A function and its location have the number of the frame, from 1. */
static void add_frame(struct writer *w, uint32_t frame)
{
	const struct frame *f = &w->stacks->frames[frame];

	strbuf_reset(&w->name);
	folded_frame_name(w->stacks, frame, &w->name);
	add_number(&w->message, FUNCTION_ID, frame + 1);
	add_number(&w->message, FUNCTION_NAME, stacks_string(&w->strings, w->name.buf, w->name.len));
	add_number(&w->message, FUNCTION_SYSTEM_NAME, string_of(w, stacks_text(w->stacks, f->name)));
	add_message(&w->out, PROFILE_FUNCTION, &w->message);

	add_number(&w->part, LINE_FUNCTION_ID, frame + 1);
	add_number(&w->message, LOCATION_ID, frame + 1);
	add_number(&w->message, LOCATION_MAPPING_ID, w->mappings[f->dso]);
	add_message(&w->message, LOCATION_LINE, &w->part);
	add_message(&w->out, PROFILE_LOCATION, &w->message);
}

static void add_sample(struct writer *w, const struct stack *stack)
{
	double *sum = &w->sums[stack->event], before = *sum;

	*sum += stack->weight;
	for (uint32_t i = stack->n; i > 0; i--)
		add_varint(&w->part, w->stacks->pool[stack->first + i - 1] + 1);
	add_message(&w->message, SAMPLE_LOCATION_ID, &w->part);
	add_varint(&w->part, stack->samples);
	for (size_t i = 0; i < w->stacks->n_events; i++)
		add_varint(&w->part, i == stack->event ? (uint64_t)(llround(*sum) - llround(before)) : 0);
	add_message(&w->message, SAMPLE_VALUE, &w->part);

	strbuf_reset(&w->name);
	if (folded_thread_name(w->stacks, stack, &w->name)) {
		add_number(&w->part, LABEL_STR, stacks_string(&w->strings, w->name.buf, w->name.len));
		add_number(&w->part, LABEL_KEY, string_of(w, "thread"));
		add_message(&w->message, SAMPLE_LABEL, &w->part);
	}
	add_message(&w->out, PROFILE_SAMPLE, &w->message);
}

/* The header has no time and no name. A profile is far smaller than the 4 GiB that zlib takes at once. */
static void add_gzipped(struct strbuf *out, const struct strbuf *plain)
{
	enum { WINDOW_BITS = 15, GZIP = 16, MEMORY_LEVEL = 8 };
	z_stream z = { .next_in = (Bytef *)plain->buf, .avail_in = (uInt)plain->len };
	size_t most;

	if (plain->len > UINT32_MAX / 2 ||
	    deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS + GZIP, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	most = deflateBound(&z, plain->len);
	strbuf_reserve(out, most);
	z.next_out = (Bytef *)out->buf + out->len;
	z.avail_out = (uInt)most;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	out->len += z.total_out;
	out->buf[out->len] = '\0';
	deflateEnd(&z);
}

void pprof_write(const struct stacks *stacks, const char *title, struct strbuf *out)
{
	CLEANUP(writer_release) struct writer w = {
		.stacks = stacks, .arena = ARENA_INIT, .strings = STACKS_INIT,
		.out = STRBUF_INIT, .message = STRBUF_INIT, .part = STRBUF_INIT, .name = STRBUF_INIT,
	};

	w.mappings = arena_alloc(&w.arena, (stacks->n_strings + 1) * sizeof *w.mappings);
	w.sums = arena_alloc(&w.arena, (stacks->n_events + 1) * sizeof *w.sums);
	add_types(&w);
	add_number(&w.out, PROFILE_COMMENT, string_of(&w, title));
	add_mappings(&w, true);
	add_mappings(&w, false);
	for (uint32_t i = 0; i < stacks->n_frames; i++)
		add_frame(&w, i);
	for (size_t i = 0; i < stacks->n; i++)
		add_sample(&w, &stacks->items[i]);
	for (uint32_t i = 0; i < w.strings.n_strings; i++)
		add_bytes(&w.out, PROFILE_STRING_TABLE, stacks_text(&w.strings, i), strlen(stacks_text(&w.strings, i)));
	add_gzipped(out, &w.out);
}
