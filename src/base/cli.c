#include "base/cli.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/parse.h"

struct parser {
	const struct option_spec *specs;
	size_t n;
	uint64_t taken;
	char *const *argv;
	void *into;
	struct error *err;
};

static const struct option_spec *by_name(const struct parser *p, const char *name, size_t len)
{
	for (size_t i = 0; i < p->n; i++)
		if ((p->specs[i].id & p->taken) && strlen(p->specs[i].name) == len && !strncmp(p->specs[i].name, name, len))
			return &p->specs[i];
	return NULL;
}

static const struct option_spec *by_letter(const struct parser *p, char letter)
{
	for (size_t i = 0; i < p->n; i++)
		if ((p->specs[i].id & p->taken) && p->specs[i].letter == letter)
			return &p->specs[i];
	return NULL;
}

static int unknown(const struct parser *p, const char *name, size_t len)
{
	const char *names[64], *near;
	char *word = xstrndup(name, len);
	size_t n = 0;

	for (size_t i = 0; i < p->n && n < 64; i++)
		if (p->specs[i].id & p->taken)
			names[n++] = p->specs[i].name;
	near = nearest(word, names, n);
	if (near)
		error_set(p->err, ERR_INPUT, "unknown option --%.60s; did you mean --%s?", word, near);
	else
		error_set(p->err, ERR_INPUT, "unknown option --%.60s; --help lists them", word);
	free(word);
	return -1;
}

static bool takes_value(const struct option_spec *spec)
{
	return spec->kind != OPTION_FLAG && spec->kind != OPTION_COUNTER;
}

static int set_choice(const struct option_spec *spec, const char *value, const char **slot, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;

	for (const char *const *c = spec->choices; *c; c++) {
		if (!strcmp(*c, value)) {
			*slot = *c;
			return 0;
		}
		strbuf_addf(&list, "%s%s", list.len ? ", " : "", *c);
	}
	return error_set(err, ERR_INPUT, "expected one of %s, found '%.60s'", list.buf, value);
}

static int set_number(const char *value, uint64_t most, uint64_t *slot, struct error *err)
{
	uint64_t number;

	if (parse_u64(value, &number, err) < 0)
		return -1;
	if (!number || number > most)
		return error_set(err, ERR_INPUT, "expected a number from 1 to %" PRIu64 ", found '%s'", most, value);
	*slot = number;
	return 0;
}

static int set_duration(const char *value, uint64_t *slot, struct error *err)
{
	uint64_t ns;

	if (parse_duration(value, &ns, err) < 0)
		return -1;
	if (!ns)
		return error_set(err, ERR_INPUT, "expected a time above zero, found '%s'", value);
	*slot = ns;
	return 0;
}

static int set_value(const struct option_spec *spec, const char *value, void *into, struct error *err)
{
	void *slot = (char *)into + spec->offset;

	switch (spec->kind) {
	case OPTION_FLAG:
		*(bool *)slot = true;
		return 0;
	case OPTION_COUNTER:
		++*(unsigned *)slot;
		return 0;
	case OPTION_TEXT:
		if (!*value)
			return error_set(err, ERR_INPUT, "expected %s, found nothing", spec->value);
		free(*(char **)slot);
		*(char **)slot = xstrdup(value);
		return 0;
	case OPTION_LIST:
		strv_push(slot, value);
		return 0;
	case OPTION_NUMBER:
		return set_number(value, OPTION_NUMBER_MAX, slot, err);
	case OPTION_PROCESS:
		return set_number(value, OPTION_PROCESS_MAX, slot, err);
	case OPTION_LARGE:
		return set_number(value, UINT64_MAX, slot, err);
	case OPTION_DURATION:
		return set_duration(value, slot, err);
	case OPTION_WAIT:
		return parse_duration(value, slot, err);
	case OPTION_CHOICE:
		return set_choice(spec, value, slot, err);
	}
	return 0;
}

static int apply(const struct parser *p, const struct option_spec *spec, const char *value)
{
	return set_value(spec, value, p->into, p->err) < 0 ? error_wrap(p->err, "--%s", spec->name) : 0;
}

