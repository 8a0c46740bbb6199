#include "cause/work.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cause/own_code.h"

/* -------- functions of several processes */

/* Functions of WORK, sorted by code. */
struct by_code {
	const struct work *work;
	uint32_t *items;
	size_t n;
};

static int compare_codes(const struct code *a, const struct code *b)
{
	return strcmp(a->function, b->function) ?: strcmp(a->object, b->object);
}

static int compare_items(const void *a, const void *b, void *work)
{
	const struct work_function *functions = ((const struct work *)work)->functions;

	return compare_codes(&functions[*(const uint32_t *)a].code, &functions[*(const uint32_t *)b].code);
}

static struct by_code sort_by_code(struct work *work)
{
	struct by_code by = { .work = work, .items = xcalloc(work->n_functions + 1, sizeof *by.items), .n = work->n_functions };

	for (size_t i = 0; i < by.n; i++)
		by.items[i] = (uint32_t)i;
	if (by.n)
		qsort_r(by.items, by.n, sizeof *by.items, compare_items, work);
	return by;
}

static void by_code_release(struct by_code *by)
{
	free(by->items);
}

/* Returns the number of CODE; UINT32_MAX: missing. */
static uint32_t find_code(const struct by_code *by, const struct code *code)
{
	size_t low = 0, high = by->n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = compare_codes(code, &by->work->functions[by->items[middle]].code);

		if (!order)
			return by->items[middle];
		*(order < 0 ? &high : &low) = order < 0 ? middle : middle + 1;
	}
	return UINT32_MAX;
}

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

static int compare_calls(const void *a, const void *b)
{
	const struct work_call *c = a, *d = b;

	return (c->caller > d->caller) - (c->caller < d->caller) ?: (c->callee > d->callee) - (c->callee < d->callee);
}

/* Merges calls between the same two functions. */
static void join_calls(struct work *work)
{
	size_t n = 0;

	if (work->n_calls)
		qsort(work->calls, work->n_calls, sizeof *work->calls, compare_calls);
	for (size_t i = 0; i < work->n_calls; i++) {
		struct work_call *last = n ? &work->calls[n - 1] : NULL;

		if (last && !compare_calls(last, &work->calls[i])) {
			last->calls += work->calls[i].calls;
			last->total += work->calls[i].total;
		} else {
			work->calls[n++] = work->calls[i];
		}
	}
	work->n_calls = n;
}

static void add_function(struct work_function *to, const struct work_function *f)
{
	to->calls += f->calls;
	to->self += f->self;
	if (f->code.line && f->code.line < to->code.line)
		to->code.line = f->code.line;
}

static struct code copy_code(const struct code *code, struct arena *arena)
{
	struct code copy = *code;

	copy.key = copy.function = arena_strdup(arena, code->function);
	copy.object = arena_strdup(arena, code->object);
	copy.source = code->source ? copy.object : NULL;
	return copy;
}

