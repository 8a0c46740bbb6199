/* Profiles, and what is tolerated and judged of symbols, as JSON: what is written is read back, what is hostile refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "json_samples.h"
#include "store/store.h"

#define N(array) (sizeof(array) / sizeof *(array))

static void read_result(const struct result *result, struct result *back)
{
	CLEANUP(free_ptr) char *text = result_format(result);
	struct error err = ERROR_INIT;

	if (result_parse(text, strlen(text), "result.json", back, &err) < 0)
		fail_msg("%s", err.msg);
}

static void read_baseline(const struct baseline *baseline, struct baseline *back)
{
	CLEANUP(free_ptr) char *text = baseline_format(baseline);
	struct error err = ERROR_INIT;

	if (baseline_parse(text, strlen(text), "b.json", back, &err) < 0)
		fail_msg("%s", err.msg);
}

static void is_read_back(void **state)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 }, base_back = { 0 };
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };
	CLEANUP(free_ptr) char *text = NULL, *again = NULL, *base_text = NULL, *base_again = NULL;

	(void)state;
	sample_baseline(&baseline);
	read_baseline(&baseline, &base_back);
	base_text = baseline_format(&baseline);
	base_again = baseline_format(&base_back);
	assert_string_equal(base_text, base_again);
	sample_result(&result);
	read_result(&result, &back);
	text = result_format(&result);
	again = result_format(&back);
	assert_string_equal(text, again);
	assert_int_equal(back.scenarios[0].n_symbols, 2);
	assert_int_equal(back.scenarios[0].profile.n_symbols, result.scenarios[0].profile.n_symbols);
	assert_false(profile_exists(&back.scenarios[1].profile));
	assert_true(isnan(back.scenarios[1].profile.overhead_pct));
}

static void old_files_have_none(void **state)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(baseline_release) struct baseline back = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	(void)state;
	sample_baseline(&baseline);
	profile_release(&baseline.profile);
	text = baseline_format(&baseline);
	assert_null(strstr(text, "profile"));
	read_baseline(&baseline, &back);
	assert_false(profile_exists(&back.profile));
}

/* TEXT with the first FROM behind the profile's key replaced. */
static char *replace(const char *text, const char *from, const char *to)
{
	struct strbuf out = STRBUF_INIT;
	const char *profile = strstr(text, "\"profile\""), *at = profile ? strstr(profile, from) : NULL;

	if (!at)
		fail_msg("there is no '%s'", from);
	strbuf_add(&out, text, (size_t)(at - text));
	strbuf_addf(&out, "%s%s", to, at + strlen(from));
	return strbuf_take(&out);
}

struct hostile {
	const char *from, *to, *fault;
};

