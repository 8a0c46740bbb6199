#include "profile/script_line.h"

#include <string.h>

/*
 * The kernel keeps 15 bytes of a command's name, and perf pads it to 16 columns where a sample is one line. What
 * looks like a whole header within them is somebody's name.
 */
enum { COMM_COLUMNS = 16 };

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
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
	size_t len = strlen(with);

	return s.len >= len && !memcmp(s.text, with, len);
}

/* -------- headers */

/* The last word of REST, which then ends before it; empty when there is none. */
static struct span last_word(struct span *rest)
{
	struct span whole = trim_right(*rest), word = { whole.text + whole.len, 0 };

	while (word.len < whole.len && !is_blank(word.text[-1])) {
		word.text--;
		word.len++;
	}
	*rest = (struct span){ whole.text, whole.len - word.len };
	return word;
}

static size_t digits_of(struct span s, size_t from, bool (*is_one)(char))
{
	size_t n = 0;

	while (from + n < s.len && is_one(s.text[from + n]))
		n++;
	return n;
}

static size_t digits(struct span s, size_t from)
{
	return digits_of(s, from, is_digit);
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

/* What -F misc says of the mode a sample was taken in: kernel, user, hypervisor, guest. */
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

/* What is left of the time: "COMM PID/TID [CPU] [MODE]". */
static struct span comm_of(struct span rest)
{
	struct span before = rest, word = last_word(&before);

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

/* TEXT without what -F insnlen and insn write behind a sample: " ilen: 2 insn: 01 c2". */
static struct span without_instruction(struct span text)
{
	for (;;) {
		struct span rest = text, word = last_word(&rest);

		while (word.len && word.len <= 3 && digits_of(word, 0, is_hex) == word.len)
			word = last_word(&rest);
		if (!is_instruction_mark(word))
			return text;
		text = rest;
	}
}

/* LINE up to the colon behind the event. An event's name begins with no digit, so no time is taken for one. */
static bool header_from_right(struct span line, struct script_header *out)
{
	struct span rest = line, event = last_word(&rest), word = last_word(&rest);
	uint64_t period = 1;

	if (event.len < 2 || event.text[event.len - 1] != ':' || is_digit(*event.text) || starts(event, "PERF_RECORD_"))
		return false;
	if (take_period(word, &period))
		word = last_word(&rest);
	if (!is_time(word))
		return false;
	*out = (struct script_header){
		.comm = comm_of(rest), .event = { event.text, event.len - 1 }, .period = period,
	};
	return true;
}

/* The first colon behind FROM that ends a word. */
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
	size_t n = digits_of(text, 0, is_hex);

	return n && n <= 16 && (n == text.len || is_blank(text.text[n]));
}

static bool header_with_tail(struct span line, size_t from, struct script_header *out)
{
	for (const char *at; (at = word_colon(line, from)); from = (size_t)(at - line.text) + 1) {
		struct span tail = { at + 1, (size_t)(line.text + line.len - at) - 1 };

		if (!header_from_right((struct span){ line.text, (size_t)(at - line.text) + 1 }, out))
			continue;
		tail = trim_left(without_instruction(tail));
		out->tail = looks_like_frame(tail) ? TAIL_FRAME : TAIL_OTHER;
		out->frame = tail;
		/* Without a chain perf aligns the name to the right. */
		out->comm = trim_left(out->comm);
		return true;
	}
	return false;
}

bool script_header(struct span line, struct script_header *out)
{
	line = trim_right(line);
	if (!line.len)
		return false;
	if (line.text[line.len - 1] == ':' && header_from_right(line, out))
		return true;
	return header_with_tail(line, COMM_COLUMNS, out) || header_with_tail(line, 0, out);
}

/* -------- what stands below a header */

enum script_line script_line_below(struct span line)
{
	struct span text = trim_left(line), rest = text;

	if (line.text == text.text)
		return LINE_NO_FRAME;
	while (rest.len && !is_blank(*rest.text)) {
		rest.text++;
		rest.len--;
	}
	if (is_instruction_mark((struct span){ text.text, text.len - rest.len }))
		return LINE_INSTRUCTION;
	/* Somebody's editor may have made blanks of the tab. */
	if (*line.text == '\t' || text.text - line.text > 2 || looks_like_frame(text))
		return looks_like_frame(text) && !trim_left(rest).len ? LINE_ADDRESS : LINE_FRAME;
	return LINE_SOURCE;
}

const char *script_missing_fields(struct span line)
{
	struct span rest = trim_right(line), word = last_word(&rest);

	switch (script_line_below(line)) {
	case LINE_NO_FRAME:
		break;
	case LINE_ADDRESS:
		return "sym";
	case LINE_FRAME:
		return "comm, time and event";
	default:
		return NULL;
	}
	if (is_time(word))
		return "event";
	return word.len > 1 && word.text[word.len - 1] == ':' && !is_digit(*word.text) ? "time" : NULL;
}

/* -------- frames */

static const struct span unknown = { "[unknown]", 9 };

/* Whether TEXT[AT] is a '(' behind a blank, as a dso's is. */
static bool opens(struct span s, size_t at)
{
	return s.text[at] == '(' && (!at || is_blank(s.text[at - 1]));
}

/* The '(' that the last character closes, when it can be a dso's. */
static bool balanced(struct span s, size_t *at_out)
{
	size_t depth = 0, at = s.len;

	while (at--) {
		if (s.text[at] == ')')
			depth++;
		else if (s.text[at] == '(' && --depth == 0)
			break;
	}
	if (at == SIZE_MAX || !opens(s, at))
		return false;
	*at_out = at;
	return true;
}

static bool opens_path(struct span s, size_t at)
{
	return opens(s, at) && at + 1 < s.len && (s.text[at + 1] == '/' || s.text[at + 1] == '[');
}

/* Where the file's parenthesis opens. A path may hold some of its own, and not always in pairs. */
static bool dso_opens(struct span s, size_t *at_out)
{
	size_t at;

	if (s.len < 2 || s.text[s.len - 1] != ')')
		return false;
	if (balanced(s, at_out))
		return true;
	for (at = s.len; at--;)
		if (opens_path(s, at)) {
			*at_out = at;
			return true;
		}
	return false;
}

/* Without "+0x1f" at its end. */
static struct span without_offset(struct span name)
{
	size_t at = name.len;

	while (at && is_hex(name.text[at - 1]))
		at--;
	if (at > 3 && at < name.len && !memcmp(name.text + at - 3, "+0x", 3))
		name.len = at - 3;
	return name;
}

static struct span without_ip(struct span s)
{
	size_t n = 0;

	while (n < s.len && is_hex(s.text[n]))
		n++;
	if (n && n <= 16 && (n == s.len || is_blank(s.text[n])))
		s = (struct span){ s.text + n, s.len - n };
	return trim_left(s);
}

void script_frame(struct span text, struct script_frame *out)
{
	struct span name = without_ip(trim_left(trim_right(text)));
	size_t at;

	*out = (struct script_frame){ unknown, unknown };
	if (dso_opens(name, &at)) {
		if (at + 2 < name.len)
			out->dso = (struct span){ name.text + at + 1, name.len - at - 2 };
		name.len = at;
	}
	name = without_offset(trim_right(name));
	if (name.len)
		out->name = name;
}

bool script_kernel_address(struct span frame)
{
	frame = trim_left(frame);
	return starts(frame, "ffff") && frame.len > 16 && is_blank(frame.text[16]) && is_hex(frame.text[15]) &&
	       (is_hex(frame.text[4]) && !(frame.text[4] >= '0' && frame.text[4] <= '7'));
}

/* -------- records */

bool script_record(struct span line, struct span *record_out)
{
	static const char mark[] = ": PERF_RECORD_";
	const char *end = line.text + line.len, *at = memmem(line.text, line.len, mark, sizeof mark - 1);
	struct span rest;

	if (!at)
		return false;
	rest = (struct span){ line.text, (size_t)(at - line.text) + 1 };
	if (!is_time(last_word(&rest)))
		return false;
	*record_out = (struct span){ at + 2, (size_t)(end - at) - 2 };
	return true;
}

uint64_t script_record_lost(struct span record, bool *samples_out)
{
	struct span rest = record, number = last_word(&rest), word = last_word(&rest);
	uint64_t lost;

	if (!starts(record, "PERF_RECORD_LOST") || word.len != 4 || !starts(word, "lost") ||
	    !take_period(number, &lost))
		return 0;
	*samples_out = starts(record, "PERF_RECORD_LOST_SAMPLES");
	return lost;
}
