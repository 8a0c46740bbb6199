#include "profile/names.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "base/mem.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* -------- for people */

enum {
	OPTIONS = DMGL_PARAMS | DMGL_ANSI,
	/* Each may repeat everything before it, so each can double the result. */
	D_REFERENCES_MOST = 16,
};

struct sink {
	struct strbuf *out;
	size_t start;
	jmp_buf full;
};

/* Only longjmp() stops libiberty within a name. libiberty then holds no memory except that of punycode. */
static void take(const char *text, size_t len, void *opaque)
{
	struct sink *sink = opaque;

	if (sink->out->len - sink->start + len > DEMANGLED_LARGEST)
		longjmp(sink->full, 1);
	strbuf_add(sink->out, text, len);
}

typedef int callback_fn(const char *mangled, int options, demangle_callbackref callback, void *opaque);

static bool with(callback_fn *fn, const char *mangled, struct strbuf *out)
{
	struct sink sink = { .out = out, .start = out->len };

	if (!setjmp(sink.full) && fn(mangled, OPTIONS, take, &sink) && out->len > sink.start)
		return true;
	strbuf_truncate(out, sink.start);
	return false;
}

static bool in_d(const char *mangled, struct strbuf *out)
{
	CLEANUP(free_ptr) char *name = NULL;
	size_t references = 0;

	for (const char *at = mangled; (at = strchr(at, 'Q')); at++)
		references++;
	if (references <= D_REFERENCES_MOST)
		name = dlang_demangle(mangled, OPTIONS);
	if (!name || strlen(name) > DEMANGLED_LARGEST)
		return false;
	strbuf_adds(out, name);
	return true;
}

/* Appends MANGLED, without suffix, demangled. Returns false and appends nothing for other languages. */
static bool demangle(const char *mangled, struct strbuf *out)
{
	/* For D libiberty has no recursion limit: each byte can take a stack frame. */
	if (mangled[0] != '_' || strlen(mangled) > MANGLED_LARGEST)
		return false;
	switch (mangled[1]) {
	case 'R':
		return with(rust_demangle_callback, mangled, out);
	case 'Z':
		return with(rust_demangle_callback, mangled, out) || with(cplus_demangle_v3_callback, mangled, out);
	case 'G':
		return with(cplus_demangle_v3_callback, mangled, out);
	case 'D':
		return in_d(mangled, out);
	default:
		return false;
	}
}

/* The same for Ada's mangled names, which look like any C name. */
static bool demangle_ada(const char *mangled, struct strbuf *out)
{
	CLEANUP(free_ptr) char *name = strlen(mangled) <= MANGLED_LARGEST ? ada_demangle(mangled, 0) : NULL;

	/* Names that are not Ada come back in angle brackets. */
	if (!name || *name == '<')
		return false;
	strbuf_adds(out, name);
	return true;
}

static bool mangled_prefix(const char *raw)
{
	return raw[0] == '_' && raw[1] && strchr("ZRDG", raw[1]);
}

/* Demangles RAW up to AT; the version or suffix from AT on is kept. */
static bool shown_up_to(const char *raw, const char *at, struct strbuf *out)
{
	CLEANUP(free_ptr) char *name = xstrndup(raw, (size_t)(at - raw));

	if (!demangle(name, out))
		return false;
	if (*at == '.')
		strbuf_addf(out, " [clone %s]", at);
	else
		strbuf_adds(out, at);
	return true;
}

void name_shown(const char *raw, bool ada, struct strbuf *out)
{
	const char *version, *suffix;

	if (ada && demangle_ada(raw, out))
		return;
	if (mangled_prefix(raw)) {
		version = strchr(raw, '@');
		suffix = strchr(raw, '.');
		if ((version && shown_up_to(raw, version, out)) || (!version && demangle(raw, out)) ||
		    (suffix && shown_up_to(raw, suffix, out)))
			return;
	}
	strbuf_adds(out, raw);
}

/* -------- files */