static const struct hostile hostile[] = {
	{ "\"samples\": 8600", "\"samples\": 9007199254740994", "$.profile.samples: expected a whole number from 0 to" },
	{ "\"samples\": 8600", "\"samples\": -1", "$.profile.samples: expected a whole number from 0 to" },
	{ "\"samples\": 8600", "\"samples\": 8601", "$.profile.runs: the runs have 8600 samples together, not the 8601" },
	{ "\"samples\": 8600", "\"samples\": null", "$.profile.samples: expected a whole number, found null" },
	{ "\"frequency\": 997", "\"frequency\": 4294967296", "$.profile.frequency: expected a whole number from 0 to" },
	{ "\"call_graph\": \"dwarf\"", "\"call_graph\": \"orc\"", "$.profile.call_graph: expected one of fp, dwarf, lbr" },
	{ "\"event\": \"cpu-clock\"", "\"event\": null", "$.profile.event: expected a string, found null" },
	{ "\"weight\": 8625877400", "\"weight\": -1", "$.profile.weight: expected a number that is not negative" },
	{ "\"weight\": 8625877400", "\"weight\": null", "$.profile.weight: expected a number, found null" },
	{ "\"weight\": 8625877400", "\"weight\": 1e999", "" },
	{ "\"weight\": 8625877400", "\"weight\": NaN", "" },
	{ "\"weight\": 8625877400", "\"weight\": 5", "$.profile.symbols[0]: expected weight <= total_weight <= the profile's 5" },
	{ "\"runs\": [4000, 4600]", "\"runs\": []", "$.profile.runs: expected an array of the samples of 1 to 64 runs" },
	{ "\"runs\": [4000, 4600]", "\"runs\": {}", "$.profile.runs: expected an array of the samples of 1 to 64 runs" },
	{ "\"runs\": [4000, 4600]", "\"runs\": [4000, 4600, 0]",
	  "$.profile.symbols[0].runs: expected an array of one count for each of 3 runs" },
	{ "[3000, 2500]", "[5500]", "$.profile.symbols[0].runs: expected an array of one count for each of 2 runs" },
	{ "[3000, 2500]", "[3000, 2501]", "$.profile.symbols[0].runs: the runs have 5501 samples together, not the 5500" },
	{ "[3000, 2500]", "[3000.5, 2499.5]", "$.profile.symbols[0].runs[0]: expected a whole number from 0 to" },
	{ "[3000, 2500]", "[5501, -1]", "$.profile.symbols[0].runs[1]: expected a whole number from 0 to" },
	{ "\"total_samples\": 5503", "\"total_samples\": 5499", "$.profile.symbols[0]: expected samples <= total_samples" },
	{ "\"total_samples\": 5503", "\"total_samples\": 8601", "$.profile.symbols[0]: expected samples <= total_samples" },
	{ "\"total_weight\": 5519558527", "\"total_weight\": 1", "$.profile.symbols[0]: expected weight <= total_weight" },
	{ "\"symbol\": \"gr\xc3\xbc\xc3\x9f\"", "\"symbol\": \"x\", \"key\": \"<std::vec<T> as \\\"D\\\">::drop\"",
	  "$.profile.symbols[1]: 'x' of 'redis-server' is there twice" },
	{ "\"symbol\": \"gr\xc3\xbc\xc3\x9f\"", "\"symbol\": 5", "$.profile.symbols[1].symbol: expected a string, found a number" },
	{ "\"rest_samples\": 7", "\"rest_samples\": -7", "$.profile.rest_samples: expected a whole number from 0 to" },
	{ "\"rest_samples\": 7", "\"rest_samples\": 8", "$.profile: its symbols and rest_samples have 8601 samples together, of 8600 in all" },
	{ "[3000, 2500]", "[4001, 1499]", "$.profile.symbols[0]: run 1 has 4000 samples, of which 4001 cannot be this symbol's" },
	{ "\"weight\": 8625877400", "\"weight\": 1e300", "$.profile: a weight of 1e+300 is none that was measured" },
	{ "\"samples\": 8593", "\"samples\": 0.5", "$.profile.dsos[0].samples: expected a whole number from 0 to" },
};

static void is_refused_when_hostile(void **state)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	(void)state;
	sample_baseline(&baseline);
	text = baseline_format(&baseline);
	for (size_t i = 0; i < N(hostile); i++) {
		CLEANUP(free_ptr) char *bad = replace(text, hostile[i].from, hostile[i].to);
		struct baseline back;
		struct error err = ERROR_INIT;

		if (baseline_parse(bad, strlen(bad), "b.json", &back, &err) == 0)
			fail_msg("%s was taken", hostile[i].to);
		if (!strstr(err.msg, hostile[i].fault))
			fail_msg("expected: %s\nfound: %s", hostile[i].fault, err.msg);
	}
}

/* Baselines are read strictly; results may come from a newer pawl. */
static void unknown_keys_are_refused_in_baselines_alone(void **state)
{
	static const struct hostile cases[] = {
		{ "\"event\"", "\"evnt\": 1, \"event\"", "unknown key" },
		{ "\"total_samples\"", "\"totalsamples\": 1, \"total_samples\"", "unknown key" },
		{ "\"name\"", "\"nme\": 1, \"name\"", "unknown key" },
	};
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *base_text = NULL, *result_text = NULL;

	(void)state;
	sample_baseline(&baseline);
	base_text = baseline_format(&baseline);
	sample_result(&result);
	result_text = result_format(&result);
	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(free_ptr) char *bad = replace(base_text, cases[i].from, cases[i].to);
		CLEANUP(free_ptr) char *good = replace(result_text, cases[i].from, cases[i].to);
		CLEANUP(result_release) struct result back = { 0 };
		struct baseline none;
		struct error err = ERROR_INIT;

		assert_int_equal(baseline_parse(bad, strlen(bad), "b.json", &none, &err), -1);
		assert_non_null(strstr(err.msg, cases[i].fault));
		assert_int_equal(result_parse(good, strlen(good), "r.json", &back, &err), 0);
	}
}

