#include "base/cli.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/parse.h"

struct parser {
	const struct option_spec *specs;
	size_t n;
	uint64_t taken;
	const struct gone_key *gone;
	void *into;
	struct error *err;
};

/* By the LEN bytes of its name, or by its letter if NAME is NULL. */
static const struct option_spec *find(const struct parser *p, const char *name, size_t len, char letter)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct option_spec *spec = &p->specs[i];

		if ((spec->id & p->taken) && (name ? strlen(spec->name) == len && !strncmp(spec->name, name, len)
						   : spec->letter == letter))
			return spec;
	}
	return NULL;
}

static bool takes_value(const struct option_spec *spec)
{
	return spec->kind != OPTION_FLAG && spec->kind != OPTION_COUNTER && spec->kind != OPTION_ELSEWHERE;
}

static int set_choice(const struct option_spec *spec, const char *value, const char **slot, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	CLEANUP(free_ptr) char *hint = NULL;
	size_t n = 0;

	for (const char *const *c = spec->choices; *c; c++, n++) {
		if (!strcmp(*c, value)) {
			*slot = *c;
			return 0;
		}
		strbuf_addf(&list, "%s%s", list.len ? ", " : "", *c);
	}
	hint = nearest_hint(value, spec->choices, n, "");
	return error_set(err, ERR_INPUT, "expected one of %s, found '%.60s'%s", list.buf, value, hint);
}

static int set_value(const struct option_spec *spec, const char *value, void *slot, struct error *err)
{
	uint64_t most = spec->kind == OPTION_NUMBER ? OPTION_NUMBER_MAX : spec->kind == OPTION_PROCESS ? OPTION_PROCESS_MAX : UINT64_MAX;
	uint64_t number;

	switch (spec->kind) {
	case OPTION_FLAG:
		*(bool *)slot = true;
		break;
	case OPTION_COUNTER:
		++*(unsigned *)slot;
		break;
	case OPTION_TEXT:
		if (!*value)
			return error_set(err, ERR_INPUT, "expected %s, found nothing", spec->value);
		free(*(char **)slot);
		*(char **)slot = xstrdup(value);
		break;
	case OPTION_LIST:
	case OPTION_TWO:
		strv_push(slot, value);
		break;
	case OPTION_NUMBER:
	case OPTION_PROCESS:
	case OPTION_LARGE:
		if (parse_u64(value, &number, err) < 0)
			return -1;
		if (!number || number > most)
			return error_set(err, ERR_INPUT, "expected a number from 1 to %" PRIu64 ", found '%s'", most, value);
		*(uint64_t *)slot = number;
		break;
	case OPTION_DURATION:
	case OPTION_WAIT:
		if (parse_duration(value, &number, err) < 0)
			return -1;
		if (!number && spec->kind == OPTION_DURATION)
			return error_set(err, ERR_INPUT, "expected a time above zero, found '%s'", value);
		*(uint64_t *)slot = number;
		break;
	case OPTION_CHOICE:
		return set_choice(spec, value, slot, err);
	case OPTION_TITLE:
	case OPTION_ELSEWHERE:
		break;
	}
	return 0;
}

/*
 * SHOWN is "--out" or "-o". The value is the ATTACHED text or the NEXT word, and the following one for an option of
 * two. Returns the number of words of argv used, or -1.
 */
static int apply(const struct parser *p, const struct option_spec *spec, const char *shown, const char *attached,
		 char *const *next)
{
	const char *value = takes_value(spec) && !attached ? *next : attached;
	int used = takes_value(spec) && !attached ? 2 : 1;
	void *slot = (char *)p->into + spec->offset;

	if (spec->kind == OPTION_ELSEWHERE)
		return error_set(p->err, ERR_INPUT, "there is no %s: %s", shown, spec->help);
	if (takes_value(spec) && (!value || (spec->kind == OPTION_TWO && !next[used - 1])))
		return error_set(p->err, ERR_INPUT, "%s needs %s (%s)", shown, spec->kind == OPTION_TWO ? "two values" : "a value",
				 spec->value);
	if (set_value(spec, value, slot, p->err) < 0)
		return error_wrap(p->err, "--%s", spec->name);
	if (spec->kind == OPTION_TWO)
		strv_push(slot, next[used++ - 1]);
	return used;
}

/* NEXT has the words after WORD, up to NULL. */
static int parse_long(const struct parser *p, const char *word, char *const *next)
{
	size_t len = strcspn(word, "="), n = 0;
	const struct option_spec *spec = find(p, word + 2, len - 2, 0);
	CLEANUP(free_ptr) char *shown = xstrndup(word, len);
	const char *names[64], *near;

	if (spec && word[len] && !takes_value(spec) && spec->kind != OPTION_ELSEWHERE)
		return error_set(p->err, ERR_INPUT, "%s takes no value", shown);
	if (spec)
		return apply(p, spec, shown, word[len] ? word + len + 1 : NULL, next);
	for (const struct gone_key *gone = p->gone; gone && gone->key; gone++)
		if (!strcmp(gone->key, shown))
			return error_set(p->err, ERR_INPUT, "there is no %s any more: %s", shown, gone->instead);
	for (size_t i = 0; i < p->n && n < 64; i++)
		if ((p->specs[i].id & p->taken) && p->specs[i].kind != OPTION_ELSEWHERE)
			names[n++] = p->specs[i].name;
	near = nearest(shown + 2, names, n);
	if (near)
		return error_set(p->err, ERR_INPUT, "unknown option %.62s; did you mean --%s?", shown, near);
	return error_set(p->err, ERR_INPUT, "unknown option %.62s; --help lists them", shown);
}

