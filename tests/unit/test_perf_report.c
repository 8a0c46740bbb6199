/*
 * Shares against perf's own: this test records itself at work, in three ways, and compares what script, names and
 * shares make of `perf script` with what `perf report` counts in the same file.
 */
#define OWN_MAIN
#include "unit.h"

#include <fcntl.h>
#include <unistd.h>

#include "measure/perf/perf_tool.h"
#include "measure/process/child.h"
#include "profile/names.h"
#include "profile/script.h"
#include "profile/shares.h"
#include "profile/stacks.h"

enum { TOP = 20, ROUNDS = 60 };

/* -------- recorded work */

static volatile uint64_t sink;

__attribute__((noinline)) static void burn(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i * i;
}

/* The mangled name of pawl::Hot<7>::spin(int). */
__attribute__((noinline)) static void spin(unsigned n) __asm__("_ZN4pawl3HotILi7EE4spinEi");
static void spin(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink ^= i * 77;
}

__attribute__((noinline)) static int compare(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	sink++;
	return (*x > *y) - (*x < *y);
}

__attribute__((noinline)) static void sort_numbers(unsigned *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		numbers[i] = (unsigned)(i * 2654435761u);
	qsort(numbers, n, sizeof *numbers, compare);
}

__attribute__((noinline)) static void ask_the_kernel(unsigned n)
{
	CLEANUP(free_ptr) char *block = xmalloc(1 << 20);
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	for (unsigned i = 0; i < n && fd >= 0; i++)
		if (read(fd, block, 1 << 20) < 0)
			break;
	if (fd >= 0)
		close(fd);
}

static int work(void)
{
	static unsigned numbers[20000];

	for (int i = 0; i < ROUNDS; i++) {
		burn(2000000);
		spin(1000000);
		sort_numbers(numbers, sizeof numbers / sizeof numbers[0]);
		ask_the_kernel(20);
	}
	return 0;
}

/* -------- both sides */

struct row {
	char *key;
	bool kernel;
	uint64_t samples;
	double share_pct;	/* as perf rounds it; rows with the same key are added */
	unsigned rows;
};

struct rows {
	struct row *items;
	size_t n, cap;
	double weight;
};

static void rows_release(struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->items[i].key);
	free(rows->items);
}

static struct row *row_of(struct rows *rows, const char *key, bool kernel)
{
	for (size_t i = 0; i < rows->n; i++)
		if (!strcmp(rows->items[i].key, key) && rows->items[i].kernel == kernel)
			return &rows->items[i];
	VEC_GROW(rows->items, rows->n, rows->cap);
	rows->items[rows->n] = (struct row){ .key = xstrdup(key), .kernel = kernel };
	return &rows->items[rows->n++];
}

/* " 12.34% <tab> 25 <tab>[.] symbol  <tab>...": perf prints unknown symbols as addresses. */
static void take_row(const char *line, struct rows *out)
{
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT, key = STRBUF_INIT;
	char name[4096], kind;
	unsigned long long samples;
	double share;
	struct row *row;
	bool kernel;

	if (sscanf(line, " %lf%% \t%llu \t[%c] %4095[^\t\n]", &share, &samples, &kind, name) != 4)
		return;
	for (size_t len = strlen(name); len && name[len - 1] == ' ';)
		name[--len] = '\0';
	kernel = kind == 'k';
	name_shown(!strncmp(name, "0x", 2) ? "[unknown]" : name, false, &shown);
	name_comparable(shown.buf, kernel ? "[kernel.kallsyms]" : "", &key);
	row = row_of(out, key.buf, kernel);
	row->samples += samples;
	row->share_pct += share;
	row->rows++;
}

static void read_report(const char *perf, const char *data, struct rows *out)
{
	char command[1024], line[8192];
	FILE *in;

	snprintf(command, sizeof command, "'%s' report -i '%s' --no-children --sort symbol -n --stdio --no-demangle --no-inline "
		 "-g none -t '\t' 2>/dev/null", perf, data);
	in = popen(command, "r");
	assert_non_null(in);
	while (fgets(line, sizeof line, in))
		if (sscanf(line, "# Event count (approx.): %lf", &out->weight) != 1)
			take_row(line, out);
	pclose(in);
}

static void read_script(const char *perf, const char *data, struct stacks *out)
{
	struct script *script = script_new(out);
	struct error err = ERROR_INIT;
	char command[1024], buf[65536];
	FILE *in;
	size_t n;

	snprintf(command, sizeof command, "'%s' script -i '%s' --no-inline --no-demangle --show-lost-events "
		 "-F comm,pid,tid,time,period,event,ip,sym,dso 2>/dev/null", perf, data);
	in = popen(command, "r");
	assert_non_null(in);
	while ((n = fread(buf, 1, sizeof buf, in)))
		if (script_feed(script, buf, n, &err))
			fail_msg("%s", err.msg);
	pclose(in);
	if (script_end(script, &err))
		fail_msg("%s", err.msg);
	script_free(script);
	names_resolve(out);
}

