#include "cause/ledger/work.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/names.h"
#include "profile/stacks.h"

/* -------- one file */

/* The file defines a name as "(12) strlen" and then repeats it as "(12)". Each kind of name has its own numbers. */
enum name_kind { NAME_OBJECT, NAME_FILE, NAME_FUNCTION };

/* Start of a function. */
struct entry {
	const char *file;		/* NULL: unknown */
	unsigned line;
};

struct reader {
	const char *at, *end;
	unsigned number;		/* current line */
	struct work *work;		/* this file alone; function names as in the file */
	struct pair_index ids;
	char **names;			/* by number in `ids`; in the arena */
	size_t n_names, cap_names;
	size_t positions, line_at;	/* number of position columns, and the column of the line; 0: none yet */
	size_t cost_at;			/* column of the instructions, or of the time, among the costs */
	size_t entered_at;		/* column of the times entered; SIZE_MAX: none, calls tell */
	bool counted, ended;
	double said;			/* total of its summaries */
	long long position;		/* of the previous line */
	const char *object, *file, *source;	/* of the following costs; "": unknown */
	const char *called_object, *called_file, *called_function;	/* NULL: not given */
	long long called_line;
	struct entry *entries;		/* starts of called functions, indexed as in `work` */
	size_t n_entries;
	uint32_t function;
	bool in_function, in_call;
	double calls;
};

static int wrong(const struct reader *r, struct error *err, const char *what)
{
	error_set(err, ERR_INPUT, "this is no output of callgrind: %s", what);
	return error_at(err, NULL, r->number, 0);
}

/* Returns the next line without its '\n', valid as long as the reader. */
static char *next_line(struct reader *r)
{
	const char *eol = memchr(r->at, '\n', (size_t)(r->end - r->at)) ?: r->end;
	char *line = arena_strndup(&r->work->arena, r->at, (size_t)(eol - r->at));

	r->at = eol + (eol < r->end);
	r->number++;
	return line;
}

/* Reads "(12) strlen", "(12)" or "strlen". */
static int read_name(struct reader *r, enum name_kind kind, char *text, const char **out, struct error *err)
{
	size_t digits = *text == '(' ? strspn(text + 1, "0123456789") : 0;
	char *name = text;
	uint32_t at;

	if (digits && text[1 + digits] == ')') {
		unsigned long long id = digits < 10 ? strtoull(text + 1, NULL, 10) : UINT32_MAX;

		if (id >= UINT32_MAX)
			return wrong(r, err, "the number of a name is too large");
		at = pair_index_of(&r->ids, kind, (uint32_t)id);
		for (name = text + 1 + digits + 1; *name == ' '; name++)
			;
		if (kind == NAME_FILE)
			path_tidy(name);
		if (at == r->n_names) {
			if (!*name)
				return wrong(r, err, "the number of a name comes before the name");
			*VEC_ADD(r->names, r->n_names, r->cap_names) = name;
		} else if (*name) {
			r->names[at] = name;
		} else {
			name = r->names[at];
		}
	}
	if (kind == NAME_FILE && name == text)
		path_tidy(name);
	*out = strcmp(name, "???") != 0 ? name : "";
	return 0;
}

static bool is_nameless(const char *raw)
{
	return !*raw || (raw[0] == '0' && raw[1] == 'x' && isxdigit((unsigned char)raw[2])) || !strcmp(raw, "[unknown]");
}

/* Returns the number of a function. Callgrind lists deeper levels of a recursion separately: "walk'2". */
static uint32_t reader_function(struct reader *r, const char *object, const char *raw)
{
	size_t len = strlen(raw), end = len;
	CLEANUP(free_ptr) char *name = NULL;

	while (end && text_is_digit(raw[end - 1]))
		end--;
	end = end > 1 && end < len && raw[end - 1] == '\'' ? end - 1 : len;
	name = xstrndup(raw, end);
	return work_function_of(r->work, object, *name ? name : "[unknown]");
}

