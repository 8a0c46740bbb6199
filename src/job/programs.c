#include "job/programs.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/git/git.h"
#include "model/outline.h"
#include "scenario/scenario.h"

/* Beyond this a file among the arguments is data, not code. */
enum { SCRIPT_LARGEST = 16 << 20 };
/* How far a tree is searched for a program. */
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

/* The file that WORD means where it is no program: seen from the working folder; for free(), NULL when there is none. */
static char *find_here(const struct plan *plan, const char *word)
{
	CLEANUP(free_ptr) char *here = *word == '/' ? xstrdup(word) : file_join(plan->cwd, word);
	struct stat st;

	return *word && stat(here, &st) == 0 && S_ISREG(st.st_mode) ? take_ptr(&here) : NULL;
}

enum language program_language(const char *path)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return file_read(path, SCRIPT_LARGEST, &text, NULL) == 0 ? outline_language(path, text.buf) : LANGUAGE_NONE;
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
	CLEANUP(free_ptr) char *id = path ? file_identity(path) : NULL;

	if (id)
		strbuf_addf(all, "%s%s", all->len ? "+" : "", id);
}

/* A file of the project among the arguments is what an interpreter, or `env`, runs: it is part of the code too. */
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

/* Behind what sets variables, as in "PATH=$PATH:/usr/sbin; exec nginx"; a value in quotes is not followed. */
static const char *skip_assignments(const char *text)
{
	for (;;) {
		size_t name;

		text += strspn(text, " \t\n;");
		name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
		if (!name || text[name] != '=')
			return text;
		text += name + strcspn(text + name, " \t\n;\"'`(");
		if (*text && !strchr(" \t\n;", *text))
			return text;
	}
}

/* A string command is a shell's: its first word names what is really measured, and REST is what follows. */
static char *first_word(const char *text, const char **rest)
{
	size_t len;

	text = skip_assignments(text);
	if (!strncmp(text, "exec ", 5))
		text += 5;
	len = strcspn(text, " \t\n;|&<>(){}$`\"'\\");
	*rest = text + len;
	return xstrndup(text, len);
}

char *programs_identity(const struct plan *plan)
{
	bool shell = scenario_target_command(plan->scenario)->shell;
	const char *rest = NULL, *first = plan->target.n ? plan->target.items[0] : "";
	CLEANUP(free_ptr) char *word = shell ? first_word(plan->target.items[2], &rest) : xstrdup(first);
	CLEANUP(free_ptr) char *path = *word ? program_find(plan, word) : NULL;
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	struct strbuf all = STRBUF_INIT;

	add_identity(path, &all);
	if (shell)
		programs_words(rest, &words);
	for (size_t i = 1; !shell && i < plan->target.n; i++)
		strv_push(&words, plan->target.items[i]);
	for (size_t i = 0; i < words.n; i++)
		add_script(plan, words.items[i], &all);
	return all.len ? strbuf_take(&all) : NULL;
}

/* -------- the words of a command */

static const char name_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/* $NAME and ${NAME}; what else a shell makes of a dollar stays as it stands. */
static void replace_variables(const struct plan *plan, const char *text, struct strbuf *out)
{
	while (*text) {
		bool braces = !strncmp(text, "${", 2);
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

static bool is_among(const char *const *names, const char *word, size_t len)
{
	for (; *names; names++)
		if (strlen(*names) == len && !strncmp(*names, word, len))
			return true;
	return false;
}

/* Without the shell that a text is given to: what counts is what it starts. */
static void find_words(const struct plan *plan, struct strv *out)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "ash", NULL };
	/* What a shell does by itself, although a program of that name is there too. */
	static const char *const builtins[] = {
		"[", "cd", "echo", "false", "kill", "printf", "pwd", "test", "time", "true", NULL,
	};
	const struct strv *target = &plan->target;
	const char *program = target->n ? path_name(target->items[0]) : "";
	CLEANUP(strbuf_release) struct strbuf plain = STRBUF_INIT;

	if (target->n < 3 || !is_among(shells, program, strlen(program)) || target->items[1][0] != '-' ||
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

		if (len && !is_among(builtins, at, len))
			strv_take(out, xstrndup(at, len));
		at += len + (at[len] != '\0');
	}
}

/* -------- whose files they are */

struct run_files {
	bool own;		/* a program of its own tree is among them */
	bool data;		/* another file of its own tree is */
	char *other;		/* a program of another tree */
	char *outside;		/* the first program that lies in no tree, without links */
	char *name;		/* the word that led to it */
	bool runner;		/* it runs what it finds in the tree */
};

static void run_files_release(struct run_files *files)
{
	free(files->other);
	free(files->outside);
	free(files->name);
}

