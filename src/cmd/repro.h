#ifndef PAWL_CMD_REPRO_H
#define PAWL_CMD_REPRO_H

struct error;
struct invocation;

/*
 * --repro RESULT: makes of INV, which is `pawl run`, the command that measures again what the result measured, as it is valid
 * on this machine, and says what differs: another class of machine or a result in pairs becomes `pawl ab` (inv->command),
 * against the result's base commit. The file may be a stranger's: of its options only numbers are taken, and no path.
 */
int repro_prepare(struct invocation *inv, struct error *err);

#endif
