/* pawl init: looks at a project, and writes what it needs to be measured: a first scenario, pawl.yaml, a workflow. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/buildfiles.h"
#include "cmd/cmd.h"
#include "job/console.h"
#include "job/project.h"
#include "measure/git/git.h"
#include "model/gate.h"
#include "scenario/scenario.h"
#include "store/store.h"

static const char scenario_template[] =
#include <embedded/init/scenario.yaml.inc>
	;
static const char config_template[] =
#include <embedded/init/pawl.yaml.inc>
	;
static const char workflow_template[] =
#include <embedded/init/workflow.yml.inc>
	;

/* -------- what lies in the project */

enum { FILES_MOST = 20000, DEEPEST = 6, BUILD_FILE_LARGEST = 1 << 20, SOURCES_READ = 8 << 20, INPUT_LARGEST = 32 << 20 };
/* What keeps a program busy for a moment: one that is compiled, and what an interpreter runs. */
enum { COMPILED_BYTES = 1 << 20, SCRIPT_BYTES = 256 << 10, PYTHON_BYTES = 32 << 10, REPEATS_MOST = 1000 };

struct entry {
	char *path;	/* below the root */
	uint64_t bytes;
};

/* What pawl.yaml has where nothing is built. */
#define NO_BUILD "\"true\""

/* The program that was found, and what is needed to build and start it. */
struct found {
	char *name;		/* of the scenario */
	struct strv words;	/* that start it */
	char *build;
	const char *build_why, *packages;	/* a comment; what apt installs for it */
	const char *requires, *install;		/* a program; a command of the workflow */
	char *from;		/* the file that names it */
	const char *folder;	/* PYTHONPATH, or NULL */
	uint64_t input_bytes;	/* enough for it; 0: as for one that is compiled */
};

struct project_tree {
	char *root;		/* absolute */
	char *top;		/* of the repository; NULL: there is none */
	struct entry *entries;
	size_t n, cap;
	struct found found;
};

static const char *const skipped[] = {
	"node_modules", "target", "vendor", "third_party", "pawl-out", "__pycache__", "build", "builddir", "_build", "baselines", "scenarios",
};

static bool is_skipped(const char *name)
{
	for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
		if (!strcmp(name, skipped[i]))
			return true;
	return name[0] == '.';
}

