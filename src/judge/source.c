#include "judge/source.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/touched.h"
#include "model/side.h"

/* Longer functions are shown as far; comparing takes the product of what differs of both. */
enum { ROWS_MOST = 20000, COMPARED_MOST = 16 << 20 };

/* One side of the function. */
struct side {
	const struct work *work;
	const char *text, *path;
	struct outline outline;		/* of TEXT */
	const char **lines;		/* of it, from line 1 */
	unsigned n_lines;
	struct line_span span;
	double *costs;			/* of its lines, as lines are */
};

static void sides_release(struct side (*sides)[SIDES])
{
	for (int i = 0; i < SIDES; i++)
		outline_release(&(*sides)[i].outline);
}

void source_rows_release(struct source_rows *rows)
{
	arena_release(&rows->arena);
	*rows = (struct source_rows){ 0 };
}

/* -------- whose lines */

static bool same_function(const struct code *f, const struct code *code)
{
	return f == code || (!strcmp(f->key, code->key) &&
			     (!f->source || !code->source || !strcmp(path_name(f->source), path_name(code->source))));
}

const char *source_path(const struct work *work, const struct code *code)
{
	for (size_t i = 0; work && i < work->n_functions; i++)
		if (work->functions[i].code.source && same_function(&work->functions[i].code, code))
			return work->functions[i].code.source;
	return NULL;
}

static bool is_there(const struct work *work, const struct code *code)
{
	for (size_t i = 0; work && i < work->n_functions; i++)
		if (same_function(&work->functions[i].code, code))
			return true;
	return false;
}

static bool is_its_line(const struct work *work, const struct work_line *line, const struct code *code)
{
	return line->source && line->function < work->n_functions && same_function(&work->functions[line->function].code, code);
}

/* The function of that name in which most of its lines were executed. */
static void find_span(struct side *s, const struct code *code)
{
	size_t best = 0;

	for (size_t i = 0; i < s->outline.n; i++) {
		const struct outline_item *item = &s->outline.items[i];
		size_t executed = 1;

		if (item->kind != OUTLINE_FUNCTION || !symbol_is_named(code->key, item->name))
			continue;
		for (size_t k = 0; k < s->work->n_lines; k++) {
			const struct work_line *l = &s->work->lines[k];

			executed += l->line >= item->first && l->line <= item->last && is_its_line(s->work, l, code) &&
				!strcmp(l->source, s->path);
		}
		if (executed > best)
			s->span = (struct line_span){ item->first, item->last };
		best = executed > best ? executed : best;
	}
	/* What has no head, such as a script's own lines: as far as it was executed. */
	for (size_t k = 0; k < s->work->n_lines && !best; k++) {
		const struct work_line *l = &s->work->lines[k];

		if (!is_its_line(s->work, l, code) || strcmp(l->source, s->path) != 0 || !l->line)
			continue;
		s->span.first = s->span.first && s->span.first < l->line ? s->span.first : l->line;
		s->span.last = s->span.last > l->line ? s->span.last : l->line;
	}
	if (s->span.last > s->n_lines)
		s->span.last = s->n_lines;
	if (s->span.first > s->span.last)
		s->span = (struct line_span){ 0 };
	if (s->span.last - s->span.first >= ROWS_MOST)
		s->span.last = s->span.first + ROWS_MOST - 1;
}

static void cut_lines(struct arena *arena, struct side *s)
{
	unsigned n = 0;

	s->lines = arena_alloc(arena, (s->outline.n_lines + 1) * sizeof *s->lines);
	s->costs = arena_alloc(arena, (s->outline.n_lines + 1) * sizeof *s->costs);
	for (const char *at = s->text; *at && n < s->outline.n_lines; n++) {
		size_t len = strcspn(at, "\n");

		s->lines[n] = arena_strndup(arena, at, len);
		at += len + (at[len] == '\n');
	}
	s->n_lines = n;
}

