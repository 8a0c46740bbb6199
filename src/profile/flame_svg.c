#include "profile/flame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/profile.h"
#include "profile/stacks.h"

/* -------- where frames stand */

static double *weigh(const struct flame_tree *tree, enum flame_view view)
{
	double *weights = xcalloc(tree->n, sizeof *weights);
	enum flame_side side = view == FLAME_VIEW_BASE ? FLAME_BASE : FLAME_HEAD;

	/* Children come after their parents, so a loop from the end adds up every subtree. */
	for (size_t i = tree->n; i--;) {
		const struct flame_node *node = &tree->nodes[i];
		const struct flame_sum *head = &node->side[FLAME_HEAD];

		if (view != FLAME_VIEW_VANISHED) {
			weights[i] = node->side[side].weight;
		} else if (i) {
			weights[i] += head->samples || head->weight > 0 ? 0 : node->side[FLAME_BASE].self;
			weights[node->parent] += weights[i];
		}
	}
	return weights;
}

static void place_children(struct flame_layout *layout, const struct flame_tree *tree, uint32_t parent, const double *weights)
{
	const struct flame_node *node = &tree->nodes[parent];
	struct flame_box *under = &layout->boxes[parent];
	double x = under->x;

	for (uint32_t i = 0; i < node->n; i++) {
		uint32_t child = tree->children[node->first + i];
		struct flame_box *box = &layout->boxes[child];

		*box = (struct flame_box){ .x = x, .width = weights[child] / layout->total };
		x += box->width;
		box->drawn = under->drawn && weights[child] > 0 && box->width >= layout->least_width;
		if (box->drawn && tree->nodes[child].depth > layout->deepest)
			layout->deepest = tree->nodes[child].depth;
		layout->n_pruned += !box->drawn && weights[child] > 0;
		if (under->drawn && !box->drawn)
			under->pruned += box->width;
	}
	layout->pruned += under->pruned;
}

void flame_layout_init(struct flame_layout *layout, const struct flame_tree *tree, enum flame_view view, double least_width)
{
	double *weights = weigh(tree, view);

	*layout = (struct flame_layout){ .boxes = xcalloc(tree->n, sizeof *layout->boxes), .least_width = least_width,
					 .total = weights[0] };
	if (weights[0] > 0) {
		layout->boxes[0] = (struct flame_box){ .width = 1, .drawn = true };
		for (uint32_t i = 0; i < tree->n; i++)
			place_children(layout, tree, i, weights);
	}
	free(weights);
}

void flame_layout_release(struct flame_layout *layout)
{
	free(layout->boxes);
	*layout = (struct flame_layout){ 0 };
}

/* -------- weights as text */

static struct flame_unit unit_of(const struct stacks *stacks, const struct flame_options *options)
{
	const char *event = stacks->n_events ? stacks_text(stacks, stacks->events[0].name) : "";
	bool scaled = options->scale == FLAME_ABSOLUTE;
	double weight = 0, samples = 0;

