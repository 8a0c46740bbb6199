#include "cmd/reference/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/events.h"
#include "model/machine.h"
#include "model/metrics/metric.h"
#include "scenario/yaml.h"
#include "store/store.h"

static void add_part(struct strbuf *out, const char *line, const struct page_part *parts, const void *ctx)
{
	size_t len = strcspn(line, " ");

	while (parts->name && (strlen(parts->name) != len || strncmp(parts->name, line, len)))
		parts++;
	if (!parts->name)
		abort();	/* a source is wrong, which every print of it shows */
	parts->add(out, line + len + (line[len] == ' '), ctx);
}

void page_markdown(const struct page *page, const struct page_part *parts, const void *ctx, struct strbuf *out)
{
	for (const char *line = page->source; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		CLEANUP(free_ptr) char *text = xstrndup(line, strcspn(line, "\n"));

		if (*text == '@')
			add_part(out, text + 1, parts, ctx);
		else
			strbuf_addf(out, "%s\n", text);
	}
}

void page_row(struct strbuf *out, bool header, const char *const *cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_adds(out, i ? " " : "| ");
		for (const char *c = cells[i]; *c; c++)
			strbuf_addf(out, "%s%c", *c == '|' ? "\\" : "", *c);
		strbuf_adds(out, " |");
	}
	strbuf_addc(out, '\n');
	for (size_t i = 0; header && i < n; i++)
		strbuf_addf(out, "%s---|%s", i ? "" : "|", i + 1 == n ? "\n" : "");
}

/* -------- parts that tables of the program hold: the keys of files that people write */

static const struct {
	const char *name;
	const struct fields *root;
} files[] = {
	{ "scenario", &scenario_fields }, { "pawl.yaml", &config_fields }, { "result", &result_fields },
	{ "baseline", &baseline_fields },
};

static const struct fields *find_root(const char *name)
{
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (!strcmp(files[i].name, name))
			return files[i].root;
	abort();	/* a source is wrong, which every print of it shows */
}

static const struct fields *find_object(const struct fields *fields, const char *key)
{
	for (size_t i = 0; i < fields->n; i++)
		if (!strcmp(fields->items[i].key, key))
			return fields->items[i].object;
	return NULL;
}

static const char *of_definition(const char *name)
{
	static const char *const values[][2] = {
		{ "command", "a command" }, { "environment", "variables" }, { "regex", "an expression" }, { "jsonPath", "a path" },
		{ "gates", "a mapping" },
	};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (!strcmp(values[i][0], name))
			return values[i][1];
	return "";
}

static void add_words(struct strbuf *out, const char *const *words)
{
	for (const char *const *word = words; *word; word++)
		strbuf_addf(out, "%s`%s`", word == words ? "" : ", ", *word);
}

static void add_limits(struct strbuf *out, const struct field *field)
{
	if (field->type == FIELD_LIST && field->max > 0)
		strbuf_addf(out, ", at most %g", field->max);
	else if (field->type == FIELD_DOUBLE && field->max > 0)
		strbuf_addf(out, ", %g%% to %g%%", field->min, field->max);
}

/* Values of a key in files that people write. */
static void add_yaml_value(struct strbuf *out, const struct field *field)
{
	static const char *const values[] = {
		[FIELD_OWN] = "", [FIELD_TEXT] = "text", [FIELD_TEXTS] = "a word or a list", [FIELD_BOOL] = "`true`, `false`",
		[FIELD_U64] = "a duration", [FIELD_DOUBLE] = "a percentage", [FIELD_VERSION] = "`1`", [FIELD_OBJECT] = "a mapping",
		[FIELD_LIST] = "a list",
	};

	if (field->definition)
		strbuf_addf(out, "%s%s", of_definition(field->definition), field->object ? " or a mapping" : "");
	else if (field->words)
		add_words(out, field->words + (size_t)field->min);
	else if (field->type == FIELD_UNSIGNED || (field->type == FIELD_TEXT && field->min > 0))
		strbuf_addf(out, "%.0f to %.0f", field->min, field->max);
	else if (field->yaml == value_regex)
		strbuf_adds(out, "an expression");
	else
		strbuf_adds(out, values[field->type]);
	add_limits(out, field);
}

