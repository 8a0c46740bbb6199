#include "profile/flame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/profile.h"
#include "profile/folded.h"

enum { SAMPLES_COMPARED = 100, LEVELS = 6 };

/*
 * Limits of a piece for a page: frames per view, levels, and bytes of a name in a tooltip. Deeper levels are left
 * out; those above the shown ones wait until the reader asks for them.
 */
enum { PIECE_FRAMES = 480, PIECE_VANISHED = 100, PIECE_LEVELS = 48, PIECE_LEVELS_SHOWN = 20, PIECE_NAME = 160 };

/* Vanished frames get a view only from this share of the base on. */
#define PIECE_VANISHED_LEAST 0.02

/* The shell that starts a command. A page leaves it out, unless it has more than this share. */
#define SHELL_MOST 0.1

/* Pixels; the style sheet sets the letter sizes. The script makes the picture as wide as its window. */
enum { WIDTH = 1200, FRAME_HEIGHT = 16, LINE = 18, TOOLBAR = 32, MARGIN = 10, FONT_SIZE = 12, TITLE_SIZE = 17 };
static const double letter_width = FONT_SIZE * 0.6;
/* A page's letters, its small size. */
static const double piece_letter_width = 13 * 0.6;

/* Margins at both sides, in percent, so that the picture can have any width. */
static const double free_pct = 0.8;

/* The meaning of widths. A difference has all three views. */
enum view {
	VIEW_HEAD,
	VIEW_BASE,
	VIEW_VANISHED,		/* BASE's weight of frames missing in HEAD, below their callers */
	VIEWS,
};

struct box {
	double x, width;		/* shares of the whole width, from 0 to 1 */
	double pruned;			/* part of its width whose children are too narrow to draw */
	bool drawn;
};

/*
 * The position of each frame. Frames narrower than the least width are left out with everything above them, and
 * counted.
 */
struct layout {
	struct box *boxes;		/* one per node */
	double least_width;		/* of frames that are drawn */
	double total;			/* weight of the whole width; 0: empty */
	uint32_t most_levels;		/* of frames that are drawn; 0: all */
	bool cut;			/* further levels were left out */
	uint32_t deepest;		/* deepest level drawn */
	size_t n_pruned;
	double pruned;			/* share of the whole that shows only as gaps */
};

/* The unit of a profile's weights. */
struct unit {
	const char *name;	/* "samples", "cycles"; "" if unnamed */
	bool time;		/* nanoseconds, shown as time */
	bool counts;		/* weight equals the number of samples, which is shown once */
	bool scaled;		/* values shown are weights times a factor */
};

struct picture {
	const struct flame_options *options;
	const struct stacks *head, *base;
	struct flame_tree tree;
	struct unit unit;
	struct layout layouts[VIEWS];
	int n_views;
	double largest;			/* largest change of a difference */
	double y;			/* current height */
	bool piece;			/* of a page, without a script */
	struct strbuf *out;
};

/* -------- positions of frames */

static void place_children(struct layout *layout, const struct flame_tree *tree, uint32_t parent, const double *weights)
{
	const struct flame_node *node = &tree->nodes[parent];
	struct box *under = &layout->boxes[parent];
	double x = under->x;

	for (uint32_t i = 0; i < node->n; i++) {
		uint32_t child = tree->children[node->first + i];
		struct box *box = &layout->boxes[child];

		*box = (struct box){ .x = x, .width = weights[child] / layout->total };
		x += box->width;
		box->drawn = under->drawn && weights[child] > 0 && box->width >= layout->least_width &&
			     (!layout->most_levels || tree->nodes[child].depth <= layout->most_levels);
		if (box->drawn && tree->nodes[child].depth > layout->deepest)
			layout->deepest = tree->nodes[child].depth;
		layout->cut |= layout->most_levels && tree->nodes[child].depth > layout->most_levels;
		layout->n_pruned += !box->drawn && weights[child] > 0;
		if (under->drawn && !box->drawn)
			under->pruned += box->width;
	}
	layout->pruned += under->pruned;
}

static void place(struct layout *layout, const struct flame_tree *tree, const double *weights)
{
	layout->deepest = 0;
	layout->n_pruned = 0;
	layout->pruned = 0;
	layout->boxes[0] = (struct box){ .width = 1, .drawn = true };
	for (uint32_t i = 0; i < tree->n; i++) {
		layout->boxes[i].pruned = 0;
		place_children(layout, tree, i, weights);
	}
}