/* The regular files below the folder BELOW ("" for the root), by name; links are not followed. */
static void walk(struct project_tree *tree, const char *below, unsigned depth)
{
	CLEANUP(free_ptr) char *folder = *below ? file_join(tree->root, below) : xstrdup(tree->root);
	CLEANUP(strv_release) struct strv names = STRV_INIT, folders = STRV_INIT;

	if (file_list(folder, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < names.n && tree->n < FILES_MOST; i++) {
		CLEANUP(free_ptr) char *path = file_join(folder, names.items[i]);
		CLEANUP(free_ptr) char *shown = *below ? file_join(below, names.items[i]) : xstrdup(names.items[i]);
		struct stat st;

		if (lstat(path, &st) < 0 || !buildfiles_plain(shown))
			continue;
		if (S_ISREG(st.st_mode)) {
			VEC_GROW(tree->entries, tree->n, tree->cap);
			tree->entries[tree->n++] = (struct entry){ take_ptr(&shown), (uint64_t)st.st_size };
		} else if (S_ISDIR(st.st_mode) && !is_skipped(names.items[i])) {
			strv_push(&folders, shown);
		}
	}
	for (size_t i = 0; i < folders.n && depth < DEEPEST; i++)
		walk(tree, folders.items[i], depth + 1);
}

/* PATH below the root, when it is a regular file of at most LIMIT bytes; NULL else. For free(). */
static char *text_of(const struct project_tree *tree, const char *path, size_t limit)
{
	CLEANUP(free_ptr) char *absolute = file_join(tree->root, path);
	struct strbuf text = STRBUF_INIT;
	struct stat st;

	if (lstat(absolute, &st) < 0 || !S_ISREG(st.st_mode) || file_read(absolute, limit, &text, NULL) < 0) {
		strbuf_release(&text);
		return NULL;
	}
	return strbuf_take(&text);
}

static bool has_file(const struct project_tree *tree, const char *path)
{
	for (size_t i = 0; i < tree->n; i++)
		if (!strcmp(tree->entries[i].path, path))
			return true;
	return false;
}

static bool is_named(const struct entry *entry, const char *name)
{
	return !strcmp(path_name(entry->path), name);
}

static bool ends_in(const char *path, const char *const *endings)
{
	for (; *endings; endings++)
		if (text_ends(path, strlen(path), *endings))
			return true;
	return false;
}

/* Folders whose programs and data are tests and not the project's purpose. */
static bool is_aside(const char *path)
{
	return strstr(path, "test") || strstr(path, "fuzz") || strstr(path, "doc") || strstr(path, "example") || strstr(path, "bench");
}

/* The likeliest of PROGRAMS: one called as the project is, else the first that is none of tests. */
static const char *choose(const struct project_tree *tree, const struct strv *programs)
{
	const char *project = path_name(tree->root), *first = NULL;

	for (size_t i = 0; i < programs->n; i++) {
		const char *name = path_name(programs->items[i]);

		if (text_starts(project, name) && strlen(name) > 1)
			return programs->items[i];
		if (!first && !is_aside(programs->items[i]))
			first = programs->items[i];
	}
	return first ?: programs->n ? programs->items[0] : NULL;
}

/* -------- a program, by what builds it */

static void take_program(struct found *found, const char *path, const char *from)
{
	found->name = xstrdup(path_name(path));
	found->from = xstrdup(from);
	strv_pushf(&found->words, "%s%s", strchr(path, '/') ? "" : "./", path);
}

/*
 * The crates lie in the project. Their absolute paths, of another length in each tree, end up in the program: the same
 * sources then give code that lies differently, and takes another time.
 */
static bool has_vendored_crates(const struct project_tree *tree)
{
	CLEANUP(free_ptr) char *text = text_of(tree, ".cargo/config.toml", BUILD_FILE_LARGEST);

	if (!text)
		text = text_of(tree, ".cargo/config", BUILD_FILE_LARGEST);
	return text && strstr(text, "replace-with") && strstr(text, "directory") && !strstr(text, "rustflags");
}

static bool find_cargo(struct project_tree *tree)
{
	CLEANUP(strv_release) struct strv programs = STRV_INIT;
	CLEANUP(free_ptr) char *path = NULL;
	const char *name;
	bool vendored;

	for (size_t i = 0; i < tree->n; i++) {
		CLEANUP(buildfiles_cargo_release) struct cargo_file cargo = { 0 };
		CLEANUP(free_ptr) char *text = is_named(&tree->entries[i], "Cargo.toml") ? text_of(tree, tree->entries[i].path, BUILD_FILE_LARGEST)
											 : NULL;
		CLEANUP(free_ptr) char *folder = path_parent(tree->entries[i].path), *main = NULL;

		if (!text)
			continue;
		buildfiles_cargo(text, &cargo);
		main = strcmp(folder, ".") ? file_join(folder, "src/main.rs") : xstrdup("src/main.rs");
		for (size_t k = 0; k < cargo.programs.n; k++)
			strv_push_new(&programs, cargo.programs.items[k]);
		if (cargo.package && !cargo.programs.n && has_file(tree, main))
			strv_push_new(&programs, cargo.package);
	}
	for (size_t i = 0; i < tree->n; i++)
		if (text_starts(tree->entries[i].path, "src/bin/") && text_ends(tree->entries[i].path, strlen(tree->entries[i].path), ".rs"))
			strv_take(&programs, xstrndup(path_name(tree->entries[i].path), strlen(path_name(tree->entries[i].path)) - 3));
	name = choose(tree, &programs);
	if (!name)
		return false;
	path = text_printf("target/release/%s", name);
	take_program(&tree->found, path, "Cargo.toml");
	vendored = has_vendored_crates(tree);
	tree->found.build = xstrdup(vendored ? "RUSTFLAGS=\"--remap-path-prefix=$PWD=.\" cargo build --release"
							      : "cargo build --release");
	if (vendored)
		tree->found.build_why = "# Paths of crates in this folder would stand in the program, and move its code in another folder.\n"
					"# CHANGE it where the build needs more.";
	return true;
}

static bool is_go_main(const struct project_tree *tree, const struct entry *entry)
{
	CLEANUP(free_ptr) char *text = NULL;

	if (!text_ends(entry->path, strlen(entry->path), ".go") || is_aside(entry->path))
		return false;
	text = text_of(tree, entry->path, BUILD_FILE_LARGEST);
	return text && (text_starts(text, "package main\n") || strstr(text, "\npackage main\n"));
}

static bool find_go(struct project_tree *tree)
{
	CLEANUP(strv_release) struct strv folders = STRV_INIT;
	CLEANUP(free_ptr) char *path = NULL;
	const char *folder, *name;

	for (size_t i = 0; i < tree->n; i++)
		if (is_go_main(tree, &tree->entries[i]))
			strv_take(&folders, path_parent(tree->entries[i].path));
	folder = strv_has(&folders, ".") ? "." : choose(tree, &folders);
	if (!folder)
		return false;
	name = strcmp(folder, ".") ? path_name(folder) : path_name(tree->root);
	if (!buildfiles_plain(name))
		name = "program";
	path = text_printf("bin/%s", name);
	take_program(&tree->found, path, "go.mod");
	tree->found.build = text_printf("go build -o bin/%s ./%s", name, strcmp(folder, ".") ? folder : "");
	return true;
}

/* Programs of all files called NAME, folders above first, each below FOLDER. */
static void each_build_file(const struct project_tree *tree, const char *name, const char *folder,
			    void (*read)(const char *text, struct strv *known, struct strv *out), struct strv *out)
{
	CLEANUP(strv_release) struct strv known = STRV_INIT;

	for (size_t i = 0; i < tree->n; i++) {
		CLEANUP(strv_release) struct strv names = STRV_INIT;
		CLEANUP(free_ptr) char *text = NULL, *where = path_parent(tree->entries[i].path);

		if (!is_named(&tree->entries[i], name) || !(text = text_of(tree, tree->entries[i].path, BUILD_FILE_LARGEST)))
			continue;
		read(text, &known, &names);
		for (size_t k = 0; k < names.n; k++)
			strv_pushf(out, "%s%s%s%s%s", folder, *folder ? "/" : "", strcmp(where, ".") ? where : "",
				   strcmp(where, ".") ? "/" : "", names.items[k]);
	}
}

/* Where a build outside the sources goes: not where the project keeps files of that name. */
static const char *build_folder(const struct project_tree *tree, const char *mark)
{
	CLEANUP(free_ptr) char *folder = file_join(tree->root, "build"), *made = file_join(folder, mark);

	return file_exists(folder) && !file_exists(made) ? "build-pawl" : "build";
}

static bool find_meson(struct project_tree *tree)
{
	CLEANUP(strv_release) struct strv programs = STRV_INIT;
	const char *folder = build_folder(tree, "build.ninja"), *path;

	each_build_file(tree, "meson.build", folder, buildfiles_meson, &programs);
	path = choose(tree, &programs);
	if (!path)
		return false;
	take_program(&tree->found, path, "meson.build");
	tree->found.build = text_printf("meson setup %s --buildtype=debugoptimized && ninja -C %s", folder, folder);
	tree->found.packages = "meson ninja-build";
	return true;
}

static bool find_cmake(struct project_tree *tree)
{
	CLEANUP(strv_release) struct strv programs = STRV_INIT;
	const char *folder = build_folder(tree, "CMakeCache.txt"), *path;

	each_build_file(tree, "CMakeLists.txt", folder, buildfiles_cmake, &programs);
	path = choose(tree, &programs);
	if (!path)
		return false;
	take_program(&tree->found, path, "CMakeLists.txt");
	tree->found.build = text_printf("cmake -B %s -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build %s", folder, folder);
	tree->found.packages = "cmake";
	return true;
}

static void read_make(const char *text, struct strv *known, struct strv *out)
{
	(void)known;
	buildfiles_make(text, out);
}

static bool find_make(struct project_tree *tree)
{
	static const char *const names[] = { "Makefile", "GNUmakefile", "makefile", "Makefile.am", "Makefile.in" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		CLEANUP(strv_release) struct strv programs = STRV_INIT;
		const char *path;

		if (has_file(tree, names[i]))
			each_build_file(tree, names[i], "", read_make, &programs);
		path = choose(tree, &programs);
		if (!path)
			continue;
		take_program(&tree->found, path, names[i]);
		if (has_file(tree, "configure"))
			tree->found.build = xstrdup("test -e config.status || ./configure && make");
		else if (has_file(tree, "configure.ac"))
			tree->found.build = xstrdup("test -e configure || autoreconf -fi && test -e config.status || ./configure && make");
		else
			tree->found.build = xstrdup("make");
		tree->found.packages = has_file(tree, "configure.ac") ? "autoconf automake libtool" : NULL;
		return true;
	}
	return false;
}

/* MODULE does something when it is the program, as in `python3 -m package.module`. */
static bool is_started_alone(const struct project_tree *tree, const char *module)
{
	CLEANUP(free_ptr) char *text = NULL;
	CLEANUP(free_ptr) char *path = text_printf("%s%s%s.py", tree->found.folder ?: "", tree->found.folder ? "/" : "", module);

	for (char *c = path; c < path + strlen(path) - 3; c++)
		if (*c == '.')
			*c = '/';
	text = text_of(tree, path, BUILD_FILE_LARGEST);
	return text && strstr(text, "__main__");
}

static bool find_python(struct project_tree *tree)
{
	static const char *const files[] = { "pyproject.toml", "setup.cfg", "setup.py" };
	static const char without_build[] = "# Python needs no build; `true` does nothing. CHANGE it where a part of the project is compiled.";
	struct found *found = &tree->found;

	found->build = xstrdup(NO_BUILD);
	found->build_why = without_build;
	found->requires = "python3";
	found->install = "pip install .";
	found->input_bytes = PYTHON_BYTES;
	for (size_t i = 0; i < tree->n; i++)
		if (text_starts(tree->entries[i].path, "src/") && is_named(&tree->entries[i], "__init__.py"))
			found->folder = "src";
	for (size_t i = 0; i < tree->n; i++) {
		CLEANUP(free_ptr) char *folder = path_parent(tree->entries[i].path);
		const char *package = found->folder && text_starts(folder, "src/") ? folder + 4 : folder;

		if (!is_named(&tree->entries[i], "__main__.py") || is_aside(folder) || strchr(package, '/') || !strcmp(folder, "."))
			continue;
		found->name = xstrdup(package);
		found->from = xstrdup(tree->entries[i].path);
		strv_push_all(&found->words, (const char *const[]){ "python3", "-m", package, NULL });
		return true;
	}
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		CLEANUP(free_ptr) char *text = has_file(tree, files[i]) ? text_of(tree, files[i], BUILD_FILE_LARGEST) : NULL;
		CLEANUP(strv_release) struct strv entries = STRV_INIT;
		char *module, *function;

		if (text)
			buildfiles_python(text, &entries);
		if (!entries.n)
			continue;
		module = strchr(entries.items[0], '=');
		*module++ = '\0';
		function = strchr(module, ':');
		*function++ = '\0';
		found->name = xstrdup(entries.items[0]);
		found->from = xstrdup(files[i]);
		if (is_started_alone(tree, module)) {
			strv_push_all(&found->words, (const char *const[]){ "python3", "-m", module, NULL });
		} else {
			strv_push_all(&found->words, (const char *const[]){ "python3", "-c", NULL });
			strv_pushf(&found->words, "import sys; from %s import %s; sys.exit(%s())", module, function, function);
		}
		return true;
	}
	return false;
}

