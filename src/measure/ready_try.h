/*
 * One try of one readiness probe; for ready.c, which repeats it. Each kind of probe says whether the
 * service serves (1), not yet (0: ready_saw() was told what the try saw instead), or that trying
 * again is of no use (-1).
 */
#ifndef PAWL_MEASURE_READY_TRY_H
#define PAWL_MEASURE_READY_TRY_H

#include "measure/dial.h"
#include "measure/ready.h"

struct ready_try {
	const struct ready_check *check;
	uint64_t deadline_ns;		/* of the probe */
	uint64_t try_deadline_ns;	/* of this try; not after the other */
	struct endpoint endpoint;	/* of tcp and http */
	struct addrinfo *addresses;
	regex_t body;			/* of http, when there is a ready_body */
	bool has_body;
	struct strbuf saw;		/* what the last try saw: "Connection refused" */
};

/* Parse and look up what the probe asks; what is wrong with its text is an ERR_INPUT. */
int ready_open_endpoint(const struct plan_service *service, struct endpoint *endpoint, struct addrinfo **addresses,
			struct error *err);
int ready_open_http(struct ready_try *try, struct error *err);

int ready_try_tcp(struct ready_try *try, struct error *err);
int ready_try_http(struct ready_try *try, struct error *err);

/* An answer to HTTP/1.0, of whose body the first HTTP_BODY_LARGEST bytes are read. */
struct ready_answer {
	unsigned status;
	size_t body;			/* where it begins */
};

enum { HTTP_HEAD_LARGEST = 64 << 10, HTTP_BODY_LARGEST = 1 << 20 };

/* 1 once the fields have ended, and then OUT is written; 0 while more is needed; -1: why it is no answer. Pure. */
int ready_http_head(const char *text, size_t len, struct ready_answer *out, struct error *err);

int ready_try_command(struct ready_try *try, struct error *err);

/* Always 0. */
int ready_saw(struct ready_try *try, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* What is seen when a try's time is over. One that the probe's own end cut short tells less than one before it. */
int ready_saw_nothing(struct ready_try *try, const char *words);
/* The first line of TEXT, or of a long one its start; appended. */
void ready_add_short(struct strbuf *out, const char *text);

#endif