/* Values of a key in files that pawl writes. */
static void add_json_value(struct strbuf *out, const struct field *field)
{
	static const char *const values[] = {
		[FIELD_OWN] = "", [FIELD_TEXT] = "text", [FIELD_TEXTS] = "list of texts", [FIELD_BOOL] = "boolean",
		[FIELD_INT] = "whole number", [FIELD_UNSIGNED] = "whole number", [FIELD_U64] = "whole number",
		[FIELD_DOUBLE] = "number", [FIELD_OBJECT] = "object", [FIELD_LIST] = "list", [FIELD_LISTS] = "list of lists",
	};

	if (field->words)
		add_words(out, field->words);
	else if (field->schema)
		strbuf_adds(out, text_starts(field->schema, "{'type': 'string'") ? "text" :
				 text_starts(field->schema, "{'type': 'array'") ? "list" : "object");
	else if (field->type == FIELD_VERSION)
		strbuf_addf(out, "`%g`", field->max);
	else if (field->type == FIELD_OWN && field->object)
		strbuf_adds(out, values[FIELD_OBJECT]);
	else
		strbuf_adds(out, values[field->type]);
}

typedef void value_fn(struct strbuf *out, const struct field *field);

static void add_key(struct strbuf *out, const struct field *field, value_fn *add_value, const char *note)
{
	CLEANUP(strbuf_release) struct strbuf value = STRBUF_INIT;
	CLEANUP(free_ptr) char *key = text_printf("`%s`", field->key);
	CLEANUP(free_ptr) char *help = text_printf("%s%s", field->help ?: "", note);

	add_value(&value, field);
	page_row(out, false, (const char *const[]){ key, help, value.buf }, 3);
}

static void add_header(struct strbuf *out)
{
	page_row(out, true, (const char *const[]){ "key", "is", "value" }, 3);
}

/* "@keys FILE KEY...": the keys of FILE's mapping below these keys, or of the definition with that name. */
void page_keys(struct strbuf *out, const char *path, const void *ctx)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	const struct fields *fields;

	(void)ctx;
	escape_shell_split(path, &words);
	fields = find_root(words.items[0]);
	for (size_t i = 1; i < words.n; i++)
		fields = find_object(fields, words.items[i]) ?: find_object(gates_definitions(&arena), words.items[i]);
	add_header(out);
	for (size_t i = 0; i < fields->n; i++)
		add_key(out, &fields->items[i], add_yaml_value, fields->items[i].needed ? " Required." : "");
}

/* -------- the keys of files that pawl writes, section by section */

enum { OBJECTS_MOST = 64, PATH_LONGEST = 200 };

/* Objects that have a section, and its title. */
struct seen {
	size_t n;
	const struct fields *fields[OBJECTS_MOST];
	char path[OBJECTS_MOST][PATH_LONGEST];
};

static size_t find_seen(const struct seen *seen, const struct fields *fields)
{
	size_t i = 0;

	while (i < seen->n && seen->fields[i] != fields)
		i++;
	return i;
}

static void add_object(struct strbuf *out, const struct fields *fields, const char *path, struct seen *seen)
{
	size_t first = seen->n;

	if (*path)
		strbuf_addf(out, "\n### `%s`\n\n", path);
	add_header(out);
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
		size_t at = find_seen(seen, field->object);
		CLEANUP(free_ptr) char *note = NULL;

		if (field->object && at < seen->n)
			note = text_printf(" Keys: as `%s`.", seen->path[at]);
		add_key(out, field, add_json_value, note ?: "");
		if (!field->object || at < seen->n)
			continue;
		if (seen->n == OBJECTS_MOST)
			abort();
		seen->fields[seen->n] = field->object;
		snprintf(seen->path[seen->n++], PATH_LONGEST, "%s%s%s%s", path, *path ? "." : "", field->key,
			 field->type == FIELD_LIST ? "[]" : field->type == FIELD_LISTS ? "[][]" : "");
	}
	for (size_t i = first, end = seen->n; i < end; i++)
		add_object(out, seen->fields[i], seen->path[i], seen);
}

/* "@tree FILE": the keys of FILE and of all objects in it. */
void page_tree(struct strbuf *out, const char *file, const void *ctx)
{
	CLEANUP(free_ptr) struct seen *seen = xcalloc(1, sizeof *seen);

	(void)ctx;
	add_object(out, find_root(file), "", seen);
}

/* -------- metrics */

static const char *const sections[] = { "times", "target", "load", "hardware", "simulated", "heap", "calls", "files", NULL };

static const char *section_of(const struct metric *metric)
{
	static const char *const of_source[] = {
		[SOURCE_TARGET] = "target", [SOURCE_SOFTWARE] = "times", [SOURCE_HARDWARE] = "hardware",
		[SOURCE_DERIVED] = "hardware", [SOURCE_SIMULATED] = "simulated", [SOURCE_HEAP] = "heap", [SOURCE_LOAD] = "load",
		[SOURCE_CALLS] = "calls", [SOURCE_FILE] = "files",
	};

	return metric->source == SOURCE_TARGET && metric->unit == UNIT_MS ? "times" : of_source[metric->source];
}

