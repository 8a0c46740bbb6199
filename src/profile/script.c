#include "profile/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "profile/line_cache.h"
#include "profile/script_line.h"

enum {
	FRAMES_MOST = 1 << 20,	/* of one sample; the kernel's own limit is far below */
	EVENTS_MOST = 256,
	COMM_LARGEST = 15,	/* of a command's name, which may hold any byte but NUL */
};

/* What was read of one event, apart from what the stacks say. */
struct tally {
	uint64_t samples;
	double weight;
};

/* A name as it was written last: most are the same as the one before. */
struct memo {
	struct strbuf text;
	uint32_t number;
	bool known;
};

struct script {
	struct stacks *into;
	struct line_cache *cache;
	struct strbuf pending;	/* the line whose end has not come yet */
	uint64_t line;		/* lines taken so far */
	bool open;		/* a header was read; its frames follow */
	bool bare;		/* or may be missing, with the empty line behind them */
	bool tail;		/* what stood behind the event is taken for all of the chain, until frames follow */
	uint64_t header_line;
	uint32_t event, comm;
	uint64_t period;
	uint32_t *frames;	/* of the open sample, the leaf first */
	size_t n_frames, cap_frames;
	struct strbuf held;	/* a line that may be the start of a name with a line feed in it */
	uint64_t held_line;
	struct memo last_comm, last_event;
	uint32_t inlined;	/* the string perf has instead of a file */
	uint32_t unknown, kernel;	/* frames of which nothing is known but that */
	bool any_inlined;
	size_t checked_text;	/* of the strings, when their size was looked at last */
	struct tally tallies[EVENTS_MOST];
	uint64_t lost_before, lost_records, lost_samples;
};

static void tally_stacks(const struct stacks *stacks, struct tally *tallies)
{
	for (size_t i = 0; i < stacks->n; i++) {
		struct tally *tally = &tallies[stacks->items[i].event];

		tally->samples += stacks->items[i].samples;
		tally->weight += stacks->items[i].weight;
	}
}

static uint32_t new_frame(struct stacks *into, const char *name, const char *dso)
{
	return stacks_frame(into, stacks_string(into, name, strlen(name)), stacks_string(into, dso, strlen(dso)));
}

struct script *script_new(struct stacks *into)
{
	struct script *script = xcalloc(1, sizeof *script);

	script->into = into;
	script->cache = line_cache_new();
	script->pending = (struct strbuf)STRBUF_INIT;
	script->held = (struct strbuf)STRBUF_INIT;
	script->last_comm.text = (struct strbuf)STRBUF_INIT;
	script->last_event.text = (struct strbuf)STRBUF_INIT;
	script->inlined = stacks_string(into, "inlined", strlen("inlined"));
	script->unknown = new_frame(into, "[unknown]", "[unknown]");
	script->kernel = new_frame(into, "[unknown]", "[kernel.kallsyms]");
	script->lost_before = into->lost;
	if (into->n_events <= EVENTS_MOST)
		tally_stacks(into, script->tallies);
	return script;
}

void script_free(struct script *script)
{
	if (!script)
		return;
	free(script->cache);
	free(script->frames);
	strbuf_release(&script->pending);
	strbuf_release(&script->held);
	strbuf_release(&script->last_comm.text);
	strbuf_release(&script->last_event.text);
	free(script);
}

/* -------- what perf script has not written */

static int refuse_missing(uint64_t number, const char *fields, struct error *err)
{
	return error_set(err, ERR_INPUT, "line %llu: the sample has no %s; make the text with "
			 "perf script -F comm,pid,tid,time,period,event,ip,sym,dso", (unsigned long long)number, fields);
}

static int refuse_line(uint64_t number, struct span line, struct error *err)
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
			 (unsigned long long)number, shown.buf, line.len > QUOTED ? "..." : "");
}

static int refuse_long(uint64_t number, struct error *err)
{
	return error_set(err, ERR_INPUT, "line %llu: longer than %d bytes, which no line of perf script is; is the text "
			 "damaged?", (unsigned long long)number, SCRIPT_LINE_LARGEST);
}

