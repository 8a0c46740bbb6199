#include "job/sides/programs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/ledger/system_calls.h"
#include "measure/files/elf.h"
#include "measure/files/files.h"
#include "measure/git/tree_map.h"
#include "model/side.h"
#include "model/source/changes.h"
#include "model/source/source_text.h"
#include "scenario/scenario.h"

/* Largest script. A larger file among the arguments is data, not code. */
enum { SCRIPT_LARGEST = 16 << 20 };
enum { TREE_FILES_MOST = 100000, TREE_DEPTH_MOST = 12 };

static const char *variable(const struct plan *plan, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < plan->environment.n; i++)
		if (!strncmp(plan->environment.items[i], name, len) && plan->environment.items[i][len] == '=')
			return plan->environment.items[i] + len + 1;
	return getenv(name);
}

static const char *search_path(const struct plan *plan)
{
	return variable(plan, "PATH") ?: "/usr/local/bin:/usr/bin:/bin";
}

char *program_find(const struct plan *plan, const char *name)
{
	return file_find_program_on(search_path(plan), name, plan->cwd);
}

/* For free(), or NULL: a file or folder; a Python module ("wsgi:app"); a regular file. */
static char *find_any(const struct plan *plan, const char *word)
{
	CLEANUP(free_ptr) char *here = *word == '/' ? xstrdup(word) : file_join(plan->cwd, word);

	return *word && file_exists(here) ? take_ptr(&here) : NULL;
}

static char *find_module(const struct plan *plan, const char *word)
{
	size_t len = strcspn(word, ":");
	CLEANUP(free_ptr) char *name = xstrndup(word, len), *file = NULL;

	for (char *c = name; *c; c++)
		if (*c == '.')
			*c = '/';
	file = text_printf("%s.py", name);
	return len && !strchr(word, '/') ? find_any(plan, file) : NULL;
}

static char *find_here(const struct plan *plan, const char *word)
{
	CLEANUP(free_ptr) char *here = find_any(plan, word);
	struct stat st;

	return here && stat(here, &st) == 0 && S_ISREG(st.st_mode) ? take_ptr(&here) : NULL;
}

enum language program_language(const char *path)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return file_read(path, SCRIPT_LARGEST, &text, NULL) == 0 ? source_text_language(path, text.buf) : LANGUAGE_NONE;
}

char *program_script(const struct plan *plan, const char *word)
{
	CLEANUP(free_ptr) char *path = find_here(plan, word);

	if (!path || !path_below(path, plan->root))
		return NULL;
	switch (program_language(path)) {
	case LANGUAGE_NONE:
	case LANGUAGE_C:
	case LANGUAGE_RUST:
	case LANGUAGE_BRACES:
		return NULL;
	default:
		return take_ptr(&path);
	}
}

static void add_identity(const char *path, struct strbuf *all)
{
	CLEANUP(free_ptr) char *id = path ? elf_identity(path) : NULL;

	if (id)
		strbuf_addf(all, "%s%s", all->len ? "+" : "", id);
}

/* An interpreter or `env` runs a file of the project among the arguments, so it is part of the code. */
static void add_script(const struct plan *plan, const char *arg, struct strbuf *all)
{
	char *here = find_here(plan, arg);
	CLEANUP(free_ptr) char *path = here ?: program_find(plan, arg);
	struct stat st;

	if (path && path_below(path, plan->root) && stat(path, &st) == 0 && st.st_size <= SCRIPT_LARGEST)
		add_identity(path, all);
}

void programs_words(const char *text, struct strv *out)
{
	for (size_t len; *text; text += len + (text[len] != '\0')) {
		len = strcspn(text, " \t\n;|&<>()\"'");
		if (len)
			strv_take(out, xstrndup(text, len));
	}
}

static const char name_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/* Skips "PATH=$PATH:/usr/sbin; " before a command. Stops at a value in quotes. */
static const char *skip_assignments(const char *text)
{
	for (;;) {
		size_t name;

		text += strspn(text, " \t\n;");
		name = strspn(text, name_characters);
		if (!name || text[name] != '=')
			return text;
		text += name + strcspn(text + name, " \t\n;\"'`(");
		if (*text && !strchr(" \t\n;", *text))
			return text;
	}
}

