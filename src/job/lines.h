#ifndef PAWL_JOB_LINES_H
#define PAWL_JOB_LINES_H

struct evidence;
struct scenario_result;
struct strbuf;

/* The source of SCENARIO's first cause with what each line costs on both sides, as text; or why there is none. */
void lines_of_cause(const struct scenario_result *scenario, const struct evidence *base, const struct evidence *head,
		    struct strbuf *out);

#endif