static bool find_npm(struct project_tree *tree)
{
	CLEANUP(free_ptr) char *text = text_of(tree, "package.json", BUILD_FILE_LARGEST);
	cJSON *root = text ? json_parse(text, strlen(text), "package.json", NULL) : NULL;
	const cJSON *bin = cJSON_GetObjectItemCaseSensitive(root, "bin"), *name = cJSON_GetObjectItemCaseSensitive(root, "name");
	bool built = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(root, "scripts"), "build") != NULL;
	const char *path = NULL;

	if (cJSON_IsObject(bin) && bin->child)
		name = bin = bin->child;
	if (cJSON_IsString(bin))
		path = bin->valuestring + (text_starts(bin->valuestring, "./") ? 2 : 0);
	if (path && buildfiles_plain(path)) {
		const char *called = name == bin ? bin->string : cJSON_IsString(name) ? path_name(name->valuestring) : "";

		tree->found.name = xstrdup(scenario_name_valid(called) ? called : "program");
		tree->found.from = xstrdup("package.json");
		strv_push_all(&tree->found.words, (const char *const[]){ "node", path, NULL });
		tree->found.build = text_printf("npm %s --ignore-scripts --no-audit --no-fund%s",
						has_file(tree, "package-lock.json") ? "ci" : "install", built ? " && npm run build" : "");
		tree->found.requires = "node";
		tree->found.input_bytes = SCRIPT_BYTES;
	}
	cJSON_Delete(root);
	return tree->found.name;
}

