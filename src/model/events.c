#include "model/events.h"

#include <stddef.h>

#include "base/mem.h"

/* -------- names as perf writes them */

static const struct {
	const char *alias, *name;
} aliases[] = {
	{ "cs", "context-switches" }, { "migrations", "cpu-migrations" }, { "faults", "page-faults" },
	{ "cpu-cycles", "cycles" }, { "branch-instructions", "branches" },
	{ "idle-cycles-frontend", "stalled-cycles-frontend" }, { "idle-cycles-backend", "stalled-cycles-backend" },
};

/* Events that perf names the same on every CPU. A PMU in front of any other name is part of the name. */
static bool is_generic(const char *word)
{
	return TEXT_IS(word, "cycles", "cpu-cycles", "ref-cycles", "bus-cycles", "instructions", "branches",
		       "branch-instructions", "branch-misses", "cache-references", "cache-misses", "context-switches", "cs",
		       "cpu-migrations", "migrations", "page-faults", "faults", "minor-faults", "major-faults", "task-clock",
		       "cpu-clock", "cgroup-switches", "stalled-cycles-*", "idle-cycles-*", "branch-load*", "node-*",
		       "L1-dcache-*", "L1-icache-*", "LLC-*", "dTLB-*", "iTLB-*");
}

/* If every CPU counts alike, the PMU adds nothing. */
static bool is_default_pmu(const char *pmu)
{
	return TEXT_IS(pmu, "cpu", "software");
}

static bool is_core_pmu(const char *pmu)
{
	return TEXT_IS(pmu, "cpu_core", "cpu_atom", "cpu_lowpower", "armv7_*", "armv8_*", "armv9_*", "apple_*");
}

/* True if perf itself adds PMU to an EVENT requested without one. */
static bool pmu_is_implied(const char *pmu, const char *event)
{
	if (is_generic(event))
		return is_core_pmu(pmu) || is_default_pmu(pmu);
	return text_starts(pmu, "cpu_") && is_core_pmu(pmu) && *event && !strpbrk(event, "=,");
}

/*
 * Cuts the privilege letters off the end of MODIFIERS and returns them as bits. Returns 0 if it contains anything but
 * modifiers.
 */
static unsigned cut_letters(char *modifiers)
{
	static const char letters[] = "ukh";	/* in the order of the PRIVILEGE_ bits */
	size_t len = strlen(modifiers);
	unsigned privilege = 0;

	if (strspn(modifiers, "ukhpP") != len)
		return 0;
	for (; len; modifiers[--len] = '\0') {
		const char *letter = strchr(letters, modifiers[len - 1]);

		if (!letter)
			break;
		privilege |= 1U << (letter - letters);
	}
	return privilege;
}

/*
 * Cuts ":u" off "instructions:u", and "u" off "instructions:ppu" and "cpu/event=0x3c/u". The part after the colon of
 * a tracepoint is not a list of modifiers and stays.
 */
static unsigned cut_privilege(char *name)
{
	char *colon = strrchr(name, ':'), *slash = strrchr(name, '/');
	unsigned privilege = 0;

	if (colon && colon > name && (!slash || slash < colon)) {
		privilege = cut_letters(colon + 1);
		if (privilege && !colon[1])
			*colon = '\0';
	} else if (slash && slash > strchr(name, '/')) {
		privilege = cut_letters(slash + 1);
	}
	return privilege;
}

/* Cuts the suffix that separates events of several PMUs: "cs [software]", "cycles [armv8_cortex_a53]". */
static void cut_bracket(char *name, char **core)
{
	char *open = strstr(name, " ["), *close = strrchr(name, ']');

	if (!open || !close || close < open || close[1])
		return;
	*close = '\0';
	if (is_core_pmu(open + 2))
		*core = xstrdup(open + 2);
	else if (!is_default_pmu(open + 2)) {
		*close = ']';
		return;
	}
	*open = '\0';
}

/* Returns the value of the term "name=" between the slashes, which perf prints; NULL without one. */
static char *given_name(const char *terms)
{
	for (const char *term = terms; term; term = strchr(term, ',')) {
		term += *term == ',';
		if (text_starts(term, "name=") && term[5] && term[5] != ',')
			return xstrndup(term + 5, strcspn(term + 5, ","));
	}
	return NULL;
}

/*
 * Splits off the PMU: "cpu_core/cycles/" is "cycles" of cpu_core. "cpu/event=0x3c/" and "power/energy-pkg/" stay as
 * they are.
 */
static char *cut_pmu(const char *name, char **core, unsigned *privilege)
{
	const char *open = strchr(name, '/'), *close = strrchr(name, '/');
	CLEANUP(free_ptr) char *pmu = NULL;
	CLEANUP(free_ptr) char *inner = NULL;
	unsigned inside;
	char *given;

	if (!open || close == open || close[1])
		return xstrdup(name);
	pmu = xstrndup(name, (size_t)(open - name));
	inner = xstrndup(open + 1, (size_t)(close - open - 1));
	given = given_name(inner);
	if (given) {
		*privilege = 0;	/* perf prints the name alone */
		return given;
	}
	inside = cut_privilege(inner);
	if (!pmu_is_implied(pmu, inner))
		return xstrdup(name);
	*privilege |= inside;
	if (!*core && is_core_pmu(pmu))
		*core = take_ptr(&pmu);
	return take_ptr(&inner);
}