/* -------- samples */

static uint32_t frame_number(struct script *script, struct span text)
{
	struct stacks *into = script->into;
	struct script_frame frame;
	uint32_t dso;

	script_frame(text, &frame);
	dso = stacks_string(into, frame.dso.text, frame.dso.len);
	script->any_inlined |= dso == script->inlined;
	return stacks_frame(into, stacks_string(into, frame.name.text, frame.name.len), dso);
}

/* "\t", the address in 16 columns, a blank: perf's own layout, and what is behind it; else all of LINE. */
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
	struct line_slot *slot;

	/* A line that is not laid out so is parsed whole: its symbol may look like an address. */
	if (key.text == line.text || key.len > LINE_CACHE_LONGEST)
		return frame_number(script, line);
	slot = line_cache_slot(script->cache, key.text, key.len);
	if (!line_slot_holds(slot, key.text, key.len))
		line_slot_set(slot, key.text, key.len, frame_number(script, line));
	return slot->number;
}

static int check_size(struct script *script, struct error *err)
{
	script->checked_text = script->into->text_len;
	if (stacks_bytes(script->into) <= STACKS_LARGEST)
		return 0;
	return error_set(err, ERR_INPUT, "line %llu: %zu different stacks and their names need more than the %d MiB they "
			 "may take; record fewer: a lower frequency, a shorter duration, call-graph fp",
			 (unsigned long long)script->line, script->into->n, STACKS_LARGEST >> 20);
}

static int add_frame(struct script *script, struct span line, struct error *err)
{
	uint32_t number;

	if (script->n_frames == FRAMES_MOST)
		return error_set(err, ERR_INPUT, "line %llu: the sample of line %llu has more than %d frames; "
				 "is the text damaged?", (unsigned long long)script->line,
				 (unsigned long long)script->header_line, FRAMES_MOST);
	VEC_GROW(script->frames, script->n_frames, script->cap_frames);
	number = cached_frame(script, line);
	/* Where the kernel's symbols are hidden perf names no file either. Only the leaf is no guess of an unwinder. */
	if (number == script->unknown && !script->n_frames && script_kernel_address(line))
		number = script->kernel;
	script->frames[script->n_frames++] = number;
	return script->into->text_len == script->checked_text ? 0 : check_size(script, err);
}

static void turn_round(uint32_t *frames, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t other = frames[n - 1 - i];

		frames[n - 1 - i] = frames[i];
		frames[i] = other;
	}
}

/* What was inlined is in the file of the function that holds it, which is the next towards the root. */
static void place_inlined(struct script *script)
{
	struct stacks *into = script->into;

	for (size_t i = 1; i < script->n_frames; i++) {
		struct frame *frame = &into->frames[script->frames[i]];

		if (frame->dso == script->inlined)
			script->frames[i] = stacks_frame(into, frame->name, into->frames[script->frames[i - 1]].dso);
	}
}

static int finish_sample(struct script *script, struct error *err)
{
	struct stacks *into = script->into;

	script->open = false;
	/* Perf could make nothing of the chain and tells no address either; the sample counts all the same. */
	if (!script->n_frames && add_frame(script, (struct span){ "", 0 }, err))
		return -1;
	turn_round(script->frames, script->n_frames);
	if (script->any_inlined)
		place_inlined(script);
	stacks_add(into, script->event, script->comm, script->frames, script->n_frames, 1, (double)script->period);
	script->n_frames = 0;
	return check_size(script, err);
}

/* -------- headers */

static bool remembers(const struct memo *memo, struct span name)
{
	return memo->known && memo->text.len == name.len && !memcmp(memo->text.buf, name.text, name.len);
}

static void remember(struct memo *memo, struct span name, uint32_t number)
{
	strbuf_reset(&memo->text);
	strbuf_add(&memo->text, name.text, name.len);
	memo->number = number;
	memo->known = true;
}

