/* pawl flamegraph: a profile as a picture, as folded stacks as JSON for d3-flame-graph, or as a table. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/parse.h"
#include "cmd/cmd.h"
#include "cmd/profile_input.h"
#include "measure/files.h"
#include "model/verdict.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/shares.h"
#include "profile/top.h"

/* What is drawn: one event of one profile, or of two. */
struct drawing {
	struct stacks head, base;
	bool compared;
	char *title, *labels[FLAME_SIDES];
	struct flame_options flame;
};

static void drawing_release(struct drawing *d)
{
	stacks_release(&d->head);
	stacks_release(&d->base);
	free(d->title);
	free(d->labels[FLAME_HEAD]);
	free(d->labels[FLAME_BASE]);
}

static char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!strcmp(path, "-"))
		return xstrdup("standard input");
	return xstrdup(slash && slash[1] ? slash + 1 : path);
}

/* As flamegraph.pl takes it: pixels, or percent with its sign. */
static int read_min_width(const char *text, double width, double *pct_out, struct error *err)
{
	CLEANUP(free_ptr) char *number = xstrdup(text);
	size_t len = strlen(number);
	bool percent = len && number[len - 1] == '%';
	double value;

	if (percent)
		number[len - 1] = '\0';
	if (parse_double(number, &value, NULL) < 0 || !(value >= 0) || (percent && value > 100))
		return error_set(err, ERR_INPUT, "--min-width: expected pixels such as 0.1, or percent of the width such as 0.5%%, found '%.60s'",
				 text);
	value = percent ? value : 100 * value / width;
	/* 0 means the default to those who draw. */
	*pct_out = value > 1e-9 ? value : 1e-9;
	return 0;
}

static int read_options(const struct options *o, struct drawing *d, struct error *err)
{
	d->flame = (struct flame_options){
		.title = o->title, .subtitle = o->subtitle, .notes = o->notes, .colors = o->colors, .width = (double)o->width,
		.frame_height = (double)o->height, .inverted = o->inverted, .reverse = o->reverse, .count_name = o->count_name,
		.side = { [FLAME_HEAD].label = d->labels[FLAME_HEAD], [FLAME_BASE].label = d->labels[FLAME_BASE] },
		.scale = o->absolute ? FLAME_ABSOLUTE : FLAME_PER_TOTAL,
	};
	if (!d->flame.title)
		d->flame.title = d->title;
	if (o->height && (o->height < 8 || o->height > 100))
		return error_set(err, ERR_INPUT, "--height: a frame is 8 to 100 pixels high, not %llu", (unsigned long long)o->height);
	if (o->width && o->width < 200)
		return error_set(err, ERR_INPUT, "--width: a picture is at least 200 pixels wide, not %llu", (unsigned long long)o->width);
	return o->min_width ? read_min_width(o->min_width, o->width ? (double)o->width : 1200, &d->flame.min_width, err) : 0;
}

/* Weights of two events have no sum, so one is drawn, and the others are said. */
static int keep_event(const struct invocation *inv, struct stacks *stacks, const char *path, const char *name, struct error *err)
{
	struct stacks only = STACKS_INIT;
	uint32_t event;

	/* Folded text does not name its event. */
	if (stacks->n_events == 1 && !strcmp(stacks_text(stacks, stacks->events[0].name), FOLDED_EVENT))
		return 0;
	if (stacks_find_event(stacks, name, &event, err) < 0)
		return error_at(err, path, 0, 0);
	if (stacks->n_events == 1)
		return 0;
	if (!name) {
		cmd_say(inv, "%s: showing event %s of:", path, stacks_text(stacks, stacks->events[event].name));
		for (size_t i = 0; i < stacks->n_events; i++)
			cmd_say(inv, " %s", stacks_text(stacks, stacks->events[i].name));
		cmd_say(inv, "; --event picks another\n");
	}
	stacks_merge(&only, stacks, event, NULL);
	stacks_release(stacks);
	*stacks = only;
	return 0;
}

static int read_side(struct invocation *inv, const char *path, const char *event, struct stacks *out, struct error *err)
{
	const char *format = inv->options.format;

	if (profile_input_read(path, out, err) < 0)
		return -1;
	/* Folded text keeps the sums of several events apart, so nothing has to be left out. */
	if (format && !strcmp(format, "folded") && !event)
		return 0;
	return keep_event(inv, out, path, event, err);
}

static void add_titles(struct drawing *d, const struct options *o, const char *path)
{
	struct strbuf title = STRBUF_INIT;
	char *head = file_of(path), *base = o->diff ? file_of(o->diff) : NULL;

	/* Files of the same name, of two runs say, are told apart by their folders. */
	if (base && !strcmp(head, base)) {
		free(head);
		free(base);
		head = xstrdup(path);
		base = xstrdup(o->diff);
	}
	if (base)
		strbuf_addf(&title, "%s against %s", o->head_label ?: head, o->base_label ?: base);
	else
		strbuf_adds(&title, head);
	d->title = strbuf_take(&title);
	d->labels[FLAME_HEAD] = xstrdup(o->head_label ?: head);
	d->labels[FLAME_BASE] = xstrdup(o->base_label ?: base);
	free(head);
	free(base);
}