#define KERNEL_NAMES "[kernel.*", "[guest.kernel.*", "[kernel]*"

/* True for a part of a process that is no file and not the kernel's. */
static bool is_user_bracket(const char *path)
{
	return TEXT_IS(path, "[vdso]*", "[vsyscall]*", "[unknown]*", "[heap]*", "[stack*", "[anon*", "[jit]*", "[JIT*", "[uprobes]*", "[sigpage]*",
		       "[vectors]*");
}

/* "ext4.ko", "ext4.ko.xz" */
static const char *module_end(const char *file)
{
	const char *ko = strstr(file, ".ko");

	return ko && ko > file && (!ko[3] || ko[3] == '.') ? ko : NULL;
}

/* "[kernel.kallsyms]", "vmlinux", "vmlinux-6.1.0-13-amd64" */
static bool is_kernel_itself(const char *file)
{
	static const char image[] = "vmlinux";
	const char *rest = file + sizeof image - 1;

	return TEXT_IS(file, KERNEL_NAMES) ||
	       (text_starts(file, image) && (!*rest || *rest == '.' || (*rest == '-' && text_is_digit(rest[1]))));
}

bool dso_is_kernel(const char *path)
{
	const char *file = path_name(path);

	return is_kernel_itself(file) || module_end(file) || text_starts(file, "bpf_prog_") ||
	       (*path == '[' && !is_user_bracket(path));
}

bool dso_is_jitted(const char *path)
{
	const char *file = path_name(path);
	size_t n = strlen("perf-") + strspn(file + (text_starts(file, "perf-") ? 5 : 0), "0123456789");

	return (text_starts(file, "perf-") && n > 5 && !strcmp(file + n, ".map")) ||
	       (text_starts(file, "jitted-") && strchr("0123456789", file[7]) && file[7]) || text_starts(path, "//anon") ||
	       text_starts(path, "[JIT]") || text_starts(path, "/dev/zero") || text_starts(path, "/anon_hugepage") || text_starts(path, "/memfd:");
}

static void add_module(const char *file, const char *end, struct strbuf *out)
{
	strbuf_addc(out, '[');
	for (; file < end; file++)
		strbuf_addc(out, *file == '-' ? '_' : *file);
	strbuf_addc(out, ']');
}

void name_of_dso(const char *path, struct strbuf *out)
{
	const char *file = path_name(path), *module = module_end(file);
	size_t len = strlen(file);

	if (!*path || !strcmp(path, "[unknown]") || !strcmp(path, "inlined"))
		return;
	if (is_kernel_itself(file))
		strbuf_adds(out, "[kernel]");
	else if (text_starts(file, "bpf_prog_"))
		strbuf_adds(out, "[bpf]");
	else if (dso_is_jitted(path))
		strbuf_adds(out, "[jit]");
	else if (module)
		add_module(file, module, out);
	else
		strbuf_add(out, file, text_ends(file, len, " (deleted)") ? len - strlen(" (deleted)") : len);
}

/* -------- comparable names: the kernel */

/*
 * Scheduler, interrupts, timer ticks and RCU callbacks run at times set by the machine, in any program, so which of
 * them a sample hits is chance. System calls, faults and file systems belong to the program and stay separate. So do
 * network and disk interrupts, which the load may cause. A '*' ends a prefix.
 */
