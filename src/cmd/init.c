/* pawl init: writes a first scenario, pawl.yaml and a workflow, from one template per kind of project. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/regex.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "judge/judge.h"
#include "measure/files/files.h"
#include "measure/git/git.h"
#include "measure/perf/session.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "report/forge.h"
#include "scenario/scenario.h"

static const char scenario_template[] =
#include <embedded/init/scenario.yaml.inc>
	;
static const char service_template[] =
#include <embedded/init/service.yaml.inc>
	;
static const char benchmarks_template[] =
#include <embedded/init/benchmarks.yaml.inc>
	;
static const char config_template[] =
#include <embedded/init/pawl.yaml.inc>
	;
static const char workflow_template[] =
#include <embedded/init/workflow.yml.inc>
	;
static const char gitlab_template[] =
#include <embedded/init/gitlab-ci.yml.inc>
	;
static const char owners_template[] =
#include <embedded/init/CODEOWNERS.inc>
	;

enum { IGNORE_FILE_LARGEST = 1 << 20, SOURCE_LARGEST = 1 << 20, FILES_MOST = 2000, FOLDERS_DEEP = 2 };

#define NO_BUILD "\"true\""

struct language {
	const char *files;	/* names of its files; all of these are expressions */
	const char *main;	/* in the file that a program begins with */
	const char *listens;	/* in that file of a server */
};

static const struct language lang_c = { "\\.(?:c|cc|cpp|cxx)\\z", "\\bmain\\s*\\(", "\\blisten\\s*\\(" };
static const struct language lang_rust = { "(?<!build)\\.rs\\z", "\\bfn main\\s*\\(",
					   "\\b(?:axum|actix_web|warp|rocket)::|\\bTcpListener::bind\\b" };
static const struct language lang_go = { "(?<!_test)\\.go\\z", "\\bfunc main\\(\\)", "\\bnet\\.Listen\\(|\\bListenAndServe" };
static const struct language lang_python = { "\\.py\\z", "\\b__name__ *==|\\bdef main\\b",
	"(?:from|import) +(?:flask|fastapi|aiohttp|bottle|tornado|uvicorn|http\\.server|socketserver)\\b" };
static const struct language lang_node = { "\\.[cm]?js\\z", "\\bprocess\\.argv\\b|\\.listen\\s*\\(", "\\.listen\\s*\\(" };

/* How a build file names the program: by the group of the pattern, else by the file's folder. Tried in order. */
struct program_rule {
	const char *kind;	/* the kinds that it is for */
	const char *file;	/* names of files */
	const char *pattern;	/* in such a file */
	const char *beside;	/* a file in the same folder, or NULL */
	const char *command;	/* instead of the kind's, or NULL */
};

/* Not programs that users run. */
#define NO_TEST "(?![\\w.+-]*(?:test|bench|example|fuzz))"
#define CALL_FUNCTION "python3 -c \"import pkgutil, sys; sys.exit(pkgutil.resolve_name('@NAME@')())\""
#define MAKE_FILE "\\A(?:GNU)?[Mm]akefile\\z"

static const struct program_rule program_rules[] = {
	{ "cargo", "\\ACargo\\.toml\\z", .pattern = "(?m)^\\[\\[bin\\]\\][^\\[]*?^name *= *\"([\\w.+-]+)\"" },
	{ "cargo", "\\ACargo\\.toml\\z", .pattern = "(?m)^\\[package\\][^\\[]*?^name *= *\"([\\w.+-]+)\"", .beside = "src/main.rs" },
	{ "go", "(?<!_test)\\.go\\z", .pattern = "(?m)\\A(?!.*?^//go:build ignore).*?^package main\\b" },
	{ "meson", "\\Ameson\\.build\\z", .pattern = "(?i)\\bexecutable\\s*\\(\\s*'" NO_TEST "([\\w.+-]+)'" },
	{ "cmake", "\\ACMakeLists\\.txt\\z",
	  .pattern = "(?i)RUNTIME_OUTPUT_DIRECTORY\\s+\"?\\$\\{(?:CMAKE|PROJECT)_BINARY_DIR\\}/bin\\b.*?"
		     "\\badd_executable\\s*\\(\\s*" NO_TEST "([\\w.+-]+)",
	  .command = "build/bin/@NAME@" },
	{ "cmake", "\\ACMakeLists\\.txt\\z", .pattern = "(?i)\\badd_executable\\s*\\(\\s*" NO_TEST "([\\w.+-]+)" },
	{ "cmake", "\\ACMakeLists\\.txt\\z",
	  .pattern = "(?i)\\bproject\\s*\\(\\s*([\\w.+-]+).*\\badd_executable\\s*\\(\\s*\\$\\{(?:CMAKE_)?PROJECT_NAME\\}" },
	{ "python", "\\Apyproject\\.toml\\z",
	  .pattern = "(?m)^\\[(?:project|tool\\.poetry)\\.scripts\\]\\s*^[\"\\w.-]+\\s*=\\s*\"([\\w.]+:\\w+)\"", .command = CALL_FUNCTION },
	{ "python", "\\Asetup\\.(?:py|cfg)\\z", .pattern = "\\bconsole_scripts\\b[^=]*=[^=]*?=\\s*([\\w.]+:\\w+)", .command = CALL_FUNCTION },
	{ "python", "\\A__main__\\.py\\z", .pattern = "", .beside = "__init__.py", .command = "python3 -m @MODULE@" },
	{ "python", "(?<!setup|conftest)\\.py\\z", .pattern = "\\b__name__ *== *[\"']__main__" },
	{ "node", "\\Apackage\\.json\\z", .pattern = "\"bin\"\\s*:\\s*(?:\\{\\s*\"[^\"]*\"\\s*:\\s*)?\"(?:\\./)?([\\w./+-]+)\"" },
	{ "node", "\\Apackage\\.json\\z", .pattern = "\"start\"\\s*:\\s*\"node (?:\\./)?([\\w./-]+)" },
	{ "node", "\\Apackage\\.json\\z", .pattern = "\"main\"\\s*:\\s*\"(?:\\./)?([\\w./+-]+)\"" },
	{ "node", "\\Apackage\\.json\\z", .pattern = "", .beside = "index.js", .command = "node index.js" },
	{ "autotools", "\\AMakefile\\.am\\z", .pattern = "(?m)^(?:bin|noinst)_PROGRAMS\\s*\\+?=[\\s\\\\]*" NO_TEST "([\\w.+-]+)" },
	{ "make", MAKE_FILE, .pattern = "(?m)^(?:PROG|PROGRAM|TARGET|BIN|BINARY|EXE|EXEC|EXECUTABLE|NAME|APP)S?(?:_NAME)? *[:?]?= *"
				"(?!(?:bin|build|obj)/?$)([\\w.+/-]+)$" },
	{ "make", MAKE_FILE, .pattern = "(?m)^\\t[^\n]* -o +(?![\\w.+/-]*\\.(?:o|so|a)\\b)([\\w.+/-]+)" },
	{ "make", MAKE_FILE, .pattern = "(?m)^((?![\\w.+/-]*\\.(?:o|so|a)\\b)[\\w.+/-]+) *:[^=\n]*\n(?:\\t[^\n]*\n)*?\\t[^\n]* -o *\\$@" },
	{ "make", MAKE_FILE, .pattern = "(?m)^(?:all|default) *: *([\\w.+/-]+)" },
	{ "make", MAKE_FILE, .pattern = "(?m)^(?!(?:all|clean|install|test|check|default|build|run|help)\\b)([\\w+-][\\w+/-]*) *:(?!=)" },
};

