/* The answers of docker and podman: only a running container has a process number. */
#include "measure/services/replies.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(free_ptr) char *text = xstrndup((const char *)data, size);

	for (int failed = 0; failed < 2; failed++) {
		struct inspected answer;

		inspected_parse(text, failed, &answer);
		if ((answer.outcome == INSPECT_RUNNING) != (answer.pid > 0) || (failed && answer.pid))
			abort();
		if (!memchr(answer.words, '\0', sizeof answer.words))
			abort();
	}
	if (inspected_name_valid(text) && *text == '-')
		abort();
	return 0;
}
