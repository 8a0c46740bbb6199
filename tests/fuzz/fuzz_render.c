/*
 * Hostile text in every string of a result and a profile, through every renderer. No line becomes a command, control
 * characters and hidden characters are removed, and markup stays valid.
 *
 * The input is pieces of text, separated by NULs; its first byte selects the sample. Each free string of the result is
 * replaced by a piece and a number. The numbers keep the strings different, as some must be.
 */
#include "../unit/report_samples.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/stacks.h"
#include "report/formats/report.h"
#include "store/store.h"
#include "fuzz.h"

enum { PIECES_MOST = 16, STRINGS_MOST = 4096, TAGS_MOST = 256 };

struct pieces {
	char *items[PIECES_MOST];
	size_t n;
};

struct template {
	char *json;
	bool free[STRINGS_MOST];	/* true if the string with this number may have any text */
	bool ready;
};

static void fail(const char *what, const char *at)
{
	fprintf(stderr, "%s: %.300s\n", what, at);
	abort();
}

/* -------- characters that no output may contain; not taken from base/text.c, which is under test */

static bool is_hidden(uint32_t c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x34f || c == 0x61c ||
	       c == 0x115f || c == 0x1160 || c == 0x180e || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0x3164 || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff || c == 0xffa0 ||
	       (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff) || (c & 0xfffe) == 0xfffe;
}

static bool is_blank(uint32_t c)
{
	return c == ' ' || c == '\t' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f ||
	       c == 0x3000;
}

static void check_plain(const struct strbuf *text)
{
	bool begun = false;
	uint32_t code;
	size_t len;

	if (strlen(text->buf) != text->len)
		fail("a NUL", text->buf);
	if (strstr(text->buf, "##["))
		fail("a command", strstr(text->buf, "##["));
	for (const char *p = text->buf; *p; p += len) {
		len = utf8_decode(p, &code);
		if (!len || is_hidden(code))
			fail("a character that is not shown", p);
		if (!begun && !strncmp(p, "::", 2))
			fail("a command", p);
		begun = code != '\n' && (begun || !is_blank(code));
	}
}

/* Checks that every line is one complete command, written by pawl. */
static void check_annotations(struct strbuf *text)
{
	for (char *line = text->buf; *line;) {
		size_t len = strcspn(line, "\n"), at = !strncmp(line, "::error ", 8) ? 8 : !strncmp(line, "::warning ", 10) ? 10 : 0;

		if (!at || !line[len] || !strstr(line + at, "::"))
			fail("no annotation", line);
		/* The rest of the line is checked like other text. */
		line[0] = line[1] = '-';
		line += len + 1;
	}
	check_plain(text);
}

/* -------- markup: every tag closed, every quotation mark, < and & accounted for */

struct tag {
	const char *name;
	size_t len;
};

static const char *skip_name(const char *p)
{
	return p + strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:");
}

static const char *skip_reference(const char *p)
{
	const char *end = p + 1 + strspn(p + 1, "#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

	if (*end != ';' || end == p + 1)
		fail("a bare &", p);
	return end + 1;
}

/* Returns the end of the quoted value at P, after its closing quotation mark. */
static const char *skip_value(const char *p)
{
	char quote = *p++;

	while (*p != quote) {
		if (!*p || *p == '<')
			fail("an attribute does not end", p);
		p = *p == '&' ? skip_reference(p) : p + 1;
	}
	return p + 1;
}

static const char *skip_attributes(const char *p)
{
	while (*p && *p != '>' && *p != '/') {
		const char *start = p;

		p = skip_name(p + strspn(p, " \n\t"));
		if (*p == '=' && (p[1] == '"' || p[1] == '\''))
			p = skip_value(p + 1);
		if (p == start)
			fail("no attribute", p);
	}
	return p;
}

static bool is_void(const char *name, size_t len)
{
	static const char *const names[] = { "meta", "link", "br", "hr", "img", "input", "col", "wbr" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i]) == len && !strncmp(names[i], name, len))
			return true;
	return false;
}