struct benchmark_rule {
	const char *file, *pattern;	/* names of files, and in such a file; its group, if any, is the program's name */
	const char *harness, *command;
	const char *build;		/* what builds them, or NULL: the project's build does */
	const char *environment;	/* or NULL */
};

static const struct benchmark_rule benchmark_rules[] = {
	{ "\\ACMakeLists\\.txt\\z", "(?i)\\btarget_link_libraries\\s*\\(\\s*([\\w.+-]+)[^)]*\\bbenchmark::benchmark", "google-benchmark",
	  "[build/@FOLDER@@NAME@]", NULL, NULL },
	{ "\\ACargo\\.toml\\z",
	  "(?ms)\\A(?=.*^(?:criterion\\b|\\[dev-dependencies\\.criterion\\])).*?^\\[\\[bench\\]\\][^\\[]*?^name *= *\"([\\w.+-]+)\"", "criterion",
	  "[cargo, bench, --bench, @NAME@, --]", "cargo bench --no-run", NULL },
	{ "_test\\.go\\z", "(?m)^func Benchmark\\w*\\(", "go", "[bin/bench.test]", "go test -c -o bin/bench.test ./@FOLDER@", NULL },
	{ "\\A(?:pyproject\\.toml|setup\\.cfg|[\\w.-]*requirements[\\w.-]*\\.txt)\\z", "\\bpytest-benchmark\\b", "pytest-benchmark",
	  "[python3, -m, pytest]", NULL,
	  /* Not the package that an editable installation took from this folder. */
	  "\n  environment: { PYTHONHASHSEED: \"0\", PYTHONPATH: \"src:.\" }" },
};

/* Values for the templates, and words for a shell. The first row whose marker a folder has is its kind. */
struct kind {
	const char *marker;
	bool whole;		/* a folder with the marker is a project of its own, anywhere */
	bool outermost;		/* unless a folder above it has the marker too */
	const char *command, *build;
	const struct language *language;
	const char *rules;	/* of program_rules */
	bool interpreted;	/* its instructions take too long to simulate */
	const char *environment, *requires;	/* or NULL */
	const char *install;	/* a command of the workflow, or NULL */
};

#define PYTHON .whole = true, .command = "python3 @FOLDER@@FILE@", .build = NO_BUILD, \
	.language = &lang_python, .rules = "python", .interpreted = true, .requires = "python3", \
	.environment = ", PYTHONHASHSEED: \"0\", PYTHONPATH: \"src:.\"", .install = "pip install --break-system-packages ."
#define MAKE .command = "./@FOLDER@@NAME@", .build = "make", .language = &lang_c, .rules = "make"

static const struct kind kinds[] = {
	{ "Cargo.toml", .whole = true, .outermost = true, .command = "target/release/@NAME@", .build = "cargo build --release",
	  .language = &lang_rust, .rules = "cargo" },
	{ "go.mod", .whole = true, .command = "bin/@NAME@", .build = "go build -o bin/@NAME@ ./@FOLDER@",
	  .language = &lang_go, .rules = "go" },
	{ "meson.build", .command = "build/@FOLDER@@NAME@", .language = &lang_c, .rules = "meson",
	  .build = "meson setup build --buildtype=debugoptimized && ninja -C build",
	  .install = "sudo apt-get update && sudo apt-get install -y meson ninja-build" },
	{ "CMakeLists.txt", .command = "build/@FOLDER@@NAME@", .language = &lang_c, .rules = "cmake",
	  .build = "cmake -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build build",
	  .install = "sudo apt-get update && sudo apt-get install -y cmake" },
	{ "pyproject.toml", PYTHON },
	{ "setup.py", PYTHON },
	{ "package.json", .whole = true, .command = "node @NAME@", .language = &lang_node, .rules = "node",
	  .build = "npm install --ignore-scripts --no-audit --no-fund && npm run build --if-present",
	  .interpreted = true, .requires = "node" },
	{ "configure.ac", .command = "./@FOLDER@@NAME@", .language = &lang_c, .rules = "autotools",
	  .build = "test -e configure || autoreconf -fi && test -e config.status || ./configure && make",
	  .install = "sudo apt-get update && sudo apt-get install -y autoconf automake libtool" },
	{ "Makefile", MAKE },
	{ "GNUmakefile", MAKE },
	{ "makefile", MAKE },
};
static const struct kind unknown_kind = { .build = NO_BUILD };

struct host {
	const char *workflow, *template;
	const char *included;	/* the workflow's path where another is there, which can include it */
	const char *step, *step_below, *scenarios;	/* templates: a step at the top, or in a folder; how it names its scenario */
	const char *owners;
	const char *files;	/* for git: all of these */
};

