/* pawl flamegraph: a profile as a picture, as folded stacks, as JSON for d3-flame-graph, or as a table. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/path.h"
#include "cmd/cmd.h"
#include "measure/perf/perf.h"
#include "measure/process/process.h"
#include "model/gate.h"
#include "profile/flame.h"
#include "profile/shares.h"
#include "profile/stacks.h"

/* -------- reading a profile, whatever its form */

enum { CHUNK = 1 << 16 };

/* Folded text is read whole; a profile of this size has more stacks than are taken anyway. */
#define FOLDED_BYTES_MOST (1ull << 30)

struct input {
	const char *path;
	int fd;
	bool at_end;
	struct strbuf start;	/* what was read to tell the form */
};

static void close_input(int *fd)
{
	if (*fd > STDERR_FILENO)
		close(*fd);
}

static const char *name_of(const struct input *in)
{
	return strcmp(in->path, "-") ? in->path : "standard input";
}

/* One more piece appended to TEXT; nothing at the end. */
static int read_piece(struct input *in, struct strbuf *text, struct error *err)
{
	ssize_t n;

	strbuf_reserve(text, CHUNK);
	do
		n = read(in->fd, text->buf + text->len, CHUNK);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_sys(err, errno, "cannot read %s", name_of(in));
	text->len += (size_t)n;
	text->buf[text->len] = '\0';
	in->at_end = n == 0;
	return 0;
}

