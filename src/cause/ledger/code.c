#include "cause/ledger/code.h"

#include <stdlib.h>

#include "base/mem.h"

void codes_release(struct codes *codes)
{
	stacks_release(&codes->texts);
	pair_index_release(&codes->names);
	free(codes->first);
	free(codes->items);
	*codes = (struct codes){ 0 };
}

static uint32_t text_number(struct codes *codes, const char *text)
{
	return stacks_string(&codes->texts, text, strlen(text));
}

/* Two programs of one tree, as two typed commands run them, may have any paths in it. */
static const char *below_root(const struct codes *codes, int side, const char *object)
{
	if (codes->root[BASE] && codes->root[HEAD] && !strcmp(codes->root[BASE], codes->root[HEAD]))
		return "";
	return codes->root[side] && *object == '/' ? path_below(object, codes->root[side]) ?: "" : "";
}

/* Returns the number of SIDE's CODE among those from FIRST on; NO_CODE: none. An object with the same path is preferred. */
static code_id find(const struct codes *codes, int side, const struct code *code, code_id first, uint32_t home)
{
	code_id found = NO_CODE;

	for (code_id id = first; id != NO_CODE; id = codes->items[id].next) {
		const struct code_entry *e = &codes->items[id];
		const struct code *mine = e->of[side], *others = e->of[!side];

		if ((home && e->home && home != e->home) || (mine && strcmp(mine->object, code->object) != 0))
			continue;
		if (mine || (home && home == e->home) || !strcmp(others->object, code->object))
			return id;
		found = id;
	}
	return found;
}

code_id codes_number(struct codes *codes, int side, const struct code *code)
{
	uint32_t home = text_number(codes, below_root(codes, side, code->object));
	uint32_t name = pair_index_of(&codes->names, text_number(codes, code->key), text_number(codes, path_name(code->object)));
	struct code_entry *entry;
	code_id id;

	if (name == codes->n_first)
		*VEC_ADD(codes->first, codes->n_first, codes->cap_first) = NO_CODE;
	id = find(codes, side, code, codes->first[name], home);
	if (id == NO_CODE) {
		id = (code_id)codes->n;
		*VEC_ADD(codes->items, codes->n, codes->cap) = (struct code_entry){ .home = home, .next = codes->first[name] };
		codes->first[name] = id;
	}
	entry = &codes->items[id];
	if (!entry->of[side] || (!entry->of[side]->source && code->source))
		entry->of[side] = code;
	return id;
}

code_id codes_named(const struct codes *codes, const char *function)
{
	for (code_id id = 0; id < codes->n; id++)
		if (code_of(codes, id)->own && !strcmp(code_of(codes, id)->function, function))
			return id;
	return NO_CODE;
}
