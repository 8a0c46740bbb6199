#include "measure/git/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/git/git.h"
#include "model/source/source_text.h"

/* Git prints up to 100 bytes a line. */
enum { LINES_MOST = 120000, TEXTS_MOST = 1000 };

/* -------- git */

/* Patterns for lines that begin something. Git's own lack tables, or methods in classes. */
static const struct {
	const char *name, *pattern;	/* NULL: git has it */
} drivers[] = {
	{ "pawlc", "!^[ \t]*(if|for|while|switch|catch|return|else|do|case|new|delete)[^A-Za-z0-9_]\n"
		   "!^[A-Za-z_][A-Za-z_0-9]*:[ \t]*($|/[/*])\n"
		   "^([A-Za-z_].*)$\n"
		   "^[ \t]+([A-Za-z_][A-Za-z_0-9:<>,*& \t]*[ \t*&]~?[A-Za-z_][A-Za-z_0-9]*\\([^;[]*\\)[^;()]*\\{.*)$" },
	{ "pawlgo", "^((func|type|var|const|import)[ \t(].*)$" },
	{ "pawlrust", "^([A-Za-z_].*)$\n"
		      "^[ \t]+(((pub(\\([^)]*\\))?|async|const|unsafe|extern|default)[ \t]+)*fn[ \t].*)$" },
	{ "pawlscript", "!^[ \t]*(if|for|while|switch|catch|return|else|do|with)[^A-Za-z0-9_$]\n"
			"^([A-Za-z_$].*)$\n"
			"^[ \t]+((async |static |get |set |function |\\*)*[A-Za-z_$#][A-Za-z_0-9$]*[ \t]*\\([^;]*\\)[ \t]*\\{.*)$" },
	{ "pawllua", "!^end\n^[ \t]*((local[ \t]+)?function.*)$\n^([A-Za-z_].*)$" },
	{ "java", NULL }, { "kotlin", NULL }, { "csharp", NULL }, { "php", NULL }, { "perl", NULL }, { "ruby", NULL }, { "elixir", NULL },
	{ "bash", NULL }, { "python", NULL },
};

static const char *driver_of(const struct source_text *s)
{
	static const struct {
		const char *suffix, *driver;
	} known[] = {
		{ ".go", "pawlgo" }, { ".java", "java" }, { ".kt", "kotlin" }, { ".kts", "kotlin" }, { ".cs", "csharp" }, { ".php", "php" },
		{ ".pl", "perl" }, { ".pm", "perl" }, { ".rb", "ruby" }, { ".ex", "elixir" }, { ".exs", "elixir" },
	};
	static const char *const by_language[] = {
		[LANGUAGE_C] = "pawlc", [LANGUAGE_RUST] = "pawlrust", [LANGUAGE_SCRIPT] = "pawlscript", [LANGUAGE_LUA] = "pawllua",
		[LANGUAGE_PYTHON] = "python", [LANGUAGE_SHELL] = "bash", [LANGUAGE_HASH] = "perl",
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (text_ends(s->path, strlen(s->path), known[i].suffix))
			return known[i].driver;
	return s->language < sizeof by_language / sizeof by_language[0] && by_language[s->language] ? by_language[s->language] : "text";
}

/* Puts a line that differs after each, so that git shows the context of each. */
static void add_marked(const struct source_text *s, struct strbuf *out)
{
	const char *at = s->text, *line;
	size_t len;

	while ((line = text_next_line(&at, s->text + s->len, &len))) {
		strbuf_add(out, line, len);
		strbuf_adds(out, "\n\001pawl\n");
	}
}

static bool write_texts(const char *folder, struct source_text *const texts[], size_t n, bool marked)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(free_ptr) char *path = text_printf("%s/%s/%zu.%s", folder, marked ? "b" : "a", i, driver_of(texts[i]));

		if (marked)
			add_marked(texts[i], &text);
		if (file_write(path, marked ? text.buf : texts[i]->text, marked ? text.len : texts[i]->len, NULL) < 0)
			return false;
	}
	return true;
}

static bool write_attributes(const char *path)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
		strbuf_addf(&text, "*.%s diff=%s\n", drivers[i].name, drivers[i].name);
	return file_write(path, text.buf, text.len, NULL) == 0;
}

/* Reads "@@ -LINE,0 +... @@ CONTEXT". Neighbours share their context. */
static void take_context(struct source_text *s, const char *at, size_t len)
{
	const char *mark = memmem(at, len, " @@", 3), *text = mark ? mark + 3 : NULL;
	unsigned long line = strtoul(at + 4, NULL, 10);
	size_t n;

	if (!text || !line || line > s->n_lines)
		return;
	text += *text == ' ';
	n = len - (size_t)(text - at);
	if (!n)
		return;
	if (line > 1 && s->context[line - 2] && strlen(s->context[line - 2]) == n && !memcmp(s->context[line - 2], text, n))
		s->context[line - 1] = s->context[line - 2];
	else
		s->context[line - 1] = arena_strndup(&s->arena, text, n);
}

