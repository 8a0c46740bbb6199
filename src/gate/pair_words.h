/* Why a gate in pairs is not a plain pass, and what it would take to tell. */
#ifndef PAWL_GATE_PAIR_WORDS_H
#define PAWL_GATE_PAIR_WORDS_H

#include "gate/paired.h"
#include "model/result.h"

/* J has its numbers and PAIRED's verdict; its reason is added. */
void pair_words(struct judgement *j, const struct scenario_result *s, const struct paired_terms *terms,
		const struct paired *paired);
/* What the reader must know of both sides: the same bytes, different work, a tolerance that judges the linker. */
void pair_words_scenario(struct scenario_result *s);

#endif
