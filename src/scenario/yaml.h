/*
 * YAML as a tree that knows its places, and structs read from it by the tables of base/fields.h. What makes YAML
 * surprising is refused: anchors and aliases, tags, keys given twice, several documents, and whatever is larger or
 * deeper than a file written by a person. Values live in the source's arena.
 */
#ifndef PAWL_SCENARIO_YAML_H
#define PAWL_SCENARIO_YAML_H

#include "base/fields.h"
#include "scenario/scenario.h"

/* -------- the text of one file while it is read, and the faults found in it */

enum {
	SOURCE_FAULTS_MAX = 50,		/* what comes after so many is counted, not shown */
	NODE_DEPTH_MAX = 32,
	NODE_ENTRIES_MAX = 1000,	/* of one list or mapping */
	NODE_TOTAL_MAX = 50000,
	VALUE_TEXT_MAX = 64 << 10,	/* bytes of a command or a value */
	NAME_LONGEST = 100,
};

struct source {
	const char *path, *text;
	size_t len;
	struct arena *arena;		/* of what is read: the values, and the texts of nodes, which they borrow */
	struct arena nodes;		/* their entries, as long as SOURCE */
	struct diags *diags;		/* where faults go */
	struct scenario *scope;		/* the one that is read; its vars are the names of ${name}; NULL: text is taken as it stands */
	const struct strv *events;	/* perf events that gates may name, as they stand when gates are read */
	struct strbuf where;		/* the key being read ("measure.timeout"); empty at the top */
	size_t faults;
};

/* A byte of the text as people count it, from 1; the column counts bytes. A line of 0 is unknown. */
struct place {
	unsigned line, column;
};

#define SOURCE_INIT(path_, text_, len_, arena_, diags_) \
	{ .path = (path_), .text = (text_) ?: "", .len = (len_), .arena = (arena_), .diags = (diags_), .where = STRBUF_INIT }

