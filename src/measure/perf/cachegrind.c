#include "measure/perf/cachegrind.h"

#include <math.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/perf/traced.h"
#include "measure/process/child.h"
#include "measure/process/files.h"
#include "measure/process/interrupt.h"

/* -------- its output */

/* Reads the words after LABEL at the start of a line. False if the line is missing or cut off. */
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

/*
 * Returns the launcher that WORDS run, if any. Shells are recognised by the first word of a command line, other
 * launchers by the first or second.
 */
static const char *launcher_of(const struct strv *words)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "env" };
	static const char *const launchers[] = {
		"pyenv", "npx", "npm", "pnpm", "yarn", "cargo", "rustup", "uv", "poetry", "pipenv", "rbenv", "bundle", "mise", "asdf", "go",
	};

	for (size_t i = 0; words->n && i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(path_name(words->items[0]), shells[i]))
			return shells[i];
	for (size_t k = 0; k < words->n && k < 2; k++)
		for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
			if (!strcmp(path_name(words->items[k]), launchers[i]))
				return launchers[i];
	return NULL;
}

static void note_program(const char *text, size_t len, double instructions, struct simulated *sum)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	const char *launcher;

	if (!find_line(text, len, "cmd:", &words) || !words.n)
		return;
	launcher = launcher_of(&words);
	if (launcher) {
		sum->launcher += instructions;
		snprintf(sum->launched_by, sizeof sum->launched_by, "%s", launcher);
	} else if (instructions > sum->started_instructions && strlen(words.items[0]) < sizeof sum->started) {
		sum->started_instructions = instructions;
		snprintf(sum->started, sizeof sum->started, "%s", words.items[0]);
	}
}

int cachegrind_add(const char *text, size_t len, struct simulated *sum, struct error *err)
{
	/* Conditional and indirect branches are counted separately. */
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
	note_program(text, len, one.instructions - sum->instructions, &one);
	*sum = one;
	return 0;
}

/* -------- a target under it */

/* A simulated program runs about fifty times slower. */
#define TIMEOUT_FACTOR 50
bool cachegrind_available(void)
{
	CLEANUP(free_ptr) char *path = file_find_program("valgrind", "/");

	return path != NULL;
}

/* Another valgrind counts start-up differently, and another C library takes other paths. */
static void name_simulator(struct keeper *keeper, char *out, size_t size)
{
	static const char *const argv[] = { "valgrind", "--version", NULL };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char libc[32] = "unknown libc";
	int status;

	confstr(_CS_GNU_LIBC_VERSION, libc, sizeof libc);
	if (child_capture(keeper, argv, 5 * NS_PER_S, &text, &status, NULL) < 0 || status != 0)
		strbuf_reset(&text);
	snprintf(out, size, "%.*s, %s", (int)strcspn(text.buf, " \r\n"), text.len ? text.buf : "valgrind", libc);
}

static int add_file(void *sum, size_t side, const char *text, size_t len, struct error *err)
{
	(void)side;
	return cachegrind_add(text, len, sum, err);
}

int cachegrind_run(struct session *session, const struct target_spec *spec, struct simulation what, struct simulated *out,
		   struct strbuf *output, struct error *err)
{
	/*
	 * The caches of a common desktop CPU. They are the same on every machine, so that simulated values are
	 * comparable. Chasing goes beyond branches and counts code that never executes.
	 */
	const char *const options[] = {
		"--tool=cachegrind", "--vex-guest-chase=no", "--trace-children=yes", "--vgdb=no", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64",
		what.caches ? "--cache-sim=yes" : "--cache-sim=no", what.branches ? "--branch-sim=yes" : "--branch-sim=no",
		"--cachegrind-out-file={dir}/out.%p", "--log-file={dir}/log.%p", "--", NULL,
	};
	const struct tool tool = { .program = "valgrind", .options = options, .files = "out.", .aslr_off = true };
	struct outcome outcome = { .output = output };
	uint64_t limit_ns = spec->timeout_ns * TIMEOUT_FACTOR;
	struct simulated sum = { 0 };

	if (what.limit_ns && what.limit_ns < limit_ns)
		limit_ns = what.limit_ns;
	if (traced_run(session, &tool, spec, &outcome, 1, limit_ns, add_file, &sum, err) < 0)
		return -1;
	if (!what.branches)
		sum.branches = sum.branch_misses = NAN;
	if (!what.caches)
		sum.l1d_loads = sum.l1d_misses = NAN;
	name_simulator(session->keeper, sum.by, sizeof sum.by);
	*out = sum;
	return 0;
}