static int by_width(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* Raises the least width until at most MOST frames remain. */
static void thin_out(struct layout *layout, const struct flame_tree *tree, const double *weights, size_t most)
{
	CLEANUP(free_ptr) double *widths = xcalloc(tree->n, sizeof *widths);
	size_t n = 0;

	for (size_t i = 0; i < tree->n; i++)
		if (layout->boxes[i].drawn)
			widths[n++] = layout->boxes[i].width;
	if (n <= most)
		return;
	qsort(widths, n, sizeof *widths, by_width);
	layout->least_width = widths[most] * (1 + 1e-9);
	place(layout, tree, weights);
}

static void lay_out(struct picture *p, enum view view)
{
	const struct flame_tree *tree = &p->tree;
	CLEANUP(free_ptr) double *weights = xcalloc(tree->n, sizeof *weights);
	enum flame_side side = view == VIEW_BASE ? FLAME_BASE : FLAME_HEAD;
	uint64_t samples = tree->nodes[0].side[view == VIEW_HEAD ? FLAME_HEAD : FLAME_BASE].samples;
	struct layout *layout = &p->layouts[view];

	/* Children follow their parents, so a loop from the end adds up all subtrees. */
	for (size_t i = tree->n; i--;) {
		const struct flame_node *node = &tree->nodes[i];
		const struct flame_sum *head = &node->side[FLAME_HEAD];

		if (view != VIEW_VANISHED) {
			weights[i] = node->side[side].weight;
		} else if (i) {
			weights[i] += head->samples || head->weight > 0 ? 0 : node->side[FLAME_BASE].self;
			weights[node->parent] += weights[i];
		}
	}

	for (uint32_t i = 0; p->piece && i < tree->nodes[0].n; i++) {
		uint32_t thread = tree->children[tree->nodes[0].first + i];

		if (strcmp(flame_tree_name(tree, thread), "sh") != 0 || weights[thread] > SHELL_MOST * weights[0])
			continue;
		weights[0] -= weights[thread];
		weights[thread] = 0;
	}
	/*
	 * A tenth of a pixel. For a difference two samples, because one is never a change; folded text may lack
	 * sample counts.
	 */
	layout->least_width = 0.1 / WIDTH;
	if (p->base && samples >= SAMPLES_COMPARED)
		layout->least_width = fmax(layout->least_width, 1.5 / (double)samples);

	layout->boxes = xcalloc(tree->n, sizeof *layout->boxes);
	layout->total = weights[0];
	layout->most_levels = p->piece ? PIECE_LEVELS : 0;
	if (!(weights[0] > 0))
		return;
	place(layout, tree, weights);
	if (p->piece)
		thin_out(layout, tree, weights, view == VIEW_VANISHED ? PIECE_VANISHED : PIECE_FRAMES);
}

/* -------- weights as text */

static struct unit unit_of(const struct stacks *stacks, const struct flame_options *options)
{
	const char *event = stacks->n_events ? stacks_text(stacks, stacks->events[0].name) : "";
	bool scaled = options->scale == FLAME_ABSOLUTE;
	double weight = 0, samples = 0;

	for (size_t i = 0; i < stacks->n_events; i++) {
		weight += stacks->events[i].weight;
		samples += (double)stacks->events[i].samples;
	}
	if (options->count_name)
		return (struct unit){ .name = options->count_name, .scaled = scaled };
	/* Only the caller knows the unit of a weight times a factor. */
	if (scaled && (options->side[FLAME_BASE].factor > 0 || options->side[FLAME_HEAD].factor > 0))
		return (struct unit){ .name = "", .scaled = true };
	if (weight == samples)
		return (struct unit){ .name = "samples", .counts = true, .scaled = scaled };
	if (profile_event_is_clock(event) || !strcmp(event, STACKS_WAITING))
		return (struct unit){ .name = event, .time = true, .scaled = scaled };
	return (struct unit){ .name = strcmp(event, FOLDED_EVENT) && stacks->n_events == 1 ? event : "", .scaled = scaled };
}

static void add_count(struct strbuf *out, uint64_t value)
{
	char text[32];
	int at = sizeof text, digits = 0;

	do {
		if (digits && digits % 3 == 0)
			text[--at] = ',';
		text[--at] = (char)('0' + value % 10);
		value /= 10;
		digits++;
	} while (value);
	strbuf_add(out, text + at, sizeof text - (size_t)at);
}

static void add_samples(struct strbuf *out, uint64_t samples)
{
	add_count(out, samples);
	strbuf_adds(out, samples == 1 ? " sample" : " samples");
}

/* "12.3 ms", "1,234 cycles"; the unit's name is not escaped. */
static void add_weight(struct strbuf *out, double weight, const struct unit *unit)
{
	static const struct {
		double least, divisor;
		const char *name;
	} times[] = { { 1e9, 1e9, " s" }, { 1e6, 1e6, " ms" }, { 1e3, 1e3, " \xc2\xb5s" }, { 0, 1, " ns" } };
	size_t i = 0;

	if (unit->time) {
		while (weight < times[i].least)
			i++;
		weight /= times[i].divisor;
		flame_add_fixed(out, weight, times[i].divisor == 1 || weight >= 100 ? 0 : weight >= 10 ? 1 : 2);
		strbuf_adds(out, times[i].name);
		return;
	}
	if (unit->scaled)
		strbuf_addf(out, "%.4g", weight);
	else if (weight == floor(weight) && weight < 9e15)
		add_count(out, (uint64_t)weight);
	else
		strbuf_addf(out, "%.6g", weight);
	if (*unit->name)
		strbuf_addf(out, " %s", unit->name);
}

/* The unit is foreign, because it comes from the event's name. */
static void add_weight_escaped(struct picture *p, double weight)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	add_weight(&text, weight, &p->unit);
	escape_html(p->out, text.buf);
}

