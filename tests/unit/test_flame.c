#include "unit.h"

#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "profile/stacks.h"

static void read_into(struct stacks *stacks, const char *text)
{
	struct error err = ERROR_INIT;

	MUST(folded_read(text, strlen(text), stacks, &err));
	names_resolve(stacks);
}

static struct stacks folded(const char *text)
{
	struct stacks stacks = STACKS_INIT;

	read_into(&stacks, text);
	return stacks;
}

/* -------- the tree */

/* Appends "all 10/0;a 10/4;..." in reading order: inclusive and self weight. */
static void describe(const struct flame_tree *tree, struct strbuf *out)
{
	uint32_t node = 0;

	do {
		const struct flame_sum *sum = &tree->nodes[node].side[FLAME_HEAD];

		strbuf_addf(out, "%u%s %g/%g;", tree->nodes[node].depth, flame_tree_name(tree, node), sum->weight, sum->self);
		node = flame_tree_next(tree, node, true);
	} while (node);
}

TEST(test_tree)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "0all 0/0;" }, { "a 3", "0all 3/0;1a 3/3;" },
		{ "m;b;c 1\nm;a 2\nm 4\nm;b 8", "0all 15/0;1m 15/4;2a 2/2;2b 9/8;3c 1/1;" },
		{ "r;r;r 1\nr;r 2", "0all 3/0;1r 3/0;2r 3/2;3r 1/1;" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = folded(rows[i].text);
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(flame_tree_release) struct flame_tree tree;

		flame_tree_init(&tree, &stacks, NULL);
		describe(&tree, &out);
		assert_string_equal(out.buf, rows[i].want);
	}
}

static uint32_t find(const struct flame_tree *tree, const char *name)
{
	for (uint32_t i = 0; i < tree->n; i++)
		if (!strcmp(flame_tree_name(tree, i), name))
			return i;
	fail_msg("there is no frame %s", name);
	return 0;
}

/* Two builds of a Rust function differ in a hash. They form one frame, with HEAD's name. */
TEST(test_same_code)
{
	CLEANUP(stacks_release) struct stacks head = folded("m;_ZN1a1f17h0123456789abcdefE 6\nm;new 4");
	CLEANUP(stacks_release) struct stacks base = folded("m;_ZN1a1f17hfedcba9876543210E 5\nm;old 5");
	CLEANUP(flame_tree_release) struct flame_tree tree;
	size_t n = 0;

	flame_tree_init(&tree, &head, &base);
	for (uint32_t i = 0; i < tree.n; i++)
		if (strstr(flame_tree_name(&tree, i), "a::f")) {
			assert_float_equal(tree.nodes[i].side[FLAME_HEAD].weight, 6, 0);
			assert_float_equal(tree.nodes[i].side[FLAME_BASE].weight, 5, 0);
			n++;
		}
	assert_int_equal(n, 1);
	assert_float_equal(tree.nodes[find(&tree, "old")].side[FLAME_HEAD].weight, 0, 0);
	assert_float_equal(tree.nodes[find(&tree, "new")].side[FLAME_BASE].weight, 0, 0);
}

/* -------- pictures */

static void has(const struct strbuf *text, const char *part)
{
	if (!strstr(text->buf, part))
		fail_msg("'%s' is not in the picture", part);
}

static void lacks(const struct strbuf *text, const char *part)
{
	if (strstr(text->buf, part))
		fail_msg("'%s' is in the picture", part);
}

/* Draws HEAD, or its difference from BASE. */
static void draw(const char *head_text, const char *base_text, const struct flame_options *options, struct strbuf *out)
{
	CLEANUP(stacks_release) struct stacks head = folded(head_text), base = folded(base_text ?: "");

	strbuf_reset(out);
	flame_svg(&head, base_text ? &base : NULL, options, out);
}

/* Returns the class, such as "u3", of the first frame with that name. */
static const char *class_of(const struct strbuf *picture, const char *name)
{
	CLEANUP(free_ptr) char *title = text_printf("<title>%s\n", name);
	const char *frame = strstr(picture->buf, title);

	if (!frame)
		fail_msg("there is no frame %s", name);
	while (strncmp(frame, "<svg class=\"f ", 14) != 0)
		frame--;
	return frame + 14;
}

