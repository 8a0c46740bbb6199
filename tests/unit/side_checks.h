/* Values and notes of one side's runs. The caller includes cmocka first. */
#ifndef PAWL_TESTS_SIDE_CHECKS_H
#define PAWL_TESTS_SIDE_CHECKS_H

#include <math.h>

#include "base/mem.h"
#include "model/side.h"

static inline double value_of(const struct side_result *side, size_t run, const char *metric)
{
	for (size_t i = 0; i < side->n_metrics; i++)
		if (!strcmp(side->metrics[i]->name, metric))
			return side->runs[run].values[i];
	return NAN;
}

/* Asserts that the notes, one per line, equal EXPECTED. */
static inline void assert_notes(const struct side_result *side, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < side->notes.n; i++)
		strbuf_addf(&text, "%s\n", side->notes.items[i]);
	assert_string_equal(text.buf ?: "", expected);
}

#endif
