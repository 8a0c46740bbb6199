#include "profile/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "base/mem.h"

enum {
	OPTIONS = DMGL_PARAMS | DMGL_ANSI,
	/* Each may repeat all that was before it, so the result doubles with every one. */
	D_REFERENCES_MOST = 16,
};

struct sink {
	struct strbuf *out;
	size_t start;
	jmp_buf full;
};

/* Nothing else stops libiberty in the midst of a name; it holds no memory of its own there but what punycode needs. */
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

bool demangle(const char *mangled, struct strbuf *out)
{
	/* For D there is no limit of recursion: a byte can cost a frame of the stack. */
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

bool demangle_ada(const char *mangled, struct strbuf *out)
{
	CLEANUP(free_ptr) char *name = strlen(mangled) <= MANGLED_LARGEST ? ada_demangle(mangled, 0) : NULL;

	/* What is no Ada comes back in angle brackets. */
	if (!name || *name == '<')
		return false;
	strbuf_adds(out, name);
	return true;
}