	for (size_t i = 0; i < stacks->n_events; i++) {
		weight += stacks->events[i].weight;
		samples += (double)stacks->events[i].samples;
	}
	if (options->count_name)
		return (struct flame_unit){ .name = options->count_name, .scaled = scaled };
	/* A factor makes something else of a weight, and only the caller knows what. */
	if (scaled && (options->side[FLAME_BASE].factor > 0 || options->side[FLAME_HEAD].factor > 0))
		return (struct flame_unit){ .name = "", .scaled = true };
	if (weight == samples)
		return (struct flame_unit){ .name = "samples", .counts = true, .scaled = scaled };
	if (profile_event_is_clock(event))
		return (struct flame_unit){ .name = event, .time = true, .scaled = scaled };
	return (struct flame_unit){
		.name = strcmp(event, FOLDED_EVENT) && stacks->n_events == 1 ? event : "", .scaled = scaled,
	};
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

static void add_time(struct strbuf *out, double ns)
{
	static const struct {
		double least, divisor;
		const char *unit;
	} units[] = { { 1e9, 1e9, " s" }, { 1e6, 1e6, " ms" }, { 1e3, 1e3, " \xc2\xb5s" }, { 0, 1, " ns" } };
	size_t i = 0;
	double value;

	while (ns < units[i].least)
		i++;
	value = ns / units[i].divisor;
	flame_add_fixed(out, value, units[i].divisor == 1 || value >= 100 ? 0 : value >= 10 ? 1 : 2);
	strbuf_adds(out, units[i].unit);
}

void flame_add_weight(struct strbuf *out, double weight, const struct flame_unit *unit)
{
	if (unit->time) {
		add_time(out, weight);
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

static void add_percent(struct strbuf *out, double part, double whole)
{
	flame_add_fixed(out, whole > 0 ? 100 * part / whole : 0, 2);
	strbuf_adds(out, " %");
}

/* -------- tooltips */

static const char *label_of(const struct flame_options *options, enum flame_side side)
{
	return options->side[side].label ?: side == FLAME_HEAD ? "head" : "base";
}

static double shown_of(const struct flame_options *options, enum flame_side side, double weight)
{
	double factor = options->side[side].factor;

	return options->scale == FLAME_ABSOLUTE && factor > 0 ? weight * factor : weight;
}

static void add_samples(struct strbuf *out, uint64_t samples, const struct flame_unit *unit)
{
	if (unit->counts)
		return;
	strbuf_adds(out, ", ");
	add_count(out, samples);
	strbuf_adds(out, samples == 1 ? " sample" : " samples");
}

/* Its unit comes from whoever named the event. */
static void add_weight_escaped(struct strbuf *out, double weight, const struct flame_unit *unit)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	flame_add_weight(&text, weight, unit);
	escape_html(out, text.buf);
}

static void add_part(struct strbuf *out, double part, double whole, double shown, const struct flame_unit *unit)
{
	add_percent(out, part, whole);
	strbuf_adds(out, ", ");
	add_weight_escaped(out, shown, unit);
}

static void add_sum(struct strbuf *out, const struct flame_sum *sum, double whole, const struct flame_unit *unit)
{
	add_part(out, sum->weight, whole, sum->weight, unit);
	add_samples(out, sum->samples, unit);
	strbuf_adds(out, "\nself ");
	if (!(sum->self > 0)) {
		strbuf_adds(out, "none");
		return;
	}
	add_part(out, sum->self, whole, sum->self, unit);
	add_samples(out, sum->self_samples, unit);
}

/* "+2.20 points (+21.8 %)", or "+1.5 ms (+21.8 %)". */
static void add_difference(struct strbuf *out, const struct flame_change *change, const struct flame_unit *unit)
{
	double by = change->head - change->base;

	strbuf_adds(out, by < 0 ? "\xe2\x88\x92" : "+");
	if (unit->scaled) {
		add_weight_escaped(out, fabs(by), unit);
	} else {
		flame_add_fixed(out, fabs(by), 2);
		strbuf_adds(out, " points");
	}
	if (change->base > 0)
		strbuf_addf(out, " (%+.1f %%)", 100 * by / change->base);
	if (!flame_change_shows(change))
		strbuf_adds(out, ", within noise");
}

static void add_comparison(struct strbuf *out, const struct flame_tree *tree, uint32_t node, const struct flame_unit *unit,
			   const struct flame_options *options)
{
	const struct flame_sum *side = tree->nodes[node].side, *all = tree->nodes[0].side;
	struct flame_change whole = flame_change_of(tree, node, false, options), self = flame_change_of(tree, node, true, options);

	/* These stand at every frame of up to three views, so they are short. */
	for (int i = 0; i < FLAME_SIDES; i++) {
		strbuf_adds(out, i == FLAME_HEAD ? "head " : "\nbase ");
		if (side[i].samples || side[i].weight > 0)
			add_part(out, side[i].weight, all[i].weight, shown_of(options, i, side[i].weight), unit);
		else
			strbuf_adds(out, "none");
	}
	strbuf_adds(out, "\nchange ");
	add_difference(out, &whole, unit);
	if (self.head > 0 || self.base > 0) {
		strbuf_adds(out, "\nself ");
		add_difference(out, &self, unit);
	}
}

static void add_tooltip(struct strbuf *out, const struct flame_tree *tree, uint32_t node, const struct flame_unit *unit,
			const struct flame_options *options)
{
	const char *file = flame_tree_file(tree, node);

	escape_html(out, flame_tree_name(tree, node));
	strbuf_addc(out, '\n');
	if (tree->compared)
		add_comparison(out, tree, node, unit, options);
	else
		add_sum(out, &tree->nodes[node].side[FLAME_HEAD], tree->nodes[0].side[FLAME_HEAD].weight, unit);
	if (*file) {
		strbuf_adds(out, "\nin ");
		escape_html(out, file);
	}
}

/* -------- colours */

enum { SHADES = 8 };

/* Hue in degrees and saturation in percent; shades go from the first hue to the last. */
struct family {
	char letter;
	short first_hue, last_hue, saturation;
};

enum { FAMILIES_MOST = 5 };

/* Families by letter: u user space, k kernel, and of programs in several languages j compiled at run time, i inlined, c C++. */
struct palette {
	const char *name;
	struct family families[FAMILIES_MOST];
};

static const struct palette palettes[] = {
	{ "pawl", { { 'u', 28, 50, 88 }, { 'k', 198, 212, 72 } } },
	{ "hot", { { 'u', 2, 52, 92 }, { 'k', 22, 30, 30 } } },
	{ "mem", { { 'u', 110, 165, 62 }, { 'k', 140, 150, 18 } } },
	{ "io", { { 'u', 205, 245, 70 }, { 'k', 225, 230, 20 } } },
	{ "wakeup", { { 'u', 172, 192, 60 }, { 'k', 180, 185, 18 } } },
	{ "chain", { { 'u', 195, 225, 62 }, { 'k', 172, 185, 45 } } },
	{ "java", { { 'u', 0, 12, 75 }, { 'k', 26, 36, 90 }, { 'j', 105, 130, 55 }, { 'i', 172, 188, 55 }, { 'c', 52, 60, 75 } } },
	{ "js", { { 'u', 0, 12, 75 }, { 'k', 26, 36, 90 }, { 'j', 105, 130, 55 }, { 'i', 172, 188, 55 }, { 'c', 52, 60, 75 } } },
	{ "perl", { { 'u', 0, 12, 75 }, { 'k', 26, 36, 90 }, { 'j', 105, 130, 55 }, { 'c', 52, 60, 75 } } },
	{ "red", { { 'u', 0, 10, 80 }, { 'k', 0, 8, 22 } } },
	{ "green", { { 'u', 100, 140, 58 }, { 'k', 120, 130, 16 } } },
	{ "blue", { { 'u', 208, 232, 75 }, { 'k', 215, 225, 20 } } },
	{ "aqua", { { 'u', 172, 190, 58 }, { 'k', 180, 186, 16 } } },
	{ "yellow", { { 'u', 48, 60, 80 }, { 'k', 52, 58, 22 } } },
	{ "purple", { { 'u', 270, 300, 58 }, { 'k', 282, 292, 16 } } },
	{ "orange", { { 'u', 22, 40, 90 }, { 'k', 28, 34, 25 } } },
};

enum { N_PALETTES = sizeof palettes / sizeof palettes[0] };

const char *const flame_palettes[] = {
	"pawl", "hot", "mem", "io", "wakeup", "chain", "java", "js", "perl", "red", "green", "blue", "aqua", "yellow", "purple", "orange",
	NULL,
};

static const struct palette *find(const char *name)
{
	for (size_t i = 0; name && i < N_PALETTES; i++)
		if (!strcmp(palettes[i].name, name))
			return &palettes[i];
	return &palettes[0];
}

static unsigned channel(double hue, double saturation, double lightness, double offset)
{
	double k = fmod(offset + hue / 30, 12), range = saturation * fmin(lightness, 1 - lightness);

	return (unsigned)lround(255 * (lightness - range * fmax(-1, fmin(fmin(k - 3, 9 - k), 1))));
}

/* Percent and degrees to "#rrggbb". */
static void add_color(double hue, double saturation, double lightness, struct strbuf *out)
{
	strbuf_addf(out, "#%02x%02x%02x", channel(hue, saturation / 100, lightness / 100, 0),
		    channel(hue, saturation / 100, lightness / 100, 8), channel(hue, saturation / 100, lightness / 100, 4));
}

static void add_rule(const char *class, int number, double hue, double saturation, double lightness, struct strbuf *out)
{
	strbuf_addf(out, ".%s%d>rect{fill:", class, number);
	add_color(hue, saturation, lightness, out);
	strbuf_adds(out, "}\n");
}

/* Light enough for black letters, dark enough for white ones. */
static void add_family(const struct family *family, bool dark, struct strbuf *out)
{
	const char class[2] = { family->letter };

	for (int i = 0; i < SHADES; i++) {
		double part = (double)i / (SHADES - 1), hue = family->first_hue + part * (family->last_hue - family->first_hue);

		add_rule(class, i, hue, family->saturation * (dark ? 0.7 : 1), dark ? 24 + part * 4 : 64 + part * 12, out);
	}
}

static void palette_add_frames(const struct palette *palette, bool dark, struct strbuf *out)
{
	for (size_t i = 0; i < FAMILIES_MOST && palette->families[i].letter; i++)
		add_family(&palette->families[i], dark, out);
	add_family(&(struct family){ 'x', 30, 60, 6 }, dark, out);
	add_family(&(struct family){ 't', 210, 220, 14 }, dark, out);
}

/* More is orange to red, less is blue: both differ without red or green, and by their lightness from grey. */
static void add_changes(bool dark, struct strbuf *out)
{
	add_rule("g", 0, 0, 0, dark ? 27 : 86, out);
	for (int i = 1; i <= FLAME_LEVELS; i++) {
		double part = (double)i / FLAME_LEVELS;

		add_rule("r", i, 34 - 22 * part, dark ? 45 + 45 * part : 55 + 40 * part, dark ? 24 + 11 * part : 84 - 22 * part, out);
		add_rule("b", i, 205 + 10 * part, dark ? 35 + 45 * part : 45 + 45 * part, dark ? 24 + 14 * part : 86 - 20 * part, out);
	}
}

void flame_palette_style(const char *colors, bool compared, struct strbuf *out)
{
	for (int dark = 0; dark < 2; dark++) {
		strbuf_adds(out, dark ? "@media (prefers-color-scheme:dark){\n" : "");
		if (compared)
			add_changes(dark, out);
		else
			palette_add_frames(find(colors), dark, out);
		strbuf_adds(out, dark ? "}\n" : "");
	}
}

static bool marked(const char *name, const char *mark)
{
	size_t len = strlen(name);

	return len > 4 && !strcmp(name + len - 4, mark);
}

/* In which of several languages a function was written, as flamegraph.pl's users know it. */
static char family_of(const char *name, enum flame_kind kind)
{
	if (kind == FLAME_ROOT || kind == FLAME_THREAD)
		return 't';
	if (kind == FLAME_KERNEL)
		return 'k';
	if (marked(name, "_[j]") || !strncmp(name, "LazyCompile:", 12) || !strncmp(name, "JS:", 3) || !strncmp(name, "Lpy::", 5))
		return 'j';
	if (marked(name, "_[i]"))
		return 'i';
	if (kind == FLAME_UNKNOWN)
		return 'x';
	if (strstr(name, "::") || name[0] == '-' || name[0] == '+')
		return 'c';
	/* Java's methods without a mark: "Ljava/lang/String;", "java/lang/String.hashCode". */
	return strchr(name, '/') && strchr(name, '.') ? 'j' : 'u';
}

static bool has_family(const struct palette *palette, char letter)
{
	for (size_t i = 0; i < FAMILIES_MOST && palette->families[i].letter; i++)
		if (palette->families[i].letter == letter)
			return true;
	return letter == 'x' || letter == 't';
}

static unsigned shade_of(const char *name)
{
	unsigned h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return (h >> 16 ^ h) % SHADES;
}

void flame_palette_class(const char *colors, const char *name, enum flame_kind kind, struct strbuf *out)
{
	char family = family_of(name, kind);

	strbuf_addc(out, has_family(find(colors), family) ? family : 'u');
	strbuf_addc(out, (char)('0' + shade_of(name)));
}

/* The class of a change, from -FLAME_LEVELS to FLAME_LEVELS; appended. */
static void flame_palette_change(int level, struct strbuf *out)
{
	strbuf_addc(out, level > 0 ? 'r' : level < 0 ? 'b' : 'g');
	strbuf_addc(out, (char)('0' + (level < 0 ? -level : level)));
}

/* -------- the picture */

enum { SAMPLES_TOLD_APART = 100 };

/* Pixels; the size of the title is the style sheet's. */
enum { LINE = 18, TOOLBAR = 32, MARGIN = 10, TITLE_SIZE = 17 };

/* Sides of the picture that stay free, in percent, so that it can be of any width. */
static const double free_pct = 0.8;

struct picture {
	const struct flame_options *options;
	const struct stacks *head, *base;
	struct flame_tree tree;
	struct flame_unit unit;
	struct flame_layout layouts[FLAME_VIEWS];
	int n_views;
	double largest;			/* change, of a difference */
	double width, frame_height, font_size, letter;
	double y;			/* how far down it has come */
	struct strbuf *out;
};

static const char *const view_names[FLAME_VIEWS] = { "head", "base", "vanished" };

static double or_default(double value, double otherwise)
{
	return value > 0 ? value : otherwise;
}

/* A tenth of a pixel; of a difference two samples, as one is never a change. Folded text may not have their number. */
static double least_width(const struct picture *p, int view)
{
	uint64_t samples = p->tree.nodes[0].side[view == FLAME_VIEW_HEAD ? FLAME_HEAD : FLAME_BASE].samples;
	double visible = 0.1 / p->width;

	if (p->options->min_width > 0)
		return p->options->min_width / 100;
	return p->base && samples >= SAMPLES_TOLD_APART ? fmax(visible, 1.5 / (double)samples) : visible;
}

static void picture_init(struct picture *p, const struct stacks *head, const struct stacks *base,
			 const struct flame_options *options, struct strbuf *out)
{
	*p = (struct picture){ .options = options, .head = head, .base = base, .out = out };
	p->width = or_default(options->width, 1200);
	p->frame_height = or_default(options->frame_height, 16);
	p->font_size = or_default(options->font_size, 12);
	p->letter = p->font_size * 0.6;
	p->n_views = base ? FLAME_VIEWS : 1;
	p->unit = unit_of(head->n ? head : base ?: head, options);
	flame_tree_init(&p->tree, head, base, options->reverse);
	for (int i = 0; i < p->n_views; i++)
		flame_layout_init(&p->layouts[i], &p->tree, i, least_width(p, i));
	p->largest = base ? flame_change_largest(&p->tree, options) : 0;
}

static void picture_release(struct picture *p)
{
	flame_tree_release(&p->tree);
	for (int i = 0; i < p->n_views; i++)
		flame_layout_release(&p->layouts[i]);
}

/* -------- frames */

static void add_attribute(struct picture *p, const char *name, double value, int decimals, const char *after)
{
	strbuf_adds(p->out, name);
	flame_add_fixed(p->out, value, decimals);
	strbuf_adds(p->out, after);
}

/* As much of the name as twice the width takes: the picture may be shown larger, and what is too long is cut there. */
static void add_name(struct picture *p, uint32_t node, double width)
{
	const char *name = flame_tree_name(&p->tree, node);
	size_t most = (size_t)(2 * width / p->letter), len = strlen(name);

	if (width < 3 * p->letter)
		return;
	add_attribute(p, "<text x=\"3\" y=\"", p->frame_height / 2 + p->font_size * 0.33, 1, "\">");
	if (len > most) {
		CLEANUP(free_ptr) char *part = xstrndup(name, utf8_clip(name, most));

		escape_html(p->out, part);
	} else {
		escape_html(p->out, name);
	}
	strbuf_adds(p->out, "</text>");
}

static void add_class(struct picture *p, uint32_t node)
{
	const struct flame_name *name = &p->tree.names[p->tree.nodes[node].name];

	if (p->base) {
		struct flame_change change = flame_change_of(&p->tree, node, false, p->options);

		flame_palette_change(flame_change_level(&change, p->largest), p->out);
	} else {
		flame_palette_class(p->options->colors, flame_tree_name(&p->tree, node), name->kind, p->out);
	}
}

static void add_frame(struct picture *p, const struct flame_layout *layout, uint32_t node)
{
	const struct flame_box *box = &layout->boxes[node];
	uint32_t depth = p->tree.nodes[node].depth, row = p->options->inverted ? depth : layout->deepest - depth;

	strbuf_adds(p->out, "<svg class=\"f ");
	add_class(p, node);
	add_attribute(p, "\" x=\"", 100 * box->x, 6, "%\"");
	add_attribute(p, " y=\"", row * p->frame_height, 0, "\"");
	add_attribute(p, " width=\"", 100 * box->width, 6, "%\"");
	add_attribute(p, " height=\"", p->frame_height - 1, 0, "\"");
	if (box->pruned > 0)
		add_attribute(p, " data-pruned=\"", 100 * box->pruned, 6, "\"");
	strbuf_adds(p->out, "><title>");
	add_tooltip(p->out, &p->tree, node, &p->unit, p->options);
	strbuf_adds(p->out, "</title><rect width=\"100%\" height=\"100%\"/>");
	add_name(p, node, box->width * p->width * (1 - 2 * free_pct / 100));
	strbuf_adds(p->out, "</svg>\n");
}

static void add_frames(struct picture *p, const struct flame_layout *layout)
{
	uint32_t node = 0;

	do {
		if (layout->boxes[node].drawn)
			add_frame(p, layout, node);
		node = flame_tree_next(&p->tree, node, layout->boxes[node].drawn);
	} while (node);
}

/* -------- what stands around them */

/* How many bytes of TEXT go on one line of COLUMNS: up to a blank or '/', or what is one word too long is cut. */
static size_t line_of(const char *text, size_t columns)
{
	size_t all = strlen(text), most = utf8_clip(text, columns), at = most;

	if (most == all)
		return all;
	while (at && text[at - 1] != ' ' && text[at - 1] != '/')
		at--;
	return at ? at : most;
}

/* In as many lines as it takes; the script breaks them again for the width of the window. */
static void add_line(struct picture *p, const char *class, const char *x, const char *text)
{
	bool title = !strcmp(class, "title");
	size_t columns = (size_t)fmax(1, (p->width - 2 * MARGIN) / (p->letter * (title ? TITLE_SIZE / 12.0 : 1)));

	p->y += LINE;
	strbuf_addf(p->out, "<text class=\"%s\" x=\"%s\" y=\"", class, x);
	flame_add_fixed(p->out, p->y - 5, 0);
	strbuf_adds(p->out, "\"><tspan>");
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
	add_count(out, all->samples);
	strbuf_adds(out, all->samples == 1 ? " sample" : " samples");
	if (!p->unit.counts) {
		strbuf_adds(out, p->unit.time || p->unit.scaled ? ", " : ", weight ");
		flame_add_weight(out, shown_of(p->options, side, all->weight), &p->unit);
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

static void add_head(struct picture *p)
{
	const struct flame_options *o = p->options;
	const char *title = o->title ?: p->base ? "Differential flame graph" : "Flame graph";
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT;

	add_side_facts(p, FLAME_HEAD, p->head, &facts);
	if (p->base) {
		strbuf_adds(&facts, "  |  ");
		add_side_facts(p, FLAME_BASE, p->base, &facts);
	}
	p->y = MARGIN;
	if (o->notes) {
		strbuf_adds(p->out, "<g><title>");
		escape_html(p->out, o->notes);
		strbuf_adds(p->out, "</title>");
	}
	add_line(p, "title", "50%", title);
	strbuf_adds(p->out, o->notes ? "</g>\n" : "");
	if (o->subtitle && *o->subtitle)
		add_line(p, "sub", "50%", o->subtitle);
	add_line(p, "sub", "50%", facts.buf);
	strbuf_adds(p->out, "<g class=\"tools\" data-y=\"");
	flame_add_fixed(p->out, p->y + 4, 0);
	strbuf_adds(p->out, "\">");
	add_line(p, "note", "0.8%", "Point at a frame for its numbers. Zooming and searching need scripts.");
	strbuf_adds(p->out, "</g>\n");
	p->y += TOOLBAR - LINE + 4;
}

static void add_key(struct picture *p, const char *class, double x, const char *text)
{
	strbuf_addf(p->out, "<svg class=\"%s\" x=\"", class);
	flame_add_fixed(p->out, x, 0);
	add_attribute(p, "\" y=\"", p->y - 15, 0, "\" width=\"12\" height=\"12\"><rect width=\"100%\" height=\"100%\"/></svg>");
	strbuf_addf(p->out, "<text class=\"note\" x=\"%.0f\" y=\"", x + 17);
	flame_add_fixed(p->out, p->y - 5, 0);
	strbuf_adds(p->out, "\">");
	escape_html(p->out, text);
	strbuf_adds(p->out, "</text>\n");
}

static void add_legend(struct picture *p)
{
	static const struct {
		const char *class, *text;
	} keys[] = { { "r6", "more" }, { "b6", "less" }, { "g0", "inside the noise of sampling" } };
	double x = MARGIN;

	p->y += LINE;
	strbuf_adds(p->out, "<g class=\"legend\">\n");
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		add_key(p, keys[i].class, x, keys[i].text);
		x += 40 + p->letter * (double)strlen(keys[i].text);
	}
	strbuf_adds(p->out, "</g>\n");
}

static void add_heading(struct picture *p, int view)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *base = label_of(p->options, FLAME_BASE), *head = label_of(p->options, FLAME_HEAD);

	if (view == FLAME_VIEW_HEAD)
		strbuf_addf(&text, "Head: %s", head);
	else if (view == FLAME_VIEW_BASE)
		strbuf_addf(&text, "Base: %s", base);
	else
		strbuf_addf(&text, "Vanished: of %s, what %s has no sample of, ", base, head);
	if (view == FLAME_VIEW_VANISHED)
		add_percent(&text, p->layouts[view].total, p->layouts[FLAME_VIEW_BASE].total);
	add_line(p, "head", "0.8%", text.buf);
}

static void add_pruned(struct picture *p, const struct flame_layout *layout)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!layout->n_pruned)
		return;
	add_count(&text, layout->n_pruned);
	strbuf_addf(&text, " frame%s narrower than %.2g %% %s left out: %.2g %% of the weight stands only as gaps",
		    layout->n_pruned == 1 ? "" : "s", 100 * layout->least_width, layout->n_pruned == 1 ? "is" : "are",
		    100 * layout->pruned);
	add_line(p, "note pruned", "0.8%", text.buf);
}