/* Returns the word that names what is really measured. */
static char *first_word(const char *text, const char **rest)
{
	size_t len;

	text = skip_assignments(text);
	if (text_starts(text, "exec "))
		text += 5;
	len = strcspn(text, " \t\n;|&<>(){}$`\"'\\");
	*rest = text + len;
	return xstrndup(text, len);
}

/* Returns the program's file, or NULL; for free(). *REST is what follows its name in a shell's text, else NULL. */
static char *executable(const struct plan *plan, const char **rest)
{
	bool shell = scenario_target_command(plan->scenario)->shell;
	const char *first = plan->target.n ? plan->target.items[0] : "";
	CLEANUP(free_ptr) char *word = NULL;

	*rest = NULL;
	word = shell ? first_word(plan->target.items[2], rest) : xstrdup(first);
	return *word ? program_find(plan, word) : NULL;
}

char *programs_identity(const struct plan *plan)
{
	const char *rest;
	CLEANUP(free_ptr) char *path = executable(plan, &rest);
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	struct strbuf all = STRBUF_INIT;

	add_identity(path, &all);
	if (rest)
		programs_words(rest, &words);
	for (size_t i = 1; !rest && i < plan->target.n; i++)
		strv_push(&words, plan->target.items[i]);
	for (size_t i = 0; i < words.n; i++)
		add_script(plan, words.items[i], &all);
	return all.len ? strbuf_take(&all) : NULL;
}

bool programs_missing(const struct plan *plan)
{
	const char *rest;
	CLEANUP(free_ptr) char *path = executable(plan, &rest);

	return !path;
}

bool programs_sizes(const struct plan *plan, struct elf_sizes *out)
{
	CLEANUP(strv_release) struct strv libraries = STRV_INIT;
	const char *rest;
	CLEANUP(free_ptr) char *path = executable(plan, &rest);

	*out = (struct elf_sizes){ 0 };
	if (!path || !elf_add_sizes(path, out))
		return false;
	elf_libraries(path, &libraries);
	for (size_t i = 0; i < libraries.n; i++)
		elf_add_sizes(libraries.items[i], out);
	return true;
}

/* -------- the words of a command */

static void replace_variables(const struct plan *plan, const char *text, struct strbuf *out)
{
	while (*text) {
		bool braces = text_starts(text, "${");
		const char *start = text + 1 + braces;
		size_t len = *text == '$' ? strspn(start, name_characters) : 0;
		CLEANUP(free_ptr) char *name = xstrndup(start, len);
		const char *value = len && (!braces || start[len] == '}') ? variable(plan, name) : NULL;

		if (value)
			strbuf_adds(out, value);
		else
			strbuf_addc(out, *text);
		text = value ? start + len + braces : text + 1;
	}
}

static void find_words(const struct plan *plan, struct strv *out)
{
	const struct strv *target = &plan->target;
	const char *program = target->n ? path_name(target->items[0]) : "";
	CLEANUP(strbuf_release) struct strbuf plain = STRBUF_INIT;

	if (target->n < 3 || !TEXT_IS(program, "sh", "bash", "dash", "zsh", "ksh", "ash") || target->items[1][0] != '-' ||
	    !strchr(target->items[1], 'c')) {
		for (size_t i = 0; i < target->n; i++) {
			const char *value = target->items[i][0] == '-' ? strchr(target->items[i], '=') : NULL;

			strv_push(out, value ? value + 1 : target->items[i]);
		}
		return;
	}
	replace_variables(plan, target->items[2], &plain);
	for (const char *at = plain.buf; *at;) {
		size_t len = strcspn(at, " \t\n;|&<>(){}`\"'=");
		CLEANUP(free_ptr) char *word = xstrndup(at, len);

		/* Built into shells, although programs of these names exist. */
		if (len && !TEXT_IS(word, "[", "cd", "echo", "false", "kill", "printf", "pwd", "test", "time", "true"))
			strv_push(out, word);
		at += len + (at[len] != '\0');
	}
}

/* -------- owners of files */

