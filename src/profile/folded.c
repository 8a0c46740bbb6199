#include "profile/folded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* -------- names of frames and threads */

/* Replaces characters that would end a frame. */
static void add_harmless(struct strbuf *out, const char *name)
{
	CLEANUP(free_ptr) char *frame = xstrdup(name);

	for (char *c = frame; (c = strchr(c, ';')); c++)
		*c = ':';
	escape_terminal(out, frame);
}

void folded_frame_name(const struct stacks *stacks, uint32_t frame, struct strbuf *out)
{
	const char *name = stacks_frame_shown(stacks, frame), *file = stacks_text(stacks, stacks->frames[frame].file);
	bool brackets;

	if (*name && strcmp(name, "[unknown]") != 0) {
		add_harmless(out, name);
		return;
	}
	if (!*file)
		file = "[unknown]";
	brackets = *file != '[';
	strbuf_adds(out, brackets ? "[" : "");
	add_harmless(out, file);
	strbuf_adds(out, brackets ? "]" : "");
}

bool folded_thread_name(const struct stacks *stacks, const struct stack *stack, struct strbuf *out)
{
	const char *comm = stacks_text(stacks, stack->comm), *event = stacks_text(stacks, stacks->events[stack->event].name);

	/* Waits are read from folded text, too. */
	if (!*comm && (!strcmp(event, FOLDED_EVENT) || !strcmp(event, STACKS_WAITING)))
		return false;
	add_harmless(out, *comm ? comm : "[no name]");
	return true;
}

/* -------- writing */

struct line {
	size_t at, len;		/* in the whole text */
	double weight;
};

struct writing {
	const struct stacks *stacks;
	struct strbuf names;	/* all frames' names, concatenated, because most frames are on many stacks */
	size_t *name_at;	/* in `names`, plus one for its end */
	struct strbuf text;
	struct line *lines;
};

static void writing_release(struct writing *w)
{
	strbuf_release(&w->names);
	free(w->name_at);
	strbuf_release(&w->text);
	free(w->lines);
}

static void add_stack(struct writing *w, const struct stack *stack)
{
	const struct stacks *stacks = w->stacks;
	struct strbuf *out = &w->text;
	size_t start = out->len;

	if (stacks->n_events > 1) {
		strbuf_addc(out, '[');
		add_harmless(out, stacks_text(stacks, stacks->events[stack->event].name));
		strbuf_adds(out, "];");
	}
	if (folded_thread_name(stacks, stack, out))
		strbuf_addc(out, ';');
	for (uint32_t i = 0; i < stack->n; i++) {
		uint32_t frame = stacks->pool[stack->first + i];

		strbuf_add(out, w->names.buf + w->name_at[frame], w->name_at[frame + 1] - w->name_at[frame]);
		strbuf_addc(out, ';');
	}
	if (out->len > start)
		strbuf_truncate(out, out->len - 1);
	else
		strbuf_adds(out, "[unknown]");
	/* A thread may be called "# x", which would be read as a comment. */
	if (folded_comment(out->buf + start, out->len - start))
		out->buf[start] = '?';
}