static void judged_symbols_are_checked(void **state)
{
	static const struct hostile cases[] = {
		{ "\"share_pct\": 31.5", "\"share_pct\": -31.5", ".symbols[0].share_pct: expected a number that is not negative" },
		{ "\"samples\": 2709", "\"samples\": 1e17", ".symbols[0].samples: expected a whole number" },
		{ "\"change\": \"moved\"", "\"change\": \"flew\"", ".symbols[0].change: expected one of same, rose, fell" },
		{ "\"verdict\": \"regression\", \"reason\": \"its", "\"verdict\": \"fine\", \"reason\": \"its",
		  ".symbols[0].verdict: expected one of" },
		{ "\"max_pct\": 5", "\"max_pct\": null", ".budgets[0].max_pct: expected a number, found null" },
		{ "\"of\": \"dso\"", "\"of\": \"file\"", ".budgets[1].of: expected one of symbol, dso" },
		{ "\"glob\": \"libfoo*\"", "\"glob\": null", ".budgets[1].glob: expected a string, found null" },
		{ "\"rise_pp\": 3.5", "\"rise_pp\": -3.5", ".symbol_gate.rise_pp: expected a number that is not negative" },
	};
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	(void)state;
	sample_result(&result);
	text = result_format(&result);
	for (size_t i = 0; i < N(cases); i++) {
		struct strbuf bad = STRBUF_INIT;
		const char *at = strstr(text, cases[i].from);
		struct result back;
		struct error err = ERROR_INIT;

		assert_non_null(at);
		strbuf_add(&bad, text, (size_t)(at - text));
		strbuf_addf(&bad, "%s%s", cases[i].to, at + strlen(cases[i].from));
		assert_int_equal(result_parse(bad.buf, bad.len, "r.json", &back, &err), -1);
		if (!strstr(err.msg, cases[i].fault))
			fail_msg("expected: %s\nfound: %s", cases[i].fault, err.msg);
		strbuf_release(&bad);
	}
}

/* N symbols, each lighter than the one before, of names LEN bytes long; main is below all of them. */
static void make_large(struct profile *profile, size_t n, size_t len, size_t runs)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	*profile = (struct profile){
		.event = xstrdup("cycles"), .frequency = 997, .n_runs = runs, .run_samples = xcalloc(runs, sizeof(uint64_t)),
		.overhead_pct = NAN, .rest_samples = 4,
	};
	for (size_t i = 0; i <= n; i++) {
		struct profile_symbol *symbol;
		bool last = i == n;

		strbuf_reset(&name);
		strbuf_addf(&name, "%05zu", i);
		strbuf_pad(&name, 'n', len);
		symbol = profile_add_symbol(profile, last ? "main" : name.buf, last ? "main" : name.buf, "prog");
		symbol->samples = symbol->total_samples = symbol->run_samples[0] = last ? 0 : n - i;
		symbol->weight = symbol->total_weight = (double)symbol->samples;
		profile->samples += symbol->samples;
	}
	profile->samples += 4;
	profile->run_samples[0] = profile->samples;
	profile->weight = (double)profile->samples;
	profile->symbols[n].total_samples = profile->samples;
	profile->symbols[n].total_weight = profile->weight;
}

static uint64_t listed(const struct profile *profile)
{
	uint64_t samples = profile->rest_samples;

	for (size_t i = 0; i < profile->n_symbols; i++)
		samples += profile->symbols[i].samples;
	return samples;
}

