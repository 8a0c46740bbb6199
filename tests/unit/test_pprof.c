#include "unit.h"

#include <zlib.h>

#include "exchange_samples.h"
#include "profile/formats/pprof.h"

/* -------- a reader of protobuf, which knows only what the writer may use */

struct message {
	const char *at, *end;
};

struct field {
	unsigned number;
	bool is_number;
	uint64_t value;
	struct message bytes;
};

static uint64_t take_varint(struct message *m)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		assert_true(m->at < m->end && shift < 64);
		value |= (uint64_t)(*m->at & 0x7f) << shift;
		if (!(*m->at++ & 0x80))
			return value;
	}
}

static bool take(struct message *m, struct field *out)
{
	uint64_t key;

	if (m->at == m->end)
		return false;
	key = take_varint(m);
	*out = (struct field){ .number = (unsigned)(key >> 3), .is_number = !(key & 7), .value = take_varint(m) };
	if (out->is_number)
		return true;
	assert_int_equal(key & 7, 2);
	assert_true(out->value <= (uint64_t)(m->end - m->at));
	out->bytes = (struct message){ m->at, m->at + out->value };
	m->at += out->value;
	return true;
}

static uint64_t number_in(struct message m, unsigned number)
{
	uint64_t value = 0;

	for (struct field f; take(&m, &f);)
		value = f.number == number ? f.value : value;
	return value;
}

static struct message part_of(struct message m, unsigned number)
{
	struct message part = { 0 };

	for (struct field f; take(&m, &f);)
		part = f.number == number ? f.bytes : part;
	return part;
}

/* -------- the profile, checked while it is read */

enum { MOST = 64 };

struct read {
	struct strbuf plain;
	struct message strings[MOST], mappings[MOST], locations[MOST], functions[MOST], samples[MOST], types[MOST];
	size_t n_strings, n_mappings, n_locations, n_functions, n_samples, n_types;
	uint64_t usual;
};

static void keep(struct message *list, size_t *n, const struct field *f)
{
	assert_false(f->is_number);
	assert_true(*n < MOST);
	list[(*n)++] = f->bytes;
}

static void unpack(const struct strbuf *gzipped, struct strbuf *out)
{
	z_stream z = { .next_in = (Bytef *)gzipped->buf, .avail_in = (uInt)gzipped->len };

	assert_memory_equal(gzipped->buf, "\x1f\x8b\x08\0\0\0\0\0", 8);
	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	strbuf_reserve(out, 1 << 20);
	z.next_out = (Bytef *)out->buf;
	z.avail_out = 1 << 20;
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	out->len = z.total_out;
	inflateEnd(&z);
}

static void read_profile(const struct strbuf *gzipped, struct read *r)
{
	struct message all;

	unpack(gzipped, &r->plain);
	all = (struct message){ r->plain.buf, r->plain.buf + r->plain.len };
	for (struct field f; take(&all, &f);) {
		switch (f.number) {
		case 1: keep(r->types, &r->n_types, &f); break;
		case 2: keep(r->samples, &r->n_samples, &f); break;
		case 3: keep(r->mappings, &r->n_mappings, &f); break;
		case 4: keep(r->locations, &r->n_locations, &f); break;
		case 5: keep(r->functions, &r->n_functions, &f); break;
		case 6: keep(r->strings, &r->n_strings, &f); break;
		case 13: break;
		case 14: r->usual = f.value; break;
		default: fail_msg("field %u", f.number);
		}
	}
}

/* The string with this number, which must be valid UTF-8. */
static char *text(const struct read *r, uint64_t number)
{
	char *copy;

	assert_true(number < r->n_strings);
	copy = xstrndup(r->strings[number].at, (size_t)(r->strings[number].end - r->strings[number].at));
	for (const char *at = copy; *at;) {
		uint32_t code;
		size_t n = utf8_decode(at, &code);

		if (!n || code < ' ')
			fail_msg("'%s' is not clean UTF-8", copy);
		at += n;
	}
	return copy;
}

#define ASSERT_TEXT(r, number, want)                                     \
	do {                                                             \
		CLEANUP(free_ptr) char *found = text((r), (number));     \
		assert_string_equal(found, (want));                      \
	} while (0)

/* Fails if anything refers to what the profile lacks. */
static void check_references(const struct read *r)
{
	assert_true(r->strings[0].at == r->strings[0].end);
	for (size_t i = 0; i < r->n_strings; i++)
		free(text(r, i));
	for (size_t i = 0; i < r->n_locations; i++) {
		assert_int_equal(number_in(r->locations[i], 1), i + 1);
		assert_int_equal(number_in(r->functions[i], 1), i + 1);
		assert_true(number_in(r->locations[i], 2) <= r->n_mappings);
		assert_int_equal(number_in(part_of(r->locations[i], 4), 1), i + 1);
		assert_in_range(number_in(r->functions[i], 2), 1, r->n_strings - 1);
		assert_in_range(number_in(r->functions[i], 3), 1, r->n_strings - 1);
	}
	for (size_t i = 0; i < r->n_mappings; i++)
		assert_int_equal(number_in(r->mappings[i], 1), i + 1);
	assert_int_equal(r->n_locations, r->n_functions);
}

