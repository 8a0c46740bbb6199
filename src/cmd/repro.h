#ifndef PAWL_CMD_REPRO_H
#define PAWL_CMD_REPRO_H

struct error;
struct invocation;

/*
 * --repro RESULT: turns INV, which is `pawl run`, into the command that repeats the result's measurement on this
 * machine, and says what differs. A result of another machine class, or in pairs, becomes `pawl ab` (inv->command)
 * against the result's base commit. The file may be a stranger's, so only numbers are taken from its options, and no
 * path.
 */
int repro_prepare(struct invocation *inv, struct error *err);

#endif