static const struct host github = {
	.workflow = ".github/workflows/pawl.yml", .template = workflow_template,
	.step = "      - run: @COMMAND@\n", .step_below = "      - run: @COMMAND@\n        working-directory: @FOLDER@\n",
	.scenarios = "\n        with: { scenarios: @FOLDER@/scenarios/@NAME@.yaml }",
	.owners = ".github/CODEOWNERS", .files = ".github",
};
static const struct host gitlab = {
	.workflow = ".gitlab-ci.yml", .template = gitlab_template, .included = ".gitlab/pawl.yml",
	.step = "    - @COMMAND@\n", .step_below = "    - (cd @FOLDER@ && @COMMAND@)\n",
	.scenarios = " @FOLDER@/scenarios/@NAME@.yaml",
	.owners = ".gitlab/CODEOWNERS", .files = ".gitlab*",
};

struct new_project {
	char *here;		/* the working folder; all folders are absolute */
	char *root;		/* the working folder, or one above it */
	char *top;		/* of the repository, or NULL */
	const struct kind *kind;
	const struct host *host;	/* of the repository */
	const char *workflow;	/* its path */
	bool included;		/* another workflow has to include it */
	char *name;		/* of the scenario */
	char *program;		/* its command, as words for a shell */
	char *build;
	char *benchmarks;	/* their scenario, or NULL */
	char *benchmarks_build;	/* what builds them besides, or NULL */
	struct strbuf main;	/* the file that the program begins with; empty if unknown, or if the command was typed */
};

static void release_project(struct new_project *project)
{
	free(project->here);
	free(project->root);
	free(project->top);
	free(project->name);
	free(project->program);
	free(project->build);
	free(project->benchmarks);
	free(project->benchmarks_build);
	strbuf_release(&project->main);
}

/* -------- the project's folder */

static const struct kind *next_kind(const char *folder, const struct kind *after)
{
	for (const struct kind *kind = after ? after + 1 : kinds; kind < kinds + sizeof kinds / sizeof *kinds; kind++) {
		CLEANUP(free_ptr) char *marker = file_join(folder, kind->marker);

		if (file_exists(marker))
			return kind;
	}
	return NULL;
}

/* The repository, or a folder in it around the working folder that is a project of its own; else the working folder. */
static int find_project(struct new_project *project, struct error *err)
{
	CLEANUP(free_ptr) char *dir = NULL, *found = NULL;
	const struct kind *kind = NULL;

	project->here = file_working_folder(err);
	if (!project->here)
		return -1;
	dir = xstrdup(project->here);
	project->root = xstrdup(dir);
	project->kind = next_kind(dir, NULL);
	while (!project->top) {
		CLEANUP(free_ptr) char *git = file_join(dir, ".git"), *above = path_parent(dir);
		const struct kind *here = next_kind(dir, NULL);

		if (here && (!kind || !kind->whole || (kind == here && kind->outermost))) {
			kind = here;
			free(found);
			found = xstrdup(dir);
		}
		if (file_exists(git))
			project->top = xstrdup(dir);
		else if (!strcmp(dir, "/"))
			return 0;
		free(dir);
		dir = take_ptr(&above);
	}
	free(project->root);
	project->root = found ? take_ptr(&found) : xstrdup(project->top);
	project->kind = kind;
	return 0;
}

/* -------- the program */

struct value {
	const char *key, *text;
};

/* The last of VALUES has no key. */
static char *fill(const char *template, const struct value *values)
{
	struct strbuf out = STRBUF_INIT;

	while (*template) {
		const struct value *value = values;

		while (value->key && !(*template == '@' && text_starts(template + 1, value->key) && template[1 + strlen(value->key)] == '@'))
			value++;
		strbuf_adds(&out, value->key ? value->text : (char[]){ *template, '\0' });
		template += value->key ? strlen(value->key) + 2 : 1;
	}
	return strbuf_take(&out);
}

#define FILL(template, ...) fill(template, (const struct value[]){ __VA_ARGS__, { NULL, NULL } })

/* *GROUP_OUT, unless NULL, gets its group, for free(). */
static bool matches(const char *pattern, const char *text, char **group_out)
{
	CLEANUP(regex_release) struct regex *regex = NULL;
	struct regex_span span[2];

	if (regex_compile(pattern, 0, &regex, NULL) < 0 ||
	    regex_find(regex, (struct regex_text){ .s = text, .len = strlen(text) }, span, NULL) != 1)
		return false;
	if (group_out)
		*group_out = xstrndup(text + span[1].start, span[1].end - span[1].start);
	return true;
}

#define NOT_ITS_OWN "\\..*|build.*|target|node_modules|vendor|third_party|__pycache__|v?env|pawl-out|scenarios|baselines"

static void list_files(const char *root, const char *others, struct strv *out)
{
	CLEANUP(strv_release) struct strv folders = STRV_INIT;

	strv_push(&folders, "");
	for (size_t i = 0; i < folders.n && out->n < FILES_MOST; i++) {
		CLEANUP(strv_release) struct strv names = STRV_INIT;
		CLEANUP(free_ptr) char *folder = file_join(root, folders.items[i]);
		unsigned depth = 0;

		for (const char *at = folders.items[i]; (at = strchr(at, '/')); at++)
			depth++;
		file_list(folder, &names, NULL);
		for (size_t k = 0; k < names.n; k++) {
			CLEANUP(free_ptr) char *path = file_join(folder, names.items[k]);

			/* Its name becomes a word of a command. */
			if (!text_made_of(names.items[k], "._+-"))
				continue;
			if (!file_is_dir(path))
				strv_pushf(out, "%s%s", folders.items[i], names.items[k]);
			else if (depth < FOLDERS_DEEP && !matches(others, names.items[k], NULL))
				strv_pushf(&folders, "%s%s/", folders.items[i], names.items[k]);
		}
	}
}

static bool read_source(const char *root, const char *path, struct strbuf *out)
{
	CLEANUP(free_ptr) char *file = file_join(root, path);

	strbuf_reset(out);
	return file_read(file, SOURCE_LARGEST, out, NULL) == 0;
}

