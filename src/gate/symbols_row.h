/* The row of gates.symbols, from what was found of each symbol. */
#ifndef PAWL_GATE_SYMBOLS_ROW_H
#define PAWL_GATE_SYMBOLS_ROW_H

#include "model/result.h"

/* ROW's verdict, numbers and reason are those of the worst of S's symbols; ACCUSING: how many standard errors accuse. */
void symbols_row_settle(struct judgement *row, const struct scenario_result *s, double accusing);

#endif
