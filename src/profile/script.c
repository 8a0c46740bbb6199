#include "profile/script.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "profile/names.h"

/* -------- text: spans point into the line, which is neither copied nor changed */

struct span {
	const char *text;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_hex(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static struct span trim_right(struct span s)
{
	while (s.len && is_blank(s.text[s.len - 1]))
		s.len--;
	return s;
}

static struct span trim_left(struct span s)
{
	while (s.len && is_blank(*s.text)) {
		s.text++;
		s.len--;
	}
	return s;
}

static bool starts(struct span s, const char *with)
{
	return text_starts_within(s.text, s.len, with);
}

/* -------- the header of a sample */

/*
 * The kernel keeps 15 bytes of a command's name. perf pads it to 16 columns if a sample is one line. A complete
 * header within these columns is part of a name.
 */
enum { COMM_COLUMNS = 16 };

struct script_header {
	struct span comm, event;
	uint64_t period;	/* 1 if the text has none */
	struct span tail;	/* everything after the event's colon */
	struct span who, time;	/* "COMM PID/TID [CPU] [MODE]", "1035.840984:" */
};

/* Removes the last word from REST and returns it; empty if REST has no word. */
static struct span last_word(struct span *rest)
{
	struct span whole = trim_right(*rest), word = { whole.len ? whole.text + whole.len : whole.text, 0 };

	while (word.len < whole.len && !is_blank(word.text[-1])) {
		word.text--;
		word.len++;
	}
	*rest = (struct span){ whole.text, whole.len - word.len };
	return word;
}

static size_t count(struct span s, size_t from, bool (*is_one)(char))
{
	size_t n = 0;

	while (from + n < s.len && is_one(s.text[from + n]))
		n++;
	return n;
}

static size_t digits(struct span s, size_t from)
{
	return count(s, from, text_is_digit);
}

static bool is_instruction_mark(struct span word)
{
	return word.len == 5 && (!memcmp(word.text, "insn:", 5) || !memcmp(word.text, "ilen:", 5));
}

/* "1035.840984:" */
static bool is_time(struct span word)
{
	size_t whole = digits(word, 0), rest;

	if (!whole || whole == word.len || word.text[whole] != '.')
		return false;
	rest = digits(word, whole + 1);
	return rest && whole + rest + 2 == word.len && word.text[word.len - 1] == ':';
}

static bool is_cpu(struct span word)
{
	return word.len > 2 && word.text[0] == '[' && word.text[word.len - 1] == ']' &&
	       digits(word, 1) == word.len - 2;
}

/* True for a mode as -F misc writes it: kernel, user, hypervisor, guest. */
static bool is_mode(struct span word)
{
	return word.len == 1 && memchr("KUHGg", *word.text, 5);
}

/* "24707", "24707/24708", "-1" */
static bool is_pid(struct span word)
{
	size_t at = 0, n;

	for (;;) {
		at += at < word.len && word.text[at] == '-';
		n = digits(word, at);
		at += n;
		if (!n || at == word.len || word.text[at] != '/')
			return n && at == word.len;
		at++;
	}
}

static bool take_period(struct span word, uint64_t *out)
{
	uint64_t value = 0;

	if (!word.len || digits(word, 0) != word.len)
		return false;
	for (size_t i = 0; i < word.len; i++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(word.text[i] - '0'), &value))
			return false;
	*out = value;
	return true;
}

/* Removes "VM: 1234 VCPU:000 " from the beginning, which -F machine_pid and vcpu write for a guest. */
static struct span without_guest(struct span rest)
{
	static const char *const marks[] = { "VM:", "VCPU:" };

	for (size_t i = 0; i < 2; i++) {
		size_t at = strlen(marks[i]), n;

		if (!starts(rest, marks[i]))
			continue;
		at += count(rest, at, is_blank);
		n = digits(rest, at);
		if (n && at + n < rest.len && is_blank(rest.text[at + n]))
			rest = (struct span){ rest.text + at + n + 1, rest.len - at - n - 1 };
	}
	return rest;
}

/* Removes "2026-11-28 16:30:01.123456" from the end, which -F tod writes. */
static struct span without_date(struct span rest)
{
	struct span before = rest, moment = last_word(&before), date = last_word(&before);

	if (moment.len > 9 && moment.text[2] == ':' && moment.text[5] == ':' && moment.text[8] == '.' && date.len == 10 &&
	    date.text[4] == '-' && date.text[7] == '-')
		return before;
	return rest;
}

/* Returns COMM from the text before the time: "[VM: N] [VCPU:N] COMM PID/TID [CPU] [MODE] [DATE]". */
static struct span comm_of(struct span rest)
{
	struct span before, word;

