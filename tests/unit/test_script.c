#include "unit.h"

#include "profile/foreign.h"
#include "profile/names.h"
#include "profile/script.h"
#include "profile/stacks.h"
#include "read_file.h"

/* -------- Text of perf script: recordings checked against a count of lines, difficult names, other text. */

/* -------- reading */

static int read_pieces(const char *text, size_t len, size_t piece, struct stacks *out, struct error *err)
{
	struct script *script = script_new(out);
	int status = 0;

	for (size_t at = 0; at < len && !status; at += piece)
		status = script_feed(script, text + at, len - at < piece ? len - at : piece, err);
	status = status || script_end(script, err) ? -1 : 0;
	script_free(script);
	return status;
}

static int read_text(const char *text, struct stacks *out, struct error *err)
{
	return read_pieces(text, strlen(text), 4096, out, err);
}

/* Writes "comm|event|weight|root file;...;leaf file", one line per stack. */
static void write_down(const struct stacks *stacks, struct strbuf *out)
{
	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *s = &stacks->items[i];

		strbuf_addf(out, "%s|%s|%.0f|", stacks_text(stacks, s->comm), stacks_text(stacks, stacks->events[s->event].name),
			    s->weight);
		for (uint32_t k = 0; k < s->n; k++) {
			const struct frame *f = &stacks->frames[stacks->pool[s->first + k]];

			strbuf_addf(out, "%s%s <%s>", k ? "; " : "", stacks_text(stacks, f->name), stacks_text(stacks, f->dso));
		}
		strbuf_addc(out, '\n');
	}
}

/* -------- recordings, counted independently */

struct count {
	uint64_t samples, frames, names;	/* names: a checksum over the name and file of every frame */
	double weight;
};

static uint64_t name_hash(const char *name, size_t len, const char *dso, size_t dso_len)
{
	uint64_t h = 1469598103934665603u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 1099511628211u;
	h = (h ^ 0xff) * 1099511628211u;
	for (size_t i = 0; i < dso_len; i++)
		h = (h ^ (unsigned char)dso[i]) * 1099511628211u;
	return h;
}

/* Paths in the recordings have no parentheses or blanks, so the last " (" begins the file. */
static void count_frame(const char *line, size_t len, struct count *out)
{
	const char *name = line + 1 + strspn(line + 1, " "), *dso;

	name += strcspn(name, " ") + 1;
	for (dso = line + len; dso[-1] != '('; dso--)
		;
	out->frames++;
	out->names += name_hash(name, (size_t)(dso - 2 - name), dso, (size_t)(line + len - dso) - 1);
}

static void count_lines(const struct strbuf *text, struct count *out)
{
	for (const char *line = text->buf, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (*line == '\t') {
			count_frame(line, (size_t)(end - line), out);
		} else if (end > line) {
			const char *at = end - 1;

			/* "... TIME:    PERIOD EVENT: " */
			for (int blanks = 0; blanks < 2; at--)
				blanks += *at == ' ';
			while (*at != ' ')
				at--;
			out->samples++;
			out->weight += strtod(at, NULL);
			/* A chain that perf could not resolve. */
			if (end[1] == '\n') {
				out->frames++;
				out->names += name_hash("[unknown]", 9, "[unknown]", 9);
			}
		}
	}
}

static void count_stacks(const struct stacks *stacks, struct count *out)
{
	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *s = &stacks->items[i];

		out->samples += s->samples;
		out->weight += s->weight;
		out->frames += s->samples * s->n;
		for (uint32_t k = 0; k < s->n; k++) {
			const struct frame *f = &stacks->frames[stacks->pool[s->first + k]];
			const char *name = stacks_text(stacks, f->name), *dso = stacks_text(stacks, f->dso);

			out->names += s->samples * name_hash(name, strlen(name), dso, strlen(dso));
		}
	}
}

enum { SMALL = 1 << 20 };	/* a recording that may be read byte by byte */

static void assert_same_in_pieces(const struct strbuf *text, const struct stacks *whole)
{
	static const size_t pieces[] = { 1, 7, 4096 };
	CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;

	write_down(whole, &expected);
	for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

		if (text->len > SMALL && pieces[i] < 4096)
			continue;
		assert_int_equal(read_pieces(text->buf, text->len, pieces[i], &stacks, NULL), 0);
		write_down(&stacks, &found);
		assert_string_equal(found.buf, expected.buf);
	}
}

