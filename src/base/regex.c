#include "base/regex.h"

#include <stdint.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/mem.h"
#include "base/text.h"

enum {
	LONGEST = 1000,
	NESTED_MOST = 100,		/* depth of nested parentheses */
	COMPILED_MOST = 256 << 10,	/* bytes */
	HEAP_MOST_KIB = 16 << 10,
	PATTERNS_MOST = 64,		/* those of the program's own tables of fields */
};

/*
 * A unit of work is about a nanosecond: one for a byte that is passed, STEP_WORK for a tried part of the expression.
 * Each byte of text raises the allowance, up to some tenths of a second, so that a long log does not exhaust it.
 */
enum { STEP_WORK = 32 };
static const uint64_t allowed_first = 100000000, allowed_byte = 16384, allowed_most = 400000000;

struct regex {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
	uint64_t allowed;	/* remaining work */
	size_t at;		/* position of the last step */
	bool spent;		/* a match took too long */
};

/* -------- compiling */

/* After its ']', or the end of the text. */
static const char *behind_brackets(const char *at)
{
	at += at[1] == '^' ? 2 : 1;
	at += *at == ']';
	while (*at && *at != ']') {
		const char *end = NULL;
		char close[3] = { 0, ']', '\0' };

		if (*at == '[' && at[1] && strchr(":.=", at[1])) {
			close[0] = at[1];
			end = strstr(at + 2, close);
		}
		if (end)
			at = end + 2;
		else
			at += *at == '\\' && at[1] ? 2 : 1;
	}
	return *at ? at + 1 : at;
}

/* Translates the constructs that PCRE2, or some of its versions, lacks. */
static void translate(const char *text, struct strbuf *out)
{
	while (*text) {
		const char *end = text + 1;

		if (*text == '[')
			end = behind_brackets(text);
		else if (*text == '\\' && text[1])
			end = text + 2;
		if (text_starts(text, "\\<"))
			strbuf_adds(out, "\\b(?=\\w)");
		else if (text_starts(text, "\\>"))
			strbuf_adds(out, "\\b(?<=\\w)");
		else if (text_starts(text, "{,"))
			strbuf_adds(out, "{0");
		else
			strbuf_add(out, text, (size_t)(end - text));
		text = end;
	}
}

/* A non-zero result ends the match. */
static int count_step(pcre2_callout_block *block, void *ctx)
{
	struct regex *regex = ctx;
	uint64_t work = STEP_WORK + (block->current_position > regex->at ? block->current_position - regex->at : 0);

	regex->at = block->current_position;
	if (work > regex->allowed)
		return PCRE2_ERROR_CALLOUT;
	regex->allowed -= work;
	return 0;
}

static pcre2_code *compile(const char *text, unsigned flags, int *fault)
{
	const uint32_t options = PCRE2_AUTO_CALLOUT | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C |
				 (flags & REGEX_LINES ? PCRE2_MULTILINE : PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY);
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	PCRE2_SIZE at;
	pcre2_code *code;

	if (!context)
		abort();
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	pcre2_set_parens_nest_limit(context, NESTED_MOST);
	code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options, fault, &at, context);
	pcre2_compile_context_free(context);
	return code;
}

int regex_compile(const char *text, unsigned flags, struct regex **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf translated = STRBUF_INIT;
	PCRE2_UCHAR words[200];
	struct regex *regex;
	pcre2_code *code;
	size_t size = 0;
	int fault;

	if (strlen(text) > LONGEST)
		return error_set(err, ERR_INPUT, "it is longer than %d bytes", LONGEST);
	translate(text, &translated);
	code = compile(translated.len ? translated.buf : "", flags, &fault);
	if (!code) {
		pcre2_get_error_message(fault, words, sizeof words);
		return error_set(err, ERR_INPUT, "%s", (const char *)words);
	}
	pcre2_pattern_info(code, PCRE2_INFO_SIZE, &size);
	if (size > COMPILED_MOST) {
		pcre2_code_free(code);
		return error_set(err, ERR_INPUT, "its repeats are too large");
	}
	regex = xcalloc(1, sizeof *regex);
	*regex = (struct regex){
		.code = code, .match = pcre2_match_data_create_from_pattern(code, NULL),
		.context = pcre2_match_context_create(NULL), .allowed = allowed_first,
	};
	if (!regex->match || !regex->context)
		abort();
	pcre2_set_heap_limit(regex->context, HEAP_MOST_KIB);
	pcre2_set_callout(regex->context, count_step, regex);
	*out = regex;
	return 0;
}

void regex_free(struct regex *regex)
{
	if (!regex)
		return;
	pcre2_match_context_free(regex->context);
	pcre2_match_data_free(regex->match);
	pcre2_code_free(regex->code);
	free(regex);
}

size_t regex_groups(const struct regex *regex)
{
	uint32_t n = 0;

	pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &n);
	return n;
}

/* -------- matching */

int regex_find(struct regex *regex, struct regex_text text, struct regex_span out[2], struct error *err)
{
	const PCRE2_SIZE *spans;
	int n = PCRE2_ERROR_CALLOUT;

	if (!regex->spent) {
		regex->allowed += text.len * allowed_byte;
		regex->allowed = regex->allowed < allowed_most ? regex->allowed : allowed_most;
		regex->at = text.from;
		n = pcre2_match(regex->code, (PCRE2_SPTR)text.s, text.len, text.from, text.flags & REGEX_NOT_AT_END ? PCRE2_NOTEOL : 0,
				regex->match, regex->context);
	}
	if (n == PCRE2_ERROR_NOMATCH)
		return 0;
	if (n < 0) {
		regex->spent = true;
		return error_set(err, ERR_INPUT, "it takes too long on a text of %zu bytes; repeat less within repeats", text.len);
	}
	spans = pcre2_get_ovector_pointer(regex->match);
	if (out) {
		out[0] = (struct regex_span){ spans[0], spans[1] };
		out[1] = n > 1 && spans[2] != PCRE2_UNSET ? (struct regex_span){ spans[2], spans[3] } : (struct regex_span){ 0, 0 };
	}
	return 1;
}

/* Compiling takes longer than checking a field, and a project has hundreds of files. */
static struct regex *field_pattern(const char *pattern)
{
	static struct {
		const char *pattern;
		struct regex *regex;
	} kept[PATTERNS_MOST];
	size_t i = 0;

	while (i < PATTERNS_MOST && kept[i].pattern && strcmp(kept[i].pattern, pattern))
		i++;
	/* The patterns are constants, so input cannot cause this. */
	if (i == PATTERNS_MOST || (!kept[i].pattern && regex_compile(pattern, 0, &kept[i].regex, NULL) < 0))
		abort();
	kept[i].pattern = pattern;
	return kept[i].regex;
}

bool regex_matches(const char *pattern, const char *text)
{
	return regex_find(field_pattern(pattern), (struct regex_text){ .s = text, .len = strlen(text) }, NULL, NULL) == 1;
}