static void find_main(struct new_project *project, const char *path, const struct strv *files)
{
	const struct language *language = project->kind->language;

	if (matches(language->files, path, NULL) && read_source(project->root, path, &project->main) &&
	    matches(language->main, project->main.buf, NULL))
		return;
	for (size_t i = 0; i < files->n; i++)
		if (matches(language->files, path_name(files->items[i]), NULL) && read_source(project->root, files->items[i], &project->main) &&
		    matches(language->main, project->main.buf, NULL))
			return;
	strbuf_reset(&project->main);
}

/* FOLDER is "" or "src/". NULL: FILE gives no name. For free(). */
static char *name_by_rule(const struct new_project *project, const struct program_rule *rule, const char *file, const char *text)
{
	CLEANUP(free_ptr) char *path = file_join(project->root, file), *folder = path_parent(path);
	CLEANUP(free_ptr) char *beside = file_join(folder, rule->beside ?: ""), *name = NULL;

	if (!matches(rule->pattern, text, &name) || !file_exists(beside))
		return NULL;
	return xstrdup(*name ? name : path_name(folder));
}

static void set_program(struct new_project *project, const struct program_rule *rule, const char *file, const char *name)
{
	CLEANUP(free_ptr) char *folder = xstrndup(file, (size_t)(path_name(file) - file));
	const char *below = folder + (text_starts(folder, "src/") ? strlen("src/") : 0);
	CLEANUP(free_ptr) char *module = xstrndup(below, strlen(below) - (*below != '\0'));
	const struct value values[] = { { "NAME", name }, { "FOLDER", folder }, { "FILE", path_name(file) }, { "MODULE", module },
					{ NULL, NULL } };

	for (char *at = module; (at = strchr(at, '/'));)
		*at = '.';
	project->program = fill(rule->command ?: project->kind->command, values);
	project->build = fill(project->kind->build, values);
}

static bool find_by_rules(struct new_project *project, const struct strv *files)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < files->n; i++) {
		for (size_t k = 0; k < sizeof program_rules / sizeof *program_rules; k++) {
			const struct program_rule *rule = &program_rules[k];
			CLEANUP(free_ptr) char *name = NULL;

			if (strcmp(rule->kind, project->kind->rules) || !matches(rule->file, path_name(files->items[i]), NULL) ||
			    !read_source(project->root, files->items[i], &text))
				continue;
			name = name_by_rule(project, rule, files->items[i], text.buf);
			if (!name)
				continue;
			set_program(project, rule, files->items[i], name);
			find_main(project, rule->command || project->kind->language != &lang_python ? name : files->items[i], files);
			if (text_made_of(path_name(name), "_+-"))
				project->name = xstrdup(path_name(name));
			return true;
		}
	}
	return false;
}

static int find_program(struct new_project *project, struct error *err)
{
	const struct kind *first = project->kind;
	CLEANUP(strv_release) struct strv files = STRV_INIT;

	list_files(project->root, "\\A(?:" NOT_ITS_OWN "|.*tests?|examples?|bench.*|docs?|fuzz.*|testdata)\\z", &files);
	for (const struct kind *kind = first; kind; kind = next_kind(project->root, kind)) {
		project->kind = kind;
		if (find_by_rules(project, &files))
			return 0;
	}
	project->kind = first;
	return error_set(err, ERR_INPUT, "%s has a %s, but pawl finds no program in it; name a command, as in `pawl init ./program input`",
			 project->root, project->kind->marker);
}

/* "./prog" is not from CMake, which builds in build/. */
static void choose_kind(struct new_project *project, const char *program)
{
	program += text_starts(program, "./") ? strlen("./") : 0;
	for (const struct kind *kind = project->kind; kind; kind = next_kind(project->root, kind)) {
		const char *command = kind->command + (text_starts(kind->command, "./") ? strlen("./") : 0);

		if (!strncmp(command, program, strcspn(command, "@ "))) {
			project->kind = kind;
			return;
		}
	}
}

/* -------- the texts */

/* A dollar that would begin a variable is written twice. */
static void add_yaml(struct strbuf *out, const char *word)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (; *word; word++) {
		if (*word == '$' && (word[1] == '{' || word[1] == '$'))
			strbuf_addc(&text, '$');
		strbuf_addc(&text, *word);
	}
	if (text_made_of(text.buf, "._+-/") && (!strchr("-.+0123456789", *text.buf) || text_starts(text.buf, "./")))
		strbuf_adds(out, text.buf);
	else
		escape_json(out, text.buf);
}

static bool is_line(const struct strv *args)
{
	return args->n == 1 && strpbrk(args->items[0], " \t");
}

static char *typed_program(const struct strv *args)
{
	return xstrndup(args->items[0], is_line(args) ? strcspn(args->items[0], " \t") : strlen(args->items[0]));
}

/* MORE may have variables. */
static void add_words(struct strbuf *out, const struct strv *words, const char *more)
{
	CLEANUP(strv_release) struct strv rest = STRV_INIT;

	for (size_t i = 0; i < words->n; i++) {
		strbuf_adds(out, i ? ", " : "[");
		add_yaml(out, words->items[i]);
	}
	escape_shell_split(more, &rest);
	for (size_t i = 0; i < rest.n; i++)
		strbuf_addf(out, ", \"%s\"", rest.items[i]);
	strbuf_addc(out, ']');
}

/* `pawl init ./prog input` measures its words, and `pawl init './prog < input'` a line for the shell. */
static char *typed_command(const struct strv *args)
{
	struct strbuf out = STRBUF_INIT;

	if (is_line(args))
		add_yaml(&out, args->items[0]);
	else
		add_words(&out, args, "");
	return strbuf_take(&out);
}

static void name_project(struct new_project *project, const struct strv *args)
{
	CLEANUP(free_ptr) char *typed = args->n ? typed_program(args) : NULL, *found = typed ? file_find_program(typed, project->root) : NULL;
	/* Not after "for", a word of the shell, or after the language's interpreter. */
	bool names = typed && (found || strchr(typed, '/')) && !text_same(typed, project->kind->requires);
	CLEANUP(free_ptr) char *program = xstrdup(names ? typed : project->name ?: project->root);

	free(project->name);
	project->name = xstrdup(scenario_name_valid(path_name(program)) ? path_name(program) : args->n ? "first" : "program");
}