/* The first that has a program is what the project is; what stands beside it may be a helper, as a Makefile that calls cargo. */
static const struct kind {
	const char *marker;
	bool whole;	/* the marker makes a folder a project of its own, wherever it lies */
	bool (*find)(struct project_tree *tree);
	const char *sources[8];
} kinds[] = {
	{ "Cargo.toml", true, find_cargo, { ".rs" } },
	{ "go.mod", true, find_go, { ".go" } },
	{ "meson.build", false, find_meson, { ".c", ".cc", ".cpp", ".cxx" } },
	{ "CMakeLists.txt", false, find_cmake, { ".c", ".cc", ".cpp", ".cxx" } },
	{ "pyproject.toml", true, find_python, { ".py" } },
	{ "setup.py", true, find_python, { ".py" } },
	{ "package.json", true, find_npm, { ".js", ".cjs", ".mjs", ".ts" } },
	{ "Makefile", false, find_make, { ".c", ".cc", ".cpp", ".cxx" } },
	{ "GNUmakefile", false, find_make, { ".c", ".cc", ".cpp", ".cxx" } },
	{ "makefile", false, find_make, { ".c", ".cc", ".cpp", ".cxx" } },
	{ "Makefile.am", false, find_make, { ".c", ".cc", ".cpp", ".cxx" } },
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* -------- an input that is at hand */

static const char *const texts[] = { ".txt", ".md", ".log", ".csv", ".rst", ".tex", NULL };	/* twice such a file is one again */
static const char *const data[] = {
	".json", ".xml", ".html", ".yaml", ".yml", ".toml", ".ini", ".sql", ".svg", ".dat", ".css", ".png", ".gif", ".jpg", NULL,
};
static const char *const no_inputs[] = {
	"CMakeLists.txt", "requirements", "package", "tsconfig", "meson_options.txt", "robots.txt", "LICENSE", "COPYING", "expected", "output",
	"CHANGE", "composer", "pawl.yaml",
};

/* How likely people would give ENTRY to the program; 0: not at all. */
static int input_score(const struct project_tree *tree, const struct entry *entry)
{
	static const char *const folders[] = { "bench", "sample", "example", "data", "fixture", "corpus", "input", "spec" };
	const char *name = path_name(entry->path), *ending = strrchr(name, '.');
	int score = text_starts(name, "README") ? 1 : 0;

	/* With a larger one an interpreter would take minutes. */
	if (!entry->bytes || entry->bytes > (tree->found.input_bytes ? 2 * tree->found.input_bytes : INPUT_LARGEST))
		return 0;
	if (!score && !ends_in(name, texts) && !ends_in(name, data))
		return 0;
	for (size_t i = 0; i < sizeof no_inputs / sizeof *no_inputs; i++)
		if (strcasestr(name, no_inputs[i]))
			return 0;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strstr(entry->path, folders[i])) {
			score += strstr(name, folders[i]) ? 3 : 2;
			break;
		}
	score += strstr(entry->path, "test") ? 1 : 0;
	/* cmark reads .md, a tool of json .json */
	if (ending && (strcasestr(tree->found.name, ending + 1) || (!strcmp(ending, ".md") && strcasestr(tree->found.name, "mark"))))
		score += 4;
	return score;
}

static const struct entry *find_input(const struct project_tree *tree)
{
	const struct entry *best = NULL;
	int best_score = 0;

	for (size_t i = 0; i < tree->n; i++) {
		int score = input_score(tree, &tree->entries[i]);

		if (score > best_score || (score && score == best_score && tree->entries[i].bytes > best->bytes)) {
			best = &tree->entries[i];
			best_score = score;
		}
	}
	return best;
}

/* Its sources speak of standard input. */
static bool reads_standard_input(const struct project_tree *tree, const struct kind *kind)
{
	size_t left = SOURCES_READ;

	for (size_t i = 0; i < tree->n; i++) {
		const struct entry *entry = &tree->entries[i];
		CLEANUP(free_ptr) char *text = NULL;

		if (!ends_in(entry->path, kind->sources) || is_aside(entry->path) || entry->bytes > left)
			continue;
		left -= entry->bytes;
		text = text_of(tree, entry->path, BUILD_FILE_LARGEST);
		if (text && (strcasestr(text, "stdin") || strstr(text, "getchar") || strstr(text, "std::cin") || strstr(text, "fileinput")))
			return true;
	}
	return false;
}

