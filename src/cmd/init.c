/* pawl init: writes a first scenario, pawl.yaml and a workflow, from one template per kind of project. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "measure/files/files.h"
#include "measure/git/git.h"
#include "scenario/scenario.h"

static const char scenario_template[] =
#include <embedded/init/scenario.yaml.inc>
	;
static const char config_template[] =
#include <embedded/init/pawl.yaml.inc>
	;
static const char workflow_template[] =
#include <embedded/init/workflow.yml.inc>
	;
static const char owners_template[] =
#include <embedded/init/CODEOWNERS.inc>
	;

enum { IGNORE_FILE_LARGEST = 1 << 20 };

/* The value of `build:` that builds nothing. */
#define NO_BUILD "\"true\""

/* Values for the templates. @NAME@ is the name of the scenario. The first row whose marker a folder has is its kind. */
struct kind {
	const char *marker;
	bool whole;		/* a folder with the marker is a project of its own, anywhere */
	bool outermost;		/* unless a folder above it has the marker too */
	const char *command, *build;
	const char *environment, *instructions, *requires;	/* or NULL */
	const char *install;	/* a command of the workflow, or NULL */
};

#define PYTHON .whole = true, .command = "[python3, \"-m\", \"@NAME@\"]", .build = NO_BUILD, .requires = "python3", \
	.environment = ", PYTHONHASHSEED: \"0\", PYTHONPATH: \"src:.\"", .instructions = "+2%          # an interpreter's vary between folders", \
	.install = "pip install ."
#define MAKE .command = "[\"./@NAME@\"]", .build = "make"

static const struct kind kinds[] = {
	{ "Cargo.toml", .whole = true, .outermost = true, .command = "[\"target/release/@NAME@\"]", .build = "cargo build --release" },
	{ "go.mod", .whole = true, .command = "[\"bin/@NAME@\"]", .build = "go build -o bin/@NAME@ ." },
	{ "meson.build", .command = "[\"build/@NAME@\"]", .build = "meson setup build --buildtype=debugoptimized && ninja -C build",
	  .install = "sudo apt-get update && sudo apt-get install -y meson ninja-build" },
	{ "CMakeLists.txt", .command = "[\"build/@NAME@\"]", .build = "cmake -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build build",
	  .install = "sudo apt-get update && sudo apt-get install -y cmake" },
	{ "pyproject.toml", PYTHON },
	{ "setup.py", PYTHON },
	{ "package.json", .whole = true, .command = "[node, \"index.js\"]", .build = "npm install --ignore-scripts --no-audit --no-fund",
	  .requires = "node", .instructions = "+2%          # an interpreter's vary between folders" },
	{ "configure.ac", .command = "[\"./@NAME@\"]",
	  .build = "test -e configure || autoreconf -fi && test -e config.status || ./configure && make",
	  .install = "sudo apt-get update && sudo apt-get install -y autoconf automake libtool" },
	{ "Makefile", MAKE },
	{ "GNUmakefile", MAKE },
	{ "makefile", MAKE },
};
static const struct kind unknown_kind = { .build = NO_BUILD };

struct new_project {
	char *here;		/* the working folder; all folders are absolute */
	char *root;		/* the working folder, or one above it */
	char *top;		/* of the repository, or NULL */
	const struct kind *kind;
	char *name;		/* of the scenario */
};

static void release_project(struct new_project *project)
{
	free(project->here);
	free(project->root);
	free(project->top);
	free(project->name);
}

/* -------- the project's folder */

static const struct kind *kind_of(const char *folder)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		CLEANUP(free_ptr) char *marker = file_join(folder, kinds[i].marker);

		if (file_exists(marker))
			return &kinds[i];
	}
	return NULL;
}

/*
 * Finds the project: the repository, or a folder between it and the working folder that is a project of its own.
 * Without a repository it is the working folder.
 */
