#include "cause/kind.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/changed.h"
#include "cause/evidence.h"

/*
 * Page faults decide the kind from this part of the cost on, if their number grew by this factor. The part is small
 * because newly touched memory also misses the caches.
 */
#define FAULTS_PART 0.2
#define FAULTS_PART_UNCOUNTED 0.1	/* if instructions are not counted */
#define FAULTS_ROSE 1.5
/* Least part of the cost for instructions to be the reason. */
#define COUNTED_PART 0.1
/* Least part of the cost that the estimated time of more calls must cover if samples do not show it. */
#define CALLS_PART 0.25
/* Least number of additional page faults, twice as many in all, that tells the kind if nothing else does. */
enum { MANY_FAULTS = 2000 };
/* Least factor of the number of processes that tells the kind of a change by itself. */
enum { PROCESSES_ROSE = 4 };
/* Least sampled part of the cost that confirms a call which the change adds, if nothing is counted. */
#define CONFIRMS 0.15

/* Facts about a cost, for the rules. */
struct facts {
	const struct search *s;
	const struct suspect *x;	/* the function that costs more, or NULL: only totals are known */
	const struct suspect *causer;	/* the function that causes it */
	const struct change *change;	/* the change that touches `x`, or the only place that may be the reason; or NULL */
	double cost;			/* the increase, in the unit of the question */
	double kernel, faulting;	/* parts of it in the kernel, if they are significant; 0 if instructions are explained */
	double allocating;		/* part of it under malloc */
	bool faults_rose;
	struct call_change call;	/* the call that `x` makes more often */
	double calling_ms;		/* estimated time of these calls */
};

/* Names of the C library's functions by what they do. */
#define LOCKS "pthread_mutex_lock*", "pthread_spin_lock*", "pthread_rwlock_*", "mtx_lock*", "sem_wait*"
#define SLEEPS "usleep*", "sleep*", "nanosleep*", "clock_nanosleep*", "fsync*", "fdatasync*", "msync*"
#define STARTS "posix_spawn*", "fork*", "vfork*", "system*", "popen*"

/* -------- numbers */

double kind_locks(const struct search *s, const struct suspect *x, int side)
{
	double calls = 0;
	size_t n;
	const struct callee_cost *callees = ledger_callees(&s->ledger, x->id, COST_INSTRUCTIONS, &n);

	for (size_t i = 0; i < n; i++)
		calls += TEXT_IS(callees[i].callee, LOCKS) ? callees[i].calls[side] : 0;
	return calls;
}

bool kind_locks_more(const struct search *s, const struct suspect *x)
{
	return kind_locks(s, x, HEAD) > MORE_CALLS * kind_locks(s, x, BASE);
}

bool kind_factors(const struct suspect *x, double *instructions, double *each)
{
	const double *work = x->at->cost[COST_INSTRUCTIONS];
	double user[SIDES];

	for (int i = 0; i < SIDES; i++)
		user[i] = x->at->cost[COST_TIME][i] - x->at->cost[COST_KERNEL][i];
	if (!(work[BASE] > 0 && work[HEAD] > 0 && user[BASE] > 0 && user[HEAD] > 0))
		return false;
	*instructions = work[HEAD] / work[BASE];
	*each = user[HEAD] / user[BASE] / *instructions;
	return true;
}

/* True for files that an interpreter reads to run the program. They are not input. */
static bool is_program_text(const char *path)
{
	static const char *const ends[] = { ".py", ".pyc", ".pm", ".pl", ".rb", ".js", ".mjs", ".lua", ".sh", ".jar", ".class", ".so" };
	size_t len = strlen(path);

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (text_ends(path, len, ends[i]))
			return true;
	return false;
}

const struct traced_file *kind_grown_input(const struct search *s)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	double before = 0, now = 0, most = 0;
	const struct traced_file *best = NULL;

	if (base->cut || head->cut)
		return NULL;
	for (size_t i = 0; i < base->n_files; i++)
		before += is_program_text(base->files[i].path) ? 0 : base->files[i].read_bytes;
	for (size_t i = 0; i < head->n_files; i++) {
		const struct traced_file *file = &head->files[i];
		double more = file->read_bytes;

		if (is_program_text(file->path))
			continue;
		now += file->read_bytes;
		for (size_t k = 0; k < base->n_files; k++)
			if (!strcmp(path_name(base->files[k].path), path_name(file->path)))
				more -= base->files[k].read_bytes;
		if (more > most) {
			most = more;
			best = file;
		}
	}
	return before > 0 && now / before - 1 > MOST_OF * s->asked.change / s->asked.base ? best : NULL;
}