static void add_percent(struct strbuf *out, double part, double whole)
{
	flame_add_fixed(out, whole > 0 ? 100 * part / whole : 0, 2);
	strbuf_adds(out, " %");
}

static const char *label_of(const struct flame_options *options, enum flame_side side)
{
	return options->side[side].label ?: side == FLAME_HEAD ? "head" : "base";
}

static double shown_of(const struct flame_options *options, enum flame_side side, double weight)
{
	double factor = options->side[side].factor;

	return options->scale == FLAME_ABSOLUTE && factor > 0 ? weight * factor : weight;
}

/* -------- what changed */

static bool change_shows(const struct flame_change *change)
{
	/* Equal sums of decimals may differ in their last digits. */
	return fabs(change->head - change->base) > change->noise + 1e-9 * (change->head + change->base);
}

/* The largest inclusive change beyond noise among all nodes. */
static double largest_change(const struct flame_tree *tree, const struct flame_options *options)
{
	double largest = 0;

	for (uint32_t i = 0; i < tree->n; i++) {
		struct flame_change change = flame_change_of(tree, i, false, options);

		if (change_shows(&change))
			largest = fmax(largest, fabs(change.head - change.base));
	}
	return largest;
}

/* 0 within noise, otherwise 1 to LEVELS by CHANGE's part of the largest change. */
static int change_level(const struct flame_change *change, double largest)
{
	/* The square root keeps small changes visible next to a large one. */
	int level = change_shows(change) ? (int)ceil(LEVELS * sqrt(fabs(change->head - change->base) / largest)) : 0;

	return level > LEVELS ? LEVELS : level;
}

/* -------- tooltips */

/* "60.00 %, 1.5 ms, 3 samples"; the samples only with one side. */
static void add_part(struct picture *p, enum flame_side side, double weight, uint64_t samples)
{
	add_percent(p->out, weight, p->tree.nodes[0].side[side].weight);
	strbuf_adds(p->out, ", ");
	add_weight_escaped(p, shown_of(p->options, side, weight));
	if (!p->base && !p->unit.counts) {
		strbuf_adds(p->out, ", ");
		add_samples(p->out, samples);
	}
}

/* "+2.20 points (+21.8 %)", or "+1.5 ms (+21.8 %)". */
static void add_difference(struct picture *p, const struct flame_change *change)
{
	double by = change->head - change->base;

	strbuf_adds(p->out, by < 0 ? "\xe2\x88\x92" : "+");
	if (p->unit.scaled) {
		add_weight_escaped(p, fabs(by));
	} else {
		flame_add_fixed(p->out, fabs(by), 2);
		strbuf_adds(p->out, " points");
	}
	if (change->base > 0)
		strbuf_addf(p->out, " (%+.1f %%)", 100 * by / change->base);
	if (!change_shows(change))
		strbuf_adds(p->out, ", within noise");
}