	rest = before = without_date(without_guest(rest));
	word = last_word(&before);
	if (is_mode(word)) {
		struct span behind = before, number = last_word(&behind);

		/* A thread may be called "worker U". */
		if (is_cpu(number) || is_pid(number)) {
			rest = before;
			before = behind;
			word = number;
		}
	}
	if (is_cpu(word)) {
		rest = before;
		word = last_word(&before);
	}
	if (is_pid(word))
		rest = before;
	return trim_right(rest);
}

/* Removes what -F insnlen and insn write after a sample: " ilen: 2 insn: 01 c2". */
static struct span without_instruction(struct span text)
{
	for (;;) {
		struct span rest = text, word = last_word(&rest);

		while (word.len && word.len <= 3 && count(word, 0, is_hex) == word.len)
			word = last_word(&rest);
		if (!is_instruction_mark(word))
			return text;
		text = rest;
	}
}

/*
 * Parses LINE up to the colon after the event. An event's name never begins with a digit, so it differs from a time.
 * It may hold blanks, as a name set by hand does.
 */
static bool header_from_right(struct span line, struct script_header *out)
{
	struct span rest = line, word = last_word(&rest), event = { line.text, line.len - 1 };
	uint64_t period = 1;
	size_t n;

	if (word.len < 2 || word.text[word.len - 1] != ':')
		return false;
	do
		word = last_word(&rest);
	while (word.len && word.text[word.len - 1] != ':');
	if (!is_time(word))
		return false;
	event = trim_left((struct span){ word.text + word.len, (size_t)(event.text + event.len - word.text) - word.len });
	n = digits(event, 0);
	if (n && n < event.len && is_blank(event.text[n]) && take_period((struct span){ event.text, n }, &period))
		event = trim_left((struct span){ event.text + n, event.len - n });
	if (!event.len || text_is_digit(*event.text) || starts(event, "PERF_RECORD_"))
		return false;
	*out = (struct script_header){ .comm = comm_of(rest), .event = event, .period = period, .who = rest, .time = word };
	return true;
}

/* The first colon after FROM that ends a word. */
static const char *word_colon(struct span line, size_t from)
{
	const char *end = line.text + line.len, *at = line.text + from;

	while (at < end && (at = memchr(at, ':', (size_t)(end - at)))) {
		if (at + 1 == end || is_blank(at[1]))
			return at;
		at++;
	}
	return NULL;
}

static bool looks_like_frame(struct span text)
{
	size_t n = count(text, 0, is_hex);

	return n && n <= 16 && (n == text.len || is_blank(text.text[n]));
}

static bool header_with_tail(struct span line, size_t from, struct script_header *out)
{
	for (const char *at; (at = word_colon(line, from)); from = (size_t)(at - line.text) + 1) {
		if (!header_from_right((struct span){ line.text, (size_t)(at - line.text) + 1 }, out))
			continue;
		out->tail = (struct span){ at + 1, (size_t)(line.text + line.len - at) - 1 };
		return true;
	}
	return false;
}

/* Parses "COMM [PID[/TID]] [[CPU]] [MODE] TIME: [PERIOD] EVENT: [TAIL]" from the right. False if it is not a header. */
static bool script_header(struct span line, struct script_header *out)
{
	line = trim_right(line);
	if (!line.len)
		return false;
	if (line.text[line.len - 1] == ':' && header_from_right(line, out))
		return true;
	return header_with_tail(line, COMM_COLUMNS, out) || header_with_tail(line, 0, out);
}

/* -------- lines below a header */

/* Kinds of lines below a header. */
enum script_line {
	LINE_FRAME,		/* after a tab, or blanks that replaced it */
	LINE_ADDRESS,		/* such a line with only an address: -F lacks sym */
	LINE_SOURCE,		/* two blanks: source place of the frame above (-F srcline) */
	LINE_FIELDS,		/* a blank, registers, branches, an instruction: end the sample, like an empty line */
	LINE_PHYSICAL,		/* 16 columns of -F phys_addr, then page sizes: also ends the sample, below frames */
	LINE_NO_FRAME,		/* not part of a sample */
};

/* "4K", "2M", "N/A" of -F data_page_size and code_page_size, or empty. */
static bool only_page_sizes(struct span rest)
{
	for (struct span word = last_word(&rest); word.len; word = last_word(&rest))
		if (!(word.len == 3 && !memcmp(word.text, "N/A", 3)) &&
		    !(digits(word, 0) == word.len - 1 && word.len > 1 && memchr("BKMG", word.text[word.len - 1], 4)))
			return false;
	return true;
}

static enum script_line script_line_below(struct span line)
{
	enum { ADDRESS_END = 16 };
	struct span text = trim_left(line), rest = text;
	size_t blanks = (size_t)(text.text - line.text), end;

	if (!blanks)
		return LINE_NO_FRAME;
	while (rest.len && !is_blank(*rest.text)) {
		rest.text++;
		rest.len--;
	}
	end = (size_t)(rest.text - line.text);
	if (is_instruction_mark((struct span){ text.text, text.len - rest.len }) || starts(line, " \t IPC: "))
		return LINE_FIELDS;
	if (*line.text != '\t' && end == ADDRESS_END && looks_like_frame(text) && only_page_sizes(rest))
		return LINE_PHYSICAL;
	/* An editor may have replaced the tab by blanks. */
	if (*line.text == '\t' || blanks > 2 || looks_like_frame(text))
		return looks_like_frame(text) && !trim_left(rest).len ? LINE_ADDRESS : LINE_FRAME;
	return blanks == 1 ? LINE_FIELDS : LINE_SOURCE;
}

/* "|12       x += y;", the source line that -F srccode writes after a sample. */
static bool is_source_text(struct span line)
{
	enum { NUMBER_COLUMNS = 8 };
	size_t n = line.len && *line.text == '|' ? digits(line, 1) : 0, blanks = n ? count(line, 1 + n, is_blank) : 0;

	return n && blanks && n + blanks > NUMBER_COLUMNS;
}

/* Returns the fields of perf script -F that LINE, in place of a header, lacks ("time"); NULL if it is something else. */
static const char *script_missing_fields(struct span line)
{
	struct span rest = trim_right(line), word = last_word(&rest);

	switch (script_line_below(line)) {
	case LINE_NO_FRAME:
		break;
	case LINE_ADDRESS:
	case LINE_PHYSICAL:
		return "sym";
	case LINE_FRAME:
		return "comm, time and event";
	default:
		return NULL;
	}
	if (is_time(word))
		return "event";
	return word.len > 1 && word.text[word.len - 1] == ':' && !text_is_digit(*word.text) ? "time" : NULL;
}

/* -------- frames */

static const struct span unknown = { "[unknown]", 9 };

/* True if TEXT[AT] is a '(' after a blank, as before a dso. */
static bool opens(struct span s, size_t at)
{
	return s.text[at] == '(' && (!at || is_blank(s.text[at - 1]));
}

/* Finds the parenthesis that opens the dso and that the last character closes. A path may hold unbalanced ones. */
static bool dso_opens(struct span s, size_t *at_out)
{
	size_t depth = 0, at = s.len;

	if (s.len < 2 || s.text[s.len - 1] != ')')
		return false;
	while (at--) {
		depth += s.text[at] == ')';
		if (s.text[at] == '(' && --depth == 0)
			break;
	}
	if (at == SIZE_MAX || !opens(s, at))
		for (at = s.len - 1; at != SIZE_MAX; at--)
			if (opens(s, at) && (s.text[at + 1] == '/' || s.text[at + 1] == '['))
				break;
	*at_out = at;
	return at != SIZE_MAX;
}

/* Removes a trailing "+0x1f". */
static struct span without_offset(struct span name)
{
	size_t at = name.len;