static char *limit(const struct metric *metric, double pct)
{
	return pct > 0 ? text_printf("%c%g%%", metric->higher_is_better ? '-' : '+', pct) : xstrdup("");
}

static char *limit_in_pairs(const struct metric *metric)
{
	CLEANUP(free_ptr) char *together = limit(metric, metric->together_tolerance_pct);
	CLEANUP(free_ptr) char *in_turn = limit(metric, metric->paired_tolerance_pct);

	return *together ? text_printf("%s, in turn %s", together, in_turn) : take_ptr(&in_turn);
}

static char *least_change(const struct metric *metric)
{
	double unit = metric->unit == UNIT_FRACTION ? 0.01 : metric->unit == UNIT_BYTES ? 1024 : 1;
	const char *name = metric->unit == UNIT_FRACTION ? "pp" : metric->unit == UNIT_BYTES ? "KiB" : "";

	if (metric->paired_least > 0)
		return text_printf("%g%s, in pairs %g%s", metric->least / unit, name, metric->paired_least / unit, name);
	return metric->least > 0 ? text_printf("%g%s", metric->least / unit, name) : xstrdup("");
}

static void add_metric(struct strbuf *out, const struct metric *metric)
{
	static const char *const kinds[] = {
		[KIND_TIME] = "time", [KIND_COUNT] = "count", [KIND_RATE] = "rate", [KIND_SIZE] = "size",
	};
	CLEANUP(free_ptr) char *name = text_printf("`%s`", metric->name), *help = text_printf("%s.", metric->help);
	CLEANUP(free_ptr) char *stored = limit(metric, metric->stored_tolerance_pct), *paired = limit_in_pairs(metric);
	CLEANUP(free_ptr) char *least = least_change(metric);

	page_row(out, false, (const char *const[]){ name, help, stored, paired, least, kinds[metric->kind] }, 6);
}

/* "@metrics SECTION": the metrics of the catalogue that belong there. */
void page_metrics(struct strbuf *out, const char *section, const void *ctx)
{
	(void)ctx;
	if (!text_matches_any(section, sections))
		abort();
	page_row(out, true, (const char *const[]){ "metric", "is", "limit against the baseline", "limit in pairs", "least change", "kind" },
		 6);
	for (size_t i = 0; i < metric_catalogue_size; i++)
		if (!strcmp(section_of(&metric_catalogue[i]), section))
			add_metric(out, &metric_catalogue[i]);
}

/* -------- what each tier can do */

/* Tiers below TIER_NONE, on which nothing runs. */
enum { TIERS = TIER_NONE };

/* A NULL cell is "no". */
static void add_tier_row(struct strbuf *out, bool header, const char *names, const char *by, const char *const cells[TIERS])
{
	const char *row[2 + TIERS] = { names, by };

	for (size_t i = 0; i < TIERS; i++)
		row[2 + i] = cells[i] ?: "no";
	page_row(out, header, row, 2 + TIERS);
}

static void add_tier_header(struct strbuf *out, const char *names, const char *by)
{
	add_tier_row(out, true, names, by, tier_names);
}

static const char *who_counts(const struct metric *metric)
{
	static const char *const of_source[] = {
		[SOURCE_TARGET] = "the kernel", [SOURCE_SOFTWARE] = "perf", [SOURCE_HARDWARE] = "perf", [SOURCE_DERIVED] = "perf",
		[SOURCE_SIMULATED] = "valgrind", [SOURCE_HEAP] = "heaptrack", [SOURCE_CALLS] = "perf or strace",
		[SOURCE_FILE] = "pawl, in the file", [SOURCE_LOAD] = "the load",
	};

	return of_source[metric->source];
}

static bool counted_alike(const struct metric *a, const struct metric *b)
{
	bool alike = !strcmp(who_counts(a), who_counts(b));

	for (enum tier tier = 0; tier < TIER_NONE; tier++)
		alike = alike && events_counting(a, tier) == events_counting(b, tier);
	return alike;
}

static void add_counting(struct strbuf *out, const struct metric *metric, const char *names)
{
	static const char *const countings[] = {
		[COUNTING_NONE] = NULL, [COUNTING_SIMULATED] = "simulated", [COUNTING_USER] = "user mode", [COUNTING_WHOLE] = "yes",
	};
	const char *cells[TIERS];

	for (enum tier tier = 0; tier < TIER_NONE; tier++)
		cells[tier] = countings[events_counting(metric, tier)];
	add_tier_row(out, false, names, who_counts(metric), cells);
}