static const char *const interpreters[] = {
	"ash", "awk", "bash", "dash", "gawk", "guile", "ksh", "lua", "luajit", "mawk", "node", "nodejs", "ocaml", "perl", "php", "pypy",
	"python", "Rscript", "racket", "ruby", "sh", "tclsh", "zsh", NULL,
};
static const char *const build_tools[] = {
	"bazel", "bun", "bundle", "cabal", "cargo", "cmake", "composer", "ctest", "deno", "dotnet", "dune", "erl", "gmake", "go", "gradle",
	"java", "julia", "just", "make", "meson", "mix", "mono", "mvn", "ninja", "npm", "npx", "phpunit", "pnpm", "pytest", "rake", "sbt",
	"stack", "swift", "tox", "uv", "yarn", "zig", NULL,
};

/* True also for a version of it (python3.11). */
static bool is_version_of(const char *const *names, const char *program)
{
	const char *name = path_name(program);

	for (; *names; names++) {
		size_t len = strlen(*names);

		if (!strncmp(name, *names, len) && !name[len + strspn(name + len, "0123456789.-")])
			return true;
	}
	return false;
}

/* True if PROGRAM runs files that its arguments name, or that it finds. */
static bool is_runner(const char *program)
{
	return is_version_of(interpreters, program) || is_version_of(build_tools, program);
}