static int parse_short(const struct parser *p, const char *word, char *const *next)
{
	for (const char *c = word + 1; *c; c++) {
		const struct option_spec *spec = find(p, NULL, 0, *c);
		const char shown[] = { '-', *c, '\0' };

		if (!spec)
			return error_set(p->err, ERR_INPUT, "unknown option -%c; --help lists them", *c);
		if (takes_value(spec))
			return apply(p, spec, shown, c[1] ? c + 1 : NULL, next);
		if (apply(p, spec, shown, NULL, next) < 0)
			return -1;
	}
	return 1;
}

int options_parse(const struct option_set *set, char *const *argv, void *into, struct strv *rest, struct error *err)
{
	struct parser p = { set->specs, set->n, set->taken, set->gone, into, err };
	bool ended = false;

	for (size_t i = 0; argv[i];) {
		const char *word = argv[i];
		int used = 1;

		if (!ended && !strcmp(word, "--"))
			ended = true;
		else if (!ended && word[0] == '-' && word[1] == '-')
			used = parse_long(&p, word, &argv[i + 1]);
		else if (!ended && word[0] == '-' && word[1])
			used = parse_short(&p, word, &argv[i + 1]);
		else
			strv_push(rest, word);
		if (used < 0)
			return -1;
		i += (size_t)used;
	}
	return 0;
}

const struct option_spec *options_awaiting(const struct option_spec *specs, size_t n, uint64_t taken, const char *word)
{
	const struct parser p = { .specs = specs, .n = n, .taken = taken };
	const struct option_spec *spec = NULL;

	if (!strncmp(word, "--", 2)) {
		spec = find(&p, word + 2, strlen(word + 2), 0);
		return spec && takes_value(spec) ? spec : NULL;
	}
	for (const char *c = word + 1; *c; c++)
		if ((spec = find(&p, NULL, 0, *c)) && takes_value(spec))
			return c[1] ? NULL : spec;
	return NULL;
}

void options_shaping(const struct option_spec *specs, size_t n, const struct strv *words, struct arena *arena,
		     struct strv *out)
{
	const struct parser p = { .specs = specs, .n = n, .taken = UINT64_MAX };

	for (size_t i = 0; i < words->n && strcmp(words->items[i], "--"); i++) {
		const char *word = words->items[i];
		size_t len = strcspn(word, "=");
		const struct option_spec *spec = len > 2 && word[0] == '-' && word[1] == '-' ? find(&p, word + 2, len - 2, 0) :
						 word[0] == '-' && word[1] ? find(&p, NULL, 0, word[1]) : NULL;
		bool attached = word[1] == '-' ? word[len] : spec && word[2];
		size_t follow = spec && takes_value(spec) ? (attached ? 0 : 1) + (spec->kind == OPTION_TWO) : 0;

		if (spec && (spec->id & OPTION_SHAPES))
			arena_push(arena, out, word);
		for (; follow && i + 1 < words->n; follow--, i++)
			if (spec->id & OPTION_SHAPES)
				arena_push(arena, out, words->items[i + 1]);
	}
}

void options_release(const struct option_spec *specs, size_t n, void *into)
{
	for (size_t i = 0; i < n; i++) {
		void *slot = (char *)into + specs[i].offset;

		/* Commands may have separate rows for one option, so each value is freed once. */
		if (specs[i].kind == OPTION_TEXT)
			free(take_ptr((char **)slot));
		else if (specs[i].kind == OPTION_LIST || specs[i].kind == OPTION_TWO)
			strv_release(slot);
	}
}

static void add_option(struct strbuf *out, const struct option_spec *spec)
{
	enum { COLUMN = 26, WIDTH = 80 };
	CLEANUP(strbuf_release) struct strbuf choices = STRBUF_INIT;
	size_t from = out->len;

	strbuf_addf(out, spec->letter ? "  -%c, --%s" : "   %c  --%s", spec->letter ?: ' ', spec->name);
	if (takes_value(spec))
		strbuf_addf(out, " %s", spec->value);
	if (out->len - from >= COLUMN) {
		strbuf_addc(out, '\n');
		from = out->len;
	}
	strbuf_pad(out, ' ', COLUMN - (out->len - from));
	strbuf_adds(&choices, spec->help);
	for (const char *const *c = spec->choices; c && *c; c++)
		strbuf_addf(&choices, "%s%s", c == spec->choices ? ": " : ", ", *c);
	prose_add(out, choices.buf, COLUMN, WIDTH);
}

void options_help(const struct option_spec *specs, size_t n, uint64_t taken, bool all, struct strbuf *out)
{
	const char *title = NULL;

	for (const struct option_spec *spec = specs; spec < specs + n; spec++) {
		if (spec->kind == OPTION_TITLE)
			title = spec->help;
		if (!(spec->id & taken) || spec->kind == OPTION_ELSEWHERE || (!all && (spec->id & OPTION_RARE)))
			continue;
		if (title)
			strbuf_addf(out, "%s:\n", title);
		title = NULL;
		add_option(out, spec);
	}
}