/* How a server learns its port, by its source: words after its command, or a variable. */
static const struct {
	const char *pattern, *words, *environment;
} port_ways[] = {
	{ "[\"']PORT[\"']|\\benv\\.PORT\\b", "", ", PORT: \"${port}\"" },
	{ "[\"']--port\\b", " --port ${port}", "" },
	{ "\\bflag\\.\\w+\\(\"port\"", " -port=${port}", "" },
	{ "\\bflag\\.\\w+\\(\"addr\"", " -addr=127.0.0.1:${port}", "" },
	{ "\\bargv\\[1\\]|\\bos\\.Args\\[1\\]|\\bprocess\\.argv\\[2\\]|\\bargs\\(\\)\\.nth\\(1\\)", " ${port}", "" },
	{ "", "", "" },
};

static char *service_text(const struct new_project *project)
{
	static const char fixed[] = "(?i)\\b(?:listen\\w*|bind|run|\\w*server|htons|port)\\b[^\\n;]{0,80}?[^\\d.](\\d{4,5})\\b";
	static const char route[] = "(?:\\bget|\\broute|\\bHandleFunc|\\bHandle)\\(\\s*[\"'](/[\\w./-]*)[\"']";
	const struct kind *kind = project->kind;
	const char *source = project->main.buf;
	CLEANUP(free_ptr) char *requires = kind->requires ? text_printf("%s, ", kind->requires) : xstrdup("");
	CLEANUP(free_ptr) char *port = NULL, *path = NULL, *environment = NULL;
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf command = STRBUF_INIT;
	size_t way = 0;

	while (!matches(port_ways[way].pattern, source, NULL))
		way++;
	if (*port_ways[way].pattern || !matches(fixed, source, &port))
		port = xstrdup("${port}");
	if (!matches(route, source, &path))
		path = xstrdup("/");
	environment = text_printf("%s%s", kind->environment ?: "", port_ways[way].environment);
	escape_shell_split(project->program, &words);
	add_words(&command, &words, port_ways[way].words);
	return FILL(service_template,
		{ "NAME", project->name }, { "REQUIRES", requires }, { "COMMAND", command.buf }, { "ENVIRONMENT", environment },
		{ "PORT", port }, { "PATH", path });
}

/* Returns how the program's source reads an input: 'a' as its argument, '<' from standard input, 0 not at all. */
static char input_of(const char *source)
{
	static const char argument[] =
		"\\bargv\\[(?:1|i|optind)\\]|\\bos\\.Args\\[1\\]|\\bflag\\.Arg\\(0\\)|\\bprocess\\.argv(?:\\[2\\]|\\.slice\\(2\\))|"
		"\\bargs\\(\\)\\.(?:nth|skip)\\(1\\)|\\.add_argument\\(\\s*[\"'](?!-)|\\bsys\\.argv\\[1";
	static const char number[] =
		"\\b(?:ato[a-z]+|strto[a-z]+|parseInt|Number|int|float|Atoi|Parse\\w+) *\\( *(?:argv|process\\.argv|os\\.Args|sys\\.argv)|"
		"\\.parse(?:::<\\w+>)?\\(|\\btype=(?:int|float)\\b";

	if (matches(argument, source, NULL))
		return matches(number, source, NULL) ? '\0' : 'a';
	return matches("\\bstdin\\b|\\bos\\.Stdin\\b|\\bgetchar *\\(|\\bstd::cin\\b|\\breadFileSync\\(0", source, NULL) ? '<' : '\0';
}

static char *setup_text(const struct new_project *project)
{
	static const char *const readmes[] = { "README.md", "README.rst", "README", "README.txt" };

	for (size_t i = 0; i < sizeof readmes / sizeof readmes[0]; i++) {
		CLEANUP(free_ptr) char *path = file_join(project->root, readmes[i]);

		if (file_exists(path))
			return text_printf("\nsetup: yes \"$(cat %s)\" | head -c %s > \"${tmp}/input\"\n", readmes[i],
					   project->kind->interpreted ? "1000000" : "2000000");
	}
	return xstrdup("\nsetup: seq 300000 > \"${tmp}/input\"\n");
}

static char *found_command(const struct new_project *project, char input)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	struct strbuf out = STRBUF_INIT;

	escape_shell_split(project->program, &words);
	if (input == '<')
		strbuf_addf(&out, "exec %s < \"${tmp}/input\"", project->program);
	else
		add_words(&out, &words, input ? " ${tmp}/input" : "");
	return strbuf_take(&out);
}

static char *scenario_text(const struct new_project *project, const struct strv *args)
{
	static const char counted[] = "instructions: default      # simulated by valgrind where the machine cannot count them";
	static const char interpreted[] = "# instructions: +2%        # where the machine has hardware counters; simulating takes too long";
	static const char no_setup[] = " `setup` can make a large input:\n"
		"# setup: for i in $(seq 100); do cat README.md; done > \"${tmp}/input\"       "
		"# then `\"${tmp}/input\"` is a word of the command\n";
	const struct kind *kind = project->kind;
	char input = args->n ? '\0' : input_of(project->main.buf);
	CLEANUP(free_ptr) char *requires = kind->requires && !args->n ? text_printf("requires: [%s]\n", kind->requires) : xstrdup("");
	CLEANUP(free_ptr) char *setup = input ? setup_text(project) : xstrdup(no_setup);
	CLEANUP(free_ptr) char *command = args->n ? typed_command(args) : found_command(project, input);

	return FILL(scenario_template,
		{ "NAME", project->name }, { "REQUIRES", requires }, { "SETUP", setup }, { "COMMAND", command },
		{ "DESCRIPTION", args->n ? "the command given to pawl init" : "CHANGE it to what the program does here" },
		{ "ENVIRONMENT", kind->environment ?: "" },
		{ "INSTRUCTIONS", kind->interpreted ? interpreted : counted });
}