static void rows_of_profile(const struct profile *profile, struct rows *out)
{
	out->weight = profile->weight;
	for (size_t i = 0; i < profile->n_symbols; i++) {
		const struct profile_symbol *symbol = &profile->symbols[i];
		struct row *row = row_of(out, symbol->key, dso_is_kernel(symbol->dso));

		row->samples += symbol->samples;
		row->share_pct += profile_share_pct(profile, symbol);
	}
}

/* -------- comparing */

static int by_samples(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->samples < y->samples) - (x->samples > y->samples);
}

/* Returns the number of samples without a chain. perf report knows their address; perf script does not print it. */
static uint64_t without_chain(const struct stacks *stacks)
{
	uint64_t n = 0;

	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *s = &stacks->items[i];
		const struct frame *f = &stacks->frames[stacks->pool[s->first]];

		if (s->n == 1 && !strcmp(stacks_text(stacks, f->name), "[unknown]") &&
		    !strcmp(stacks_text(stacks, f->dso), "[unknown]"))
			n += s->samples;
	}
	return n;
}

/* SLACK is the number of samples that may differ. */
static void assert_same_top(struct rows *expected, struct rows *found, uint64_t slack, uint64_t samples, const char *how)
{
	double slack_pct = 100.0 * (double)slack / (double)samples;

	assert_true(slack_pct < 1);
	assert_true(expected->n > 4);
	assert_true(expected->weight == found->weight);
	qsort(expected->items, expected->n, sizeof *expected->items, by_samples);
	for (size_t i = 0; i < expected->n && i < TOP; i++) {
		const struct row *e = &expected->items[i], *f = row_of(found, e->key, e->kernel);

		if (f->samples > e->samples + slack || e->samples > f->samples + slack ||
		    fabs(f->share_pct - e->share_pct) > 0.005001 * e->rows + slack_pct)
			fail_msg("%s: %s%s: perf report says %.2f %%, %llu samples; found %.4f %%, %llu samples", how, e->key,
				 e->kernel ? " (kernel)" : "", e->share_pct, (unsigned long long)e->samples, f->share_pct,
				 (unsigned long long)f->samples);
	}
}

/* True if perf may sample here. Its recording is then in DATA. */
static bool record(const char *perf, const char *options, const char *data)
{
	char command[8192], self[4096];
	ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
	FILE *in;

	assert_true(len > 0);
	self[len] = '\0';
	snprintf(command, sizeof command, "'%s' record -q -e cpu-clock -F 1999 %s -o '%s' -- '%s' work >/dev/null 2>&1", perf,
		 options, data, self);
	in = popen(command, "r");
	return in && pclose(in) == 0;
}

static void compare_one(const char *perf, const char *options, const char *data)
{
	CLEANUP(rows_release) struct rows expected = { 0 }, found = { 0 };
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(profile_release) struct profile profile = { 0 };

	read_report(perf, data, &expected);
	read_script(perf, data, &stacks);
	shares_build(&stacks, NULL, &profile);
	rows_of_profile(&profile, &found);
	assert_same_top(&expected, &found, without_chain(&stacks), profile.samples, options);
	assert_true(row_of(&found, "pawl::Hot<7>::spin(int)", false)->samples > 0);
}

TEST(the_top_symbols_are_those_of_perf_report)
{
	static const char *const ways[] = { "", "-g", "--call-graph dwarf,4096" };
	CLEANUP(perf_tool_release) struct perf_tool perf = { 0 };
	CLEANUP(free_ptr) char *folder = xstrdup("/tmp/pawl-report-XXXXXX");
	struct keeper keeper = { .sock = -1 };
	struct error err = ERROR_INIT;
	bool recorded = true;
	int found;

	assert_int_equal(keeper_start(&keeper, NULL, NULL), 0);
	found = perf_tool_find(&keeper, &perf, &err);
	keeper_stop(&keeper);
	if (found)
		SKIP("%s", err.msg);
	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < sizeof ways / sizeof ways[0] && recorded; i++) {
		char data[64];

		snprintf(data, sizeof data, "%s/perf.data", folder);
		recorded = record(perf.path, ways[i], data);
		if (recorded)
			compare_one(perf.path, ways[i], data);
		unlink(data);
	}
	rmdir(folder);
	if (!recorded)
		SKIP("perf may not sample here");
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "work"))
		return work();
	return run_all();
}
