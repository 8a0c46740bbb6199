#ifndef PAWL_CMD_REPRO_H
#define PAWL_CMD_REPRO_H

struct error;
struct invocation;

/*
 * --repro RESULT: turns INV, which is `pawl run`, into the command line that made the result, and says what differs
 * here. A result in pairs is compared with its base's commit. The file may be a stranger's, so
 * only numbers are taken from its options, and no path or command.
 */
int repro_prepare(struct invocation *inv, struct error *err);

#endif