TEST(test_pictures)
{
	static const struct {
		const char *head, *base; struct flame_options options; const char *has[8], *lacks[4];
	} rows[] = {
		/* b is the deepest frame drawn, so it is at the top. Two frames are left out, which are 0.002 % of the weight, not 0.004 %. */
		{ "m;a;x 2\nm;b 50000\nm;c 49998", NULL, { 0 },
		  { " x=\"0.002000%\" y=\"0\" width=\"50.000000%\" height=\"15\"><title>b\n",
		    " x=\"50.002000%\" y=\"0\" width=\"49.998000%\" height=\"15\"><title>c\n", " data-pruned=\"0.002000\"><title>m\n",
		    "2 frames narrower than 0.0083 % are left out: 0.002 % of the weight" },
		  { "<title>a\n", "<title>x\n" } },
		/* Hostile names */
		{ "m;</title><script>alert(1)</script> 60000\nm;]]>&\"' 30000\nm;x\xff 9999\nm;thin 1", NULL,
		  { .title = "a <b> & c", .subtitle = "<sub>" },
		  { "a &lt;b&gt; &amp; c", "&lt;sub&gt;", "]]&gt;&amp;&quot;&#39;", "x\\xff", "1 frame narrower than 0.0083 % is left out: 0.001 % of the weight",
		    "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;\n60.00 %, 60,000 samples\nself 60.00 %, 60,000 samples</title>" },
		  { "<script>alert", ">thin", "few samples" } },
		{ "m;a 5000\nm;b 5001", "m;a 4000\nm;b 5001\nm;gone 1000", { .side = { { .label = "b2 <x>" }, { .label = "a1" } } },
		  { "data-view=\"head\"", "data-view=\"base\"", "data-view=\"vanished\"", "Head: b2 &lt;x&gt;", ", within noise",
		    "a\nhead 50.00 %, 5,000 samples\nbase 40.00 %, 4,000 samples\nchange +10.00 points (+25.0 %)\nself +10.00 points",
		    "gone\nhead none\nbase 10.00 %, 1,000 samples\nchange \xe2\x88\x92" }, { NULL } },
		/* Weights are nanoseconds of the profile. The picture shows milliseconds per run. */
		{ "m;a 8000000000\nm;b 2000000000", "m;a 6000000000\nm;b 2000000000",
		  { .scale = FLAME_ABSOLUTE, .count_name = "ms", .side = { { .factor = 25 / 1e10 }, { .factor = 16 / 8e9 } } },
		  { "head: 5 samples, 25 ms", "base: 4 samples, 16 ms",
		    "a\nhead 80.00 %, 20 ms\nbase 75.00 %, 12 ms\nchange +8 ms (+66.7 %), within noise\nself +8 ms" }, { NULL } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		draw(rows[i].head, rows[i].base, &rows[i].options, &out);
		for (size_t k = 0; k < 8 && rows[i].has[k]; k++)
			has(&out, rows[i].has[k]);
		for (size_t k = 0; k < 4 && rows[i].lacks[k]; k++)
			lacks(&out, rows[i].lacks[k]);
	}
}

TEST(test_vanished)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, view = STRBUF_INIT;

	draw("m;a 60\nm;b 40", "m;a 50\nm;b 20\nm;b;gone;too 10\nm;gone 20", &(struct flame_options){ 0 }, &out);
	has(&out, "Vanished: of base, what head has no sample of, 30.00 %");
	strbuf_adds(&view, strstr(out.buf, "data-view=\"vanished\""));
	has(&view, "width=\"33.333333%\" height=\"15\"><title>b\n");
	has(&view, "width=\"33.333333%\" height=\"15\"><title>too\n");
	lacks(&view, "<title>a\n");
}