void source_release(struct source *source);
struct place source_place(const struct source *source, size_t offset);
/* A fault of the key that is read; always -1. */
int source_fault(struct source *source, struct place at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Go into KEY; returns what source_leave() needs to come back. */
size_t source_enter(struct source *source, const char *key);
void source_leave(struct source *source, size_t mark);

/* -------- nodes */

enum node_kind { NODE_NOTHING, NODE_TEXT, NODE_LIST, NODE_MAPPING };

struct node {
	enum node_kind kind;	/* NODE_NOTHING: an empty value, ~ or null, without quotes */
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

/* Reads or checks ENTRY's value, of which OUT is the member. 0, or -1 with a fault. */
typedef int field_fn(struct source *source, const struct node_entry *entry, void *out);

/*
 * The document of SOURCE; NODE_NOTHING when there is none. 0, or -1 with faults when no tree
 * can be made. Faults that leave a tree (a key given twice, an anchor) are only counted in SOURCE,
 * so that the rest of the file is checked as well.
 */
int node_read(struct source *source, struct node *out);
/* The entry of MAPPING called KEY, or NULL; NULL of what is no mapping. */
const struct node_entry *node_find(const struct node *mapping, const char *key);
/* Fault "expected EXPECTED, found ..." at NODE; always -1. */
int node_expected(struct source *source, const struct node *node, const char *expected);
/* READ each entry of NODE, which must be of KIND, into OUT. 0, or -1 when any failed. */
int node_each(struct source *source, const struct node *node, enum node_kind kind, const char *expected, field_fn *read,
	      void *out);

/* -------- values by tables of fields */

/*
 * Unknown keys and missing ones are reported alike everywhere, and one fault never hides another. A value is read by the
 * type of its member:
 *
 *	FIELD_TEXT	text that is not empty, with known ${names}, that matches the pattern or fits
 *	FIELD_TEXTS	one such text, or a list of them
 *	FIELD_BOOL	on, off, true, false, yes, no; with `words` the first is false and the second true
 *	FIELD_UNSIGNED	a whole number from min to max; with `words` one of them, the first of which is that of min
 *	FIELD_U64	a duration in nanoseconds, above 0s and up to 24h
 *	FIELD_DOUBLE	a percentage from min to max
 *	FIELD_VERSION	1
 *	FIELD_OBJECT	a mapping
 *	FIELD_LIST	a list of min to max entries, each of which the `yaml` hook reads; faults call them `expected` or the key,
 *			and one that has a `name` by that
 *	FIELD_OWN	what the `yaml` hook reads
 *
 * Of the other types the hook, if there is one, checks what was read; of a text that it refuses nothing is kept.
 */

/* The initialisers of a field that HOOK reads. */
#define FIELD_BY(key_, struct_, member_, hook_) .key = (key_), .offset = offsetof(struct_, member_), .yaml = (hook_)

/*
 * Read MAPPING into OUT, in the order of the table, so that a field may rest on one before it; whether it has one_of
 * its keys is asked when they are right. 0, or -1 when there was any fault.
 */
int fields_parse(struct source *source, const struct node *mapping, const struct fields *fields, void *out);
/* A list of one to MAX entries, called WHAT. */
int fields_each(struct source *source, const struct node *list, const char *what, double max, field_fn *read, void *out);

/* The text of NODE, borrowed, or NULL with a fault "expected EXPECTED, found ...". */
const char *value_text(struct source *source, const struct node *node, const char *expected);
field_fn value_regex;		/* char *: text with names that regex_compile() takes once they are replaced */
field_fn value_switch_off;	/* bool: the opposite of what a FIELD_BOOL reads */
field_fn value_command;		/* struct command */
field_fn value_variables;	/* struct strv: a list of names of environment variables */
field_fn value_environment;	/* struct strv: a mapping as NAME=VALUE */
field_fn value_nice, value_limits;	/* struct confines */

/* Initialisers of fields that several mappings have. */
#define COMMAND(key_, struct_, member_) FIELD_BY(key_, struct_, member_, value_command), .definition = "command"
#define ENVIRONMENT(key_, struct_, member_) \
	FIELD_BY(key_, struct_, member_, value_environment), .definition = "environment"
#define REGEX(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .names = true, .yaml = value_regex, \
	.schema = "{'type': ['string', 'number'], 'minLength': 1, 'maxLength': 1000}"
#define NAME_PATTERN "^[A-Za-z0-9_-][A-Za-z0-9._-]*$"
#define NAME(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .pattern = NAME_PATTERN, .max = NAME_LONGEST, \
	.expected = "a name of at most 100 letters, digits, '.', '_' or '-' that does not start with '.'"
#define USER(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .pattern = "^[A-Za-z0-9._][A-Za-z0-9._-]*$", .expected = "the name of a user"

/* Both fields of a member `confines`. */
#define CONFINES(struct_) \
	{ FIELD_BY("nice", struct_, confines, value_nice), .help = "Its nice value, -20 to 19. Default: pawl's.", \
	  .schema = "{'type': 'integer', 'minimum': -20, 'maximum': 19}" }, \
	{ FIELD_BY("limits", struct_, confines, value_limits), .help = "Its resource limits, as ulimit sets them.", \
	  .schema = "{'type': 'object', 'propertyNames': {'enum': ['as', 'core', 'cpu', 'data', 'fsize', 'memlock', 'nofile', 'nproc', " \
		    "'stack']}, 'additionalProperties': {'type': ['string', 'integer'], 'minimum': 0}}" }

#define SWITCH_SCHEMA "{'enum': ['on', 'off', 'true', 'false', 'yes', 'no', true, false]}"

/* The files that people write, and what is part of more than one of them. */
extern const struct fields scenario_fields, config_fields, service_fields, measure_fields, profile_fields;
field_fn services_add;		/* struct scenario */

/* -------- ${name} in texts: found and checked while a scenario is read, replaced when its plan is built */

/* Refuse unknown and unterminated names of NODE's text, when SOURCE has a scope. 0, or -1 with a fault. */
int expand_check(struct source *source, const struct node *node);
/*
 * TEXT as it may look once it is expanded, with stand-ins for ports and folders, so that its shape
 * can be checked; for free(). Call expand_check() first.
 */
char *expand_sample(const struct source *source, const char *text);
/* Append TEXT to OUT with every name replaced. */
int expand_text(const char *text, const struct scenario *scenario, const struct plan_context *context, struct strbuf *out,
		struct error *err);
/* TEXT with the scenario's vars put in, all else as it stands: what it is on every machine; for free(), NULL when TEXT is. */
char *expand_vars(const char *text, const struct scenario *scenario);
/* True for a name that a scenario may not give to a variable of its own. */
bool expand_is_builtin(const char *name);

/* -------- gates of a scenario and of pawl.yaml */

/* Whether the load reports how much it did; also of one whose work: has a fault, so that no gate is a second one. */
static inline bool load_has_work(const struct load *load)
{
	return load->as != WORK_UNKNOWN || load->work.regex || load->work.json;
}

void gates_init(struct arena *arena, struct gates *out);		/* the built-in ones */
/* All of it in ARENA. Copies lose their places, which belong to another file. */
void gates_copy(struct arena *arena, struct gates *out, const struct gates *from);
/*
 * struct gates: a mapping is laid over what is there already. The same metric is replaced, `off` takes it away, and in a
 * scenario the built-in gates go when another is set; symbols: and budgets: stand beside them and are replaced as a whole.
 * Metrics are those of the catalogue, SOURCE's events, and what the scope's metrics: name.
 */
field_fn gates_parse;
/*
 * Take away what SCENARIO, else complete, cannot be judged by: shares without a profile, work without a load that reports
 * it, and of the built-in gates what is chance in windows. Gates on shares that its own file sets are faults of SOURCE.
 */
void gates_settle(struct source *source, struct scenario *scenario);
/* True for a key of gates: that is no metric. */
bool gates_word(const char *key);
/* The metric of that name that one of GATES is on, or NULL. */
const struct metric *gates_find_metric(const struct gates *gates, const char *name);
/*
 * What the schemas of scenarios and of pawl.yaml refer to: gates with every metric of the catalogue, commands, ...; in
 * ARENA. PRINTED: there may be metrics of metrics:, whichever way is better.
 */
const struct fields *gates_definitions(struct arena *arena, bool printed);

#endif