static uint32_t comm_number(struct script *script, struct span name)
{
	if (!remembers(&script->last_comm, name))
		remember(&script->last_comm, name, stacks_string(script->into, name.text, name.len));
	return script->last_comm.number;
}

static int event_number(struct script *script, struct span name, uint32_t *out, struct error *err)
{
	if (!remembers(&script->last_event, name))
		remember(&script->last_event, name, stacks_event(script->into, name.text, name.len));
	if (script->into->n_events > EVENTS_MOST)
		return error_set(err, ERR_INPUT, "line %llu: samples of more than %d different events; is this the text "
				 "of perf script?", (unsigned long long)script->line, EVENTS_MOST);
	*out = script->last_event.number;
	return 0;
}

static int take_header(struct script *script, const struct script_header *header, struct error *err)
{
	if (event_number(script, header->event, &script->event, err))
		return -1;
	script->comm = comm_number(script, header->comm);
	script->period = header->period;
	script->tallies[script->event].samples++;
	script->tallies[script->event].weight += (double)header->period;
	script->open = true;
	script->bare = header->tail == TAIL_OTHER;
	script->tail = header->tail == TAIL_FRAME;
	script->header_line = script->line;
	return script->tail ? add_frame(script, header->frame, err) : 0;
}

/* Perf tells of the same loss twice: records as its buffer ran over, and samples in the kernel's own count. */
static void take_record(struct script *script, struct span record)
{
	bool samples = false;
	uint64_t lost = script_record_lost(record, &samples);

	*(samples ? &script->lost_samples : &script->lost_records) += lost;
	script->into->lost = script->lost_before + (script->lost_samples > script->lost_records ?
						    script->lost_samples : script->lost_records);
}

static int refuse_held(const struct script *script, struct error *err)
{
	return refuse_line(script->held_line, (struct span){ script->held.buf, script->held.len }, err);
}

/* LINE with what is held before it. */
static int resume_held(struct script *script, struct span line, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf whole = STRBUF_INIT;
	struct script_header header;

	strbuf_addf(&whole, "%s\n", script->held.buf);
	strbuf_add(&whole, line.text, line.len);
	if (*line.text == '\t') {
		struct span held = { script->held.buf, script->held.len };

		return refuse_missing(script->held_line, script_missing_fields(held) ?: "comm, time and event", err);
	}
	if (!script_header((struct span){ whole.buf, whole.len }, &header) || header.comm.len > COMM_LARGEST)
		return refuse_held(script, err);
	strbuf_reset(&script->held);
	return take_header(script, &header, err);
}

static int hold_or_refuse(struct script *script, struct span line, struct error *err)
{
	if (line.len >= COMM_LARGEST || *line.text == '\t')
		return refuse_line(script->line, line, err);
	strbuf_add(&script->held, line.text, line.len);
	script->held_line = script->line;
	return 0;
}

static int between_samples(struct script *script, struct span line, struct error *err)
{
	struct script_header header;
	struct span record;

	if (script->held.len)
		return resume_held(script, line, err);
	if (script_header(line, &header))
		return take_header(script, &header, err);
	if (script_record(line, &record)) {
		take_record(script, record);
		return 0;
	}
	return *line.text == '#' ? 0 : hold_or_refuse(script, line, err);
}

static int take_below(struct script *script, struct span line, struct error *err)
{
	enum script_line kind = script_line_below(line);
	struct script_header header;
	bool is_header = *line.text != '\t' && script_header(line, &header);

	if (is_header && !script->n_frames && !script->bare)
		return refuse_missing(script->header_line, "ip", err);
	if (is_header || kind == LINE_NO_FRAME)
		return finish_sample(script, err) ? -1 : between_samples(script, line, err);
	if (kind == LINE_SOURCE)
		return 0;
	if (kind == LINE_INSTRUCTION)
		return finish_sample(script, err);
	if (kind == LINE_ADDRESS)
		return refuse_missing(script->line, "sym", err);
	/* So that was the address of -F addr. */
	if (script->tail)
		script->n_frames = 0;
	script->tail = false;
	return add_frame(script, line, err);
}