static void add_view(struct picture *p, int view)
{
	const struct flame_layout *layout = &p->layouts[view];
	double top = p->y, height = (layout->deepest + 1) * p->frame_height;

	strbuf_addf(p->out, "<g class=\"view\" data-view=\"%s\" transform=\"translate(0,", view_names[view]);
	flame_add_fixed(p->out, top, 0);
	strbuf_adds(p->out, ")\">\n");
	p->y = 0;
	if (p->base)
		add_heading(p, view);
	if (layout->total > 0) {
		strbuf_addf(p->out, "<svg class=\"frames\" x=\"%g%%\" width=\"%g%%\"", free_pct, 100 - 2 * free_pct);
		add_attribute(p, " y=\"", p->y, 0, "\"");
		add_attribute(p, " height=\"", height, 0, "\">\n");
		add_frames(p, layout);
		strbuf_adds(p->out, "</svg>\n");
		p->y += height;
		add_pruned(p, layout);
	} else {
		add_line(p, "note", "0.8%", view == FLAME_VIEW_VANISHED ? "Nothing vanished." : "There is no sample in this profile.");
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

static void add_opening(struct picture *p, double height, struct strbuf *out)
{
	const struct flame_options *o = p->options;

	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pawl-flame\" role=\"group\" width=\"");
	flame_add_fixed(out, p->width, 0);
	strbuf_adds(out, "\" height=\"");
	flame_add_fixed(out, height, 0);
	strbuf_addf(out, "\" data-frame-height=\"%g\" data-inverted=\"%d\" data-fluid=\"%d\"", p->frame_height, o->inverted,
		    !(o->width > 0));
	if (p->font_size != 12)
		strbuf_addf(out, " style=\"font-size:%gpx\"", p->font_size);
	strbuf_adds(out, ">\n<title>");
	escape_html(out, o->title ?: p->base ? "Differential flame graph" : "Flame graph");
	strbuf_adds(out, "</title>\n");
	if (o->notes) {
		strbuf_adds(out, "<desc>");
		escape_html(out, o->notes);
		strbuf_adds(out, "</desc>\n");
	}
}

void flame_svg(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;
	CLEANUP(picture_release) struct picture p;

	/* The height is known in the end, and stands at the beginning. */
	picture_init(&p, head, base, options, &body);
	strbuf_adds(&body, "<style>\n");
	strbuf_adds(&body, style);
	flame_palette_style(options->colors, base != NULL, &body);
	strbuf_adds(&body, "</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
	add_head(&p);
	if (base)
		add_legend(&p);
	for (int i = 0; i < p.n_views; i++)
		add_view(&p, i);
	add_opening(&p, p.y, out);
	strbuf_add(out, body.buf, body.len);
	strbuf_adds(out, "<script><![CDATA[\n");
	strbuf_adds(out, script);
	strbuf_adds(out, "]]></script>\n</svg>\n");
}
