#include "cmd/buildfiles.h"

#include "base/mem.h"
#include "base/text.h"

enum { NAME_LONGEST = 100, EXPANDED_LONGEST = 16 << 10, EXPANDED_DEEPEST = 8 };

static const char name_bytes[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-/";
static const char word_bytes[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
static const char blanks[] = " \t\r";

bool buildfiles_plain(const char *path)
{
	size_t len = strlen(path);

	return len && len <= NAME_LONGEST && strspn(path, name_bytes) == len && !strchr("-/", path[0]) && path[len - 1] != '/' &&
	       !strstr(path, "..");
}

static void add_name(struct strv *out, const char *text, size_t len)
{
	CLEANUP(free_ptr) char *name = xstrndup(text, len);

	if (buildfiles_plain(name))
		strv_push_new(out, name);
}

/* -------- variables: a list of "NAME=value" */

static void set_variable(struct strv *known, const char *name, size_t len, const char *value, bool append)
{
	for (size_t i = 0; i < known->n; i++)
		if (!strncmp(known->items[i], name, len) && known->items[i][len] == '=') {
			char *joined = text_printf("%.*s=%s%s%.*s", (int)len, name, append ? known->items[i] + len + 1 : "",
						   append ? " " : "", EXPANDED_LONGEST, value);

			free(known->items[i]);
			known->items[i] = joined;
			return;
		}
	if (known->n < 1000)
		strv_pushf(known, "%.*s=%.*s", (int)len, name, EXPANDED_LONGEST, value);
}

static const char *variable(const struct strv *known, const char *name, size_t len)
{
	for (size_t i = 0; i < known->n; i++)
		if (!strncmp(known->items[i], name, len) && known->items[i][len] == '=')
			return known->items[i] + len + 1;
	return NULL;
}

/* TEXT with $(NAME) and ${NAME} replaced; what is not known, as functions of make, stays as it is. */
static void expand(const struct strv *known, const char *text, unsigned depth, struct strbuf *out)
{
	while (*text && out->len < EXPANDED_LONGEST) {
		size_t plain = strcspn(text, "$"), name;
		const char *value;

		strbuf_add(out, text, plain);
		text += plain;
		if (!*text)
			return;
		name = text[1] == '(' || text[1] == '{' ? strspn(text + 2, word_bytes) : 0;
		value = name && text[2 + name] == (text[1] == '(' ? ')' : '}') ? variable(known, text + 2, name) : NULL;
		if (value && depth < EXPANDED_DEEPEST) {
			expand(known, value, depth + 1, out);
			text += 3 + name;
		} else {
			strbuf_addc(out, *text++);
		}
	}
}

/* -------- make */

/* What such variables hold are programs, and what such targets are is none. */
static const char *const program_variables[] = {
	"BIN", "BINS", "BINARY", "BINARIES", "PROG", "PROGS", "PROGRAM", "PROGRAMS", "TARGET", "TARGETS", "EXE", "EXECUTABLE", "EXECUTABLES",
	"bin_PROGRAMS", "noinst_PROGRAMS",
};
static const char *const no_programs[] = {
	"all", "build", "check", "clean", "debug", "default", "dist", "distclean", "doc", "docs", "everything", "help", "install", "lib", "libs",
	"man", "release", "shared", "static", "test", "tests", "uninstall", "FORCE",
};

static bool is_one_of(const char *word, size_t len, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(words[i]) == len && !strncmp(words[i], word, len))
			return true;
	return false;
}

/* The words of TEXT that can be programs; a dot is in names of objects, libraries, sources and pages. */
static void add_programs(const struct strv *phony, const char *text, struct strv *out)
{
	for (size_t len; *text; text += len + strspn(text + len, " \t\r\n")) {
		len = strcspn(text, " \t\r\n");
		CLEANUP(free_ptr) char *word = xstrndup(text, len);

		if (len && !strchr(word, '.') && !strv_has(phony, word) &&
		    !is_one_of(word, len, no_programs, sizeof no_programs / sizeof *no_programs))
			add_name(out, word, len);
	}
}

struct make {
	struct strv known, phony, targets;	/* targets: of the rule that is read */
	struct strv named, linked, all;		/* programs by how sure that is: variables, recipes, what `all` needs */
};

static void read_assignment(struct make *make, const char *line, size_t name, size_t at)
{
	const char *equals = strchr(line + at, '=');

	set_variable(&make->known, line, name, equals + 1 + strspn(equals + 1, blanks), line[at] == '+');
}

static void read_rule(struct make *make, const char *line)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char *colon;

	expand(&make->known, line, 0, &text);
	strv_release(&make->targets);
	colon = strchr(text.buf, ':');
	if (!colon)
		return;
	*colon++ = '\0';
	colon += *colon == ':';
	if (text_starts(text.buf, ".PHONY")) {
		for (size_t len; *colon; colon += len + strspn(colon + len, blanks)) {
			len = strcspn(colon, blanks);
			if (len)
				strv_take(&make->phony, xstrndup(colon, len));
		}
		return;
	}
	add_programs(&make->phony, text.buf, &make->targets);
	if (text_starts(text.buf, "all") && !text.buf[3 + strspn(text.buf + 3, blanks)])
		add_programs(&make->phony, colon, &make->all);
}