/* The words behind the program in LINE, when it is called there with a file that exists. */
static bool take_usage(const struct project_tree *tree, const char *line, size_t len, struct strv *out)
{
	CLEANUP(free_ptr) char *copy = xstrndup(line, len);
	const char *name = tree->found.name;
	size_t n = strlen(name);
	bool any = false;
	char *at = copy + strspn(copy, " \t$>`");

	at += text_starts(at, "./") ? 2 : 0;
	if (strncmp(at, name, n) || at[n] != ' ')
		return false;
	for (at += n; *(at += strspn(at, " \t`"));) {
		size_t word = strcspn(at, " \t\r`");
		CLEANUP(free_ptr) char *one = xstrndup(at, word);

		if (!text_made_of(one, "._+-/=,"))
			break;
		any |= has_file(tree, one);
		strv_push(out, one);
		at += word;
	}
	if (any && !*at)
		return true;
	strv_release(out);
	return false;
}

/* How a README calls the program with a file of the project; its path, or NULL. */
static const char *find_usage(const struct project_tree *tree, struct strv *out)
{
	for (size_t i = 0; i < tree->n; i++) {
		const struct entry *entry = &tree->entries[i];
		CLEANUP(free_ptr) char *text = NULL;

		if (!text_starts(entry->path, "README") || !(text = text_of(tree, entry->path, BUILD_FILE_LARGEST)))
			continue;
		for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
			if (take_usage(tree, line, strcspn(line, "\n"), out))
				return entry->path;
	}
	return NULL;
}

/* -------- the texts */

struct values {
	const char *key;
	char *value;		/* "" leaves out a line of nothing else */
};

/* TEMPLATE with each @KEY@ replaced. */
static char *fill(const char *template, const struct values *values, size_t n)
{
	struct strbuf out = STRBUF_INIT;

	for (size_t len; *template; template += len + (template[len] != '\0')) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
		bool left_out = false;

		len = strcspn(template, "\n");
		for (size_t i = 0; i < len;) {
			size_t used = 0;

			for (size_t k = 0; k < n && !used; k++) {
				size_t key = strlen(values[k].key);

				if (template[i] != '@' || strncmp(template + i + 1, values[k].key, key) || template[i + 1 + key] != '@')
					continue;
				used = key + 2;
				strbuf_adds(&line, values[k].value);
				left_out = !*values[k].value && used == len;
			}
			if (!used)
				strbuf_addc(&line, template[i++]);
			i += used;
		}
		if (!left_out)
			strbuf_addf(&out, "%s\n", line.buf);
	}
	return strbuf_take(&out);
}

static void free_values(struct values *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(values[i].value);
}

/* A text of YAML that gives WORD again; a dollar that would name a variable is written twice. */
static void add_yaml(struct strbuf *out, const char *word, bool variables)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (; *word; word++) {
		if (!variables && *word == '$' && (word[1] == '{' || word[1] == '$'))
			strbuf_addc(&text, '$');
		strbuf_addc(&text, *word);
	}
	if (text_made_of(text.buf, "._+-/") && !strchr("-.+0123456789", *text.buf))
		strbuf_adds(out, text.buf);
	else if (*text.buf == '.' && text_made_of(text.buf, "._+-/") && text.buf[1] == '/')
		strbuf_adds(out, text.buf);
	else
		escape_json(out, text.buf);
}

static char *yaml_words(const struct strv *words, const struct strv *more)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_addc(&out, '[');
	for (size_t i = 0; i < words->n; i++) {
		strbuf_adds(&out, i ? ", " : "");
		add_yaml(&out, words->items[i], false);
	}
	for (size_t i = 0; i < more->n; i++) {
		strbuf_adds(&out, ", ");
		add_yaml(&out, more->items[i], true);
	}
	strbuf_addc(&out, ']');
	return strbuf_take(&out);
}

struct task {
	char *setup, *command, *input_why, *command_why, *description;
};

static void release_task(struct task *task)
{
	free(task->setup);
	free(task->command);
	free(task->input_why);
	free(task->command_why);
	free(task->description);
}

/* The input as a word of the command: the file, or what `setup` makes of it. For free(). */
static char *take_input(const struct entry *input, uint64_t enough, struct task *task)
{
	const char *ending = strrchr(path_name(input->path), '.');
	uint64_t times = enough / input->bytes;

	if (times < 2 || (ending && !ends_in(input->path, texts) && !text_starts(path_name(input->path), "README"))) {
		task->input_why = text_printf("The input is %s of this project.", input->path);
		task->setup = xstrdup("");
		return xstrdup(input->path);
	}
	if (times > REPEATS_MOST)
		times = REPEATS_MOST;
	task->input_why = text_printf("The input is %s of this project, %llu times over to make it large.", input->path,
				      (unsigned long long)times);
	task->setup = text_printf("setup: for i in $(seq %llu); do cat %s; done > \"${tmp}/input%s\"", (unsigned long long)times,
				  input->path, ending ?: "");
	return text_printf("${tmp}/input%s", ending ?: "");
}