/* True for a script with a #! line. What its interpreter loads is the script's own. */
static bool is_script(const char *path)
{
	CLEANUP(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char mark[2];

	return fd >= 0 && read(fd, mark, sizeof mark) == sizeof mark && !memcmp(mark, "#!", sizeof mark);
}

enum tree_whose program_whose(const struct program_side *side, const char *path)
{
	return path_below(path, side->out) || path_below(path, side->tmp) ? TREE_OWN : tree_map_whose(side->map, path);
}

/* -------- one program for both */

/* True if PATH comes with the machine, not from a project installed on it. */
static bool is_of_the_system(const char *path)
{
	return TEXT_IS(path, "/bin/*", "/sbin/*", "/lib/*", "/lib32/*", "/lib64/*", "/libx32/*", "/usr/bin/*", "/usr/sbin/*", "/usr/lib/*",
		       "/usr/lib32/*", "/usr/lib64/*", "/usr/libx32/*", "/usr/libexec/*", "/usr/share/*", "/etc/*", "/snap/*",
		       "/nix/store/*", "/gnu/store/*");
}

static bool is_called(const char *file, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(file, name, len) && (!file[len] || (file[len] == '.' && text_ends(name, len, ".so")));
}

/* Returns a program NAME, or a library NAME.so in any version, below FOLDER, or NULL; for free(). */
static char *find_named(const char *folder, const char *name, unsigned depth, unsigned *files_left)
{
	CLEANUP(strv_release) struct strv entries = STRV_INIT;

	if (file_list(folder, &entries, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < entries.n && *files_left; i++) {
		CLEANUP(free_ptr) char *path = file_join(folder, entries.items[i]);
		char *below = NULL;
		struct stat st;

		--*files_left;
		if (lstat(path, &st) < 0)
			continue;
		if (S_ISREG(st.st_mode) && is_called(entries.items[i], name) && access(path, X_OK) == 0)
			return take_ptr(&path);
		if (S_ISDIR(st.st_mode) && depth && strcmp(entries.items[i], ".git"))
			below = find_named(path, name, depth - 1, files_left);
		if (below)
			return below;
	}
	return NULL;
}

/* OWN is the tree's program of that name, relative to its top; or NULL. */
static char *ran_one(const char *program, const char *own)
{
	if (own)
		return text_printf("both sides ran one program, %s, which is in neither tree, although the project makes %s: start ./%s",
				   program, own, own);
	return text_printf("both sides ran one program, %s, which is in neither tree: start the project's by a path inside the "
			   "project, such as ./build/prog", program);
}

static const char names_none[] = "the command names no program or file of the project, so both sides ran the same: start the "
				 "project's program by a path inside the project, such as ./build/prog";

/* -------- files that each side loaded */

enum { SEARCHES_MOST = 8 };

/* Files that one execution, or a running target, loaded. Real paths, each once. */
struct loads {
	struct strv own;	/* code of its own tree: executed, mapped, or loaded by an interpreter */
	struct strv foreign;	/* code outside the trees and the system */
	struct strv programs;	/* executed programs that are not in its own tree */
	char *other;		/* first code of another tree */
	char *empty;		/* a program that could not be executed because it is empty */
	bool binary;		/* a program or library of its own tree was loaded */
	bool data;		/* another file of its own tree was read */
	bool tool;		/* a build tool read it */
	/* by the words of a command, which do not show what a program loads */
	bool runner, script;	/* a program may run files of the tree; is a script, which may be one of the tree's by its data */
};

static void loads_release(struct loads *loads)
{
	strv_release(&loads->own);
	strv_release(&loads->foreign);
	strv_release(&loads->programs);
	free(loads->other);
	free(loads->empty);
}

static void push_new(struct strv *list, const char *text)
{
	if (!strv_has(list, text))
		strv_push(list, text);
}

static bool is_of_packages(const char *path)
{
	static const char *const folders[] = {
		"/site-packages/", "/dist-packages/", "/node_modules/", "/.venv/", "/venv/", "/.tox/", "/.nox/", "/vendor/bundle/",
	};
	CLEANUP(free_ptr) char *venv = NULL;
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
		if (strstr(path, folders[i]))
			return true;
	venv = text_printf("%.*s/../pyvenv.cfg", slash ? (int)(slash - path) : 0, path);
	return file_exists(venv);
}

/* Made by programs for themselves; or in hidden folders, which hold tool chains that a build fetches. */
static bool is_made_by_tools(const char *path)
{
	const char *tmp = getenv("TMPDIR");

	return TEXT_IS(path, "/tmp/*", "/var/tmp/*", "/run/*", "/proc/*", "/memfd:*") || strstr(path, "/.") || strstr(path, "conda") || is_runner(path) || (tmp && *tmp == '/' && tmp[1] && path_below(path, tmp));
}

bool program_is_library(const char *path)
{
	const char *so = strstr(path_name(path), ".so");

	/* Not "ld.so.cache". */
	return so && (!so[3] || so[3] == '.') && !text_starts(path_name(path), "ld.so.");
}

static bool is_code(const char *path)
{
	static const char *const endings[] = {
		".py", ".pyc", ".pyw", ".rb", ".pl", ".pm", ".lua", ".luac", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx",
		".php", ".phar", ".sh", ".bash", ".zsh", ".tcl", ".R", ".r", ".jl", ".scm", ".rkt", ".ex", ".exs", ".beam", ".erl", ".class",
		".jar", ".war", ".dll", ".exe", ".wasm", ".groovy", ".gradle", ".kts", ".awk", ".el", ".elc", ".mk",
	};
	const char *name = path_name(path);

	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
		if (text_ends(name, strlen(name), endings[i]))
			return true;
	return TEXT_IS(name, "Makefile", "makefile", "GNUmakefile", "Justfile", "justfile", "Rakefile") ||
	       (!strchr(name, '.') && program_language(path) != LANGUAGE_NONE);
}

char *program_cached_source(const char *path)
{
	static const char folder[] = "/__pycache__/";
	const char *at = strstr(path, folder), *name = at ? at + strlen(folder) : NULL;

	if (!at || strchr(name, '/') || !text_ends(path, strlen(path), ".pyc"))
		return NULL;
	return text_printf("%.*s/%.*s.py", (int)(at - path), path, (int)strcspn(name, "."), name);
}

static void take_code(const struct program_side *side, const char *path, struct loads *out)
{
	enum tree_whose whose = program_whose(side, path);

	if (whose == TREE_OWN)
		push_new(&out->own, path);
	else if (whose == TREE_NONE ? !is_of_the_system(path) : is_of_packages(path))
		push_new(&out->foreign, path);
	else if (whose == TREE_OTHER && !out->other)
		out->other = xstrdup(path);
	out->binary |= whose == TREE_OWN && (program_is_library(path) || elf_read(path, &(struct elf_file){ 0 }));
}

static char *exec_path(const struct program_side *side, const struct traced_exec *exec)
{
	return *exec->path == '/' ? xstrdup(exec->path) : file_join(exec->folder ?: side->plan->cwd, exec->path);
}

static void take_exec(const struct program_side *side, const struct traced_exec *exec, struct loads *out)
{
	CLEANUP(free_ptr) char *path = exec_path(side, exec), *real = realpath(path, NULL);

	/* A link in the tree to a program elsewhere, such as a venv's python, is not the tree's. */
	take_code(side, real ?: path, out);
	if (program_whose(side, real ?: path) != TREE_OWN)
		push_new(&out->programs, real ?: path);
}

static void take_open(const struct program_side *side, const struct traced_open *open, const char *program, struct loads *out)
{
	/* Python opens only the cache of a module. */
	CLEANUP(free_ptr) char *source = program_cached_source(open->path);
	const char *path = source ?: open->path;
	bool runner = program && (is_runner(program) || is_script(program));

	if (!program_is_library(path) && is_of_the_system(path))
		return;
	if (program_is_library(path) || (runner && is_code(path))) {
		take_code(side, path, out);
	} else if (program_whose(side, path) == TREE_OWN) {
		out->data = true;
		out->tool |= program && is_version_of(build_tools, program);
	}
}

static void find_named_loads(const struct program_side *side, struct loads *out)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	find_words(side->plan, &words);
	for (size_t i = 0; i < words.n; i++) {
		const char *word = words.items[i];
		CLEANUP(free_ptr) char *found = program_find(side->plan, word), *here = find_here(side->plan, word);
		CLEANUP(free_ptr) char *any = find_any(side->plan, word) ?: find_module(side->plan, word);
		const struct traced_exec exec = { .path = found ?: here };

		out->data |= any && program_whose(side, any) == TREE_OWN;
		if (!found && (!here || access(here, X_OK) < 0))
			continue;
		out->runner |= is_runner(word);
		out->script |= is_script(exec.path);
		take_exec(side, &exec, out);
	}
}

/* CALLS NULL: by the words of the command. */
static void find_loads(const struct program_side *side, const struct system_calls *calls, struct loads *out)
{
	CLEANUP(free_ptr) char **paths = NULL;

	if (!calls) {
		find_named_loads(side, out);
		return;
	}
	paths = xcalloc(calls->n_execs + 1, sizeof *paths);
	for (size_t i = 0; i < calls->n_execs; i++) {
		paths[i] = exec_path(side, &calls->execs[i]);
		take_exec(side, &calls->execs[i], out);
	}
	for (size_t i = 0; i < calls->n_opens; i++)
		take_open(side, &calls->opens[i], calls->opens[i].exec < calls->n_execs ? paths[calls->opens[i].exec] : NULL, out);
	for (size_t i = 0; i < calls->unformatted.n && !out->empty; i++) {
		const struct traced_exec exec = { .path = calls->unformatted.items[i] };
		CLEANUP(free_ptr) char *path = exec_path(side, &exec);
		struct stat st;

		if (stat(path, &st) == 0 && !st.st_size)
			out->empty = take_ptr(&path);
	}
	for (size_t i = 0; i < calls->n_execs; i++)
		free(paths[i]);
}

/* -------- judging what was loaded */

/* Returns the own file in whose place a module elsewhere was loaded, or NULL; for free(). */
static char *shadowed(const struct program_side *side, const struct loads *loads, const char **path_out)
{
	static const char *const packages[] = { "/site-packages/", "/dist-packages/" };
	static const char *const sources[] = { "", "src/", "lib/", "python/" };

	for (size_t i = 0; i < loads->foreign.n; i++) {
		const char *inside = NULL;

		for (size_t k = 0; k < sizeof packages / sizeof packages[0]; k++) {
			const char *at = strstr(loads->foreign.items[i], packages[k]);

			inside = at ? at + strlen(packages[k]) : inside;
		}
		for (size_t k = 0; inside && k < sizeof sources / sizeof sources[0]; k++) {
			CLEANUP(free_ptr) char *own = text_printf("%s/%s%s", side->plan->root, sources[k], inside);
			CLEANUP(free_ptr) char *real = realpath(own, NULL);

			if (!real || strv_has(&loads->own, real))
				continue;
			*path_out = loads->foreign.items[i];
			return text_printf("%s%s", sources[k], inside);
		}
	}
	return NULL;
}

static bool is_between(struct timespec at, const struct timespec *from, const struct timespec *to)
{
	return file_time_order(at, *from) >= 0 && file_time_order(at, *to) <= 0;
}

/* For a library, in any version. */
static bool has_one_called(const char *tree, const char *path)
{
	const char *so = program_is_library(path) ? strstr(path_name(path), ".so") : NULL;
	CLEANUP(free_ptr) char *name = so ? xstrndup(path_name(path), (size_t)(so - path_name(path)) + 3) : xstrdup(path_name(path));
	unsigned files_left = TREE_FILES_MOST;
	CLEANUP(free_ptr) char *found = find_named(tree, name, TREE_DEPTH_MOST, &files_left);

	return found != NULL;
}

/* Code outside both trees that a build of this session wrote, or NULL. Tools' files need a name that the tree has. */
static const char *written_by_build(const struct loads *base, const struct loads *head, const char *tree, const struct timespec *from,
				    const struct timespec *to)
{
	unsigned searches = 0;

	for (size_t i = 0; i < head->foreign.n; i++) {
		const char *path = head->foreign.items[i];
		struct stat st;

		if (strv_has(&base->foreign, path) && !is_of_packages(path) && lstat(path, &st) == 0 && is_between(st.st_ctim, from, to) &&
		    (!is_made_by_tools(path) || (searches++ < SEARCHES_MOST && has_one_called(tree, path))))
			return path;
	}
	return NULL;
}

/* The first program that both executed, but no interpreter: first one with a name of the tree's, last the system's. */
static const char *common_program(const struct loads *base, const struct loads *head, const char *tree, char **own_out)
{
	const char *foreign = NULL, *of_system = NULL;
	unsigned searches = 0;

	for (size_t i = 0; i < head->programs.n; i++) {
		const char *path = head->programs.items[i];
		unsigned files_left = TREE_FILES_MOST;
		char *named = NULL;

		if (!strv_has(&base->programs, path) || is_runner(path))
			continue;
		if (searches++ < SEARCHES_MOST)
			named = find_named(tree, path_name(path), TREE_DEPTH_MOST, &files_left);
		if (named) {
			*own_out = xstrdup(named + strlen(tree) + 1);
			free(named);
			return path;
		}
		if (is_of_the_system(path))
			of_system = of_system ?: path;
		else
			foreign = foreign ?: path;
	}
	return foreign ?: of_system;
}

static char *loaded_other(const char *side, const struct loads *loads, const char *whose)
{
	const char *path = loads->other;

	if (strv_has(&loads->programs, path))
		return text_printf("the %s ran %s, which is not in its own tree but in the %s's: start the program by a path inside the "
				   "project, such as ./%s, and let build: make it in each tree", side, path, whose, path_name(path));
	return text_printf("the %s loaded %s, which is in the %s's tree, so both sides ran the same: an installation names that tree by its "
			   "absolute path. Let build: install into each tree, or set the path of modules or libraries to a folder "
			   "inside the project, such as environment: { PYTHONPATH: src } of the target", side, path, whose);
}

static char *loaded_elsewhere(const char *side, const struct program_side *of, const struct loads *loads)
{
	const char *path = NULL;
	CLEANUP(free_ptr) char *own = shadowed(of, loads, &path);

	if (!own)
		return NULL;
	return text_printf("the %s loaded %s, not %s of its own tree: let build: install into each tree, or set the path of modules to "
			   "a folder inside the project, such as environment: { PYTHONPATH: src } of the target", side, path, own);
}

char *programs_loaded(const struct program_side sides[2], const struct system_calls *calls, bool complete,
		      const struct timespec *built_from, const struct timespec *built_to, bool *known_out)
{
	CLEANUP(loads_release) struct loads base = { 0 }, head = { 0 };
	CLEANUP(free_ptr) char *own = NULL;
	const char *program;
	char *why;

	*known_out = true;
	find_loads(&sides[0], calls ? &calls[0] : NULL, &base);
	find_loads(&sides[1], calls ? &calls[1] : NULL, &head);
	if (base.other || head.other)
		return base.other ? loaded_other("base", &base, "head") : loaded_other("head", &head, "base");
	if (base.empty || head.empty)
		return text_printf("the %s could not execute %s, which is empty (Exec format error): build it inside the project",
				   base.empty ? "base" : "head", base.empty ?: head.empty);
	why = loaded_elsewhere("base", &sides[0], &base) ?: loaded_elsewhere("head", &sides[1], &head);
	if (why)
		return why;
	program = written_by_build(&base, &head, sides[1].map->own_real, built_from, built_to);
	if (program)
		return text_printf("both sides loaded %s, which a build wrote and which is in neither tree: let build: install to a "
				   "folder inside the project, and start or load it from there", program);
	if (base.binary || head.binary)
		return NULL;
	program = common_program(&base, &head, sides[1].map->own_real, &own);
	if (base.own.n || head.own.n)
		return calls && own && !is_of_the_system(program) ? ran_one(program, own) : NULL;

	*known_out = complete;
	if (!calls && !own && (head.runner || (head.script && base.data && head.data) || (!program && (base.programs.n || head.programs.n))))
		return NULL;
	if (program && (own || !is_of_the_system(program)) && !(base.tool && head.tool))
		return ran_one(program, own);
	if (base.data && head.data)
		return NULL;
	return program ? ran_one(program, own) : xstrdup(names_none);
}

/* -------- changes of programs */

/* A larger file is compared by inode and times alone. */
enum { CONTENT_LARGEST = 64 << 20 };

/* "INODE SIZE TIMES\tHASH\tPATH" */
static char *describe(const char *path)
{
	CLEANUP(strbuf_release) struct strbuf content = STRBUF_INIT;
	uint64_t hash = 0;
	struct stat st;

	if (stat(path, &st) < 0)
		return NULL;
	if (st.st_size <= CONTENT_LARGEST && file_read(path, CONTENT_LARGEST, &content, NULL) == 0)
		hash = fnv_bytes(FNV_START, content.buf, content.len) | 1;
	return text_printf("%llu %lld %lld.%09ld %lld.%09ld\t%016" PRIx64 "\t%s", (unsigned long long)st.st_ino, (long long)st.st_size,
			   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec, hash, path);
}

static void keep(const char *path, struct strv *kept)
{
	CLEANUP(free_ptr) char *real = realpath(path, NULL), *text = NULL;

	for (size_t i = 0; real && i < kept->n; i++)
		if (!strcmp(strrchr(kept->items[i], '\t') + 1, real))
			return;
	text = real && access(real, X_OK) == 0 && !file_is_dir(real) ? describe(real) : NULL;
	if (text)
		strv_take(kept, take_ptr(&text));
}

void programs_keep(const struct program_side *side, const struct system_calls *calls, struct strv *kept)
{
	CLEANUP(loads_release) struct loads loads = { 0 };
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	find_words(side->plan, &words);
	for (size_t i = 0; i < words.n; i++) {
		CLEANUP(free_ptr) char *path = program_find(side->plan, words.items[i]) ?: find_here(side->plan, words.items[i]);

		if (path && program_whose(side, path) == TREE_OWN)
			keep(path, kept);
	}
	if (calls)
		find_loads(side, calls, &loads);
	for (size_t i = 0; i < loads.own.n; i++)
		keep(loads.own.items[i], kept);
}

const char *programs_changed(const struct strv *kept)
{
	for (size_t i = 0; i < kept->n; i++) {
		const char *was = kept->items[i], *path = strrchr(was, '\t') + 1, *hash = strchr(was, '\t');
		CLEANUP(free_ptr) char *now = describe(path);
		const char *hash_now = now ? strchr(now, '\t') : NULL;

		if (now && !strcmp(now, was))
			continue;
		/* Rewritten unchanged, or with other permissions. */
		if (!hash_now || text_starts(hash, "\t0000000000000000\t") || strcmp(hash_now, hash) != 0)
			return path;
	}
	return NULL;
}

/* -------- programs that a change did not reach */

static const char *compiled(const struct strv *kept, struct strv *identities)
{
	const char *first = NULL;

	for (size_t i = 0; i < kept->n; i++) {
		const char *path = strrchr(kept->items[i], '\t') + 1;
		char *id = elf_read(path, &(struct elf_file){ 0 }) ? elf_identity(path) : NULL;

		if (id)
			strv_take(identities, id);
		first = first ?: id ? path : NULL;
	}
	return first;
}

static const char *changed_code(const struct changes *changes)
{
	for (size_t i = 0; changes->known && i < changes->n; i++) {
		const char *path = changes->items[i].path;
		enum language language = source_text_language(path, NULL);

		if (!changes_is_test(path) && (language == LANGUAGE_C || language == LANGUAGE_RUST || language == LANGUAGE_BRACES))
			return path;
	}
	return NULL;
}

const char *programs_equal(const struct strv *kept)
{
	CLEANUP(strv_release) struct strv base = STRV_INIT, head = STRV_INIT;
	const char *program = compiled(&kept[1], &head);

	if (!compiled(&kept[0], &base) || base.n != head.n)
		return NULL;
	for (size_t i = 0; i < head.n; i++)
		if (!strv_has(&base, head.items[i]))
			return NULL;
	return program;
}

char *programs_unchanged(const char *program, const struct changes *changes)
{
	const char *code = changed_code(changes);

	return !code ? NULL : text_printf("base and head are the same binary (%s) although %s changed: if it is built from that, build: did not build "
			   "it, and this compares nothing", path_name(program), code);
}

/* -------- PATH */

static void put_first(struct arena *arena, struct strv *environment, const char *path, const char *folder)
{
	for (size_t i = 0; i < environment->n; i++) {
		if (!text_starts(environment->items[i], "PATH="))
			continue;
		environment->items[i] = arena_printf(arena, "PATH=%s:%s", folder, environment->items[i] + 5);
		return;
	}
	arena_pushf(arena, environment, "PATH=%s:%s", folder, path);
}

void programs_prefer_own(struct plan *plan, const struct tree_map *map)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	CLEANUP(free_ptr) char *path = xstrdup(search_path(plan));

	find_words(plan, &words);
	for (size_t i = 0; i < words.n; i++) {
		bool program = !strchr(words.items[i], '/');
		CLEANUP(free_ptr) char *found = program ? file_find_program_on(path, words.items[i], plan->cwd) : NULL;
		CLEANUP(free_ptr) char *folder = found ? tree_map_folder(map, found) : NULL;

		if (!folder)
			continue;
		put_first(&plan->arena, &plan->environment, path, folder);
		put_first(&plan->arena, &plan->commands_environment, path, folder);
		put_first(&plan->arena, &plan->load_environment, path, folder);
		for (size_t s = 0; s < plan->n_services; s++)
			put_first(&plan->arena, &plan->services[s].environment, path, folder);
	}
}

