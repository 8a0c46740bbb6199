/* Recordings in perf's format. Each program that a process executes gets a new process number. */
#include "unit.h"

#include "measure/perf/execs.h"
#include "model/profile.h"

enum { IDENTIFIED = 1 << 16, STACKS = 1 << 13, USUAL = 1 | 2 | 4 | 32 | 128 | 256 | STACKS, COMM_EXEC = 1 << 13, ID_ALL = 1 << 18 };

struct recording {
	unsigned char bytes[4096];
	size_t len;
	uint64_t type;	/* PERF_SAMPLE_ bits */
};

static void put(struct recording *r, uint64_t value, size_t size)
{
	assert_true(r->len + size <= sizeof r->bytes);
	memcpy(r->bytes + r->len, &value, size);
	r->len += size;
}

/* Starts a file with one attribute, or two of the same TYPE. Records follow. */
static void begin(struct recording *r, uint64_t type, uint64_t flags, unsigned attributes)
{
	*r = (struct recording){ .type = type };
	memcpy(r->bytes, "PERFILE2", 8);
	r->len = 8;
	put(r, 104, 8);
	put(r, 88 + 16, 8);
	put(r, 104, 8);
	put(r, 104 * attributes, 8);
	put(r, 104 + 104 * attributes, 8);
	put(r, 0, 8);
	r->len = 104 + 104 * attributes;
	for (unsigned i = 0; i < attributes; i++) {
		memcpy(r->bytes + 104 + 104 * i + 24, &type, 8);
		memcpy(r->bytes + 104 + 104 * i + 40, &flags, 8);
	}
}

/* Appends the trailer of every record except samples. */
static void put_thread(struct recording *r, uint32_t pid, uint32_t tid, uint64_t time)
{
	put(r, pid, 4);
	put(r, tid, 4);
	put(r, time, 8);
	for (uint64_t bit = 64; bit <= IDENTIFIED; bit <<= 1)
		if (r->type & bit & (64 | 128 | 512 | IDENTIFIED))
			put(r, 7, 8);
}

/* Appends a record with 32-bit NUMBERS. Returns its offset. */
static size_t add(struct recording *r, uint32_t type, uint16_t misc, const uint32_t *numbers, size_t n, uint32_t tid, uint64_t time)
{
	size_t at = r->len;
	uint16_t size;

	put(r, type, 4);
	put(r, misc, 2);
	put(r, 0, 2);
	if (type == 9) {
		if (r->type & IDENTIFIED)
			put(r, 7, 8);
		put(r, 0xffffffff81000000, 8);
		put(r, numbers[0], 4);
		put(r, tid, 4);
		put(r, time, 8);
		put(r, 1, 8);
	} else {
		for (size_t i = 0; i < n; i++)
			put(r, numbers[i], 4);
		put_thread(r, n ? numbers[0] : tid, tid, time);
	}
	size = (uint16_t)(r->len - at);
	memcpy(r->bytes + at + 6, &size, 2);
	return at;
}

static void end(struct recording *r)
{
	uint64_t begins, len;

	memcpy(&begins, r->bytes + 40, 8);
	len = r->len - begins;
	memcpy(r->bytes + 48, &len, 8);
}

static uint32_t number(const struct recording *r, size_t at)
{
	uint32_t value;

	memcpy(&value, r->bytes + at, 4);
	return value;
}

#define AFTER(execs, pid) ((uint32_t)(execs) << RECORDED_PID_BITS | (pid))