static void read_recipe(struct make *make, const char *line)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *output;

	expand(&make->known, line, 0, &text);
	output = strstr(text.buf, " -o ");
	if (!output || strstr(text.buf, " -c ") || strstr(text.buf, "-shared"))
		return;
	output += 4 + strspn(output + 4, blanks);
	if (text_starts(output, "$@"))
		for (size_t i = 0; i < make->targets.n; i++)
			strv_push_new(&make->linked, make->targets.items[i]);
	else {
		CLEANUP(free_ptr) char *word = xstrndup(output, strcspn(output, " \t\r;&|"));

		add_programs(&make->phony, word, &make->linked);
	}
}

static void read_make_line(struct make *make, char *line)
{
	size_t name, at;

	if (line[0] == '\t') {
		read_recipe(make, line);
		return;
	}
	line[strcspn(line, "#")] = '\0';
	line += strspn(line, blanks);
	name = strspn(line, word_bytes);
	at = name + strspn(line + name, blanks);
	if (name && (line[at] == '=' || (strchr(":+?", line[at]) && line[at] && line[at + 1] == '=') ||
		     text_starts(line + at, "::=")))
		read_assignment(make, line, name, at);
	else if (strchr(line, ':'))
		read_rule(make, line);
}

/* TEXT line by line, with what a backslash continues joined. */
static void each_line(const char *text, void (*read)(struct make *make, char *line), struct make *make)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	for (size_t len; *text; text += len + (text[len] != '\0')) {
		len = strcspn(text, "\n");
		strbuf_add(&line, text, len);
		if (line.len && line.buf[line.len - 1] == '\\' && text[len] && line.len < EXPANDED_LONGEST) {
			line.buf[line.len - 1] = ' ';
			continue;
		}
		if (line.len)
			read(make, line.buf);
		strbuf_reset(&line);
	}
}

static bool has_base_name(const char *name, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(path_name(list->items[i]), path_name(name)))
			return true;
	return false;
}

void buildfiles_make(const char *text, struct strv *out)
{
	struct make make = { 0 };

	each_line(text, read_make_line, &make);
	for (size_t i = 0; i < sizeof program_variables / sizeof *program_variables; i++) {
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
		const char *value = variable(&make.known, program_variables[i], strlen(program_variables[i]));

		expand(&make.known, value ?: "", 0, &words);
		add_programs(&make.phony, words.buf, &make.named);
	}
	/* A variable alone may hold anything; beside rules that link, it says which of their programs matters. */
	for (size_t i = 0; i < make.linked.n; i++)
		if (has_base_name(make.linked.items[i], &make.named))
			strv_push_new(out, make.linked.items[i]);
	for (size_t i = 0; i < make.named.n; i++)
		if (!has_base_name(make.named.items[i], out))
			strv_push_new(out, make.named.items[i]);
	for (size_t i = 0; i < make.linked.n; i++)
		strv_push_new(out, make.linked.items[i]);
	for (size_t i = 0; i < make.all.n; i++)
		strv_push_new(out, make.all.items[i]);
	strv_release(&make.known);
	strv_release(&make.phony);
	strv_release(&make.targets);
	strv_release(&make.named);
	strv_release(&make.linked);
	strv_release(&make.all);
}