TEST(test_change)
{
	static const struct flame_options per_total = { 0 }, per_second = { .scale = FLAME_ABSOLUTE, .side[FLAME_HEAD].factor = 2 };
	static const struct {
		const char *head, *base, *name; const struct flame_options *options; const char *want;
	} rows[] = {
		{ "m;a 5000\nm;b 5001", "m;a 4000\nm;b 6001", "a", &per_total, "r6" },
		{ "m;a 5000\nm;b 5001", "m;a 4000\nm;b 6001", "b", &per_total, "b6" },
		{ "m;a 5000\nm;b 5001", "m;a 4000\nm;b 6001", "m", &per_total, "g0" },
		/* Equal shares of unequal totals. */
		{ "m;a 5000\nm;b 5001", "m;a 500\nm;b 501", "a", &per_total, "g0" },
		/* The same change with few samples. */
		{ "m;a 50\nm;b 51", "m;a 40\nm;b 61", "a", &per_total, "g0" },
		/* A new frame shows with a hundred samples, but not with three. */
		{ "m;a 5000\nm;new 101", "m;a 5001", "new", &per_total, "r6" },
		{ "m;a 5000\nm;new 3", "m;a 5001", "new", &per_total, "g0" },
		/* A smaller change is lighter. */
		{ "m;a 50000\nm;b 46001\nm;c 4000", "m;a 40000\nm;b 57001\nm;c 3000", "c", &per_total, "r2" },
		/* Twice the cost of everything. */
		{ "m;a 5000\nm;b 5001", "m;a 5000\nm;b 5001", "m", &per_second, "r6" },
		{ "m;a 5000\nm;b 5001", "m;a 5000\nm;b 5001", "m", &per_total, "g0" },
	};
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *got;

		draw(rows[i].head, rows[i].base, rows[i].options, &out);
		got = class_of(&out, rows[i].name);
		if (strncmp(got, rows[i].want, 2) != 0)
			fail_msg("row %zu, %s: level %.2s, expected %s", i, rows[i].name, got, rows[i].want);
	}
}

TEST(test_numbers)
{
	static const struct { double weight; const char *event, *want; } rows[] = {
		{ 0, "cpu-clock", "1 sample, 0 ns of cpu-clock;" }, { 999, "cpu-clock", "1 sample, 999 ns of cpu-clock;" },
		{ 1003009, "cpu-clock", ", 1.00 ms of" }, { 12345678, "cpu-clock", ", 12.3 ms of" }, { 123456789, "cpu-clock", ", 123 ms of" },
		{ 9219000000, "cpu-clock", ", 9.22 s of" }, { 0, "cycles", "1 sample, weight 0 cycles;" },
		{ 1234567, "cycles", ", weight 1,234,567 cycles;" }, { 999, FOLDED_EVENT, ", weight 999;" },
		{ 1000, FOLDED_EVENT, ", weight 1,000;" }, { 0.5, FOLDED_EVENT, ", weight 0.5;" },
	};
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;

		stacks_add(&stacks, (struct stack_sample){ stacks_event(&stacks, rows[i].event, strlen(rows[i].event)), 0, NULL, 0, 1, rows[i].weight });
		strbuf_reset(&out);
		flame_svg(&stacks, NULL, &(struct flame_options){ 0 }, &out);
		has(&out, rows[i].want);
	}
	strbuf_reset(&out);
	flame_add_fixed(&out, 1.999996, 5);
	strbuf_addc(&out, ' ');
	flame_add_fixed(&out, 0.0500004, 6);
	strbuf_addc(&out, ' ');
	flame_add_fixed(&out, 99.5, 0);
	assert_string_equal(out.buf, "2.00000 0.050000 100");
}

TEST(test_colours)
{
	static const struct { const char *text, *name; char want; } rows[] = {
		{ "f 1", "f", 'u' }, { "do_idle_[k] 1", "do_idle", 'k' }, { "[unknown] 1", "[unknown]", 'x' },
		{ "a::b 1", "a::b", 'u' }, { "f 1", "all", 't' },
	};
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, usual = STRBUF_INIT;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		draw(rows[i].text, NULL, &(struct flame_options){ 0 }, &out);
		assert_int_equal(*class_of(&out, rows[i].name), rows[i].want);
	}
	draw("f 1", NULL, &(struct flame_options){ 0 }, &usual);
	draw("f 1", NULL, &(struct flame_options){ .waiting = true }, &out);
	assert_string_not_equal(out.buf, usual.buf);
}

