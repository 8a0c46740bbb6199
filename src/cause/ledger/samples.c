#include "cause/ledger/samples.h"

#include <string.h>

#include "profile/names.h"

/* Names that script engines give to their own generated code. */
static const char *const engine_code[] = {
	"Builtin:*", "BytecodeHandler:*", "Stub:*", "RegExp:*", "Interpreter*", "StubRoutines*", "call_stub*", "vtable stub*",
	"itable stub*", "[unknown]", NULL,
};

/*
 * True for a Java library method in the JVM's map for perf: "java.lang.Object java.util.HashMap.get(java.lang.Object)".
 */
static bool is_java_library(const char *symbol)
{
	const char *end = strchr(symbol, '('), *blank = end ? memrchr(symbol, ' ', (size_t)(end - symbol)) : NULL;

	return blank && TEXT_IS(blank + 1, "java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*");
}

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

static bool is_own(const struct stacks *stacks, const struct own_code *own, const struct frame *f, const char *script)
{
	const char *symbol = stacks_text(stacks, f->name), *path = stacks_text(stacks, f->dso);

	if (f->kernel)
		return false;
	if (script)
		return *script == '/' && own_code_has(own, script);
	if (is_made(stacks, f))
		return !text_matches_any(symbol, engine_code) && !is_java_library(symbol);
	/* The linker's stubs are in the file of their caller. */
	return *path == '/' && !text_ends(symbol, strlen(symbol), "@plt") &&
	       own_code_has_function(own, path, stacks_text(stacks, f->shown ? f->shown : f->name), false);
}

const struct code **samples_codes(const struct stacks *stacks, const struct own_code *own, struct arena *arena)
{
	const struct code **codes = xcalloc(stacks->n_frames + 1, sizeof *codes);

	for (uint32_t i = 0; i < stacks->n_frames; i++) {
		const struct frame *f = &stacks->frames[i];
		long line;
		CLEANUP(free_ptr) char *script = script_path(stacks_text(stacks, f->name), &line);
		CLEANUP(free_ptr) char *function = script ? script_function(stacks_text(stacks, f->name)) : NULL;
		struct code *code;

		if (!is_own(stacks, own, f, script))
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
		codes[i] = code;
	}
	return codes;
}

/* Appends the system call that one of these N kernel frames serves: "read". Returns false if unknown. */
static bool system_call(const struct stacks *stacks, const uint32_t *frames, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++) {
		const char *symbol = stacks_text(stacks, stacks->frames[frames[i]].name);
		size_t start = out->len;

		if (!TEXT_IS(symbol, "__x64_sys_*", "__ia32_sys_*", "__arm64_sys_*", "__se_sys_*", "__do_sys_*", "ksys_*"))
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

void samples_name_callee(const struct stacks *stacks, const uint32_t *frames, size_t n, struct strbuf *out)
{
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
	else if (!f->kernel || !system_call(stacks, frames + first, n - first, out))
		foreign_name(stacks_frame_shown(stacks, frames[first]), out);
}

bool samples_fault(const struct stacks *stacks, const uint32_t *frames, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct frame *f = &stacks->frames[frames[i]];

		if (f->kernel && TEXT_IS(stacks_text(stacks, f->name), "asm_exc_page_fault", "exc_page_fault", "asm_page_fault",
					 "do_user_addr_fault", "handle_mm_fault", "do_mem_abort"))
			return true;
	}
	return false;
}

bool samples_allocate(const struct stacks *stacks, const uint32_t *frames, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!stacks->frames[frames[i]].kernel && foreign_allocates(stacks_frame_shown(stacks, frames[i])))
			return true;
	return false;
}

bool stacks_jitted(const struct stacks *stacks)
{
	for (uint32_t i = 0; i < stacks->n_frames; i++)
		if (is_made(stacks, &stacks->frames[i]) &&
		    !text_matches_any(stacks_text(stacks, stacks->frames[i].name), engine_code))
			return true;
	return false;
}

void stacks_own_functions(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct work *out)
{
	CLEANUP(free_ptr) const struct code **codes = samples_codes(stacks, own, &out->arena);

	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *s = &stacks->items[i];
		const struct code *nearest = NULL;

		for (size_t at = s->n; at && !nearest && s->event == event; at--)
			nearest = codes[stacks->pool[s->first + at - 1]];
		if (nearest) {
			uint32_t function = work_function_of(out, nearest->object, nearest->key);

			out->functions[function].code = *nearest;
		}
	}
}

/* -------- complete stacks */

double stacks_whole(const struct stacks *stacks, uint32_t event)
{
	static const char *const starts[] = {
		"main", "_start", "__libc_start*", "start_thread", "clone", "clone3", "__clone*", "_dl_start*", "_dl_main", "dl_main",
		"runtime.goexit*", "runtime.mstart*", "runtime.rt0_go*", "runtime.main", "thread_start", "thread_native_entry*", "java_start*",
		NULL,
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
			reaches = text_matches_any(stacks_text(stacks, stacks->frames[frames[k]].name), starts);
		whole += reaches ? s->weight : 0;
		all += s->weight;
	}
	return whole / all;
}