static int find_project(struct new_project *project, struct error *err)
{
	CLEANUP(free_ptr) char *dir = NULL, *found = NULL;
	const struct kind *kind = NULL;

	project->here = file_working_folder(err);
	if (!project->here)
		return -1;
	dir = xstrdup(project->here);
	project->root = xstrdup(dir);
	project->kind = kind_of(dir);
	while (!project->top) {
		CLEANUP(free_ptr) char *git = file_join(dir, ".git"), *above = path_parent(dir);
		const struct kind *here = kind_of(dir);

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

/* -------- the texts */

struct value {
	const char *key, *text;
};

/* Returns TEMPLATE with each @KEY@ replaced, for free(). The last of VALUES has no key. */
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

/* Appends a YAML text for WORD. A dollar that would begin a variable is written twice. */
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

/*
 * Returns the typed command, for free(). `pawl init ./prog input` measures its words, and `pawl init './prog <
 * input'` a line for the shell.
 */
static char *typed_command(const struct strv *args)
{
	bool line = args->n == 1 && strpbrk(args->items[0], " \t");
	struct strbuf out = STRBUF_INIT;

	strbuf_adds(&out, line ? "" : "[");
	for (size_t i = 0; i < args->n; i++) {
		strbuf_adds(&out, i ? ", " : "");
		add_yaml(&out, args->items[i]);
	}
	strbuf_adds(&out, line ? "" : "]");
	return strbuf_take(&out);
}

/* Names the scenario after the typed program, else after the project's folder. */
static void name_project(struct new_project *project, const struct strv *args)
{
	const char *first = args->n ? args->items[0] : project->root;
	CLEANUP(free_ptr) char *program = xstrndup(first, args->n ? strcspn(first, " \t") : strlen(first));

	project->name = xstrdup(scenario_name_valid(path_name(program)) ? path_name(program) : args->n ? "first" : "program");
}

static char *scenario_text(const struct new_project *project, const struct strv *args)
{
	const struct kind *kind = project->kind;
	const struct value name[] = { { "NAME", project->name }, { NULL, NULL } };
	CLEANUP(free_ptr) char *command = args->n ? typed_command(args) : fill(kind->command, name);
	CLEANUP(free_ptr) char *requires = kind->requires && !args->n ? text_printf("requires: [%s]\n", kind->requires) : xstrdup("");

	return fill(scenario_template, (const struct value[]){
		{ "NAME", project->name }, { "REQUIRES", requires }, { "COMMAND", command },
		{ "DESCRIPTION", args->n ? "the command given to pawl init" : "CHANGE it to what the program does here" },
		{ "ENVIRONMENT", kind->environment ?: "" },
		{ "INSTRUCTIONS", kind->instructions ?: "default      # simulated by valgrind where the machine cannot count them" },
		{ NULL, NULL } });
}

static char *config_text(const struct new_project *project, const char *build)
{
	return fill(config_template, (const struct value[]){
		{ "BUILD", build },
		{ "BUILD_WHY", strcmp(build, NO_BUILD)	? "# CHANGE it if the build needs more."
			       : project->kind->marker	? "# Python needs no build; `true` does nothing. CHANGE it if a part of the project is compiled."
							: "# CHANGE it: pawl does not know how this project is built, and `true` does nothing." },
		{ NULL, NULL } });
}

/* Returns a step of the workflow that runs COMMAND in FOLDER of the repository, "" for its top; for free(). */
static char *step(const char *command, const char *folder)
{
	if (!command)
		return xstrdup("");
	return text_printf("      - run: %s%s%s\n", command, *folder ? "\n        working-directory: " : "", folder);
}

static char *workflow_text(const struct new_project *project, const char *build)
{
	const char *folder = strcmp(project->top, project->root) ? path_below(project->root, project->top) : "";
	CLEANUP(free_ptr) char *install = step(project->kind->install, folder), *made = step(strcmp(build, NO_BUILD) ? build : NULL, folder);
	CLEANUP(free_ptr) char *scenarios = *folder ? text_printf("\n        with: { scenarios: %s/scenarios/%s.yaml }", folder, project->name) : xstrdup("");

	return fill(workflow_template, (const struct value[]){
		{ "INSTALL", install }, { "BUILD", made }, { "SCENARIOS", scenarios }, { NULL, NULL } });
}

/* True if the repository has a CODEOWNERS file. GitHub reads only the first of these. */
static bool has_owners(const char *top)
{
	static const char *const places[] = { ".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS" };

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		CLEANUP(free_ptr) char *path = file_join(top, places[i]);

		if (access(path, F_OK) == 0)
			return true;
	}
	return false;
}

static char *owners_text(const struct new_project *project)
{
	bool below = strcmp(project->top, project->root) != 0;
	CLEANUP(free_ptr) char *folder = below ? text_printf("%s/", path_below(project->root, project->top)) : xstrdup("");

	return fill(owners_template, (const struct value[]){ { "FOLDER", folder }, { NULL, NULL } });
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

/* Makes the file. Returns 1, 0 if it exists, or -1. */
static int write_new(const struct output *out, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(out->folder, out->path), *parent = path_parent(path);

	return file_make_dirs(parent, err) < 0 ? -1 : write_file(path, O_EXCL, out->text, err);
}

/* Adds the line PATTERN to the root's .gitignore. Returns 1, 0 if it has such a line already, or -1. */
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

/*
 * Makes git keep the baselines. A line that hides the program, which is built in the project, hides their folder too.
 */
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

static void add_next(const struct new_project *project, const char *build, struct strbuf *out)
{
	bool builds = strcmp(build, NO_BUILD) != 0;
	/* Git finds `:/.github` at the top of the repository from any folder. */
	const char *github = !project->top ? "" : strcmp(project->top, project->root) ? ":/.github " : ".github ";

	strbuf_adds(out, "\nNothing was run. The lines with CHANGE say what to look at. Then:\n\n");
	if (strcmp(project->here, project->root)) {
		strbuf_adds(out, "  cd ..");
		for (const char *below = path_below(project->here, project->root); *below; below++)
			strbuf_adds(out, *below == '/' ? "/.." : "");
		strbuf_addc(out, '\n');
	}
	strbuf_addf(out, "  %s%spawl run %s\n", builds ? build : "", builds ? " && " : "", project->name);
	strbuf_addf(out, "  %sgit add -A %sscenarios pawl.yaml .gitignore && git commit -m 'measure %s'\n", project->top ? "" : "git init && ",
		    github, project->name);
	strbuf_adds(out, "  pawl run --base HEAD           # after a change: is it slower than the commit?\n");
	if (!project->top)
		strbuf_adds(out, "\nThis is not a git repository. Comparing with a commit needs one, and no workflow was written.\n");
}

static int init(struct invocation *inv, struct error *err)
{
	CLEANUP(release_project) struct new_project project = { 0 };
	CLEANUP(strbuf_release) struct strbuf report = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = NULL, *folder = NULL, *build = NULL, *scenario = NULL, *config = NULL, *workflow = NULL,
			       *owners = NULL;

	if (find_project(&project, err) < 0)
		return -1;
	if (!project.kind && !inv->args.n)
		return error_set(err, ERR_INPUT, "%s has no Cargo.toml, go.mod, meson.build, CMakeLists.txt, pyproject.toml, setup.py, "
				 "package.json, configure.ac or Makefile; name a command, as in `pawl init ./program input`", project.root);
	project.kind = project.kind ?: &unknown_kind;
	name_project(&project, &inv->args);
	build = fill(project.kind->build, (const struct value[]){ { "NAME", project.name }, { NULL, NULL } });
	path = text_printf("scenarios/%s.yaml", project.name);
	folder = file_join(project.root, "scenarios");
	scenario = has_scenarios(folder) ? NULL : scenario_text(&project, &inv->args);
	config = config_text(&project, build);
	workflow = project.top ? workflow_text(&project, build) : NULL;
	owners = project.top && !has_owners(project.top) ? owners_text(&project) : NULL;
	if (write_all(&inv->request.git, &project, (const struct output[]){
			{ project.root, path, scenario, "scenarios/ has scenarios already" },
			{ project.root, "pawl.yaml", config, NULL },
			{ project.top, ".github/workflows/pawl.yml", workflow, NULL },
			{ project.top, ".github/CODEOWNERS", owners, "there is one already" } }, project.top ? 4 : 2, &report, err) < 0)
		return -1;
	add_next(&project, build, &report);
	return console_print(&report, err) < 0 ? -1 : STATUS_OK;
}

const struct command_def cmd_init = {
	.name = "init",
	.args = "[COMMAND [ARG...]]",
	.summary = "write a first scenario, pawl.yaml and a workflow for this project",
	.examples =
		"pawl init                         # a template\n"
		"pawl init ./prog input\n"
		"pawl init './prog < input'",
	.details =
		"Writes scenarios/NAME.yaml, pawl.yaml with the command that builds the project, and\n"
		".github/workflows/pawl.yml, which compares each pull request with its base; writes\n"
		".github/CODEOWNERS, whose lines name the files that judge; adds pawl-out/ to .gitignore. There\n"
		"is a template for projects of Cargo, Go, Meson, CMake, Python, Node, autotools and make. The\n"
		"lines with CHANGE are yours to fill in. Nothing of the project is run, and existing files stay\n"
		"as they are.\n\n"
		"With a COMMAND, the scenario measures that: `pawl init ./prog input`, or one text for a shell:\n"
		"`pawl init './prog < input'`. Write -- before words that begin with a dash.",
	.starts_processes = true,
	.first = true,
	.run = init,
};