static int read_count(struct reader *r, char **at, double *out, struct error *err)
{
	char *end = *at;

	if (!text_is_digit(**at))
		return wrong(r, err, "expected a number of costs");
	*out = strtod(*at, &end);
	if (!isfinite(*out) || (*end && *end != ' '))
		return wrong(r, err, "expected a number of costs");
	*at = end;
	return 0;
}

/* Reads "12", "+3", "-3" or "*", relative to the previous line. */
static int read_position(struct reader *r, char **at, long long *out, struct error *err)
{
	bool relative = **at == '+' || **at == '-';
	char *end = *at;
	long long value;

	if (**at == '*') {
		end++;
		value = r->position;
	} else {
		value = strtoll(*at, &end, 0);
		if (end == *at || value > INT32_MAX || value < -(long long)INT32_MAX)
			return wrong(r, err, "expected the number of a line");
		value += relative ? r->position : 0;
	}
	if ((*end && *end != ' ') || value < 0 || value > INT32_MAX)
		return wrong(r, err, "expected the number of a line");
	*at = end;
	*out = value;
	return 0;
}

static char *skip_blanks(char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

static char *skip_word(char *at)
{
	while (*at && *at != ' ')
		at++;
	return skip_blanks(at);
}

/* Reads the line number, the cost and the times entered from a line of costs. */
static int read_costs(struct reader *r, char *text, double *out, double *entered, struct error *err)
{
	*out = *entered = 0;
	for (size_t i = 0; i < r->positions; i++, text = skip_blanks(text)) {
		if (!*text)
			return wrong(r, err, "a line of costs has too few positions");
		if (i != r->line_at)
			text = skip_word(text);
		else if (read_position(r, &text, &r->position, err) < 0)
			return -1;
	}
	for (size_t i = 0; *text && (i <= r->cost_at || r->entered_at != SIZE_MAX); i++, text = skip_blanks(text)) {
		double cost;

		if (read_count(r, &text, &cost, err) < 0)
			return -1;
		if (i == r->cost_at)
			*out = cost;
		if (i == r->entered_at)
			*entered = cost;
	}
	return 0;
}

/* Adds the call that was read; COST is its total. */
static void take_called(struct reader *r, double cost)
{
	uint32_t callee = reader_function(r, r->called_object ?: r->object, r->called_function);

	r->work->functions[callee].calls += r->entered_at == SIZE_MAX ? r->calls : 0;
	work_add_call(r->work, &(struct work_call){ r->function, callee, r->calls, cost });
	r->entries = xextend(r->entries, &r->n_entries, callee + 1UL, sizeof *r->entries);
	if (!r->entries[callee].file && r->called_line)
		r->entries[callee] = (struct entry){ r->called_file ?: r->source, (unsigned)r->called_line };
	r->in_call = false;
	r->called_object = r->called_file = r->called_function = NULL;
}

static int take_costs(struct reader *r, char *text, struct error *err)
{
	struct work_function *f;
	double cost, entered;

	if (!r->counted)
		return wrong(r, err, "costs come before the line that says what they are of (\"events:\")");
	if (!r->in_function)
		return wrong(r, err, "costs come before the function that they are of");
	if (read_costs(r, text, &cost, &entered, err) < 0)
		return -1;
	if (r->in_call) {
		take_called(r, cost);
		return 0;
	}
	f = &r->work->functions[r->function];
	f->self += cost;
	f->calls += entered;
	r->work->total += cost;
	if (!r->position || !*r->source)
		return 0;
	if (!f->code.source && !strcmp(r->source, r->file))
		f->code.source = r->source;
	if (!r->work->timed)
		work_add_line(r->work, r->function, r->source, (unsigned)r->position, cost);
	else if (!f->code.line || r->position < f->code.line)
		f->code.line = (unsigned)r->position;
	return 0;
}

/* -------- kinds of lines */

typedef int line_fn(struct reader *r, char *value, struct error *err);

static int take_file(struct reader *r, char *value, struct error *err)
{
	int ret = read_name(r, NAME_FILE, value, &r->file, err);

	r->source = r->file;
	return ret;
}

static int take_function(struct reader *r, char *value, struct error *err)
{
	const char *name;

	if (read_name(r, NAME_FUNCTION, value, &name, err) < 0)
		return -1;
	r->source = r->file;
	r->function = reader_function(r, r->object, name);
	r->in_function = true;
	return 0;
}

static int take_calls(struct reader *r, char *value, struct error *err)
{
	if (!r->called_function)
		return wrong(r, err, "calls come before the function that is called");
	r->in_call = true;
	r->called_line = 0;
	if (read_count(r, &value, &r->calls, err) < 0)
		return -1;
	value = skip_blanks(value);
	for (size_t i = 0; i < r->line_at; i++)
		value = skip_word(value);
	/* Some versions omit it. */
	return *value ? read_position(r, &value, &r->called_line, err) : 0;
}

static int take_positions(struct reader *r, char *value, struct error *err)
{
	bool found = false;

	r->positions = 0;
	for (char *word = skip_blanks(value); *word; word = skip_word(word), r->positions++)
		if (!strncmp(word, "line", strlen("line"))) {
			r->line_at = r->positions;
			found = true;
		}
	return found ? 0 : wrong(r, err, "it has no numbers of lines (--dump-line=yes)");
}

static int take_events(struct reader *r, char *value, struct error *err)
{
	size_t at = 0, len;

	for (char *word = skip_blanks(value); *word; word = skip_word(word), at++) {
		len = strcspn(word, " ");
		if (len == strlen("entered") && text_starts(word, "entered"))
			r->entered_at = at;
		if (len != 2 || r->counted || (memcmp(word, "Ir", 2) && memcmp(word, "ns", 2)))
			continue;
		r->cost_at = at;
		r->counted = true;
		r->work->timed = *word == 'n';
	}
	return r->counted ? 0 : wrong(r, err, "it counts no instructions (\"Ir\") and no time (\"ns\")");
}

static int take_summary(struct reader *r, char *value, struct error *err)
{
	double said = 0;

	value = skip_blanks(value);
	for (size_t i = 0; *value && i <= r->cost_at; i++, value = skip_blanks(value))
		if (read_count(r, &value, &said, err) < 0)
			return -1;
	r->said += said;
	return 0;
}

static int take_totals(struct reader *r, char *value, struct error *err)
{
	(void)value;
	(void)err;
	r->ended = true;
	return 0;
}

/* TAKE reads the line, or its name goes to a member. Neither: it is ignored. */
static const struct line_kind {
	const char *begin;
	line_fn *take;
	enum name_kind name;
	size_t member;
} line_kinds[] = {
#define NAME(kind, to) .name = (kind), .member = offsetof(struct reader, to)
	{ "fn=", .take = take_function }, { "cfn=", NAME(NAME_FUNCTION, called_function) }, { "calls=", .take = take_calls },
	{ "fi=", NAME(NAME_FILE, source) }, { "fe=", NAME(NAME_FILE, source) }, { "fl=", .take = take_file },
	{ "cfi=", NAME(NAME_FILE, called_file) }, { "cfl=", NAME(NAME_FILE, called_file) },
	{ "ob=", NAME(NAME_OBJECT, object) }, { "cob=", NAME(NAME_OBJECT, called_object) },
	/* A jump's cost is in the functions, and its next line has only a position. */
	{ .begin = "jump=" }, { .begin = "jcnd=" },
	{ "positions:", .take = take_positions }, { "events:", .take = take_events }, { "summary:", .take = take_summary }, { "totals:", .take = take_totals },
};

static int take_kind(struct reader *r, const struct line_kind *kind, char *value, struct error *err)
{
	if (kind->member)
		return read_name(r, kind->name, value, (const char **)((char *)r + kind->member), err);
	return kind->take ? kind->take(r, value, err) : 0;
}

/* True for headings: "desc: I1 cache: ", "cmd: ./a b", and those that newer versions add. */
static bool is_heading(const char *line)
{
	size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");

	return *line == '#' || (word && line[word] == ':');
}

static int take_line(struct reader *r, char *line, struct error *err)
{
	if (!*line)
		return 0;
	if (text_is_digit(*line) || strchr("+-*", *line))
		return take_costs(r, line, err);
	if (r->in_call)
		return wrong(r, err, "calls have no line of costs");
	for (size_t i = 0; i < sizeof line_kinds / sizeof line_kinds[0]; i++)
		if (text_starts(line, line_kinds[i].begin))
			return take_kind(r, &line_kinds[i], line + strlen(line_kinds[i].begin), err);
	return is_heading(line) ? 0 : wrong(r, err, "unknown line");
}

enum { NAME_LARGEST = 32 << 10 };

/* True if LINE has a name, which may contain a line feed. */
static bool gives_name(const char *line)
{
	const char *equals = strchr(line, '=');

	return equals && equals - line <= 3 && line[0] != 'j' && islower((unsigned char)line[0]);
}

/* True if the next line can only be the rest of a name. */
static bool name_goes_on(const struct reader *r)
{
	if (r->at == r->end || *r->at == '\n' || text_is_digit(*r->at) || strchr("+-*", *r->at))
		return false;
	for (size_t i = 0; i < sizeof line_kinds / sizeof line_kinds[0]; i++)
		if ((size_t)(r->end - r->at) >= strlen(line_kinds[i].begin) &&
		    !memcmp(r->at, line_kinds[i].begin, strlen(line_kinds[i].begin)))
			return false;
	return true;
}

static int read_lines(struct reader *r, struct error *err)
{
	while (r->at < r->end) {
		char *line = next_line(r);

		while (gives_name(line) && name_goes_on(r) && strlen(line) < NAME_LARGEST)
			line = arena_printf(&r->work->arena, "%s %s", line, next_line(r));
		if (take_line(r, line, err) < 0)
			return -1;
	}
	if (!r->counted)
		return wrong(r, err, "it does not say what it counts (\"events:\")");
	/* Totals are at the end, the summary is at the beginning. */
	if (r->in_call || (!r->ended && !(r->said > 0 && r->work->total >= 0.99 * r->said)))
		return wrong(r, err, "it was cut off");
	return 0;
}

/* -------- stubs */

/*
 * Most instructions per call of a stub. A call into another file passes a stub of a few instructions, nameless or with
 * a name of its own. Stubs belong to their callers. Only those with a single target are recognised.
 */
enum { STUB_LARGEST = 6 };

static bool may_be_stub(const struct work_function *f)
{
	return (is_nameless(f->code.key) || text_ends(f->code.key, strlen(f->code.key), "@plt")) && f->calls > 0 &&
	       f->self <= STUB_LARGEST * f->calls;
}

/* Returns the target of each stub, by number. Other functions have their own number. For free(). */
static uint32_t *stub_targets(const struct work *work)
{
	uint32_t *target = xcalloc(work->n_functions + 1, sizeof *target), n = (uint32_t)work->n_functions;

	for (uint32_t i = 0; i < n; i++)
		target[i] = i;
	for (size_t i = 0; i < work->n_calls; i++) {
		const struct work_call *c = &work->calls[i];

		if (may_be_stub(&work->functions[c->caller]))
			target[c->caller] = target[c->caller] == c->caller && !may_be_stub(&work->functions[c->callee]) ? c->callee : n;
	}
	for (uint32_t i = 0; i < n; i++)
		if (target[i] == n)
			target[i] = i;
	return target;
}

/* Redirects calls past stubs, and adds the stubs' instructions to their callers. */
static void pass_stubs(struct work *work, const uint32_t *target)
{
	for (size_t i = 0; i < work->n_calls; i++) {
		struct work_call *c = &work->calls[i];
		uint32_t stub = c->callee;
		double part;

		if (target[stub] == stub)
			continue;
		part = work->functions[stub].self * (c->calls / work->functions[stub].calls);
		work->functions[c->caller].self += part;
		c->total = fmax(0, c->total - part);
		c->callee = target[stub];
	}
	for (size_t i = 0; i < work->n_functions; i++)
		if (target[i] != i)
			work->functions[i].self = work->functions[i].calls = 0;
}

/* -------- everything together */

/* State for merging the functions of one file. */
struct merge {
	const struct own_code *own;
	struct work *from, *to;
	const struct entry *entries;
	size_t n_entries;
	uint32_t *number;	/* number in `to` of each function in `from` */
	bool *lines;		/* true for functions with lines */
	const struct work_line **own_line;	/* costliest line in a project source; or NULL */
};

static void look_at_sources(struct merge *m)
{
	struct work_index *index = m->from->index;
	enum { UNKNOWN, OWN, FOREIGN };
	CLEANUP(free_ptr) unsigned char *of_text = xcalloc(index->texts.n_strings + 1, 1);

	for (size_t i = 0; i < m->from->n_lines; i++) {
		const struct work_line *l = &m->from->lines[i], **own = &m->own_line[l->function];
		unsigned char *of = &of_text[index->places.items[index->lines.items[i].b].a];

		if (*of == UNKNOWN)
			*of = own_code_has(m->own, l->source) ? OWN : FOREIGN;
		m->lines[l->function] = true;
		if (*of == OWN && (!*own || l->self > (*own)->self))
			*own = l;
	}
}

/*
 * Places functions where they are entered. If the first instructions were inlined from a library, debug information
 * gives the library's file. A project function then begins at its first line in the source of its costliest project
 * line.
 */
static void place_functions(struct merge *m)
{
	for (size_t i = 0; i < m->n_entries && i < m->from->n_functions; i++) {
		struct code *code = &m->from->functions[i].code;

		if (m->entries[i].file && *m->entries[i].file && own_code_has(m->own, m->entries[i].file)) {
			code->source = m->entries[i].file;
			code->line = m->entries[i].line;
		}
	}
	for (size_t i = 0; i < m->from->n_functions; i++) {
		struct code *code = &m->from->functions[i].code;

		if (m->own_line[i] && (!code->source || !own_code_has(m->own, code->source)))
			*code = (struct code){ .key = code->key, .object = code->object, .source = m->own_line[i]->source };
	}
	for (size_t i = 0; i < m->from->n_lines; i++) {
		const struct work_line *l = &m->from->lines[i];
		bool entered = l->function < m->n_entries && m->entries[l->function].file;
		struct code *code = &m->from->functions[l->function].code;

		if (entered && code->source == m->entries[l->function].file)
			continue;
		if (code->source && !strcmp(code->source, l->source) && (!code->line || l->line < code->line))
			code->line = l->line;
	}
}

static void merge_function(struct merge *m, size_t i, struct strbuf *shown, struct strbuf *key)
{
	const struct work_function *f = &m->from->functions[i];
	bool timed = m->from->timed, own_source = !m->lines[i] || m->own_line[i];
	struct work_function *to;

	strbuf_reset(shown);
	strbuf_reset(key);
	/*
	 * Untrusted names may expand to much longer ones. Past the limit they are kept unchanged, and so are Python's, which
	 * are comparable.
	 */
	if (is_nameless(f->code.key))
		strbuf_adds(shown, "[unknown]");
	else if (timed || (m->to->index && stacks_bytes(&m->to->index->texts) > STACKS_LARGEST))
		strbuf_adds(shown, f->code.key);
	else
		name_shown(f->code.key, false, shown);
	if (timed)
		strbuf_adds(key, shown->buf);
	else
		name_comparable(shown->buf, f->code.object, key);
	m->number[i] = work_function_of(m->to, f->code.object, key->buf);
	to = &m->to->functions[m->number[i]];
	if (!to->code.function) {
		to->code.function = to->code.key;
		to->code.own = timed ? own_code_has(m->own, f->code.object)
				     : own_source &&
				       own_code_has_function(m->own, f->code.object, shown->buf, m->lines[i]);
	}
	if (f->code.line && (!to->code.line || f->code.line < to->code.line)) {
		to->code.line = f->code.line;
		to->code.source = work_keep(m->to, work_text(m->to, f->code.source));
	}
	to->self += f->self;
	to->calls += f->calls;
}

/* True for start-up functions of a C library, found in programs linked with it. */
static bool is_start_of_libc(const char *key)
{
	return TEXT_IS(key, "__libc_start_main", "__libc_start_main_impl", "__libc_setup_tls");
}

/*
 * Marks code as foreign that belongs to its callers. Nameless code in a file that also has names is a part of a
 * function or a jump table. Code without debug information in a program that has some is the C library's, if that was
 * linked in.
 */
static void disown(struct work *work)
{
	const struct pair *objects = work->index ? work->index->functions.items : NULL;
	enum { NAMES = 1, SOURCES = 2, LIBC = 4 };
	CLEANUP(free_ptr) unsigned char *has = work->index ? xcalloc(work->index->texts.n_strings, 1) : NULL;

	for (size_t i = 0; i < work->n_functions; i++) {
		const struct code *code = &work->functions[i].code;

		has[objects[i].a] |= is_start_of_libc(code->key) ? LIBC : 0;
		if (code->own && !is_nameless(code->key))
			has[objects[i].a] |= code->source ? NAMES | SOURCES : NAMES;
	}
	for (size_t i = 0; i < work->n_functions; i++) {
		struct code *code = &work->functions[i].code;
		unsigned char of = has[objects[i].a];

		code->own &= !((is_nameless(code->key) && (of & NAMES)) || (!code->source && (of & SOURCES) && (of & LIBC)));
	}
}

static void merge(const struct own_code *own, const struct reader *r, struct work *to)
{
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT, key = STRBUF_INIT;
	struct work *from = r->work;
	CLEANUP(free_ptr) uint32_t *target = stub_targets(from), *number = xcalloc(from->n_functions + 1, sizeof *number);
	CLEANUP(free_ptr) bool *lines = xcalloc(from->n_functions + 1, 1);
	CLEANUP(free_ptr) const struct work_line **own_line = xcalloc(from->n_functions + 1, sizeof *own_line);
	struct merge m = { own, from, to, r->entries, r->n_entries, number, lines, own_line };

	pass_stubs(from, target);
	if (from->n_lines) {
		look_at_sources(&m);
		place_functions(&m);
	}
	for (size_t i = 0; i < from->n_functions; i++)
		if (target[i] == i)
			merge_function(&m, i, &shown, &key);
	for (size_t i = 0; i < from->n_lines; i++) {
		const struct work_line *l = &from->lines[i];

		if (target[l->function] == l->function)
			work_add_line(to, number[l->function], l->source, l->line, l->self);
	}
	for (size_t i = 0; i < from->n_calls; i++) {
		struct work_call c = from->calls[i];

		if (target[c.caller] != c.caller)
			continue;
		c.caller = number[c.caller];
		c.callee = number[c.callee];
		work_add_call(to, &c);
	}
	to->total += from->total;
	to->timed |= from->timed;
	disown(to);
}

int callgrind_read(const char *text, size_t len, const struct own_code *own, struct work *work, struct error *err)
{
	struct work one = { 0 };
	struct reader r = {
		.at = text, .end = text + len, .work = &one, .positions = 1, .entered_at = SIZE_MAX, .object = "", .file = "", .source = "",
	};
	int ret = read_lines(&r, err);

	if (ret == 0)
		merge(own, &r, work);
	free(r.entries);
	pair_index_release(&r.ids);
	free(r.names);
	work_release(&one);
	return ret;
}
