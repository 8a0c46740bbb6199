#include "measure/perf/execs.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/profile.h"

/* From linux/perf_event.h; for the file header, tools/perf/Documentation/perf.data-file-format.txt of Linux. */
enum { RECORD_MMAP = 1, RECORD_COMM = 3, RECORD_EXIT = 4, RECORD_FORK = 7, RECORD_READ = 8, RECORD_SAMPLE = 9, RECORD_MMAP2 = 10,
       RECORD_ITRACE_START = 12, RECORD_NAMESPACES = 16, RECORDS_OF_THE_KERNEL = 64 };
enum { HEADER_BYTES = 56, RECORD_BYTES = 8, ATTR_TYPE_AT = 24, ATTR_FLAGS_AT = 40, COMM_EXEC = 1 << 13, SAMPLE_ID_ALL = 1 << 18 };
enum { HAS_IP = 1, HAS_TID = 2, HAS_TIME = 4, HAS_ID = 64, HAS_CPU = 128, HAS_STREAM = 512, HAS_STACK = 1 << 13, HAS_IDENTIFIER = 1 << 16 };

struct exec {
	uint32_t pid;
	uint64_t time;
};

struct data {
	unsigned char *at;
	uint64_t begin, end;	/* of the records */
	size_t before_tid;	/* bytes of a sample before its thread */
	size_t behind;		/* of the trailer of other records: process id, thread id, time, ... */
	struct exec *execs;	/* by process, then by time */
	size_t n, cap;
};

static uint32_t get32(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof value);
	return value;
}

static uint64_t get64(const unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof value);
	return value;
}

/* False if the format is unknown, or no stack needs unwinding. */
static bool read_header(struct data *d, size_t len)
{
	const uint64_t positions = HAS_IP | HAS_TID | HAS_TIME | HAS_ID | HAS_CPU | HAS_STREAM | HAS_IDENTIFIER;
	uint64_t attr_bytes, attrs, attrs_bytes, type = 0;
	bool stacks = false;

	if (len < HEADER_BYTES || memcmp(d->at, "PERFILE2", 8) != 0)
		return false;
	attr_bytes = get64(d->at + 16);
	attrs = get64(d->at + 24);
	attrs_bytes = get64(d->at + 32);
	d->begin = get64(d->at + 40);
	d->end = get64(d->at + 48);
	if (attr_bytes < ATTR_FLAGS_AT + 8 || attrs > len || attrs_bytes > len - attrs || attrs_bytes < attr_bytes || d->begin > len ||
	    d->end > len - d->begin)
		return false;
	d->end += d->begin;
	for (uint64_t at = attrs; attrs + attrs_bytes - at >= attr_bytes; at += attr_bytes) {
		uint64_t of_this = get64(d->at + at + ATTR_TYPE_AT);

		if ((at > attrs && (of_this & positions) != (type & positions)) || !(get64(d->at + at + ATTR_FLAGS_AT) & SAMPLE_ID_ALL))
			return false;
		type = of_this;
		stacks |= (of_this & HAS_STACK) != 0;
	}
	for (uint64_t bit = 1; bit <= HAS_IDENTIFIER; bit <<= 1)
		d->behind += type & positions & bit && bit != HAS_IP ? 8 : 0;
	d->before_tid = RECORD_BYTES + (type & HAS_IDENTIFIER ? 8 : 0) + (type & HAS_IP ? 8 : 0);
	return stacks && (type & HAS_TID) && (type & HAS_TIME);
}

struct record {
	unsigned char *at, *of_thread;	/* or NULL */
	uint32_t type;
	uint16_t misc, size;
	uint64_t time;
};

/* False at the end, or if the rest is damaged. */
static bool next_record(const struct data *d, uint64_t *at, struct record *out)
{
	unsigned char *r = d->at + *at;
	size_t offset;

	if (d->end - *at < RECORD_BYTES)
		return false;
	*out = (struct record){ .at = r, .type = get32(r) };
	memcpy(&out->misc, r + 4, sizeof out->misc);
	memcpy(&out->size, r + 6, sizeof out->size);
	if (out->size < RECORD_BYTES || out->size > d->end - *at)
		return false;
	*at += out->size;
	offset = out->type == RECORD_SAMPLE ? d->before_tid : out->size - d->behind;
	if (out->type >= RECORDS_OF_THE_KERNEL || out->size < d->behind + RECORD_BYTES || (size_t)out->size < offset + 16)
		return true;
	out->of_thread = r + offset;
	out->time = get64(out->of_thread + 8);
	return true;
}

static int in_order(const void *a, const void *b)
{
	const struct exec *x = a, *y = b;

	return x->pid != y->pid ? (x->pid > y->pid) - (x->pid < y->pid) : (x->time > y->time) - (x->time < y->time);
}

static void find_execs(struct data *d)
{
	struct record r;

	for (uint64_t at = d->begin; next_record(d, &at, &r);) {
		if (r.type != RECORD_COMM || !(r.misc & COMM_EXEC) || !r.of_thread || !r.time)
			continue;
		*VEC_ADD(d->execs, d->n, d->cap) = (struct exec){ get32(r.of_thread), r.time };
	}
	if (d->n)
		qsort(d->execs, d->n, sizeof *d->execs, in_order);
}

/* Puts the number of execs before TIME into the high bits. */
static void renumber(const struct data *d, unsigned char *pid, unsigned char *tid, uint64_t time)
{
	uint32_t of = get32(pid), thread = get32(tid), execs = 0;
	size_t first = SEARCH_FIRST(i, d->n, d->execs[i].pid >= of);

	while (first + execs < d->n && d->execs[first + execs].pid == of && d->execs[first + execs].time <= time && execs < RECORDED_EXECS_MOST)
		execs++;
	/* Kernel threads and missing ids are not renumbered. */
	if (!execs || of >> RECORDED_PID_BITS || thread >> RECORDED_PID_BITS)
		return;
	of |= execs << RECORDED_PID_BITS;
	thread |= execs << RECORDED_PID_BITS;
	memcpy(pid, &of, sizeof of);
	memcpy(tid, &thread, sizeof thread);
}

static void renumber_record(const struct data *d, const struct record *r)
{
	unsigned char *numbers = r->at + RECORD_BYTES;
	size_t room = r->size - RECORD_BYTES - d->behind;

	if (!r->of_thread || !r->time)
		return;
	renumber(d, r->of_thread, r->of_thread + 4, r->time);
	switch (r->type) {
	case RECORD_MMAP: case RECORD_COMM: case RECORD_READ: case RECORD_MMAP2: case RECORD_ITRACE_START: case RECORD_NAMESPACES:
		if (room >= 8)
			renumber(d, numbers, numbers + 4, r->time);
		return;
	case RECORD_EXIT: case RECORD_FORK:
		/* Process, parent process, thread, parent thread. */
		if (room < 16)
			return;
		renumber(d, numbers, numbers + 8, r->time);
		renumber(d, numbers + 4, numbers + 12, r->time);
		return;
	default:
		return;
	}
}

void perf_data_part_execs(void *data, size_t len)
{
	struct data d = { .at = data };
	struct record r;

	if (!read_header(&d, len))
		return;
	find_execs(&d);
	for (uint64_t at = d.begin; d.n && next_record(&d, &at, &r);)
		renumber_record(&d, &r);
	free(d.execs);
}
