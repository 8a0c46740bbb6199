/* /proc/PID/stat: read completely or rejected. The process chooses its name in it. */
#include "measure/process/proc.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(free_ptr) char *text = xstrndup((const char *)data, size);
	struct process stat;

	if (process_parse(text, &stat) && (!memchr(stat.name, '\0', sizeof stat.name) || !stat.state))
		abort();
	return 0;
}