/* Adds one process. Functions with the same name and file, such as two lambdas, are merged. */
static void add_process(struct work *work, struct work *one)
{
	CLEANUP(by_code_release) struct by_code known = sort_by_code(work), ours = sort_by_code(one);
	CLEANUP(free_ptr) uint32_t *numbers = xcalloc(one->n_functions + 1, sizeof *numbers);
	const struct work_function *previous = NULL;
	uint32_t number = 0;

	for (size_t i = 0; i < ours.n; i++) {
		const struct work_function *f = &one->functions[ours.items[i]];

		if (!previous || compare_codes(&previous->code, &f->code)) {
			number = find_code(&known, &f->code);
			if (number == UINT32_MAX) {
				number = (uint32_t)work->n_functions;
				ARENA_GROW(&work->arena, work->functions, work->n_functions, work->cap_functions);
				work->functions[work->n_functions++] = (struct work_function){
					.code = copy_code(&f->code, &work->arena),
				};
			}
		}
		add_function(&work->functions[number], f);
		numbers[ours.items[i]] = number;
		work->total += f->self;
		previous = f;
	}
	for (size_t i = 0; i < one->n_calls; i++) {
		struct work_call call = one->calls[i];

		call.caller = numbers[call.caller];
		call.callee = numbers[call.callee];
		ARENA_GROW(&work->arena, work->calls, work->n_calls, work->cap_calls);
		work->calls[work->n_calls++] = call;
	}
	join_calls(work);
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

static const struct work_call *find_call(const struct work *work, uint32_t caller, uint32_t callee)
{
	const struct work_call key = { .caller = caller, .callee = callee };

	return work->n_calls ? bsearch(&key, work->calls, work->n_calls, sizeof key, compare_calls) : NULL;
}

void python_least(struct work *work, struct work *again)
{
	CLEANUP(by_code_release) struct by_code others = sort_by_code(again);
	CLEANUP(free_ptr) uint32_t *theirs = xcalloc(work->n_functions + 1, sizeof *theirs);

	work->total = 0;
	for (size_t i = 0; i < work->n_functions; i++) {
		struct work_function *f = &work->functions[i];
		const struct work_function *g;

		theirs[i] = find_code(&others, &f->code);
		g = theirs[i] == UINT32_MAX ? NULL : &again->functions[theirs[i]];
		f->calls = g ? fmin(f->calls, g->calls) : 0;
		f->self = g ? fmin(f->self, g->self) : 0;
		work->total += f->self;
	}
	for (size_t i = 0; i < work->n_calls; i++) {
		struct work_call *c = &work->calls[i];
		bool both = theirs[c->caller] != UINT32_MAX && theirs[c->callee] != UINT32_MAX;
		const struct work_call *d = both ? find_call(again, theirs[c->caller], theirs[c->callee]) : NULL;

		c->calls = d ? fmin(c->calls, d->calls) : 0;
		c->total = d ? fmin(c->total, d->total) : 0;
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

/* Compares base names first: the two trees have different paths for one script. */
static int compare_keys(const void *a, const void *b, void *work)
{
	const struct work_function *functions = ((const struct work *)work)->functions;
	const struct code *c = &functions[*(const uint32_t *)a].code, *d = &functions[*(const uint32_t *)b].code;

	return strcmp(c->function, d->function) ?: strcmp(path_name(c->object), path_name(d->object)) ?: strcmp(c->object, d->object);
}

static uint32_t *sort_by_key(struct work *work)
{
	uint32_t *items = xcalloc(work->n_functions + 1, sizeof *items);

	for (size_t i = 0; i < work->n_functions; i++)
		items[i] = (uint32_t)i;
	if (work->n_functions)
		qsort_r(items, work->n_functions, sizeof *items, compare_keys, work);
	return items;
}

/* Returns the number of calls that each function makes. For free(). */
static double *calls_made(const struct work *work)
{
	double *made = xcalloc(work->n_functions + 1, sizeof *made);

	for (size_t i = 0; i < work->n_calls; i++)
		made[work->calls[i].caller] += work->calls[i].calls;
	return made;
}

/* Returns the number in BASE of each function of HEAD; UINT32_MAX: none or several. For free(). */
static uint32_t *pair_functions(struct work *base, struct work *head)
{
	CLEANUP(free_ptr) uint32_t *ours = sort_by_key(base);
	CLEANUP(free_ptr) uint32_t *theirs = sort_by_key(head);
	uint32_t *pairs = xcalloc(head->n_functions + 1, sizeof *pairs);
	size_t at = 0;

	for (size_t i = 0; i < head->n_functions; i++) {
		const struct code *code = &head->functions[theirs[i]].code;
		int order = -1;

		while (at < base->n_functions) {
			const struct code *other = &base->functions[ours[at]].code;

			order = strcmp(other->function, code->function) ?: strcmp(path_name(other->object), path_name(code->object));
			if (order >= 0)
				break;
			at++;
		}
		pairs[theirs[i]] = at < base->n_functions && order == 0 ? ours[at] : UINT32_MAX;
		/* A second function of that name is not paired, since the match is unknown. */
		if (order == 0)
			at++;
	}
	return pairs;
}

void python_settle(struct work *base, struct work *head)
{
	CLEANUP(free_ptr) uint32_t *pairs = pair_functions(base, head);
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