/* -------- rules for the whole change */

static bool anything_touched(const struct search *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (suspect_changed(&s->suspects[i]))
			return true;
	return false;
}

static bool diff_known(const struct search *s)
{
	return s->in->changes && s->in->changes->known;
}

static bool same_program(const struct search *s)
{
	const char *before = s->scenario->base.executable, *now = scenario_result_measured(s->scenario)->executable;

	return before && now && !strcmp(before, now) && !(diff_known(s) && s->in->changes->n);
}

/* True if a library that differs executes most of the additional instructions. */
static bool library_grew(const struct facts *f)
{
	const struct ledger *ledger = &f->s->ledger;
	const char *library = f->s->in->library;
	double more = 0;

	for (size_t i = 0; i < ledger->n_callees && library; i++) {
		const struct callee_cost *p = &ledger->callees[i];
		const char *name = path_name(p->object);

		if (p->cost == COST_INSTRUCTIONS && *name && text_starts(library, name) && library[strlen(name)] == ' ')
			more += change_of(p->amount);
	}
	return more > 0 && more > MOST_OF * change_of(ledger->total[COST_INSTRUCTIONS]) && !anything_touched(f->s);
}

static bool only_build(const struct facts *f)
{
	return (diff_known(f->s) && changes_only_build(f->s->in->changes)) || (f->s->in->build && !anything_touched(f->s));
}

static bool other_library(const struct facts *f)
{
	return f->s->in->library && same_program(f->s);
}

/* A benchmark program makes as many iterations as fit into its time, so that more work shows no larger input. */
static bool only_input(const struct facts *f)
{
	if (side_result_benchmarks(scenario_result_measured(f->s->scenario)))
		return false;
	return same_program(f->s) || (diff_known(f->s) && changes_only_data(f->s->in->changes)) ||
	       (!anything_touched(f->s) && kind_grown_input(f->s));
}

/* -------- rules for a cost */

/* True if the function runs before main, called by the C library's start-up code. */
static bool runs_before_main(const struct facts *f)
{
	const struct ledger *ledger = &f->s->ledger;

	/* Code without names includes main. */
	if (!f->x || !strcmp(suspect_code(f->s, f->causer)->function, "main") || code_nameless(suspect_code(f->s, f->causer)))
		return false;
	for (size_t i = 0; i < ledger->n_edges; i++) {
		const struct edge *e = &ledger->edges[i];
		const struct code *caller = code_of(&ledger->codes, e->caller);

		if (e->callee == f->causer->id && !caller->own && e->calls[HEAD] > 0 &&
		    TEXT_IS(caller->function, "call_init*", "_dl_init*", "__libc_csu_init*", "__libc_start_main*"))
			return true;
	}
	return false;
}

static bool counted(const struct facts *f)
{
	return ledger_has(&f->s->ledger, COST_INSTRUCTIONS);
}

static bool is_python(const struct facts *f)
{
	return f->x && f->s->ledger.timed;
}

/* True if it starts more processes, which fork, load and fault. If only totals are known, many more of them tell. */
static bool starts_processes(const struct facts *f)
{
	const struct system_calls *base = &f->s->in->base->system_calls, *head = &f->s->in->head->system_calls;

	if (!f->call.now || !system_call_starts(f->call.now) || head->attached || f->s->ledger.timed)
		return false;
	if (!f->x)
		return head->processes >= PROCESSES_ROSE * base->processes;
	return f->s->asked.cost == COST_TIME && f->calling_ms >= CALLS_PART * f->cost;
}

static bool kernel_grew(const struct facts *f)
{
	return part_of(f->kernel, f->cost) >= MOST_OF;
}

static bool touches_memory(const struct facts *f)
{
	double least = counted(f) ? FAULTS_PART : FAULTS_PART_UNCOUNTED;

	return (part_of(f->faulting, f->cost) >= least && f->faults_rose) || (kernel_grew(f) && part_of(f->faulting, f->kernel) >= MOST_OF);
}

/*
 * True if most of the additional instructions allocate. The page faults and the slowness of that memory follow from it.
 */
