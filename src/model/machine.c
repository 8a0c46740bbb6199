#include "model/machine.h"

#include <ctype.h>

#include "base/mem.h"
#include "base/text.h"

const char *const tier_names[] = {
	[TIER_HW] = "hw",
	[TIER_HW_USER] = "hw-user",
	[TIER_SW] = "sw",
	[TIER_SW_USER] = "sw-user",
	[TIER_SIM] = "sim",
	[TIER_NONE] = "none",
	NULL,
};

bool tier_has_hardware(enum tier tier)
{
	return tier == TIER_HW || tier == TIER_HW_USER;
}

void machine_release(struct machine *machine)
{
	free(machine->arch);
	free(machine->cpu);
	free(machine->part);
	free(machine->kernel);
	free(machine->os);
	free(machine->perf_path);
	free(machine->perf_version);
	free(machine->hypervisor);
	free(machine->tier_reason);
	free(machine->tier_remedy);
	strv_release(&machine->notes);
	*machine = (struct machine){ 0 };
}

void machine_copy(struct machine *out, const struct machine *from)
{
	*out = (struct machine){
		.arch = xstrdup(from->arch),
		.cpu = xstrdup(from->cpu),
		.part = xstrdup(from->part),
		.cpus = from->cpus,
		.tier = from->tier,
		.kernel = xstrdup(from->kernel),
		.os = xstrdup(from->os),
		.perf_path = xstrdup(from->perf_path),
		.perf_version = xstrdup(from->perf_version),
		.hypervisor = xstrdup(from->hypervisor),
		.tier_reason = xstrdup(from->tier_reason),
		.tier_remedy = xstrdup(from->tier_remedy),
		.counters = from->counters,
	};
	strv_copy(&out->notes, &from->notes);
}

char *machine_class(const struct machine *machine)
{
	struct strbuf class = STRBUF_INIT;

	strbuf_addf(&class, "%s-%s-%s", machine->arch ?: "unknown", machine->part ?: "unknown", tier_names[machine->tier]);
	return strbuf_take(&class);
}

/* Words of a CPU's name that say nothing about which CPU it is. */
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

/* The clock rate behind '@' is left out: it is the nominal one, and not in every name. */
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