static const char *const kernel_group[] = {
	/* interrupts: entry, exit, softirqs */
	"asm_sysvec_*", "sysvec_*", "asm_common_interrupt", "common_interrupt", "irqentry_*", "irq_enter*",
	"irq_exit*", "__irq_exit*", "handle_softirqs", "__do_softirq", "do_softirq*", "handle_irq*",
	"handle_edge_irq", "handle_fasteoi_irq", "handle_percpu_devid_irq", "generic_handle_*", "__handle_irq*",
	"gic_handle_irq", "el0_irq*", "el1_irq*", "el0t_64_irq*", "el1h_64_irq*", "el0_interrupt",
	"el1_interrupt", "exit_to_user_mode_*",
	/* ticks, and timers set by others */
	"hrtimer_interrupt", "__hrtimer_run_queues", "tick_*", "update_process_times", "run_timer_softirq",
	"__run_timers", "run_timer_base", "call_timer_fn", "account_process_tick", "update_wall_time",
	"timekeeping_advance",
	/* RCU callbacks */
	"rcu_core*", "rcu_do_batch", "rcu_sched_clock_irq", "rcu_cblist_*", "rcu_segcblist_*",
	"note_gp_changes",
	/* scheduler */
	"schedule", "__schedule", "finish_task_switch", "prepare_task_switch", "__switch_to*", "switch_mm*",
	"sched_*", "scheduler_*", "pick_next_*", "pick_task_*", "pick_eevdf", "put_prev_*", "set_next_*",
	"enqueue_task*", "dequeue_task*", "enqueue_entity", "dequeue_entities", "dequeue_entity",
	"place_entity", "reweight_*", "update_curr*", "update_load_avg*", "update_rq_clock*",
	"update_cfs_group", "update_sd_lb_stats", "update_sg_lb_stats", "update_blocked_averages",
	"load_balance", "newidle_balance", "rebalance_domains", "run_rebalance_domains", "find_busiest_group",
	"cpu_util", "select_task_rq*", "try_to_wake_up", "ttwu_*", "resched_*", "wakeup_preempt*",
	"check_preempt_*", "preempt_schedule*", "task_tick_*", "task_mm_cid_work", "calc_global_load_tick", NULL,
};

/* -------- comparable names: without what compilers add */

/* Suffix of a copy or part of a function made by a compiler, before its number. */
static const char *const clone_suffixes[] = {
	"constprop", "isra", "part", "cold", "llvm", "lto_priv", "localalias", "__uniq", "warm", NULL,
};

/* Length of NAME[0..LEN) without a trailing ".constprop.0". */
static size_t without_clone(const char *name, size_t len)
{
	size_t end = len, at;

	while (end && isxdigit((unsigned char)name[end - 1]))
		end--;
	end = end && end < len && name[end - 1] == '.' ? end - 1 : len;
	for (int numbered = end < len; numbered >= 0; numbered--, end = len) {
		for (at = end; at && name[at - 1] != '.'; at--)
			;
		if (at > 1 && text_one_of(name + at, end - at, clone_suffixes))
			return at - 1;
	}
	return len;
}

static size_t without_bracket(const char *name, size_t len)
{
	size_t at = len;

	if (!len || name[len - 1] != ']')
		return len;
	while (at && name[at - 1] != '[')
		at--;
	return at > 2 && text_starts(name + at, "clone ") && name[at - 2] == ' ' ? at - 2 : len;
}

/* Without "@@GLIBC_2.34". "@plt" stays, because it is other code than the function's. */
static size_t without_version(const char *name, size_t len)
{
	const char *at = memchr(name, '@', len);

	return at && at > name && !text_ends(name, len, "@plt") && isupper((unsigned char)at[1 + (at[1] == '@')])
		? (size_t)(at - name) : len;
}

/* Without "::h0123456789abcdef". */
static size_t without_hash(const char *name, size_t len)
{
	enum { HASH = 3 + 16 };

	if (len <= HASH || memcmp(name + len - HASH, "::h", 3))
		return len;
	for (size_t i = len - 16; i < len; i++)
		if (!isxdigit((unsigned char)name[i]) || isupper((unsigned char)name[i]))
			return len;
	return len - HASH;
}

/* Without the compiler tier: "f_[j]" of Java's profilers, "f[Tier0]" of .NET. */
static size_t without_tier(const char *name, size_t len)
{
	static const char *const tiers[] = {
		"[Tier0]", "[Tier1]", "[OptimizedTier1]", "[OptimizedTier1OSR]", "[OptimizedTier1Instrumented]", "[InstrumentedTier0]",
		"[InstrumentedTier1]", "[Instrumented]", "[Optimized]", "[Unoptimized]", "[MinOptJitted]", "[QuickJitted]", "[PreJIT]",
		"[ReadyToRun]",
	};

	if (len > 4 && !memcmp(name + len - 4, "_[", 2) && name[len - 1] == ']' && isalnum((unsigned char)name[len - 2]))
		return len - 4;
	for (size_t i = 0; i < COUNT(tiers); i++)
		if (len > strlen(tiers[i]) && text_ends(name, len, tiers[i]))
			return len - strlen(tiers[i]);
	return len;
}

