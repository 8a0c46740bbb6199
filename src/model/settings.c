#include "model/settings.h"

#include "base/mem.h"

void settings_release(struct settings *settings)
{
	strv_release(&settings->command);
	free(settings->setup);
	free(settings->prepare);
	strv_release(&settings->environment);
	strv_release(&settings->events);
	free(settings->cpus);
	strv_release(&settings->services);
	free(settings->load);
	strv_release(&settings->metrics);
	*settings = (struct settings){ 0 };
}

void settings_copy(struct settings *out, const struct settings *from)
{
	*out = (struct settings){
		.setup = xstrdup(from->setup),
		.prepare = xstrdup(from->prepare),
		.cpus = xstrdup(from->cpus),
		.aslr_off = from->aslr_off,
		.load = xstrdup(from->load),
		.window_s = from->window_s,
	};
	strv_copy(&out->command, &from->command);
	strv_copy(&out->environment, &from->environment);
	strv_copy(&out->events, &from->events);
	strv_copy(&out->services, &from->services);
	strv_copy(&out->metrics, &from->metrics);
}

const char *settings_difference(const struct settings *a, const struct settings *b)
{
	if (!strv_equal(&a->command, &b->command))
		return "command";
	if (!text_same(a->setup, b->setup))
		return "setup";
	if (!text_same(a->prepare, b->prepare))
		return "prepare";
	if (!strv_equal(&a->environment, &b->environment))
		return "environment";
	if (!strv_equal(&a->events, &b->events))
		return "events";
	if (!text_same(a->cpus, b->cpus))
		return "cpus";
	if (a->aslr_off != b->aslr_off)
		return "aslr";
	if (!strv_equal(&a->services, &b->services))
		return "services";
	if (!text_same(a->load, b->load))
		return "load";
	if (!strv_equal(&a->metrics, &b->metrics))
		return "metrics";
	return a->window_s == b->window_s ? NULL : "window";
}
