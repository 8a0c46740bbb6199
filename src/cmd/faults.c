#include "cmd/faults.h"

#include "base/cleanup.h"

void faults_print(const struct diags *diags)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	diags_render(diags, &text);
	fputs(text.buf, stderr);
}
