#include "scenario/plan_text.h"

#include "base/cleanup.h"
#include "scenario/expand.h"

int plan_text(const struct plan_builder *builder, const char *what, const char *from, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (from && expand_text(from, builder->scenario, builder->context, &text, err) < 0)
		return error_wrap(err, "%s%s", builder->prefix, what);
	*out = from ? arena_strdup(builder->arena, text.buf) : NULL;
	return 0;
}

int plan_path(const struct plan_builder *builder, const char *what, const char *from, char **out, struct error *err)
{
	const char *root = builder->context->root;
	bool slash = *root && root[strlen(root) - 1] == '/';
	char *text;

	if (plan_text(builder, what, from ?: "", &text, err) < 0)
		return -1;
	*out = *text == '/' ? text : arena_printf(builder->arena, "%s%s%s", root, *text && !slash ? "/" : "", text);
	return 0;
}

int plan_list(const struct plan_builder *builder, const char *what, const struct strv *from, struct strv *out,
	      struct error *err)
{
	for (size_t i = 0; i < from->n; i++) {
		char *text;

		if (plan_text(builder, what, from->items[i], &text, err) < 0)
			return -1;
		arena_push(builder->arena, out, text);
	}
	return 0;
}
