/* The pairing of a scenario's result. */
#ifndef PAWL_MODEL_RESULT_PAIRS_H
#define PAWL_MODEL_RESULT_PAIRS_H

#include "model/result.h"

/* Also of NULL. */
void pairing_free(struct pairing *pairing);

#endif