/* Returns how many words of argv were used, or -1. */
static int parse_long(const struct parser *p, size_t at)
{
	const char *name = p->argv[at] + 2, *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_spec *spec = by_name(p, name, len);

	if (!spec)
		return unknown(p, name, len);
	if (!takes_value(spec)) {
		if (equals)
			return error_set(p->err, ERR_INPUT, "--%s takes no value", spec->name);
		return apply(p, spec, NULL) < 0 ? -1 : 1;
	}
	if (equals)
		return apply(p, spec, equals + 1) < 0 ? -1 : 1;
	if (!p->argv[at + 1])
		return error_set(p->err, ERR_INPUT, "--%s needs a value (%s)", spec->name, spec->value);
	return apply(p, spec, p->argv[at + 1]) < 0 ? -1 : 2;
}

static int parse_short(const struct parser *p, size_t at)
{
	for (const char *c = p->argv[at] + 1; *c; c++) {
		const struct option_spec *spec = by_letter(p, *c);

		if (!spec)
			return error_set(p->err, ERR_INPUT, "unknown option -%c; --help lists them", *c);
		if (!takes_value(spec)) {
			if (apply(p, spec, NULL) < 0)
				return -1;
			continue;
		}
		if (c[1])
			return apply(p, spec, c + 1) < 0 ? -1 : 1;
		if (!p->argv[at + 1])
			return error_set(p->err, ERR_INPUT, "-%c needs a value (%s)", *c, spec->value);
		return apply(p, spec, p->argv[at + 1]) < 0 ? -1 : 2;
	}
	return 1;
}

int options_parse(const struct option_spec *specs, size_t n, uint64_t taken, char *const *argv, void *into,
		  struct strv *rest, struct error *err)
{
	struct parser p = { specs, n, taken, argv, into, err };
	bool ended = false;

	for (size_t i = 0; argv[i];) {
		const char *word = argv[i];
		int used = 1;

		if (!ended && !strcmp(word, "--"))
			ended = true;
		else if (!ended && word[0] == '-' && word[1] == '-')
			used = parse_long(&p, i);
		else if (!ended && word[0] == '-' && word[1])
			used = parse_short(&p, i);
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
		spec = by_name(&p, word + 2, strlen(word + 2));
		return spec && takes_value(spec) ? spec : NULL;
	}
	for (const char *c = word + 1; *c; c++)
		if ((spec = by_letter(&p, *c)) && takes_value(spec))
			return c[1] ? NULL : spec;
	return NULL;
}

void options_shaping(const struct option_spec *specs, size_t n, const struct strv *words, struct strv *out)
{
	const struct parser p = { .specs = specs, .n = n, .taken = UINT64_MAX };

	for (size_t i = 0; i < words->n && strcmp(words->items[i], "--"); i++) {
		const char *word = words->items[i];
		size_t len = strcspn(word, "=");
		const struct option_spec *spec = len > 2 && word[0] == '-' ? by_name(&p, word + 2, len - 2) : NULL;
		bool value_follows = spec && takes_value(spec) && !word[len] && i + 1 < words->n;

		if (spec && (spec->id & OPTION_SHAPES))
			strv_push(out, word);
		if (value_follows && (spec->id & OPTION_SHAPES))
			strv_push(out, words->items[i + 1]);
		i += value_follows;
	}
}

void options_release(const struct option_spec *specs, size_t n, void *into)
{
	for (size_t i = 0; i < n; i++) {
		void *slot = (char *)into + specs[i].offset;

		if (specs[i].kind == OPTION_TEXT)
			free(*(char **)slot);
		else if (specs[i].kind == OPTION_LIST)
			strv_release(slot);
	}
}

static void help_name(const struct option_spec *spec, struct strbuf *out)
{
	if (spec->letter)
		strbuf_addf(out, "  -%c, --%s", spec->letter, spec->name);
	else
		strbuf_addf(out, "      --%s", spec->name);
	if (!takes_value(spec))
		return;
	strbuf_addc(out, ' ');
	if (!spec->choices) {
		strbuf_adds(out, spec->value);
		return;
	}
	for (const char *const *c = spec->choices; *c; c++)
		strbuf_addf(out, "%s%s", c == spec->choices ? "" : "|", *c);
}

void options_help(const struct option_spec *specs, size_t n, uint64_t taken, struct strbuf *out)
{
	enum { COLUMN = 30 };

	for (size_t i = 0; i < n; i++) {
		size_t from = out->len;

		if (!(specs[i].id & taken))
			continue;
		help_name(&specs[i], out);
		if (out->len - from >= COLUMN) {
			strbuf_addc(out, '\n');
			from = out->len;
		}
		strbuf_pad(out, ' ', COLUMN - (out->len - from));
		strbuf_addf(out, "%s\n", specs[i].help);
	}
}