void event_name_parse(const char *event, struct event_name *out)
{
	CLEANUP(free_ptr) char *text = xstrdup(event);
	struct event_name name = EVENT_NAME_INIT;

	cut_bracket(text, &name.core);
	name.privilege = cut_privilege(text);
	name.name = cut_pmu(text, &name.core, &name.privilege);
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
		if (!strcmp(name.name, aliases[i].alias)) {
			free(name.name);
			name.name = xstrdup(aliases[i].name);
			break;
		}
	*out = name;
}

void event_name_release(struct event_name *name)
{
	free(name->name);
	free(name->core);
	*name = (struct event_name)EVENT_NAME_INIT;
}

int event_name_match(const struct event_name *asked, const struct event_name *row)
{
	bool same_core = asked->core ? row->core && !strcmp(asked->core, row->core) : !row->core;
	bool same_privilege = asked->privilege == row->privilege;

	if (strcmp(asked->name, row->name) || (asked->core && !same_core))
		return 0;
	if (!same_privilege && (asked->privilege || row->privilege != PRIVILEGE_USER))
		return 0;
	return 1 + same_privilege + 2 * same_core;
}

bool event_name_reads_false_zero(const struct event_name *name)
{
	return name->privilege == PRIVILEGE_USER &&
	       TEXT_IS(name->name, "context-switches", "cpu-migrations", "cgroup-switches");
}

/* -------- which events are counted together */

/* True for subsystem:event. A privilege modifier after a colon is a few lower case letters instead. */
static bool is_tracepoint(const char *event)
{
	const char *colon = strchr(event, ':');

	return colon && !strchr(event, '/') && strspn(colon + 1, "ukhGHSIPpWeD") != strlen(colon + 1);
}

bool event_needs_counter(const char *event)
{
	static const char *const software[] = {
		"task-clock", "cpu-clock", "page-faults", "faults", "minor-faults", "major-faults", "context-switches",
		"cs", "cpu-migrations", "migrations", "alignment-faults", "emulation-faults", "dummy", "bpf-output",
		"cgroup-switches", NULL,
	};

	return !text_one_of(event, strcspn(event, ":"), software) && !is_tracepoint(event);
}

unsigned events_counters(const struct strv *events)
{
	unsigned n = 0;

	for (size_t i = 0; i < events->n; i++)
		n += event_needs_counter(events->items[i]);
	return n;
}

enum counting events_counting(const struct metric *metric, enum tier tier)
{
	const char *events[2];

	if (!metric_events(metric, events))
		return COUNTING_WHOLE;
	if (!event_needs_counter(events[0]))
		return tier_event(tier, SAMPLED_CLOCK) ? COUNTING_WHOLE : COUNTING_NONE;
	if (tier_has_hardware(tier))
		return tier == TIER_HW ? COUNTING_WHOLE : COUNTING_USER;
	return metric->simulated ? COUNTING_SIMULATED : COUNTING_NONE;
}

/* True if one group already counts all EVENTS together. */
static bool together(const struct event_groups *groups, const char *const *events, size_t n)
{
	for (size_t i = 0; i < groups->n; i++) {
		size_t has = 0;

		while (has < n && strv_has(&groups->events[i], events[has]))
			has++;
		if (has == n)
			return true;
	}
	return false;
}

/*
 * Adds a tuple by first fit. A tuple larger than the capacity gets its own group, and perf's rows will show
 * multiplexing. If nothing can be counted, separate runs would not help.
 */
static void add_tuple(struct event_groups *groups, const char *const *events, size_t n, unsigned capacity, bool may_open)
{
	size_t at;

	if (together(groups, events, n))
		return;
	for (at = 0; at < groups->n; at++) {
		unsigned used = events_counters(&groups->events[at]), cost = 0;

		for (size_t i = 0; i < n; i++)
			cost += !strv_has(&groups->events[at], events[i]) && event_needs_counter(events[i]);
		if (!capacity || used + cost <= capacity || (!used && may_open) || !cost)
			break;
	}
	if (at == groups->n) {
		if (!may_open || groups->n == EVENT_GROUPS_MAX)
			return;
		strv_push(&groups->events[groups->n++], "task-clock");
	}
	for (size_t i = 0; i < n; i++)
		strv_push_new(&groups->events[at], events[i]);
}

void event_groups_plan(const struct gate *gates, size_t n_gates, const struct strv *events, unsigned capacity,
		       struct event_groups *out)
{
	static const char *const standard[][2] = {
		{ "cycles", "instructions" }, { "branches", "branch-misses" }, { "L1-dcache-loads", "L1-dcache-load-misses" },
	};

	*out = (struct event_groups){ .n = 1 };
	strv_push(&out->events[0], "task-clock");
	for (size_t i = 0; i < n_gates; i++) {
		const char *parts[2];
		size_t n = metric_events(gates[i].metric, parts);

		if (n && (capacity || !event_needs_counter(parts[0])))
			add_tuple(out, parts, n, capacity, true);
	}
	for (size_t i = 0; i < events->n; i++)
		add_tuple(out, (const char *const *)&events->items[i], 1, capacity, true);
	for (size_t i = 0; capacity && i < sizeof standard / sizeof standard[0]; i++)
		add_tuple(out, standard[i], 2, capacity, false);
}

void event_groups_release(struct event_groups *groups)
{
	for (size_t i = 0; i < EVENT_GROUPS_MAX; i++)
		strv_release(&groups->events[i]);
	groups->n = 0;
}