/* The form for a page: hostile names, no script, only the widest frames, and a note on the frames left out. */
TEST(test_piece)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct flame_options options = { .title = "a \"<b>", .side = { { .label = "<head>" }, { .label = "base" } } };
	CLEANUP(stacks_release) struct stacks head, base;

	for (int i = 1; i <= 700; i++)
		strbuf_addf(&text, "main;caller%d;</title><script>alert(%d)</script> %d\n", i, i, i);
	for (int i = 0; i < 60; i++)
		strbuf_adds(&text, i ? ";deep" : "main;deep");
	strbuf_adds(&text, " 9000\n");
	head = folded(text.buf);
	base = folded("main;gone 5000\nmain;caller700 5000\n");
	for (int diff = 0; diff < 2; diff++) {
		size_t n = 0;

		strbuf_reset(&out);
		flame_piece(&head, diff ? &base : NULL, &options, &out);
		for (const char *p = out.buf; (p = strstr(p, "<title>")); p++)
			n++;
		assert_in_range(n, 300, 600);
		lacks(&out, "<script");
		lacks(&out, "<style");
		lacks(&out, "class=\"f ");
		has(&out, "aria-label=\"a &quot;&lt;b&gt;\"");
		has(&out, "&lt;/title&gt;&lt;script&gt;");
		has(&out, " or above level 48 are left out");
		has(&out, "height=\"784\"");
		has(&out, "<summary>Show all 49 levels</summary>");
		assert_int_equal(diff, strstr(out.buf, "Vanished: of base, what &lt;head&gt; has no sample of, 50.00 %") != NULL);
		assert_int_equal(diff, strstr(out.buf, "class=\"keys\"") != NULL);
	}
	strbuf_reset(&out);
	flame_piece_style(&out);
	has(&out, ".u3>rect{");
	has(&out, ".r6>rect{");
	has(&out, "@media (prefers-color-scheme:dark)");
}