static bool allocates_more(const struct facts *f)
{
	const struct suspect *x = f->causer;

	return x && part_of(x->caused_counted, x->caused) >= COUNTED_PART && part_of(x->caused_allocating, x->caused_counted) >= MOST_OF;
}

static bool allocates_pages(const struct facts *f)
{
	return touches_memory(f) && allocates_more(f);
}

/* Returns the increase of the function's own work in ms: by its instructions, or by samples if these are not counted. */
static double works_longer(const struct facts *f)
{
	const struct suspect *x = f->x;

	return fmax(0, counted(f) ? more_of(x, COST_INSTRUCTIONS) * f->s->ms_per_instruction : more_of(x, COST_TIME) - more_of(x, COST_KERNEL));
}

/* True if the kernel works longer by samples, or by the exact number of calls, which cost more than the function's own work. */
static bool kernel_works(const struct facts *f)
{
	return kernel_grew(f) || (f->x && f->calling_ms > works_longer(f));
}

/* To sleep, or to wait for a disk, is waiting, however little CPU time it takes. */
static bool kernel_waits(const struct facts *f)
{
	return f->call.now && kernel_works(f) && (system_call_sleeps(f->call.now) || system_call_syncs(f->call.now));
}

/*
 * True if locks alone account for the kernel work: to sleep until a lock is free, and to wake a sleeper. A tracer may
 * prevent these calls.
 */
static bool kernel_wakes(const struct facts *f)
{
	if (!f->x || !kernel_works(f))
		return false;
	return f->call.now ? !strcmp(f->call.now->name, "futex") && kind_locks(f->s, f->x, HEAD) > 0 : kind_locks_more(f->s, f->x);
}

static bool allocates(const struct facts *f)
{
	return part_of(f->allocating, f->cost) >= MOST_OF;
}

static bool locks_more(const struct facts *f)
{
	return f->x && kind_locks_more(f->s, f->x);
}

/* True if nobody traced system calls, so that a call of the C library has to stand for them. */
static bool untraced(const struct facts *f)
{
	return f->x && !f->s->ledger.timed && !f->s->in->head->system_calls.n;
}

static bool is_sampled(const struct suspect *x)
{
	return x && x->at->cost[COST_TIME][BASE] > 0 && x->at->cost[COST_TIME][HEAD] > 0;
}

/* True if nothing is counted, and samples, if there are any, show PART of the cost. The change tells the rest. */
static bool is_confirmed(const struct facts *f, double part)
{
	return !counted(f) && (!is_sampled(f->x) || part_of(part, f->cost) >= CONFIRMS);
}

static bool may_allocate(const struct facts *f)
{
	return is_confirmed(f, f->allocating);
}

static bool may_ask_kernel(const struct facts *f)
{
	return is_confirmed(f, f->kernel);
}

static bool may_lock(const struct facts *f)
{
	return is_confirmed(f, f->cost);
}

/* True if the calls grew, and instructions do not account for most of the cost. */
static bool calls_explain(const struct facts *f)
{
	return f->x && f->calling_ms > 0 && f->s->asked.cost == COST_TIME && counted(f) && part_of(f->x->counted, f->cost) < MOST_OF &&
	       (!is_sampled(f->x) || f->calling_ms >= CALLS_PART * f->cost);
}

/*
 * Returns the factor by which the program's instructions grew, by the count by function, else simulated, else counted
 * by the CPU. 0: unknown.
 */
static double instructions_grew(const struct search *s)
{
	static const struct metric *const metrics[] = { METRIC(SIM_INSTRUCTIONS), METRIC(INSTRUCTIONS) };
	const double *work = s->ledger.total[COST_INSTRUCTIONS];

	if (ledger_has(&s->ledger, COST_INSTRUCTIONS))
		return work[HEAD] / work[BASE];
	for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
		double before = median_of(s, BASE, metrics[i]), now = median_of(s, HEAD, metrics[i]);

		if (before > 0 && now > 0)
			return now / before;
	}
	return 0;
}

/* True if the program's instructions grew by a smaller factor than the time per instruction. */
static bool executes_as_before(const struct search *s)
{
	double grew = instructions_grew(s);

	return grew > 0 && log(grew) < log(s->total_ms[HEAD] / s->total_ms[BASE]) / 2;
}

