/* Results and baselines from text, and tables of what is refused in them. The caller includes cmocka first. */
#ifndef PAWL_TESTS_STORE_PARSE_H
#define PAWL_TESTS_STORE_PARSE_H

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "store/store.h"

/* Reads a document and drops it. Returns -1 if it is refused; then its result was left as it was. */
typedef int try_fn(const char *text, struct error *err);

static inline int try_result(const char *text, struct error *err)
{
	struct result out = { .status = 77 };
	int ret = result_parse(text, strlen(text), "x.json", &out, err);

	if (ret < 0)
		assert_int_equal(out.status, 77);
	else
		result_release(&out);
	return ret;
}

static inline int try_baseline(const char *text, struct error *err)
{
	struct baseline out = { .n_sessions = 77 };
	int ret = baseline_parse(text, strlen(text), "x.json", &out, err);

	if (ret < 0)
		assert_int_equal(out.n_sessions, 77);
	else
		baseline_release(&out);
	return ret;
}

static inline void read_result(const struct result *result, struct result *back)
{
	CLEANUP(free_ptr) char *text = result_format(result);
	struct error err = ERROR_INIT;

	if (result_parse(text, strlen(text), "x.json", back, &err) < 0)
		fail_msg("%s", err.msg);
}

static inline void read_baseline(const struct baseline *baseline, struct baseline *back)
{
	CLEANUP(free_ptr) char *text = baseline_format(baseline);
	struct error err = ERROR_INIT;

	if (baseline_parse(text, strlen(text), "x.json", back, &err) < 0)
		fail_msg("%s", err.msg);
}

/* Returns TEXT with TO for the first FROM. */
static inline char *replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (!at)
		fail_msg("there is no '%s'", from);
	return text_printf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static inline void assert_refused(try_fn *try, const char *text, const char *message)
{
	struct error err = ERROR_INIT;
	size_t len = strlen(message);
	bool begins = text_ends(message, len, "...");

	if (try(text, &err) == 0)
		fail_msg("taken, and not refused: %s", message);
	if (begins ? strncmp(err.msg, message, len - strlen("...")) : strcmp(err.msg, message))
		fail_msg("expected: %s\nfound: %s", message, err.msg);
	assert_string_equal(err.at.path, "x.json");
	assert_int_equal(err.kind, ERR_INPUT);
}

struct wrong {
	const char *from, *to;
	const char *message;	/* may end in "..." */
};

static inline void check_refused(try_fn *try, const char *text, const struct wrong *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(free_ptr) char *bad = replaced(text, cases[i].from, cases[i].to);

		assert_refused(try, bad, cases[i].message);
	}
}

#define CHECK_REFUSED(try, text, cases) check_refused(try, text, cases, sizeof (cases) / sizeof *(cases))

#endif
