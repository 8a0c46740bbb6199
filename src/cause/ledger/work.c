#include "cause/ledger/work.h"

#include <stdlib.h>
#include <string.h>

void work_release(struct work *work)
{
	if (work->index) {
		stacks_release(&work->index->texts);
		pair_index_release(&work->index->functions);
		pair_index_release(&work->index->places);
		pair_index_release(&work->index->lines);
		pair_index_release(&work->index->calls);
		free(work->index->kept);
		free(work->index);
	}
	arena_release(&work->arena);
	*work = (struct work){ 0 };
}

uint32_t work_text(struct work *work, const char *text)
{
	if (!work->index)
		work->index = xcalloc(1, sizeof *work->index);
	return stacks_string(&work->index->texts, text, strlen(text));
}

const char *work_keep(struct work *work, uint32_t number)
{
	struct work_index *index = work->index;

	index->kept = xextend(index->kept, &index->n_kept, number + 1UL, sizeof *index->kept);
	if (!index->kept[number])
		index->kept[number] = arena_strdup(&work->arena, stacks_text(&index->texts, number));
	return index->kept[number];
}

uint32_t work_function_of(struct work *work, const char *object, const char *key)
{
	uint32_t a = work_text(work, object), b = work_text(work, key);
	uint32_t at = pair_index_of(&work->index->functions, a, b);

	if (at == work->n_functions) {
		ARENA_ADD(&work->arena, work->functions, work->n_functions, work->cap_functions)->code = (struct code){
			.key = work_keep(work, b), .object = work_keep(work, a),
		};
	}
	return at;
}

void work_add_line(struct work *work, uint32_t function, const char *source, unsigned line, double self)
{
	uint32_t text = work_text(work, source), place = pair_index_of(&work->index->places, text, line);
	uint32_t at = pair_index_of(&work->index->lines, function, place);

	if (at == work->n_lines) {
		*ARENA_ADD(&work->arena, work->lines, work->n_lines, work->cap_lines) = (struct work_line){
			.function = function, .source = work_keep(work, text), .line = line,
		};
	}
	work->lines[at].self += self;
}

uint32_t work_call_of(struct work *work, uint32_t caller, uint32_t callee)
{
	uint32_t at = pair_index_of(&work->index->calls, caller, callee);

	if (at == work->n_calls)
		*ARENA_ADD(&work->arena, work->calls, work->n_calls, work->cap_calls) = (struct work_call){ .caller = caller, .callee = callee };
	return at;
}

void work_add_call(struct work *work, const struct work_call *call)
{
	uint32_t at = work_call_of(work, call->caller, call->callee);

	work->calls[at].calls += call->calls;
	work->calls[at].total += call->total;
}