static size_t bare_length(const char *name)
{
	static size_t (*const rules[])(const char *name, size_t len) = {
		without_bracket, without_clone, without_version, without_hash, without_tier,
	};
	size_t len = strlen(name), before;

	do {
		before = len;
		for (size_t i = 0; i < COUNT(rules); i++)
			len = rules[i](name, len);
	} while (len < before);
	return len;
}

/* -------- comparable names: without what engines and machines add */

static const char *const script_marks[] = { "JS:", "LazyCompile:", "Function:", "Script:", "Eval:" };

/* Length without a trailing ":10:5" or ":10". */
static size_t without_lines(const char *text, size_t len)
{
	for (int i = 0; i < 2; i++) {
		size_t at = len;

		while (at && isdigit((unsigned char)text[at - 1]))
			at--;
		if (at < 2 || at == len || text[at - 1] != ':')
			break;
		len = at - 1;
	}
	return len;
}

/* Length of the script mark that NAME begins with; 0 if none. */
static size_t script_mark(const char *name)
{
	for (size_t i = 0; i < COUNT(script_marks); i++)
		if (text_starts(name, script_marks[i]))
			return strlen(script_marks[i]);
	return 0;
}

/*
 * "LazyCompile:*f /srv/x.js:10:5" of a script engine, without tier, folder and line. Unnamed functions keep the line,
 * their only distinction.
 */
static bool add_script_name(const char *name, struct strbuf *out)
{
	const char *function = name + script_mark(name), *place;
	bool anonymous;

	if (function == name)
		return false;
	function += *function && strchr("*~^+", *function);
	place = strchr(function, ' ') ?: function + strlen(function);
	anonymous = place == function;
	strbuf_adds(out, "JS:");
	strbuf_add(out, function, (size_t)(place - function));
	strbuf_add(out, *place ? " " : "", *place ? 1 : 0);
	place = path_name(place + (*place == ' '));
	strbuf_add(out, place, anonymous ? strlen(place) : without_lines(place, strlen(place)));
	return true;
}

bool name_script_place(const char *name, struct script_place *out)
{
	const char *file = strchr(name, ' ');
	size_t len = file ? without_lines(file, strlen(file)) : 0;
	char *end;

	if (!file || !script_mark(name) || !file[len])
		return false;
	out->file = path_name(file + 1);
	out->file_len = (size_t)(file + len - out->file);
	out->line = strtol(file + len + 1, &end, 10);
	out->column = *end == ':' ? strtol(end + 1, NULL, 10) : 0;
	return true;
}

bool name_is_anonymous(const char *key)
{
	return text_starts(key, "JS: ");
}

/* "py::loads:/usr/lib/python3.12/json/__init__.py", as in Python's map for perf. */
static bool add_python_name(const char *name, struct strbuf *out)
{
	const char *path = text_starts(name, "py::") ? strchr(name + 4, ':') : NULL;

	if (!path)
		return false;
	strbuf_add(out, name, (size_t)(path + 1 - name));
	strbuf_adds(out, path_name(path + 1));
	return true;
}

static size_t digits_at(const char *text, size_t len, size_t at)
{
	size_t n = 0;

	while (at + n < len && text_is_digit(text[at + n]))
		n++;
	return n;
}

