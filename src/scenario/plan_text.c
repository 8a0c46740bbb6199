#include "scenario/plan_text.h"

#include "base/cleanup.h"
#include "scenario/expand.h"

int plan_text(const struct plan_builder *builder, const char *what, const char *from, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (from && expand_text(from, builder->scenario, builder->context, &text, err) < 0)
		return error_wrap(err, "%s%s", builder->prefix, what);
	*out = from ? strbuf_take(&text) : NULL;
	return 0;
}

int plan_path(const struct plan_builder *builder, const char *what, const char *from, char **out, struct error *err)
{
	CLEANUP(free_ptr) char *text = NULL;
	struct strbuf path = STRBUF_INIT;

	if (plan_text(builder, what, from ?: "", &text, err) < 0)
		return -1;
	if (*text != '/')
		strbuf_adds(&path, builder->context->root);
	if (*text && *text != '/' && !strbuf_ends_with(&path, "/"))
		strbuf_addc(&path, '/');
	strbuf_adds(&path, text);
	*out = strbuf_take(&path);
	return 0;
}

int plan_list(const struct plan_builder *builder, const char *what, const struct strv *from, struct strv *out,
	      struct error *err)
{
	for (size_t i = 0; i < from->n; i++) {
		char *text;

		if (plan_text(builder, what, from->items[i], &text, err) < 0)
			return -1;
		strv_take(out, text);
	}
	return 0;
}
