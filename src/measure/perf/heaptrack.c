#include "measure/perf/heaptrack.h"

#include <ctype.h>

#include "base/mem.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/process/elf.h"
#include "measure/process/files.h"
#include "measure/process/interrupt.h"
#include "model/measured.h"

/* In a program that only allocates, heaptrack adds a microsecond to each allocation. */
#define TIMEOUT_FACTOR 50
#define PRINT_TIMEOUT_NS (60 * NS_PER_S)
enum { FOLDED_LARGEST = 256 << 20, DIGITS_MOST = 18 };

/* -------- its output */

int heaptrack_sum(const char *text, size_t len, double *sum_out, struct error *err)
{
	const char *end = text + len, *stop;
	double sum = 0;

	for (size_t line = 1; text < end; line++, text = stop + 1) {
		const char *last, *digits;
		double weight = 0;

		stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
		for (last = stop; last > text && isspace((unsigned char)last[-1]);)
			last--;
		for (digits = last; digits > text && text_is_digit(digits[-1]);)
			digits--;
		if (last == text)
			continue;
		if (digits == last || digits == text || digits[-1] != ' ' || last - digits > DIGITS_MOST)
			return error_set(err, ERR_INPUT, "line %zu: expected a stack and its weight, found '%.*s'", line,
					 (int)(last - text < 80 ? last - text : 80), text);
		for (; digits < last; digits++)
			weight = weight * 10 + (*digits - '0');
		sum += weight;
	}
	*sum_out = sum;
	return 0;
}

/* Reads the stacks of FILE weighted by COST and returns their sum. Saves them as KEEP unless that is NULL. */
static int read_cost(struct session *session, const char *printer, const char *file, const char *cost,
		     const char *keep, double *out, struct error *err)
{
	CLEANUP(free_ptr) char *folded = text_printf("%s.%s", file, cost);
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT, text = STRBUF_INIT;
	const struct child_spec spec = { .argv = &argv, .cwd = session->scratch };

	strv_push_all(&argv, (const char *const[]){ printer, "-f", file, "-F", folded, "--flamegraph-cost-type", cost, "-p", "0",
						    "-a", "0", "-T", "0", "-l", "0", NULL });
	if (child_run(session->keeper, &spec, PRINT_TIMEOUT_NS, &printed, err) < 0)
		return error_wrap(err, "heaptrack_print");
	if (file_read(folded, FOLDED_LARGEST, &text, err) < 0 || heaptrack_sum(text.buf, text.len, out, err) < 0)
		return error_wrap(err, "what heaptrack_print says");
	return keep ? file_write(keep, text.buf, text.len, err) : 0;
}

static int read_all(struct session *session, const char *printer, const char *dir, const char *keep, struct heap_use *out,
		    struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(free_ptr) char *file = NULL, *by_calls = keep ? file_join(keep, "heap.folded") : NULL;
	CLEANUP(free_ptr) char *by_bytes = keep ? file_join(keep, "heap-peak.folded") : NULL;

	if (file_list(dir, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n && !file; i++)
		if (text_starts(names.items[i], "out."))
			file = file_join(dir, names.items[i]);
	if (!file)
		return error_set(err, ERR_SYSTEM, "heaptrack left no output");
	if (read_cost(session, printer, file, "allocations", by_calls, &out->allocations, err) < 0 ||
	    read_cost(session, printer, file, "temporary", NULL, &out->temporary, err) < 0 ||
	    read_cost(session, printer, file, "peak", by_bytes, &out->peak_bytes, err) < 0)
		return -1;
	return read_cost(session, printer, file, "leaked", NULL, &out->leaked_bytes, err);
}

/* -------- a target under it */

static bool is_shell(const struct strv *target)
{
	return target->n == 3 && !strcmp(path_name(target->items[0]), "sh") && !strcmp(target->items[1], "-c");
}

/* heaptrack follows one process and not its children. Under a shell, wrap the shell's first program instead. */
static void wrap(const char *program, const struct strv *target, const char *dir, struct strv *argv)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	strv_push_all(&words, (const char *const[]){ program, "-o", NULL });
	strv_pushf(&words, "%s/out", dir);
	strv_push(&words, "--");
	if (!is_shell(target)) {
		strv_copy(argv, &words);
		strv_copy(argv, target);
		return;
	}
	escape_shell_words(&line, &words);
	strbuf_addf(&line, " %s", target->items[2]);
	strv_push_all(argv, (const char *const[]){ target->items[0], "-c", line.buf, NULL });
}