static int take_line(struct script *script, const char *text, size_t len, struct error *err)
{
	struct span line = { text, len };

	script->line++;
	if (len > SCRIPT_LINE_LARGEST)
		return refuse_long(script->line, err);
	if (len && text[len - 1] == '\r')
		line.len--;
	if (!script->open)
		return line.len ? between_samples(script, line, err) : 0;
	if (!line.len)
		return finish_sample(script, err);
	/* Nearly all lines are such frames, as perf lays them out. */
	if (*text == '\t' && !script->tail && behind_ip(line).text != text)
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

/* The end of the line that an earlier piece began; *TAKEN bytes of DATA. */
static int take_pending(struct script *script, const char *data, size_t len, size_t *taken, struct error *err)
{
	const char *end = memchr(data, '\n', len);

	*taken = end ? (size_t)(end - data) + 1 : len;
	if (keep_rest(script, data, end ? *taken - 1 : len, err))
		return -1;
	if (!end)
		return 0;
	if (take_line(script, script->pending.buf, script->pending.len, err))
		return -1;
	strbuf_reset(&script->pending);
	return 0;
}

static int take_lines(struct script *script, const char *data, size_t len, struct error *err)
{
	const char *end = data + len, *newline;
	size_t taken = 0;

	if (!len)
		return 0;
	if (script->pending.len && take_pending(script, data, len, &taken, err))
		return -1;
	for (data += taken; data < end && (newline = memchr(data, '\n', (size_t)(end - data))); data = newline + 1)
		if (take_line(script, data, (size_t)(newline - data), err))
			return -1;
	return data < end ? keep_rest(script, data, (size_t)(end - data), err) : 0;
}

int script_feed(struct script *script, const char *data, size_t len, struct error *err)
{
	const char *nul = len ? memchr(data, '\0', len) : NULL;

	if (take_lines(script, data, nul ? (size_t)(nul - data) : len, err))
		return -1;
	if (!nul)
		return 0;
	return error_set(err, ERR_INPUT, "line %llu: this is no text of perf script: it holds a NUL byte, as binary files do",
			 (unsigned long long)script->line + 1);
}

static int check_sums(const struct script *script, struct error *err)
{
	CLEANUP(free_ptr) struct tally *found = xcalloc(EVENTS_MOST, sizeof *found);
	const struct stacks *into = script->into;

	if (into->n_events > EVENTS_MOST)
		return 0;
	tally_stacks(into, found);
	for (size_t i = 0; i < into->n_events; i++)
		/* Above 2^53 a double rounds, each sum in its own order. */
		if (found[i].samples != script->tallies[i].samples ||
		    fabs(found[i].weight - script->tallies[i].weight) > 1e-9 * script->tallies[i].weight)
			return error_set(err, ERR_SYSTEM, "event %s: %llu samples of weight %.0f were read, but the stacks "
					 "hold %llu of weight %.0f; this is a defect of pawl",
					 stacks_text(into, into->events[i].name),
					 (unsigned long long)script->tallies[i].samples, script->tallies[i].weight,
					 (unsigned long long)found[i].samples, found[i].weight);
	return 0;
}

int script_end(struct script *script, struct error *err)
{
	if (script->pending.len)
		return error_set(err, ERR_INPUT, "line %llu: the text is cut off in the midst of this line; make it "
				 "again", (unsigned long long)script->line + 1);
	if (script->held.len)
		return refuse_held(script, err);
	if (script->open && (script->tail || (script->bare && !script->n_frames)) && finish_sample(script, err))
		return -1;
	if (script->open)
		return error_set(err, ERR_INPUT, "line %llu: the text is cut off in the midst of the sample that line "
				 "%llu begins: the empty line behind its frames is missing; make it again",
				 (unsigned long long)script->line, (unsigned long long)script->header_line);
	return stacks_exact(script->into, err) < 0 ? -1 : check_sums(script, err);
}