	while (at && is_hex(name.text[at - 1]))
		at--;
	if (at > 3 && at < name.len && !memcmp(name.text + at - 3, "+0x", 3))
		name.len = at - 3;
	return name;
}

/* True if a frame's address is in the kernel's half of a 64-bit address space. */
static bool in_upper_half(struct span frame)
{
	return frame.len >= 16 && *frame.text > '7' && count(frame, 0, is_hex) == 16 && (frame.len == 16 || is_blank(frame.text[16]));
}

/* True if such an address may be code: x86-64 has none below 0xffff800000000000. */
static bool is_kernel_code(struct span frame)
{
	return in_upper_half(frame) && starts(frame, "ffff") && frame.text[4] > '7';
}

/* -------- text after the event */

enum script_tail {
	TAIL_CHAIN,	/* empty: frames follow, then an empty line */
	TAIL_FRAME,	/* contains "ip symbol (dso)", the only frame of this sample */
	TAIL_OTHER,	/* a tracepoint's fields: frames may follow */
	TAIL_ADDRESS,	/* an address or a weight but no frame: frames follow, or an empty line */
	TAIL_UNCLEAR,	/* several addresses outside perf's columns: frames must follow */
};

enum {
	FIELD_COLUMNS = 17,	/* of an address: a blank, and 16 columns, right-aligned */
	CANDIDATES_MOST = 8,	/* places tried for a frame: perf writes no more numbers and files in a line */
};

/* Start of the last address before END that is in perf's columns; SIZE_MAX if none. */
static size_t last_address(struct span s, size_t end)
{
	while (end) {
		size_t stop, at, blanks = 0;

		while (end && is_blank(s.text[end - 1]))
			end--;
		stop = end;
		while (end && !is_blank(s.text[end - 1]))
			end--;
		at = end;
		while (blanks < at && is_blank(s.text[at - blanks - 1]))
			blanks++;
		if (stop > at && stop - at <= 16 && count((struct span){ s.text, stop }, at, is_hex) == stop - at &&
		    blanks + stop - at >= FIELD_COLUMNS)
			return at;
	}
	return SIZE_MAX;
}

/* TEXT up to the last file in parentheses, without the registers, branches and sizes after it. False without a file. */
static bool up_to_file(struct span text, struct span *out)
{
	int tried = 0;

	for (size_t end = text.len, at; end && tried < CANDIDATES_MOST; end--) {
		struct span frame = { text.text, end };

		if (text.text[end - 1] != ')' || (end < text.len && !is_blank(text.text[end])))
			continue;
		tried++;
		if (!dso_opens(frame, &at) || text_is_digit(text.text[at + 1]))
			continue;
		*out = frame;
		return true;
	}
	return false;
}

/* True if the frame TEXT, outside perf's columns, may be an address of -F addr followed by a frame. */
static bool holds_two(struct span text)
{
	size_t n = count(text, 0, is_hex), at;
	struct span name = trim_left((struct span){ text.text + n, text.len - n });
	const char *file;

	if (dso_opens(name, &at))
		name.len = at;
	name = trim_right(name);
	file = memmem(name.text, name.len, " (/", 3) ?: memmem(name.text, name.len, " ([", 3);
	n = count(name, 0, is_hex);
	return file || (n >= 4 && n < name.len && is_blank(name.text[n]));
}

/* True if SYMBOL, which no file follows, has registers, branches or sizes after it. */
static bool runs_into_fields(struct span symbol)
{
	struct span rest = symbol, word = last_word(&rest);

	return memmem(symbol.text, symbol.len, "  ", 2) || memmem(symbol.text, symbol.len, " ABI:", 5) ||
	       memmem(symbol.text, symbol.len, " 0x", 3) || (rest.len && only_page_sizes(word));
}

/* Finds the frame in a header's TAIL: the last "HEX SYMBOL (DSO)", because earlier fields may look like one. */
static enum script_tail tail_frame(struct span tail, struct span *frame_out)
{
	struct span text = trim_left(without_instruction(tail)), last = { NULL, 0 };
	int tried = 0;

