#include "unit.h"

#include "profile/script.h"
#include "profile/stacks.h"
#include "read_file.h"

/*
 * Every optional field (-F +FIELD) of perf script 5.10 to 6.12, inserted into the text of recordings where
 * builtin-script.c prints it. The stacks stay the same. fields-6.1.txt is the output of perf 6.1 for one recording.
 */

/* -------- the fields */

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

/* -------- writing samples with them */

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

/* -------- reading them */

static void write_down(const struct stacks *stacks, struct strbuf *out)
{
	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *s = &stacks->items[i];

		strbuf_addf(out, "%s|%s|%.0f", stacks_text(stacks, s->comm), stacks_text(stacks, stacks->events[s->event].name), s->weight);
		for (uint32_t k = 0; k < s->n; k++) {
			const struct frame *f = &stacks->frames[stacks->pool[s->first + k]];

			strbuf_addf(out, "; %s <%s>", stacks_text(stacks, f->name), stacks_text(stacks, f->dso));
		}
		strbuf_addc(out, '\n');
	}
}

static void read_down(const char *text, size_t len, const char *what, struct strbuf *out)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	struct script *script = script_new(&stacks);
	struct error err = ERROR_INIT;

	if (script_feed(script, text, len, &err) < 0 || script_end(script, &err) < 0)
		fail_msg("%s: %s\n%.2000s", what, err.msg, text);
	script_free(script);
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