static void plan_task(const struct project_tree *tree, const struct kind *kind, struct task *task)
{
	CLEANUP(strv_release) struct strv more = STRV_INIT;
	const struct found *found = &tree->found;
	const char *usage = find_usage(tree, &more);
	const struct entry *input = usage ? NULL : find_input(tree);
	CLEANUP(free_ptr) char *word = NULL;

	task->command_why = text_printf("The program is of %s%s%s.", found->from, usage ? ", called as in " : "", usage ?: "");
	if (!input) {
		task->input_why = usage ? text_printf("The input is what %s shows.", usage)
					: xstrdup("No input was found in the project, so the program gets none.");
		task->setup = xstrdup("");
		task->description = text_printf("%s%s%s", found->name, usage ? ", as in " : " without an input", usage ?: "");
		task->command = yaml_words(&found->words, &more);
		return;
	}
	word = take_input(input, found->input_bytes ?: COMPILED_BYTES, task);
	task->description = text_printf("%s reads %s", found->name, input->path);
	if (reads_standard_input(tree, kind)) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT, quoted = STRBUF_INIT;

		strbuf_adds(&line, "exec ");
		escape_shell_words(&line, &found->words);
		strbuf_addf(&line, strchr(word, '$') ? " < \"%s\" > /dev/null" : " < %s > /dev/null", word);
		for (const char *c = line.buf; *c; c++)
			strbuf_adds(&quoted, *c == '\'' ? "''" : (char[]){ *c, '\0' });
		task->command = text_printf("'%s'", quoted.buf);
	} else {
		strv_push(&more, word);
		task->command = yaml_words(&found->words, &more);
	}
}

static char *scenario_text(const struct found *found, const struct task *task)
{
	struct values values[] = {
		{ "NAME", xstrdup(found->name) }, { "DESCRIPTION", xstrdup(task->description) },
		{ "REQUIRES", found->requires ? text_printf("requires: [%s]", found->requires) : xstrdup("") },
		{ "INPUT_WHY", xstrdup(task->input_why) }, { "SETUP", xstrdup(task->setup) },
		{ "COMMAND_WHY", xstrdup(task->command_why) }, { "COMMAND", xstrdup(task->command) },
		/* Objects of an interpreter lie elsewhere in each tree, which moves what its tables cost. */
		{ "INSTRUCTIONS", xstrdup(found->input_bytes ? "+2%          # of an interpreter they differ a little between folders"
							     : "default      # simulated by valgrind where the machine cannot count them") },
		{ "ENVIRONMENT", text_printf("{ LC_ALL: C%s%s%s }", found->requires && !strcmp(found->requires, "python3")
					     ? ", PYTHONHASHSEED: \"0\"" : "", found->folder ? ", PYTHONPATH: " : "", found->folder ?: "") },
	};
	char *text = fill(scenario_template, values, sizeof values / sizeof *values);

	free_values(values, sizeof values / sizeof *values);
	return text;
}

static char *config_text(const struct found *found)
{
	struct values values[] = {
		{ "BUILD_WHY", xstrdup(found->build_why ?: "# CHANGE it where the build needs more.") }, { "BUILD", xstrdup(found->build) },
	};
	char *text = fill(config_template, values, sizeof values / sizeof *values);

	free_values(values, sizeof values / sizeof *values);
	return text;
}

/* A step of the workflow that runs COMMAND in FOLDER of the repository; "" for no command. */
static char *step(const char *command, const char *folder)
{
	if (!command)
		return xstrdup("");
	return text_printf("      - run: %s%s%s", command, *folder ? "\n        working-directory: " : "", folder);
}

/* FOLDER: the project below the repository's top, "" for the top. */
static char *workflow_text(const struct found *found, const char *folder)
{
	CLEANUP(free_ptr) char *install = found->packages ? text_printf("sudo apt-get update && sudo apt-get install -y %s", found->packages)
							  : xstrdup(found->install);
	struct values values[] = {
		{ "INSTALL", step(install, found->packages ? "" : folder) },
		{ "BUILD", step(strcmp(found->build, NO_BUILD) ? found->build : NULL, folder) },
		{ "SCENARIOS", *folder ? text_printf(", scenarios: %s/scenarios/%s.yaml", folder, found->name) : xstrdup("") },
	};
	char *text = fill(workflow_template, values, sizeof values / sizeof *values);

	free_values(values, sizeof values / sizeof *values);
	return text;
}

/* -------- writing */

struct output {
	char *folder;		/* absolute: what PATH is below */
	const char *path;
	char *text;		/* NULL: not to be written */
	const char *why_not;	/* then */
};

/* Makes the file; 1, or 0 where there is one. */
static int write_new(const struct output *out, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(out->folder, out->path), *parent = path_parent(path);
	size_t len = strlen(out->text);
	int fd, sys;

	if (file_make_dirs(parent, err) < 0)
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST)
		return 0;
	if (fd < 0)
		return error_sys(err, errno, "cannot write %s", path);
	sys = file_write_all(fd, out->text, len) < 0 ? errno : 0;
	if (close(fd) < 0 && !sys)
		sys = errno;
	if (sys)
		unlink(path);
	return sys ? error_sys(err, sys, "cannot write %s", path) : 1;
}

/* ONE, a line of .gitignore, is LINE but for slashes around it. */
static bool same_pattern(const char *one, const char *line)
{
	size_t len = strlen(one), line_len = strlen(line);

	while (len && one[len - 1] == '/')
		len--;
	while (line_len && line[line_len - 1] == '/')
		line_len--;
	if (len && *one == '/') {
		one++;
		len--;
	}
	return len == line_len && !memcmp(one, line, len);
}

