#include "cause/own_costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cause/own_code.h"
#include "cause/work.h"
#include "profile/names.h"
#include "profile/stacks.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Names that script engines give to their own generated code. */
static const char *const engine_code[] = {
	"Builtin:*", "BytecodeHandler:*", "Stub:*", "RegExp:*", "Interpreter*", "StubRoutines*", "call_stub*", "vtable stub*",
	"itable stub*", "[unknown]",
};

/* True if SYMBOL matches a pattern. A '*' ends a prefix. */
static bool any_matches(const char *const *patterns, size_t n, const char *symbol)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(patterns[i]) - 1;

		if (patterns[i][len] == '*' ? !strncmp(symbol, patterns[i], len) : !strcmp(symbol, patterns[i]))
			return true;
	}
	return false;
}

/*
 * True for a Java library method in the JVM's map for perf: "java.lang.Object java.util.HashMap.get(java.lang.Object)".
 */
static bool is_java_library(const char *symbol)
{
	static const char *const packages[] = { "java.", "javax.", "jdk.", "sun.", "com.sun." };
	const char *end = strchr(symbol, '('), *blank = end ? memrchr(symbol, ' ', (size_t)(end - symbol)) : NULL;

	for (size_t i = 0; blank && i < COUNT(packages); i++)
		if (text_starts(blank + 1, packages[i]))
			return true;
	return false;
}

struct looking {
	const struct stacks *stacks;
	const struct own_code *own;
	const struct code **codes;	/* by frame; NULL: foreign */
	bool *preferred;		/* by frame; NULL: no preference */
};

/*
 * Returns the path and line of a script function whose frame is called SYMBOL: "/srv/x.js". For free(); NULL: not a
 * script.
 */
static char *script_path(const char *symbol, long *line)
{
	struct script_place place;
	const char *path = text_starts(symbol, "py::") ? strchr(symbol + 4, ':') : NULL;

	*line = 0;
	if (path)
		return xstrdup(path + 1);
	if (!name_script_place(symbol, &place))
		return NULL;
	*line = place.line;
	path = strchr(symbol, ' ') + 1;
	if (text_starts(path, "file://"))
		path += strlen("file://");
	return path < place.file + place.file_len ? xstrndup(path, (size_t)(place.file + place.file_len - path)) : NULL;
}

/*
 * Returns "f" for "LazyCompile:*f /srv/x.js:10:5" and "py::f:/srv/x.py"; "(anonymous)" for one without a name. For
 * free().
 */
static char *script_function(const char *symbol)
{
	bool python = text_starts(symbol, "py::");
	const char *name = symbol + strcspn(symbol, ":");
	size_t len;

	name += python ? 2 : *name == ':';
	name += !python && *name && strchr("*~^+", *name);
	len = strcspn(name, python ? ":" : " ");
	return len ? xstrndup(name, len) : xstrdup("(anonymous)");
}

/* True for code that an engine generated at run time. */
static bool is_made(const struct stacks *stacks, const struct frame *f)
{
	return !strcmp(stacks_text(stacks, f->file), "[jit]");
}

static bool is_own(const struct looking *l, const struct frame *f, const char *script)
{
	const char *symbol = stacks_text(l->stacks, f->name), *path = stacks_text(l->stacks, f->dso);

	if (f->kernel)
		return false;
	if (script)
		return *script == '/' && own_code_has(l->own, script);
	if (is_made(l->stacks, f))
		return !any_matches(engine_code, COUNT(engine_code), symbol) && !is_java_library(symbol);
	/* The linker's stubs are in the file of their caller. */
	return *path == '/' && !text_ends(symbol, strlen(symbol), "@plt") &&
	       own_code_has_function(l->own, path, stacks_text(l->stacks, f->shown ? f->shown : f->name), false);
}

