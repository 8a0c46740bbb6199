#include "scenario/gates.h"
#include "scenario/measure_settings.h"
#include "scenario/profile_settings.h"

void scenario_defaults_init(struct scenario_defaults *defaults)
{
	measure_settings_init(&defaults->measure);
	profile_settings_init(&defaults->profile);
	defaults->arena = (struct arena)ARENA_INIT;
	gates_init(&defaults->arena, &defaults->gates);
}

void scenario_defaults_release(struct scenario_defaults *defaults)
{
	arena_release(&defaults->arena);
}
