#include "measure/perf/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sys/statvfs.h>

#include "base/mem.h"
#include "base/parse.h"

/* -------- its output */

/* The words behind LABEL at the start of a line; false when there is no such line, or it was cut off. */
static bool find_line(const char *text, size_t len, const char *label, struct strv *words)
{
	size_t label_len = strlen(label);

	for (const char *p = text, *end = text + len, *eol; (eol = memchr(p, '\n', (size_t)(end - p))); p = eol + 1) {
		if ((size_t)(eol - p) <= label_len || memcmp(p, label, label_len))
			continue;
		for (p += label_len; p < eol;) {
			size_t n = 0;

			while (p < eol && *p == ' ')
				p++;
			while (p + n < eol && p[n] != ' ')
				n++;
			if (n)
				strv_take(words, xstrndup(p, n));
			p += n;
		}
		return true;
	}
	return false;
}

int cachegrind_add(const char *text, size_t len, struct simulated *sum, struct error *err)
{
	/* Conditional and indirect branches are counted apart. */
	static const struct {
		const char *event;
		size_t member;
	} counted[] = {
		{ "Ir", offsetof(struct simulated, instructions) }, { "Dr", offsetof(struct simulated, l1d_loads) },
		{ "D1mr", offsetof(struct simulated, l1d_misses) }, { "Bc", offsetof(struct simulated, branches) },
		{ "Bi", offsetof(struct simulated, branches) }, { "Bcm", offsetof(struct simulated, branch_misses) },
		{ "Bim", offsetof(struct simulated, branch_misses) },
	};
	CLEANUP(strv_release) struct strv events = STRV_INIT, totals = STRV_INIT;
	struct simulated one = *sum;

	if (!find_line(text, len, "events:", &events) || !find_line(text, len, "summary:", &totals))
		return error_set(err, ERR_SYSTEM, "cachegrind's output has no events and summary lines: it did not end");
	if (events.n != totals.n)
		return error_set(err, ERR_SYSTEM, "cachegrind names %zu events and sums up %zu", events.n, totals.n);
	for (size_t i = 0; i < events.n; i++) {
		for (size_t k = 0; k < sizeof counted / sizeof counted[0]; k++) {
			uint64_t value;

			if (strcmp(events.items[i], counted[k].event))
				continue;
			if (parse_u64(totals.items[i], &value, err) < 0)
				return error_wrap(err, "cachegrind's total of %s", events.items[i]);
			*(double *)((char *)&one + counted[k].member) += (double)value;
		}
	}
	*sum = one;
	return 0;
}

/* -------- a target under it */

/* A simulated program runs about fifty times slower. */
#define TIMEOUT_FACTOR 50
enum { OUTPUT_LARGEST = 256 << 20 };
/* A process writes a few hundred KiB; where there is less room than that, that is why its file is not whole. */
enum { ROOM_LEAST_KIB = 1024 };

bool cachegrind_available(void)
{
	CLEANUP(free_ptr) char *path = file_find_program("valgrind", "/");

	return path != NULL;
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

		if (!text_starts(names.items[i], "out."))
			continue;
		if (file_read(path, OUTPUT_LARGEST, &text, err) < 0 || cachegrind_add(text.buf, text.len, sum, err) < 0)
			return -1;
		found++;
	}
	return found ? 0 : error_set(err, ERR_SYSTEM, "valgrind left no output");
}

/* Valgrind prints nothing when it cannot write. */
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

int cachegrind_run(struct session *session, const struct target_spec *spec, struct simulation what, struct simulated *out,
		   struct strbuf *output, struct error *err)
{
	/* The caches of a common desktop CPU, the same on every machine so that simulated values can be compared. */
	static const char *const options[] = {
		"valgrind", "--tool=cachegrind", "--trace-children=yes", "--vgdb=no",
		"--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64", NULL,
	};
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(free_ptr) char *dir = file_join(session->scratch, "cachegrind");
	struct target_spec simulated = *spec;
	struct simulated sum = { 0 };
	struct measured measured;

	if (file_remove_tree(dir, err) < 0 || file_make_dirs(dir, err) < 0)
		return -1;
	strv_push_all(&argv, options);
	strv_push(&argv, what.caches ? "--cache-sim=yes" : "--cache-sim=no");
	strv_push(&argv, what.branches ? "--branch-sim=yes" : "--branch-sim=no");
	strv_pushf(&argv, "--cachegrind-out-file=%s/out.%%p", dir);
	strv_pushf(&argv, "--log-file=%s/log.%%p", dir);
	strv_push(&argv, "--");
	strv_copy(&argv, spec->child.argv);
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
	if (!what.branches)
		sum.branches = sum.branch_misses = NAN;
	if (!what.caches)
		sum.l1d_loads = sum.l1d_misses = NAN;
	*out = sum;
	return 0;
}
