#define PCRE2_CODE_UNIT_WIDTH 8
#include <elfutils/libdwfl.h>
#include <pcre2.h>
#include <string.h>
#include <yaml.h>
#include <zlib.h>

#include <cjson/cJSON.h>

#include "cmd/reference/version.h"
#include "scenario/yaml.h"
#include "store/store.h"

static const char commit[] =
#include "embedded/commit.inc"
	;

/* Appends what is read of the format called NAME, whose version is the first of FIELDS. */
static void add_format(struct strbuf *out, const char *name, const struct fields *fields)
{
	const struct field *version = &fields->items[0];

	strbuf_addf(out, "%s %s ", name, version->key);
	if (version->min > 0 && version->min < version->max)
		strbuf_addf(out, "%.0f to ", version->min);
	strbuf_addf(out, "%.0f", version->max);
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
	add_format(out, "results of", &result_fields);
	add_format(out, ", baselines of", &baseline_fields);
	add_format(out, ", scenarios of", &scenario_fields);
	strbuf_adds(out, "\n");
}
