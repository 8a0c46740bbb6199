#include "measure/perf/perf.h"

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"

/* The words behind LABEL at the start of a line; false when there is no such line, or it was cut off. */
static bool find_line(const char *text, size_t len, const char *label, struct strv *words)
{
	size_t label_len = strlen(label);

	for (const char *p = text, *end = text + len, *eol; (eol = memchr(p, '\n', (size_t)(end - p))); p = eol + 1) {
		if ((size_t)(eol - p) > label_len && !memcmp(p, label, label_len)) {
			for (p += label_len; p < eol;) {
				size_t n = 0;

				while (p < eol && *p == ' ')
					p++;
				while (p + n < eol && p[n] != ' ')
					n++;
				if (n)
					strv_take(words, xstrndup(p, n));
				p += n;
			}
			return true;
		}
	}
	return false;
}

/* Where each event counts: conditional and indirect branches are counted apart. */
static double *slot(struct simulated *s, const char *event)
{
	if (!strcmp(event, "Ir"))
		return &s->instructions;
	if (!strcmp(event, "Dr"))
		return &s->l1d_loads;
	if (!strcmp(event, "D1mr"))
		return &s->l1d_misses;
	if (!strcmp(event, "Bc") || !strcmp(event, "Bi"))
		return &s->branches;
	if (!strcmp(event, "Bcm") || !strcmp(event, "Bim"))
		return &s->branch_misses;
	return NULL;
}

int cachegrind_add(const char *text, size_t len, struct simulated *sum, struct error *err)
{
	CLEANUP(strv_release) struct strv events = STRV_INIT, totals = STRV_INIT;
	struct simulated one = *sum;

	if (!find_line(text, len, "events:", &events) || !find_line(text, len, "summary:", &totals))
		return error_set(err, ERR_SYSTEM, "cachegrind's output has no events and summary lines: it did not end");
	if (events.n != totals.n)
		return error_set(err, ERR_SYSTEM, "cachegrind names %zu events and sums up %zu", events.n, totals.n);
	for (size_t i = 0; i < events.n; i++) {
		double *to = slot(&one, events.items[i]);
		uint64_t value;

		if (to && parse_u64(totals.items[i], &value, err) < 0)
			return error_wrap(err, "cachegrind's total of %s", events.items[i]);
		if (to)
			*to += (double)value;
	}
	*sum = one;
	return 0;
}
