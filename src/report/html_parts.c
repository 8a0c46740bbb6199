#include "report/html_parts.h"

#include "report/markup.h"

const char *html_tone(enum tone tone)
{
	static const char *const classes[] = {
		[TONE_PLAIN] = "plain",
		[TONE_GOOD] = "good",
		[TONE_DOUBT] = "doubt",
		[TONE_BAD] = "bad",
	};

	return classes[tone];
}

static const char *sign_of(enum tone tone)
{
	static const char *const signs[] = {
		[TONE_PLAIN] = "\u2022",
		[TONE_GOOD] = "\u2713",
		[TONE_DOUBT] = "!",
		[TONE_BAD] = "\u2717",
	};

	return signs[tone];
}

void html_tag(struct strbuf *out, const char *word, enum tone tone)
{
	strbuf_addf(out, "<span class=\"tag %s\"><span aria-hidden=\"true\">%s</span> %s</span>", html_tone(tone),
		    sign_of(tone), word);
}

void html_tag_of(struct strbuf *out, enum standing standing)
{
	html_tag(out, standing_word(standing), standing_tone(standing));
}

void html_term(struct strbuf *out, const char *term, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, "<dt>%s</dt><dd>", term);
	markup_lines(out, text);
	strbuf_adds(out, "</dd>\n");
}

void html_terms(struct strbuf *out, const char *term, const struct strv *texts)
{
	if (texts->n)
		strbuf_addf(out, "<dt>%s</dt>", term);
	for (size_t i = 0; i < texts->n; i++) {
		strbuf_adds(out, "<dd>");
		markup_lines(out, texts->items[i]);
		strbuf_adds(out, "</dd>\n");
	}
}

void html_code_term(struct strbuf *out, const char *term, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, "<dt>%s</dt><dd><code>", term);
	markup_text(out, text);
	strbuf_adds(out, "</code></dd>\n");
}

void html_command(struct strbuf *out, const char *command)
{
	strbuf_adds(out, "<code class=\"command\">");
	markup_text(out, command);
	strbuf_adds(out, "</code>");
}