static void find_benchmarks(struct new_project *project)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	list_files(project->root, "\\A(?:" NOT_ITS_OWN ")\\z", &files);
	for (size_t i = 0; i < sizeof benchmark_rules / sizeof *benchmark_rules; i++) {
		const struct benchmark_rule *rule = &benchmark_rules[i];

		for (size_t k = 0; k < files.n; k++) {
			CLEANUP(free_ptr) char *name = NULL, *folder = xstrndup(files.items[k], (size_t)(path_name(files.items[k]) - files.items[k]));
			CLEANUP(free_ptr) char *command = NULL;

			if (!matches(rule->file, path_name(files.items[k]), NULL) || !read_source(project->root, files.items[k], &text) ||
			    !matches(rule->pattern, text.buf, &name))
				continue;
			command = FILL(rule->command, { "NAME", name }, { "FOLDER", folder });
			project->benchmarks = FILL(benchmarks_template, { "COMMAND", command }, { "HARNESS", rule->harness },
						   { "ENVIRONMENT", rule->environment ?: "" });
			project->benchmarks_build = rule->build ? FILL(rule->build, { "FOLDER", folder }) : NULL;
			return;
		}
	}
}

static char *build_text(const struct new_project *project, bool has_program)
{
	CLEANUP(free_ptr) char *build = project->build ? xstrdup(project->build)
						       : FILL(project->kind->build, { "NAME", project->name }, { "FOLDER", "" });

	if (!project->benchmarks_build)
		return take_ptr(&build);
	return has_program ? text_printf("%s && %s", build, project->benchmarks_build) : xstrdup(project->benchmarks_build);
}

static char *config_text(const struct new_project *project, const char *build)
{
	return FILL(config_template,
		{ "BUILD", build },
		{ "BUILD_WHY", strcmp(build, NO_BUILD)	? "# CHANGE it if the build needs more."
			       : project->kind->marker	? "# Python needs no build; `true` does nothing. CHANGE it if a part of the project is compiled."
							: "# CHANGE it: pawl does not know how this project is built, and `true` does nothing." });
}

static char *step(const struct host *host, const char *command, const char *folder)
{
	return command ? fill(*folder ? host->step_below : host->step,
			      (const struct value[]){ { "COMMAND", command }, { "FOLDER", folder }, { NULL, NULL } })
		       : xstrdup("");
}

static char *workflow_text(const struct new_project *project, const char *build)
{
	const struct host *host = project->host;
	const char *folder = strcmp(project->top, project->root) ? path_below(project->root, project->top) : "";
	CLEANUP(free_ptr) char *install = step(host, project->kind->install, folder);
	CLEANUP(free_ptr) char *made = step(host, strcmp(build, NO_BUILD) ? build : NULL, folder);
	CLEANUP(free_ptr) char *scenarios = FILL(*folder ? host->scenarios : "", { "FOLDER", folder }, { "NAME", project->name });

	return FILL(host->template, { "INSTALL", install }, { "BUILD", made }, { "SCENARIOS", scenarios });
}

/* GitLab's own file includes another workflow. */
static void find_host(struct git *git, struct new_project *project)
{
	CLEANUP(free_ptr) char *origin = git_origin(git, project->top), *url = origin ? forge_repository(origin) : NULL;
	CLEANUP(strbuf_release) struct strbuf own = STRBUF_INIT;
	bool exists = read_source(project->top, gitlab.workflow, &own);

	project->host = text_starts(url ?: "", "https://gitlab.") || (!url && exists) ? &gitlab : &github;
	project->included = project->host == &gitlab && exists && !strstr(own.buf, "pawl");
	project->workflow = project->included ? gitlab.included : project->host->workflow;
}

/* The forge reads only the first of these. */
static bool has_owners(const struct new_project *project)
{
	const char *const places[] = { project->host->owners, "CODEOWNERS", "docs/CODEOWNERS" };

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		CLEANUP(free_ptr) char *path = file_join(project->top, places[i]);

		if (access(path, F_OK) == 0)
			return true;
	}
	return false;
}

static char *owners_text(const struct new_project *project)
{
	bool below = strcmp(project->top, project->root) != 0;
	CLEANUP(free_ptr) char *folder = below ? text_printf("%s/", path_below(project->root, project->top)) : xstrdup("");

	return FILL(owners_template, { "FOLDER", folder });
}

/* -------- writing */

struct output {
	const char *folder;	/* absolute; PATH is below it */
	const char *path;
	char *text;		/* NULL: it is not written */
	const char *why_not;	/* why it is not written */
};

static int write_file(const char *path, int flags, const char *text, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0666), sys;

	if (fd < 0 && errno == EEXIST)
		return 0;
	if (fd < 0)
		return error_sys(err, errno, "cannot write %s", path);
	sys = file_write_all(fd, text, strlen(text)) < 0 ? errno : 0;
	if (close(fd) < 0 && !sys)
		sys = errno;
	if (sys && (flags & O_EXCL))
		unlink(path);
	return sys ? error_sys(err, sys, "cannot write %s", path) : 1;
}

/* Returns 1, 0 if it exists, or -1. */
static int write_new(const struct output *out, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(out->folder, out->path), *parent = path_parent(path);

	return file_make_dirs(parent, err) < 0 ? -1 : write_file(path, O_EXCL, out->text, err);
}

/* Returns 1, 0 if it has such a line already, or -1. */
static int add_ignored(const char *root, const char *pattern, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(root, ".gitignore"), *line = NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t len = strlen(pattern);

	if (file_exists(path) && file_read(path, IGNORE_FILE_LARGEST, &text, err) < 0)
		return -1;
	/* `/pawl-out` is the same as `pawl-out/`. */
	for (const char *at = text.buf; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		size_t n = strcspn(at + (*at == '/'), "\r\n");

		if (!strncmp(at + (*at == '/'), pattern, n) && (n == len || (n + 1 == len && pattern[n] == '/')))
			return 0;
	}
	line = text_printf("%s%s\n", text.len && text.buf[text.len - 1] != '\n' ? "\n" : "", pattern);
	return write_file(path, O_APPEND, line, err);
}

