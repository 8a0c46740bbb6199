#include "profile/evidence.h"

void evidence_release(struct evidence *e)
{
	work_release(&e->work);
	stacks_release(&e->cpu);
	stacks_release(&e->faults);
	stacks_release(&e->waits);
	stacks_release(&e->allocations);
	stacks_release(&e->heap_peak);
	system_calls_release(&e->system_calls);
	arena_release(&e->arena);
	*e = (struct evidence){ 0 };
}