/* CHANGE is the node's change in a difference. Tooltips are short, because every frame of up to three views has one. */
static void add_tooltip(struct picture *p, uint32_t node, const struct flame_change *change)
{
	const struct flame_sum *side = p->tree.nodes[node].side;
	const char *file = flame_tree_file(&p->tree, node), *name = flame_tree_name(&p->tree, node);

	if (p->piece) {
		CLEANUP(free_ptr) char *part = xstrndup(name, utf8_clip(name, PIECE_NAME));

		escape_html(p->out, part);
		strbuf_adds(p->out, strlen(part) < strlen(name) ? "...\n" : "\n");
	} else {
		escape_html(p->out, name);
		strbuf_addc(p->out, '\n');
	}
	if (p->base) {
		struct flame_change self = flame_change_of(&p->tree, node, true, p->options);

		for (int i = 0; i < FLAME_SIDES; i++) {
			strbuf_adds(p->out, i == FLAME_HEAD ? "head " : "\nbase ");
			if (side[i].samples || side[i].weight > 0)
				add_part(p, i, side[i].weight, 0);
			else
				strbuf_adds(p->out, "none");
		}
		strbuf_adds(p->out, "\nchange ");
		add_difference(p, change);
		if (self.head > 0 || self.base > 0) {
			strbuf_adds(p->out, "\nself ");
			add_difference(p, &self);
		}
	} else {
		add_part(p, FLAME_HEAD, side->weight, side->samples);
		strbuf_adds(p->out, "\nself ");
		if (side->self > 0)
			add_part(p, FLAME_HEAD, side->self, side->self_samples);
		else
			strbuf_adds(p->out, "none");
	}
	if (*file) {
		strbuf_adds(p->out, "\nin ");
		escape_html(p->out, file);
	}
}

/* -------- colours: a frame has a class, "u3"; a style sheet sets its colour, light and dark */

enum { SHADES = 8 };

/* Hue in degrees and saturation in percent; shades range from the first hue to the last. */
struct family {
	char letter;
	short first_hue, last_hue, saturation;
};

enum { FAMILIES = 2 };

/*
 * CPU time is orange in user space (u) and blue in the kernel (k), distinct for readers who cannot see red or green.
 * Waits are blue.
 */
static const struct family running[FAMILIES] = { { 'u', 28, 50, 88 }, { 'k', 198, 212, 72 } };
static const struct family waiting[FAMILIES] = { { 'u', 186, 222, 66 }, { 'k', 228, 240, 22 } };

static unsigned channel(double hue, double saturation, double lightness, double offset)
{
	double k = fmod(offset + hue / 30, 12), range = saturation * fmin(lightness, 1 - lightness);

	return (unsigned)lround(255 * (lightness - range * fmax(-1, fmin(fmin(k - 3, 9 - k), 1))));
}

/* A rule for class LETTER NUMBER; degrees and percent. */
static void add_rule(struct strbuf *out, char letter, int number, double hue, double saturation, double lightness)
{
	double s = saturation / 100, l = lightness / 100;

	strbuf_addf(out, ".%c%d>rect{fill:#%02x%02x%02x}\n", letter, number, channel(hue, s, l, 0), channel(hue, s, l, 8),
		    channel(hue, s, l, 4));
}

/* Light enough for black letters, dark enough for white ones. */
static void add_family(struct strbuf *out, const struct family *family, bool dark)
{
	for (int i = 0; i < SHADES; i++) {
		double part = (double)i / (SHADES - 1), hue = family->first_hue + part * (family->last_hue - family->first_hue);

		add_rule(out, family->letter, i, hue, family->saturation * (dark ? 0.7 : 1), dark ? 24 + part * 4 : 64 + part * 12);
	}
}

static void add_colors(struct picture *p)
{
	const struct family *families = p->options->waiting ? waiting : running;

	for (int dark = 0; dark < 2; dark++) {
		strbuf_adds(p->out, dark ? "@media (prefers-color-scheme:dark){\n" : "");
		for (size_t i = 0; !p->base && i < FAMILIES; i++)
			add_family(p->out, &families[i], dark);
		if (p->base) {
			add_rule(p->out, 'g', 0, 0, 0, dark ? 27 : 86);
		} else {
			add_family(p->out, &(struct family){ 'x', 30, 60, 6 }, dark);
			add_family(p->out, &(struct family){ 't', 210, 220, 14 }, dark);
		}
		/* More is orange to red, less is blue. They differ without red or green, and in lightness from grey. */
		for (int i = 1; p->base && i <= LEVELS; i++) {
			double part = (double)i / LEVELS;

			add_rule(p->out, 'r', i, 34 - 22 * part, dark ? 45 + 45 * part : 55 + 40 * part,
				 dark ? 24 + 11 * part : 84 - 22 * part);
			add_rule(p->out, 'b', i, 205 + 10 * part, dark ? 35 + 45 * part : 45 + 45 * part,
				 dark ? 24 + 14 * part : 86 - 20 * part);
		}
		strbuf_adds(p->out, dark ? "}\n" : "");
	}
}