/* Of several events of BASE, the one that HEAD is of; where there is none, what the base has most samples of. */
static int read_base(struct invocation *inv, struct drawing *d, struct error *err)
{
	const struct options *o = &inv->options;
	const char *event = o->event, *same = stacks_text(&d->head, d->head.events[0].name);
	uint32_t number;

	if (profile_input_read(o->diff, &d->base, err) < 0)
		return -1;
	if (!event && stacks_find_event(&d->base, same, &number, NULL) == 0)
		event = same;
	return keep_event(inv, &d->base, o->diff, event, err);
}

static int read_drawing(struct invocation *inv, struct drawing *d, struct error *err)
{
	const struct options *o = &inv->options;
	const char *path = inv->args.items[0], *event = o->event;

	add_titles(d, o, path);
	if (read_options(o, d, err) < 0 || read_side(inv, path, event, &d->head, err) < 0)
		return -1;
	d->compared = o->diff != NULL;
	return d->compared ? read_base(inv, d, err) : 0;
}

static void render_top(const struct drawing *d, const struct options *o, struct strbuf *out)
{
	CLEANUP(profile_release) struct profile profile = { 0 };
	CLEANUP(profile_release) struct profile base = { 0 };
	struct top_options options = { .threads = o->threads, .absolute = o->absolute };

	shares_build(&d->head, NULL, &profile);
	if (d->compared) {
		shares_build(&d->base, NULL, &base);
		top_render_difference(&profile, &base, &options, out);
		return;
	}
	shares_warn(&d->head, &profile);
	top_render(&profile, &options, out);
}

/* What a picture does not show of itself. Folded text says too little of where it comes from. */
static void warn(const struct invocation *inv, const struct stacks *stacks, const char *path)
{
	CLEANUP(profile_release) struct profile profile = { 0 };

	if (!strcmp(stacks_text(stacks, stacks->events[0].name), FOLDED_EVENT))
		return;
	shares_build(stacks, NULL, &profile);
	shares_warn(stacks, &profile);
	for (size_t i = 0; i < profile.doubts.n; i++)
		cmd_say(inv, "%s: warning: %s\n", path, profile.doubts.items[i]);
}

static void warn_of_both(const struct invocation *inv, const struct drawing *d)
{
	const char *format = inv->options.format;

	/* The table of one profile says it itself. */
	if (format && ((!strcmp(format, "top") && !d->compared) || !strcmp(format, "folded")))
		return;
	warn(inv, &d->head, inv->args.items[0]);
	if (d->compared)
		warn(inv, &d->base, inv->options.diff);
}

static int render(const struct drawing *d, const struct options *o, struct strbuf *out, struct error *err)
{
	const char *format = o->format ?: "svg";

	if (!strcmp(format, "folded"))
		return folded_write(&d->head, FOLDED_BY_TEXT, out, err);
	if (!strcmp(format, "top"))
		render_top(d, o, out);
	else if (!strcmp(format, "json"))
		flame_json(&d->head, d->compared ? &d->base : NULL, &d->flame, out);
	else
		flame_svg(&d->head, d->compared ? &d->base : NULL, &d->flame, out);
	return 0;
}

static int check_use(const struct invocation *inv, struct error *err)
{
	const struct options *o = &inv->options;

	if (inv->args.n != 1)
		return error_set(err, ERR_INPUT, "flamegraph takes one profile, FILE or - for standard input, and --diff BASE to compare it with");
	if (o->diff && !strcmp(o->diff, "-") && !strcmp(inv->args.items[0], "-"))
		return error_set(err, ERR_INPUT, "BASE and FILE cannot both come from standard input");
	if (o->absolute && !o->diff)
		return error_set(err, ERR_INPUT, "--absolute says how --diff BASE compares; there is nothing to compare with");
	if (o->diff && o->format && !strcmp(o->format, "folded"))
		return error_set(err, ERR_INPUT, "--diff makes svg, json or top, not folded");
	return 0;
}

static int flamegraph(struct invocation *inv, struct error *err)
{
	CLEANUP(drawing_release) struct drawing d = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *file = inv->options.output;

	if (check_use(inv, err) < 0 || read_drawing(inv, &d, err) < 0)
		return -1;
	warn_of_both(inv, &d);
	if (render(&d, &inv->options, &text, err) < 0)
		return -1;
	if (file && strcmp(file, "-"))
		return file_write(file, text.buf, text.len, err) < 0 ? -1 : STATUS_OK;
	return cmd_print(&text, err) < 0 ? -1 : STATUS_OK;
}

const struct command_def cmd_flamegraph = {
	.name = "flamegraph",
	.args = "FILE",
	.summary = "draw a profile as a flame graph",
	.details =
		"FILE is a recording of perf (perf.data), the text of perf script, or folded stacks; - is\n"
		"standard input. Which of them it is, is told from its bytes. The picture is one SVG file:\n"
		"a click or Enter zooms into a frame, Escape goes back, / searches, and the address keeps\n"
		"what is seen.\n\n"
		"With --diff BASE, frames are coloured by how their part of the whole changed from BASE to\n"
		"FILE, and grey where the samples cannot tell; head, base and what vanished are in one file.\n"
		"Where both were recorded for the same work, --absolute compares what it cost, not its\n"
		"parts of the whole.\n\n"
		"The status is 2 when FILE is no profile or has no sample in it, 3 when it cannot be read or\n"
		"perf is missing or fails.",
	.options = OPT_FLAME | OPT_OUTPUT,
	.run = flamegraph,
};
