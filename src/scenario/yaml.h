/*
 * YAML as a tree with source positions, and structs read from it by the tables of base/fields.h. Surprising features
 * of YAML are refused: anchors and aliases, tags, duplicate keys, several documents. So are files larger or deeper
 * than a person writes. Values belong to the source's arena.
 */
#ifndef PAWL_SCENARIO_YAML_H
#define PAWL_SCENARIO_YAML_H

#include "base/fields.h"
#include "scenario/scenario.h"

/* -------- the text of one file while it is read, and the faults found in it */

enum {
	SOURCE_FAULTS_MAX = 50,		/* further faults are counted, not shown */
	NODE_DEPTH_MAX = 32,
	NODE_ENTRIES_MAX = 1000,	/* of one list or mapping */
	NODE_TOTAL_MAX = 50000,
	VALUE_TEXT_MAX = 64 << 10,	/* bytes of a command or a value */
	NAME_LONGEST = 100,
};

struct source {
	const char *path, *text;
	size_t len;
	struct arena *arena;		/* of the values read, and of the texts of nodes, which values borrow */
	struct arena nodes;		/* entries of nodes, valid as long as SOURCE */
	struct diags *diags;		/* where faults go */
	struct scenario *scope;		/* the one being read, for ${name}; NULL: names are not replaced */
	const struct strv *events;	/* perf events that gates may name, as known when gates are read */
	struct strbuf where;		/* the key being read ("measure.timeout"); empty at the top */
	size_t faults;
};

/* A position in the text, counted from 1 as editors do; the column counts bytes. Line 0: unknown. */
struct place {
	unsigned line, column;
};

#define SOURCE_INIT(path_, text_, len_, arena_, diags_) \
	{ .path = (path_), .text = (text_) ?: "", .len = (len_), .arena = (arena_), .diags = (diags_), .where = STRBUF_INIT }