/* -------- CMake and Meson: calls with words between parentheses */

/* TEXT without what stands behind # up to the end of its line; for free(). */
static char *without_comments(const char *text)
{
	struct strbuf out = STRBUF_INIT;

	for (size_t len; *text; text += len) {
		len = strcspn(text, "#");
		strbuf_add(&out, text, len);
		text += len;
		len = strcspn(text, "\n");
	}
	return strbuf_take(&out);
}

/* The next call at or behind TEXT: its name, and where its first argument begins; NULL when there is none. */
static const char *next_call(const char *text, const char **name_out, size_t *len_out)
{
	while (*text) {
		size_t len;

		text += strcspn(text, word_bytes);
		len = strspn(text, word_bytes);
		*name_out = text;
		*len_out = len;
		text += len;
		if (len && text[strspn(text, blanks)] == '(') {
			text += strspn(text, blanks) + 1;
			return text + strspn(text, " \t\r\n");
		}
	}
	return NULL;
}

/* The word at *AT, expanded, in or out of quotation marks; *AT moves behind it. For free(). */
static char *next_word(const struct strv *known, const char **at)
{
	struct strbuf out = STRBUF_INIT;
	bool quoted = **at == '"';
	size_t len = quoted ? strcspn(*at + 1, "\"") : strcspn(*at, " \t\r\n)\"");
	CLEANUP(free_ptr) char *word = xstrndup(*at + quoted, len);

	expand(known, word, 0, &out);
	*at += len + quoted + (quoted && (*at)[len + 1] == '"');
	*at += strspn(*at, " \t\r\n");
	return strbuf_take(&out);
}

/* The file of TARGET is called otherwise where its properties, which AT stands among, say OUTPUT_NAME. */
static void rename_target(const struct strv *known, const char *at, const char *target, struct strv *out)
{
	size_t len = strcspn(at, ")");
	CLEANUP(free_ptr) char *properties = xstrndup(at, len), *name = NULL;
	const char *key = strstr(properties, "OUTPUT_NAME");

	if (!key || !strchr(" \t\r\n", key[11]))
		return;
	key += 11 + strspn(key + 11, " \t\r\n");
	name = next_word(known, &key);
	for (size_t i = 0; i < out->n && buildfiles_plain(name); i++)
		if (!strcmp(out->items[i], target)) {
			free(out->items[i]);
			out->items[i] = take_ptr(&name);
			return;
		}
}

void buildfiles_cmake(const char *text, struct strv *known, struct strv *out)
{
	CLEANUP(free_ptr) char *bare = without_comments(text);
	const char *name, *at = bare;
	size_t len;

	while ((at = next_call(at, &name, &len))) {
		CLEANUP(free_ptr) char *first = next_word(known, &at), *second = *at == ')' ? xstrdup("") : next_word(known, &at);

		if (len == 7 && !strncasecmp(name, "project", len))
			set_variable(known, "PROJECT_NAME", 12, first, false);
		else if (len == 3 && !strncasecmp(name, "set", len))
			set_variable(known, first, strlen(first), second, false);
		else if (len == 14 && !strncasecmp(name, "add_executable", len) && strcmp(second, "ALIAS") && strcmp(second, "IMPORTED"))
			add_name(out, first, strlen(first));
		else if (len == 21 && !strncasecmp(name, "set_target_properties", len))
			rename_target(known, at, first, out);
	}
}

void buildfiles_meson(const char *text, struct strv *known, struct strv *out)
{
	CLEANUP(free_ptr) char *bare = without_comments(text);
	const char *name, *at = bare;
	size_t len;

	while ((at = next_call(at, &name, &len))) {
		bool program = len == 10 && !strncmp(name, "executable", len), project = len == 7 && !strncmp(name, "project", len);
		const char *own = program && text_starts(at, "meson.project_name()") ? variable(known, "project", 7) : NULL;

		if (own)
			add_name(out, own, strlen(own));
		if (*at != '\'')
			continue;
		if (program) {
			add_name(out, at + 1, strcspn(at + 1, "'\n"));
		} else if (project) {
			CLEANUP(free_ptr) char *value = xstrndup(at + 1, strcspn(at + 1, "'\n"));

			set_variable(known, "project", 7, value, false);
		}
	}
}

