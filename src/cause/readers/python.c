#include "cause/ledger/work.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cause/ledger/own_code.h"

/* -------- the text */

enum { FUNCTIONS_MOST = 1 << 20, CALLS_MOST = 1 << 22 };

/* State of reading one file. Functions are numbered as in the file. */
struct reader {
	const struct own_code *own;
	struct work *work;		/* this process alone */
	const char *library, *main;	/* in the arena; may be "" */
	bool ended;
	unsigned line_number;
};

/* Reads the number at *AT and the blank after it; false if missing. */
static bool take_number(const char **at, double *out)
{
	size_t digits = strspn(*at, "0123456789");

	if (!digits || digits > 18 || ((*at)[digits] && (*at)[digits] != ' '))
		return false;
	*out = strtod(*at, NULL);
	*at += digits + ((*at)[digits] == ' ');
	return true;
}

static bool take_numbers(const char **at, double *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!take_number(at, &out[i]))
			return false;
	return true;
}

/* Returns "posix.stat" for "<built-in method posix.stat>", "list.append" for "<method 'append' of 'list' objects>". */
static const char *builtin_name(const char *text, struct arena *arena)
{
	static const char *const leads[] = { "<built-in method builtins.", "<built-in method __builtin__.", "<built-in method ",
					     "<built-in function " };
	const char *quoted = strchr(text, '\''), *of = quoted ? strstr(quoted, "' of '") : NULL, *end;

	if (of && (text_starts(text, "<method ") || text_starts(text, "<slot wrapper ")) && (end = strchr(of + 6, '\'')))
		return arena_printf(arena, "%.*s.%.*s", (int)(end - of - 6), of + 6, (int)(of - quoted - 1), quoted + 1);
	for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
		const char *name = text + strlen(leads[i]);

		if (text_starts(text, leads[i]) && *name && *name != '>')
			return arena_strndup(arena, name, strcspn(name, "> "));
	}
	return arena_strdup(arena, text);
}

/* True for own code. Code given on the command line is as much the project's as a script. */
static bool is_own(const struct reader *r, const char *path)
{
	if (!*path)
		return false;
	if (*path == '<')
		return (!strcmp(r->main, "-c") && !strcmp(path, "<string>")) || (!strcmp(r->main, "-") && !strcmp(path, "<stdin>"));
	return (!*r->library || !path_below(path, r->library)) && own_code_has(r->own, path);
}

/* Parses "function 0 12 1 5000 parse\t/srv/x.py": number, line, calls, ns in itself. */
static bool read_function(struct reader *r, const char *at)
{
	struct work *work = r->work;
	struct work_function f = { 0 };
	const char *tab;
	double numbers[4];

	if (!take_numbers(&at, numbers, 4) || numbers[0] != (double)work->n_functions || work->n_functions >= FUNCTIONS_MOST ||
	    numbers[1] > UINT32_MAX)
		return false;
	tab = strchr(at, '\t');
	if (!tab || tab == at || strchr(tab + 1, '\t'))
		return false;
	f.code.object = arena_strdup(&work->arena, tab + 1);
	f.code.function = arena_strndup(&work->arena, at, (size_t)(tab - at));
	if (!*f.code.object)
		f.code.function = builtin_name(f.code.function, &work->arena);
	f.code.key = f.code.function;
	f.code.source = *f.code.object ? f.code.object : NULL;
	f.code.line = (unsigned)numbers[1];
	f.code.own = is_own(r, f.code.object);
	f.calls = numbers[2];
	f.self = numbers[3];
	ARENA_GROW(&work->arena, work->functions, work->n_functions, work->cap_functions);
	work->functions[work->n_functions++] = f;
	return true;
}

/* Parses "call 0 1 300 70000": caller, callee, calls, ns of the callee and everything it called. */
static bool read_call(struct reader *r, const char *at)
{
	struct work *work = r->work;
	double numbers[4];

	if (!take_numbers(&at, numbers, 4) || *at || numbers[0] >= (double)work->n_functions ||
	    numbers[1] >= (double)work->n_functions || work->n_calls >= CALLS_MOST)
		return false;
	ARENA_GROW(&work->arena, work->calls, work->n_calls, work->cap_calls);
	work->calls[work->n_calls++] = (struct work_call){ (uint32_t)numbers[0], (uint32_t)numbers[1], numbers[2], numbers[3] };
	return true;
}