static char family_of(enum flame_kind kind)
{
	static const char letters[] = {
		[FLAME_ROOT] = 't', [FLAME_THREAD] = 't', [FLAME_USER] = 'u', [FLAME_KERNEL] = 'k', [FLAME_UNKNOWN] = 'x',
	};

	return letters[kind];
}

/* A name has the same colour in every picture. */
static void add_class(struct picture *p, uint32_t node, const struct flame_change *change, bool vanished)
{
	const char *name = flame_tree_name(&p->tree, node);
	unsigned shade = 2166136261u;

	if (p->base) {
		/* The callers of vanished frames are still there. */
		int level = p->options->grey || (vanished && change->head > 0) ? 0 : vanished ? LEVELS / 2 : change_level(change, p->largest);

		strbuf_addc(p->out, !level ? 'g' : change->head > change->base ? 'r' : 'b');
		strbuf_addc(p->out, (char)('0' + level));
		return;
	}
	for (; *name; name++)
		shade = (shade ^ (unsigned char)*name) * 16777619u;
	strbuf_addc(p->out, family_of(p->tree.names[p->tree.nodes[node].name].kind));
	strbuf_addc(p->out, (char)('0' + (shade >> 16 ^ shade) % SHADES));
}

/* -------- frames: there are hundreds of thousands, so printf would be too slow */

static void add_attribute(struct picture *p, const char *name, double value, int decimals, const char *after)
{
	strbuf_adds(p->out, name);
	flame_add_fixed(p->out, value, decimals);
	strbuf_adds(p->out, after);
}

/*
 * A piece has no script to shorten names in a narrow window. Each frame has up to three names, and the style sheet
 * shows one: class a in any window, b and c in wider ones.
 */
static void add_labels(struct picture *p, const struct box *box, const char *name)
{
	/* Minimum widths of the picture in such windows, in pixels, see flame_piece_style(). */
	static const double wholes[] = { 270, 540, 900 };
	enum { SIZES = sizeof wholes / sizeof wholes[0] };
	size_t lengths[SIZES], all = strlen(name);

	for (int i = 0; i < SIZES; i++) {
		double letters = (box->width * wholes[i] - 6) / piece_letter_width;

		lengths[i] = letters < 3 ? 0 : utf8_clip(name, (size_t)letters);
		if (lengths[i] && lengths[i] < all)
			lengths[i] = utf8_clip(name, (size_t)letters - 2);
	}
	for (int i = 0, end; i < SIZES; i = end) {
		CLEANUP(free_ptr) char *part = xstrndup(name, lengths[i]);

		for (end = i + 1; end < SIZES && lengths[end] == lengths[i];)
			end++;
		if (!lengths[i])
			continue;
		strbuf_adds(p->out, "<text x=\"3\" y=\"12\"");
		if (end - i < SIZES) {
			strbuf_adds(p->out, " class=\"");
			for (int k = i; k < end; k++)
				strbuf_addf(p->out, "%s%c", k > i ? " " : "", 'a' + k);
			strbuf_addc(p->out, '"');
		}
		strbuf_addc(p->out, '>');
		escape_html(p->out, part);
		strbuf_adds(p->out, lengths[i] < all ? "..</text>" : "</text>");
	}
}

static void add_frame(struct picture *p, const struct layout *layout, uint32_t node)
{
	const struct box *box = &layout->boxes[node];
	uint32_t depth = p->tree.nodes[node].depth, row = layout->deepest - depth;
	double width = box->width * WIDTH * (1 - 2 * free_pct / 100);
	const char *name = flame_tree_name(&p->tree, node);
	struct flame_change change = { 0 };

	if (p->base)
		change = flame_change_of(&p->tree, node, false, p->options);
	strbuf_adds(p->out, p->piece ? "<svg class=\"" : "<svg class=\"f ");
	add_class(p, node, &change, layout == &p->layouts[VIEW_VANISHED]);
	add_attribute(p, "\" x=\"", 100 * box->x, p->piece ? 3 : 6, "%\"");
	add_attribute(p, " y=\"", row * FRAME_HEIGHT, 0, "\"");
	add_attribute(p, " width=\"", 100 * box->width, p->piece ? 3 : 6, "%\"");
	add_attribute(p, " height=\"", FRAME_HEIGHT - 1, 0, "\"");
	if (box->pruned > 0 && !p->piece)
		add_attribute(p, " data-pruned=\"", 100 * box->pruned, 6, "\"");
	strbuf_adds(p->out, "><title>");
	add_tooltip(p, node, &change);
	strbuf_adds(p->out, "</title><rect width=\"100%\" height=\"100%\"/>");
	if (p->piece) {
		add_labels(p, box, name);
	} else if (width >= 3 * letter_width) {
		/* Up to twice the width in text: the picture may be enlarged, and the overflow is clipped. */
		CLEANUP(free_ptr) char *part = xstrndup(name, utf8_clip(name, (size_t)(2 * width / letter_width)));

		add_attribute(p, "<text x=\"3\" y=\"", FRAME_HEIGHT / 2.0 + FONT_SIZE * 0.33, 1, "\">");
		escape_html(p->out, part);
		strbuf_adds(p->out, "</text>");
	}
	strbuf_adds(p->out, "</svg>\n");
}

