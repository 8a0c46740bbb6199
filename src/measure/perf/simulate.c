#include "measure/perf/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/statvfs.h>

#include "base/mem.h"
#include "measure/process/process.h"

/* A simulated program runs about fifty times slower. */
#define TIMEOUT_FACTOR 50
enum { CACHEGRIND_LARGEST = 256 << 20 };
/* A process writes a few hundred KiB; where there is less room than that, that is why its file is not whole. */
enum { ROOM_LEAST_KIB = 1024 };

/* A common desktop CPU's, the same on every machine so that simulated values can be compared. */
static const char *const options[] = {
	"--tool=cachegrind", "--cache-sim=yes", "--branch-sim=yes", "--trace-children=yes", "--vgdb=no",
	"--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64",
};

bool simulate_available(void)
{
	CLEANUP(free_ptr) char *path = file_find_program("valgrind", "/");

	return path != NULL;
}

static void build_argv(const struct strv *target, const char *dir, struct strv *argv)
{
	strv_push(argv, "valgrind");
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		strv_push(argv, options[i]);
	strv_pushf(argv, "--cachegrind-out-file=%s/out.%%p", dir);
	strv_pushf(argv, "--log-file=%s/log.%%p", dir);
	strv_push(argv, "--");
	strv_copy(argv, target);
}

static int add_files(const char *dir, struct simulated *sum, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	size_t found = 0;

	if (file_list(dir, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(free_ptr) char *path = file_join(dir, names.items[i]);

		if (strncmp(names.items[i], "out.", 4))
			continue;
		if (file_read(path, CACHEGRIND_LARGEST, &text, err) < 0 ||
		    cachegrind_add(text.buf, text.len, sum, err) < 0)
			return -1;
		found++;
	}
	return found ? 0 : error_set(err, ERR_SYSTEM, "valgrind left no output");
}

/* Valgrind says nothing when it cannot write. */
static void add_room(const char *dir, struct error *err)
{
	struct statvfs fs;
	uint64_t kib;

	if (statvfs(dir, &fs) < 0 || !fs.f_blocks)
		return;
	kib = (uint64_t)fs.f_bavail * fs.f_frsize >> 10;
	if (kib < ROOM_LEAST_KIB)
		error_wrap(err, "no space left on device: %s has %" PRIu64 " KiB for what valgrind writes; make room, or set TMPDIR",
			   dir, kib);
}

int simulate_run(struct session *session, const struct target_spec *spec, struct simulated *out, struct strbuf *output,
		 struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(free_ptr) char *dir = file_join(session->scratch, "cachegrind");
	struct target_spec simulated = *spec;
	struct simulated sum = { 0 };
	struct measured measured;

	if (file_remove_tree(dir, err) < 0 || file_make_dirs(dir, err) < 0)
		return -1;
	build_argv(spec->child.argv, dir, &argv);
	simulated.child.argv = &argv;
	simulated.child.aslr_off = true;
	simulated.timeout_ns *= TIMEOUT_FACTOR;
	if (target_run(session, &simulated, NULL, &measured, output, err) < 0) {
		/* Valgrind's timeout is not the target's; of an interrupt it is the signal. */
		if (err && err->sys == ETIMEDOUT)
			err->sys = 0;
		return error_wrap(err, "under valgrind");
	}
	if (add_files(dir, &sum, err) < 0) {
		add_room(dir, err);
		return -1;
	}
	*out = sum;
	return 0;
}
