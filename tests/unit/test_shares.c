/* Shares from stacks of several runs and events, and warnings about a profile. */
#include "unit.h"

#include "profile/shares.h"
#include "profile_text.h"

static void assert_symbol(const struct profile *p, const char *key, const char *dso, uint64_t samples, uint64_t total, double weight,
			  double total_weight)
{
	const struct profile_symbol *s = profile_find(p, key, dso);

	if (!s)
		fail_msg("there is no %s in %s", key, dso);
	assert_int_equal(s->samples, samples);
	assert_int_equal(s->total_samples, total);
	assert_true(s->weight == weight && s->total_weight == total_weight);
}

static void assert_adds_up(const struct profile *p)
{
	uint64_t samples = p->rest_samples, dso_samples = 0, run_samples = 0;

	for (size_t i = 0; i < p->n_symbols; i++) {
		uint64_t of_runs = 0;

		for (size_t r = 0; r < p->n_runs; r++)
			of_runs += p->symbols[i].run_samples[r];
		assert_int_equal(of_runs, p->symbols[i].samples);
		assert_true(p->symbols[i].total_samples >= p->symbols[i].samples);
		assert_true(!i || p->symbols[i].weight <= p->symbols[i - 1].weight);
		samples += p->symbols[i].samples;
	}
	for (size_t i = 0; i < p->dsos.n; i++)
		dso_samples += p->dsos.items[i].samples;
	for (size_t r = 0; r < p->n_runs; r++)
		run_samples += p->run_samples[r];
	assert_int_equal(samples, p->samples);
	assert_int_equal(dso_samples, p->samples);
	assert_int_equal(run_samples, p->samples);
}

TEST(shares_of_two_runs_are_summed)
{
	CLEANUP(strbuf_release) struct strbuf one = STRBUF_INIT, two = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks a = STACKS_INIT, b = STACKS_INIT, all = STACKS_INIT;
	CLEANUP(profile_release) struct profile p = { 0 };

	/* recursion counts once; the second run has different string numbers and a different folder */
	text_sample(&one, "main", "cpu-clock", 10, "f (/one/a)|g (/one/a)|f (/one/a)|main (/one/a)");
	text_sample(&one, "main", "cpu-clock", 30, "f.cold (/one/a)|main (/one/a)");
	text_sample(&one, "main", "page-faults", 7, "main (/one/a)");
	text_sample(&one, "main", "cpu-clock", 1, "");
	text_sample(&two, "worker", "cpu-clock", 5, "memcpy (/lib/libc.so.6)|g (/two/a)|main (/two/a)");
	text_sample(&two, "worker", "cpu-clock", 6, "schedule ([kernel.kallsyms])|__schedule ([kernel.kallsyms])");
	text_sample(&two, "main", "cpu-clock", 8, "finish_task_switch.isra.0 ([kernel.kallsyms])");
	strbuf_adds(&two, "x 1/1 2.5: PERF_RECORD_LOST lost 3\n");
	text_stacks(one.buf, &a);
	text_stacks(two.buf, &b);
	stacks_merge(&all, &a, STACKS_EVERY_EVENT, NULL);
	all.run = 1;
	stacks_merge(&all, &b, STACKS_EVERY_EVENT, NULL);
	shares_build(&all, NULL, &p);

	assert_string_equal(p.event, "cpu-clock");
	assert_int_equal(p.normaliser, NORMALISER_VERSION);
	assert_int_equal(p.samples, 6);
	assert_int_equal(p.lost, 3);
	assert_true(p.weight == 60);
	assert_int_equal(p.run_samples[0], 3);
	assert_int_equal(p.run_samples[1], 3);
	assert_symbol(&p, "f", "a", 2, 2, 40, 40);
	assert_symbol(&p, "g", "a", 0, 2, 0, 15);
	assert_symbol(&p, "main", "a", 0, 3, 0, 45);
	assert_symbol(&p, "memcpy", "libc.so.6", 1, 1, 5, 5);
	assert_symbol(&p, "[kernel]", "[kernel]", 2, 2, 14, 14);
	assert_symbol(&p, "[unknown]", "", 1, 1, 1, 1);
	assert_string_equal(profile_find(&p, "f", "a")->symbol, "f.cold");
	assert_string_equal(profile_find(&p, "[kernel]", "[kernel]")->symbol, "[kernel]");
	assert_int_equal(profile_find(&p, "[kernel]", "[kernel]")->run_samples[1], 2);
	assert_string_equal(p.dsos.items[0].name, "a");
	assert_string_equal(p.dsos.items[3].name, "[unknown]");
	assert_int_equal(p.threads.n, 2);
	assert_string_equal(p.threads.items[0].name, "main");
	assert_true(p.threads.items[0].weight == 49);
	assert_adds_up(&p);
}