TEST(recordings_lose_nothing)
{
	static const struct { const char *name; uint64_t samples; } cases[] = {
		{ "cpp-dwarf-3k", 3053 }, { "cpp-fp-5k", 4789 }, { "git-dwarf-1k", 786 }, { "node-fp-4k", 3873 },
		{ "py312perf-fp-41k", 40687 }, { "python-fp-3k", 3306 }, { "sqlite-fp-5k", 4834 },
		{ "sqlite-fp-92k", 92194 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(free_ptr) char *path = text_printf("tests/fixtures/perf-script/%s.txt.xz", cases[i].name);
		CLEANUP(strbuf_release) struct strbuf text = read_file(path);
		struct count expected = { 0 }, found = { 0 };

		assert_int_equal(read_pieces(text.buf, text.len, 65536, &stacks, NULL), 0);
		count_lines(&text, &expected);
		count_stacks(&stacks, &found);
		assert_int_equal(expected.samples, cases[i].samples);
		assert_int_equal(found.samples, expected.samples);
		assert_true(found.weight == expected.weight);
		assert_int_equal(found.frames, expected.frames);
		assert_int_equal(found.names, expected.names);
		assert_int_equal(stacks.n_events, 1);
		assert_true(stacks_complete(&stacks, 0));
		assert_same_in_pieces(&text, &stacks);
	}
}

/* -------- difficult names */

#define LIBC "/usr/lib/x86_64-linux-gnu/libc.so.6"
#define SPIN(comm, weight) comm "|cpu-clock|" weight "|__libc_start_call_main <" LIBC ">; main </srv/demo/comm>; " \
	"spin </srv/demo/comm>\n"

TEST(traps_are_read_exactly)
{
	static const struct { const char *name, *expected; } cases[] = {
		{ "anon-namespace", "a|cycles|100|main </a>; (anonymous namespace)::hot() </a>\n" },
		{ "comm-", SPIN("", "50505050") },
		{ "comm-206c656164", SPIN(" lead", "60606060") },
		{ "comm-2368617368", SPIN("#hash", "60606060") },
		{ "comm-37", SPIN("7", "60606060") },
		{ "comm-6120622031322063", SPIN("a b 12 c", "60606060") },
		{ "comm-783b79", SPIN("x;y", "60606060") },
		{ "hybrid-events", "a|cpu_core/cycles/|1|f </a>\na|cpu_atom/cycles/|1|g </a>\n" },
		{ "synthetic-symbols",
		  "my prog v2|cpu-clock:u|100|do_syscall_64 <[kernel.kallsyms]>; net/http.(*Client).Do </bin/go>; main </bin/go>; "
		  "RegExp:(a|b)\\s+\"x\" </tmp/perf-99.map>; bool operator< <int>(A<int> const&, A<int> const&) </bin/a>; "
		  "LazyCompile:*foo /srv/app (x)/index.js:10:5 </tmp/perf-99.map>; [unknown] </tmp/perf-99.map>; "
		  "std::operator<< <std::char_traits<char> >(std::ostream&, char const*) </bin/a>; "
		  "<alloc::vec::Vec<T> as core::iter::FromIterator<fn() -> i32>>::from_iter::h0123456789abcdef </bin/a>; "
		  "a;b c </bin/a>; (anonymous namespace)::x::{lambda(int)#1}::operator()(int) const </bin/a>; "
		  "foo(bar (*)(int)) </memfd:jit (deleted)>; std::function<void (int)>::operator() </tmp/my dir/prog>; "
		  "operator-> </bin/a>\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(free_ptr) char *path = text_printf("tests/fixtures/perf-traps/%s.txt", cases[i].name);
		CLEANUP(strbuf_release) struct strbuf text = read_file(path), found = STRBUF_INIT;

		assert_int_equal(read_pieces(text.buf, text.len, text.len, &stacks, NULL), 0);
		write_down(&stacks, &found);
		assert_string_equal(found.buf, cases[i].expected);
		assert_same_in_pieces(&text, &stacks);
	}
}

#define HEAD "a 1/1 1.5: 10 cycles: \n"

TEST(shapes_of_lines_are_understood)
{
	static const struct { const char *text, *expected; } cases[] = {
		{ "", "" },
		{ "\n\n# a comment\n# captured on    : Sat Nov 21\n", "" },
		/* a sample without a chain: one line with its own address */
		{ "            sort 29235/29235 23234.181809:    5025125 cpu-clock:      7f0cf652f978 __memcmp_evex_movbe (" LIBC ")\n"
		  "             seq 31738/31738 [000] 3.7:    7 cpu-clock:      55e0776b4555 [unknown] (/usr/bin/seq)\n",
		  "sort|cpu-clock|5025125|__memcmp_evex_movbe <" LIBC ">\nseq|cpu-clock|7|[unknown] </usr/bin/seq>\n" },
		/* and a chain that perf could not resolve */
		{ "sh 29302/29302 23236.719585:          2 page-faults: \n\n" HEAD "\n",
		  "sh|page-faults|2|[unknown] <[unknown]>\na|cycles|10|[unknown] <[unknown]>\n" },
		{ HEAD "\t               6 [unknown] ([unknown])\n\n", "a|cycles|10|[unknown] <[unknown]>\n" },
		/* hidden kernel symbols: the leaf's address shows the kernel */
		{ HEAD "\tffffffff81000001 [unknown] ([unknown])\n\tffffffff81000002 [unknown] ([unknown])\n\n",
		  "a|cycles|10|[unknown] <[unknown]>; [unknown] <[kernel.kallsyms]>\n" },
		{ "sort 1/1 2.5: 10 cycles:  ffff800080000001 [unknown] ([unknown])\n",
		  "sort|cycles|10|[unknown] <[kernel.kallsyms]>\n" },
		{ HEAD "\tffff700000000001 [unknown] ([unknown])\n\n", "a|cycles|10|[unknown] <[unknown]>\n" },
		{ HEAD "\t ffffffff8100000 [unknown] ([unknown])\n\n", "a|cycles|10|[unknown] <[unknown]>\n" },
		/* only a tid, a CPU, no period, nanoseconds, a tracepoint's fields */
		{ "a 12 1.5: 10 cycles: \n\t1 f (/a)\n\n", "a|cycles|10|f </a>\n" },
		{ "a b 1.5: 10 cycles: \n\t1 f (/a)\n\n", "a b|cycles|10|f </a>\n" },
		{ "a 12 1.5: 10 cycles: \n\t1 odd(it)\n<name> (/a)\n\t2 main (/a)\n\n", "a|cycles|10|main </a>; odd(it) <name> </a>\n" },
		{ "a -1/-1 [011] 1.500000001: 10 cycles:u: \n\t1 f (/a)\n\n", "a|cycles:u|10|f </a>\n" },
		{ "a 1 1.5: cycles: \n\t1 f (/a)\n\n", "a|cycles|1|f </a>\n" },
		{ "a 1 [001] 1.5: sched:sched_switch: prev_comm=a prev_pid=1\n\t1 f (/a)\n\n", "a|sched:sched_switch|1|f </a>\n" },
		{ "a 1 [001] 1.5: sched:sched_switch: prev_comm=a\na 1 [001] 1.6: sched:sched_switch: prev_comm=a\n",
		  "a|sched:sched_switch|2|[unknown] <[unknown]>\n" },
		/* a command that looks like a header */
		{ "1 2.0: 3 x: 4 f 1/1 1.5: 10 cycles: \n\t1 f (/a)\n\n", "1 2.0: 3 x: 4 f|cycles|10|f </a>\n" },
		{ "   1 2.0: 3 x: 4 29235/29235 5.5:   10 cycles:    7f0 f (/a)\n", "1 2.0: 3 x: 4|cycles|10|f </a>\n" },
		{ "         1 2.0: 29235 5.500000:   10 cycles:    7f0 f (/a)\n", "1 2.0:|cycles|10|f </a>\n" },
		{ "PERF_RECORD_LOS 1/1 1.5: 10 cycles: \n\t1 f (/a)\n\n", "PERF_RECORD_LOS|cycles|10|f </a>\n" },
		/* and one with a line feed in it */
		{ "a\nb 1/1 1.5: 10 cycles: \n\t1 f (/a)\n\n\n b\nc d 1/1 1.5: 1 cycles: 1 f (/a)\n",
		  "a\nb|cycles|10|f </a>\nb\nc d|cycles|1|f </a>\n" },
		/* symbols that look like headers, addresses, records */
		{ HEAD "\t1 x 1/1 1.0: 1 y: (/a)\n\n", "a|cycles|10|x 1/1 1.0: 1 y: </a>\n" },
		{ HEAD "\t            1000 add (/a)\n\tadd (/a)\n\n", "a|cycles|10|[unknown] </a>; add </a>\n" },
		{ HEAD "\t1 f+0x1f\n\t2 g(int)\n\t3 h+0x (/a)\n\n",
		  "a|cycles|10|h+0x </a>; g(int) <[unknown]>; f <[unknown]>\n" },
		/* unmatched parentheses in paths */
		{ HEAD "\t1 f(int) (/tmp/a)b/p)\n\t2 f (int) (/tmp/a(b/p)\n\t3 f ()\n\n",
		  "a|cycles|10|f <[unknown]>; f (int) </tmp/a(b/p>; f(int) </tmp/a)b/p>\n" },
		/* inlined functions are in the file of their enclosing function */
		{ HEAD "\t3 in (inlined)\n\t3 mid (inlined)\n\t3 out (/b)\n\t4 lone (inlined)\n\n",
		  "a|cycles|10|lone <inlined>; out </b>; mid </b>; in </b>\n" },
		{ HEAD "\t3 in (inlined)\n\t3 mid (inlined)\n\t3 out (/b)\n\t4 main (/a)\n\n",
		  "a|cycles|10|main </a>; out </b>; mid </b>; in </b>\n" },
		/* changes by an editor: CRLF, blanks for tabs, no empty line in between */
		{ "a 1/1 1.5: 10 cycles: \r\n\t1 f (/a)\r\n\r\n", "a|cycles|10|f </a>\n" },
		{ HEAD "        1 f (/a)\n\n", "a|cycles|10|f </a>\n" },
		{ HEAD "\t1 f (/a)\nb 1/1 1.6: 5 cycles: \n\t1 g (/a)\n\n", "a|cycles|10|f </a>\nb|cycles|5|g </a>\n" },
		/* additional fields: misc, srcline, insnlen and insn, addr */
		{ "a 7 U       1.5: 10 cycles: \n\t1 f (/a)\n\nb U 7/7 [001] K 1.6: 5 cycles: \n\t1 g (/a)\n\n",
		  "a|cycles|10|f </a>\nb U|cycles|5|g </a>\n" },
		{ "worker U 1.5: 10 cycles: \n\t1 f (/a)\n\n", "worker U|cycles|10|f </a>\n" },
		{ HEAD "\t1140 leaf+0x17 (/a)\n  a.c:2\n\t117b main+0x1c (/a)\n  libc.so.6[27249]\n\n",
		  "a|cycles|10|main </a>; leaf </a>\n" },
		{ HEAD "\t1140 leaf+0x17 (/a)\n ilen: 2 insn: 01 c2\nb 1/1 1.6: 5 cycles: \n\t1 g (/a)\n insn: 89 55 fc\n",
		  "a|cycles|10|leaf </a>\nb|cycles|5|g </a>\n" },
		{ "a 1/1 1.5: 10 cycles:    1140 leaf+0x17 (/a) ilen: 2 insn: 01 c2\nb 1/1 1.6: 5 cycles:    1140 g (/a)\n  a.c:2 insn: 01\n",
		  "a|cycles|10|leaf </a>\nb|cycles|5|g </a>\n" },
		{ "a 1/1 1.5: 10 faults:    564f0e802010 data+0x0 (/a)\n\tff80 elf_load+0x28a ([kernel.kallsyms])\n\t1 main (/a)\n\n"
		  "a 1/1 1.6: 5 faults:                0 \n\t1 main (/a)\n\n",
		  "a|faults|10|main </a>; elf_load <[kernel.kallsyms]>\na|faults|5|main </a>\n" },
		{ "a 1/1 1.5: 9007199254740991 cycles: \n\t1 f (/a)\n\n", "a|cycles|9007199254740991|f </a>\n" },
		/* a custom event name; a tracepoint whose text ends like a header */
		{ "a 1/1 1.5: 10 my own event:u: \n\t1 f (/a)\n\na 1/1 1.5: 10 my event: 1 f (/a)\n",
		  "a|my own event:u|10|f </a>\na|my event|10|f </a>\n" },
		{ "a 1/1 [001] 1.5: probe:f: (401136) name=x: y:\n\t1 f (/a)\n\n", "a|probe:f|1|f </a>\n" },
		{ "a 1/1 [001] 1.5: 1 sched:sched_switch: prev_comm=a ==> next_comm=b next_prio=120 ffffffff81000001 schedule ([kernel.kallsyms])\n",
		  "a|sched:sched_switch|1|schedule <[kernel.kallsyms]>\n" },
		{ "a 1/1 [001] 1.5: 1 kmem:kfree: ptr=(nil)      ffffffff81000001 kfree ([kernel.kallsyms])\n",
		  "a|kmem:kfree|1|kfree <[kernel.kallsyms]>\n" },
		/* offsets in files do not split a function */
		{ HEAD "\t1 f (/a+0x1)\n\n" HEAD "\t2 f (/a+0x2)\n\n", "a|cycles|20|f </a>\n" },
		/* Java's inlined functions, and similar names */
		{ HEAD "\t1 La/B;::f->La/C;::g (/tmp/perf-9.map)\n\t1 La/B;::h (/tmp/perf-9.map)\n\t1 operator-> (/a)\n\n",
		  "a|cycles|10|operator-> </a>; a/B::h </tmp/perf-9.map>; a/B::f </tmp/perf-9.map>; a/C::g </tmp/perf-9.map>\n" },
		/* messages of perf on standard error, anywhere in the text */
		{ "Failed to open /tmp/perf-1.map, continuing without symbols\n" HEAD "\t1 f (/a)\n"
		  "Failed to open /tmp/perf-2.map, continuing without symbols\n\t2 g (/a)\n\n"
		  " instruction trace error type 1 cpu 0 pid 1 tid 1 ip 0 code 5: Failed to get instruction\n" HEAD "\t1 f (/a)\n\n",
		  "a|cycles|10|g </a>; f </a>\na|cycles|10|f </a>\n" },
		{ "\xef\xbb\xbf" HEAD "\t1 f (/a)\n\n", "a|cycles|10|f </a>\n" },
		{ HEAD "\t1 f (/a)\n", "a|cycles|10|f </a>\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;
		struct error err = ERROR_INIT;

		if (read_text(cases[i].text, &stacks, &err))
			fail_msg("%s\n%s", cases[i].text, err.msg);
		write_down(&stacks, &found);
		assert_string_equal(found.buf, cases[i].expected);
	}
}

TEST(lost_samples_are_counted_once)
{
	static const struct { const char *text; uint64_t lost; } cases[] = {
		{ "sh 1/1 2.686011: PERF_RECORD_LOST lost 19\nsh 1/1 2.7: PERF_RECORD_LOST lost 1\n", 20 },
		{ "sh 1/1 2.5: PERF_RECORD_LOST_SAMPLES lost 7\n", 7 },
		{ "sh 1/1 2.5: PERF_RECORD_LOST lost 5\nsh 1/1 2.5: PERF_RECORD_LOST_SAMPLES lost 7\n", 7 },
		{ HEAD "\t1 f (/a)\n\nsh 1/1 2.5: PERF_RECORD_LOST lost 5\n" HEAD "\t1 f (/a)\n\n", 5 },
		{ "perf-exec     0/0         0.000000: PERF_RECORD_COMM: perf-exec:29225/29225\n"
		  "sh 29225/29225 23233.103997: PERF_RECORD_FORK(29227:29227):(29225:29225)\n"
		  "block 24301  1961.052141: PERF_RECORD_SWITCH OUT        \n", 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;

		stacks.lost = 100;
		assert_int_equal(read_text(cases[i].text, &stacks, NULL), 0);
		assert_int_equal(stacks.lost, 100 + cases[i].lost);
	}
}

TEST(what_may_be_missing_is_noted)
{
	CLEANUP(stacks_release) struct stacks cut = STACKS_INIT, whole = STACKS_INIT, merged = STACKS_INIT;

	assert_int_equal(read_text(" instruction trace error type 1 cpu 0\nFailed to open x\n" HEAD "\t1 f (/a)\n", &cut, NULL), 0);
	assert_true(cut.cut);
	assert_int_equal(cut.messages, 2);
	assert_string_equal(stacks_text(&cut, cut.message), "instruction trace error type 1 cpu 0");
	assert_int_equal(read_text(HEAD "\t1 f (/a)\n\na 1/1 1.5: 10 cycles: 1 f (/a)\n", &whole, NULL), 0);
	assert_false(whole.cut);
	assert_int_equal(whole.messages, 0);
	stacks_merge(&merged, &cut, STACKS_EVERY_EVENT, NULL);
	assert_true(merged.cut);
	assert_string_equal(stacks_text(&merged, merged.message), "instruction trace error type 1 cpu 0");
}

/* Addresses take precedence over names: a program may use the name of a kernel file. */
TEST(addresses_tell_the_kernel)
{
	static const struct {
		const char *text, *kernel;	/* the names of the kernel functions */
	} cases[] = {
		{ HEAD "\t    7f0000001020 a ([JIT app cache])\n\t    7f0000001030 b ([sigpage])\n\t401200 c (/opt/vmlinux-tools/vmlinux-x)\n\n", "" },
		{ HEAD "\t    7f0000001020 a ([new thing])\n\tffffffffc0001000 b ([ext4])\n\tffffffff81001000 c (/proc/kcore)\n\n", "bc" },
		{ HEAD "\tffffffffff600000 a ([vsyscall])\n\tffffffff81001000 b ([unknown])\n\t401000 c (/lib/x.ko.d/y)\n\n", "" },
		/* 32 bits, and s390: kernel addresses are as low as others */
		{ HEAD "\tc0101000 a ([kernel.kallsyms])\n\tbf001000 b ([ext4])\n\t8000 c (/a)\n\n", "ab" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

		assert_int_equal(read_text(cases[i].text, &stacks, NULL), 0);
		names_resolve(&stacks);
		for (size_t k = 0; k < stacks.n_frames; k++)
			if (stacks.frames[k].kernel && strcmp(stacks_text(&stacks, stacks.frames[k].name), "[unknown]") != 0)
				strbuf_adds(&found, stacks_text(&stacks, stacks.frames[k].name));
		assert_string_equal(found.buf, cases[i].kernel);
	}
}

TEST(several_texts_add_up)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

	assert_int_equal(read_text(HEAD "\t1 f (/a)\n\n", &stacks, NULL), 0);
	assert_int_equal(read_text("b 1/1 1.0: 5 faults: 1 g (/a)\n" HEAD "\t1 f (/a)\n\n", &stacks, NULL), 0);
	write_down(&stacks, &found);
	assert_string_equal(found.buf, "a|cycles|20|f </a>\nb|faults|5|g </a>\n");
}

/* -------- other text */

TEST(other_text_is_refused_with_its_line)
{
	static const struct {
		const char *text;
		size_t len;	/* 0: up to its NUL */
		const char *words[3];
	} cases[] = {
		/* profile_kind_of() detects the kind of a file before it is read */
		{ "PERFILE2h\0\0\0", 12, { "line 1:", "a NUL byte" } },
		{ "\x1f\x8b\x08zzz\n", 0, { "line 1:", "found '" } },
		{ HEAD "\t1 f (/a)\n\nPERF\0\n", 40, { "line 4:", "a NUL byte" } },
		{ "main;f;g 10\n", 0, { "line 1:", "found 'main;f;g 10'", "perf script -F comm,pid,tid,time,period" } },
		/* a field that was not requested from perf script */
		{ "\t1 f (/a)\n", 0, { "line 1: the sample has no comm, time and event", "perf script -F comm,pid,tid,time,period" } },
		{ "a \n\t1 f\n\n", 0, { "line 1: the sample has no comm, time and event" } },
		{ "a 1/1 1.5: \n\t1 f (/a)\n\n", 0, { "line 1: the sample has no event" } },
		{ "a 1/1 cycles: \n\t1 f (/a)\n\n", 0, { "line 1: the sample has no time" } },
		{ "a 10 cycles:u: \n\t1 f (/a)\n\n", 0, { "line 1: the sample has no time" } },
		{ "  a 1/1 1.5: 10 cycles: \n  a 1/1 1.5: 10 cycles: \n", 0, { "line 1: the sample has no ip" } },
		{ HEAD "\t            1000\n\t1 \n\n", 0, { "line 2: the sample has no sym" } },
		{ "a 1/1 1.5: 9007199254740991 cycles: \n\t1 f (/a)\n\na 1/1 1.5: 1 cycles: \n\t1 f (/a)\n\n", 0,
		  { "event cycles add up to 9.01e+15", "up to 2^53" } },
		{ "a 1/1 1.5: 18446744073709551616 cycles: \n", 0, { "line 1:" } },
		{ "a 1/1 1: 10 cycles: \n", 0, { "line 1:" } },
		{ "a 1/1 1.5: 10 7: \n", 0, { "line 1:" } },
		{ "a 1/1 1.5: 10 cycles\n", 0, { "line 1:" } },
		{ "#\n\x1b[31mred\n", 0, { "line 2:", "\\x1b[31mred" } },
		{ HEAD "\t1 f (/a)\nnonsense\n", 0, { "line 3:", "found 'nonsense'" } },
		{ "garbage\nmore of it\n", 0, { "line 1:", "found 'garbage'" } },
		{ "#\ngarbage and\ncommand 1/1 1.5: 10 cycles: \n", 0, { "line 2:", "found 'garbage and'" } },
		{ "garbage\n\n", 0, { "line 1:", "found 'garbage'" } },
		/* cut off */
		{ HEAD, 0, { "line 1:", "cut off within the sample that line 1 begins" } },
		{ HEAD "\t1 f\n", 0, { "line 2:", "that line 1 begins" } },
		/* optional output of perf without columns: the owner of the symbol is ambiguous */
		{ "a 1/1 1.5: 10 faults: 55021c0 table (/a) 401136 fill (/a)\n", 0, { "line 1: it holds more addresses", "perf script -F comm" } },
		{ "a 1/1 1.5: 10 faults: 7f000043db8e 401136 fill (/a)\n", 0, { "line 1: it holds more addresses" } },
		{ "a 1/1 1.5: 10 cycles:            401136 work ABI:2    AX:0x1\n", 0, { "line 1: it holds more addresses" } },
		/* a lone address is not the instruction's: -F ip is missing */
		{ "a 1/1 1.5: 10 faults:     5500000021c0 table (/a)\n", 0, { "line 1: the sample has no ip" } },
		{ "a 1/1 1.5: 10 faults:               32\na 1/1 1.6: 10 faults:               32\n", 0, { "line 1: the sample has no ip" } },
		{ "java 19 cycles: \n            7f0000001010 work (/opt/x.so)\n\n", 0, { "line 1: the sample has no time" } },
		{ HEAD "\t1 f (/a)\n\n" HEAD "\t1 f (/", 0, { "line 5:", "within this line" } },
		{ "a 1/1 1.5: 10 cy", 0, { "line 1:", "within this line" } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (size_t piece = 1; piece < 50; piece += 24) {
			CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
			struct error err = ERROR_INIT;
			size_t len = cases[i].len ?: strlen(cases[i].text);

			if (read_pieces(cases[i].text, len, piece, &stacks, &err) != -1)
				fail_msg("taken: %s", cases[i].text);
			assert_int_equal(err.kind, ERR_INPUT);
			for (size_t k = 0; k < 3 && cases[i].words[k]; k++)
				if (!strstr(err.msg, cases[i].words[k]))
					fail_msg("no '%s' in: %s", cases[i].words[k], err.msg);
		}
}

TEST(lines_have_an_end)
{
	static const size_t pieces[] = { 1000, SCRIPT_LINE_LARGEST * 2 };

	for (size_t extra = 0; extra < 2; extra++)
		for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
			CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
			CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
			struct error err = ERROR_INIT;

			strbuf_adds(&text, HEAD "\t1 ");
			strbuf_pad(&text, 'f', SCRIPT_LINE_LARGEST - 3 + extra);
			strbuf_adds(&text, "\n\n");
			assert_int_equal(read_pieces(text.buf, text.len, pieces[i], &stacks, &err), extra ? -1 : 0);
			if (extra)
				assert_non_null(strstr(err.msg, "line 2: longer than 1048576 bytes"));
		}
}

/* Feeds N different samples with names of WIDTH bytes. */
static int feed_distinct(struct script *script, size_t n, size_t width, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < n; i++) {
		strbuf_reset(&text);
		strbuf_addf(&text, HEAD "\t%16zx s%zu", i, i);
		strbuf_pad(&text, 'x', width);
		strbuf_adds(&text, " (/a)\n\n");
		if (script_feed(script, text.buf, text.len, err))
			return -1;
	}
	return script_end(script, err);
}

TEST(stacks_that_all_differ_have_a_limit)
{
	static const struct { size_t n, width; int status; } cases[] = { { 100000, 10, 0 }, { 10000000, 100000, -1 } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		struct script *script = script_new(&stacks);
		struct error err = ERROR_INIT;

		assert_int_equal(feed_distinct(script, cases[i].n, cases[i].width, &err), cases[i].status);
		assert_int_equal(err.kind, cases[i].status ? ERR_INPUT : ERR_NONE);
		if (cases[i].status) {
			assert_non_null(strstr(err.msg, "different stacks and their names need more than the 512 MiB"));
			assert_non_null(strstr(err.msg, "a lower frequency"));
		}
		script_free(script);
	}
}

TEST(instructions_without_end_take_no_stack)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	strbuf_adds(&text, "a 1/1 1.5: 10 cycles: 1140 leaf (/a)");
	while (text.len < SCRIPT_LINE_LARGEST - 10)
		strbuf_adds(&text, " insn:");
	strbuf_addc(&text, '\n');
	assert_int_equal(read_text(text.buf, &stacks, &err), 0);
	assert_int_equal(stacks.n, 1);
}

TEST(events_have_a_limit)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	for (int i = 0; i < 300; i++)
		strbuf_addf(&text, "a 1/1 1.5: 10 e%d: 1 f (/a)\n", i);
	assert_int_equal(read_text(text.buf, &stacks, &err), -1);
	assert_non_null(strstr(err.msg, "line 257:"));
}

/* -------- kind */

#define BYTES(text) text, sizeof(text) - 1

TEST(test_kind)
{
	static const struct { const char *data; size_t len; enum profile_kind want; } rows[] = {
		{ BYTES(""), PROFILE_KIND_EMPTY },
		{ BYTES("\n  \r\n# captured on: x\n#\n"), PROFILE_KIND_EMPTY },
		{ BYTES("main;work 12\n"), PROFILE_KIND_FOLDED },
		{ BYTES("#sh;work 12\n"), PROFILE_KIND_FOLDED },
		{ BYTES("nonsense\n"), PROFILE_KIND_FOLDED },
		{ BYTES("at 10:30: it was 12 degrees"), PROFILE_KIND_FOLDED },
		{ BYTES("sh 24707/24707  1035.840984:     100010 cpu-clock: \n\tff main (/bin/a)\n"), PROFILE_KIND_SCRIPT },
		{ BYTES("# ========\n# header\n\n lead 1/1 [000] 5.000001: 1 cycles:u: \n"), PROFILE_KIND_SCRIPT },
		{ BYTES("a;b 1 2:c 7/7  8.1:  1 cpu_core/cycles/: \n"), PROFILE_KIND_SCRIPT },
		{ BYTES("swapper     0     0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ 0xf]: x [kernel.kallsyms]\n"),
		  PROFILE_KIND_SCRIPT },
		{ BYTES("a 27884   703.293774: cpu-clock: \n\t1140 leaf (/a)\n"), PROFILE_KIND_SCRIPT },
		/* Text without a field is still recognised as perf script. */
		{ BYTES("a 27884 cpu-clock: \n\t            1140 leaf (/a)\n"), PROFILE_KIND_SCRIPT },
		{ BYTES("\n\t            1140 leaf (/a)\n"), PROFILE_KIND_SCRIPT },
		{ BYTES("a\nb 1/1 1.5: 10 cycles: \n"), PROFILE_KIND_SCRIPT },
		{ BYTES("main;work 12\nb 1/1 1.5: 10 cycles: \n"), PROFILE_KIND_FOLDED },
		{ BYTES("PERFILE2h\0\0\0"), PROFILE_KIND_PERF_DATA },
		{ BYTES("2ELIFREP\0"), PROFILE_KIND_PERF_DATA },
		{ BYTES("\x1f\x8b\x08\0"), PROFILE_KIND_PACKED },
		{ BYTES("\xfd" "7zXZ\0\0"), PROFILE_KIND_PACKED },
		{ BYTES("\x28\xb5\x2f\xfd" "x"), PROFILE_KIND_PACKED },
		{ BYTES("BZh91AY"), PROFILE_KIND_PACKED },
		{ BYTES("<?xml version=\"1.0\"?>\n<svg>"), PROFILE_KIND_MARKUP },
		{ BYTES("{\"schema\": 1}"), PROFILE_KIND_MARKUP },
		/* blanks for tabs */
		{ BYTES("java 19 cycles: \n            7f0000001010 work (/opt/x.so)\n\n"), PROFILE_KIND_SCRIPT },
		{ BYTES("Failed to open /tmp/perf-1.map\na 27884   703.293774: cpu-clock: \n\t1140 leaf (/a)\n"), PROFILE_KIND_SCRIPT },
		{ BYTES("desc: I1 cache: 32768 B\ncmd: ./a\nevents: Ir\nfl=a.c\n"), PROFILE_KIND_CACHEGRIND },
		{ BYTES("cmd: ./a\nevents: Ir\nfl=a.c\n"), PROFILE_KIND_CACHEGRIND },
		{ BYTES("# callgrind format\nversion: 1\n"), PROFILE_KIND_CALLGRIND },
		{ BYTES("version: 1\ncreator: callgrind-3.19.0\n"), PROFILE_KIND_CALLGRIND },
		{ BYTES("desc: (none)\r\ncmd: a\r\ntime_unit: i\r\n"), PROFILE_KIND_MASSIF },
		{ BYTES("{\n  \"dhatFileVersion\": 2}"), PROFILE_KIND_DHAT },
		{ BYTES("\xef\xbb\xbf{}"), PROFILE_KIND_MARKUP },
		{ BYTES("\177ELF\2\1\1\0\0"), PROFILE_KIND_BINARY },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (profile_kind_of(rows[i].data, rows[i].len) != rows[i].want)
			fail_msg("row %zu: %d, expected %d", i, profile_kind_of(rows[i].data, rows[i].len), rows[i].want);
}

TEST(test_packer)
{
	assert_string_equal(profile_kind_packer(BYTES("\x1f\x8b")), "gzip");
	assert_string_equal(profile_kind_packer(BYTES("\xfd" "7zXZ\0")), "xz");
	assert_null(profile_kind_packer(BYTES("\x1f")));
	assert_null(profile_kind_packer(BYTES("main 1")));
}

/*
 * -------- Every optional field (-F +FIELD) of perf script 5.10 to 6.12, inserted into the text of recordings where
 * builtin-script.c prints it. The stacks stay the same. fields-6.1.txt is the output of perf 6.1 for one recording.
 */

enum place {
	AS_IT_IS,
	BEFORE_COMM,
	BEFORE_TIME,
	BEHIND_EVENT,
	IN_SYMBOL,
	IN_FILE,
	BELOW_FRAME,
	BEHIND_STACK,	/* on the frame's line, or on a line of its own in place of the empty one */
	BELOW_SAMPLE,
};

static const struct field {
	const char *name;
	enum place place;
	const char *text;
} fields[] = {
	{ "none", AS_IT_IS, "" },
	{ "machine_pid and vcpu", BEFORE_COMM, "VM: 1234 VCPU:003 " },
	{ "machine_pid", BEFORE_COMM, "VM:12345 " },
	{ "cpu", BEFORE_TIME, "[003] " }, { "misc", BEFORE_TIME, "U     " },
	{ "tod", BEFORE_TIME, "2026-11-28 16:47:16.995871 " },
	{ "addr", BEHIND_EVENT, "    7f80968159b0" },
	{ "addr of 0", BEHIND_EVENT, "               0" },
	{ "addr with its symbol", BEHIND_EVENT, "    5500000021c0 table (/opt/app)" },
	{ "addr of the kernel", BEHIND_EVENT, "ffffffff81234567 init_task ([kernel.kallsyms])" },
	{ "addr of an unknown place", BEHIND_EVENT, "    7f8094767000 [unknown] (//anon)" },
	{ "data_src", BEHIND_EVENT, "      8600000842 |OP LOAD|LVL L3 or L3 hit|SNP N/A|TLB Walker hit|LCK No|BLK  N/A" },
	{ "weight", BEHIND_EVENT, "              32" },
	{ "weight, ins_lat and retire_lat", BEHIND_EVENT, "              32              17               4" },
	{ "cgroup", BEHIND_EVENT, " /user.slice/a b (c)" },
	{ "addr, data_src, weight and cgroup", BEHIND_EVENT,
	  "    5500000021c0 table (/opt/app)       8600000842 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A"
	  "              32 /system.slice" },
	{ "flags", BEHIND_EVENT, "  call                " },
	{ "flags of nothing", BEHIND_EVENT, "                        " },
	{ "symoff", IN_SYMBOL, "+0x1f" }, { "dsoff", IN_FILE, "+0x2a10f" }, { "srcline", BELOW_FRAME, "  a.c:12" },
	{ "srcline without debug information", BELOW_FRAME, "  libc.so.6[27249]" },
	{ "iregs", BEHIND_STACK, " ABI:2    AX:0x88880f536f0b1    BX:0x2 " },
	{ "uregs and phys_addr", BEHIND_STACK, " ABI:2    SP:0x7fffe5cae3e8    IP:0x5625b27e3153           12ab567" },
	{ "brstack", BEHIND_STACK, " 0x4005c1/0x4005b0/P/-/-/1  0x4005d1/0x4005c0/M/-/-/12 " },
	{ "brstack of 6.12", BEHIND_STACK, " 0x4005c1/0x4005b0/P/-/-/1/COND/-  0x4005d1/0x4005c0/M/-/-/12/UNCOND/- " },
	{ "brstack with files", BEHIND_STACK, " 0x4005c1(/opt/app)/0x4005b0(/opt/app)/P/-/-/1 " },
	{ "brstacksym", BEHIND_STACK, " main+0x15/work(int, char)+0x0/P/-/-/1  [unknown]/add+0x1/M/-/-/12 " },
	{ "insn", BEHIND_STACK, " insn: 48 89 05 c6 2e 00 00" },
	{ "insnlen and insn", BEHIND_STACK, " ilen: 2 insn: 89 d0" },
	{ "phys_addr", BEHIND_STACK, "        12ab5678" },
	{ "phys_addr of 0", BEHIND_STACK, "               0" },
	{ "phys_addr and page sizes", BEHIND_STACK, "        12ab5678 4K 2M" },
	{ "data_page_size", BEHIND_STACK, " N/A" },
	{ "code_page_size", BEHIND_STACK, " 4K" },
	{ "both page sizes", BEHIND_STACK, " 64K 1G" },
	{ "ipc", BEHIND_STACK, " \t IPC: 1.20 (12/10) " },
	{ "srccode", BELOW_SAMPLE, "|12       x += y; // 3 1.5: z:" },
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

struct sample {
	const char *header;	/* "comm 1/1  1035.840984:     100010 cpu-clock:" */
	size_t header_len;
	const char *frames[512];	/* after the tab */
	size_t lens[512], n;
};

static bool next_sample(const char **at, struct sample *out)
{
	const char *line = *at, *end = strchr(line, '\n');

	while (end == line) {
		line++;
		end = strchr(line, '\n');
	}
	if (!end)
		return false;
	out->header = line;
	out->header_len = (size_t)(end - line) - (end > line && end[-1] == ' ');
	out->n = 0;
	for (line = end + 1; *line == '\t' && (end = strchr(line, '\n')); line = end + 1)
		if (out->n < 512) {
			out->frames[out->n] = line + 1;
			out->lens[out->n++] = (size_t)(end - line) - 1;
		}
	*at = line;
	return *line == '\n';
}

/* "  401136 main (/opt/app)" */
static void add_frame(const char *frame, size_t len, const struct field *field, struct strbuf *out)
{
	const char *file = memrchr(frame, '(', len);
	size_t name;

	while (file > frame && file[-1] != ' ')
		file = memrchr(frame, '(', (size_t)(file - frame));
	name = (size_t)(file - frame) - 1;
	/* Difficult frames have no columns. */
	strbuf_pad(out, ' ', strcspn(frame, " ") > 16 || frame[0] == ' ' ? 0 : 16 - strcspn(frame, " "));
	strbuf_add(out, frame, name);
	strbuf_adds(out, field->place == IN_SYMBOL && !memmem(frame, len, "+0x", 3) ? field->text : "");
	strbuf_add(out, frame + name, len - name - 1);
	strbuf_adds(out, field->place == IN_FILE ? field->text : "");
	strbuf_addc(out, ')');
}

static void add_header(const struct sample *sample, bool chain, const struct field *field, struct strbuf *out)
{
	const char *time = sample->header + sample->header_len;

	/* "TIME:     PERIOD EVENT:" */
	for (int words = 0; words < 3; words++) {
		while (time[-1] == ' ')
			time--;
		while (time[-1] != ' ')
			time--;
	}
	strbuf_adds(out, field->place == BEFORE_COMM ? field->text : "");
	strbuf_adds(out, chain ? "" : "       ");
	strbuf_add(out, sample->header, (size_t)(time - sample->header));
	strbuf_adds(out, field->place == BEFORE_TIME ? field->text : "");
	strbuf_addf(out, "%.*s ", (int)(sample->header + sample->header_len - time), time);
	strbuf_adds(out, field->place == BEHIND_EVENT ? field->text : "");
}

static void add_sample(const struct sample *sample, bool chain, const struct field *field, struct strbuf *out)
{
	add_header(sample, chain, field, out);
	strbuf_addc(out, chain ? '\n' : ' ');
	for (size_t i = 0; i < (chain ? sample->n : 1); i++) {
		strbuf_adds(out, chain ? "\t" : "");
		add_frame(sample->frames[i], sample->lens[i], field, out);
		if (field->place == BELOW_FRAME)
			strbuf_addf(out, "\n%s", field->text);
		strbuf_adds(out, chain ? "\n" : "");
	}
	strbuf_addf(out, "%s\n", field->place == BEHIND_STACK ? field->text : "");
	if (field->place == BELOW_SAMPLE)
		strbuf_addf(out, "%s\n", field->text);
}

static void read_down(const char *text, size_t len, const char *what, struct strbuf *out)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	struct error err = ERROR_INIT;

	if (read_pieces(text, len, 4096, &stacks, &err))
		fail_msg("%s: %s\n%.2000s", what, err.msg, text);
	if (stacks.cut || stacks.messages)
		fail_msg("%s: taken for cut off", what);
	write_down(&stacks, out);
}

static void check_fields(const char *name, const char *text, bool chain)
{
	CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;
	size_t samples = 0;

	for (size_t i = 0; i < FIELDS; i++) {
		CLEANUP(strbuf_release) struct strbuf made = STRBUF_INIT, found = STRBUF_INIT;
		CLEANUP(free_ptr) char *what = text_printf("%s with %s", name, fields[i].name);
		static struct sample sample;
		const char *at = text;

		for (; next_sample(&at, &sample); samples++)
			if (sample.n)
				add_sample(&sample, chain, &fields[i], &made);
		read_down(made.buf, made.len, what, i ? &found : &expected);
		if (i && strcmp(found.buf, expected.buf) != 0)
			fail_msg("%s, %s:\n%.1500s\ninstead of\n%.1500s\nfrom\n%.1500s", what, chain ? "chains" : "one line", found.buf,
				 expected.buf, made.buf);
	}
	assert_true(samples >= 2 * FIELDS);
}

TEST(each_field_leaves_the_stacks)
{
	static const char *const recordings[] = {
		"perf-traps/comm-.txt", "perf-traps/comm-206c656164.txt", "perf-traps/comm-2368617368.txt", "perf-traps/comm-37.txt",
		"perf-traps/comm-6120622031322063.txt", "perf-traps/comm-783b79.txt",
		"perf-script/cpp-dwarf-3k.txt.xz", "perf-script/cpp-fp-5k.txt.xz", "perf-script/git-dwarf-1k.txt.xz",
		"perf-script/node-fp-4k.txt.xz", "perf-script/py312perf-fp-41k.txt.xz", "perf-script/python-fp-3k.txt.xz",
		"perf-script/sqlite-fp-5k.txt.xz",
	};

	for (size_t i = 0; i < sizeof recordings / sizeof recordings[0]; i++)
		for (int chain = 0; chain < 2; chain++) {
			CLEANUP(free_ptr) char *path = text_printf("tests/fixtures/%s", recordings[i]);
			CLEANUP(strbuf_release) struct strbuf text = read_file(path);

			strbuf_truncate(&text, text.len < 60000 ? text.len : 60000);
			check_fields(recordings[i], text.buf, chain);
		}
}

/* "==== chain addr", then the text with that field. */
TEST(perf_writes_them_so)
{
	CLEANUP(strbuf_release) struct strbuf text = read_file("tests/fixtures/profiles/fields-6.1.txt.xz"), expected = STRBUF_INIT;
	int sections = 0;

	for (char *at = text.buf, *end; at && *at; at = end, sections++) {
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;
		char *line = strchr(at, '\n');

		assert_non_null(line);
		*line++ = '\0';
		end = strstr(line, "==== ");
		read_down(line, end ? (size_t)(end - line) : strlen(line), at, &found);
		if (text_ends(at, strlen(at), " none")) {
			strbuf_reset(&expected);
			strbuf_add(&expected, found.buf, found.len);
		}
		assert_true(found.len > 0);
		if (strcmp(found.buf, expected.buf) != 0)
			fail_msg("%s: %s instead of %s", at, found.buf, expected.buf);
	}
	assert_true(sections > 40);
}