/* Returns the program heaptrack must follow: the target's, or the first in its shell. For free(); NULL: not found. */
static char *followed(const struct child_spec *child)
{
	const struct strv *target = child->argv;
	CLEANUP(free_ptr) char *word = NULL;

	if (!is_shell(target))
		return file_find_program(target->items[0], child->cwd);
	word = xstrndup(target->items[2], strcspn(target->items[2], " \t\n;|&<>()$`\"'\\"));
	return *word ? file_find_program(word, child->cwd) : NULL;
}

static int refuse_static(const struct child_spec *child, struct error *err)
{
	CLEANUP(free_ptr) char *path = followed(child);
	struct elf_file elf;

	if (!path || !elf_read(path, &elf) || !elf.is_static)
		return 0;
	return error_set(err, ERR_SYSTEM, "%.150s is linked statically, and heaptrack sees only what the dynamic linker loads (link it "
			 "dynamically)", path_name(path));
}

static int run_under(struct session *session, const char *program, const struct target_spec *spec, uint64_t limit_ns,
		     const char *dir, struct strbuf *output, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(measured_release) struct measured measured = { 0 };
	struct target_spec tracked = *spec;

	wrap(program, spec->child.argv, dir, &argv);
	tracked.child.argv = &argv;
	tracked.child.aslr_off = true;
	tracked.timeout_ns = limit_ns ?: tracked.timeout_ns * TIMEOUT_FACTOR;
	if (target_run(session, &tracked, NULL, &measured, output, err) == 0)
		return 0;
	return error_wrap(err, "under heaptrack, which follows one program (give target.command as a list of it and its "
			  "arguments)");
}

int heaptrack_run(struct session *session, const struct target_spec *spec, const struct heap_wish *wish, struct heap_use *out,
		  struct strbuf *output, struct error *err)
{
	CLEANUP(free_ptr) char *dir = file_join(session->scratch, "heaptrack"), *program = file_find_program("heaptrack", "/");
	CLEANUP(free_ptr) char *printer = file_find_program("heaptrack_print", "/");
	struct error why = ERROR_INIT;
	int ret = 0;

	*out = (struct heap_use){ 0 };
	if (!program || !printer)
		ret = error_set(&why, ERR_SYSTEM, "heaptrack is not installed (sudo apt-get install heaptrack)");
	else if (spec->child.user)
		ret = error_set(&why, ERR_SYSTEM, "heaptrack cannot follow a target of another user (target.user)");
	if (ret == 0)
		ret = refuse_static(&spec->child, &why);
	if (ret == 0)
		ret = file_remove_tree(dir, &why);
	if (ret == 0)
		ret = file_make_dirs(dir, &why);
	if (ret == 0)
		ret = run_under(session, program, spec, wish->limit_ns, dir, output, &why);
	if (ret == 0)
		ret = read_all(session, printer, dir, wish->keep, out, &why);
	out->known = ret == 0;
	if (ret < 0 && why.kind == ERR_INTERRUPTED) {
		if (err)
			*err = why;
		return -1;
	}
	if (ret < 0)
		snprintf(out->why_not, sizeof out->why_not, "%.*s", (int)utf8_clip(why.msg, sizeof out->why_not - 1), why.msg);
	return 0;
}
