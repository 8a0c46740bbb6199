#include "cause/surroundings.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/work.h"
#include "model/metrics/numbers.h"
#include "profile/stacks.h"

/* Relative tolerance for equal sizes. */
#define SIZE_SAME 0.01
enum { LINES_MOST = 20, ID_SHOWN = 8, NAMED_MOST = 3 };

/* -------- evidence */

void evidence_release(struct evidence *e)
{
	work_release(&e->work);
	stacks_release(&e->cpu);
	stacks_release(&e->faults);
	stacks_release(&e->waits);
	stacks_release(&e->allocations);
	stacks_release(&e->heap_peak);
	system_calls_release(&e->system_calls);
	stacks_release(&e->calling);
	arena_release(&e->arena);
	*e = (struct evidence){ 0 };
}

/* -------- objects */

/* Returns the library at PATH, else the first with its file name, or NULL. A shim has the name of its program. */
static const struct loaded_file *find_object(const struct evidence *e, const char *path)
{
	const struct loaded_file *named = NULL;

	for (size_t i = 0; i < e->n_libraries; i++) {
		const struct loaded_file *file = &e->libraries[i];

		if (!strcmp(file->path, path))
			return file;
		if (!named && !strcmp(path_name(file->path), path_name(path)))
			named = file;
	}
	return named;
}

/* Appends "build-id 12ab34cd"; a file without a build-id is identified by a checksum. */
static void add_id(const char *id, bool kind, struct strbuf *out)
{
	const char *colon = strchr(id, ':');
	bool build_id = text_starts(id, "build-id:");

	if (kind)
		strbuf_adds(out, build_id ? "build-id " : "checksum ");
	strbuf_addf(out, "%.*s", ID_SHOWN, colon ? colon + 1 : id);
}

/* Adds a line; those beyond LINES_MOST, or added before, are left out. */
static PRINTF_LIKE(2, 3) void add_line(struct surroundings *out, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&line, fmt, args);
	va_end(args);
	if (out->lines.n < LINES_MOST)
		arena_push_new(&out->arena, &out->lines, line.buf);
}

/* Adds that only SIDE loads or runs PATHS: one line each, or a single line with the first names if there are many. */
static void add_alone(const char *side, const char *does, const struct strv *paths, struct surroundings *out)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < paths->n && paths->n <= NAMED_MOST; i++)
		add_line(out, "the %s alone %s %s", side, does, paths->items[i]);
	if (paths->n <= NAMED_MOST)
		return;
	for (size_t i = 0; i < NAMED_MOST; i++)
		strbuf_addf(&names, "%s, ", path_name(paths->items[i]));
	add_line(out, "the %s alone %s %zu files: %s...", side, does, paths->n, names.buf);
}

/* Compares foreign objects. Those that the project builds always differ. */
static void compare_objects(const struct evidence *base, const struct evidence *head, struct surroundings *out)
{
	CLEANUP(strv_release) struct strv of_head = STRV_INIT, of_base = STRV_INIT;

	for (size_t i = 0; i < head->n_libraries; i++) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
		const struct loaded_file *now = &head->libraries[i], *was;

		if (own_code_has(&head->own, now->path))
			continue;
		was = find_object(base, now->path);
		if (!was)
			strv_push(&of_head, now->path);
		if (!was || !strcmp(was->id, now->id))
			continue;
		strbuf_addf(&line, "%s is another file: ", path_name(now->path));
		add_id(was->id, true, &line);
		strbuf_adds(&line, " -> ");
		add_id(now->id, false, &line);
		if (strcmp(was->path, now->path))
			strbuf_addf(&line, " (%s -> %s)", was->path, now->path);
		add_line(out, "%s", line.buf);
		if (!out->library)
			out->library = arena_strdup(&out->arena, line.buf);
	}
	for (size_t i = 0; i < base->n_libraries; i++)
		if (!own_code_has(&base->own, base->libraries[i].path) && !find_object(head, base->libraries[i].path))
			strv_push(&of_base, base->libraries[i].path);
	add_alone("head", "loads", &of_head, out);
	add_alone("base", "loads", &of_base, out);
}