/* -------- the size of words */

/* A variable makes up the difference on the smaller side. */
static void even_out(struct plan *const plans[], const struct strv *const argv[], struct strv *const environment[])
{
	size_t bytes[SIDES] = { 0 };

	for (unsigned i = 0; i < SIDES; i++) {
		const char *word = argv[i]->n ? argv[i]->items[0] : "";
		CLEANUP(free_ptr) char *program = strchr(word, '/') ? xstrdup(word) : program_find(plans[i], word);

		bytes[i] = program ? strlen(program) : 0;
		for (size_t k = 0; k < argv[i]->n; k++)
			bytes[i] += strlen(argv[i]->items[k]);
		for (size_t k = 0; k < environment[i]->n; k++)
			bytes[i] += strlen(environment[i]->items[k]);
	}
	for (unsigned i = 0; i < SIDES; i++) {
		CLEANUP(strbuf_release) struct strbuf variable = STRBUF_INIT;

		strbuf_adds(&variable, "PAWL_PAD=");
		strbuf_pad(&variable, 'x', bytes[!i] > bytes[i] ? bytes[!i] - bytes[i] : 0);
		arena_push(&plans[i]->arena, environment[i], variable.buf);
	}
}

void programs_even_out(struct plan *const plans[])
{
	even_out(plans, (const struct strv *[]){ &plans[BASE]->target, &plans[HEAD]->target },
		 (struct strv *[]){ &plans[BASE]->environment, &plans[HEAD]->environment });
	for (size_t i = 0; i < plans[BASE]->n_services && i < plans[HEAD]->n_services; i++) {
		struct plan_service *of_base = &plans[BASE]->services[i], *of_head = &plans[HEAD]->services[i];

		even_out(plans, (const struct strv *[]){ &of_base->command, &of_head->command },
			 (struct strv *[]){ &of_base->environment, &of_head->environment });
	}
}