/* Interpreters and build tools, and versions of them (python3.11): what they run is named by their arguments, or lies about. */
static bool is_runner(const char *program)
{
	static const char *const names[] = {
		"ash", "awk", "bash", "bazel", "bun", "bundle", "cabal", "cargo", "cmake", "composer", "ctest", "dash", "deno", "dotnet",
		"dune", "erl", "gawk", "gmake", "go", "gradle", "guile", "java", "julia", "just", "ksh", "lua", "luajit", "make", "mawk",
		"meson", "mix", "mono", "mvn", "ninja", "node", "npm", "npx", "ocaml", "perl", "php", "phpunit", "pnpm", "pypy", "pytest",
		"python", "Rscript", "racket", "rake", "ruby", "sbt", "sh", "stack", "swift", "tclsh", "tox", "uv", "yarn", "zig", "zsh",
	};
	const char *name = path_name(program);

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		size_t len = strlen(names[i]);

		if (!strncmp(name, names[i], len) && !name[len + strspn(name + len, "0123456789.-")])
			return true;
	}
	return false;
}

static enum tree_whose whose_file(const struct program_side *side, const char *path)
{
	return path_below(path, side->out) || path_below(path, side->tmp) ? TREE_OWN : tree_map_whose(side->map, path);
}

static void find_files(const struct program_side *side, struct run_files *out)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	find_words(side->plan, &words);
	for (size_t i = 0; i < words.n; i++) {
		const char *word = words.items[i];
		CLEANUP(free_ptr) char *found = program_find(side->plan, word), *here = find_here(side->plan, word);
		const char *path = found ?: here && access(here, X_OK) == 0 ? here : NULL;
		enum tree_whose whose = path ? whose_file(side, path) : TREE_NONE;

		out->data = out->data || (here && whose_file(side, here) == TREE_OWN);
		if (!path)
			continue;
		out->own = out->own || whose == TREE_OWN;
		out->runner = out->runner || (whose == TREE_NONE && is_runner(word));
		if (whose == TREE_OTHER && !out->other)
			out->other = xstrdup(path);
		if (whose == TREE_NONE && !out->outside) {
			out->outside = realpath(path, NULL) ?: xstrdup(path);
			out->name = xstrdup(path_name(word));
		}
	}
}

/* -------- one program for both */

/* What comes with the machine, and is no project's that is installed on it. */
static bool is_of_the_system(const char *path)
{
	static const char *const folders[] = {
		"/bin/", "/sbin/", "/lib/", "/usr/bin/", "/usr/sbin/", "/usr/lib/", "/usr/libexec/", "/snap/", "/nix/store/", "/gnu/store/",
	};

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return false;
}

/* Below the folder, where it is a program, of the files that a tree may reasonably have. */
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
		if (S_ISREG(st.st_mode) && !strcmp(entries.items[i], name) && access(path, X_OK) == 0)
			return take_ptr(&path);
		if (S_ISDIR(st.st_mode) && depth && strcmp(entries.items[i], ".git"))
			below = find_named(path, name, depth - 1, files_left);
		if (below)
			return below;
	}
	return NULL;
}

static char *ran_other(const char *side, const char *program, const char *whose)
{
	return text_printf("the %s ran %s, which is not in its own tree but in the %s's: start the program by a path inside the "
			   "project, such as ./%s, and let build: make it in each tree", side, program, whose, path_name(program));
}

char *programs_shared(const struct program_side *base_side, const struct program_side *head_side)
{
	CLEANUP(run_files_release) struct run_files base = { 0 }, head = { 0 };
	const char *tree = head_side->map->own_real, *own;
	CLEANUP(free_ptr) char *named = NULL;
	unsigned files_left = TREE_FILES_MOST;

	if (!base_side->plan->target.n || !head_side->plan->target.n)
		return NULL;
	find_files(base_side, &base);
	find_files(head_side, &head);
	if (base.other || head.other)
		return base.other ? ran_other("base", base.other, "head") : ran_other("head", head.other, "base");
	if (base.own || head.own)
		return NULL;
	if (!base.outside && !head.outside)
		return xstrdup("the command names no program or file of the project, so both sides ran the same: start the "
			       "project's program by a path inside the project, such as ./build/prog");
	if (!base.outside || !head.outside || strcmp(base.outside, head.outside))
		return NULL;

	/*
	 * An installed program may be the project's, though an argument is called like an interpreter, or its data is
	 * in the tree.
	 */
	named = find_named(tree, head.name, TREE_DEPTH_MOST, &files_left);
	own = named ? named + strlen(tree) + 1 : NULL;
	if (!own && (is_runner(head.name) || is_of_the_system(head.outside)) &&
	    (head.runner || (base.data && head.data)))
		return NULL;
	if (own)
		return text_printf("both sides ran one program, %s, which is in neither tree, although the project makes %s: start ./%s",
				   head.outside, own, own);
	return text_printf("both sides ran one program, %s, which is in neither tree: start the project's by a path inside the "
			   "project, such as ./build/prog", head.outside);
}

/* -------- PATH */

static void put_first(struct arena *arena, struct strv *environment, const char *path, const char *folder)
{
	for (size_t i = 0; i < environment->n; i++) {
		if (strncmp(environment->items[i], "PATH=", 5))
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