/* Adds programs that only one side executes. File names are compared, so that build folders do not count. */
static void compare_programs(const struct strv *mine, const struct strv *others, const char *side, struct surroundings *out)
{
	CLEANUP(strv_release) struct strv alone = STRV_INIT;

	for (size_t i = 0; i < mine->n; i++) {
		bool there = false;

		for (size_t k = 0; k < others->n && !there; k++)
			there = !strcmp(path_name(others->items[k]), path_name(mine->items[i]));
		if (!there)
			strv_push(&alone, mine->items[i]);
	}
	add_alone(side, "runs", &alone, out);
}

/* -------- files */

/* True for the program's data, not for files of the system or the loader. */
static bool is_data(const char *path)
{
	return !TEXT_IS(path, "/usr/*", "/lib*", "/etc/*", "/proc/*", "/sys/*", "/dev/*", "/var/lib/*", "/var/cache/*");
}

/*
 * Returns the path relative to the side's tree, or to the folder for files that its setup makes; elsewhere the full
 * path.
 */
static const char *place_of(const struct evidence *e, const char *path)
{
	const char *below = e->tmp ? path_below(path, e->tmp) : NULL;

	if (!below && e->own.root)
		below = path_below(path, e->own.root);
	return below && *below ? below : path;
}

/* Returns the bytes of input. 0: unknown, for example if the file is mapped, or written first. */
static double input_of(const struct traced_file *file)
{
	return file->written_bytes > 0 ? 0 : fmax(file->read_bytes, file->opens > 0 ? file->size_bytes : 0);
}

static const struct traced_file *find_file(const struct evidence *e, const char *place)
{
	for (size_t i = 0; i < e->system_calls.n_files; i++)
		if (!strcmp(place_of(e, e->system_calls.files[i].path), place))
			return &e->system_calls.files[i];
	return NULL;
}

static bool differs(double was, double now)
{
	return fabs(now - was) > SIZE_SAME * fmax(was, now);
}

static bool is_program(const struct evidence *e, const char *path)
{
	const struct loaded_file *file = find_object(e, path);

	return strv_has(&e->system_calls.programs, path) || strv_has(&e->system_calls.libraries, path) || (file && !strcmp(file->path, path));
}

static void compare_inputs(const struct evidence *base, const struct evidence *head, struct surroundings *out)
{
	for (size_t i = 0; i < head->system_calls.n_files; i++) {
		const struct traced_file *now = &head->system_calls.files[i], *was;
		const char *place = place_of(head, now->path);

		if (!is_data(now->path) || is_program(head, now->path) || !(input_of(now) > 0))
			continue;
		was = find_file(base, place);
		if (was && !(input_of(was) > 0 && differs(input_of(was), input_of(now))))
			continue;
		if (was)
			add_line(out, "%s, which it reads, has %s -> %s", place,
				 format_value(input_of(was), UNIT_BYTES).s, format_value(input_of(now), UNIT_BYTES).s);
		else
			add_line(out, "the head alone reads %s, %s", place, format_value(input_of(now), UNIT_BYTES).s);
	}
}

/* Returns the bytes written. NaN: unknown, since some calls do not show whether they write or how much. */
static double written_by(const struct evidence *e)
{
	double bytes = 0;

	for (size_t i = 0; i < e->system_calls.n; i++) {
		const struct system_call *call = &e->system_calls.items[i];

		if (TEXT_IS(call->name, "splice", "tee", "vmsplice", "sendmmsg", "io_uring_enter", "io_submit"))
			return NAN;
		if (TEXT_IS(call->name, "write", "writev", "pwrite64", "pwritev", "pwritev2", "sendto", "sendmsg", "sendfile", "copy_file_range"))
			bytes += call->bytes;
	}
	return bytes;
}

/* -------- the program's code, and its start before main */

/* Returns the instructions of main and everything it calls; 0: no function called main. */
static double from_main_on(const struct work *work)
{
	double sum = 0;

	for (size_t i = 0; i < work->n_calls; i++) {
		const struct code *callee = &work->functions[work->calls[i].callee].code;

		if (callee->own && !strcmp(callee->key, "main"))
			sum += work->calls[i].total;
	}
	return sum;
}

/* True if the program has several threads. Instructions of the others are not counted under main. */
static bool has_threads(const struct evidence *e)
{
	return e->system_calls.threads > e->system_calls.processes;
}