static void look(struct looking *l, struct arena *arena)
{
	const struct stacks *stacks = l->stacks;

	for (uint32_t i = 0; i < stacks->n_frames; i++) {
		const struct frame *f = &stacks->frames[i];
		long line;
		CLEANUP(free_ptr) char *script = script_path(stacks_text(stacks, f->name), &line);
		CLEANUP(free_ptr) char *function = script ? script_function(stacks_text(stacks, f->name)) : NULL;
		struct code *code;

		if (!is_own(l, f, script))
			continue;
		code = arena_alloc(arena, sizeof *code);
		*code = (struct code){
			.function = arena_strdup(arena, function ?: stacks_frame_shown(stacks, i)),
			/*
			 * Files distinguish script functions of one name. A function without a name is distinguished by
			 * its place.
			 */
			.key = arena_strdup(arena, function && *function != '(' ? function : stacks_text(stacks, f->key ? f->key : f->name)),
			/* An engine's map is named after its process, which differs between the sides. */
			.object = arena_strdup(arena, script ?: is_made(stacks, f) ? "[jit]" : stacks_text(stacks, f->dso)),
			.source = arena_strdup(arena, script), .line = line > 0 ? (unsigned)line : 0, .own = true,
		};
		l->codes[i] = code;
	}
}

/* Appends the system call that one of these N kernel frames serves: "read". Returns false if unknown. */
static bool system_call(const struct looking *l, const uint32_t *frames, size_t n, struct strbuf *out)
{
	static const char *const entries[] = { "__x64_sys_*", "__ia32_sys_*", "__arm64_sys_*", "__se_sys_*", "__do_sys_*", "ksys_*" };

	for (size_t i = 0; i < n; i++) {
		const char *symbol = stacks_text(l->stacks, l->stacks->frames[frames[i]].name);
		size_t start = out->len;

		if (!any_matches(entries, COUNT(entries), symbol))
			continue;
		foreign_name(symbol, out);
		/* The kernel calls newer variants "newfstatat". */
		if (text_starts(out->buf + start, "new") && strstr(out->buf + start, "stat")) {
			memmove(out->buf + start, out->buf + start + 3, out->len - start - 2);
			out->len -= 3;
		}
		return true;
	}
	return false;
}

/* Appends the name of the first of these N foreign frames, or its file if it has no name. */
static void name_callee(const struct looking *l, const uint32_t *frames, size_t n, struct strbuf *out)
{
	const struct stacks *stacks = l->stacks;
	size_t first = 0;

	while (first + 1 < n && !strcmp(stacks_text(stacks, stacks->frames[frames[first]].name), "[unknown]"))
		first++;
	const struct frame *f = &stacks->frames[frames[first]];
	const char *key = stacks_text(stacks, f->key);
	long line;
	CLEANUP(free_ptr) char *script = script_path(stacks_text(stacks, f->name), &line);
	CLEANUP(free_ptr) char *function = script_function(stacks_text(stacks, f->name));

	if (!strcmp(stacks_text(stacks, f->name), "[unknown]"))
		strbuf_adds(out, *stacks_text(stacks, f->file) ? stacks_text(stacks, f->file) : "[unknown]");
	else if (f->kernel && !strcmp(key, "[kernel]"))
		strbuf_adds(out, key);
	else if (script)
		strbuf_adds(out, function);
	else if (!f->kernel || !system_call(l, frames + first, n - first, out))
		foreign_name(stacks_frame_shown(stacks, frames[first]), out);
}

static bool has_fault(const struct looking *l, const uint32_t *frames, size_t n)
{
	static const char *const entries[] = {
		"asm_exc_page_fault", "exc_page_fault", "asm_page_fault", "do_user_addr_fault", "handle_mm_fault", "do_mem_abort",
	};

	for (size_t i = 0; i < n; i++) {
		const struct frame *f = &l->stacks->frames[frames[i]];

		if (f->kernel && any_matches(entries, COUNT(entries), stacks_text(l->stacks, f->name)))
			return true;
	}
	return false;
}

static bool has_allocator(const struct looking *l, const uint32_t *frames, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!l->stacks->frames[frames[i]].kernel && foreign_allocates(stacks_frame_shown(l->stacks, frames[i])))
			return true;
	return false;
}

