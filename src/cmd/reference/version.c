#define PCRE2_CODE_UNIT_WIDTH 8
#include <elfutils/libdwfl.h>
#include <pcre2.h>
#include <string.h>
#include <yaml.h>
#include <zlib.h>

#include <cjson/cJSON.h>

#include "base/mem.h"
#include "cmd/reference/page.h"
#include "cmd/reference/version.h"
#include "scenario/yaml.h"
#include "store/store.h"

static const char commit[] =
#include "embedded/commit.inc"
	;

/* Files of a format, whose version is the first of the fields. */
static const struct {
	const char *name, *path;
	const struct fields *fields;
} formats[] = {
	{ "results", "result.json", &result_fields },
	{ "baselines", "baselines/SCENARIO/CLASS.json", &baseline_fields },
	{ "scenarios", "scenarios/*.yaml", &scenario_fields },
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

/* Returns the versions that are read, such as "1 to 2"; for free(). */
static char *versions_read(const struct field *version)
{
	if (version->min > 0 && version->min < version->max)
		return text_printf("%.0f to %.0f", version->min, version->max);
	return text_printf("%.0f", version->max);
}

void version_formats(struct strbuf *out, const char *argument, const void *ctx)
{
	(void)argument;
	(void)ctx;
	page_row(out, true, (const char *const[]){ "file", "key of its version", "versions read" }, 3);
	for (size_t i = 0; i < FORMATS; i++) {
		const struct field *version = &formats[i].fields->items[0];
		CLEANUP(free_ptr) char *path = text_printf("`%s`", formats[i].path), *key = text_printf("`%s`", version->key);
		CLEANUP(free_ptr) char *read = versions_read(version);

		page_row(out, false, (const char *const[]){ path, key, read }, 3);
	}
}

void version_text(struct strbuf *out)
{
	char pcre2[64] = "";

	pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
	strbuf_adds(out, "pawl " PAWL_VERSION "\n");
	strbuf_addf(out, "commit     %s\n", *commit ? commit : "unknown");
	/* PCRE2's version ends with its date. */
	strbuf_addf(out, "libraries  libyaml %s, cJSON %s, elfutils %s, PCRE2 %.*s, zlib %s\n", yaml_get_version_string(),
		    cJSON_Version(), dwfl_version(NULL), (int)strcspn(pcre2, " "), pcre2, zlibVersion());
	strbuf_adds(out, "reads      ");
	for (size_t i = 0; i < FORMATS; i++) {
		const struct field *version = &formats[i].fields->items[0];
		CLEANUP(free_ptr) char *read = versions_read(version);

		strbuf_addf(out, "%s%s of %s %s", i ? ", " : "", formats[i].name, version->key, read);
	}
	strbuf_adds(out, "\n");
}