static int open_input(struct input *in, struct error *err)
{
	struct stat st;

	in->fd = strcmp(in->path, "-") ? open(in->path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (in->fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return error_set(err, ERR_INPUT, "there is no such file");
	if (in->fd < 0 || fstat(in->fd, &st) < 0)
		return error_sys(err, errno, "cannot open %s", in->path);
	if (S_ISDIR(st.st_mode))
		return error_set(err, ERR_INPUT, "it is a folder: give a profile in it, such as stacks.folded");
	while (!in->at_end && in->start.len < CHUNK)
		if (read_piece(in, &in->start, err) < 0)
			return -1;
	return 0;
}

/* -------- the forms */

static int read_folded(struct input *in, struct stacks *out, struct error *err)
{
	while (!in->at_end) {
		if (read_piece(in, &in->start, err) < 0)
			return -1;
		if (in->start.len > FOLDED_BYTES_MOST)
			return error_set(err, ERR_INPUT, "it is larger than %llu MiB, which no profile is", FOLDED_BYTES_MOST >> 20);
	}
	return folded_read(in->start.buf, in->start.len, out, err);
}

static int feed_rest(struct input *in, struct script *script, struct error *err)
{
	do {
		if (script_feed(script, in->start.buf, in->start.len, err) < 0)
			return -1;
		strbuf_reset(&in->start);
		if (!in->at_end && read_piece(in, &in->start, err) < 0)
			return -1;
	} while (!in->at_end);
	return script_end(script, err);
}

static int read_script(struct input *in, struct stacks *out, struct error *err)
{
	struct script *script = script_new(out);
	int ret = feed_rest(in, script, err);

	script_free(script);
	return ret;
}

static int feed(void *ctx, const char *data, size_t len, struct error *err)
{
	return script_feed(ctx, data, len, err);
}

static int write_all(int fd, const struct strbuf *text, struct error *err)
{
	for (size_t done = 0; done < text->len;) {
		ssize_t n = write(fd, text->buf + done, text->len - done);

		if (n < 0 && errno != EINTR)
			return error_sys(err, errno, "cannot keep standard input for perf");
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* perf seeks in a recording: what comes through a pipe is put into a file that has no name, so that nothing of it stays. */
static int keep_input(struct input *in, int *fd_out, struct error *err)
{
	const char *folder = getenv("TMPDIR");
	int fd = file_unnamed(folder && *folder ? folder : "/tmp", err);

	if (fd < 0)
		return -1;
	*fd_out = fd;
	do {
		if (write_all(fd, &in->start, err) < 0)
			return -1;
		strbuf_reset(&in->start);
		if (!in->at_end && read_piece(in, &in->start, err) < 0)
			return -1;
	} while (!in->at_end);
	return 0;
}

static int read_text(struct keeper *keeper, const struct recorded *recorded, struct stacks *out, struct error *err)
{
	struct perf_tool tool = { 0 };
	struct script *script;
	int ret;

	if (perf_tool_find(&tool, err) < 0)
		return -1;
	script = script_new(out);
	ret = perf_script_read(keeper, &tool, recorded, feed, script, err);
	if (ret == 0)
		ret = script_end(script, err);
	script_free(script);
	perf_tool_release(&tool);
	return ret;
}

/* Only perf needs a keeper, which takes longer to end than a picture to draw; signals end pawl as ever before and after. */
static int run_perf(const struct recorded *recorded, struct stacks *out, struct error *err)
{
	struct interrupt interrupt = { .fd = -1 };
	struct keeper keeper = { .sock = -1 };
	sigset_t before;
	int ret = -1;

	sigprocmask(SIG_SETMASK, NULL, &before);
	if (interrupt_init(&interrupt, err) == 0 && keeper_start(&keeper, &interrupt, err) == 0)
		ret = read_text(&keeper, recorded, out, err);
	keeper_stop(&keeper);
	interrupt_release(&interrupt);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static int read_recording(struct input *in, struct stacks *out, struct error *err)
{
	CLEANUP(close_input) int fd = -1;

	if ((lseek(in->fd, 0, SEEK_CUR) < 0 || !strcmp(in->path, "-")) && keep_input(in, &fd, err) < 0)
		return -1;
	return run_perf(&(struct recorded){ .file = name_of(in), .fd = fd }, out, err);
}

static int refuse_packed(const struct input *in, struct error *err)
{
	const char *program = profile_kind_packer(in->start.buf, in->start.len);

	if (!strcmp(in->path, "-"))
		return error_set(err, ERR_INPUT, "it is compressed: put '%s -dc |' before pawl", program);
	return error_set(err, ERR_INPUT, "it is compressed: run '%s -dc %s | pawl flamegraph -'", program, in->path);
}

static int read_any(struct input *in, struct stacks *out, struct error *err)
{
	switch (profile_kind_of(in->start.buf, in->start.len)) {
	case PROFILE_KIND_EMPTY:
		return 0;
	case PROFILE_KIND_FOLDED:
		return read_folded(in, out, err);
	case PROFILE_KIND_SCRIPT:
		return read_script(in, out, err);
	case PROFILE_KIND_PERF_DATA:
		return read_recording(in, out, err);
	case PROFILE_KIND_PACKED:
		return refuse_packed(in, err);
	case PROFILE_KIND_MARKUP:
		return error_set(err, ERR_INPUT, "it is markup or JSON, no profile: give folded stacks, the text of perf script, or a "
				 "recording (perf.data)");
	default:
		return error_set(err, ERR_INPUT, "it is no profile but other binary data: give folded stacks, the text of perf script, or a "
				 "recording (perf.data)");
	}
}

/*
 * Read PATH ("-": standard input) into *OUT, names resolved. ERR_INPUT, with the path, when it is no profile or holds no sample;
 * ERR_SYSTEM when it cannot be read, or perf is missing or fails.
 */
static int profile_input_read(const char *path, struct stacks *out, struct error *err)
{
	struct input in = { .path = path, .fd = -1, .start = STRBUF_INIT };
	struct stacks stacks = STACKS_INIT;
	int ret = open_input(&in, err);

	if (ret == 0) {
		ret = read_any(&in, &stacks, err);
		if (ret == 0 && !stacks.n)
			ret = error_set(err, ERR_INPUT, "there is no sample in it: record for longer, or something that takes CPU time");
	}
	/* The other kinds name what failed themselves. */
	if (ret < 0 && err->kind == ERR_INPUT)
		error_at(err, name_of(&in), 0, 0);
	close_input(&in.fd);
	strbuf_release(&in.start);
	if (ret < 0) {
		stacks_release(&stacks);
		return -1;
	}
	names_resolve(&stacks);
	*out = stacks;
	return 0;
}

/* -------- drawing it */

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
	return xstrdup(!strcmp(path, "-") ? "standard input" : path_name(path));
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
		cmd_message(inv, "%s: showing event %s of:", path, stacks_text(stacks, stacks->events[event].name));
		for (size_t i = 0; i < stacks->n_events; i++)
			cmd_message(inv, " %s", stacks_text(stacks, stacks->events[i].name));
		cmd_message(inv, "; --event picks another\n");
	}
	stacks_merge(&only, stacks, event, NULL);
	stacks_release(stacks);
	*stacks = only;
	return 0;
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
	const char *path = inv->args.items[0];
	/* Folded text keeps the sums of several events apart, so nothing has to be left out. */
	bool apart = o->format && !strcmp(o->format, "folded") && !o->event;

	add_titles(d, o, path);
	if (read_options(o, d, err) < 0 || profile_input_read(path, &d->head, err) < 0 ||
	    (!apart && keep_event(inv, &d->head, path, o->event, err) < 0))
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
	for (size_t i = 0; i < profile.warnings.n; i++)
		cmd_message(inv, "%s: warning: %s\n", path, profile.warnings.items[i]);
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
	const char *file = inv->options.output, *format = inv->options.format ?: "svg";

	if (check_use(inv, err) < 0 || read_drawing(inv, &d, err) < 0)
		return -1;
	/* The table of one profile says it itself. */
	if (strcmp(format, "folded") != 0 && (d.compared || strcmp(format, "top") != 0)) {
		warn(inv, &d.head, inv->args.items[0]);
		if (d.compared)
			warn(inv, &d.base, inv->options.diff);
	}
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