static int compare_lines(const void *a, const void *b, void *text)
{
	const struct line *x = a, *y = b;
	size_t least = x->len < y->len ? x->len : y->len;
	int order = memcmp((const char *)text + x->at, (const char *)text + y->at, least);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* The fewest decimals that read back as the same number. */
static void add_weight(struct strbuf *out, double weight)
{
	char text[400];

	for (int decimals = 0; decimals <= 17; decimals++) {
		snprintf(text, sizeof text, "%.*f", decimals, weight);
		if (strtod(text, NULL) == weight)
			break;
	}
	strbuf_adds(out, text);
}

int folded_write(const struct stacks *stacks, enum folded_order order, struct strbuf *out, struct error *err)
{
	CLEANUP(writing_release) struct writing w = { .stacks = stacks, .names = STRBUF_INIT, .text = STRBUF_INIT };
	double sum = 0, total = 0;

	w.name_at = xcalloc(stacks->n_frames + 1, sizeof *w.name_at);
	for (uint32_t i = 0; i < stacks->n_frames; i++) {
		folded_frame_name(stacks, i, &w.names);
		/* "[kernel]" needs no suffix. */
		if (stacks->frames[i].kernel && w.names.buf[w.name_at[i]] != '[')
			strbuf_adds(&w.names, FOLDED_KERNEL);
		w.name_at[i + 1] = w.names.len;
	}
	w.lines = xcalloc(stacks->n + 1, sizeof *w.lines);
	for (size_t i = 0; i < stacks->n; i++) {
		w.lines[i] = (struct line){ .at = w.text.len, .weight = stacks->items[i].weight };
		add_stack(&w, &stacks->items[i]);
		w.lines[i].len = w.text.len - w.lines[i].at;
	}
	if (order == FOLDED_BY_TEXT)
		qsort_r(w.lines, stacks->n, sizeof *w.lines, compare_lines, w.text.buf);
	for (size_t i = 0; i < stacks->n;) {
		const struct line *line = &w.lines[i];
		double weight = line->weight;

		/* Stacks with the same text are one line. */
		while (++i < stacks->n && !compare_lines(line, &w.lines[i], w.text.buf))
			weight += w.lines[i].weight;
		strbuf_add(out, w.text.buf + line->at, line->len);
		strbuf_addc(out, ' ');
		add_weight(out, weight);
		strbuf_addc(out, '\n');
		sum += weight;
	}
	for (size_t i = 0; i < stacks->n_events; i++) {
		total += stacks->events[i].weight;
		if (!stacks_complete(stacks, (uint32_t)i))
			return error_set(err, ERR_SYSTEM, "the stacks of event %.60s do not add up to its samples: a fault of pawl, please report it",
					 stacks_text(stacks, stacks->events[i].name));
	}
	if (fabs(sum - total) > 1e-9 * total)
		return error_set(err, ERR_SYSTEM, "the folded stacks weigh %.0f, the samples %.0f: a fault of pawl, please report it",
				 sum, total);
	return 0;
}

/* -------- reading */

struct folded_line {
	const char *text;
	size_t len;		/* of the stack without its weight */
	double weight;
};

struct folded_text {
	struct folded_line *items;
	size_t n, cap;
	size_t doubled;		/* lines whose stack also ends in a number */
	uint32_t *frames;	/* of the line being parsed */
	size_t n_frames, cap_frames;
};

static void folded_text_release(struct folded_text *text)
{
	free(text->items);
	free(text->frames);
}

/* Start of the number that ends the LEN bytes at TEXT and follows a blank; 0 if none. */
static size_t number_at(const char *text, size_t len)
{
	size_t i = len;

	while (i && ((text[i - 1] >= '0' && text[i - 1] <= '9') || text[i - 1] == '.'))
		i--;
	return i && i < len && (text[i - 1] == ' ' || text[i - 1] == '\t') ? i : 0;
}

static bool read_weight(const char *text, size_t len, double *out)
{
	char copy[64], *end;
	double weight;

	if (len >= sizeof copy)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	weight = strtod(copy, &end);
	if (end == copy || *end || !(weight >= 0 && weight < 1e300))
		return false;
	*out = weight;
	return true;
}

static size_t trimmed(const char *text, size_t len)
{
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t' || text[len - 1] == '\r'))
		len--;
	return len;
}

bool folded_comment(const char *line, size_t len)
{
	return line[0] == '#' && (len == 1 || line[1] == ' ' || line[1] == '=');
}

static int compare_unnumbered(const void *a, const void *b)
{
	const struct folded_line *x = a, *y = b;
	size_t x_len = number_at(x->text, x->len), y_len = number_at(y->text, y->len), least = x_len < y_len ? x_len : y_len;
	int order = memcmp(x->text, y->text, least);

	return order ? order : (x_len > y_len) - (x_len < y_len);
}

/* True if stacks repeat except for their final number. In a difference of two profiles each stack occurs once. */
static bool numbers_are_names(const struct folded_text *text)
{
	CLEANUP(free_ptr) struct folded_line *sorted = xcalloc(text->n, sizeof *sorted);
	bool repeat = false;

	memcpy(sorted, text->items, text->n * sizeof *sorted);
	qsort(sorted, text->n, sizeof *sorted, compare_unnumbered);
	for (size_t i = 1; i < text->n; i++)
		repeat |= !compare_unnumbered(&sorted[i - 1], &sorted[i]);
	return repeat;
}

static int read_lines(const char *text, size_t size, struct folded_text *into, struct error *err)
{
	const char *end = text + size, *stop;

	text += text_byte_order_mark(text, size);
	for (size_t number = 1; text < end; number++, text = stop + 1) {
		struct folded_line line = { .text = text };
		size_t len, at;

		stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
		len = trimmed(text, (size_t)(stop - text));
		if (!len || folded_comment(text, len))
			continue;
		at = number_at(text, len);
		if (memchr(text, '\0', len) || !at || !read_weight(text + at, len - at, &line.weight))
			return error_set(err, ERR_INPUT, "line %zu: expected a stack and its weight, as in 'main;work 12', found '%.*s'",
					 number, (int)(len < 80 ? len : 80), text);
		line.len = trimmed(text, at);
		/* heaptrack also puts ';' after the last frame. */
		line.len -= line.len > 1 && text[line.len - 1] == ';';
		if (!line.len)
			return error_set(err, ERR_INPUT, "line %zu: there is a weight, but no stack before it", number);
		into->doubled += number_at(text, line.len) != 0;
		*VEC_ADD(into->items, into->n, into->cap) = line;
	}
	/* A few such lines may be of a thread called "worker 1". */
	if (into->doubled && into->doubled == into->n && memchr(into->items[0].text, ';', into->items[0].len) &&
	    !numbers_are_names(into))
		return error_set(err, ERR_INPUT, "every line has two weights, as difffolded.pl writes them: give the two profiles apart, "
				 "as in pawl flamegraph --diff BASE HEAD; if the first belongs to a name, write it without the blank");
	return 0;
}

static uint64_t greatest_common(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The weight of one sample, see stacks.h; 0: unknown. */
static double weight_of_sample(const struct folded_text *text)
{
	uint64_t common = 0;
	double sum = 0;

	for (size_t i = 0; i < text->n; i++) {
		double weight = text->items[i].weight;

		if (weight != floor(weight) || weight > 9007199254740992.0)
			return 0;
		common = greatest_common((uint64_t)weight, common);
		sum += weight;
	}
	if (sum <= FOLDED_SAMPLES_BELIEVED)
		return 1;
	return sum / (double)common <= FOLDED_SAMPLES_BELIEVED ? (double)common : 0;
}

/* Fills INTO's frames. */
static int split(struct stacks *stacks, const struct folded_line *line, struct folded_text *into, struct error *err)
{
	const char *text = line->text, *end = text + line->len;
	size_t mark = strlen(FOLDED_KERNEL);

	into->n_frames = 0;
	for (;;) {
		const char *stop = memchr(text, ';', (size_t)(end - text));
		size_t len = (size_t)((stop ?: end) - text);
		bool kernel = len > mark && text_ends(text, len, FOLDED_KERNEL);

		if (into->n_frames == FOLDED_FRAMES_MOST)
			return error_set(err, ERR_INPUT, "a stack has more than %d frames, which no program's has; it begins with '%.60s'",
					 FOLDED_FRAMES_MOST, line->text);
		VEC_GROW(into->frames, into->n_frames, into->cap_frames);
		into->frames[into->n_frames++] = stacks_frame_of(stacks, text, kernel ? len - mark : len, kernel ? STACKS_KERNEL : "");
		if (!stop)
			return 0;
		text = stop + 1;
	}
}

int folded_read(const char *text, size_t len, struct stacks *stacks, struct error *err)
{
	CLEANUP(folded_text_release) struct folded_text lines = { 0 };
	uint32_t event;
	double unit;

	if (read_lines(text, len, &lines, err) < 0)
		return -1;
	if (!lines.n)
		return 0;
	unit = weight_of_sample(&lines);
	event = stacks_event(stacks, FOLDED_EVENT, strlen(FOLDED_EVENT));
	for (size_t i = 0; i < lines.n; i++) {
		const struct folded_line *line = &lines.items[i];

		if (split(stacks, line, &lines, err) < 0)
			return -1;
		stacks_add(stacks, (struct stack_sample){ event, 0, lines.frames, lines.n_frames,
			   unit > 0 ? (uint64_t)(line->weight / unit) : line->weight > 0, line->weight });
		if (stacks->n > FOLDED_STACKS_LARGEST)
			return error_set(err, ERR_INPUT, "there are more than %d different stacks: leave out what makes every one "
					 "different, such as addresses and numbers in names", FOLDED_STACKS_LARGEST);
		if (stacks_bytes(stacks) > STACKS_LARGEST)
			return error_set(err, ERR_INPUT, "%zu different stacks and their names need more than the %d MiB they may take",
					 stacks->n, STACKS_LARGEST >> 20);
	}
	return stacks_exact(stacks, err);
}
