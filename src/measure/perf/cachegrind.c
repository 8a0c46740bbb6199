#include "measure/perf/perf.h"

#include <math.h>

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
bool cachegrind_available(void)
{
	CLEANUP(free_ptr) char *path = file_find_program("valgrind", "/");

	return path != NULL;
}

static int add_file(void *sum, size_t side, const char *text, size_t len, struct error *err)
{
	(void)side;
	return cachegrind_add(text, len, sum, err);
}

int cachegrind_run(struct session *session, const struct target_spec *spec, struct simulation what, struct simulated *out,
		   struct strbuf *output, struct error *err)
{
	/* The caches of a common desktop CPU, the same on every machine so that simulated values can be compared. */
	const char *const options[] = {
		"--tool=cachegrind", "--trace-children=yes", "--vgdb=no", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64",
		what.caches ? "--cache-sim=yes" : "--cache-sim=no", what.branches ? "--branch-sim=yes" : "--branch-sim=no",
		"--cachegrind-out-file={dir}/out.%p", "--log-file={dir}/log.%p", "--", NULL,
	};
	const struct tool tool = { .program = "valgrind", .options = options, .files = "out.", .aslr_off = true };
	struct outcome outcome = { .output = output };
	struct simulated sum = { 0 };

	if (traced_run(session, &tool, spec, &outcome, 1, spec->timeout_ns * TIMEOUT_FACTOR, add_file, &sum, err) < 0)
		return -1;
	if (!what.branches)
		sum.branches = sum.branch_misses = NAN;
	if (!what.caches)
		sum.l1d_loads = sum.l1d_misses = NAN;
	*out = sum;
	return 0;
}
