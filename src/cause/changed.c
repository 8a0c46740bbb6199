#include "cause/changed.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"

/* Returns the diff, if all of it is known and it consists of code alone; else NULL. */
static const struct changes *code_alone(const struct search *s)
{
	const struct changes *changes = s->in->changes;

	return changes && changes->known && !changes->cut && !changes->others.n ? changes : NULL;
}

const struct change *changed_place(const struct search *s)
{
	const struct changes *changes = code_alone(s);

	return changes && changes->n == 1 ? &changes->items[0] : NULL;
}

const struct change *changed_function(const struct search *s)
{
	const struct changes *changes = code_alone(s);
	const struct change *found = NULL;

	for (size_t i = 0; changes && i < changes->n; i++) {
		const struct change *c = &changes->items[i];

		if (!c->function && !c->holder)
			continue;
		if (!c->function || (found && (!text_same(found->function, c->function) || strcmp(found->path, c->path) != 0)))
			return NULL;
		found = found ?: c;
	}
	return found;
}

const char *changed_file(const struct search *s)
{
	const struct changes *changes = s->in->changes;

	return changes && changes->known && !changes->cut && !changes->n && changes->others.n == 1 ? changes->others.items[0] : NULL;
}

const struct change_use *changed_use(const struct search *s, const struct change *c)
{
	const struct changes *changes = s->in->changes;
	const struct change_use *found = NULL;

	for (size_t i = 0; i < changes->n_uses && !c->function; i++) {
		const struct change_use *use = &changes->uses[i];

		if (&changes->items[use->change] != c)
			continue;
		if (!use->function || (found && !text_same(found->function, use->function)))
			return NULL;
		found = found ?: use;
	}
	return found;
}

/* -------- scripts */

/* True if FILE is PATH compiled by Python: "shop/__pycache__/order.cpython-312.pyc" for shop/order.py. */
static bool is_compiled(const struct changes *changes, const char *file, const char *path)
{
	const char *cache = strstr(file, "/__pycache__/"), *name = path_name(file);
	CLEANUP(free_ptr) char *source = NULL;

	if (!cache)
		return false;
	source = text_printf("%.*s/%.*s.py", (int)(cache - file), file, (int)strcspn(name, "."), name);
	return changes_has_source(changes, HEAD, source, path);
}

/* True if the program reads PATH of the diff, a script that an interpreter executes. */
static bool is_read(const struct changes *changes, const struct system_calls *calls, const char *path)
{
	for (size_t i = 0; i < calls->n_files; i++)
		if (changes_has_source(changes, HEAD, calls->files[i].path, path) || is_compiled(changes, calls->files[i].path, path))
			return true;
	return false;
}

bool changed_on_import(const struct search *s, const struct change *c)
{
	const struct system_calls *calls = &s->in->head->system_calls;

	for (size_t i = 0; i < calls->n_files && !c->function; i++)
		if (is_compiled(s->in->changes, calls->files[i].path, c->path))
			return true;
	return false;
}

const struct change *changed_script(const struct search *s, size_t *n_out)
{
	const struct changes *changes = s->in->changes;
	const struct change *best = NULL;

	*n_out = 0;
	for (size_t i = 0; changes && changes->known && i < changes->n; i++) {
		const struct change *c = &changes->items[i];

		if (!is_read(changes, &s->in->head->system_calls, c->path))
			continue;
		++*n_out;
		if (!best || (c->function && !best->function) || (!c->function == !best->function && c->now.n > best->now.n))
			best = c;
	}
	return best;
}