/* PATTERN in .gitignore of the root: 1 when it was added, 0 when it is there. */
static int add_ignored(const char *root, const char *pattern, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(root, ".gitignore");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *line = NULL;
	int fd, sys;

	if (file_exists(path) && file_read(path, BUILD_FILE_LARGEST, &text, err) < 0)
		return -1;
	for (const char *at = text.buf; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		CLEANUP(free_ptr) char *one = xstrndup(at, strcspn(at, "\r\n"));

		if (same_pattern(one, pattern))
			return 0;
	}
	line = text_printf("%s%s\n", text.len && text.buf[text.len - 1] != '\n' ? "\n" : "", pattern);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return error_sys(err, errno, "cannot write %s", path);
	sys = file_write_all(fd, line, strlen(line)) < 0 ? errno : 0;
	if (close(fd) < 0 && !sys)
		sys = errno;
	return sys ? error_sys(err, sys, "cannot write %s", path) : 1;
}

/* -------- the command */

static bool has_marker(const char *folder, bool whole)
{
	for (size_t i = 0; i < N_KINDS; i++) {
		CLEANUP(free_ptr) char *marker = file_join(folder, kinds[i].marker);

		if ((kinds[i].whole || !whole) && file_exists(marker))
			return true;
	}
	return false;
}

/*
 * The project is the repository; below it a folder on the way to the working folder that is a package of its own, unless a
 * workspace of cargo holds it. Without a repository it is the working folder.
 */
static int find_root(struct project_tree *tree, struct error *err)
{
	CLEANUP(free_ptr) char *cargo = NULL, *whole = NULL;

	tree->root = file_working_folder(err);
	if (!tree->root)
		return -1;
	for (char *dir = xstrdup(tree->root);;) {
		CLEANUP(free_ptr) char *git = file_join(dir, ".git"), *manifest = file_join(dir, "Cargo.toml");
		char *above;

		if (!whole && has_marker(dir, true))
			whole = xstrdup(dir);
		if (file_exists(manifest)) {
			free(cargo);
			cargo = xstrdup(dir);
		}
		if (file_exists(git)) {
			tree->top = dir;
			break;
		}
		if (!strcmp(dir, "/")) {
			free(dir);
			return 0;
		}
		above = path_parent(dir);
		free(dir);
		dir = above;
	}
	if (cargo && whole && path_below(whole, cargo)) {
		free(tree->root);
		tree->root = take_ptr(&cargo);
	} else if (whole || has_marker(tree->top, false) || !has_marker(tree->root, false)) {
		free(tree->root);
		tree->root = whole ? take_ptr(&whole) : xstrdup(tree->top);
	}
	return 0;
}

static void release_tree(struct project_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++)
		free(tree->entries[i].path);
	free(tree->entries);
	free(tree->root);
	free(tree->top);
	free(tree->found.name);
	free(tree->found.build);
	free(tree->found.from);
	strv_release(&tree->found.words);
}

static const struct kind *find_program(struct project_tree *tree)
{
	for (size_t i = 0; i < N_KINDS; i++) {
		struct found *found = &tree->found;

		if (!has_file(tree, kinds[i].marker))
			continue;
		if (kinds[i].find(tree) && scenario_name_valid(found->name))
			return &kinds[i];
		free(found->name);
		free(found->build);
		free(found->from);
		strv_release(&found->words);
		*found = (struct found){ 0 };
	}
	return NULL;
}

/* `pawl init ./prog input`: what is measured is what was typed; what builds it is looked for all the same. */
static void take_command(struct project_tree *tree, const struct strv *args, struct task *task)
{
	struct found *found = &tree->found;
	const struct strv none = STRV_INIT;
	const char *first = args->items[0];
	size_t len = strcspn(first, " \t");
	CLEANUP(free_ptr) char *program = xstrndup(first, len);
	const char *name = path_name(program);

	free(found->name);
	found->name = xstrdup(scenario_name_valid(name) ? name : "first");
	found->requires = NULL;
	if (!found->build) {
		found->build = xstrdup(NO_BUILD);
		found->build_why = "# CHANGE it: nothing was found that builds this project, and `true` does nothing.";
	}
	task->description = xstrdup("what was given to pawl init");
	task->setup = xstrdup("");
	task->input_why = xstrdup("The input is what the command names.");
	task->command_why = xstrdup("The command was given to `pawl init`.");
	if (args->n == 1 && first[len]) {
		struct strbuf out = STRBUF_INIT;

		add_yaml(&out, first, false);
		task->command = strbuf_take(&out);
	} else {
		task->command = yaml_words(args, &none);
	}
}

/* Some file of FOLDER is a scenario. */
static bool has_scenarios(const char *folder)
{
	static const char *const endings[] = { ".yaml", ".yml", NULL };
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(folder, &names, NULL);
	for (size_t i = 0; i < names.n; i++)
		if (ends_in(names.items[i], endings))
			return true;
	return false;
}

