#include "measure/tools/valgrind.h"

#include <link.h>
#include <math.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "measure/files/elf.h"
#include "measure/perf/session.h"
#include "measure/tools/tool.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"

/* False if the line is missing or cut off. */
static bool find_line(const char *text, size_t len, const char *label, struct strv *words)
{
	const char *end = text + len, *line;

	while ((line = text_next_line(&text, end, &len)) && !text_starts_within(line, len, label))
		;
	if (!line || line + len == end)
		return false;
	for (const char *at = line + strlen(label), *stop = line + len, *word; at < stop; at = word) {
		for (word = at; word < stop && *word != ' '; word++)
			;
		if (word > at)
			strv_take(words, xstrndup(at, (size_t)(word - at)));
		word += word < stop;
	}
	return true;
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

static void explain(const struct tool_side *side, struct error *err)
{
	CLEANUP(free_ptr) char *said = xstrdup(err->msg);

	(void)side;
	if (strstr(said, "status 132") || strstr(said, "SIGILL"))
		error_set(err, err->kind, "%s; it executes an instruction that is not known there: build what is measured without -march=native, "
			  "of Go with GOAMD64=v1", said);
	else if (strstr(said, "status 126") || strstr(said, "setuid"))
		error_set(err, err->kind, "%s; no program is run there that is setuid, or that may not be read: measure a copy, with "
			  "`chmod u-s,g-s,a+r`", said);
}

/*
 * The user's settings are ignored. Names are demangled elsewhere, as perf's are. What libraries free at the very end
 * does not count.
 */
static const char *const callgrind_options[] = {
	"--command-line-only=yes", "--tool=callgrind", "--trace-children=yes", "--vgdb=no", "--demangle=no", "--dump-line=yes",
	"--cache-sim=no", "--branch-sim=no", "--run-libc-freeres=no", "--run-cxx-freeres=no",
	"--callgrind-out-file={dir}/out.%p", "--log-file={dir}/log.%p", NULL,
};

/* Signals between Go's threads crash callgrind, and valgrind hides RDTSCP. */
const struct tool tool_callgrind = {
	.program = "valgrind", .options = callgrind_options, .files = "out.", .aslr_off = true, .own_cpus = true, .explain = explain,
	.godebug = "asyncpreemptoff=1,cpu.rdtscp=off",
};

/* These are of the options below. */
#define SETTINGS "no chase, D1 32768,8,64"
/* 8 bytes tell builds apart. */
enum { ID_LONGEST = sizeof "build-id:" - 1 + 16 };

/* Caches of a common desktop, everywhere, so that values are comparable. Chasing counts code that never executes. */
static const char *const cachegrind_options[] = {
	"--tool=cachegrind", "--vex-guest-chase=no", "--trace-children=yes", "--vgdb=no", "--I1=32768,8,64", "--D1=32768,8,64",
	"--LL=8388608,16,64", "--cachegrind-out-file={dir}/out.%p", "--log-file={dir}/log.%p", NULL,
};

static const struct tool tool_cachegrind = {
	.program = "valgrind", .options = cachegrind_options, .files = "out.", .aslr_off = true, .explain = explain,
};

static int find_libc(struct dl_phdr_info *info, size_t size, void *id)
{
	const char *base = strrchr(info->dlpi_name, '/');

	(void)size;
	if (!base || !(text_starts(base, "/libc.so") || text_starts(base, "/libc-") || text_starts(base, "/ld-musl")))
		return 0;
	*(char **)id = elf_identity(info->dlpi_name);
	return 1;
}

/* Another valgrind, setting, or build of the C library counts differently. */
static void name_simulator(struct keeper *keeper, char *out, size_t size)
{
	CLEANUP(free_ptr) char *libc_id = NULL;
	static const char *const argv[] = { "valgrind", "--version", NULL };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char libc[32] = "unknown libc";
	int status;

	confstr(_CS_GNU_LIBC_VERSION, libc, sizeof libc);
	if (child_capture(keeper, argv, 5 * NS_PER_S, &text, &status, NULL) < 0 || status != 0)
		strbuf_reset(&text);
	dl_iterate_phdr(find_libc, &libc_id);
	snprintf(out, size, "%.*s (" SETTINGS "), %s (%.*s)", (int)strcspn(text.buf, " \r\n"), text.len ? text.buf : "valgrind", libc,
		 ID_LONGEST, libc_id ?: "unknown build");
}

static int add_file(void *sum, size_t side, const char *text, size_t len, struct error *err)
{
	(void)side;
	return cachegrind_add(text, len, sum, err);
}

int cachegrind_run(struct session *session, const struct target_spec *spec, struct simulation what, struct simulated *out,
		   struct strbuf *output, struct error *err)
{
	const char *const extra[] = {
		what.caches ? "--cache-sim=yes" : "--cache-sim=no", what.branches ? "--branch-sim=yes" : "--branch-sim=no", NULL,
	};
	struct simulated sum = { 0 };
	struct tool_use use = {
		.extra = extra, .limit_ns = spec->timeout_ns * TOOL_TIMEOUT_FACTOR, .feed = add_file, .ctx = &sum, .output = output,
	};

	if (what.limit_ns && what.limit_ns < use.limit_ns)
		use.limit_ns = what.limit_ns;
	if (tool_run(session, &tool_cachegrind, spec, 1, &use, err) < 0)
		return -1;
	if (!what.branches)
		sum.branches = sum.branch_misses = NAN;
	if (!what.caches)
		sum.l1d_loads = sum.l1d_misses = NAN;
	name_simulator(session->keeper, sum.by, sizeof sum.by);
	*out = sum;
	return 0;
}
