#include "scenario/expand.h"

#include "base/mem.h"
#include "base/parse.h"
#include "scenario/values.h"

static const char *const builtins[] = { "port", "scenario_dir", "out", "tmp" };
enum { BUILTINS = sizeof builtins / sizeof *builtins };

bool expand_is_builtin(const char *name)
{
	for (size_t i = 0; i < BUILTINS; i++)
		if (!strcmp(builtins[i], name))
			return true;
	return false;
}

/* What TEXT begins with: plain characters, or a name between ${ and }. */
struct piece {
	enum { PIECE_PLAIN, PIECE_NAME, PIECE_OPEN } kind;	/* PIECE_OPEN: ${ without its } */
	const char *start;
	size_t len;
	const char *rest;	/* the text after it */
};

static struct piece first_piece(const char *text)
{
	const char *end;
	size_t plain = strcspn(text, "$");

	if (plain)
		return (struct piece){ PIECE_PLAIN, text, plain, text + plain };
	if (text[1] != '{')
		return (struct piece){ PIECE_PLAIN, text, 1, text + (text[1] == '$' ? 2 : 1) };
	end = strchr(text, '}');
	if (!end)
		return (struct piece){ PIECE_OPEN, text, strlen(text), text + strlen(text) };
	return (struct piece){ PIECE_NAME, text + 2, (size_t)(end - text) - 2, end + 1 };
}

static const char *find_variable(const struct scenario *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->n_vars; i++)
		if (!strcmp(scenario->vars[i].name, name))
			return scenario->vars[i].value;
	return NULL;
}

/* NAME of port.NAME, "" of port itself, NULL of anything else. */
static const char *port_name(const char *name)
{
	if (!strcmp(name, "port"))
		return "";
	return !strncmp(name, "port.", 5) && text_made_of(name + 5, "_-") ? name + 5 : NULL;
}

static bool known(const struct scenario *scenario, const char *name)
{
	return find_variable(scenario, name) || expand_is_builtin(name) || port_name(name);
}

/*
 * The place in the source of the piece that is written SHOWN, a byte string that starts with "${".
 * It is searched from the node on, because quotes, escapes and folding may stand in between.
 */
static struct place place_of(const struct source *source, const struct node *node, const char *shown, size_t len)
{
	const char *from = source->text + node->offset, *end = source->text + source->len, *hit;

	while ((hit = memmem(from, (size_t)(end - from), shown, len))) {
		size_t dollars = 0;

		while (hit - dollars > source->text && hit[-1 - (ptrdiff_t)dollars] == '$')
			dollars++;
		if (dollars % 2 == 0)
			return source_place(source, (size_t)(hit - source->text));
		from = hit + 1;
	}
	return node->at;
}

static int unknown_name(struct source *source, struct place at, const char *name)
{
	const struct scenario *scope = source->scope;
	CLEANUP(free_ptr) const char **names = xcalloc(scope->n_vars + BUILTINS, sizeof *names);
	const char *near;

	for (size_t i = 0; i < scope->n_vars; i++)
		names[i] = scope->vars[i].name;
	for (size_t i = 0; i < BUILTINS; i++)
		names[scope->n_vars + i] = builtins[i];
	near = nearest(name, names, scope->n_vars + BUILTINS);
	if (near)
		return source_fault(source, at,
				    "unknown name '%.60s'; did you mean '%s'? For the shell's own, write $${%.60s}",
				    name, near, name);
	return source_fault(source, at, "unknown name '%.60s'; for the shell's own, write $${%.60s}", name, name);
}

int expand_check(struct source *source, const struct node *node)
{
	for (const char *text = node->text; source->scope && *text;) {
		struct piece piece = first_piece(text);
		CLEANUP(free_ptr) char *name = NULL;

		if (piece.kind == PIECE_OPEN)
			return source_fault(source, place_of(source, node, text, strcspn(text, "\n")),
					    "'${' without its '}'; for these characters as they are, write $${");
		if (piece.kind == PIECE_NAME) {
			name = xstrndup(piece.start, piece.len);
			if (!known(source->scope, name))
				return unknown_name(source, place_of(source, node, text, piece.len + 3), name);
		}
		text = piece.rest;
	}
	return 0;
}

static char *place(const char *text, const struct plan_context *context)
{
	return context->place ? context->place(context->places, text) : xstrdup(text);
}

static int expand_name(const char *name, const struct scenario *scenario, const struct plan_context *context,
		       struct strbuf *out, struct error *err)
{
	const char *variable = find_variable(scenario, name), *port = port_name(name);
	CLEANUP(free_ptr) char *placed = variable ? place(variable, context) : NULL;
	const char *value = placed;
	int number;

	if (!value && port) {
		number = context->port(context->ctx, port, err);
		if (number < 0)
			return -1;
		strbuf_addf(out, "%d", number);
		return 0;
	}
	if (!strcmp(name, "scenario_dir"))
		value = context->scenario_dir;
	else if (!strcmp(name, "out"))
		value = context->out;
	else if (!strcmp(name, "tmp"))
		value = context->tmp;
	if (!value)
		return error_set(err, ERR_INPUT, "unknown name '%.60s'", name);
	strbuf_adds(out, value);
	return 0;
}

int expand_text(const char *from, const struct scenario *scenario, const struct plan_context *context,
		struct strbuf *out, struct error *err)
{
	CLEANUP(free_ptr) char *placed = place(from, context);
	const char *text = placed;

	while (*text) {
		struct piece piece = first_piece(text);
		CLEANUP(free_ptr) char *name = xstrndup(piece.start, piece.len);

		if (piece.kind == PIECE_OPEN)
			return error_set(err, ERR_INPUT, "'${' without its '}' in '%.60s'", text);
		if (piece.kind == PIECE_PLAIN)
			strbuf_add(out, piece.start, piece.len);
		else if (expand_name(name, scenario, context, out, err) < 0)
			return -1;
		text = piece.rest;
	}
	return 0;
}

char *expand_vars(const char *text, const struct scenario *scenario)
{
	struct strbuf out = STRBUF_INIT;

	if (!text)
		return NULL;
	while (*text) {
		struct piece piece = first_piece(text);
		CLEANUP(free_ptr) char *name = xstrndup(piece.start, piece.len);
		const char *value = piece.kind == PIECE_NAME ? find_variable(scenario, name) : NULL;

		strbuf_add(&out, value ?: text, value ? strlen(value) : (size_t)(piece.rest - text));
		text = piece.rest;
	}
	return strbuf_take(&out);
}

static int stand_in_port(void *ctx, const char *name, struct error *err)
{
	(void)ctx;
	(void)name;
	(void)err;
	return 1;
}

char *expand_sample(const struct source *source, const char *text)
{
	static const struct plan_context stand_ins = {
		.root = "/", .scenario_dir = "/dir", .out = "/dir", .tmp = "/dir", .port = stand_in_port,
	};
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	if (!source->scope || expand_text(text, source->scope, &stand_ins, &out, NULL) < 0)
		return xstrdup(text);
	return strbuf_take(&out);
}
