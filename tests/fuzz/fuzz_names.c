/* Untrusted symbols and files, lines "SYMBOL<tab>FILE": names are bounded in length, and the same each time. */
#include "profile/names.h"
#include "fuzz.h"

static void name(const char *raw, const char *dso)
{
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT, key = STRBUF_INIT, again = STRBUF_INIT, file = STRBUF_INIT;

	for (int ada = 0; ada < 2; ada++) {
		strbuf_reset(&shown);
		name_shown(raw, ada, &shown);
		if (shown.len > 2 * DEMANGLED_LARGEST + strlen(raw))
			abort();
	}
	name_comparable(shown.buf, dso, &key);
	name_comparable(shown.buf, dso, &again);
	name_of_dso(dso, &file);
	if (strcmp(key.buf, again.buf) || (shown.len && !key.len) || file.len > strlen(dso) + 8)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(free_ptr) char *text = xstrndup((const char *)data, size);
	char *end, *tab;

	for (char *line = text; line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		tab = strchr(line, '\t');
		if (tab)
			*tab++ = '\0';
		name(line, tab ? tab : "");
	}
	return 0;
}