/* Length at NAME[AT] of a Java run-time class's number ("/0x0000000800c03000", "+0x0000000800c03000"), or 0. */
static size_t hidden_class(const char *name, size_t len, size_t at)
{
	enum { SHORTEST = 8 };
	size_t n = 0;

	if (len - at < 3 || !strchr("/+.", name[at]) || name[at + 1] != '0' || name[at + 2] != 'x')
		return 0;
	while (at + 3 + n < len && isxdigit((unsigned char)name[at + 3 + n]))
		n++;
	return n >= SHORTEST ? n + 3 : 0;
}

/*
 * Length at NAME[AT] of such a class's name, *NUMBER_OUT that of its number: "$$Lambda$14/1831932724", "$Proxy12"; or
 * 0.
 */
static size_t numbered_class(const char *name, size_t len, size_t at, size_t *number_out)
{
	static const char *const marks[] = {
		"$$Lambda", "LambdaForm$MH", "LambdaForm$DMH", "LambdaForm$BMH", "GeneratedMethodAccessor",
		"GeneratedConstructorAccessor", "GeneratedSerializationConstructorAccessor", "$Proxy",
	};

	for (size_t i = 0; i < COUNT(marks); i++) {
		size_t n = strlen(marks[i]), end = at + n, digits;

		if (len - at < n || memcmp(name + at, marks[i], n) != 0)
			continue;
		digits = digits_at(name, len, end + (end < len && name[end] == '$'));
		end += digits ? digits + (name[end] == '$') : 0;
		digits = end < len && name[end] == '/' ? digits_at(name, len, end + 1) : 0;
		end += digits && !hidden_class(name, len, end) ? digits + 1 : 0;
		*number_out = end - at - n;
		return n;
	}
	return 0;
}

/* Numbers of classes, and addresses such as "thunk_0x7f12ab34", differ from run to run. */
static void add_without_numbers(const char *name, size_t len, struct strbuf *out)
{
	enum { SHORTEST = 6 };

	for (size_t at = 0; at < len;) {
		size_t digits = 0, number = 0, mark = numbered_class(name, len, at, &number), hidden = hidden_class(name, len, at);

		strbuf_add(out, name + at, mark);
		at += mark + number + (mark ? 0 : hidden);
		if (mark || hidden)
			continue;
		if (len - at > 2 && name[at] == '0' && name[at + 1] == 'x')
			while (at + 2 + digits < len && isxdigit((unsigned char)name[at + 2 + digits]))
				digits++;
		if (digits >= SHORTEST) {
			strbuf_adds(out, "0x");
			at += 2 + digits;
		} else {
			strbuf_addc(out, name[at++]);
		}
	}
}

void name_comparable(const char *shown, const char *dso, struct strbuf *out)
{
	size_t start = out->len, len = bare_length(shown);
	const char *thread = *shown == '[' && shown[len - 1] == ']' ? strstr(shown, " tid=") : NULL;

	if (add_script_name(shown, out) || add_python_name(shown, out))
		return;
	/* "[main tid=123]" of Java's profilers. */
	if (thread && thread + strlen(" tid=") + strspn(thread + strlen(" tid="), "0123456789") == shown + len - 1) {
		strbuf_add(out, shown, (size_t)(thread - shown));
		strbuf_addc(out, ']');
		return;
	}
	add_without_numbers(shown, len, out);
	if (dso_is_kernel(dso) && text_matches_any(out->buf + start, kernel_group)) {
		strbuf_truncate(out, start);
		strbuf_adds(out, "[kernel]");
	}
}

/* -------- all of a profile */

/* Indexed by the number of the dso's string. */
static bool *files_with_ada(const struct stacks *stacks)
{
	bool *ada = xcalloc(stacks->n_strings + 1, sizeof *ada);

	for (size_t i = 0; i < stacks->n_frames; i++) {
		const struct frame *f = &stacks->frames[i];

		if (TEXT_IS(stacks_text(stacks, f->name), "_ada_*", "ada__*", "system__*", "gnat__*"))
			ada[f->dso] = true;
	}
	return ada;
}