/* "@counting": how metrics get their values, tier by tier. Those that are alike share a row. */
void page_countings(struct strbuf *out, const char *argument, const void *ctx)
{
	const struct metric *all = metric_catalogue, *end = all + metric_catalogue_size;

	(void)argument;
	(void)ctx;
	add_tier_header(out, "metrics", "counted by");
	for (const struct metric *m = all; m < end; m++) {
		CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;
		const struct metric *first = all;

		while (!counted_alike(first, m))
			first++;
		if (first < m)
			continue;
		for (const struct metric *other = m; other < end; other++)
			if (counted_alike(m, other))
				strbuf_addf(&names, "%s`%s`", names.len ? ", " : "", other->name);
		add_counting(out, m, names.buf);
	}
}

/* "@sampling": the event by which each kind of profile is sampled, tier by tier. */
void page_samplings(struct strbuf *out, const char *argument, const void *ctx)
{
	static const struct {
		const char *kind, *shows;
		enum sampled what;
	} kinds[] = {
		{ "`cpu`", "where CPU time goes", SAMPLED_CPU }, { "`offcpu`", "where it waits", SAMPLED_SWITCHES },
		{ "`faults`", "where it touches memory first", SAMPLED_FAULTS },
	};

	(void)argument;
	(void)ctx;
	add_tier_header(out, "kind of profile", "shows");
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const char *cells[TIERS];

		for (enum tier tier = 0; tier < TIER_NONE; tier++)
			cells[tier] = tier_event(tier, kinds[i].what);
		add_tier_row(out, false, kinds[i].kind, kinds[i].shows, cells);
	}
}

/* -------- the macros of roff */

/* A table's row becomes an entry: its first cell and what the others say of it. */

enum { LINE_WIDTH = 78 };

struct writer {
	struct strbuf *out;
	struct strbuf text;	/* of the paragraph being read */
	struct strv header;	/* of the table being read */
	bool fenced, begun;	/* begun: a section has begun */
	bool fresh;		/* right behind a heading, where roff takes no .PP */
	unsigned titles;	/* pages read: that behind the first is a section */
};

/* Returns the end of the link's address if TEXT ends the words of a link, else NULL. */
static const char *link_end(const char *text)
{
	return text[1] == '(' ? strchr(text, ')') : NULL;
}

static bool begins_link(const char *text)
{
	const char *end = strchr(text, ']');

	return *text == '[' && end && link_end(end);
}

static void add_char(struct strbuf *out, char c)
{
	if (c == '\\')
		strbuf_adds(out, "\\e");
	else if (c == '-')
		strbuf_adds(out, "\\-");
	else
		strbuf_addc(out, c);
}

/* Adds Markdown's TEXT as roff: code is bold, links are their words. */
static void add_inline(struct strbuf *out, const char *text)
{
	bool code = false, link = false;

	for (; *text; text++) {
		if (*text == '`') {
			code = !code;
			strbuf_adds(out, code ? "\\fB" : "\\fR");
		} else if (!code && begins_link(text)) {
			link = true;
		} else if (!code && link && *text == ']') {
			text = link_end(text);
			link = false;
		} else if (text[0] != '\\' || text[1] != '|') {
			add_char(out, *text);
		}
	}
}

/* Adds Markdown's TEXT in lines that diff well; no line begins with a request. */
static void add_filled(struct strbuf *out, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf roff = STRBUF_INIT;
	size_t column = 0, len;

	add_inline(&roff, text);
	for (const char *word = roff.buf; *(word += strspn(word, " \n")); word += len) {
		len = strcspn(word, " \n");
		if (column)
			strbuf_addc(out, column + len > LINE_WIDTH ? '\n' : ' ');
		if (column + len > LINE_WIDTH)
			column = 0;
		strbuf_adds(out, !column && strchr(".'", *word) ? "\\&" : "");
		strbuf_add(out, word, len);
		column += len + 1;
	}
	strbuf_addc(out, '\n');
}

static void flush(struct writer *w)
{
	if (w->text.len)
		add_filled(w->out, w->text.buf);
	strbuf_reset(&w->text);
}

static void add_section(struct writer *w, const char *title)
{
	strbuf_adds(w->out, ".SH ");
	for (; *title; title++)
		if (*title != '`')
			add_char(w->out, (char)toupper((unsigned char)*title));
	strbuf_addc(w->out, '\n');
	w->begun = w->fresh = true;
}

