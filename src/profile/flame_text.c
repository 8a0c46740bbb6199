#include "profile/flame_text.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "profile/flame_change.h"
#include "profile/folded.h"

static bool begins(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

struct flame_unit flame_unit_of(const struct stacks *stacks, const struct flame_options *options)
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
	if (begins(event, "cpu-clock") || begins(event, "task-clock"))
		return (struct flame_unit){ .name = event, .time = true, .scaled = scaled };
	return (struct flame_unit){
		.name = strcmp(event, FOLDED_EVENT) && stacks->n_events == 1 ? event : "", .scaled = scaled,
	};
}

/* -------- numbers */

static void add_digits(struct strbuf *out, uint64_t value, int least)
{
	char text[24];
	int at = sizeof text;

	for (; value || least > 0; value /= 10, least--)
		text[--at] = (char)('0' + value % 10);
	strbuf_add(out, text + at, sizeof text - (size_t)at);
}

void flame_add_fixed(struct strbuf *out, double value, int decimals)
{
	static const uint64_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
	uint64_t scaled = (uint64_t)(fmax(0, fmin(value, 9e12)) * (double)powers[decimals] + 0.5);

	add_digits(out, scaled / powers[decimals], 1);
	if (decimals) {
		strbuf_addc(out, '.');
		add_digits(out, scaled % powers[decimals], decimals);
	}
}

void flame_add_count(struct strbuf *out, uint64_t value)
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
		flame_add_count(out, (uint64_t)weight);
	else
		strbuf_addf(out, "%.6g", weight);
	if (*unit->name)
		strbuf_addf(out, " %s", unit->name);
}

void flame_add_percent(struct strbuf *out, double part, double whole)
{
	flame_add_fixed(out, whole > 0 ? 100 * part / whole : 0, 2);
	strbuf_adds(out, " %");
}

/* -------- tooltips */

const char *flame_label(const struct flame_options *options, enum flame_side side)
{
	return options->side[side].label ?: side == FLAME_HEAD ? "head" : "base";
}

double flame_shown(const struct flame_options *options, enum flame_side side, double weight)
{
	double factor = options->side[side].factor;

	return options->scale == FLAME_ABSOLUTE && factor > 0 ? weight * factor : weight;
}

static void add_samples(struct strbuf *out, uint64_t samples, const struct flame_unit *unit)
{
	if (unit->counts)
		return;
	strbuf_adds(out, ", ");
	flame_add_count(out, samples);
	strbuf_adds(out, samples == 1 ? " sample" : " samples");
}

static double percent_of(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* Its unit comes from whoever named the event. */
static void add_weight_escaped(struct strbuf *out, double weight, const struct flame_unit *unit)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	flame_add_weight(&text, weight, unit);
	escape_html(out, text.buf);
}

/* PCT of the whole. */
static void add_part(struct strbuf *out, double pct, double shown, const struct flame_unit *unit)
{
	flame_add_percent(out, pct, 100);
	strbuf_adds(out, ", ");
	add_weight_escaped(out, shown, unit);
}

static void add_sum(struct strbuf *out, const struct flame_sum *sum, double whole, const struct flame_unit *unit)
{
	add_part(out, percent_of(sum->weight, whole), sum->weight, unit);
	add_samples(out, sum->samples, unit);
	strbuf_adds(out, "\nself ");
	if (!(sum->self > 0)) {
		strbuf_adds(out, "none");
		return;
	}
	add_part(out, percent_of(sum->self, whole), sum->self, unit);
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
			add_part(out, percent_of(side[i].weight, all[i].weight), flame_shown(options, i, side[i].weight), unit);
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

void flame_add_tooltip(struct strbuf *out, const struct flame_tree *tree, uint32_t node, const struct flame_unit *unit,
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
