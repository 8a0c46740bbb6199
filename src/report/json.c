#include "base/cleanup.h"
#include "store/result.h"
#include "report/report.h"

void report_json(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(free_ptr) char *text = result_format(result);

	(void)options;
	strbuf_adds(out, text);
}