	if (!text.len)
		return TAIL_CHAIN;
	for (size_t at = tail.len; (at = last_address(tail, at)) != SIZE_MAX && tried < CANDIDATES_MOST; tried++) {
		struct span from = { tail.text + at, tail.len - at };

		last = last.text ? last : from;
		if (!up_to_file(from, frame_out))
			continue;
		/* The instruction's address has one more blank before it, so this is the address of -F addr. */
		return text.text == from.text && at + count(from, 0, is_hex) == FIELD_COLUMNS ? TAIL_ADDRESS : TAIL_FRAME;
	}
	if (last.text) {
		/* -F lacks dso. */
		struct span symbol = { last.text + count(last, 0, is_hex), 0 };

		*frame_out = trim_right(without_instruction(last));
		symbol.len = frame_out->len - (size_t)(symbol.text - frame_out->text);
		symbol = trim_left(symbol);
		if (!symbol.len || memchr("|/", *symbol.text, 2))
			return TAIL_ADDRESS;
		return runs_into_fields(symbol) ? TAIL_UNCLEAR : TAIL_FRAME;
	}
	if (!looks_like_frame(text))
		return TAIL_OTHER;
	if (!up_to_file(text, frame_out))
		*frame_out = text;
	if (count(*frame_out, 0, is_hex) == trim_right(*frame_out).len)
		return TAIL_ADDRESS;
	return holds_two(*frame_out) ? TAIL_UNCLEAR : TAIL_FRAME;
}

/* -------- records */

struct script_record {
	struct span text;	/* from PERF_RECORD on */
	struct span who, time;	/* as in struct script_header */
};

/* "[COMM PID/TID] TIME: PERF_RECORD_NAME ...": a record that is not a sample. */
static bool script_record(struct span line, struct script_record *out)
{
	static const char mark[] = ": PERF_RECORD_";
	const char *end = line.text + line.len, *at = memmem(line.text, line.len, mark, sizeof mark - 1);
	struct span rest, time;

	if (!at)
		return false;
	rest = (struct span){ line.text, (size_t)(at - line.text) + 1 };
	time = last_word(&rest);
	if (!is_time(time))
		return false;
	*out = (struct script_record){ trim_right((struct span){ at + 2, (size_t)(end - at) - 2 }), rest, time };
	return true;
}

/* Converts WHO, "12/34", to its numbers (a single one is both) and "1035.840984:" to ns. Missing values are 0. */
static void moment_of(struct span who, struct span time, struct script_moment *out)
{
	struct span rest = who, word = last_word(&rest);
	uint64_t pid = 0, tid = 0, seconds = 0, part = 0;
	size_t whole = digits(time, 0), decimals = digits(time, whole + 1), slash;

	while (word.len && !is_pid(word))
		word = last_word(&rest);
	slash = digits(word, 0);
	take_period((struct span){ word.text, slash }, &pid);
	if (slash >= word.len || !take_period((struct span){ word.text + slash + 1, word.len - slash - 1 }, &tid))
		tid = pid;
	take_period((struct span){ time.text, whole }, &seconds);
	take_period((struct span){ time.text + whole + 1, decimals < 9 ? decimals : 9 }, &part);
	for (; decimals < 9; decimals++)
		part *= 10;
	*out = (struct script_moment){
		.pid = (uint32_t)pid & RECORDED_PID_MASK, .tid = (uint32_t)tid & RECORDED_PID_MASK, .time_ns = seconds < UINT64_MAX / 2000000000 ? seconds * 1000000000 + part : 0,
	};
}

/* Returns the number of lost samples that the record reports, or 0. */
static uint64_t script_record_lost(struct span record, bool *samples_out)
{
	struct span rest = record, number = last_word(&rest), word = last_word(&rest);
	uint64_t lost;

	if (!starts(record, "PERF_RECORD_LOST") || word.len != 4 || !starts(word, "lost") ||
	    !take_period(number, &lost))
		return 0;
	*samples_out = starts(record, "PERF_RECORD_LOST_SAMPLES");
	return lost;
}

/* -------- the reader */

enum {
	FRAMES_MOST = 1 << 20,	/* of one sample; the kernel's limit is far lower */
	EVENTS_MOST = 256,
	COMM_LARGEST = 15,	/* of a command's name, which may hold any byte but NUL */
	CACHED_LONGEST = 120,
	CACHED_MOST = 8192,
};

/*
 * Frames repeat often in a profile, so parsed lines are cached in memory of fixed size. A line has one slot, and
 * loses it when another line takes it.
 */
struct cached_line {
	uint32_t number;		/* of the frame */
	uint32_t len;			/* 0: free */
	char text[CACHED_LONGEST];
};

/* Totals of an event as read, to check those of the stacks. */
struct tally {
	uint64_t samples;
	double weight;
};

struct script {
	struct stacks *into;
	struct cached_line *cache;
	struct strbuf pending;	/* the incomplete last line */
	unsigned long long line;		/* lines read */
	bool open;		/* a header was read and its frames follow */
	enum script_tail tail;	/* TAIL_FRAME: the text after the event is the whole chain, unless frames follow */
	unsigned long long header_line;
	uint32_t event, comm;	/* of the current or the previous sample */
	uint32_t chain_comm;	/* the same with leading blanks, which belong to it if a chain follows; 0: none */
	uint64_t period;
	uint32_t *frames;	/* of the current sample, the leaf first */
	size_t n_frames, cap_frames;
	struct strbuf held;	/* a line that may begin a name containing a line feed */
	unsigned long long held_line;
	struct strbuf torn;	/* the last frame, if its line is incomplete: symbols may contain a line feed too */
	uint32_t inlined;	/* the string that perf has in place of a file */
	uint32_t unknown, kernel;	/* frames known only by their kind */
	bool any_inlined, any_java;
	size_t checked_text;	/* size of the strings when last checked */
	struct tally tallies[EVENTS_MOST];
	uint64_t lost_before, lost_records, lost_samples;
	struct script_observer observer;	/* both NULL: none */
	struct script_moment moment;		/* of the current sample, if there is an observer */
};

struct script *script_new(struct stacks *into)
{
	struct script *script = xcalloc(1, sizeof *script);

