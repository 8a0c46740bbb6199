/* Terminal output: results on standard output, messages on standard error. */
#ifndef PAWL_JOB_PROJECT_CONSOLE_H
#define PAWL_JOB_PROJECT_CONSOLE_H

#include <stdbool.h>

struct error;
struct request;
struct strbuf;

/* Writes TEXT to standard output. A failed write is an error. */
int console_print(const struct strbuf *text, struct error *err);
/* Writes TEXT to the file PATH; to standard output if it is NULL or "-". */
int console_write(const char *path, const struct strbuf *text, struct error *err);
/* True if PATH is such a file. */
bool console_is_file(const char *path);
/* Prints a message unless -q is given. Text from outside is made safe for a terminal. */
void console_say(const struct request *request, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints TEXT unescaped, such as cursor movements and ::group::, unless -q is given. */
void console_raw(const struct request *request, const char *text);

#endif
