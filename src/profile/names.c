#include "profile/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "profile/demangle.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool ends(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !memcmp(text + len - n, with, n);
}

/* -------- for people */

static bool mangled_prefix(const char *raw)
{
	return raw[0] == '_' && raw[1] && strchr("ZRDG", raw[1]);
}

/* Demangles what stands before AT, the version or suffix in RAW, which is kept. */
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

static const char *const kernel_files[] = { "[kernel.", "[guest.kernel.", "[kernel]", "vmlinux" };
static const char *const user_brackets[] = {
	"[vdso]", "[vsyscall]", "[unknown]", "[heap]", "[stack", "[anon", "[jit]", "[uprobes]",
};

static bool any_starts(const char *const *list, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (starts(text, list[i]))
			return true;
	return false;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* "ext4.ko", "ext4.ko.xz" */
static const char *module_end(const char *file)
{
	const char *ko = strstr(file, ".ko");

	return ko && ko > file && (!ko[3] || ko[3] == '.') ? ko : NULL;
}

bool dso_is_kernel(const char *path)
{
	const char *file = base_name(path);

	return any_starts(kernel_files, COUNT(kernel_files), file) || module_end(file) || starts(file, "bpf_prog_") ||
	       (*path == '[' && !any_starts(user_brackets, COUNT(user_brackets), path));
}

/* A name of a program's own making for code it has made, with its pid or the like in it. */
static bool is_jitted(const char *path, const char *file)
{
	size_t n = strlen("perf-") + strspn(file + (starts(file, "perf-") ? 5 : 0), "0123456789");

	return (starts(file, "perf-") && n > 5 && !strcmp(file + n, ".map")) ||
	       (starts(file, "jitted-") && strchr("0123456789", file[7]) && file[7]) || starts(path, "//anon") ||
	       starts(path, "/dev/zero") || starts(path, "/anon_hugepage") || starts(path, "/memfd:");
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
	const char *file = base_name(path), *module = module_end(file);
	size_t len = strlen(file);

	if (!*path || !strcmp(path, "[unknown]") || !strcmp(path, "inlined"))
		return;
	if (any_starts(kernel_files, COUNT(kernel_files), file))
		strbuf_adds(out, "[kernel]");
	else if (starts(file, "bpf_prog_"))
		strbuf_adds(out, "[bpf]");
	else if (is_jitted(path, file))
		strbuf_adds(out, "[jit]");
	else if (module)
		add_module(file, module, out);
	else
		strbuf_add(out, file, ends(file, len, " (deleted)") ? len - strlen(" (deleted)") : len);
}

/* -------- all of a profile */

static const char *const ada_evidence[] = { "_ada_", "ada__", "system__", "gnat__" };

/* By the number of the dso's string. */
static bool *files_with_ada(const struct stacks *stacks)
{
	bool *ada = xcalloc(stacks->n_strings + 1, sizeof *ada);

	for (size_t i = 0; i < stacks->n_frames; i++) {
		const struct frame *f = &stacks->frames[i];

		if (any_starts(ada_evidence, COUNT(ada_evidence), stacks_text(stacks, f->name)))
			ada[f->dso] = true;
	}
	return ada;
}

void names_resolve(struct stacks *stacks)
{
	CLEANUP(free_ptr) bool *ada = files_with_ada(stacks);
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT, key = STRBUF_INIT, file = STRBUF_INIT;

	for (size_t i = 0; i < stacks->n_frames; i++) {
		struct frame *f = &stacks->frames[i];

		if (f->shown)
			continue;
		strbuf_reset(&file);
		name_of_dso(stacks_text(stacks, f->dso), &file);
		f->file = stacks_string(stacks, file.buf, file.len);
		f->kernel = dso_is_kernel(stacks_text(stacks, f->dso));
		/* Names of strangers may each come to much more than they are; past the limit they stay as they are. */
		if (stacks_bytes(stacks) > STACKS_LARGEST) {
			f->shown = f->key = f->name;
			continue;
		}
		strbuf_reset(&shown);
		strbuf_reset(&key);
		name_shown(stacks_text(stacks, f->name), ada[f->dso], &shown);
		name_comparable(shown.buf, stacks_text(stacks, f->dso), &key);
		f->shown = stacks_string(stacks, shown.buf, shown.len);
		f->key = stacks_string(stacks, key.buf, key.len);
	}
}

/* -------- parameters */

/* Where the group begins that ends with the ')' at END; NULL when none does. */
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

	/* "(anonymous namespace)::f" has none. */
	if (begin && begin > name && qualified)
		strbuf_add(out, name, (size_t)(begin - name));
	else
		strbuf_adds(out, name);
}
