/* The terminal: results on standard output, talk on standard error. */
#ifndef PAWL_JOB_CONSOLE_H
#define PAWL_JOB_CONSOLE_H

struct error;
struct request;
struct strbuf;

/* Write to standard output; a write that fails is an error. */
int console_print(const struct strbuf *text, struct error *err);
/* Talk, unless -q: lines that may hold text from outside, which is made harmless. */
void console_say(const struct request *request, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same as it stands, such as what moves the cursor, and ::group::. */
void console_raw(const struct request *request, const char *text);

#endif