static bool read_line(struct reader *r, const char *line)
{
	static const char *const words[] = { "pawl-python 1", "version ", "threads ", "library ", "main ", "function ", "call ", "end" };
	struct arena *arena = &r->work->arena;
	size_t i = 0;

	while (i < sizeof words / sizeof words[0] && !text_starts(line, words[i]))
		i++;
	if (r->ended || (r->line_number == 1) != (i == 0))
		return false;
	switch (i) {
	case 0:
		return !strcmp(line, words[0]);
	case 1:
	case 2:
		return true;
	case 3:
	case 4:
		*(i == 3 ? &r->library : &r->main) = arena_strdup(arena, line + strlen(words[i]));
		return true;
	case 5:
		return read_function(r, line + strlen(words[i]));
	case 6:
		return read_call(r, line + strlen(words[i]));
	case 7:
		r->ended = true;
		return !strcmp(line, words[7]);
	default:
		return false;
	}
}

static int read_lines(struct reader *r, const char *text, size_t len, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	for (const char *at = text, *end = text + len, *stop; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		r->line_number++;
		if (!stop)
			break;
		strbuf_reset(&line);
		strbuf_add(&line, at, (size_t)(stop - at));
		if (memchr(at, '\0', (size_t)(stop - at)) || !read_line(r, line.buf))
			return error_set(err, ERR_INPUT, "line %u is not what is written of calls in Python: '%.80s'", r->line_number,
					 line.buf);
	}
	return r->ended ? 0 : error_set(err, ERR_INPUT, "what was written of calls in Python is cut off after line %u",
					r->line_number);
}

/* -------- everything together */

/* Adds one process. Functions with the same name and file, such as two lambdas, are merged. */
static void add_process(struct work *work, const struct work *one)
{
	CLEANUP(free_ptr) uint32_t *numbers = xcalloc(one->n_functions + 1, sizeof *numbers);

	for (size_t i = 0; i < one->n_functions; i++) {
		const struct work_function *f = &one->functions[i];
		struct work_function *to;

		numbers[i] = work_function_of(work, f->code.object, f->code.key);
		to = &work->functions[numbers[i]];
		if (!to->code.function)
			to->code = (struct code){ to->code.key, to->code.key, to->code.object, f->code.source ? to->code.object : NULL, f->code.line, f->code.own };
		if (f->code.line && f->code.line < to->code.line)
			to->code.line = f->code.line;
		to->calls += f->calls;
		to->self += f->self;
		work->total += f->self;
	}
	for (size_t i = 0; i < one->n_calls; i++) {
		struct work_call call = one->calls[i];

		call.caller = numbers[call.caller];
		call.callee = numbers[call.callee];
		work_add_call(work, &call);
	}
}

int python_read(const char *text, size_t len, const struct own_code *own, struct work *work, struct error *err)
{
	struct work one = { 0 };
	struct reader reader = { .own = own, .work = &one, .library = "", .main = "" };
	int ret = read_lines(&reader, text, len, err);

	if (ret == 0) {
		add_process(work, &one);
		work->timed = true;
	}
	arena_release(&one.arena);
	return ret;
}

/* -------- several executions */

void python_least(struct work *work, struct work *again)
{
	CLEANUP(free_ptr) uint32_t *theirs = xcalloc(work->n_functions + 1, sizeof *theirs);

	work->total = 0;
	for (size_t i = 0; i < work->n_functions; i++) {
		struct work_function *f = &work->functions[i];

		theirs[i] = work_function_of(again, f->code.object, f->code.key);
		f->calls = fmin(f->calls, again->functions[theirs[i]].calls);
		f->self = fmin(f->self, again->functions[theirs[i]].self);
		work->total += f->self;
	}
	for (size_t i = 0; i < work->n_calls; i++) {
		struct work_call *c = &work->calls[i];
		uint32_t at = work_call_of(again, theirs[c->caller], theirs[c->callee]);

		c->calls = fmin(c->calls, again->calls[at].calls);
		c->total = fmin(c->total, again->calls[at].total);
	}
}