/* Shell 100 forks 101, which executes a program and starts thread 102. */
TEST(a_program_behind_a_shell)
{
	static const uint64_t types[] = { USUAL, USUAL | IDENTIFIED | 64 };

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		struct recording r;
		size_t shell, late, map, fork, early, exec, thread, sample, of_thread;

		begin(&r, types[i], ID_ALL, 1 + (unsigned)i);
		add(&r, 3, COMM_EXEC, (uint32_t[]){ 100, 100, 0, 0 }, 4, 100, 10);
		shell = add(&r, 14, 0, NULL, 0, 100, 11);
		/* Records of another CPU may precede earlier ones. */
		late = add(&r, 9, 0, (uint32_t[]){ 101 }, 1, 101, 90);
		map = add(&r, 10, 0, (uint32_t[]){ 100, 100, 1, 2 }, 4, 100, 0);
		fork = add(&r, 7, 0, (uint32_t[]){ 101, 100, 101, 100 }, 4, 100, 20);
		early = add(&r, 9, 0, (uint32_t[]){ 101 }, 1, 101, 25);
		exec = add(&r, 3, COMM_EXEC, (uint32_t[]){ 101, 101, 0, 0 }, 4, 101, 30);
		thread = add(&r, 7, 0, (uint32_t[]){ 101, 101, 102, 101 }, 4, 101, 40);
		sample = add(&r, 9, 0, (uint32_t[]){ 101 }, 1, 101, 50);
		of_thread = add(&r, 14, 0, NULL, 0, 102, 60);
		memcpy(r.bytes + of_thread + 8, &(uint32_t){ 101 }, 4);
		end(&r);
		perf_data_part_execs(r.bytes, r.len);

		assert_int_equal(number(&r, shell + 8), AFTER(1, 100));
		assert_int_equal(number(&r, map + 8), 100);	/* mapped at the start of the recording, time unknown */
		assert_int_equal(number(&r, fork + 8), 101);
		assert_int_equal(number(&r, fork + 12), AFTER(1, 100));
		assert_int_equal(number(&r, fork + 16), 101);
		assert_int_equal(number(&r, fork + 20), AFTER(1, 100));
		assert_int_equal(number(&r, exec + 8), AFTER(1, 101));
		assert_int_equal(number(&r, exec + 12), AFTER(1, 101));
		assert_int_equal(number(&r, thread + 8), AFTER(1, 101));
		assert_int_equal(number(&r, thread + 16), AFTER(1, 102));
		assert_int_equal(number(&r, of_thread + 12), AFTER(1, 102));
		early += r.type & IDENTIFIED ? 24 : 16;
		late += r.type & IDENTIFIED ? 24 : 16;
		sample += r.type & IDENTIFIED ? 24 : 16;
		assert_int_equal(number(&r, early), 101);
		assert_int_equal(number(&r, sample), AFTER(1, 101));
		assert_int_equal(number(&r, late), AFTER(1, 101));
		assert_int_equal(number(&r, late + 4), AFTER(1, 101));
	}
}

TEST(nothing_to_do)
{
	static const struct { uint64_t type, flags; } cases[] = {
		{ USUAL & ~STACKS, ID_ALL },	/* no stack to unwind */
		{ USUAL & ~2, ID_ALL }, { USUAL & ~4, ID_ALL }, { USUAL, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct recording r, before;

		begin(&r, cases[i].type, cases[i].flags, 1);
		add(&r, 3, COMM_EXEC, (uint32_t[]){ 100, 100, 0, 0 }, 4, 100, 10);
		add(&r, 9, 0, (uint32_t[]){ 100 }, 1, 100, 20);
		end(&r);
		before = r;
		perf_data_part_execs(r.bytes, r.len);
		assert_memory_equal(r.bytes, before.bytes, r.len);
	}
}

/* Truncated anywhere, or with any byte changed: nothing outside the buffer is read or written. */
TEST(damaged)
{
	struct recording r;

	begin(&r, USUAL, ID_ALL, 1);
	add(&r, 3, COMM_EXEC, (uint32_t[]){ 100, 100, 0, 0 }, 4, 100, 10);
	add(&r, 7, 0, (uint32_t[]){ 101, 100, 101, 100 }, 4, 100, 20);
	add(&r, 9, 0, (uint32_t[]){ 100 }, 1, 100, 30);
	end(&r);
	for (size_t len = 0; len <= r.len; len++) {
		CLEANUP(free_ptr) unsigned char *copy = xmalloc(len + 1);

		memcpy(copy, r.bytes, len);
		copy = xrealloc(copy, len ?: 1);
		perf_data_part_execs(copy, len);
	}
	for (size_t at = 0; at < r.len; at++)
		for (unsigned value = 0; value < 256; value += 17) {
			CLEANUP(free_ptr) unsigned char *copy = xmalloc(r.len);

			memcpy(copy, r.bytes, r.len);
			copy[at] = (unsigned char)value;
			perf_data_part_execs(copy, r.len);
		}
}