/* -------- the parts around the frames */

/* Returns the bytes of TEXT for a line of COLUMNS, ending at a blank or '/'. A longer word is cut. */
static size_t line_of(const char *text, size_t columns)
{
	size_t all = strlen(text), most = utf8_clip(text, columns), at = most;

	if (most == all)
		return all;
	while (at && text[at - 1] != ' ' && text[at - 1] != '/')
		at--;
	return at ? at : most;
}

/* Adds as many lines as needed; the script wraps them again to the window's width. */
static void add_line(struct picture *p, const char *class, const char *x, const char *text)
{
	double size = strcmp(class, "title") ? 1 : TITLE_SIZE / (double)FONT_SIZE;
	size_t columns = (size_t)fmax(1, (WIDTH - 2 * MARGIN) / (letter_width * size));

	p->y += LINE;
	strbuf_addf(p->out, "<text class=\"%s\" x=\"%s\" y=\"%.0f\"><tspan>", class, x, p->y - 5);
	for (size_t len = line_of(text, columns); len; len = line_of(text, columns)) {
		CLEANUP(free_ptr) char *line = xstrndup(text, len);

		escape_html(p->out, line);
		text += len;
		if (!*text)
			break;
		strbuf_addf(p->out, "</tspan><tspan x=\"%s\" dy=\"%d\">", x, LINE);
		p->y += LINE;
	}
	strbuf_adds(p->out, "</tspan></text>\n");
}

static void add_side_facts(const struct picture *p, enum flame_side side, const struct stacks *stacks, struct strbuf *out)
{
	const struct flame_sum *all = &p->tree.nodes[0].side[side];

	if (p->base)
		strbuf_addf(out, "%s: ", label_of(p->options, side));
	add_samples(out, all->samples);
	if (!p->unit.counts) {
		strbuf_adds(out, p->unit.time || p->unit.scaled ? ", " : ", weight ");
		add_weight(out, shown_of(p->options, side, all->weight), &p->unit);
		strbuf_addf(out, "%s%s", p->unit.time ? " of " : "", p->unit.time ? p->unit.name : "");
	}
	if (stacks->lost) {
		strbuf_adds(out, ", ");
		add_count(out, stacks->lost);
		strbuf_adds(out, " more lost by perf");
	}
	if (all->samples < PROFILE_SAMPLES_SHOWN)
		strbuf_adds(out, "; few samples: shares are rough");
}

static void add_head(struct picture *p, const char *title)
{
	const struct flame_options *o = p->options;
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT;

	add_side_facts(p, FLAME_HEAD, p->head, &facts);
	if (p->base) {
		strbuf_adds(&facts, "  |  ");
		add_side_facts(p, FLAME_BASE, p->base, &facts);
	}
	p->y = MARGIN;
	add_line(p, "title", "50%", title);
	if (o->subtitle && *o->subtitle)
		add_line(p, "sub", "50%", o->subtitle);
	add_line(p, "sub", "50%", facts.buf);
	strbuf_addf(p->out, "<g class=\"tools\" data-y=\"%.0f\">", p->y + 4);
	add_line(p, "note", "0.8%", "Point at a frame for its numbers. Zooming and searching need scripts.");
	strbuf_adds(p->out, "</g>\n");
	p->y += TOOLBAR - LINE + 4;
}

/* The meaning of a class of frames in a difference. */
struct key {
	const char *class, *text;
};

/* Returns the keys of a difference; the class of the last is NULL. */
static const struct key *keys_of(const struct flame_options *options)
{
	static const struct key colored[] = { { "r6", "more" }, { "b6", "less" }, { "g0", "inside the noise of sampling" }, { NULL, NULL } };
	static const struct key grey[] = { { "g0", "nothing that is judged changed, so no frame is coloured" }, { NULL, NULL } };

	return options->grey ? grey : colored;
}