/* A line that hides the program, which is built in the project, hides its baselines' folder too. */
static int unhide_baselines(struct git *git, const struct new_project *project, struct strbuf *report, struct error *err)
{
	CLEANUP(free_ptr) char *path = text_printf("%s/baselines/%s/class.json", project->root, project->name);
	int got = git_ignores(git, project->top, path) ? add_ignored(project->root, BASELINES_NOT_IGNORED, err) : 0;

	if (got == 1)
		strbuf_addf(report, "added  %s to .gitignore, which hides baselines/%s\n", BASELINES_NOT_IGNORED, project->name);
	return got < 0 ? -1 : 0;
}

static int write_all(struct git *git, const struct new_project *project, const struct output *outputs, size_t n, struct strbuf *report,
		     struct error *err)
{
	int got;

	/* Writes nothing at all if any file would leave the project. */
	for (size_t i = 0; i <= n; i++) {
		const char *folder = i < n ? outputs[i].folder : project->root;
		CLEANUP(free_ptr) char *path = file_join(folder, i < n ? outputs[i].path : ".gitignore");

		if ((i == n || outputs[i].text) && file_refuse_links(folder, path, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < n; i++) {
		got = outputs[i].text ? write_new(&outputs[i], err) : 0;
		if (got < 0)
			return -1;
		strbuf_addf(report, got ? "wrote  %s\n" : "left   %s: %s\n", outputs[i].path, outputs[i].text ? "it is there already" : outputs[i].why_not);
	}
	got = add_ignored(project->root, "pawl-out/", err);
	if (got == 1)
		strbuf_adds(report, "added  pawl-out/ to .gitignore\n");
	if (got < 0 || !project->top)
		return got < 0 ? -1 : 0;
	return unhide_baselines(git, project, report, err);
}

/* -------- a try */

/* A program that seems quick is tried again, since other processes may have held it up. */
enum { TRY_MOST_S = 10, TRY_AGAIN_MS = 50, TRIES = 10 };

/* Returns the least time in ms, INFINITY if it fails, for WHY. */
static double try_once(struct keeper *keeper, const struct new_project *project, const struct strv *argv, struct strbuf *output,
		       struct error *why)
{
	const struct child_spec spec = { .argv = argv, .cwd = project->root };
	double least = INFINITY;

	*why = (struct error)ERROR_INIT;
	for (unsigned i = 0; i < TRIES && (!i || least < TRY_AGAIN_MS); i++) {
		uint64_t start = clock_now_ns();

		strbuf_reset(output);
		if (child_run(keeper, &spec, TRY_MOST_S * NS_PER_S, output, why) < 0)
			return INFINITY;
		least = fmin(least, (double)(clock_now_ns() - start) / 1e6);
	}
	return least;
}

/* *INPUT_OUT, for free(), gets WORD if that names a file. */
static const char *unless_input(const struct new_project *project, const char *word, const char *empty, char **input_out)
{
	CLEANUP(free_ptr) char *path = word[0] == '/' ? xstrdup(word) : file_join(project->root, word);

	if (!*word || !file_exists(path) || file_is_dir(path))
		return word;
	free(*input_out);
	*input_out = xstrdup(word);
	return empty;
}

static void without_input(const struct new_project *project, const struct strv *args, const char *empty, struct strv *out,
			  char **input_out)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (!is_line(args)) {
		for (size_t i = 0; i < args->n; i++)
			strv_push(out, i ? unless_input(project, args->items[i], empty, input_out) : args->items[i]);
		return;
	}
	for (const char *at = args->items[0]; *at; at += *at != '\0') {
		size_t len = strcspn(at, " \t<>|;&");
		CLEANUP(free_ptr) char *word = xstrndup(at, len);

		strbuf_adds(&line, at == args->items[0] ? word : unless_input(project, word, empty, input_out));
		at += len;
		strbuf_add(&line, at, *at != '\0');
	}
	strv_push_all(out, (const char *[]){ "/bin/sh", "-c", line.buf, NULL });
}

/*
 * Returns 1, 0 if its program is not there, or -1 if interrupted. REPORT gets the reasons why it is no good scenario.
 */
static int try_command(struct invocation *inv, const struct new_project *project, struct strbuf *report, struct error *err)
{
	const struct strv *args = &inv->args;
	struct keeper *keeper = &inv->request.keeper;
	struct session session = { .keeper = keeper };
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT, of_empty = STRBUF_INIT;
	CLEANUP(strv_release) struct strv typed = STRV_INIT, emptied = STRV_INIT;
	CLEANUP(free_ptr) char *program = typed_program(args), *found = file_find_program(program, project->root);
	CLEANUP(free_ptr) char *empty = NULL, *input = NULL, *idle = NULL;
	struct error why = ERROR_INIT, why_empty = ERROR_INIT;
	double ms;

	if (!found)
		return 0;
	if (session_make_scratch(&session, err) < 0)
		return -1;
	empty = file_join(session.scratch, "empty");
	without_input(project, args, empty, &emptied, &input);
	if (is_line(args))
		strv_push_all(&typed, (const char *[]){ "/bin/sh", "-c", args->items[0], NULL });
	ms = try_once(keeper, project, is_line(args) ? &typed : args, &output, &why);
	if (ms < INFINITY && input && output.len && file_write(empty, "", 0, &why_empty) == 0)
		try_once(keeper, project, &emptied, &of_empty, &why_empty);
	session_remove_scratch(&session);
	if (why.kind == ERR_INTERRUPTED || why_empty.kind == ERR_INTERRUPTED)
		return error_copy(err, why.kind == ERR_INTERRUPTED ? &why : &why_empty);
	idle = judge_idle_words(ms, !(ms < INFINITY), output.buf);
	if (idle)
		strbuf_addf(report, "warning: %s %s\n", project->name, idle);
	else if (!(ms < INFINITY) && why.sys != ETIMEDOUT)
		strbuf_addf(report, "warning: %s %s\n", project->name, why.msg);
	else if (input && output.len && why_empty.kind == ERR_NONE && !strcmp(output.buf, of_empty.buf))
		strbuf_addf(report, "warning: %s prints the same for an empty %s: make it work on its input\n", project->name, input);
	return 1;
}

/* -------- the command */

static bool has_scenarios(const char *folder)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(folder, &names, NULL);
	for (size_t i = 0; i < names.n; i++)
		if (text_ends(names.items[i], strlen(names.items[i]), ".yaml") || text_ends(names.items[i], strlen(names.items[i]), ".yml"))
			return true;
	return false;
}