/* -------- TOML: sections of lines `key = "value"` */

/* The key of LINE, when it is that one: its value with blanks and quotation marks off; NULL else. For free(). */
static char *value_of(const char *line, size_t len, const char *key)
{
	size_t n = strlen(key);
	const char *at = line + strspn(line, blanks), *end = line + len;

	if (strncmp(at, key, n))
		return NULL;
	at += n + strspn(at + n, blanks);
	if (at >= end || *at != '=')
		return NULL;
	at += 1 + strspn(at + 1, blanks);
	if (at < end && strchr("\"'", *at))
		return xstrndup(at + 1, strcspn(at + 1, "\"'\n"));
	return xstrndup(at, at < end ? (size_t)(end - at) : 0);
}

/* What stands in quotation marks in TEXT up to a closing bracket. */
static void add_quoted(const char *text, struct strv *out)
{
	for (; *text && *text != ']'; text++)
		if (*text == '"' || *text == '\'') {
			size_t len = strcspn(text + 1, "\"'\n");

			add_name(out, text + 1, len);
			text += len + (text[len + 1] != '\0');
		}
}

void buildfiles_cargo(const char *text, struct cargo_file *out)
{
	char section[32] = "";

	for (size_t len; *text; text += len + (text[len] != '\0')) {
		CLEANUP(free_ptr) char *name = NULL, *other = NULL;

		len = strcspn(text, "\n");
		if (*text == '[') {
			snprintf(section, sizeof section, "%.*s", (int)strcspn(text, " \t\r\n"), text);
			continue;
		}
		name = value_of(text, len, "name");
		if (name && !strcmp(section, "[package]") && buildfiles_plain(name) && !out->package)
			out->package = xstrdup(name);
		if (name && !strcmp(section, "[[bin]]"))
			add_name(&out->programs, name, strlen(name));
		other = value_of(text, len, "members");
		if (other && !strcmp(section, "[workspace]"))
			add_quoted(strchr(text, '=') + 1, &out->members);
	}
}

void buildfiles_cargo_release(struct cargo_file *file)
{
	free(file->package);
	strv_release(&file->programs);
	strv_release(&file->members);
}

/* -------- Python: what an installed package can be started as, `name = module:function` */

/* The word of TEXT that ends before *END, blanks and quotation marks off; *END moves to its begin. */
static size_t word_before(const char *text, const char **end, const char *bytes)
{
	const char *at = *end, *last;

	while (at > text && strchr(" \t\"'", at[-1]))
		at--;
	last = at;
	while (at > text && at[-1] && strchr(bytes, at[-1]))
		at--;
	*end = at;
	return (size_t)(last - at);
}

static void add_entries(const char *text, size_t len, struct strv *out)
{
	CLEANUP(free_ptr) char *region = xstrndup(text, len);

	for (char *colon = region; (colon = strchr(colon, ':')); colon++) {
		const char *at = colon, *module, *name;
		size_t module_len = word_before(region, &at, name_bytes), function_len = strspn(colon + 1, word_bytes), name_len;

		module = at;
		while (at > region && strchr(" \t\"'", at[-1]))
			at--;
		if (!module_len || !function_len || at == region || at[-1] != '=')
			continue;
		at--;
		name_len = word_before(region, &at, name_bytes);
		name = at;
		if (name_len && !memchr(module, '/', module_len))
			strv_pushf(out, "%.*s=%.*s:%.*s", (int)name_len, name, (int)module_len, module, (int)function_len, colon + 1);
	}
}

void buildfiles_python(const char *text, struct strv *out)
{
	static const struct {
		const char *begins, *ends;
	} regions[] = {
		{ "[project.scripts]", "\n[" }, { "[tool.poetry.scripts]", "\n[" }, { "console_scripts", "\n[" },
	};

	for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
		const char *at = strstr(text, regions[i].begins), *end;

		if (!at)
			continue;
		at += strlen(regions[i].begins);
		end = strstr(at, regions[i].ends);
		add_entries(at, end ? (size_t)(end - at) : strlen(at), out);
	}
}
