#include "model/machine.h"

#include <ctype.h>

const char *const tier_names[] = {
	[TIER_HW] = "hw", [TIER_HW_USER] = "hw-user", [TIER_SW] = "sw", [TIER_SW_USER] = "sw-user", [TIER_SIM] = "sim",
	[TIER_NONE] = "none", NULL,
};

bool tier_has_hardware(enum tier tier)
{
	return tier == TIER_HW || tier == TIER_HW_USER;
}

const char *tier_event(enum tier tier, enum sampled what)
{
	/* By tier, the best first; those without perf have none. */
	static const char *const events[][TIER_NONE + 1] = {
		[SAMPLED_CPU] = { "cycles", "cycles:u", "cpu-clock", "cpu-clock:u" },
		[SAMPLED_CLOCK] = { "cpu-clock", "cpu-clock:u", "cpu-clock", "cpu-clock:u" },
		[SAMPLED_FAULTS] = { "page-faults", "page-faults:u", "page-faults", "page-faults:u" },
		[SAMPLED_SWITCHES] = { "context-switches", NULL, "context-switches", NULL },
	};

	return events[what][tier];
}

void machine_release(struct machine *machine)
{
	arena_release(&machine->arena);
	*machine = (struct machine){ 0 };
}

void machine_copy(struct machine *out, const struct machine *from)
{
	const char **texts[] = {
		&out->arch, &out->cpu, &out->part, &out->kernel, &out->os, &out->perf_path, &out->perf_version, &out->hypervisor,
		&out->tier_reason, &out->tier_remedy,
	};

	*out = *from;
	out->arena = (struct arena)ARENA_INIT;
	out->notes = (struct strv)STRV_INIT;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		*texts[i] = arena_strdup(&out->arena, *texts[i]);
	arena_push_all(&out->arena, &out->notes, &from->notes);
}

char *machine_class(const struct machine *machine)
{
	return text_printf("%s-%s-%s", machine->arch ?: "unknown", machine->part ?: "unknown", tier_names[machine->tier]);
}

/* True for words of a CPU's name that do not identify it. */
static bool is_filler(const char *word, size_t len)
{
	static const char *const fillers[] = { "cpu", "processor", "r", "tm", "core", "with", "virtual", "version" };

	for (size_t i = 0; i < sizeof fillers / sizeof fillers[0]; i++)
		if (strlen(fillers[i]) == len && !strncasecmp(fillers[i], word, len))
			return true;
	return false;
}

static void add_word(struct strbuf *slug, const char *word, size_t len)
{
	if (!len || is_filler(word, len))
		return;
	if (slug->len)
		strbuf_addc(slug, '-');
	for (size_t i = 0; i < len; i++)
		strbuf_addc(slug, (char)tolower((unsigned char)word[i]));
}

/* Leaves out the clock rate after '@': it is nominal, and not in every name. */
char *machine_cpu_slug(const char *cpu)
{
	struct strbuf slug = STRBUF_INIT;
	const char *p = cpu;

	while (*p && *p != '@') {
		size_t len = 0;

		while (isalnum((unsigned char)p[len]) || (len && p[len] == '.' && isalnum((unsigned char)p[len + 1])))
			len++;
		add_word(&slug, p, len);
		p += len ? len : 1;
	}
	if (!slug.len)
		strbuf_adds(&slug, "unknown");
	return strbuf_take(&slug);
}
