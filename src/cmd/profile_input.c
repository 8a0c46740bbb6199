#include "cmd/profile_input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/files.h"
#include "measure/interrupt.h"
#include "measure/keeper.h"
#include "measure/perf_script.h"
#include "profile/folded.h"
#include "profile/kind.h"
#include "profile/names.h"
#include "profile/script.h"

enum { CHUNK = 1 << 16 };

/* Folded text is read whole; a profile of this size has more stacks than are taken anyway. */
#define FOLDED_BYTES_MOST (1ull << 30)

struct input {
	const char *path;
	int fd;
	bool at_end;
	struct strbuf start;	/* what was read to tell the form */
};

static void close_fd(int *fd)
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
	CLEANUP(close_fd) int fd = -1;

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

int profile_input_read(const char *path, struct stacks *out, struct error *err)
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
	close_fd(&in.fd);
	strbuf_release(&in.start);
	if (ret < 0) {
		stacks_release(&stacks);
		return -1;
	}
	names_resolve(&stacks);
	*out = stacks;
	return 0;
}