static void take_diff(const struct strbuf *text, struct source_text *const texts[], size_t n)
{
	struct source_text *s = NULL;
	const char *at = text->buf, *line;
	size_t len;

	while ((line = text_next_line(&at, text->buf + text->len, &len))) {
		if (text_starts(line, "+++ ")) {
			const char *slash = memrchr(line, '/', len);
			unsigned long i = slash ? strtoul(slash + 1, NULL, 10) : n;

			s = i < n ? texts[i] : NULL;
		} else if (s && text_starts(line, "@@ -")) {
			take_context(s, line, len);
		}
	}
}

/* `git diff --no-index` ends with 1 if files differ. */
#define ALLOW_ONE "\"$@\"; test $? -le 1"

static void ask_git(const struct contexts *c, const char *folder, struct source_text *const texts[], size_t n)
{
	CLEANUP(free_ptr) char *attributes = file_join(folder, "attributes");
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(strv_release) struct strv argv = STRV_INIT;

	if (!write_texts(folder, texts, n, false) || !write_texts(folder, texts, n, true) || !write_attributes(attributes))
		return;
	git_leave_place(&argv);
	strv_push_all(&argv, ARGV("sh", "-c", ALLOW_ONE, "sh", "git", "--no-pager", "-c"));
	strv_pushf(&argv, "core.attributesFile=%s", attributes);
	for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
		if (drivers[i].pattern) {
			strv_push(&argv, "-c");
			strv_pushf(&argv, "diff.%s.xfuncname=%s", drivers[i].name, drivers[i].pattern);
		}
	strv_push_all(&argv, ARGV("diff", "--no-index", "--no-color", "--no-ext-diff", "--text", "-U0", "--inter-hunk-context=0",
				  "-O/dev/null", "a", "b"));
	if (git_run_words(c->git, folder, &argv, c->limit_ns, &out, NULL) == 0)
		take_diff(&out, texts, n);
}

/* -------- Python */

/*
 * Prints "FILE FIRST LAST LINE" for each function, class and table, outer ones first, and "FILE FIRST LAST #" for texts
 * that are statements. Files with wrong syntax are left to git.
 */
static const char parse[] =
	"import ast, sys\n"
	"def walk(name, node):\n"
	"    for n in ast.iter_child_nodes(node):\n"
	"        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):\n"
	"            first = min([n.lineno] + [d.lineno for d in n.decorator_list])\n"
	"            print(name, first, n.end_lineno, 'class' if isinstance(n, ast.ClassDef) else 'def', n.name)\n"
	"        elif isinstance(n, ast.Assign) and n.end_lineno > n.lineno and isinstance(n.targets[0], ast.Name) \\\n"
	"             and isinstance(node, (ast.Module, ast.ClassDef)):\n"
	"            print(name, n.lineno, n.end_lineno, n.targets[0].id, '=')\n"
	"        elif isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) and isinstance(n.value.value, str):\n"
	"            print(name, n.lineno, n.end_lineno, '#')\n"
	"        walk(name, n)\n"
	"sys.setrecursionlimit(5000)\n"
	"for name in sys.argv[1:]:\n"
	"    try:\n"
	"        tree = compile(open('a/' + name, 'rb').read(), name, 'exec', ast.PyCF_ONLY_AST)\n"
	"        print(name, 0, 0, '.')\n"
	"        walk(name, tree)\n"
	"    except Exception:\n"
	"        pass\n";

static void take_python(const struct strbuf *text, struct source_text *const texts[], size_t n)
{
	const char *at = text->buf, *next;
	size_t len;

	while ((next = text_next_line(&at, text->buf + text->len, &len))) {
		CLEANUP(free_ptr) char *line = xstrndup(next, len);
		char *rest = line;
		unsigned long i = strtoul(rest, &rest, 10), first, last;
		const char *begins;

		if (i >= n)
			continue;
		rest = strchr(rest, ' ') ?: rest;
		first = strtoul(rest, &rest, 10);
		last = strtoul(rest, &rest, 10);
		rest += *rest == ' ';
		begins = arena_strdup(&texts[i]->arena, rest);
		/* The first line of a file revokes what git found. */
		for (unsigned k = 0; k < texts[i]->n_lines && !first; k++)
			texts[i]->context[k] = NULL;
		for (unsigned long k = first ?: 1; first && k <= last && k <= texts[i]->n_lines; k++) {
			if (*begins == '#')
				texts[i]->code[k - 1] = "";
			else
				texts[i]->context[k - 1] = begins;
		}
	}
}

static void ask_python(const struct contexts *c, const char *folder, struct source_text *const texts[], size_t n)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	size_t start;

	strv_push_all(&argv, ARGV("python3", "-I", "-S", "-c", parse));
	start = argv.n;
	for (size_t i = 0; i < n; i++)
		if (texts[i]->language == LANGUAGE_PYTHON)
			strv_pushf(&argv, "%zu.python", i);
	if (argv.n > start && git_run_words(c->git, folder, &argv, c->limit_ns, &out, NULL) == 0)
		take_python(&out, texts, n);
}

void contexts_find(void *ctx, struct source_text *const texts[], size_t n)
{
	const struct contexts *c = ctx;
	CLEANUP(free_ptr) char *folder = file_join(c->scratch, "contexts");
	size_t asked = 0, lines = 0;

	while (asked < n && asked < TEXTS_MOST && (lines += texts[asked]->n_lines) <= LINES_MOST)
		asked++;
	ask_git(c, folder, texts, asked);
	ask_python(c, folder, texts, asked);
	file_remove_tree(folder, NULL);
}