static struct cost_piece piece_of(const struct looking *l, const struct stack *stack, struct arena *arena)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	const uint32_t *frames = l->stacks->pool + stack->first;
	struct cost_piece piece = { .cost = stack->weight, .calls = NAN };
	size_t nearest = stack->n;

	while (nearest && !l->codes[frames[nearest - 1]])
		nearest--;
	if (!nearest)
		return piece;
	for (size_t i = nearest; i && l->preferred; i--)
		if (l->preferred[frames[i - 1]]) {
			nearest = i;
			break;
		}
	piece.code = l->codes[frames[nearest - 1]];
	piece.kernel = l->stacks->frames[frames[stack->n - 1]].kernel ? stack->weight : 0;
	if (nearest < stack->n) {
		piece.faulting = has_fault(l, frames + nearest, stack->n - nearest) ? stack->weight : 0;
		piece.allocating = has_allocator(l, frames + nearest, stack->n - nearest) ? stack->weight : 0;
		name_callee(l, frames + nearest, stack->n - nearest, &name);
		piece.foreign = arena_strdup(arena, name.buf);
		piece.foreign_object = arena_strdup(arena, stacks_text(l->stacks, l->stacks->frames[frames[nearest]].dso));
	}
	return piece;
}

void stacks_own_costs(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct own_costs *out)
{
	stacks_own_costs_of(stacks, event, own, NULL, NULL, out);
}

void stacks_own_costs_of(const struct stacks *stacks, uint32_t event, const struct own_code *own, own_prefer_fn *prefer, void *ctx,
			 struct own_costs *out)
{
	CLEANUP(free_ptr) bool *preferred = prefer ? xcalloc(stacks->n_frames + 1, sizeof *preferred) : NULL;
	CLEANUP(free_ptr) const struct code **codes = xcalloc(stacks->n_frames + 1, sizeof *codes);
	CLEANUP(free_ptr) struct cost_piece *pieces = xcalloc(stacks->n + 1, sizeof *pieces);
	struct looking l = { .stacks = stacks, .own = own, .codes = codes, .preferred = preferred };
	uint64_t samples = 0;
	size_t n = 0;

	look(&l, &out->arena);
	for (size_t i = 0; i < stacks->n_frames && prefer; i++)
		preferred[i] = codes[i] && prefer(ctx, codes[i]);
	for (size_t i = 0; i < stacks->n; i++)
		if (stacks->items[i].event == event) {
			pieces[n++] = piece_of(&l, &stacks->items[i], &out->arena);
			samples += stacks->items[i].samples;
		}
	own_costs_add_up(pieces, n, out);
	out->error_of_part = samples ? out->total / (double)samples : 0;
}

bool stacks_jitted(const struct stacks *stacks)
{
	for (uint32_t i = 0; i < stacks->n_frames; i++)
		if (is_made(stacks, &stacks->frames[i]) &&
		    !any_matches(engine_code, COUNT(engine_code), stacks_text(stacks, stacks->frames[i].name)))
			return true;
	return false;
}

void stacks_own_functions(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct work *out)
{
	struct own_costs costs = { .n = 0 };

	stacks_own_costs(stacks, event, own, &costs);
	for (size_t i = 0; i < costs.n; i++) {
		struct code code = *costs.items[i].code;

		code.function = arena_strdup(&out->arena, code.function);
		code.key = arena_strdup(&out->arena, code.key);
		code.object = arena_strdup(&out->arena, code.object);
		code.source = code.source ? arena_strdup(&out->arena, code.source) : NULL;
		ARENA_GROW(&out->arena, out->functions, out->n_functions, out->cap_functions);
		out->functions[out->n_functions++] = (struct work_function){ .code = code };
	}
	own_costs_release(&costs);
}

/* -------- complete stacks */

double stacks_whole(const struct stacks *stacks, uint32_t event)
{
	static const char *const starts[] = {
		"main", "_start", "__libc_start*", "start_thread", "clone", "clone3", "__clone*", "_dl_start*", "_dl_main", "dl_main",
		"runtime.goexit*", "runtime.mstart*", "runtime.rt0_go*", "runtime.main", "thread_start", "thread_native_entry*", "java_start*",
	};
	/* Most frames from the root to examine: nameless frames may precede the start. */
	enum { LOOKED_AT = 4 };
	double whole = 0, all = 0;

	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *s = &stacks->items[i];
		const uint32_t *frames = stacks->pool + s->first;
		bool reaches = false;

		if (s->event != event || (s->n && stacks->frames[frames[0]].kernel))
			continue;
		for (size_t k = 0; k < s->n && k < LOOKED_AT && !reaches; k++)
			reaches = any_matches(starts, COUNT(starts), stacks_text(stacks, stacks->frames[frames[k]].name));
		whole += reaches ? s->weight : 0;
		all += s->weight;
	}
	return whole / all;
}