/* Skips text without markup: comments, declarations, style sheets, scripts. */
static const char *skip_raw(const char *p, bool *raw)
{
	static const struct {
		const char *start, *end;
	} kinds[] = { { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<!", ">" }, { "<?", "?>" }, { "<style", "</style>" }, { "<script", "</script>" } };

	*raw = true;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (!strncasecmp(p, kinds[i].start, strlen(kinds[i].start))) {
			const char *end = strcasestr(p, kinds[i].end);

			if (!end)
				fail("does not end", p);
			return end + strlen(kinds[i].end);
		}
	*raw = false;
	return p;
}

static void check_markup(const struct strbuf *text, bool html)
{
	struct tag open[TAGS_MOST];
	const char *p = text->buf;
	size_t n = 0;
	bool raw;

	while (*p) {
		const char *name = p + 1 + (p[1] == '/'), *end = skip_name(name);

		if (*p == '&') {
			p = skip_reference(p);
			continue;
		}
		if (*p != '<') {
			p++;
			continue;
		}
		p = skip_raw(p, &raw);
		if (raw)
			continue;
		if (end == name)
			fail("a bare <", p);
		if (p[1] == '/') {
			if (!n-- || open[n].len != (size_t)(end - name) || strncmp(open[n].name, name, open[n].len))
				fail("closes what is not open", p);
			p = end;
		} else {
			p = skip_attributes(end);
			if (*p == '/')
				p++;
			else if (!html || !is_void(name, (size_t)(end - name))) {
				if (n == TAGS_MOST)
					fail("too deep", name);
				open[n++] = (struct tag){ name, (size_t)(end - name) };
			}
		}
		if (*p++ != '>')
			fail("a tag does not end", name);
	}
	if (n)
		fail("is not closed", open[n - 1].name);
}

/* -------- a result with other strings */

static void take_pieces(const uint8_t *data, size_t size, struct pieces *out)
{
	while (size && out->n < PIECES_MOST) {
		size_t len = strnlen((const char *)data, size);

		out->items[out->n++] = xstrndup((const char *)data, len);
		data += len;
		size -= len;
		data += size > 0;
		size -= size > 0;
	}
}

static void release_pieces(struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->n; i++)
		free(pieces->items[i]);
}

/* Calls EACH for the strings below VALUE, in order. */
static void each_string(cJSON *value, size_t *number, void (*each)(cJSON *string, size_t number, void *ctx), void *ctx)
{
	cJSON *child;

	if (cJSON_IsString(value) && *number < STRINGS_MOST)
		each(value, (*number)++, ctx);
	cJSON_ArrayForEach(child, value)
		each_string(child, number, each, ctx);
}

static bool parses(const char *json, struct result *out)
{
	struct error err = ERROR_INIT;

	return result_parse(json, strlen(json), "sample", out, &err) == 0;
}

struct probe {
	cJSON *tree;
	struct template *template;
};

/* Records whether the result can still be read if this string has another text. */
static void try_one(cJSON *string, size_t number, void *ctx)
{
	struct probe *probe = ctx;
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *json = NULL;
	char *before = string->valuestring;

	string->valuestring = xstrdup("no such word");
	json = cJSON_PrintUnformatted(probe->tree);
	probe->template->free[number] = parses(json, &result);
	free(string->valuestring);
	string->valuestring = before;
}

static struct template *template_of(size_t sample)
{
	static struct template templates[SAMPLES];
	struct template *t = &templates[sample];
	struct probe probe = { .template = t };
	struct result result = { 0 };
	size_t number = 0;

	if (t->ready)
		return t;
	samples[sample].fill(&result);
	/* One of the names is not a valid scenario name, and a file could not contain it. */
	for (size_t i = 0; i < result.n_scenarios; i++) {
		struct scenario_result *s = &result.scenarios[i];

		s->name = arena_printf(&s->arena, "scenario-%zu", i);
	}
	t->json = result_format(&result);
	result_release(&result);
	probe.tree = cJSON_Parse(t->json);
	each_string(probe.tree, &number, try_one, &probe);
	cJSON_Delete(probe.tree);
	t->ready = true;
	return t;
}

struct filling {
	const struct template *template;
	const struct pieces *pieces;
};

static void fill(cJSON *string, size_t number, void *ctx)
{
	struct filling *filling = ctx;
	struct strbuf text = STRBUF_INIT;

	if (!filling->template->free[number])
		return;
	strbuf_addf(&text, "%s%zu", filling->pieces->items[number % filling->pieces->n], number);
	free(string->valuestring);
	string->valuestring = strbuf_take(&text);
}

static void render_one(const struct result *result, size_t given, const char *name, report_fn *render)
{
	const struct report_options options = { .verbose = given % 2, .width = given % 3 ? 0 : 40 };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	render(result, &options, &out);
	check_plain(&out);
	if (render == report_html || render == report_junit)
		check_markup(&out, render == report_html);
	/* An untrusted string may appear several times, and grows when escaped; its share stays bounded. */
	if (out.len > 200 * given + (2 << 20))
		fail("too much", name);
}

static void render_all(const struct result *result, size_t given)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; report_formats[i]; i++)
		render_one(result, given, report_formats[i], report_format_find(report_formats[i]));
	render_one(result, given, "typed", report_typed);
	report_annotations(result, &out);
	check_annotations(&out);
}

static void check_result(size_t sample, const struct pieces *pieces)
{
	struct filling filling = { template_of(sample), pieces };
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *json = NULL;
	cJSON *tree = cJSON_Parse(filling.template->json);
	size_t number = 0;

	each_string(tree, &number, fill, &filling);
	/* cJSON's printer would pass on invalid UTF-8, which a result cannot contain. */
	json = json_print(tree);
	if (parses(json, &result))
		render_all(&result, strlen(json));
}

/* -------- a profile of the same pieces */

static const char *piece(const struct pieces *pieces, size_t i)
{
	return pieces->items[i % pieces->n];
}

static void check_profile(const struct pieces *pieces)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct flame_options options = {
		.title = piece(pieces, 0), .subtitle = piece(pieces, 2),
		.side = { { .label = piece(pieces, 4) }, { .label = piece(pieces, 3) } },
	};
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < pieces->n; i++)
		strbuf_addf(&text, "%s;%s %zu\n", pieces->items[i], piece(pieces, i + 1), i + 1);
	if (folded_read(text.buf, text.len, &stacks, &err) < 0)
		return;
	if (folded_write(&stacks, FOLDED_BY_TEXT, &out, &err) < 0)
		fail("not written", err.msg);
	check_plain(&out);
	for (int diff = 0; diff < 2; diff++) {
		strbuf_reset(&out);
		flame_svg(&stacks, diff ? &stacks : NULL, &options, &out);
		check_plain(&out);
		check_markup(&out, false);
		strbuf_reset(&out);
		flame_piece(&stacks, diff ? &stacks : NULL, &options, &out);
		check_plain(&out);
		check_markup(&out, true);
		strbuf_reset(&out);
		flame_json(&stacks, diff ? &stacks : NULL, &options, &out);
		check_plain(&out);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pieces pieces = { .n = 0 };

	if (size < 2 || size > 4096)
		return 0;
	take_pieces(data + 1, size - 1, &pieces);
	check_result(data[0] % SAMPLES, &pieces);
	check_profile(&pieces);
	release_pieces(&pieces);
	return 0;
}