static void add_legend(struct picture *p)
{
	double x = MARGIN;

	p->y += LINE;
	strbuf_adds(p->out, "<g class=\"legend\">\n");
	for (const struct key *key = keys_of(p->options); key->class; key++) {
		strbuf_addf(p->out, "<svg class=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"12\" height=\"12\">"
			    "<rect width=\"100%%\" height=\"100%%\"/></svg><text class=\"note\" x=\"%.0f\" y=\"%.0f\">%s</text>\n",
			    key->class, x, p->y - 15, x + 17, p->y - 5, key->text);
		x += 40 + letter_width * (double)strlen(key->text);
	}
	strbuf_adds(p->out, "</g>\n");
}

static void add_frames(struct picture *p, const struct layout *layout)
{
	uint32_t node = 0;

	do {
		if (layout->boxes[node].drawn)
			add_frame(p, layout, node);
		node = flame_tree_next(&p->tree, node, layout->boxes[node].drawn);
	} while (node);
}

static void add_pruned(struct strbuf *out, const struct layout *layout)
{
	bool one = layout->n_pruned == 1;

	add_count(out, layout->n_pruned);
	strbuf_addf(out, " frame%s narrower than %.2g %%", one ? "" : "s", 100 * layout->least_width);
	if (layout->cut)
		strbuf_addf(out, " or above level %u", layout->most_levels);
	strbuf_addf(out, " %s left out: %.2g %% of the weight stands only as gaps", one ? "is" : "are",
		    100 * layout->pruned);
}

/* "Vanished: of BASE, what HEAD has no sample of, 2.10 %" */
static void add_vanished(const struct picture *p, struct strbuf *out)
{
	strbuf_addf(out, "Vanished: of %s, what %s has no sample of, ", label_of(p->options, FLAME_BASE), label_of(p->options, FLAME_HEAD));
	add_percent(out, p->layouts[VIEW_VANISHED].total, p->layouts[VIEW_BASE].total);
}

static void add_view(struct picture *p, enum view view)
{
	static const char *const names[VIEWS] = { "head", "base", "vanished" };
	CLEANUP(strbuf_release) struct strbuf heading = STRBUF_INIT, pruned = STRBUF_INIT;
	const struct layout *layout = &p->layouts[view];
	double top = p->y, height = (layout->deepest + 1) * FRAME_HEIGHT;

	strbuf_addf(p->out, "<g class=\"view\" data-view=\"%s\" transform=\"translate(0,%.0f)\">\n", names[view], top);
	p->y = 0;
	if (view == VIEW_VANISHED)
		add_vanished(p, &heading);
	else
		strbuf_addf(&heading, view == VIEW_HEAD ? "Head: %s" : "Base: %s", label_of(p->options, view == VIEW_HEAD ? FLAME_HEAD : FLAME_BASE));
	if (p->base)
		add_line(p, "head", "0.8%", heading.buf);

	if (layout->total > 0) {
		strbuf_addf(p->out, "<svg class=\"frames\" x=\"%g%%\" width=\"%g%%\" y=\"%.0f\" height=\"%.0f\">\n", free_pct,
			    100 - 2 * free_pct, p->y, height);
		add_frames(p, layout);
		strbuf_adds(p->out, "</svg>\n");
		p->y += height;
	} else {
		add_line(p, "note", "0.8%", view == VIEW_VANISHED ? "Nothing vanished." : "There is no sample in this profile.");
	}

	if (layout->n_pruned) {
		add_pruned(&pruned, layout);
		add_line(p, "note pruned", "0.8%", pruned.buf);
	}
	strbuf_adds(p->out, "</g>\n");
	p->y += top + MARGIN;
}

/* -------- the whole */

static const char style[] =
#include <embedded/flame.css.inc>
;

static const char script[] =
#include <embedded/flame.js.inc>
;

static void begin(struct picture *p, const struct stacks *head, const struct stacks *base, const struct flame_options *o,
		  struct strbuf *out, bool piece)
{
	*p = (struct picture){
		.options = o, .head = head, .base = base, .out = out, .n_views = base ? VIEWS : 1, .piece = piece,
		.unit = unit_of(head->n ? head : base ?: head, o),
	};
	flame_tree_init(&p->tree, head, base);
	for (int i = 0; i < p->n_views; i++)
		lay_out(p, i);
	p->largest = base ? largest_change(&p->tree, o) : 0;
}

static void end(struct picture *p)
{
	flame_tree_release(&p->tree);
	for (int i = 0; i < p->n_views; i++)
		free(p->layouts[i].boxes);
}

