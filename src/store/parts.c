#include "store/store.h"

#include "base/mem.h"

static int check_name(const struct json *at, const char *name, struct error *err)
{
	size_t len = strlen(name);

	for (const char *p = name; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return json_fault(at, err, "a metric's name holds no control characters, found '%.60s'", name);
	if (!len || len > METRIC_NAME_LONGEST)
		return json_fault(at, err, "a metric's name has 1 to %d characters, found %zu",
				  (int)METRIC_NAME_LONGEST, len);
	return 0;
}

int metric_check_custom(const struct json *at, const char *name, struct error *err)
{
	const char *taken = metric_name_taken(name);

	if (check_name(at, name, err) < 0)
		return -1;
	return taken ? json_fault(at, err, "'%s' is %s", name, taken) : 0;
}

const struct metric *metric_read(const struct json *at, const char *name, struct own_metrics *own, struct error *err)
{
	return check_name(at, name, err) < 0 ? NULL : own_metrics_find(own, name);
}

/* -------- the machine */

static void add_class(cJSON *object, const char *key, const void *member)
{
	CLEANUP(free_ptr) char *class = machine_class(member);

	json_add_string(object, key, class);
}

const struct json_codec machine_class_codec = { .add = add_class };

/* Parts of the class become part of file names. */
#define CLASS_PART .pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]*$", .max = 128, \
	.expected = "at most 128 letters, digits and . _ - with no dot first"

/* More CPUs than any Linux supports. A file that claims more is damaged. */
#define CPU_FIELDS \
	{ FIELD(struct machine, arch), .needed = true, CLASS_PART, .help = "Architecture as uname names it." }, \
	{ FIELD(struct machine, cpu), .needed = true, .help = "CPU model as the kernel names it." }, \
	{ FIELD(struct machine, part), .needed = true, CLASS_PART, \
	  .help = "The machine part of the class, or the value of PAWL_MACHINE." }, \
	{ FIELD(struct machine, cpus), .needed = true, .max = 65536, .help = "CPUs online." }

#define TIER_FIELD \
	{ FIELD(struct machine, tier), .needed = true, .words = tier_names, .help = "What the machine can count." }

#define KERNEL_FIELDS \
	{ FIELD(struct machine, hypervisor), .help = "The hypervisor; null on bare metal." }, \
	{ FIELD(struct machine, kernel), .needed = true, .help = "Kernel release." }

static const struct field stable_items[] = { CPU_FIELDS, TIER_FIELD, KERNEL_FIELDS };

const struct fields machine_stable_fields = { FIELDS(stable_items), .arena = true };

static const struct field machine_items[] = {
	{ .key = "class", .derived = true, .json = &machine_class_codec,
	  .schema = "{'type': 'string'}", .help = "Machine class: arch, part and tier, joined by hyphens." },
	TIER_FIELD,
	CPU_FIELDS,
	KERNEL_FIELDS,
	{ FIELD(struct machine, os), .needed = true, .help = "Distribution." },
	{ FIELD(struct machine, perf_path), .help = "The perf that was used." },
	{ FIELD(struct machine, perf_version), .help = "Its version." },
	{ FIELD(struct machine, tier_reason), .help = "Why the tier is no better." },
	{ FIELD(struct machine, tier_remedy), .help = "The command that improves it." },
	{ FIELD(struct machine, counters), .help = "Hardware events counted at once without multiplexing; 0 unknown." },
	{ FIELD(struct machine, notes), .help = "What made it noisy: busy, throttled, ..." },
};

const struct fields machine_fields = { FIELDS(machine_items), .arena = true };

/* -------- the command that was run */

static const char no_unit[] = "-";

static void add_extracted(cJSON *object, const char *key, const void *member)
{
	const struct settings *settings = (const void *)((const char *)member - offsetof(struct settings, extracted));
	cJSON *texts = json_add_array(object, key);

	for (size_t i = 0; i < settings->n_extracted; i++) {
		const struct extracted *e = &settings->extracted[i];
		CLEANUP(free_ptr) char *text = text_printf("%s %s %s %s", e->name, e->unit ?: no_unit, e->where, extracted_as_names[e->as]);

		json_add_string(texts, NULL, text);
	}
}

static int read_extracted(const struct json *item, void *member, struct error *err)
{
	struct settings *settings = (void *)((char *)member - offsetof(struct settings, extracted));
	CLEANUP(free_ptr) char *text = NULL;
	char *unit, *where, *way;
	unsigned as = 0;
	bool work;

	if (json_string(item, &text, err) < 0)
		return -1;
	/* Only WHERE may contain blanks. */
	unit = strchr(text, ' ');
	where = unit ? strchr(unit + 1, ' ') : NULL;
	way = strrchr(text, ' ');
	if (!where || way <= where)
		return json_fault(item, err, "expected NAME UNIT WHERE HOW, found '%.100s'", text);
	*unit++ = *where++ = *way++ = '\0';
	while (extracted_as_names[as] && strcmp(extracted_as_names[as], way))
		as++;
	work = !strcmp(text, METRIC(WORK)->name);
	if (!extracted_as_names[as] || work != (as == EXTRACTED_COUNT || as == EXTRACTED_RATE))
		return json_fault(item, err, "expected %s behind '%s', found '%.60s'", work ? "rate or count" : "lower or higher",
				  work ? "work" : "a metric", way);
	if (!work && metric_check_custom(item, text, err) < 0)
		return -1;
	/* Accept only units that a terminal can show. */
	if (!strcmp(unit, no_unit) || !metric_unit_valid(unit))
		unit = NULL;
	settings_extract(item->arena, settings, text, unit, where, as);
	return 0;
}

static const struct json_codec extracted_codec = { .add = add_extracted, .item = read_extracted };

static const struct field settings_items[] = {
	{ FIELD(struct settings, command), .needed = true,
	  .help = "The command as the scenario has it; a string command is /bin/sh -c TEXT." },
	{ FIELD(struct settings, setup), .help = "The setup command." },
	{ FIELD(struct settings, prepare), .help = "The command before each run." },
	{ FIELD(struct settings, environment),
	  .help = "NAME=VALUE added to the environment, then each NAME that the scenario passes on." },
	{ FIELD(struct settings, events), .help = "perf events asked for beyond the standard ones." },
	{ FIELD(struct settings, cpus), .help = "The CPUs the target is pinned to." },
	{ FIELD(struct settings, aslr_off), .help = "Whether address randomisation was off." },
	{ FIELD(struct settings, services), .help = "The services around it, in order: NAME: COMMAND." },
	{ FIELD(struct settings, load), .help = "The command that drives an attached target." },
	{ FIELD_ITEMS("metrics", struct settings, extracted, NULL), .max = METRICS_MAX, .json = &extracted_codec,
	  .schema = "{'type': 'array', 'items': {'type': 'string'}}", .expected = "metrics",
	  .help = "Its throughput and custom metrics: NAME UNIT WHERE HOW." },
	{ FIELD(struct settings, window_s), .help = "Seconds of a window on an attached target; 0 when none is set." },
};

const struct fields settings_fields = { FIELDS(settings_items) };