static void add_next(const struct new_project *project, const char *build, bool tried, struct strbuf *out)
{
	bool builds = strcmp(build, NO_BUILD) != 0;
	/* Git finds `:/.github` at the top of the repository from any folder. */
	CLEANUP(free_ptr) char *files = !project->top ? xstrdup("")
		: text_printf("%s%s ", strcmp(project->top, project->root) ? ":/" : "", project->host->files);

	strbuf_addf(out, "\n%sThe lines with CHANGE say what to look at. Then:\n\n", tried ? "" : "Nothing was run. ");
	strbuf_adds(out, "  ");
	if (strcmp(project->here, project->root)) {
		strbuf_adds(out, "cd ..");
		for (const char *below = path_below(project->here, project->root); *below; below++)
			strbuf_adds(out, *below == '/' ? "/.." : "");
		strbuf_adds(out, " && ");
	}
	strbuf_addf(out, "%s%spawl run %s\n", builds ? build : "", builds ? " && " : "", project->name);
	if (project->included)
		strbuf_addf(out, "  # add to %s: include: { local: %s }\n", project->host->workflow, project->workflow);
	strbuf_addf(out, "  %sgit add -A %sscenarios pawl.yaml .gitignore && git commit -m 'measure %s'\n", project->top ? "" : "git init && ",
		    files, project->name);
	strbuf_adds(out, "  pawl run --base HEAD           # after a change: is it slower than the commit?\n");
	if (!project->top)
		strbuf_adds(out, "\nThis is not a git repository. Comparing with a commit needs one, and no workflow was written.\n");
}

static int init(struct invocation *inv, struct error *err)
{
	CLEANUP(release_project) struct new_project project = { .main = STRBUF_INIT };
	CLEANUP(strbuf_release) struct strbuf report = STRBUF_INIT;
	const bool typed = inv->args.n > 0;
	bool server, found;
	int tried;
	CLEANUP(free_ptr) char *path = NULL, *folder = NULL, *build = NULL, *scenario = NULL, *config = NULL, *workflow = NULL,
			       *owners = NULL;
	struct output outputs[5];
	size_t n = 0;

	if (find_project(&project, err) < 0)
		return -1;
	if (!project.kind && !typed)
		return error_set(err, ERR_INPUT, "%s has no Cargo.toml, go.mod, meson.build, CMakeLists.txt, pyproject.toml, setup.py, "
				 "package.json, configure.ac or Makefile; name a command, as in `pawl init ./program input`", project.root);
	if (project.kind && typed) {
		CLEANUP(free_ptr) char *program = typed_program(&inv->args);

		choose_kind(&project, program);
	}
	if (project.kind && !typed)
		find_benchmarks(&project);
	if (project.kind && find_program(&project, err) < 0 && !typed && !project.benchmarks)
		return -1;
	found = project.program != NULL || typed;
	project.kind = project.kind ?: &unknown_kind;
	server = !typed && matches(project.kind->language->listens, project.main.buf, NULL);
	if (found)
		name_project(&project, &inv->args);
	else
		project.name = xstrdup("benchmarks");
	build = build_text(&project, found);
	path = text_printf("scenarios/%s.yaml", project.name);
	folder = file_join(project.root, "scenarios");
	scenario = has_scenarios(folder) || !found ? NULL : server ? service_text(&project) : scenario_text(&project, &inv->args);
	config = config_text(&project, build);
	if (project.top)
		find_host(&inv->request.git, &project);
	workflow = project.top ? workflow_text(&project, build) : NULL;
	owners = project.top && !has_owners(&project) ? owners_text(&project) : NULL;
	if (found)
		outputs[n++] = (struct output){ project.root, path, scenario, "scenarios/ has scenarios already" };
	if (project.benchmarks)
		outputs[n++] = (struct output){ project.root, "scenarios/benchmarks.yaml", project.benchmarks, NULL };
	outputs[n++] = (struct output){ project.root, "pawl.yaml", config, NULL };
	if (project.top) {
		outputs[n++] = (struct output){ project.top, project.workflow, workflow, NULL };
		outputs[n++] = (struct output){ project.top, project.host->owners, owners, "there is one already" };
	}
	if (write_all(&inv->request.git, &project, outputs, n, &report, err) < 0)
		return -1;
	tried = typed && scenario ? try_command(inv, &project, &report, err) : 0;
	if (tried < 0)
		return -1;
	add_next(&project, build, tried, &report);
	return console_print(&report, err) < 0 ? -1 : STATUS_OK;
}

const struct command_def cmd_init = {
	.name = "init",
	.args = "[COMMAND [ARG...]]",
	.summary = "write a first scenario, pawl.yaml and a workflow for this project",
	.examples =
		"pawl init                         # the program that the build files name\n"
		"pawl init ./prog input\n"
		"pawl init './prog < input'",
	.details =
		"Writes scenarios/NAME.yaml, pawl.yaml with the command that builds the project, and\n"
		".github/workflows/pawl.yml, which compares each pull request with its base; writes\n"
		".github/CODEOWNERS, whose lines name the files that judge; adds pawl-out/ to .gitignore. For\n"
		"GitLab they are .gitlab-ci.yml, or .gitlab/pawl.yml to include there, and .gitlab/CODEOWNERS. A\n"
		"project with Google Benchmark, criterion, go or pytest-benchmark gets scenarios/benchmarks.yaml.\n"
		"Finds the program in the build files of Cargo, Go, Meson, CMake, Python, Node, autotools and make, and\n"
		"in its source whether it reads an input or is a server. The lines with CHANGE are yours to check.\n"
		"Nothing of the project is run, and existing files stay as they are.\n\n"
		"With a COMMAND, the scenario measures that: `pawl init ./prog input`, or one text for a shell:\n"
		"`pawl init './prog < input'`. If it is built, init tries it once as it is and once with empty\n"
		"inputs, and warns if it does no work. Write -- before words that begin with a dash.",
	.starts_processes = true,
	.first = true,
	.run = init,
};