TEST(one_event_is_taken)
{
	static const struct { const char *asked, *event; uint64_t samples; } cases[] = {
		{ NULL, "cycles", 1 }, { "faults", "faults", 2 }, { "cycles", "cycles", 1 }, { "branches", "branches", 0 },
	};
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks a = STACKS_INIT;

	text_sample(&text, "t", "faults", 1, "f (/a)");
	text_sample(&text, "t", "faults", 1, "f (/a)");
	text_sample(&text, "t", "cycles", 9, "f (/a)");
	text_stacks(text.buf, &a);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(profile_release) struct profile p = { 0 };

		shares_build(&a, cases[i].asked, &p);
		assert_string_equal(p.event, cases[i].event);
		assert_int_equal(p.samples, cases[i].samples);
		assert_adds_up(&p);
	}
}

TEST(nothing_is_no_profile)
{
	CLEANUP(stacks_release) struct stacks a = STACKS_INIT;
	CLEANUP(profile_release) struct profile p = { 0 };

	shares_build(&a, NULL, &p);
	assert_false(profile_exists(&p));
	shares_warn(&a, &p);
	assert_int_equal(p.warnings.n, 0);
}

TEST(light_symbols_are_summed)
{
	enum { MORE = 50 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks a = STACKS_INIT;
	CLEANUP(profile_release) struct profile p = { 0 };

	for (unsigned i = 0; i < PROFILE_SYMBOLS_MOST + MORE; i++) {
		char frame[32];

		snprintf(frame, sizeof frame, "f%u (/a)", i);
		text_sample(&text, "t", "cpu-clock", 1 + i, frame);
	}
	text_stacks(text.buf, &a);
	shares_build(&a, NULL, &p);
	assert_int_equal(p.n_symbols, PROFILE_SYMBOLS_MOST);
	assert_int_equal(p.rest_samples, MORE);
	assert_string_equal(p.symbols[0].symbol, "f1049");
	assert_string_equal(p.symbols[PROFILE_SYMBOLS_MOST - 1].symbol, "f50");
	assert_adds_up(&p);
}

/* -------- warnings */

static const char deep[] = "f (/bin/a)|g (/bin/a)|main (/bin/a)";

TEST(warnings_name_their_remedy)
{
	static const struct {
		const char *what;
		unsigned deep, other;	/* samples */
		const char *frames;	/* of the other samples */
		enum call_graph call_graph;
		uint64_t lost;
		const char *words[4];	/* part of the warnings; NULL: no warnings */
	} cases[] = {
		{ "all is well", 3000, 0, "", CALL_GRAPH_FP, 0, { NULL } },
		{ "few", 2999, 0, "", CALL_GRAPH_FP, 0, { "2999 samples, and symbol gates need 3000: raise profile.frequency" } },
		{ "very few", 999, 0, "", CALL_GRAPH_FP, 0, { "are chance" } },
		{ "one", 1, 0, "", CALL_GRAPH_FP, 0, { "1 sample, and" } },
		{ "some shallow", 1000, 2900, "f (/bin/a)|main (/bin/a)", CALL_GRAPH_FP, 0, { NULL } },
		{ "shallow", 600, 2900, "f (/bin/a)|[unknown] ([unknown])|[unknown] ([unknown])|main (/bin/a)", CALL_GRAPH_FP, 0,
		  { "after one or two frames in 83 % of", "-fno-omit-frame-pointer", "profile.call-graph: dwarf" } },
		{ "shallow though unwound", 100, 2900, "f (/bin/a)", CALL_GRAPH_DWARF, 0, { "-fasynchronous-unwind-tables" } },
		{ "short, and whole", 100, 2900, "main (/bin/a)|__libc_start_call_main (/lib/libc.so.6)", CALL_GRAPH_FP, 0, { NULL } },
		{ "shallow in the kernel only", 100, 2900, "do_exit ([kernel.kallsyms])", CALL_GRAPH_FP, 0, { NULL } },
		{ "stripped", 3000, 1000, "[unknown] (/usr/bin/git)|g (/bin/a)|main (/bin/a)", CALL_GRAPH_FP, 0,
		  { "25 % of the profile is in /usr/bin/git without symbols", "build it with -g", "debug symbols" } },
		{ "hardly stripped", 3000, 100, "[unknown] (/usr/bin/git)|g (/bin/a)|main (/bin/a)", CALL_GRAPH_FP, 0, { NULL } },
		{ "made at run time", 3000, 1000, "[unknown] (/tmp/perf-7.map)|g (/bin/a)|main (/bin/a)", CALL_GRAPH_FP, 0,
		  { "made at run time", "--perf-basic-prof" } },
		{ "unknown frames", 300, 3000, "f (/bin/a)|[unknown] (/bin/b)|[unknown] ([unknown])|[unknown] ([unknown])|m (/bin/a)",
		  CALL_GRAPH_FP, 0, { "57 % of the frames are [unknown]" } },
		{ "lost", 3000, 0, "", CALL_GRAPH_FP, 1000, { "lost 1000 samples (25.0 %)", "lower profile.frequency" } },
		{ "lost with copies of the stack", 3000, 0, "", CALL_GRAPH_DWARF, 1000, { "profile.call-graph: fp" } },
		{ "hidden kernel", 3000, 1000, "[unknown] ([kernel.kallsyms])", CALL_GRAPH_FP, 0,
		  { "25 % of the profile is in the kernel", "kernel.kptr_restrict=0" } },
		{ "hardly hidden kernel", 3000, 20, "[unknown] ([kernel.kallsyms])", CALL_GRAPH_FP, 0, { NULL } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, said = STRBUF_INIT;
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(profile_release) struct profile p = { .frequency = 997, .call_graph = cases[i].call_graph };

		text_samples(&text, cases[i].deep, deep);
		text_samples(&text, cases[i].other, cases[i].frames);
		text_stacks(text.buf, &stacks);
		stacks.lost = cases[i].lost;
		shares_build(&stacks, NULL, &p);
		shares_warn(&stacks, &p);
		for (size_t k = 0; k < p.warnings.n; k++)
			strbuf_addf(&said, "%s\n", p.warnings.items[k]);
		if (p.warnings.n != (cases[i].words[0] ? 1 : 0))
			fail_msg("%s: %s", cases[i].what, said.buf);
		for (size_t k = 0; k < 4 && cases[i].words[k]; k++)
			if (!strstr(said.buf, cases[i].words[k]))
				fail_msg("%s: no '%s' in: %s", cases[i].what, cases[i].words[k], said.buf);
	}
}

/* Recordings made without pawl have no scenario to change. */
TEST(warnings_of_other_recordings_name_options_of_perf)
{
	static const struct { const char *frames; uint64_t lost; const char *words; } cases[] = {
		{ "f (/bin/a)|main (/bin/a)", 0, "perf record --call-graph dwarf" },
		{ "f (/bin/a)|[unknown] (/bin/b)|[unknown] ([unknown])|[unknown] ([unknown])|m (/bin/a)", 0, "perf record --call-graph dwarf" },
		{ deep, 1000, "perf record -F" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(profile_release) struct profile p = { 0 };

		text_samples(&text, 3000, cases[i].frames);
		text_stacks(text.buf, &stacks);
		stacks.lost = cases[i].lost;
		shares_build(&stacks, NULL, &p);
		shares_warn(&stacks, &p);
		assert_int_equal(p.warnings.n, 1);
		assert_non_null(strstr(p.warnings.items[0], cases[i].words));
		assert_null(strstr(p.warnings.items[0], "profile."));
	}
}

TEST(the_event_may_leave_out_the_kernel)
{
	static const struct {
		const char *event;
		bool warned;
	} cases[] = { { "cpu-clock", false }, { "cycles:u", true }, { "cycles:uk", false }, { "cycles:P", false } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(profile_release) struct profile p = { 0 };

		for (int k = 0; k < PROFILE_SAMPLES_GATED; k++)
			text_sample(&text, "t", cases[i].event, 5, deep);
		text_stacks(text.buf, &stacks);
		shares_build(&stacks, NULL, &p);
		shares_warn(&stacks, &p);
		assert_int_equal(p.warnings.n, cases[i].warned);
		if (cases[i].warned)
			assert_non_null(strstr(p.warnings.items[0], "kernel.perf_event_paranoid=1"));
	}
}

TEST(a_profile_without_samples_says_so)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(profile_release) struct profile p = { 0 };

	shares_build(&stacks, "cpu-clock", &p);
	shares_warn(&stacks, &p);
	assert_int_equal(p.warnings.n, 1);
	assert_non_null(strstr(p.warnings.items[0], "there are no samples"));
}
