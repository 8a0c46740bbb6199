#include "base/regex.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Without repetitions, nothing of the longest is too large. */
enum { LONGEST = 1000, DEEPEST = 30, LARGEST = LONGEST + 1, PATHS_MOST = 256 };

static const double too_much = 1e9;

/*
 * A part of an expression as the library sees it. What is repeated is written out first. Then, from
 * every place, all ways on that take no character are followed, one by one wherever a loop is near: in
 * a sequence the ways through its parts multiply.
 */
struct part {
	double size;	/* written out */
	double empty;	/* ways through it that take no character */
	double paths;	/* the most such ways through what is in it; at least 1 */
};

/* An open group, or the whole: the alternatives before this one, this one, and its last item. */
struct level {
	struct part before, branch, last;
};

struct estimate {
	struct level levels[DEEPEST + 1];
	size_t depth;
	bool repeated;	/* the item before was a repeat */
};

/* {2,5}: from LOW to HIGH times; endless: any number from LOW on. */
struct repeat {
	double low, high;
	bool endless;
};

/* What comes behind an anchor is copied, with its condition. */
static const struct part nothing = { 0, 1, 1 }, character = { 1, 0, 1 }, anchor = { 1, 1, 2 };

static void open_level(struct level *level)
{
	*level = (struct level){ .branch = nothing, .last = nothing };
}

static void add_part(struct level *level, struct part part)
{
	level->branch.size += level->last.size;
	level->branch.empty *= level->last.empty;
	level->branch.paths *= level->last.paths;
	level->last = part;
}

static void end_branch(struct level *level)
{
	add_part(level, nothing);
	level->before.size += level->branch.size + 1;
	level->before.empty += level->branch.empty;
	level->before.paths = fmax(fmax(level->before.paths, level->branch.paths), level->before.empty);
	level->branch = nothing;
}

static void close_group(struct estimate *estimate)
{
	struct level *level = &estimate->levels[estimate->depth];

	end_branch(level);
	estimate->depth--;
	add_part(level - 1, level->before);
}

/* x{2,} becomes xxx*, and even x{0} is read once. */
static void repeat_last(struct part *last, const struct repeat *repeat)
{
	double high = repeat->endless ? repeat->low + 1 : repeat->high, copies = fmax(high, 1);

	if (high > repeat->low)
		last->paths = fmax(last->paths, last->empty + 1);
	last->size = fmin(last->size * copies, too_much);
	last->paths = fmin(pow(last->paths, copies), too_much);
	last->empty = fmin(pow(last->empty, repeat->low) * pow(last->empty + 1, fmax(high - repeat->low, 0)), too_much);
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
	return *text ? text : text - 1;
}

/* {3}, {3,}, {,5} and {3,5}; *TEXT becomes the closing brace. Other braces regcomp() refuses. */
static struct repeat read_braces(const char **text)
{
	struct repeat repeat;
	char *end;

	repeat.low = repeat.high = (double)strtoul(*text + 1, &end, 10);
	repeat.endless = end[0] == ',' && end[1] == '}';
	if (*end == ',')
		repeat.high = (double)strtoul(end + 1, &end, 10);
	if (*end == '}')
		*text = end;
	return repeat;
}

/* True when there is a repeat at *TEXT, whose last character it becomes. */
static bool read_repeat(const char **text, struct repeat *out)
{
	switch (**text) {
	case '*':
		*out = (struct repeat){ .endless = true };
		return true;
	case '+':
		*out = (struct repeat){ .low = 1, .endless = true };
		return true;
	case '?':
		*out = (struct repeat){ .high = 1 };
		return true;
	case '{':
		*out = read_braces(text);
		return true;
	default:
		return false;
	}
}

static bool is_anchor(const char *text)
{
	return strchr("^$", *text) || (text[0] == '\\' && text[1] && strchr("bB<>`'", text[1]));
}

/* Takes the item at TEXT, which is no repeat, into account; returns its last character. */
static const char *add_item(struct estimate *estimate, const char *text)
{
	struct level *level = &estimate->levels[estimate->depth];

	switch (*text) {
	case '(':
		estimate->depth++;
		open_level(level + 1);
		return text;
	case ')':
		if (!estimate->depth)
			break;
		close_group(estimate);
		return text;
	case '|':
		end_branch(level);
		return text;
	}
	add_part(level, is_anchor(text) ? anchor : character);
	if (*text == '[')
		return skip_bracket(text);
	return *text == '\\' && text[1] ? text + 1 : text;
}

static bool is_back_reference(const char *text)
{
	return text[0] == '\\' && text[1] >= '1' && text[1] <= '9';
}

static int take_repeat(struct estimate *estimate, const char *text, const char *end, const struct repeat *repeat,
		       struct error *err)
{
	if (estimate->repeated)
		return error_set(err, ERR_INPUT, "the repeat '%.*s' stands right behind another one; keep one of the two",
				 (int)(end + 1 - text), text);
	repeat_last(&estimate->levels[estimate->depth].last, repeat);
	estimate->repeated = true;
	return 0;
}

/* Takes the item at *AT, whose last character it becomes, into account. */
static int take_item(struct estimate *estimate, const char **at, struct error *err)
{
	const char *text = *at;
	struct repeat repeat;

	if (read_repeat(at, &repeat))
		return take_repeat(estimate, text, *at, &repeat, err);
	if (is_back_reference(text))
		return error_set(err, ERR_INPUT, "back-references such as %.2s are not taken", text);
	if (*text == '(' && estimate->depth == DEEPEST)
		return error_set(err, ERR_INPUT, "its groups are nested deeper than %d levels", DEEPEST);
	estimate->repeated = false;
	*at = add_item(estimate, text);
	return 0;
}

static int refuse_large(const char *text, struct error *err)
{
	struct estimate estimate = { .depth = 0 };
	const struct part *whole = &estimate.levels[0].before;

	if (strlen(text) > LONGEST)
		return error_set(err, ERR_INPUT, "it is longer than %d bytes", LONGEST);
	open_level(&estimate.levels[0]);
	for (const char *at = text; *at; at++)
		if (take_item(&estimate, &at, err) < 0)
			return -1;
	while (estimate.depth)
		close_group(&estimate);
	end_branch(&estimate.levels[0]);
	if (whole->size > LARGEST)
		return error_set(err, ERR_INPUT, "its repetitions make it too large; use smaller numbers, or *");
	if (whole->paths > PATHS_MOST)
		return error_set(err, ERR_INPUT, "its repetitions can match nothing in too many ways; repeat only what "
				 "matches something");
	return 0;
}

int regex_compile(regex_t *out, const char *text, int flags, struct error *err)
{
	regex_t regex;
	char words[200];
	int fault;

	if (refuse_large(text, err) < 0)
		return -1;
	fault = regcomp(&regex, text, flags | REG_EXTENDED);
	if (fault) {
		regerror(fault, &regex, words, sizeof words);
		return error_set(err, ERR_INPUT, "%s", words);
	}
	*out = regex;
	return 0;
}