	script->into = into;
	script->cache = xcalloc(CACHED_MOST, sizeof *script->cache);
	script->pending = (struct strbuf)STRBUF_INIT;
	script->held = (struct strbuf)STRBUF_INIT;
	script->torn = (struct strbuf)STRBUF_INIT;
	script->inlined = stacks_string(into, "inlined", strlen("inlined"));
	script->unknown = stacks_frame_of(into, unknown.text, unknown.len, unknown.text);
	script->kernel = stacks_frame_of(into, unknown.text, unknown.len, STACKS_KERNEL);
	script->lost_before = into->lost;
	for (size_t i = 0; i < into->n_events && i < EVENTS_MOST; i++)
		script->tallies[i] = (struct tally){ into->events[i].samples, into->events[i].weight };
	return script;
}

void script_observe(struct script *script, const struct script_observer *observer)
{
	script->observer = *observer;
}

void script_free(struct script *script)
{
	if (!script)
		return;
	free(script->cache);
	free(script->frames);
	strbuf_release(&script->pending);
	strbuf_release(&script->held);
	strbuf_release(&script->torn);
	free(script);
}

/* -------- missing fields */

static int refuse_missing(unsigned long long number, const char *fields, struct error *err)
{
	return error_set(err, ERR_INPUT, "line %llu: the sample has no %s; make the text with "
			 "perf script -F comm,pid,tid,time,period,event,ip,sym,dso", number, fields);
}

static int refuse_line(unsigned long long number, struct span line, struct error *err)
{
	enum { QUOTED = 60 };
	CLEANUP(free_ptr) char *start = xstrndup(line.text, line.len < QUOTED ? line.len : QUOTED);
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;
	const char *missing = script_missing_fields(line);

	if (missing)
		return refuse_missing(number, missing, err);
	escape_terminal(&shown, start);
	return error_set(err, ERR_INPUT, "line %llu: expected a sample as perf script writes it "
			 "('COMMAND PID/TID TIME: PERIOD EVENT:', then its frames), found '%s%s'; make the text with "
			 "perf script -F comm,pid,tid,time,period,event,ip,sym,dso",
			 number, shown.buf, line.len > QUOTED ? "..." : "");
}

static int refuse_unclear(unsigned long long number, struct error *err)
{
	return error_set(err, ERR_INPUT, "line %llu: it holds more addresses than that of the instruction, and none stands in the "
			 "columns of perf; make the text with perf script -F comm,pid,tid,time,period,event,ip,sym,dso", number);
}

static int refuse_long(unsigned long long number, struct error *err)
{
	return error_set(err, ERR_INPUT, "line %llu: longer than %d bytes, which no line of perf script is; is the text "
			 "damaged?", number, SCRIPT_LINE_LARGEST);
}

/* -------- samples */

/* "La/B;::outer->La/C;::inner", as Java's perf-map-agent writes inlined functions, the caller first. */
static bool java_inlined(struct span name)
{
	const char *arrow = memmem(name.text, name.len, "->", 2);

	return arrow && !memchr(name.text, ' ', name.len) && memmem(name.text, (size_t)(arrow - name.text), "::", 2);
}

/* Java's "La/B;::f" becomes a/B::f. */
static struct span without_java_marks(struct span name, struct strbuf *room)
{
	const char *semicolon = name.len > 1 && *name.text == 'L' ? memmem(name.text, name.len, ";::", 3) : NULL;

	if (!semicolon)
		return name;
	strbuf_add(room, name.text + 1, (size_t)(semicolon - name.text) - 1);
	strbuf_add(room, semicolon + 1, name.len - (size_t)(semicolon - name.text) - 1);
	return (struct span){ room->buf, room->len };
}

/*
 * Parses "[IP] SYMBOL[+0xOFFSET] [(DSO[+0xOFFSET])]" after blanks. Any text is a frame. A frame without its own file
 * is "inlined".
 */
static uint32_t frame_number(struct script *script, struct span text)
{
	CLEANUP(strbuf_release) struct strbuf room = STRBUF_INIT;
	struct stacks *into = script->into;
	struct span name = trim_left(trim_right(text)), dso = unknown;
	uint32_t file;
	size_t at;

	if (looks_like_frame(name)) {
		at = count(name, 0, is_hex);
		name = trim_left((struct span){ name.text + at, name.len - at });
	}
	if (dso_opens(name, &at)) {
		if (at + 2 < name.len)
			dso = without_offset((struct span){ name.text + at + 1, name.len - at - 2 });
		name.len = at;
	}
	name = without_offset(trim_right(name));
	if (!name.len)
		name = unknown;
	file = stacks_string(into, dso.text, dso.len);
	script->any_inlined |= file == script->inlined;
	if (dso_is_jitted(stacks_text(into, file))) {
		script->any_java |= java_inlined(name);
		name = java_inlined(name) ? name : without_java_marks(name, &room);
	}
	return stacks_frame(into, stacks_string(into, name.text, name.len), file);
}

/* In perf's layout ("\t", the address in 16 columns, a blank) the text after the address; otherwise all of LINE. */
static struct span behind_ip(struct span line)
{
	enum { IP_END = 17 };
	static const unsigned char hex[256] = {
		['0' ... '9'] = 1, ['a' ... 'f'] = 1, ['A' ... 'F'] = 1,
	};
	size_t at = 1;

