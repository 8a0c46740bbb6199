/* What every harness includes: the entry point, called with each input, and a check that a fuzzer notices. */
#ifndef PAWL_TESTS_FUZZ_H
#define PAWL_TESTS_FUZZ_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(int holds)
{
	if (!holds)
		abort();
}

#endif