/* Compares the start-up before main: linking, constructors. */
static void compare_starts(const struct evidence *base, const struct evidence *head, struct surroundings *out)
{
	double was_main = from_main_on(&base->work), is_main = from_main_on(&head->work);
	double was = base->work.total - was_main, is = head->work.total - is_main;
	bool known = was_main > 0 && is_main > 0 && !base->work.timed && !head->work.timed && !head->work.per;

	if (known && !has_threads(base) && !has_threads(head) && differs(was, is))
		add_line(out, "instructions before main: %s -> %s, from main on: %s -> %s", format_count(was).s,
			 format_count(is).s, format_count(was_main).s, format_count(is_main).s);
}

static void compare_sizes(const char *what, double was, double is, struct surroundings *out)
{
	if (differs(was, is))
		add_line(out, "%s %s -> %s", what, format_value(was, UNIT_BYTES).s, format_value(is, UNIT_BYTES).s);
}

/* -------- arguments and environment */

static void add_words_alone(const char *side, const struct strv *mine, const struct strv *others, const char *what, struct surroundings *out)
{
	for (size_t i = 0; mine && i < mine->n; i++)
		if (!others || !strv_has(others, mine->items[i]))
			add_line(out, "the %s alone has the %s %s", side, what, mine->items[i]);
}

static void compare_words(const struct strv *base, const struct strv *head, const char *what, struct surroundings *out)
{
	size_t before = out->lines.n;

	add_words_alone("head", head, base, what, out);
	add_words_alone("base", base, head, what, out);
	if (!out->given && out->lines.n > before)
		out->given = out->lines.items[before];
}

/* -------- compiler options */

/* Appends the options of COMPILERS that OTHERS lack: "-O0", each once. */
static void add_options(const struct strv *compilers, const struct strv *others, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv said = STRV_INIT;
	size_t start = out->len;

	for (size_t i = 0; i < compilers->n; i++)
		for (const char *word = strstr(compilers->items[i], " -"), *next; word; word = next) {
			CLEANUP(free_ptr) char *option = NULL;
			bool other = false;

			next = strstr(word + 1, " -");
			option = xstrndup(word + 1, next ? (size_t)(next - word - 1) : strlen(word + 1));
			for (size_t k = 0; k < others->n && !other; k++) {
				const char *at = strstr(others->items[k], option);

				other = at && at[-1] == ' ' && (!at[strlen(option)] || at[strlen(option)] == ' ');
			}
			if (other || strv_has(&said, option))
				continue;
			strv_push(&said, option);
			strbuf_addf(out, "%s%s", out->len > start ? " " : "", option);
		}
	if (out->len == start)
		strbuf_adds(out, "nothing");
}

/* Compares compiler options, unless one side's are unknown. Parts of a program may have different options. */
static void compare_compilers(const struct strv *base, const struct strv *head, struct surroundings *out)
{
	CLEANUP(strbuf_release) struct strbuf was = STRBUF_INIT, now = STRBUF_INIT;

	if (!base->n || !head->n)
		return;
	add_options(base, head, &was);
	add_options(head, base, &now);
	if (!strcmp(was.buf, now.buf))
		return;
	arena_pushf(&out->arena, &out->lines, "the compiler was given %s instead of %s", now.buf, was.buf);
	out->build = out->lines.items[out->lines.n - 1];
}

/* -------- everything together */

void surroundings_compare(const struct evidence *base, const struct evidence *head, struct surroundings *out)
{
	bool traced = base->system_calls.n && head->system_calls.n, whole = !base->system_calls.cut && !head->system_calls.cut;
	double was = written_by(base), now = written_by(head);

	*out = (struct surroundings){ 0 };
	if (base->n_libraries && head->n_libraries)
		compare_objects(base, head, out);
	compare_compilers(&base->compilers, &head->compilers, out);
	if (traced) {
		compare_programs(&head->system_calls.programs, &base->system_calls.programs, "head", out);
		compare_programs(&base->system_calls.programs, &head->system_calls.programs, "base", out);
		if (whole)
			compare_inputs(base, head, out);
	}
	if (traced && whole)
		compare_sizes("it writes", was, now, out);
	if (base->code_bytes && head->code_bytes)
		compare_sizes("the program has code of", (double)base->code_bytes, (double)head->code_bytes, out);
	compare_starts(base, head, out);
	compare_words(base->arguments, head->arguments, "argument", out);
	compare_words(base->environment, head->environment, "variable", out);
}

void surroundings_release(struct surroundings *surroundings)
{
	arena_release(&surroundings->arena);
	*surroundings = (struct surroundings){ 0 };
}