/* True if addresses distinguish kernel and programs. On 32 bits and on s390 (separate address spaces) they do not. */
static bool halves_tell(const struct stacks *stacks)
{
	size_t upper = 0, lower = 0;

	for (size_t i = 0; i < stacks->n_frames; i++)
		if (TEXT_IS(stacks_text(stacks, stacks->frames[i].dso), KERNEL_NAMES)) {
			upper += stacks->frames[i].halves == STACKS_UPPER_HALF;
			lower += stacks->frames[i].halves == STACKS_LOWER_HALF;
		}
	return upper >= lower;
}

/* Decides by address if the text has it, because a list of names is never complete. */
static bool frame_is_kernel(const struct stacks *stacks, const struct frame *f, bool halves)
{
	const char *dso = stacks_text(stacks, f->dso);

	if (halves && f->halves == STACKS_UPPER_HALF)
		return *dso && !is_user_bracket(dso);
	if (halves && f->halves == STACKS_LOWER_HALF && !TEXT_IS(dso, KERNEL_NAMES))
		return false;
	return dso_is_kernel(dso);
}

void names_resolve(struct stacks *stacks)
{
	bool halves = halves_tell(stacks);
	CLEANUP(free_ptr) bool *ada = files_with_ada(stacks);
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT, key = STRBUF_INIT, file = STRBUF_INIT;

	for (size_t i = 0; i < stacks->n_frames; i++) {
		struct frame *f = &stacks->frames[i];

		if (f->shown)
			continue;
		strbuf_reset(&file);
		name_of_dso(stacks_text(stacks, f->dso), &file);
		f->file = stacks_string(stacks, file.buf, file.len);
		f->kernel = frame_is_kernel(stacks, f, halves);
		/* Foreign names may expand a lot. Beyond the limit they stay unchanged. */
		if (stacks_bytes(stacks) > STACKS_LARGEST) {
			f->shown = f->key = f->name;
			continue;
		}
		strbuf_reset(&shown);
		strbuf_reset(&key);
		name_shown(stacks_text(stacks, f->name), ada[f->dso], &shown);
		name_comparable(shown.buf, f->kernel ? STACKS_KERNEL : "", &key);
		f->shown = stacks_string(stacks, shown.buf, shown.len);
		f->key = stacks_string(stacks, key.buf, key.len);
	}
}

/* -------- parameters */

/* Start of the group that the ')' at END closes; NULL if none. */
static const char *group_begin(const char *name, const char *end)
{
	int open = 0;

	for (const char *p = end; p >= name; p--) {
		open += (*p == ')') - (*p == '(');
		if (!open)
			return p;
	}
	return NULL;
}

void name_without_parameters(const char *name, struct strbuf *out)
{
	const char *end = strrchr(name, ')'), *begin = end ? group_begin(name, end) : NULL;
	bool qualified = end && (!end[1] || end[1] == ' ' || end[1] == '[');

	/* "(anonymous namespace)::f" has no parameters. */
	if (begin && begin > name && qualified)
		strbuf_add(out, name, (size_t)(begin - name));
	else
		strbuf_adds(out, name);
}

const char *name_qualified(const char *shown)
{
	const char *begin = shown;
	int open = 0;

	for (const char *c = shown; *c; c++) {
		open += (*c == '<') - (*c == '>' && c > shown && c[-1] != '-');
		if (open <= 0 && *c == '(')
			break;
		if (open <= 0 && *c == ' ' && strncmp(begin, "operator", strlen("operator")) != 0)
			begin = c + 1;
	}
	return *begin ? begin : shown;
}

/* Longest name shown in full, and longest shortened name, in bytes. The first line of a report has only 80 columns. */
enum { WHOLE_MOST = 32, BRIEF_MOST = 64 };

static bool is_cpp(const char *name)
{
	return strstr(name, "::") != NULL;
}

