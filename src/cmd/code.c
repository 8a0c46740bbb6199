#include "cmd/code.h"

#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/files.h"
#include "measure/identity.h"

/* Beyond this a file among the arguments is data, not code. */
enum { SCRIPT_LARGEST = 16 << 20 };

/* A file of the project among the arguments is what an interpreter runs: it is part of the code too. */
static void add_script(const struct plan *plan, const char *arg, struct strbuf *all)
{
	CLEANUP(free_ptr) char *path = arg[0] == '/' ? xstrdup(arg) : file_join(plan->cwd, arg);
	CLEANUP(free_ptr) char *id = NULL;
	size_t root = strlen(plan->root);
	struct stat st;

	if (strncmp(path, plan->root, root) || path[root] != '/' || stat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > SCRIPT_LARGEST)
		return;
	id = identity_of_file(path);
	if (id)
		strbuf_addf(all, "+%s", id);
}

static void add_scripts_in_text(const struct plan *plan, const char *text, struct strbuf *all)
{
	while (*text) {
		size_t len = strcspn(text, " \t\n;|&<>()\"'");
		CLEANUP(free_ptr) char *word = xstrndup(text, len);

		if (len)
			add_script(plan, word, all);
		text += len + (text[len] != '\0');
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

char *code_identity(const struct plan *plan)
{
	bool shell = scenario_target_command(plan->scenario)->shell;
	const char *rest = NULL, *first = plan->target.n ? plan->target.items[0] : "";
	CLEANUP(free_ptr) char *word = shell ? first_word(plan->target.items[2], &rest) : xstrdup(first);
	CLEANUP(free_ptr) char *path = *word ? file_find_program(word, plan->cwd) : NULL;
	CLEANUP(free_ptr) char *id = path ? identity_of_file(path) : NULL;
	struct strbuf all = STRBUF_INIT;

	if (!id)
		return NULL;
	strbuf_adds(&all, id);
	if (shell)
		add_scripts_in_text(plan, rest, &all);
	for (size_t i = 1; !shell && i < plan->target.n; i++)
		add_script(plan, plan->target.items[i], &all);
	return strbuf_take(&all);
}
