/* pawl flamegraph: shows a profile as a picture, as a table, or as a file that other viewers read. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cause/readers/offcpu.h"
#include "cmd/cmd.h"
#include "job/project/console.h"
#include "measure/files/files.h"
#include "measure/perf/perf.h"
#include "measure/perf/perf_tool.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "model/gate.h"
#include "profile/formats/firefox.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/foreign.h"
#include "profile/names.h"
#include "profile/formats/pprof.h"
#include "profile/script.h"
#include "profile/shares.h"
#include "profile/stacks.h"

/* -------- reading a profile of any form */

enum { CHUNK = 1 << 16 };

/* Most text of a profile. A larger profile has more stacks than are taken. */
#define TEXT_BYTES_MOST (1ull << 30)

struct input {
	const char *path;
	int fd;
	bool at_end;
	struct strbuf start;	/* the last piece read; the first is long enough to tell its form */
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

static int each_piece(struct input *in, int (*take)(void *ctx, const char *data, size_t len, struct error *err),
		      void *ctx, struct error *err)
{
	do {
		if (take(ctx, in->start.buf, in->start.len, err) < 0)
			return -1;
		strbuf_reset(&in->start);
		if (!in->at_end && read_piece(in, &in->start, err) < 0)
			return -1;
	} while (!in->at_end);
	return 0;
}

/* -------- the forms */

static int add_text(void *text, const char *data, size_t len, struct error *err)
{
	strbuf_add(text, data, len);
	if (((struct strbuf *)text)->len > TEXT_BYTES_MOST)
		return error_set(err, ERR_INPUT, "it is larger than %llu MiB, which no profile is",
				 TEXT_BYTES_MOST >> 20);
	return 0;
}

static int feed(void *script, const char *data, size_t len, struct error *err)
{
	return script_feed(script, data, len, err);
}

static int keep(void *fd, const char *data, size_t len, struct error *err)
{
	return file_write_all(*(int *)fd, data, len) < 0 ? error_sys(err, errno, "cannot keep standard input for perf") : 0;
}

static int read_recording(struct input *in, struct script *script, struct error *err)
{
	CLEANUP(close_input) int fd = -1;
	struct interrupt interrupt = { .fd = -1 };
	struct keeper keeper = { .sock = -1 };
	struct perf_tool tool = { 0 };
	const char *folder = getenv("TMPDIR");
	sigset_t before;
	int ret = -1;

	/* perf seeks in a recording. A pipe's goes to a file without a name, so that nothing of it stays. */
	if (lseek(in->fd, 0, SEEK_CUR) < 0 || !strcmp(in->path, "-")) {
		fd = file_unnamed(folder && *folder ? folder : "/tmp", err);
		if (fd < 0 || each_piece(in, keep, &fd, err) < 0)
			return -1;
	}
	/* Only perf needs a keeper. Before and after it, signals end pawl as usual. */
	sigprocmask(SIG_SETMASK, NULL, &before);
	if (interrupt_init(&interrupt, err) == 0 && keeper_start(&keeper, &interrupt, err) == 0 &&
	    perf_tool_find(&keeper, &tool, err) == 0)
		ret = perf_script_read(&keeper, &tool, &(struct recorded){ .file = name_of(in), .fd = fd }, feed,
				       script, err);
	perf_tool_release(&tool);
	keeper_stop(&keeper);
	interrupt_release(&interrupt);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static int read_whole(struct input *in, int (*reader)(const char *text, size_t len, struct stacks *out, struct error *err),
		      struct stacks *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return each_piece(in, add_text, &text, err) < 0 ? -1 : reader(text.buf, text.len, out, err);
}

static int read_script(struct input *in, bool recording, struct stacks *out, struct error *err)
{
	struct script *script = script_new(out);
	int ret = recording ? read_recording(in, script, err) : each_piece(in, feed, script, err);

	if (ret == 0)
		ret = script_end(script, err);
	script_free(script);
	return ret;
}

static int read_any(struct input *in, struct stacks *out, struct error *err)
{
	enum profile_kind kind = profile_kind_of(in->start.buf, in->start.len);
	const char *packer, *file = strcmp(in->path, "-") ? in->path : "FILE";

	switch (kind) {
	case PROFILE_KIND_EMPTY:
		return 0;
	case PROFILE_KIND_FOLDED:
		return read_whole(in, folded_read, out, err);
	case PROFILE_KIND_MASSIF:
		return read_whole(in, massif_read, out, err);
	case PROFILE_KIND_DHAT:
		return error_set(err, ERR_INPUT, "it is a file of DHAT, which pawl does not read: use valgrind --tool=massif, or heaptrack");
	case PROFILE_KIND_CACHEGRIND:
		return error_set(err, ERR_INPUT, "it is a file of cachegrind, which has lines of source and no stacks: show it with "
				 "'cg_annotate %s'", file);
	case PROFILE_KIND_CALLGRIND:
		return error_set(err, ERR_INPUT, "it is a file of callgrind, which has calls and no stacks: show it with "
				 "'callgrind_annotate --tree=both %s' or kcachegrind", file);
	case PROFILE_KIND_JEMALLOC:
		return error_set(err, ERR_INPUT, "it is a dump of jemalloc, whose addresses have no names yet: run "
				 "'jeprof --collapsed PROGRAM %s | pawl flamegraph -'", file);
	case PROFILE_KIND_SCRIPT:
	case PROFILE_KIND_PERF_DATA:
		return read_script(in, kind == PROFILE_KIND_PERF_DATA, out, err);
	case PROFILE_KIND_PACKED:
		packer = profile_kind_packer(in->start.buf, in->start.len);
		if (!strcmp(in->path, "-"))
			return error_set(err, ERR_INPUT, "it is compressed: put '%s -dc |' before pawl", packer);
		return error_set(err, ERR_INPUT, "it is compressed: run '%s -dc %s | pawl flamegraph -'", packer,
				 in->path);
	default:
		return error_set(err, ERR_INPUT, "it is %s: give folded stacks, the text of perf script, a recording (perf.data), or a file of massif",
				 kind == PROFILE_KIND_MARKUP ? "markup or JSON, no profile" : "no profile but other binary data");
	}
}

/* ERR_INPUT, with the path, if it is not a profile or holds no sample. */
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
	/* Errors of other kinds name what failed. */
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

struct drawing {
	struct stacks head, base;
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

static const char *file_of(const char *path)
{
	return !strcmp(path, "-") ? "standard input" : path_name(path);
}

static void read_options(const struct options *o, const char *path, struct drawing *d)
{
	const char *head = file_of(path), *base = o->diff ? file_of(o->diff) : NULL;

	/* Labels files of the same name, such as those of two runs, by their folders. */
	if (base && !strcmp(head, base)) {
		head = path;
		base = o->diff;
	}
	head = o->head_label ?: head;
	base = o->base_label ?: base;
	d->title = o->diff ? text_printf("%s against %s", head, base) : xstrdup(file_of(path));
	d->labels[FLAME_HEAD] = xstrdup(head);
	d->labels[FLAME_BASE] = xstrdup(base);
	d->flame = (struct flame_options){
		.title = o->title ?: d->title, .scale = o->absolute ? FLAME_ABSOLUTE : FLAME_PER_TOTAL,
		.side = { [FLAME_HEAD].label = d->labels[FLAME_HEAD], [FLAME_BASE].label = d->labels[FLAME_BASE] },
	};
}

/* Folded text does not name its event. */
static bool is_nameless(const struct stacks *stacks)
{
	return !strcmp(stacks_text(stacks, stacks->events[0].name), FOLDED_EVENT);
}

/* Keeps one event, since weights of two events have no sum. A message names the others. */
static int keep_event(const struct invocation *inv, struct stacks *stacks, const char *path, const char *name,
		      struct error *err)
{
	struct stacks only = STACKS_INIT;
	uint32_t event;

	if (stacks->n_events == 1 && is_nameless(stacks))
		return 0;
	if (stacks_find_event(stacks, name, &event, err) < 0)
		return error_at(err, path, 0, 0);
	if (stacks->n_events == 1)
		return 0;
	if (!name) {
		console_say(&inv->request, "%s: showing event %s of:", path, stacks_text(stacks, stacks->events[event].name));
		for (size_t i = 0; i < stacks->n_events; i++)
			console_say(&inv->request, " %s", stacks_text(stacks, stacks->events[i].name));
		console_say(&inv->request, "; --event picks another\n");
	}
	stacks_merge(&only, stacks, event, NULL);
	stacks_release(stacks);
	*stacks = only;
	return 0;
}

static int check_weight(const struct stacks *stacks, const char *path, struct error *err)
{
	for (size_t i = 0; i < stacks->n_events; i++)
		if (stacks->events[i].weight > 0)
			return 0;
	error_set(err, ERR_INPUT, "no sample in it has a weight: all of them are 0");
	return error_at(err, path, 0, 0);
}

static void warn_of_text(const struct invocation *inv, const struct stacks *stacks, const char *path)
{
	if (stacks->cut)
		console_say(&inv->request, "%s: warning: the empty line behind the last sample is missing; the text may be cut off there\n", path);
	if (stacks->messages)
		console_say(&inv->request, "%s: warning: skipped %llu line%s that perf wrote as messages ('%s'); samples or names may be missing\n",
			    path, (unsigned long long)stacks->messages, stacks->messages == 1 ? "" : "s",
			    stacks_text(stacks, stacks->message));
}

static int read_drawing(struct invocation *inv, bool apart, struct drawing *d, struct error *err)
{
	const struct options *o = &inv->options;
	const char *path = inv->args.items[0], *event = o->event, *same;
	uint32_t number;

	apart = apart && !event && !o->diff;
	read_options(o, path, d);
	if (profile_input_read(path, &d->head, err) < 0)
		return -1;
	warn_of_text(inv, &d->head, path);
	if ((!apart && keep_event(inv, &d->head, path, event, err) < 0) || check_weight(&d->head, path, err) < 0)
		return -1;
	if (!o->diff)
		return 0;
	if (profile_input_read(o->diff, &d->base, err) < 0)
		return -1;
	warn_of_text(inv, &d->base, o->diff);
	/* From several events of BASE, takes the event of FILE, else the one with most samples. */
	same = stacks_text(&d->head, d->head.events[0].name);
	if (!event && stacks_find_event(&d->base, same, &number, NULL) == 0)
		event = same;
	return keep_event(inv, &d->base, o->diff, event, err) < 0 ? -1 : check_weight(&d->base, o->diff, err);
}

/* True for waits as pawl writes them: each stack ends in what the thread waits for. */
static bool is_waiting(const struct stacks *stacks)
{
	double all = 0, waiting = 0;

	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *s = &stacks->items[i];
		const struct frame *leaf = s->n ? &stacks->frames[stacks->pool[s->first + s->n - 1]] : NULL;

		all += s->weight;
		waiting += leaf && wait_named(stacks_text(stacks, leaf->name)) != WAIT_NONE ? s->weight : 0;
	}
	return waiting > all / 2;
}

static void draw_waiting(struct drawing *d)
{
	struct stacks *sides[FLAME_SIDES] = { [FLAME_HEAD] = &d->head, [FLAME_BASE] = &d->base };

	if (!is_waiting(&d->head) || !is_nameless(&d->head))
		return;
	d->flame.waiting = true;
	for (int side = 0; side < FLAME_SIDES; side++)
		if (sides[side]->n && is_nameless(sides[side]))
			sides[side]->events[0].name = stacks_string(sides[side], OFFCPU_WAITING, strlen(OFFCPU_WAITING));
}

/* -------- the formats */

/* The base of a difference in two files is called as its head, after this. */
#define BASE_PREFIX "base-"

static void draw_top(const struct stacks *head, const struct stacks *base_stacks, const struct flame_options *look, struct strbuf *out)
{
	CLEANUP(profile_release) struct profile profile = { 0 };
	CLEANUP(profile_release) struct profile base = { 0 };
	struct top_options options = { .absolute = look->scale == FLAME_ABSOLUTE };

	shares_build(head, NULL, &profile);
	if (base_stacks) {
		shares_build(base_stacks, NULL, &base);
		top_render_difference(&profile, &base, &options, out);
		return;
	}
	shares_warn(head, &profile);
	top_render(&profile, &options, out);
}

/* How --format writes a profile: by `draw`, or by `write` in a file for each side; folded text by neither. */
static const struct form {
	const char *name;
	void (*draw)(const struct stacks *head, const struct stacks *base, const struct flame_options *look, struct strbuf *out);
	void (*write)(const struct stacks *stacks, const char *title, struct strbuf *out);
	bool events;		/* keeps the sums of several events apart */
	bool bare;		/* only the stacks: no warnings, no base */
	bool warns;		/* has the warnings of one profile itself */
	const char *compare;	/* advice for the files of a difference: base, head */
} forms[] = {
	{ .name = "svg", .draw = flame_svg },
	{ .name = "folded", .events = true, .bare = true },
	{ .name = "json", .draw = flame_json },
	{ .name = "top", .draw = draw_top, .warns = true },
	{ .name = "pprof", .write = pprof_write, .events = true, .compare = "to compare them: go tool pprof -diff_base %s %s" },
	{ .name = "firefox", .write = firefox_write, .compare = "open %s and %s at https://profiler.firefox.com" },
};

static const struct form *form_of(const char *name)
{
	const struct form *form = forms;

	while (name && strcmp(form->name, name) != 0)
		form++;
	return form;
}

/* Warns of what a picture does not show. Folded text says too little about its origin. */
static void warn(const struct invocation *inv, const struct stacks *stacks, const char *path)
{
	CLEANUP(profile_release) struct profile profile = { 0 };

	if (is_nameless(stacks))
		return;
	shares_build(stacks, NULL, &profile);
	shares_warn(stacks, &profile);
	for (size_t i = 0; i < profile.warnings.n; i++)
		console_say(&inv->request, "%s: warning: %s\n", path, profile.warnings.items[i]);
}

static int check_request(const struct invocation *inv, const struct form *form, struct error *err)
{
	const struct options *o = &inv->options;

	if (inv->args.n != 1)
		return error_set(err, ERR_INPUT, "flamegraph takes one profile, FILE or - for standard input, and --diff BASE to compare it with");
	if (o->diff && !strcmp(o->diff, "-") && !strcmp(inv->args.items[0], "-"))
		return error_set(err, ERR_INPUT, "BASE and FILE cannot both come from standard input");
	if (o->absolute && !o->diff)
		return error_set(err, ERR_INPUT, "--absolute says how --diff BASE compares; there is nothing to compare with");
	if (o->diff && form->bare)
		return error_set(err, ERR_INPUT, "--diff makes svg, json, top, pprof or firefox, not folded");
	if (o->diff && form->write && !console_is_file(inv->request.output))
		return error_set(err, ERR_INPUT, "--diff with --format %s writes two files: give the name of one with -o, such as -o slow.%s; the "
				 "other gets " BASE_PREFIX " before its name", form->name, form->write == pprof_write ? "pb.gz" : "json");
	return 0;
}

/* Names functions as symbols are compared, so that other viewers match those of two builds. */
static void use_comparable_names(struct stacks *stacks)
{
	for (size_t i = 0; i < stacks->n_frames; i++)
		stacks->frames[i].shown = stacks->frames[i].key;
}

static int write_sides(const struct invocation *inv, const struct form *form, struct drawing *d, struct error *err)
{
	struct stacks *sides[FLAME_SIDES] = { [FLAME_HEAD] = &d->head, [FLAME_BASE] = &d->base };
	CLEANUP(strbuf_release) struct strbuf base_word = STRBUF_INIT, head_word = STRBUF_INIT;
	const char *head = inv->request.output, *name = path_name(head);
	CLEANUP(free_ptr) char *base = text_printf("%.*s" BASE_PREFIX "%s", (int)(name - head), head, name);

	for (int side = 0; side < FLAME_SIDES; side++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		use_comparable_names(sides[side]);
		form->write(sides[side], d->labels[side], &text);
		if (file_write(side == FLAME_HEAD ? head : base, text.buf, text.len, err) < 0)
			return -1;
	}
	escape_shell(&base_word, base);
	escape_shell(&head_word, head);
	console_say(&inv->request, form->compare, base_word.buf, head_word.buf);
	console_say(&inv->request, "\n");
	return STATUS_OK;
}

static int flamegraph(struct invocation *inv, struct error *err)
{
	CLEANUP(drawing_release) struct drawing d = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct options *o = &inv->options;
	const struct form *form = form_of(o->format);

	if (check_request(inv, form, err) < 0 || read_drawing(inv, form->events, &d, err) < 0)
		return -1;
	if (!form->bare && (o->diff || !form->warns))
		warn(inv, &d.head, inv->args.items[0]);
	if (o->diff)
		warn(inv, &d.base, o->diff);
	if (!form->bare)
		draw_waiting(&d);
	if (o->diff && form->write)
		return write_sides(inv, form, &d, err);
	if (form->write)
		form->write(&d.head, d.flame.title, &text);
	else if (form->draw)
		form->draw(&d.head, d.base.n ? &d.base : NULL, &d.flame, &text);
	else if (folded_write(&d.head, FOLDED_BY_TEXT, &text, err) < 0)
		return -1;
	return console_write(inv->request.output, &text, err) < 0 ? -1 : STATUS_OK;
}

const struct command_def cmd_flamegraph = {
	.name = "flamegraph",
	.args = "FILE",
	.summary = "draw a profile as a flame graph",
	.examples =
		"pawl flamegraph -o after.svg after.data\n"
		"pawl flamegraph --diff before.data -o diff.svg after.data\n"
		"perf script | pawl flamegraph -o now.svg -",
	.details =
		"FILE is a recording of perf (perf.data), the text of perf script, folded stacks, or a file of\n"
		"massif; - is standard input. Which of them it is, its bytes show. The picture is one SVG file:\n"
		"a click or Enter zooms into a frame, Escape goes back, / searches, and the address keeps\n"
		"what is seen.\n\n"
		"With --diff BASE, frames are coloured by how their part of the whole changed from BASE to\n"
		"FILE, and grey where the samples cannot decide; head, base and what vanished are in one file.\n"
		"Where both were recorded for the same work, --absolute compares what it cost, not its\n"
		"parts of the whole.\n\n"
		"--format pprof writes a file for go tool pprof, and --format firefox one for\n"
		"https://profiler.firefox.com, with all names inside. With --diff, -o OUT gets FILE, and base-OUT\n"
		"next to it gets BASE.\n\n"
		"The status is 2 when FILE is not a profile or has no samples, 3 when it cannot be read or\n"
		"perf is missing or fails.",
	.options = OPT_FLAME | OPT_OUTPUT,
	.run = flamegraph,
};