/* Appends NAME without its "<>" groups. Operators such as "<" and "->" neither open nor close one. */
static void add_without_arguments(const char *name, struct strbuf *out)
{
	int open = 0;

	for (const char *c = name; *c; c++) {
		if (!open && text_starts(c, "operator") && strchr("<>-", c[strlen("operator")]) && c[strlen("operator")]) {
			strbuf_adds(out, c);
			return;
		}
		if (!open && text_starts(c, "[abi:") && strchr(c, ']')) {
			c = strchr(c, ']');
			continue;
		}
		/* Rust's "<alloc::Vec as core::Clone>::clone" begins with a group. */
		open += *c == '<' && c > name;
		if (!open)
			strbuf_addc(out, *c);
		open -= *c == '>' && open && c[-1] != '-';
	}
}

void name_brief(const char *name, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf bare = STRBUF_INIT, brief = STRBUF_INIT;
	size_t len;

	if (strlen(name) <= (is_cpp(name) ? WHOLE_MOST : BRIEF_MOST)) {
		strbuf_adds(out, name);
		return;
	}
	name_without_parameters(name_qualified(name), &bare);
	add_without_arguments(bare.buf, &brief);
	len = utf8_clip(brief.buf, BRIEF_MOST);
	strbuf_addf(out, "%.*s%s", (int)len, brief.buf, brief.buf[len] ? "..." : "");
}

/* -------- symbols and their names in source code */

/* Length up to arguments, a clone's suffix or "const". */
static size_t without_arguments(const char *s)
{
	size_t depth = 0, len = strlen(s);
	const char *operator = strstr(s, "operator");

	for (size_t i = operator ? (size_t)(operator - s) + 8 : 0; i < len; i++) {
		/* operator()(int) */
		if (operator && s + i == operator + 8 && !strncmp(s + i, "()", 2)) {
			i++;
			continue;
		}
		depth += s[i] == '<';
		depth -= depth && s[i] == '>';
		if (depth || !i)
			continue;
		if (s[i] == '(' && strncmp(s + i, "(anonymous", 10) != 0 && strncmp(s + i, "(*", 2) != 0)
			return i;
		if (s[i] == '[' || s[i] == '@')
			return i;
	}
	return len;
}

/* SYMBOL without template arguments, return type and arguments, its parts separated by dots: "ns.Parser.next". */
static void plain_name(const char *symbol, char out[NAME_PLAIN_MOST])
{
	size_t len = without_arguments(symbol), n = 0, depth = 0;
	bool operator = strstr(symbol, "operator");

	while (len && symbol[len - 1] == ' ')
		len--;
	for (size_t i = 0; i < len && n + 1 < NAME_PLAIN_MOST; i++) {
		char c = symbol[i];

		if (!operator) {
			depth += c == '<';
			if (c == '>' && depth) {
				depth--;
				continue;
			}
		}
		if (depth || strchr("*()&", c))
			continue;
		if (c == ' ' && !operator) {
			n = 0;
		} else if (c == ':' || c == '.') {
			if (n && out[n - 1] != '.')
				out[n++] = '.';
		} else {
			out[n++] = c;
		}
	}
	while (n && out[n - 1] == '.')
		n--;
	out[n] = '\0';
	/* Rust's closures belong to their function. */
	if (n > 12 && !strcmp(out + n - 12, ".{{closure}}"))
		out[n - 12] = '\0';
}

static const char *last_part(const char *plain)
{
	const char *dot = strrchr(plain, '.');

	return dot ? dot + 1 : plain;
}

/* True if the longer name ends with the shorter one, at a '.' or at the beginning. */
static bool ends_alike(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);

	if (a_len < b_len)
		return ends_alike(b, a);
	return b_len && !strcmp(a + a_len - b_len, b) && (a_len == b_len || a[a_len - b_len - 1] == '.');
}

void symbol_last_name(const char *symbol, char *out, size_t size)
{
	char plain[NAME_PLAIN_MOST];

	plain_name(symbol, plain);
	snprintf(out, size, "%s", last_part(plain));
}

bool symbol_is_named(const char *symbol, const char *name)
{
	char a[NAME_PLAIN_MOST], b[NAME_PLAIN_MOST];

	plain_name(symbol, a);
	plain_name(name, b);
	return ends_alike(a, b);
}