void source_release(struct source *source);
struct place source_place(const struct source *source, size_t offset);
/* Reports a fault of the current key; always returns -1. */
int source_fault(struct source *source, struct place at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Enters KEY; pass the result to source_leave() to come back. */
size_t source_enter(struct source *source, const char *key);
void source_leave(struct source *source, size_t mark);

/* -------- nodes */

enum node_kind { NODE_NOTHING, NODE_TEXT, NODE_LIST, NODE_MAPPING };

struct node {
	enum node_kind kind;	/* NODE_NOTHING: an empty value, ~ or unquoted null */
	size_t offset;		/* of its first byte in the source */
	struct place at;
	char *text;		/* of NODE_TEXT */
	struct node_entry *entries;	/* of NODE_LIST and NODE_MAPPING */
	size_t n, cap;
};

struct node_entry {
	struct node key;	/* text in a mapping, unused in a list */
	struct node value;
};

/* Reads or checks ENTRY's value; OUT is the member. Returns 0, or -1 with a fault. */
typedef int field_fn(struct source *source, const struct node_entry *entry, void *out);

/*
 * Reads the document of SOURCE; NODE_NOTHING if it is empty. Returns 0, or -1 with faults if no tree can be built.
 * Faults that leave a tree (a duplicate key, an anchor) are only counted in SOURCE, so that the rest of the file is
 * checked too.
 */
int node_read(struct source *source, struct node *out);
/* Returns the entry of MAPPING called KEY, or NULL. NULL if MAPPING is not a mapping. */
const struct node_entry *node_find(const struct node *mapping, const char *key);
/* Reports "expected EXPECTED, found ..." at NODE; always returns -1. */
int node_expected(struct source *source, const struct node *node, const char *expected);
/* Reads each entry of NODE, which must be of KIND, into OUT with READ. Returns 0, or -1 if any failed. */
int node_each(struct source *source, const struct node *node, enum node_kind kind, const char *expected, field_fn *read,
	      void *out);

/* -------- values by tables of fields */

/*
 * Values by tables of fields. Unknown and missing keys are reported the same way everywhere, and one fault does not
 * hide another. A value is read by the type of its member:
 *
 *	FIELD_TEXT	text that is not empty, with known ${names}, that matches the pattern or fits
 *	FIELD_TEXTS	one such text, or a list of them
 *	FIELD_BOOL	true or false; with `words` the first is false and the second true
 *	FIELD_UNSIGNED	an integer from min to max; with `words` one of them, the first standing for min
 *	FIELD_U64	a duration in nanoseconds, above 0s and up to 24h
 *	FIELD_DOUBLE	a percentage from min to max
 *	FIELD_VERSION	1
 *	FIELD_OBJECT	a mapping
 *	FIELD_LIST	a list of min to max entries, each read by the `yaml` hook; faults call them `expected` or the key,
 *			and an entry with a `name` by that
 *	FIELD_OWN	anything, read by the `yaml` hook
 *
 * For other types the hook, if set, checks the value read; a text that it refuses is dropped.
 */

/* Initialisers of a field that HOOK reads. */
#define FIELD_BY(key_, struct_, member_, hook_) .key = (key_), .offset = offsetof(struct_, member_), .yaml = (hook_)

/*
 * Reads MAPPING into OUT in the order of the table, so that a field may depend on an earlier one. one_of is checked
 * only if all keys are valid. Returns 0, or -1 on any fault.
 */
int fields_parse(struct source *source, const struct node *mapping, const struct fields *fields, void *out);
/* Reads a list of one to MAX entries, called WHAT. */
int fields_each(struct source *source, const struct node *list, const char *what, double max, field_fn *read, void *out);

/* Returns the text of NODE, borrowed, or NULL with the fault "expected EXPECTED, found ...". */
const char *value_text(struct source *source, const struct node *node, const char *expected);
field_fn value_regex;		/* char *: a text that regex_compile() accepts once its names are replaced */
field_fn value_command;		/* struct command */
field_fn value_variables;	/* struct strv: a list of names of environment variables */
field_fn value_environment;	/* struct strv: a mapping, as NAME=VALUE */
field_fn value_nice, value_limits;	/* struct confines */

/* Initialisers of fields shared by several mappings. */
#define COMMAND(key_, struct_, member_) FIELD_BY(key_, struct_, member_, value_command), .show = show_command, .definition = "command"
#define ENVIRONMENT(key_, struct_, member_) \
	FIELD_BY(key_, struct_, member_, value_environment), .show = show_environment, .definition = "environment"
#define REGEX(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .names = true, .yaml = value_regex, \
	.schema = "{'type': ['string', 'number'], 'minLength': 1, 'maxLength': 1000}"
#define NAME_PATTERN "^[A-Za-z0-9_-][A-Za-z0-9._-]*$"
#define NAME(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .pattern = NAME_PATTERN, .max = NAME_LONGEST, \
	.expected = "a name of at most 100 letters, digits, '.', '_' or '-' that does not start with '.'"
#define USER(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .pattern = "^[A-Za-z0-9._][A-Za-z0-9._-]*$", .expected = "the name of a user"

/* Both fields of the member `confines`. */
#define CONFINES(struct_) \
	{ FIELD_BY("nice", struct_, confines, value_nice), .show = show_nice, \
	  .help = "Its nice value, -20 to 19; one below pawl's own needs root. Default: pawl's.", \
	  .schema = "{'type': 'integer', 'minimum': -20, 'maximum': 19}" }, \
	{ FIELD_BY("limits", struct_, confines, value_limits), .show = show_limits, \
	  .help = "Resource limits, soft and hard, such as `{ nofile: 65536 }`: `as`, `core`, `data`, `fsize`, `memlock`, `stack` " \
		  "(sizes), `cpu` (seconds), `nofile`, `nproc`; or `unlimited`. Raising a hard limit needs root.", \
	  .schema = "{'type': 'object', 'propertyNames': {'enum': ['as', 'core', 'cpu', 'data', 'fsize', 'memlock', 'nofile', 'nproc', " \
		    "'stack']}, 'additionalProperties': {'type': ['string', 'integer'], 'minimum': 0}}" }

/* -------- YAML from the same tables: it reads back as the same values */

struct yaml_writer {
	struct strbuf *out;
	size_t depth;			/* of the mapping whose keys are being written */
	const struct scenario *scenario;	/* the one being written */
	const struct scenario_defaults *defaults;	/* those it was read with */
};

/*
 * Writes the members of RECORD, without those that are not set and those that do not go with the rest. yaml_object()
 * and yaml_item() write them as the value of a key and as an entry of a list.
 */
void yaml_fields(struct yaml_writer *writer, const struct fields *fields, const void *record);
void yaml_object(struct yaml_writer *writer, const struct fields *fields, const void *record);
void yaml_item(struct yaml_writer *writer, const struct fields *fields, const void *record);
void yaml_key(struct yaml_writer *writer, const char *key);

/* Values after a key, up to the end of their line. No text (NULL) and no pairs write nothing. */
void yaml_text(struct yaml_writer *writer, const char *text);
void yaml_list(struct yaml_writer *writer, const struct strv *texts);
void yaml_pairs(struct yaml_writer *writer, const struct strv *pairs, const char *separator);	/* a mapping */
void yaml_number(struct yaml_writer *writer, double value, const char *unit);
void yaml_duration(struct yaml_writer *writer, uint64_t ns);
void yaml_size(struct yaml_writer *writer, uint64_t bytes);

/* The opposites of the hooks above. */
typedef void show_fn(struct yaml_writer *writer, const struct field *field, const void *member);
show_fn show_command, show_environment, show_texts, show_nice, show_limits;

/* The tables of scenarios and pawl.yaml, and their shared parts. */
extern const struct fields scenario_fields, config_fields, service_fields, measure_fields, profile_fields;
field_fn services_add;		/* struct scenario */
show_fn services_show;

/* -------- ${name} in texts: checked while a scenario is read, replaced when its plan is built */

/* Refuses unknown and unterminated names in NODE's text if SOURCE has a scope. Returns 0, or -1 with a fault. */
int expand_check(struct source *source, const struct node *node);
/* Appends TEXT to OUT with every name replaced. */
int expand_text(const char *text, const struct scenario *scenario, const struct plan_context *context, struct strbuf *out,
		struct error *err);
/*
 * Returns TEXT with only the scenario's vars replaced, which is the same on every machine. Release with free(). NULL
 * if TEXT is NULL.
 */
char *expand_vars(const char *text, const struct scenario *scenario);
/* True for a name reserved from `vars:`. */
bool expand_is_builtin(const char *name);

/* -------- gates of a scenario and of pawl.yaml */

/*
 * True if the load reports its work. Also true if its work: has a fault, so that gates on it do not cause a second
 * one.
 */
static inline bool load_has_work(const struct load *load)
{
	return load->as != WORK_UNKNOWN || load->work.regex || load->work.json;
}

void gates_init(struct arena *arena, struct gates *out);		/* the built-in ones */
/* Copies into ARENA. Copies lose their places, which belong to another file. */
void gates_copy(struct arena *arena, struct gates *out, const struct gates *from);
/*
 * Parses struct gates from a mapping, on top of the gates already there. A gate replaces another of the same metric;
 * `off` removes it. In a scenario, setting any gate removes the built-in ones. symbols: and budgets: are separate and
 * replaced as a whole. Metrics are those of the catalogue, SOURCE's events, and those in the scope's metrics:.
 */
field_fn gates_parse;
/*
 * Removes gates that cannot judge SCENARIO, which is otherwise complete: shares without a profile, work without a
 * load that reports it, and built-in gates whose values are chance in windows. Gates on shares set in its own file
 * are faults of SOURCE.
 */
void gates_settle(struct source *source, struct scenario *scenario);
/* True for a key of gates: that is not a metric. */
bool gates_word(const char *key);
/* Returns the metric called NAME that one of GATES is on, or NULL. */
const struct metric *gates_find_metric(const struct gates *gates, const char *name);
show_fn gates_show;		/* struct gates; a comment names the numbers behind `default` */
/*
 * Definitions for the schemas of scenarios and pawl.yaml: gates with every metric of the catalogue, commands, ...; in
 * ARENA.
 */
const struct fields *gates_definitions(struct arena *arena);

#endif