/* The page's own title is that of the man page already. */
static void add_heading(struct writer *w, const char *line)
{
	size_t level = strspn(line, "#");
	const char *title = line + level + 1;

	if (level == 1 && ++w->titles == 1)
		return;
	if (level == 1 || (level == 2 && w->titles < 2)) {
		add_section(w, title);
		return;
	}
	strbuf_adds(w->out, ".SS ");
	add_inline(w->out, title);
	strbuf_addc(w->out, '\n');
	w->fresh = true;
}

static void begin_text(struct writer *w)
{
	if (!w->begun)
		add_section(w, "Description");
	if (!w->fresh)
		strbuf_adds(w->out, ".PP\n");
	w->fresh = false;
}

static void read_cells(const char *line, struct strv *out)
{
	const char *begin = line + 1;

	for (const char *c = begin; *c; c++) {
		CLEANUP(free_ptr) char *cell = NULL;

		if (*c != '|' || c[-1] == '\\')
			continue;
		begin += strspn(begin, " ");
		cell = xstrndup(begin, (size_t)(c - begin) - (c > begin && c[-1] == ' '));
		strv_push(out, cell);
		begin = c + 1;
	}
}

static void add_row(struct writer *w, const char *line)
{
	CLEANUP(strv_release) struct strv cells = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	read_cells(line, &cells);
	if (!w->header.n) {
		strv_release(&w->header);
		w->header = cells;
		cells = (struct strv)STRV_INIT;
		return;
	}
	if (text_starts(line, "|---"))
		return;
	if (!w->begun)
		add_section(w, "Description");
	strbuf_adds(w->out, ".TP\n");
	add_filled(w->out, cells.items[0]);
	for (size_t i = 1; i < cells.n; i++) {
		const char *title = w->header.items[i], *cell = cells.items[i];

		if (*cell && i == 1)
			strbuf_adds(&text, cell);
		else if (*cell)
			strbuf_addf(&text, " %c%s: %s.", toupper((unsigned char)*title), title + 1, cell);
	}
	add_filled(w->out, text.buf);
	w->fresh = false;
}

static void add_fence(struct writer *w)
{
	w->fenced = !w->fenced;
	if (w->fenced && !w->begun)
		add_section(w, "Description");
	if (w->fenced)
		strbuf_adds(w->out, w->fresh ? ".nf\n.RS 4\n" : ".PP\n.nf\n.RS 4\n");
	else
		strbuf_adds(w->out, ".RE\n.fi\n");
	w->fresh = false;
}

static void add_fenced(struct writer *w, const char *line)
{
	strbuf_adds(w->out, *line == '.' || *line == '\'' ? "\\&" : "");
	for (; *line; line++)
		add_char(w->out, *line);
	strbuf_addc(w->out, '\n');
}

static void add_line(struct writer *w, const char *line)
{
	if (text_starts(line, "```")) {
		flush(w);
		add_fence(w);
	} else if (w->fenced) {
		add_fenced(w, line);
	} else if (*line == '#' || !*line || *line == '|') {
		flush(w);
		if (*line == '#')
			add_heading(w, line);
		else if (*line)
			add_row(w, line);
	} else if (text_starts(line, "- ")) {
		flush(w);
		strbuf_adds(w->out, ".IP \\(bu 2\n");
		strbuf_adds(&w->text, line + 2);
		w->fresh = false;
	} else {
		if (!w->text.len)
			begin_text(w);
		strbuf_addf(&w->text, "%s%s", w->text.len ? " " : "", line);
	}
	if (*line != '|')
		strv_release(&w->header);
}

static const char *manual(unsigned section)
{
	return section == 1 ? "User Commands" : section == 5 ? "File Formats" : "Miscellaneous";
}

void page_man(const struct page *page, const char *markdown, struct strbuf *out)
{
	struct writer w = { .out = out, .text = STRBUF_INIT, .header = STRV_INIT };

	strbuf_adds(out, ".TH ");
	for (const char *c = page->man; *c; c++)
		add_char(out, (char)toupper((unsigned char)*c));
	strbuf_addf(out, " %u " PAWL_DATE " \"pawl " PAWL_VERSION "\" \"%s\"\n.SH NAME\n", page->section, manual(page->section));
	add_inline(out, page->man);
	strbuf_adds(out, " \\- ");
	add_inline(out, page->summary);
	strbuf_addc(out, '\n');
	for (const char *line = markdown; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		CLEANUP(free_ptr) char *text = xstrndup(line, strcspn(line, "\n"));

		add_line(&w, text);
	}
	flush(&w);
	strbuf_release(&w.text);
	strv_release(&w.header);
}