/* A page leaves out the shell that started the program, unless that is the program. Vanished frames are blue. */
TEST(test_piece_shell)
{
	static const struct { const char *head, *base, *want, *never; } rows[] = {
		{ "sh;exec 5\nprog;f 95", NULL, "<title>f\n", "<title>sh\n" },
		{ "sh;exec 50\nprog;f 50", NULL, "<title>sh\n", "height=\"48.0\"" },
		{ "prog;f 5000\n", "prog;f 4000\nprog;gone 1000\n", "<svg class=\"b3\" x=\"0.000%\" y=\"0\" width=\"100.000%\"", "class=\"b6\" x" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(stacks_release) struct stacks head = folded(rows[i].head), base = folded(rows[i].base ?: "");
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		flame_piece(&head, rows[i].base ? &base : NULL, &(struct flame_options){ 0 }, &out);
		has(&out, rows[i].want);
		lacks(&out, rows[i].never);
	}
}

/* Each window width shows one of a frame's labels, and only one that fits. */
TEST(test_piece_labels)
{
	static const struct { const char *text, *want, *never; } rows[] = {
		{ "m 100", ">m</text>", "class=\"a\"" },
		{ "main;a_rather_long_name 10\nmain 90", "class=\"b\">a_ra..</text>", "class=\"a\"" },
		{ "main;a_rather_long_name 10\nmain 90", "class=\"c\">a_rather..</text>", ">a_rather_long_name</text>" },
		{ "main;a_rather_long_name 40\nmain 60", "class=\"b c\">a_rather_long_name</text>", "class=\"c\"" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = folded(rows[i].text);
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		flame_piece(&stacks, NULL, &(struct flame_options){ 0 }, &out);
		has(&out, rows[i].want);
		lacks(&out, rows[i].never);
	}
}

TEST(test_nothing)
{
	CLEANUP(stacks_release) struct stacks none = STACKS_INIT;
	struct flame_options options = { 0 };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	flame_svg(&none, NULL, &options, &out);
	has(&out, "There is no sample in this profile.");
	strbuf_reset(&out);
	flame_svg(&none, &none, &options, &out);
	has(&out, "Nothing vanished.");
	strbuf_reset(&out);
	flame_json(&none, NULL, &options, &out);
	assert_string_equal(out.buf, "{\"name\":\"all\",\"value\":0}\n");
}

TEST(test_json)
{
	struct stacks head = folded("m;a;\"q\\ 1\nm;b 2\nx 1"), base = folded("m;b 2\nm;gone 2");
	struct flame_options options = { 0 };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	flame_json(&head, NULL, &options, &out);
	assert_string_equal(out.buf, "{\"name\":\"all\",\"value\":4,\"children\":[{\"name\":\"m\",\"value\":3,\"children\":["
				     "{\"name\":\"a\",\"value\":1,\"children\":[{\"name\":\"\\\"q\\\\\",\"value\":1}]},\n"
				     "{\"name\":\"b\",\"value\":2}]},\n{\"name\":\"x\",\"value\":1}]}\n");
	strbuf_reset(&out);
	flame_json(&head, &base, &options, &out);
	has(&out, "{\"name\":\"gone\",\"value\":0,\"delta\":-50}");
	has(&out, "{\"name\":\"b\",\"value\":50,\"delta\":0}");
	stacks_release(&head);
	stacks_release(&base);
}

/* Functions must not recurse once per frame: the C stack is smaller than this stack. */
TEST(test_deep)
{
	enum { DEPTH = 200000 };
	struct flame_options options = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks stacks;

	for (int i = 0; i < DEPTH; i++)
		strbuf_adds(&text, i ? ";f" : "f");
	strbuf_adds(&text, " 7\nf;g 1\n");
	stacks = folded(text.buf);
	flame_svg(&stacks, NULL, &options, &out);
	has(&out, "height=\"3200");
	strbuf_reset(&out);
	flame_json(&stacks, &stacks, &options, &out);
	assert_true(out.len > DEPTH * 20);
}

/* -------- A pruned profile sums up the omitted stacks. The total and the weights of kept stacks stay the same. */

static void prune(const char *text, double least_pct, struct strbuf *out)
{
	CLEANUP(stacks_release) struct stacks stacks = folded(text), pruned = STACKS_INIT;

	flame_tree_prune(&stacks, least_pct, &pruned);
	assert_int_equal(folded_write(&pruned, FOLDED_AS_GIVEN, out, &(struct error)ERROR_INIT), 0);
	if (stacks.n)
		assert_int_equal(pruned.events[0].samples, stacks.events[0].samples);
}

TEST(small_frames_are_summed_below_their_caller)
{
	static const struct { const char *folded; double least_pct; const char *expected; } cases[] = {
		{ "a;b 90\na;c 6\na;d 4\n", 5, "a;[small] 4\na;b 90\na;c 6\n" },
		{ "a;b 90\na;c 6\na;d 4\n", 0, "a;b 90\na;c 6\na;d 4\n" },
		{ "a;b 90\na;c 6\na;d 4\n", 50, "a;[small] 10\na;b 90\n" },
		{ "a 3\nb 97\n", 5, "[small] 3\nb 97\n" },
		/* Small leaves of one caller become [small]; the caller stays. */
		{ "a;b;x 4\na;b;y 4\na;b;z 4\na;c 88\n", 5, "a;b;[small] 12\na;c 88\n" },
		{ "a 10\na;b 1\n", 10, "a 10\na;[small] 1\n" },
		{ "a;b 0.5\na;c 1.25\n", 0, "a;b 0.5\na;c 1.25\n" },
		{ "", 5, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		prune(cases[i].folded, cases[i].least_pct, &out);
		assert_string_equal(out.buf, cases[i].expected);
	}
}

TEST(a_pruned_profile_pruned_is_the_same)
{
	CLEANUP(strbuf_release) struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;

	prune("m;a;b 700\nm;a;c 3\nm;d;e;f 200\nm;d;e;g 2\nm;h 95\n", 1, &once);
	prune(once.buf, 1, &twice);
	assert_string_equal(once.buf, "m;a;[small] 3\nm;a;b 700\nm;d;e;[small] 2\nm;d;e;f 200\nm;h 95\n");
	/* [small] is itself small by then and stays [small]. */
	assert_string_equal(twice.buf, once.buf);
}