/* True if nothing is known of instructions, but the program touches much more memory. */
static bool memory_grew(const struct facts *f)
{
	double before = median_of(f->s, BASE, METRIC(PAGE_FAULTS)), now = median_of(f->s, HEAD, METRIC(PAGE_FAULTS));

	return !(instructions_grew(f->s) > 0) && now >= 2 * before && now - before >= MANY_FAULTS;
}

/* Largest factor between a function's parts of the base's time and of its counted instructions. */
#define TYPICAL_MOST 4
/* Largest growth of counted instructions that is none, beyond twice their error, and in all. */
#define SAME_LEAST 0.005
#define SAME_MOST 0.05

/*
 * True if the calls that were counted are like those of the whole execution, and INSTRUCTIONS, the factor of their
 * growth, is none. If they grew a little, they may grow more in later calls.
 */
static bool is_same_work(const struct facts *f, double instructions)
{
	const struct ledger *l = &f->s->ledger;
	double time = part_of(f->x->at->cost[COST_TIME][BASE], l->total[COST_TIME][BASE]);

	return time < TYPICAL_MOST * part_of(f->x->at->cost[COST_INSTRUCTIONS][BASE], l->total[COST_INSTRUCTIONS][BASE]) &&
	       instructions - 1 < fmin(SAME_LEAST + 2 * l->per_error, SAME_MOST);
}

/*
 * True if the same instructions take longer: the time per instruction grew by a larger factor than their number, and
 * the instructions do not account for most of the cost.
 */
static bool takes_longer(const struct facts *f)
{
	double instructions, each;
	bool known;

	/* How many instructions Python executes is unknown. */
	if (f->s->ledger.timed)
		return false;
	if (!f->x || !counted(f))
		return part_of(f->cost, f->s->asked.change) >= MOST_OF && executes_as_before(f->s);
	known = kind_factors(f->x, &instructions, &each);
	if (known && instructions >= fmax(each, 1))
		return false;
	if (f->s->ledger.per && !(known && is_same_work(f, instructions)))
		return false;
	return part_of(f->causer->caused_counted, f->causer->caused) < MOST_OF && part_of(f->x->counted, f->cost) < MOST_OF;
}

static bool always(const struct facts *f)
{
	(void)f;
	return true;
}

/* -------- the table */

#define NAMES(...) (const char *const[]){ __VA_ARGS__, NULL }

/* The first rule that holds gives the kind. */
static const struct rule {
	enum { OF_CHANGE, OF_COST } scope;
	enum cause_kind kind;
	bool (*holds)(const struct facts *f);
	const char *const *callees;	/* if given, the dearest callee, or a call that the change adds, is one of these */
} rules[] = {
	{ OF_CHANGE, CAUSE_LIBRARY, library_grew, NULL },
	{ OF_CHANGE, CAUSE_BUILD, only_build, NULL },
	{ OF_CHANGE, CAUSE_LIBRARY, other_library, NULL },
	{ OF_CHANGE, CAUSE_INPUT, only_input, NULL },

	{ OF_COST, CAUSE_STARTUP, runs_before_main, NULL },
	{ OF_COST, CAUSE_WAITING, is_python, NAMES("time.sleep*", "select.*", "posix.wait*") },
	{ OF_COST, CAUSE_LOCK, is_python, NAMES("_thread.lock.acquire*", "_thread.RLock.acquire*") },
	{ OF_COST, CAUSE_SYSTEM_CALLS, is_python, NAMES("posix.*", "io.open*", "_io.open*", "_io.FileIO.*", "_io.TextIOWrapper.flush*",
							  "_io.BufferedWriter.flush*", "_posixsubprocess.*") },
	{ OF_COST, CAUSE_STARTUP, is_python, NAMES("_find_and_load*", "__import__*") },
	{ OF_COST, CAUSE_SYSTEM_CALLS, starts_processes, NULL },
	{ OF_COST, CAUSE_ALLOCATION, allocates_pages, NULL },
	{ OF_COST, CAUSE_FAULTS, touches_memory, NULL },
	{ OF_COST, CAUSE_WAITING, kernel_waits, NULL },
	{ OF_COST, CAUSE_LOCK, kernel_wakes, NULL },
	{ OF_COST, CAUSE_SYSTEM_CALLS, kernel_works, NULL },
	{ OF_COST, CAUSE_ALLOCATION, allocates, NULL },
	{ OF_COST, CAUSE_LOCK, locks_more, NULL },
	{ OF_COST, CAUSE_SYSTEM_CALLS, untraced, NAMES("fflush*", "write*", "read*", "pread*", "pwrite*", "open*", "fopen*", "stat*", "fstat*", "lseek*", STARTS) },
	{ OF_COST, CAUSE_SYSTEM_CALLS, calls_explain, NULL },
	{ OF_COST, CAUSE_ALLOCATION, may_allocate, NAMES("malloc*", "calloc*", "realloc*", "strdup*", "xmalloc*", "xcalloc*", "xstrdup*") },
	{ OF_COST, CAUSE_WAITING, may_ask_kernel, NAMES(SLEEPS) },
	{ OF_COST, CAUSE_LOCK, may_lock, NAMES(LOCKS) },
	{ OF_COST, CAUSE_SYSTEM_CALLS, may_ask_kernel, NAMES("fflush*", STARTS) },
	{ OF_COST, CAUSE_SLOWER, takes_longer, NULL },
	{ OF_COST, CAUSE_ALLOCATION, allocates_more, NULL },
	{ OF_COST, CAUSE_FAULTS, memory_grew, NULL },
	{ OF_COST, CAUSE_WORK, always, NULL },
};