static void the_heaviest_are_written(void **state)
{
	static const struct {
		size_t symbols, in_result, in_baseline;
	} cases[] = { { 5, 6, 5 }, { 60, 61, 60 }, { 250, 251, 60 }, { 900, 300, 60 } };

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(baseline_release) struct baseline baseline = { 0 };
		CLEANUP(baseline_release) struct baseline base_back = { 0 };
		CLEANUP(result_release) struct result result = { 0 }, back = { 0 };
		struct profile *profile;

		sample_baseline(&baseline);
		profile_release(&baseline.profile);
		make_large(&baseline.profile, cases[i].symbols, 1, 3);
		read_baseline(&baseline, &base_back);
		profile = &base_back.profile;
		assert_int_equal(listed(profile), baseline.profile.samples);
		assert_true(profile->n_symbols <= cases[i].in_baseline);
		for (size_t k = 0; k < profile->n_symbols; k++)
			assert_true(profile_share_pct(profile, &profile->symbols[k]) >= 0.1);

		sample_result(&result);
		profile_release(&result.scenarios[0].profile);
		make_large(&result.scenarios[0].profile, cases[i].symbols, 1, 3);
		read_result(&result, &back);
		profile = &back.scenarios[0].profile;
		assert_int_equal(listed(profile), baseline.profile.samples);
		assert_true(profile->n_symbols <= cases[i].in_result);
		/* What calls all the others has no samples of its own and tells where they come from. */
		assert_string_equal(profile->symbols[profile->n_symbols - 1].symbol, "main");
	}
}

static void assert_noted(const struct result *result, const char *words, bool noted)
{
	bool found = false;

	for (size_t i = 0; i < result->notes.n; i++)
		found |= strstr(result->notes.items[i], words) != NULL;
	assert_int_equal(found, noted);
}

/* However much there is, pawl reads what it wrote. */
static void results_stay_readable(void **state)
{
	static const struct {
		size_t scenarios, symbols, name, runs, kept;
		bool noted, gone;
	} cases[] = {
		{ 10, 320, 20, 3, 300, false, false }, { 12, 320, 20, 64, 60, true, false }, { 16, 320, 1900, 3, 60, true, false },
		{ 80, 62, 1900, 3, 0, true, true },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(result_release) struct result result = { 0 }, back = { 0 };

		sample_result(&result);
		for (size_t k = 0; k < cases[i].scenarios; k++) {
			char name[32];

			snprintf(name, sizeof name, "s%zu", k);
			result_add_scenario(&result, name)->path = xstrdup("x.yaml");
			make_large(&result.scenarios[result.n_scenarios - 1].profile, cases[i].symbols, cases[i].name,
				   cases[i].runs);
		}
		read_result(&result, &back);
		assert_true(back.scenarios[2].profile.n_symbols <= cases[i].kept);
		assert_int_equal(profile_exists(&back.scenarios[2].profile), !cases[i].gone);
		if (!cases[i].gone)
			assert_int_equal(listed(&back.scenarios[2].profile), result.scenarios[2].profile.samples);
		assert_noted(&back, "only the heaviest symbols", cases[i].noted);
		assert_noted(&back, "profiles are not in this file", cases[i].gone);
	}
}

/* Names that no JSON could hold stay different, and the same in two profiles. */
static void odd_names_stay_apart(void **state)
{
	CLEANUP(strbuf_release) struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(baseline_release) struct baseline back = { 0 };
	const char *names[6] = { "\xff", "\xfe", "</title><script>\x1b\"\\", "\xf0\x9f\x90\xa7" };

	(void)state;
	strbuf_pad(&one, 'x', 100000);
	strbuf_pad(&other, 'x', 99999);
	strbuf_addc(&other, 'y');
	names[4] = one.buf;
	names[5] = other.buf;
	sample_baseline(&baseline);
	for (size_t i = 0; i < N(names); i++)
		sample_symbol(&baseline.profile, names[i], names[i], 5, 6);
	baseline.profile.samples += N(names) * 11;
	baseline.profile.run_samples[0] += N(names) * 5;
	baseline.profile.run_samples[1] += N(names) * 6;
	read_baseline(&baseline, &back);
	assert_int_equal(back.profile.n_symbols, baseline.profile.n_symbols);
	for (size_t i = 0; i < N(names); i++) {
		const struct profile_symbol *found = profile_find(&back.profile, names[i], "redis-server");

		assert_ptr_equal(found, &back.profile.symbols[2 + i]);
		assert_true(strlen(found->symbol) <= PROFILE_NAME_LONGEST);
		assert_string_equal(found->symbol, baseline.profile.symbols[2 + i].symbol);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_read_back),
		cmocka_unit_test(old_files_have_none),
		cmocka_unit_test(is_refused_when_hostile),
		cmocka_unit_test(unknown_keys_are_refused_in_baselines_alone),
		cmocka_unit_test(judged_symbols_are_checked),
		cmocka_unit_test(the_heaviest_are_written),
		cmocka_unit_test(results_stay_readable),
		cmocka_unit_test(odd_names_stay_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
