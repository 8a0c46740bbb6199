#include "scenario/regex.h"

#include <regex.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "scenario/expand.h"
#include "scenario/values.h"

enum { LONGEST = 1000, DEEPEST = 30, LARGEST = 2000 };

/* How large an expression becomes with its repetitions written out, group by group. */
struct sizes {
	double all[DEEPEST + 1], last[DEEPEST + 1];	/* of the open groups; of the last item in each */
	size_t depth;
};

static void add_item(struct sizes *sizes, double size)
{
	sizes->all[sizes->depth] += size;
	sizes->last[sizes->depth] = size;
}

static void repeat(struct sizes *sizes, double times)
{
	double *last = &sizes->last[sizes->depth];

	sizes->all[sizes->depth] += *last * (times - 1);
	*last *= times;
}

static void close_group(struct sizes *sizes)
{
	double size;

	if (!sizes->depth)
		return;
	size = sizes->all[sizes->depth--] + 1;
	add_item(sizes, size);
}

/* The end of the bracket expression that starts at TEXT: a ] that is first stands for itself. */
static const char *skip_bracket(const char *text)
{
	text += text[1] == '^' ? 2 : 1;
	if (*text == ']')
		text++;
	while (*text && *text != ']') {
		const char kind = text[0] == '[' ? text[1] : '\0';

		text++;
		if (kind != ':' && kind != '.' && kind != '=')
			continue;
		for (text++; *text && !(text[0] == kind && text[1] == ']'); text++)
			;
		text += *text ? 2 : 0;
	}
	return text;
}

/* {3}, {3,} and {3,5}: the larger number. A brace before anything else stands for itself: 1. */
static double repetitions(const char *text)
{
	unsigned long low, high;
	char *end;

	if (!(text[1] >= '0' && text[1] <= '9') && text[1] != ',')
		return 1;
	low = strtoul(text + 1, &end, 10);
	high = *end == ',' ? strtoul(end + 1, NULL, 10) : 0;
	return (double)(low > high ? low : high) + 1;
}

static bool is_back_reference(const char *text)
{
	return text[0] == '\\' && text[1] >= '1' && text[1] <= '9';
}

/* Takes one item of the expression into account; returns its last character. */
static const char *measure_item(struct sizes *sizes, const char *text)
{
	switch (*text) {
	case '(':
		sizes->depth++;
		sizes->all[sizes->depth] = sizes->last[sizes->depth] = 0;
		return text;
	case ')':
		close_group(sizes);
		return text;
	case '*':
	case '?':
		return text;
	case '+':	/* x+ becomes xx* */
		repeat(sizes, 2);
		return text;
	case '{':
		repeat(sizes, repetitions(text));
		return text;
	case '[':
		text = skip_bracket(text);
		break;
	case '\\':
		text += text[1] ? 1 : 0;
		break;
	}
	add_item(sizes, 1);
	return *text ? text : text - 1;
}

int regex_refuse_large(const char *text, struct error *err)
{
	struct sizes sizes = { .depth = 0 };

	if (strlen(text) > LONGEST)
		return error_set(err, ERR_INPUT, "it is longer than %d bytes", LONGEST);
	for (const char *at = text; *at; at++) {
		if (is_back_reference(at))
			return error_set(err, ERR_INPUT, "back-references such as %.2s are not taken", at);
		if (*at == '(' && sizes.depth == DEEPEST)
			return error_set(err, ERR_INPUT, "its groups are nested deeper than %d levels", DEEPEST);
		at = measure_item(&sizes, at);
	}
	while (sizes.depth)
		close_group(&sizes);
	if (sizes.all[0] > LARGEST)
		return error_set(err, ERR_INPUT, "its repetitions make it too large; use smaller numbers, or *");
	return 0;
}

int regex_check(const char *text, struct error *err)
{
	char words[200];
	regex_t regex;
	int result;

	if (regex_refuse_large(text, err) < 0)
		return -1;
	result = regcomp(&regex, text, REG_EXTENDED | REG_NEWLINE | REG_NOSUB);
	if (!result) {
		regfree(&regex);
		return 0;
	}
	regerror(result, &regex, words, sizeof words);
	return error_set(err, ERR_INPUT, "%s", words);
}

int value_regex(struct source *source, const struct node_entry *entry, void *out)
{
	CLEANUP(free_ptr) char *text = NULL;
	CLEANUP(free_ptr) char *sample = NULL;
	struct error why = ERROR_INIT;
	char **slot = out;

	if (value_expanded(source, entry, &text) < 0)
		return -1;
	sample = expand_sample(source, text);
	if (regex_check(sample, &why) < 0)
		return source_fault(source, entry->value.at,
				    "the regular expression '%.60s' cannot be used: %s", text, why.msg);
	free(*slot);
	*slot = take_ptr(&text);
	return 0;
}