/* True if the change adds a call of one of NAMES. */
static bool adds_call(const struct change *change, const char *const *names)
{
	if (!change)
		return false;
	for (size_t i = 0; i < change->words.n; i++) {
		CLEANUP(free_ptr) char *call = text_printf("%s(", change->words.items[i]);

		for (size_t k = 0; k < change->now.n && text_matches_any(change->words.items[i], names); k++)
			if (strstr(change->now.items[k], call))
				return true;
	}
	return false;
}

static bool calls_one_of(const struct facts *f, const char *const *names)
{
	const struct callee_cost *callee = f->x ? suspect_dearest_callee(f->s, f->x) : NULL;

	return callee ? text_matches_any(callee->callee, names) : adds_call(f->change, names);
}

static enum cause_kind first_rule(int scope, const struct facts *f)
{
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		if ((int)rules[i].scope == scope && rules[i].holds(f) && (!rules[i].callees || calls_one_of(f, rules[i].callees)))
			return rules[i].kind;
	return CAUSE_KINDS;
}

static bool faults_rose(const struct search *s)
{
	return median_of(s, HEAD, METRIC(PAGE_FAULTS)) > FAULTS_ROSE * median_of(s, BASE, METRIC(PAGE_FAULTS));
}

/* Returns X's increase in a part of the sampled time, if it is significant. */
static double sampled_more(const struct search *s, const struct suspect *x, enum cost_kind cost)
{
	double more = more_of(x, cost);

	return s->asked.cost == COST_TIME && more > 2 * entry_error(x->at) ? more : 0;
}

enum cause_kind kind_of(const struct search *s, const struct suspect *causer)
{
	const struct suspect *x = suspect_dearest(causer);
	struct facts f = {
		.s = s, .x = x, .causer = causer, .change = suspect_changed(x) ? x->touch->change : NULL,
		.cost = x->more > 0 ? x->more : x->caused, .kernel = sampled_more(s, x, COST_KERNEL),
		.faulting = sampled_more(s, x, COST_FAULTING), .faults_rose = faults_rose(s), .call = suspect_call(s, x),
	};

	f.calling_ms = suspect_calls_ms(s, &f.call);
	f.allocating = counted(&f) ? more_of(x, COST_ALLOCATING) * s->asked.pace : more_of(x, COST_ALLOCATING_TIME);
	return first_rule(OF_COST, &f);
}

void kind_ask(struct search *s, const struct question *question)
{
	blame(s, question);
	s->whole = first_rule(OF_CHANGE, &(struct facts){ .s = s });
}

enum cause_kind kind_of_place(const struct search *s, const struct change *change)
{
	const struct call_filter starting = { .starts = true };
	struct facts f = {
		.s = s, .change = change, .cost = s->asked.change, .kernel = median_more(s, METRIC(SYSTEM_TIME)), .faults_rose = faults_rose(s),
		.call = system_calls_dearest(&s->in->base->system_calls, &s->in->head->system_calls, &starting),
	};

	f.faulting = f.faults_rose ? f.kernel : 0;
	return first_rule(OF_COST, &f);
}
