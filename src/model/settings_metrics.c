#include "model/settings_metrics.h"

#include "base/cleanup.h"
#include "base/mem.h"

static const char no_unit[] = "-", higher[] = " higher";

void settings_add_figure(struct settings *settings, const char *name, const char *unit, const char *where,
			 const char *how)
{
	strv_pushf(&settings->metrics, "%s %s %s %s", name, unit ?: no_unit, where, how);
}

/* The word at *TEXT, for free(); *TEXT becomes what is behind it. NULL when nothing is. */
static char *take_word(const char **text)
{
	size_t len = strcspn(*text, " ");
	char *word;

	if (!len || !(*text)[len])
		return NULL;
	word = xstrndup(*text, len);
	*text += len + 1;
	return word;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), tail = strlen(end);

	return len >= tail && !strcmp(text + len - tail, end);
}

static void define(const char *text, struct scenario_result *scenario)
{
	CLEANUP(free_ptr) char *name = take_word(&text);
	CLEANUP(free_ptr) char *unit = name ? take_word(&text) : NULL;
	struct metric *metric;

	if (!unit)
		return;
	if (!strcmp(unit, no_unit) || !metric_unit_valid(unit)) {
		free(unit);
		unit = NULL;
	}
	if (!strcmp(name, METRIC_WORK)) {
		free(scenario->work_unit);
		scenario->work_unit = take_ptr(&unit);
		return;
	}
	metric = metric_new_printed(name, unit, ends_with(text, higher));
	scenario_result_define(scenario, metric);
	metric_free_event(metric);
}

void settings_define_metrics(const struct settings *settings, struct scenario_result *scenario)
{
	for (size_t i = 0; i < settings->metrics.n; i++)
		define(settings->metrics.items[i], scenario);
}
