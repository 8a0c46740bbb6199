/* Lines of /proc/net/tcp and links of descriptors: a port and an inode, or nothing. */
#include "measure/process/proc.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(free_ptr) char *text = xstrndup((const char *)data, size);
	struct listener listener;
	uint64_t inode;

	for (char *line = text; *line; line += *line == '\n') {
		if (proc_net_listener(line, &listener) && (listener.port > UINT16_MAX || !listener.inode))
			abort();
		line += strcspn(line, "\n");
	}
	if (proc_net_socket(text, &inode) && text[strlen(text) - 1] != ']')
		abort();
	return 0;
}
