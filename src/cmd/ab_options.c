/* pawl ab: which of its options go together, and the scenarios that two commands make. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/parse.h"
#include "cmd/ab.h"
#include "measure/files.h"
#include "scenario/config.h"

#define TOLERANCE_MOST_PCT 1000.0
/* The profile of a command, instead of a scenario's 36,000 samples at 3,989 Hz in 10 s. */
#define COMMANDS_PROFILE_NS (3 * UINT64_C(1000000000))
enum { COMMANDS_FREQUENCY = 1997, COMMANDS_SAMPLES = 4000 };

static int check_commands(const struct invocation *inv, struct error *err)
{
	const struct options *o = &inv->options;

	if (!o->base_cmd || !o->head_cmd)
		return error_set(err, ERR_INPUT, "--base-cmd and --head-cmd go together: the one that is compared with, and the one that is "
				 "judged");
	if (o->base || o->base_ref || o->head || o->head_ref)
		return error_set(err, ERR_INPUT, "--base-cmd and --head-cmd compare two commands as they stand; leave out %s",
				 o->base ? "--base" : o->base_ref ? "--base-ref" : o->head ? "--head" : "--head-ref");
	if (inv->args.n || o->tags.n)
		return error_set(err, ERR_INPUT, "--base-cmd and --head-cmd need no scenario; leave out %s%.100s",
				 inv->args.n ? "" : "--tag ", inv->args.n ? inv->args.items[0] : o->tags.items[0]);
	return 0;
}

static int check_trees(const struct options *o, struct error *err)
{
	if (o->tolerance)
		return error_set(err, ERR_INPUT, "--tolerance is for --base-cmd and --head-cmd; a scenario says under gates: what it tolerates");
	if (!o->base && !o->base_ref)
		return error_set(err, ERR_INPUT, "compare with what? --base DIR is a tree that is built already, --base-ref REF a commit, "
				 "--base-cmd CMD with --head-cmd CMD two commands");
	if (o->base && o->base_ref)
		return error_set(err, ERR_INPUT, "--base and --base-ref both say what to compare with; give one of them");
	if (o->head && o->head_ref)
		return error_set(err, ERR_INPUT, "--head and --head-ref both say what is judged; give one of them");
	return 0;
}

int ab_check(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;
	bool commands = o->base_cmd || o->head_cmd;

	return commands ? check_commands(ab->inv, err) : check_trees(o, err);
}

/* -------- two commands */

static int read_tolerance(const struct options *o, double *out, struct error *err)
{
	if (!o->tolerance)
		return 0;
	if (parse_percent(o->tolerance, out, err) < 0)
		return error_wrap(err, "--tolerance");
	if (!(*out > 0 && *out <= TOLERANCE_MOST_PCT))
		return error_set(err, ERR_INPUT, "--tolerance: expected a percentage above 0%%, found '%.60s'", o->tolerance);
	return 0;
}

/* What a shell means by a dollar is nothing that pawl replaces. */
static char *without_names(const char *command)
{
	struct strbuf text = STRBUF_INIT;

	for (; *command; command++)
		strbuf_adds(&text, *command == '$' ? "$$" : (char[]){ *command, '\0' });
	return strbuf_take(&text);
}

/* Who tries two commands waits for the answer: hardly more samples than symbols are judged by at the least. */
static void shorten_profile(struct profile_settings *profile)
{
	profile->frequency = COMMANDS_FREQUENCY;
	profile->samples = COMMANDS_SAMPLES;
	profile->duration_ns = COMMANDS_PROFILE_NS;
}

static int make_scenario(const char *command, double tolerance_pct, struct scenario *out, struct error *err)
{
	static const char text[] = "version: 1\nname: commands\ntarget: { command: 'true' }\ngates: { task-clock: default }\n";
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(free_ptr) char *path = file_absolute("commands");
	struct scenario_defaults defaults;
	int ret;

	scenario_defaults_init(&defaults);
	ret = scenario_parse(text, strlen(text), path, &defaults, out, &diags);
	scenario_defaults_release(&defaults);
	if (ret < 0)
		return error_set(err, ERR_SYSTEM, "the scenario of two commands is faulty");
	out->target.argv.items[2] = arena_take(&out->arena, without_names(command));
	shorten_profile(&out->profile);
	if (tolerance_pct > 0) {
		out->gates.items[0].tolerance_pct = tolerance_pct;
		out->gates.items[0].by_default = false;
	}
	return 0;
}

int ab_commands(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;
	double tolerance_pct = 0;

	if (read_tolerance(o, &tolerance_pct, err) < 0 || make_scenario(o->base_cmd, tolerance_pct, &ab->commands[0], err) < 0)
		return -1;
	return make_scenario(o->head_cmd, tolerance_pct, &ab->commands[1], err);
}