static void add_next(const struct project_tree *tree, const char *scenario, bool guessed, struct strbuf *out)
{
	const struct found *found = &tree->found;
	bool builds = strcmp(found->build, NO_BUILD) != 0;

	strbuf_addc(out, '\n');
	if (guessed)
		strbuf_addf(out, "Nothing was run: scenarios/%s.yaml is a guess, to be changed where it fails.\n", scenario);
	strbuf_adds(out, "The lines that begin with CHANGE say what to look at. Then:\n\n");
	strbuf_addf(out, "  %s%spawl run %s\n", builds ? found->build : "", builds ? " && " : "", scenario);
	strbuf_addf(out, "  %sgit add -A %sscenarios pawl.yaml .gitignore && git commit -m 'measure %s'\n", tree->top ? "" : "git init && ",
		    tree->top && !strcmp(tree->top, tree->root) ? ".github " : "", scenario);
	strbuf_adds(out, "  pawl ab --base-ref HEAD        # after a change: is it slower than the commit?\n");
	if (!tree->top)
		strbuf_adds(out, "\nThis is no git repository. Comparing with a commit needs one, and no workflow was written.\n");
}

/* A line with the name of the program, which is built in the project, hides the folder of its baselines as well. */
static int unhide_baselines(struct git *git, const struct project_tree *tree, struct strbuf *report, struct error *err)
{
	CLEANUP(free_ptr) char *path = text_printf("%s/baselines/%s/class.json", tree->root, tree->found.name);
	int got = git_ignores(git, tree->top, path) ? add_ignored(tree->root, BASELINES_NOT_IGNORED, err) : 0;

	if (got == 1)
		strbuf_addf(report, "added  %s to .gitignore, which hides baselines/%s\n", BASELINES_NOT_IGNORED, tree->found.name);
	return got < 0 ? -1 : 0;
}

static int write_all(struct git *git, struct project_tree *tree, struct output *outputs, size_t n, struct strbuf *report, struct error *err)
{
	int got;

	/* Nothing is written where anything would leave the project. */
	for (size_t i = 0; i <= n; i++) {
		CLEANUP(free_ptr) char *path = i < n ? file_join(outputs[i].folder, outputs[i].path) : file_join(tree->root, ".gitignore");

		if ((i == n || outputs[i].text) && file_refuse_links(i < n ? outputs[i].folder : tree->root, path, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < n; i++) {
		got = outputs[i].text ? write_new(&outputs[i], err) : 0;
		if (got < 0)
			return -1;
		strbuf_addf(report, got ? "wrote  %s\n" : "left   %s: %s\n", outputs[i].path, outputs[i].text ? "it is there already" : outputs[i].why_not);
	}
	got = add_ignored(tree->root, "pawl-out/", err);
	if (got == 1)
		strbuf_adds(report, "added  pawl-out/ to .gitignore\n");
	if (got < 0 || !tree->top)
		return got < 0 ? -1 : 0;
	return unhide_baselines(git, tree, report, err);
}

static int init(struct invocation *inv, struct error *err)
{
	CLEANUP(release_tree) struct project_tree tree = { 0 };
	CLEANUP(release_task) struct task task = { 0 };
	CLEANUP(strbuf_release) struct strbuf report = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = NULL, *folder = NULL;
	const struct kind *kind;
	struct output outputs[3];
	bool there;
	int ret;

	if (find_root(&tree, err) < 0)
		return -1;
	walk(&tree, "", 0);
	kind = find_program(&tree);
	if (!kind && !inv->args.n)
		return error_set(err, ERR_INPUT, "found no program in %s: looked in Cargo.toml, go.mod, meson.build, CMakeLists.txt, "
				 "pyproject.toml, setup.py, package.json and Makefile; name one, as in `pawl init ./program input`", tree.root);
	if (inv->args.n)
		take_command(&tree, &inv->args, &task);
	else
		plan_task(&tree, kind, &task);
	path = text_printf("scenarios/%s.yaml", tree.found.name);
	folder = file_join(tree.root, "scenarios");
	there = has_scenarios(folder);
	outputs[0] = (struct output){ tree.root, path, there ? NULL : scenario_text(&tree.found, &task),
				      "scenarios/ has scenarios already" };
	outputs[1] = (struct output){ tree.root, "pawl.yaml", config_text(&tree.found), NULL };
	outputs[2] = (struct output){ tree.top, ".github/workflows/pawl.yml",
				      tree.top ? workflow_text(&tree.found, strcmp(tree.top, tree.root) ? path_below(tree.root, tree.top) : "")
					       : NULL, NULL };
	ret = write_all(&inv->request.git, &tree, outputs, tree.top ? 3 : 2, &report, err);
	for (size_t i = 0; i < 3; i++)
		free(outputs[i].text);
	if (ret < 0)
		return -1;
	add_next(&tree, tree.found.name, !there && !inv->args.n, &report);
	return console_print(&report, err) < 0 ? -1 : STATUS_OK;
}

const struct command_def cmd_init = {
	.name = "init",
	.args = "[COMMAND [ARG...]]",
	.summary = "write a first scenario, pawl.yaml and a workflow for this project",
	.details =
		"Looks for a program that Cargo.toml, go.mod, meson.build, CMakeLists.txt, pyproject.toml,\n"
		"setup.py, package.json or a Makefile names, and for an input among the project's files. Nothing\n"
		"of the project is run. Writes scenarios/NAME.yaml, pawl.yaml with the command that builds\n"
		"the project, and .github/workflows/pawl.yml, which compares each pull request with its base;\n"
		"adds pawl-out/ to .gitignore. A file that is there is left as it is.\n\n"
		"With a COMMAND, the scenario measures that: `pawl init ./prog input`, or one text for a shell:\n"
		"`pawl init './prog < input'`. Behind -- its words may begin with a dash.",
	.starts_processes = true,
	.run = init,
};
