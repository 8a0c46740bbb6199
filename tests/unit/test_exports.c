/* Exports for other programs and the output of typed commands, compared with golden files. */
#include "unit.h"

#include "report/formats/report.h"
#include "report/typed.h"
#include "golden.h"
#include "report_samples.h"

TEST(answers_of_commands)
{
	static const struct {
		struct sample_gate gate;
		const char *answer;
	} cases[] = {
		{ { "task-clock", VERDICT_PASS, 61.2, 61.3, 0.16, -1.1, 1.4, 3, 0, NULL, 0 }, "no difference: at most 1.4 % (limit 3 %)" },
		{ { "task-clock", VERDICT_PASS, 61.2, 60.3, -1.4, -2.1, -0.4, 3, 0, NULL, 0 },
		  "no difference: faster by about 1.4 % (limit 3 %)" },
		/* Pairs that allow for an improvement do not show that nothing changed. */
		{ { "task-clock", VERDICT_PASS, 61.2, 40, -34, -61, 2.5, 3, 0, NULL, 0 },
		  "not slower: CPU time changed by -61.0 % to +2.5 % after 20 pairs (limit 3 %)" },
		{ { "max-rss", VERDICT_PASS, 5e6, 4e6, -20, -31, -1, 5, 0, NULL, 0 },
		  "not more max-rss: max-rss changed by -31.0 % to -1.0 % after 20 pairs (limit 5 %)" },
		{ { "page-faults", VERDICT_PASS, 100, 95, -5, -9, 4, 1, 0, "the change is smaller than any that counts", 0 },
		  "no difference: at most 4.0 % (limit 1 %)" },
		{ { "task-clock", VERDICT_INCONCLUSIVE, 61.2, 61.3, 0.16, -8.1, 9.4, 3, 0, NULL, 0 },
		  "undecided: CPU time changed by -8.1 % to +9.4 % after 20 pairs (limit 3 %)" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };
		struct scenario_result *scenario;

		sample_begin(&result);
		result.mode = MODE_PAIRED;
		scenario = sample_paired_scenario(&result, "commands");
		sample_pair_gate(scenario, 20, cases[i].gate);
		typed_answer(&out, scenario, true);
		assert_string_equal(out.buf, cases[i].answer);
	}
}

TEST(what_is_exported)
{
	static const struct { const char *sample; report_fn *render; const char *ending; } rows[] = {
		{ "mixed", report_bmf, "bmf.json" }, { "mixed", report_smaller, "smaller.json" }, { "mixed", report_bigger, "bigger.json" },
		{ "mixed", report_openmetrics, "openmetrics" }, { "paired", report_bmf, "bmf.json" },
		{ "paired", report_openmetrics, "openmetrics" }, { "failed", report_bmf, "bmf.json" },
		{ "failed", report_openmetrics, "openmetrics" }, { "commands", report_typed, "typed.txt" },
		{ "confirmed", report_bmf, "bmf.json" }, { "confirmed", report_openmetrics, "openmetrics" },
		{ "commands", report_typed_json, "typed.json" }, { "commands", report_typed_markdown, "typed.md" },
		{ "hostile", report_typed, "typed.txt" }, { "hostile", report_openmetrics, "openmetrics" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (size_t k = 0; k < SAMPLES; k++) {
			CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, path = STRBUF_INIT;
			CLEANUP(result_release) struct result result = { 0 };

			if (strcmp(samples[k].name, rows[i].sample))
				continue;
			samples[k].fill(&result);
			rows[i].render(&result, &(struct report_options){ 0 }, &out);
			strbuf_addf(&path, "tests/fixtures/report/%s.%s", rows[i].sample, rows[i].ending);
			golden_compare(path.buf, &out);
		}
}