	if (line.len <= IP_END + 1 || line.text[0] != '\t' || line.text[IP_END] != ' ')
		return line;
	while (line.text[at] == ' ')
		at++;
	if (at >= IP_END)
		return line;
	for (; at < IP_END; at++)
		if (!hex[(unsigned char)line.text[at]])
			return line;
	return (struct span){ line.text + IP_END + 1, line.len - IP_END - 1 };
}

static uint32_t cached_frame(struct script *script, struct span line)
{
	struct span key = behind_ip(line);
	struct cached_line *place;

	/* Other layouts are parsed in full, because the symbol may look like an address. */
	if (key.text == line.text || key.len > CACHED_LONGEST)
		return frame_number(script, line);
	place = &script->cache[stacks_hash(key.text, key.len, 0) % CACHED_MOST];
	if (place->len != key.len || memcmp(place->text, key.text, key.len) != 0) {
		place->number = frame_number(script, line);
		place->len = (uint32_t)key.len;
		memcpy(place->text, key.text, key.len);
	}
	return place->number;
}

static int check_size(struct script *script, struct error *err)
{
	script->checked_text = script->into->text_len;
	if (stacks_bytes(script->into) <= STACKS_LARGEST)
		return 0;
	return error_set(err, ERR_INPUT, "line %llu: %zu different stacks and their names need more than the %d MiB they "
			 "may take; record fewer: a lower frequency, a shorter duration, call-graph fp",
			 script->line, script->into->n, STACKS_LARGEST >> 20);
}

/* " (/usr/bin/x)", " ([kernel.kallsyms])", " (inlined)". A path that contains such text is not recognised. */
static bool ends_in_file(struct span line)
{
	const char *open = line.len && line.text[line.len - 1] == ')' ? memrchr(line.text, '(', line.len) : NULL;

	return open && open > line.text && open[-1] == ' ' && strchr("/[i", open[1]);
}

static int add_frame(struct script *script, struct span line, struct error *err)
{
	struct span frame = trim_left(line);
	uint32_t number;

	if (script->n_frames == FRAMES_MOST)
		return error_set(err, ERR_INPUT, "line %llu: the sample of line %llu has more than %d frames; "
				 "is the text damaged?", script->line,
				 script->header_line, FRAMES_MOST);
	VEC_GROW(script->frames, script->n_frames, script->cap_frames);
	strbuf_reset(&script->torn);
	if (!ends_in_file(line))
		strbuf_add(&script->torn, line.text, line.len);
	number = cached_frame(script, line);
	/*
	 * If the kernel's symbols are hidden, perf names no file. Only the leaf is certain; callers may be an
	 * unwinder's guess.
	 */
	if (number == script->unknown && !script->n_frames && is_kernel_code(frame))
		number = script->kernel;
	if (looks_like_frame(frame))
		script->into->frames[number].halves |= in_upper_half(frame) ? STACKS_UPPER_HALF : STACKS_LOWER_HALF;
	script->frames[script->n_frames++] = number;
	return script->into->text_len == script->checked_text ? 0 : check_size(script, err);
}

/* Splits frames of functions inlined in Java. */
static void split_java(struct script *script)
{
	struct stacks *into = script->into;
	CLEANUP(free_ptr) uint32_t *whole = script->frames;
	size_t n = script->n_frames;

	script->frames = NULL;
	script->n_frames = script->cap_frames = 0;
	for (size_t i = 0; i < n; i++) {
		const struct frame frame = into->frames[whole[i]];
		CLEANUP(free_ptr) char *name = xstrdup(stacks_text(into, frame.name));
		bool java = dso_is_jitted(stacks_text(into, frame.dso)) && java_inlined((struct span){ name, strlen(name) });

		for (char *part = name, *arrow; part; part = arrow ? arrow + 2 : NULL) {
			CLEANUP(strbuf_release) struct strbuf room = STRBUF_INIT;
			struct span own;

			arrow = java ? strstr(part, "->") : NULL;
			own = without_java_marks((struct span){ part, arrow ? (size_t)(arrow - part) : strlen(part) }, &room);
			*VEC_ADD(script->frames, script->n_frames, script->cap_frames) =
				java ? stacks_frame(into, stacks_string(into, own.text, own.len), frame.dso) : whole[i];
		}
	}
}

static int finish_sample(struct script *script, struct error *err)
{
	struct stacks *into = script->into;

	script->open = false;
	if (!script->n_frames && script->tail == TAIL_UNCLEAR)
		return refuse_unclear(script->header_line, err);
	/* perf discarded the chain and prints no address; the sample still counts. */
	if (!script->n_frames && add_frame(script, (struct span){ "", 0 }, err))
		return -1;
	for (size_t i = 0; i < script->n_frames / 2; i++) {
		uint32_t *other = &script->frames[script->n_frames - 1 - i], frame = *other;

		*other = script->frames[i];
		script->frames[i] = frame;
	}
	/* An inlined function is in the file of its enclosing function, the next frame towards the root. */
	for (size_t i = 1; script->any_inlined && i < script->n_frames; i++) {
		struct frame *frame = &into->frames[script->frames[i]];

		if (frame->dso == script->inlined)
			script->frames[i] = stacks_frame(into, frame->name, into->frames[script->frames[i - 1]].dso);
	}
	if (script->any_java)
		split_java(script);
	if (script->observer.sample)
		script->observer.sample(script->observer.ctx, &script->moment, script->frames, script->n_frames);
	else
		stacks_add(into, (struct stack_sample){ script->event, script->comm, script->frames, script->n_frames, 1, (double)script->period });
	script->n_frames = 0;
	return check_size(script, err);
}

/* -------- headers */

/* Usually the name is that of the previous sample. */
static bool is_string(const struct stacks *stacks, uint32_t string, struct span name)
{
	const char *text = stacks_text(stacks, string);

	return !strncmp(text, name.text, name.len) && !text[name.len];
}

static int take_header(struct script *script, const struct script_header *header, struct error *err)
{
	struct stacks *into = script->into;
	struct span comm, frame;

	if (!script->observer.sample && (!into->n_events || !is_string(into, into->events[script->event].name, header->event)))
		script->event = stacks_event(into, header->event.text, header->event.len);
	if (into->n_events > EVENTS_MOST)
		return error_set(err, ERR_INPUT, "line %llu: samples of more than %d different events; is this the text "
				 "of perf script?", script->line, EVENTS_MOST);
	/* Without a chain perf right-aligns the name. */
	comm = header->tail.len ? trim_left(header->comm) : header->comm;
	script->chain_comm = comm.len < header->comm.len ? stacks_string(into, header->comm.text, header->comm.len) : 0;
	if (!is_string(into, script->comm, comm))
		script->comm = stacks_string(into, comm.text, comm.len);
	script->period = header->period;
	if (script->observer.sample) {
		moment_of(header->who, header->time, &script->moment);
		script->moment.comm = script->comm;
		script->moment.event = stacks_string(into, header->event.text, header->event.len);
	} else {
		script->tallies[script->event].samples++;
		script->tallies[script->event].weight += (double)header->period;
	}
	script->open = true;
	script->tail = tail_frame(header->tail, &frame);
	script->header_line = script->line;
	return script->tail == TAIL_FRAME ? add_frame(script, frame, err) : 0;
}

static void take_record(struct script *script, const struct script_record *record)
{
	struct script_moment moment;
	bool samples = false;
	/* perf reports a loss twice: records lost when its buffer overflowed, and samples in the kernel's own count. */
	uint64_t lost = script_record_lost(record->text, &samples);
	struct span comm = trim_left(comm_of(record->who));

	*(samples ? &script->lost_samples : &script->lost_records) += lost;
	lost = script->lost_samples > script->lost_records ? script->lost_samples : script->lost_records;
	script->into->lost = script->lost_before + lost;
	if (!script->observer.record)
		return;
	moment_of(record->who, record->time, &moment);
	if (!is_string(script->into, script->comm, comm))
		script->comm = stacks_string(script->into, comm.text, comm.len);
	moment.comm = script->comm;
	script->observer.record(script->observer.ctx, &moment, record->text.text, record->text.len);
}

static int refuse_held(const struct script *script, struct error *err)
{
	return refuse_line(script->held_line, (struct span){ script->held.buf, script->held.len }, err);
}

/* Takes LINE together with the held line before it. */
static int resume_held(struct script *script, struct span line, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf whole = STRBUF_INIT;
	struct span held = { script->held.buf, script->held.len };
	struct script_header header;
	struct script_record record;

	if (script_line_below(line) <= LINE_ADDRESS)
		return refuse_missing(script->held_line, script_missing_fields(held) ?: "comm, time and event", err);
	strbuf_addf(&whole, "%s\n", script->held.buf);
	strbuf_add(&whole, line.text, line.len);
	if (script->observer.record && script_record((struct span){ whole.buf, whole.len }, &record)) {
		strbuf_reset(&script->held);
		take_record(script, &record);
		return 0;
	}
	if (!script_header((struct span){ whole.buf, whole.len }, &header) || trim_left(header.comm).len > COMM_LARGEST)
		return refuse_held(script, err);
	strbuf_reset(&script->held);
	return take_header(script, &header, err);
}

static int pass_over(struct script *script, struct span line)
{
	enum { QUOTED = 80 };
	CLEANUP(free_ptr) char *start = xstrndup(line.text, line.len < QUOTED ? line.len : QUOTED);
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

	escape_terminal(&shown, start + strspn(start, " "));
	if (!script->into->messages++)
		script->into->message = stacks_string(script->into, shown.buf, shown.len);
	return 0;
}

static int between_samples(struct script *script, struct span line, struct error *err)
{
	struct script_header header;
	struct script_record record;
	bool first = script->observer.record != NULL;

	if (script->held.len)
		return resume_held(script, line, err);
	if (is_source_text(line))
		return 0;
	/* If records are observed, they are frequent, and a name in one may look like a sample. */
	if ((!first || !script_record(line, &record)) && script_header(line, &header))
		return take_header(script, &header, err);
	if (script_record(line, &record)) {
		take_record(script, &record);
		return 0;
	}
	if (*line.text == '#')
		return 0;
	if (stacks_message(line.text, line.len))
		return pass_over(script, line);
	/* It may begin a name containing a line feed. */
	if (line.len >= COMM_LARGEST || *line.text == '\t')
		return refuse_line(script->line, line, err);
	strbuf_add(&script->held, line.text, line.len);
	script->held_line = script->line;
	return 0;
}

/* Continues the previous frame with LINE. */
static int repair_frame(struct script *script, struct span line, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf whole = STRBUF_INIT;

	strbuf_addf(&whole, "%s ", script->torn.buf);
	strbuf_add(&whole, line.text, line.len);
	script->n_frames--;
	return add_frame(script, (struct span){ whole.buf, whole.len }, err);
}

static int take_below(struct script *script, struct span line, struct error *err)
{
	enum script_line kind = script_line_below(line);
	struct script_header header;
	bool is_header = *line.text != '\t' && script_header(line, &header);

	if (!is_header && stacks_message(line.text, line.len))
		return pass_over(script, line);
	if (is_header && !script->n_frames && (script->tail == TAIL_CHAIN || script->tail == TAIL_ADDRESS))
		return refuse_missing(script->header_line, "ip", err);
	if (!is_header && kind == LINE_NO_FRAME && script->n_frames && script->torn.len && !is_source_text(line) &&
	    script->torn.len + line.len < SCRIPT_LINE_LARGEST)
		return repair_frame(script, line, err);
	if (is_header || kind == LINE_NO_FRAME)
		return finish_sample(script, err) ? -1 : between_samples(script, line, err);
	if (kind == LINE_SOURCE)
		return 0;
	if (kind == LINE_FIELDS || (kind == LINE_PHYSICAL && script->n_frames))
		return finish_sample(script, err);
	if (kind == LINE_ADDRESS || kind == LINE_PHYSICAL)
		return refuse_missing(script->line, "sym", err);
	/* So the previous frame was the address of -F addr. */
	if (script->tail == TAIL_FRAME)
		script->n_frames = 0;
	if (script->tail != TAIL_CHAIN && script->chain_comm)
		script->comm = script->moment.comm = script->chain_comm;
	script->tail = TAIL_CHAIN;
	return add_frame(script, line, err);
}

static int take_line(struct script *script, const char *text, size_t len, struct error *err)
{
	struct span line = { text, len };

	script->line++;
	if (len > SCRIPT_LINE_LARGEST)
		return refuse_long(script->line, err);
	if (script->line == 1) {
		size_t mark = text_byte_order_mark(text, len);

		line = (struct span){ text + mark, len - mark };
	}
	if (line.len && line.text[line.len - 1] == '\r')
		line.len--;
	if (!script->open)
		return line.len ? between_samples(script, line, err) : 0;
	if (!line.len)
		return finish_sample(script, err);
	/* Fast path: nearly all lines are frames in perf's layout. */
	if (*text == '\t' && script->tail == TAIL_CHAIN && behind_ip(line).text != text)
		return add_frame(script, line, err);
	return take_below(script, line, err);
}

/* -------- the stream */

static int keep_rest(struct script *script, const char *data, size_t len, struct error *err)
{
	if (script->pending.len + len > SCRIPT_LINE_LARGEST)
		return refuse_long(script->line + 1, err);
	strbuf_add(&script->pending, data, len);
	return 0;
}

int script_feed(struct script *script, const char *data, size_t len, struct error *err)
{
	const char *nul = len ? memchr(data, '\0', len) : NULL, *end = nul ?: data + len, *newline;

	for (; data < end && (newline = memchr(data, '\n', (size_t)(end - data))); data = newline + 1) {
		struct strbuf *pending = &script->pending;
		size_t rest = (size_t)(newline - data);

		/* Most lines have no beginning in an earlier piece. */
		if (pending->len ? keep_rest(script, data, rest, err) || take_line(script, pending->buf, pending->len, err)
				 : take_line(script, data, rest, err))
			return -1;
		if (pending->len)
			strbuf_reset(pending);
	}
	if (data < end && keep_rest(script, data, (size_t)(end - data), err))
		return -1;
	if (!nul)
		return 0;
	return error_set(err, ERR_INPUT, "line %llu: this is no text of perf script: it holds a NUL byte, as binary files do",
			 script->line + 1);
}

static int check_sums(const struct script *script, struct error *err)
{
	const struct stacks *into = script->into;

	for (uint32_t i = 0; i < into->n_events && i < EVENTS_MOST; i++) {
		const struct event_total *event = &into->events[i];
		const struct tally *read = &script->tallies[i];

		/* Above 2^53 doubles round, and the two sums add in different orders. */
		if (read->samples != event->samples || fabs(event->weight - read->weight) > 1e-9 * read->weight ||
		    !stacks_complete(into, i))
			return error_set(err, ERR_SYSTEM, "event %s: %llu samples of weight %.0f were read, but the stacks hold others; "
					 "this is a defect of pawl", stacks_text(into, event->name), (unsigned long long)read->samples,
					 read->weight);
	}
	return 0;
}

int script_end(struct script *script, struct error *err)
{
	if (script->pending.len)
		return error_set(err, ERR_INPUT, "line %llu: the text is cut off within this line; make it "
				 "again", script->line + 1);
	if (script->held.len)
		return refuse_held(script, err);
	if (script->open && !script->n_frames && script->tail == TAIL_ADDRESS)
		return refuse_missing(script->header_line, "ip", err);
	if (script->open && script->tail == TAIL_CHAIN && (!script->n_frames || script->torn.len))
		return error_set(err, ERR_INPUT, "line %llu: the text is cut off within the sample that line %llu begins; make it again",
				 script->line, script->header_line);
	/* All frames are complete, but without the empty line after them the text may be truncated. */
	script->into->cut |= script->open && script->tail == TAIL_CHAIN;
	if (script->open && finish_sample(script, err))
		return -1;
	if (stacks_exact(script->into, err) < 0)
		return -1;
	/* Observers count their samples themselves. */
	return script->observer.sample ? 0 : check_sums(script, err);
}

/* -------- recognising the text */

bool script_begins(const char *text, size_t len)
{
	struct span line = trim_right((struct span){ text, len });
	struct script_header header;
	struct script_record record;

	/* Also accepts text that lacks a field, because reading it reports which. */
	return script_header(line, &header) || script_record(line, &record) ||
	       (line.len && script_line_below(line) <= LINE_ADDRESS && (*line.text == '\t' || ends_in_file(line)));
}