static void take_side(struct arena *arena, struct side *s, const struct code *code)
{
	s->path = source_path(s->work, code);
	if (!s->path || !s->text)
		return;
	outline_read(s->text, strlen(s->text), outline_language(s->path, s->text), &s->outline);
	cut_lines(arena, s);
	find_span(s, code);
}

/* -------- inlined lines */

#define INLINED "inlined: "

static void add_inlined(struct source_rows *out, const struct side *s, int side, const struct work_line *line)
{
	bool here = s->path && !strcmp(line->source, s->path);
	const struct outline_item *item = here ? outline_at(&s->outline, line->line) : NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct source_row *row = NULL;

	if (item)
		strbuf_addf(&text, INLINED "%s", item->name);
	else
		strbuf_addf(&text, "inlined from %s", path_name(line->source));
	for (size_t i = out->n; i-- && out->items[i].kind == ROW_INLINED && !row;)
		if (!strcmp(out->items[i].text, text.buf))
			row = &out->items[i];
	if (!row) {
		ARENA_GROW(&out->arena, out->items, out->n, out->cap);
		row = &out->items[out->n++];
		*row = (struct source_row){ .kind = ROW_INLINED, .text = arena_strdup(&out->arena, text.buf) };
	}
	*(side == HEAD ? &row->head : &row->base) += line->self;
}

/* Costs of the lines of its file. */
static void take_costs(struct side *s, const struct code *code)
{
	for (size_t i = 0; s->span.first && i < s->work->n_lines; i++) {
		const struct work_line *l = &s->work->lines[i];

		if (l->line && l->line <= s->n_lines && is_its_line(s->work, l, code) && !strcmp(l->source, s->path))
			s->costs[l->line - 1] += l->self;
	}
}

static void take_inlined(struct source_rows *out, const struct side *s, int side, const struct code *code)
{
	for (size_t i = 0; s->span.first && i < s->work->n_lines; i++) {
		const struct work_line *l = &s->work->lines[i];
		bool own = l->line >= s->span.first && l->line <= s->span.last && l->source && !strcmp(l->source, s->path);

		if (!own && is_its_line(s->work, l, code))
			add_inlined(out, s, side, l);
	}
}

/* -------- both beside each other */

static void add_row(struct source_rows *out, const struct side *base, const struct side *head, unsigned base_line, unsigned line)
{
	ARENA_GROW(&out->arena, out->items, out->n, out->cap);
	out->items[out->n++] = (struct source_row){
		.kind = base_line && line ? ROW_SAME : line ? ROW_ADDED : ROW_REMOVED,
		.line = line, .base_line = base_line,
		.text = line ? head->lines[line - 1] : base->lines[base_line - 1],
		.base = base_line ? base->costs[base_line - 1] : 0,
		.head = line ? head->costs[line - 1] : 0,
	};
}

static bool same_line(const struct side *base, unsigned base_line, const struct side *head, unsigned line)
{
	return !strcmp(base->lines[base_line - 1], head->lines[line - 1]);
}

/*
 * What lies between what both begin and end with: B lines of the base from FROM_BASE, H of the head from FROM_HEAD, by the
 * longest common subsequence.
 */
static void add_middle(struct source_rows *out, const struct side *base, const struct side *head, unsigned from_base, unsigned b,
		       unsigned from_head, unsigned h)
{
	bool compared = (uint64_t)(b + 1) * (h + 1) <= COMPARED_MOST;
	CLEANUP(free_ptr) uint16_t *longest = compared ? xcalloc((size_t)(b + 1) * (h + 1), sizeof *longest) : NULL;
	unsigned i = 0, j = 0;

	for (unsigned x = b; compared && x-- > 0;)
		for (unsigned y = h; y-- > 0;) {
			uint16_t *at = &longest[(size_t)x * (h + 1) + y];
			uint16_t below = at[h + 1], right = at[1];

			*at = same_line(base, from_base + x, head, from_head + y) ? at[h + 2] + 1 : below > right ? below : right;
		}
	while (i < b || j < h) {
		const uint16_t *at = compared ? &longest[(size_t)i * (h + 1) + j] : NULL;

		if (compared && i < b && j < h && same_line(base, from_base + i, head, from_head + j)) {
			add_row(out, base, head, from_base + i++, from_head + j++);
		} else if (i < b && (j == h || !compared || at[h + 1] >= at[1])) {
			add_row(out, base, head, from_base + i++, 0);
		} else {
			add_row(out, base, head, 0, from_head + j++);
		}
	}
}

