#include "measure/tools/heaptrack.h"

#include <ctype.h>

#include "base/mem.h"
#include "measure/files/elf.h"
#include "measure/files/files.h"
#include "measure/perf/session.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/tools/tool.h"

#define PRINT_TIMEOUT_NS (60 * NS_PER_S)
enum { FOLDED_LARGEST = 256 << 20, DIGITS_MOST = 18 };

int heaptrack_sum(const char *text, size_t len, double *sum_out, struct error *err)
{
	const char *end = text + len, *at = text;
	double sum = 0;

	for (size_t line = 1; (text = text_next_line(&at, end, &len)); line++) {
		const char *last, *digits;
		double weight = 0;

		for (last = text + len; last > text && isspace((unsigned char)last[-1]);)
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

struct reading {
	const char *keep;	/* for stacks; or NULL */
	struct heap_use *out;
};

/* Stacks by weight: their sum, and the file that keeps them, or NULL. */
struct weight {
	const char *name, *kept;
	double *sum;
};

static int read_weight(struct session *session, const char *file, const struct weight *weight, const char *keep, struct error *err)
{
	CLEANUP(free_ptr) char *folded = text_printf("%s.%s", file, weight->name);
	CLEANUP(free_ptr) char *kept = weight->kept && keep ? file_join(keep, weight->kept) : NULL;
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT, text = STRBUF_INIT;
	const struct child_spec spec = { .argv = &argv, .cwd = session->scratch };

	strv_push_all(&argv, ARGV("heaptrack_print", "-f", file, "-F", folded, "--flamegraph-cost-type", weight->name, "-p", "0",
				  "-a", "0", "-T", "0", "-l", "0"));
	if (child_run(session->keeper, &spec, PRINT_TIMEOUT_NS, &printed, err) < 0)
		return error_wrap(err, "heaptrack_print");
	if (file_read(folded, FOLDED_LARGEST, &text, err) < 0 || heaptrack_sum(text.buf, text.len, weight->sum, err) < 0)
		return error_wrap(err, "what heaptrack_print says");
	return kept ? file_write(kept, text.buf, text.len, err) : 0;
}

static int read_all(struct session *session, const struct tool_side *side, const struct tool_use *use, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(free_ptr) char *file = NULL;
	const struct reading *r = use->ctx;
	const struct weight weights[] = {
		{ "allocations", "heap.folded", &r->out->allocations }, { "temporary", NULL, &r->out->temporary },
		{ "peak", "heap-peak.folded", &r->out->peak_bytes }, { "leaked", NULL, &r->out->leaked_bytes },
	};
	int ret = 0;

	if (file_list(side->dir, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n && !file; i++)
		if (text_starts(names.items[i], "out."))
			file = file_join(side->dir, names.items[i]);
	if (!file)
		return error_set(err, ERR_SYSTEM, "heaptrack left no output");
	for (size_t i = 0; i < sizeof weights / sizeof *weights && ret == 0; i++)
		ret = read_weight(session, file, &weights[i], r->keep, err);
	return ret;
}

static bool is_shell(const struct strv *target)
{
	return target->n == 3 && !strcmp(path_name(target->items[0]), "sh") && !strcmp(target->items[1], "-c");
}

/* heaptrack follows one process. Under a shell, that is the shell's first program. */
static int wrap(struct tool_side *side, struct error *err)
{
	const struct strv *target = side->spec.child.argv;
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	(void)err;
	if (!is_shell(target)) {
		strv_copy(&side->argv, target);
		return 0;
	}
	escape_shell_words(&line, &side->argv);
	strbuf_addf(&line, " %s", target->items[2]);
	strv_release(&side->argv);
	strv_push_all(&side->argv, ARGV(target->items[0], "-c", line.buf));
	return 0;
}

/* For free(); NULL: not found. */
static char *followed(const struct child_spec *child)
{
	const struct strv *target = child->argv;
	CLEANUP(free_ptr) char *word = NULL;

	if (!is_shell(target))
		return file_find_program(target->items[0], child->cwd);
	word = xstrndup(target->items[2], strcspn(target->items[2], " \t\n;|&<>()$`\"'\\"));
	return *word ? file_find_program(word, child->cwd) : NULL;
}

static int refuse(const struct child_spec *child, struct error *err)
{
	CLEANUP(free_ptr) char *path = NULL;
	struct elf_file elf;

	if (child->user)
		return error_set(err, ERR_SYSTEM, "heaptrack cannot follow a target of another user (target.user)");
	path = followed(child);
	if (!path || !elf_read(path, &elf) || !elf.is_static)
		return 0;
	return error_set(err, ERR_SYSTEM, "%.150s is linked statically, and heaptrack sees only what the dynamic linker loads (link it "
			 "dynamically)", path_name(path));
}

static const char *const options[] = { "-o", "{dir}/out", NULL };

static const struct tool tool_heaptrack = {
	.program = "heaptrack", .options = options, .aslr_off = true, .quiet = true, .refuse = refuse, .prepare = wrap, .read = read_all,
	.under = "under heaptrack, which follows one program (give target.command as a list of it and its arguments)",
};

int heaptrack_run(struct session *session, const struct target_spec *spec, const struct heap_wish *wish, struct heap_use *out,
		  struct strbuf *output, struct error *err)
{
	struct reading reading = { .keep = wish->keep, .out = out };
	const struct tool_use use = {
		.limit_ns = wish->limit_ns ?: spec->timeout_ns * TOOL_TIMEOUT_FACTOR, .ctx = &reading, .output = output,
	};

	*out = (struct heap_use){ 0 };
	out->known = tool_run(session, &tool_heaptrack, spec, 1, &use, err) == 0;
	return out->known ? 0 : -1;
}