/* -------- two sides */

/* Differences between least times of three executions that do the same work, as a part and in ns. */
#define SAME_PART 0.05
#define SAME_NS 20e3
/* Largest ratio between the paces of the sides, which run at once, each on its own CPU. */
#define PACE_MOST 1.4

/* Times of a function that does the same work on both sides. */
struct common {
	double base, head;
};

static int compare_pace(const void *a, const void *b)
{
	const struct common *c = a, *d = b;
	double pace = c->head * d->base, other = d->head * c->base;

	return (pace > other) - (pace < other);
}

/* Returns the median pace, weighted by time and limited by PACE_MOST. */
static double common_pace(struct common *all, size_t n)
{
	double total = 0, passed = 0;

	if (n)
		qsort(all, n, sizeof *all, compare_pace);
	for (size_t i = 0; i < n; i++)
		total += all[i].base;
	for (size_t i = 0; i < n; i++) {
		passed += all[i].base;
		if (2 * passed >= total)
			return fmin(fmax(all[i].head / all[i].base, 1 / PACE_MOST), PACE_MOST);
	}
	return 1;
}

/* Returns the number of calls that each function makes. For free(). */
static double *calls_made(const struct work *work)
{
	double *made = xcalloc(work->n_functions + 1, sizeof *made);

	for (size_t i = 0; i < work->n_calls; i++)
		made[work->calls[i].caller] += work->calls[i].calls;
	return made;
}

/* Returns the number in BASE of each function of HEAD; UINT32_MAX: none. For free(). */
static uint32_t *pair_functions(const struct work *base, const struct own_code *base_own, const struct work *head, const struct own_code *head_own)
{
	CLEANUP(codes_release) struct codes codes = { .root = { base_own->root, head_own->root } };
	CLEANUP(free_ptr) uint32_t *numbers = xcalloc(base->n_functions + 1, sizeof *numbers);
	uint32_t *pairs = xcalloc(head->n_functions + 1, sizeof *pairs);
	size_t n = 0;

	for (size_t i = 0; i < base->n_functions; i++)
		if (codes_number(&codes, BASE, &base->functions[i].code) == n)
			numbers[n++] = (uint32_t)i;
	for (size_t i = 0; i < head->n_functions; i++) {
		code_id id = codes_number(&codes, HEAD, &head->functions[i].code);

		pairs[i] = id < n ? numbers[id] : UINT32_MAX;
	}
	return pairs;
}

void python_settle(struct work *base, const struct own_code *base_own, struct work *head, const struct own_code *head_own)
{
	CLEANUP(free_ptr) uint32_t *pairs = pair_functions(base, base_own, head, head_own);
	CLEANUP(free_ptr) double *before = calls_made(base);
	CLEANUP(free_ptr) double *now = calls_made(head);
	CLEANUP(free_ptr) struct common *common = xcalloc(head->n_functions + 1, sizeof *common);
	size_t n = 0;
	double pace;

	for (size_t i = 0; i < head->n_functions; i++) {
		const struct work_function *f = &head->functions[i], *was = pairs[i] == UINT32_MAX ? NULL : &base->functions[pairs[i]];

		if (was && was->calls == f->calls && before[pairs[i]] == now[i] && was->self > 0 && f->self > 0)
			common[n++] = (struct common){ was->self, f->self };
	}
	pace = common_pace(common, n);
	head->total = 0;
	for (size_t i = 0; i < head->n_functions; i++) {
		struct work_function *f = &head->functions[i];
		const struct work_function *was = pairs[i] == UINT32_MAX ? NULL : &base->functions[pairs[i]];

		f->self /= pace;
		if (was && was->calls == f->calls && before[pairs[i]] == now[i] &&
		    fabs(f->self - was->self) <= fmax(SAME_PART * was->self, SAME_NS))
			f->self = was->self;
		head->total += f->self;
	}
	for (size_t i = 0; i < head->n_calls; i++)
		head->calls[i].total /= pace;
}