static void add_rows(struct source_rows *out, const struct side *base, const struct side *head)
{
	unsigned b = base->span.first, h = head->span.first;
	unsigned n_b = b ? base->span.last - b + 1 : 0, n_h = h ? head->span.last - h + 1 : 0, end = 0;

	for (; n_b && n_h && same_line(base, b, head, h); n_b--, n_h--)
		add_row(out, base, head, b++, h++);
	while (end < n_b && end < n_h && same_line(base, b + n_b - 1 - end, head, h + n_h - 1 - end))
		end++;
	add_middle(out, base, head, b, n_b - end, h, n_h - end);
	for (b += n_b - end, h += n_h - end; end; end--)
		add_row(out, base, head, b++, h++);
}

/* The lines of what was inlined from the same file, behind the row that names it. */
static void add_inlined_lines(struct source_rows *out, const struct side sides[SIDES], const struct source_row *title)
{
	struct side of[SIDES] = { sides[BASE], sides[HEAD] };
	const char *name = text_starts(title->text, INLINED) ? title->text + strlen(INLINED) : NULL;

	for (int side = 0; side < SIDES; side++) {
		of[side].span = (struct line_span){ 0 };
		for (size_t i = 0; name && sides[side].span.first && i < of[side].outline.n; i++) {
			const struct outline_item *item = &of[side].outline.items[i];

			if (item->last <= of[side].n_lines && !strcmp(item->name, name))
				of[side].span = (struct line_span){ item->first, item->last };
		}
	}
	if (of[BASE].span.first || of[HEAD].span.first)
		add_rows(out, &of[BASE], &of[HEAD]);
}

bool source_rows_make(const struct code *code, const struct work *base, const char *base_text, const struct work *head,
		      const char *head_text, struct source_rows *out)
{
	CLEANUP(sides_release) struct side sides[SIDES] = {
		{ .work = base, .text = base_text }, { .work = head, .text = head_text },
	};
	CLEANUP(source_rows_release) struct source_rows rows = { 0 }, inlined = { 0 };

	for (int side = 0; side < SIDES; side++) {
		take_side(&rows.arena, &sides[side], code);
		take_costs(&sides[side], code);
	}
	if (!sides[BASE].span.first && !sides[HEAD].span.first)
		return false;
	rows.function = arena_strdup(&rows.arena, code->function);
	rows.path = arena_strdup(&rows.arena, sides[HEAD].span.first ? sides[HEAD].path : sides[BASE].path);
	add_rows(&rows, &sides[BASE], &sides[HEAD]);
	for (int side = 0; side < SIDES; side++)
		take_inlined(&inlined, &sides[side], side, code);
	for (size_t i = 0; i < rows.n; i++) {
		rows.base += rows.items[i].base;
		rows.head += rows.items[i].head;
	}
	for (size_t i = 0; i < inlined.n; i++) {
		ARENA_GROW(&rows.arena, rows.items, rows.n, rows.cap);
		rows.items[rows.n] = inlined.items[i];
		rows.items[rows.n++].text = arena_strdup(&rows.arena, inlined.items[i].text);
		rows.base += inlined.items[i].base;
		rows.head += inlined.items[i].head;
		add_inlined_lines(&rows, sides, &inlined.items[i]);
	}
	for (int side = 0; side < SIDES; side++) {
		if (sides[side].span.first || !is_there(sides[side].work, code))
			continue;
		*(side == HEAD ? &rows.head : &rows.base) = NAN;
		for (size_t i = 0; i < rows.n; i++)
			rows.items[i].kind = rows.items[i].kind == ROW_INLINED ? ROW_INLINED : ROW_SAME;
	}
	*out = rows;
	rows = (struct source_rows){ 0 };
	return true;
}