static void check_sums(const struct read *r, const struct stacks *stacks)
{
	uint64_t sums[MOST] = { 0 }, samples = 0;

	assert_int_equal(r->n_types, stacks->n_events + 1);
	for (size_t i = 0; i < r->n_samples; i++) {
		struct message values = part_of(r->samples[i], 2), locations = part_of(r->samples[i], 1);

		for (size_t k = 0; k < r->n_types; k++)
			sums[k] += take_varint(&values);
		assert_true(values.at == values.end);
		while (locations.at < locations.end)
			assert_in_range(take_varint(&locations), 1, r->n_locations);
	}
	for (size_t i = 0; i < stacks->n_events; i++) {
		assert_int_equal(sums[i + 1], llround(stacks->events[i].weight));
		samples += stacks->events[i].samples;
	}
	assert_int_equal(sums[0], samples);
}

static void write_and_read(const struct exchange_stack *rows, size_t n, struct stacks *stacks, struct read *r)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, again = STRBUF_INIT;

	exchange_stacks(rows, n, stacks);
	pprof_write(stacks, "a \xff title", &out);
	pprof_write(stacks, "a \xff title", &again);
	assert_int_equal(out.len, again.len);
	assert_memory_equal(out.buf, again.buf, out.len);
	read_profile(&out, r);
	check_references(r);
	check_sums(r, stacks);
}

TEST(test_sums)
{
	for (size_t i = 0; i < sizeof exchange_all / sizeof exchange_all[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		struct read r = { .plain = STRBUF_INIT };

		print_message("%s\n", exchange_all[i].name);
		write_and_read(exchange_all[i].rows, exchange_all[i].n, &stacks, &r);
		assert_int_equal(r.n_samples, stacks.n);
		strbuf_release(&r.plain);
	}
}

TEST(test_contents)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	struct read r = { .plain = STRBUF_INIT };
	struct message locations;

	write_and_read(exchange_plain, sizeof exchange_plain / sizeof exchange_plain[0], &stacks, &r);
	ASSERT_TEXT(&r, number_in(r.types[0], 1), "samples");
	ASSERT_TEXT(&r, number_in(r.types[0], 2), "count");
	ASSERT_TEXT(&r, number_in(r.types[1], 1), "cpu-clock");
	ASSERT_TEXT(&r, number_in(r.types[1], 2), "nanoseconds");
	ASSERT_TEXT(&r, r.usual, "cpu-clock");
	/* The program is first, then the others as they came. */
	assert_int_equal(r.n_mappings, 3);
	ASSERT_TEXT(&r, number_in(r.mappings[0], 5), "/bin/app");
	ASSERT_TEXT(&r, number_in(r.mappings[1], 5), "[kernel.kallsyms]");
	ASSERT_TEXT(&r, number_in(r.mappings[2], 5), "/lib/libz.so.1");
	assert_int_equal(number_in(r.mappings[0], 7), 1);
	/* The second sample: the leaf is first, in the kernel. */
	locations = part_of(r.samples[1], 1);
	locations = r.locations[take_varint(&locations) - 1];
	ASSERT_TEXT(&r, number_in(r.functions[number_in(locations, 1) - 1], 2), "sys_read");
	assert_int_equal(number_in(locations, 2), 2);
	ASSERT_TEXT(&r, number_in(part_of(r.samples[1], 3), 1), "thread");
	ASSERT_TEXT(&r, number_in(part_of(r.samples[1], 3), 2), "app");
	/* Unknown symbols have the name of their file; an unknown file is no mapping. */
	ASSERT_TEXT(&r, number_in(r.functions[3], 2), "[libz.so.1]");
	assert_int_equal(number_in(r.locations[4], 2), 0);
	strbuf_release(&r.plain);
}

TEST(test_units_and_events)
{
	static const struct exchange_stack rows[] = {
		{ "page-faults", "t", "a@/b", 9, 9 }, { "waiting", "t", "a@/b", 1, 5 }, { "bytes", "t", "a@/b", 1, 7 },
		{ "page-faults", "t", "c@/b", 1, 1 },
	};
	static const char *const units[] = { "count", "count", "nanoseconds", "bytes" };
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	struct read r = { .plain = STRBUF_INIT };

	write_and_read(rows, sizeof rows / sizeof rows[0], &stacks, &r);
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		ASSERT_TEXT(&r, number_in(r.types[i], 2), units[i]);
	ASSERT_TEXT(&r, r.usual, "page-faults");
	strbuf_release(&r.plain);
}