void flame_svg(const struct stacks *head, const struct stacks *base, const struct flame_options *o, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;
	const char *title = o->title ?: base ? "Differential flame graph" : "Flame graph";
	struct picture p;

	begin(&p, head, base, o, &body, false);
	strbuf_addf(&body, "<style>\n%s", style);
	add_colors(&p);
	strbuf_adds(&body, "</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
	add_head(&p, title);
	if (base)
		add_legend(&p);
	for (int i = 0; i < p.n_views; i++)
		add_view(&p, i);

	/* The height, at the beginning, is only known at the end. */
	strbuf_addf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pawl-flame\" role=\"group\" width=\"%d\" height=\"%.0f\""
		    " data-frame-height=\"%d\">\n", WIDTH, p.y, FRAME_HEIGHT);
	strbuf_adds(out, "<title>");
	escape_html(out, title);
	strbuf_adds(out, "</title>\n");
	strbuf_add(out, body.buf, body.len);
	strbuf_addf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", script);
	end(&p);
}

/* -------- a piece of a page */

/* The colours of both kinds of pieces, and the rules that select a frame's name, see add_labels(). */
void flame_piece_style(struct strbuf *out)
{
	struct picture p = { .options = &(struct flame_options){ 0 }, .out = out };

	add_colors(&p);
	/* A difference has other classes; its stacks do not matter. */
	p.base = &(struct stacks)STACKS_INIT;
	add_colors(&p);
	strbuf_adds(out, ".flame .b,.flame .c{display:none}\n"
		    "@media (min-width:38rem){.flame .a{display:none}.flame .b{display:inline}}\n"
		    "@media (min-width:62rem){.flame .b{display:none}.flame .c{display:inline}}\n");
}

/* A view with a label for screen readers. */
static void add_piece_view(struct picture *p, enum view view, const char *name)
{
	const struct layout *layout = &p->layouts[view];
	double height = (layout->deepest + 1) * FRAME_HEIGHT;

	if (layout->deepest >= PIECE_LEVELS_SHOWN)
		strbuf_addf(p->out, "<details class=\"deep\"><summary>Show all %u levels</summary></details>\n", layout->deepest + 1);
	strbuf_adds(p->out, "<div class=\"levels\"><svg class=\"flame\" role=\"img\" aria-label=\"");
	escape_html(p->out, name);
	strbuf_addf(p->out, "\" width=\"100%%\" height=\"%.0f\">\n", height);
	add_frames(p, layout);
	strbuf_adds(p->out, "</svg></div>\n");
}

static void add_keys(struct strbuf *out, const struct flame_options *options)
{
	strbuf_adds(out, "<p class=\"keys\">");
	for (const struct key *key = keys_of(options); key->class; key++)
		strbuf_addf(out, "<span><svg class=\"%s\" aria-hidden=\"true\" width=\"12\" height=\"12\"><rect width=\"100%%\" "
			    "height=\"100%%\"/></svg> %s</span> ", key->class, key->text);
	strbuf_adds(out, "</p>\n");
}

static void add_paragraph(struct strbuf *out, const char *text)
{
	strbuf_adds(out, "<p class=\"note\">");
	escape_html(out, text);
	strbuf_adds(out, "</p>\n");
}

void flame_piece(const struct stacks *head, const struct stacks *base, const struct flame_options *o, struct strbuf *out)
{
	const char *title = o->title ?: base ? "Difference" : "Flame graph";
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct picture p;

	begin(&p, head, base, o, out, true);
	if (base)
		add_keys(out, o);
	if (!(p.layouts[VIEW_HEAD].total > 0))
		add_paragraph(out, "There is no sample in this profile.");
	else
		add_piece_view(&p, VIEW_HEAD, title);
	if (base && p.layouts[VIEW_VANISHED].total > 0) {
		add_vanished(&p, &text);
		add_paragraph(out, text.buf);
		if (p.layouts[VIEW_VANISHED].total >= PIECE_VANISHED_LEAST * p.layouts[VIEW_BASE].total)
			add_piece_view(&p, VIEW_VANISHED, text.buf);
		strbuf_reset(&text);
	}
	add_side_facts(&p, FLAME_HEAD, head, &text);
	if (base) {
		strbuf_adds(&text, "; ");
		add_side_facts(&p, FLAME_BASE, base, &text);
	}
	if (p.layouts[VIEW_HEAD].n_pruned) {
		strbuf_adds(&text, ". ");
		add_pruned(&text, &p.layouts[VIEW_HEAD]);
	}
	strbuf_adds(&text, ".");
	strbuf_adds(out, "<figcaption>");
	if (o->subtitle) {
		escape_html(out, o->subtitle);
		strbuf_adds(out, ". ");
	}
	escape_html(out, text.buf);
	strbuf_adds(out, "</figcaption>\n");
	end(&p);
}
