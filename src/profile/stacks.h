/*
 * Stacks with their weights: every distinct stack once a run, every string once, so memory is bounded by what
 * is distinct, not by the samples. Filled by script.c (perf script text) or folded.c, then named by names.c,
 * then read: shares, flame graphs, pruned profiles, folded text.
 *
 *	struct stacks stacks = STACKS_INIT;
 *	event = stacks_event(&stacks, "cpu-clock", 9);
 *	frame = stacks_frame(&stacks, stacks_string(&stacks, "main", 4), stacks_string(&stacks, "/bin/a", 6));
 *	stacks_add(&stacks, event, comm, frames, n, 1, period);
 *	stacks_release(&stacks);
 *
 * Strings are numbers that hold within one struct stacks; 0 is the empty string. Weight is the sum of the
 * sample periods, kept as a double: exact up to 2^53, which is 104 days of cpu-clock.
 */
#ifndef PAWL_PROFILE_STACKS_H
#define PAWL_PROFILE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* A place in the code. Two frames are the same when name and dso are. What is not perf's own is set by names_resolve(). */
struct frame {
	uint32_t name;		/* the symbol as perf wrote it: mangled; "[unknown]" */
	uint32_t dso;		/* the whole path as perf wrote it: "/usr/lib/libc.so.6", "[kernel.kallsyms]" */
	uint32_t shown, key;	/* for people, and to compare by; 0 before */
	uint32_t file;		/* for both: "libc.so.6", "[kernel]"; 0 unknown */
	bool kernel;
	uint8_t halves;		/* where its instructions were, as far as the text has addresses: STACKS_UPPER_HALF | STACKS_LOWER_HALF */
};

/* The halves of a 64-bit address space, of which Linux keeps the upper for itself. */
enum { STACKS_LOWER_HALF = 1, STACKS_UPPER_HALF = 2 };

struct stack {
	uint16_t event;		/* of stacks.events */
	uint16_t run;		/* of several profiled runs, from 0 */
	uint32_t comm;		/* string: the name of the thread */
	uint32_t first, n;	/* frame numbers in stacks.pool, the root first; n may be 0 */
	uint64_t samples;
	double weight;
};

struct event_total {
	uint32_t name;		/* string: "cpu-clock", "cpu_core/cycles/" */
	uint64_t samples;
	double weight;
};

/* Open addressing on numbers; what they stand for is compared by its owner. */
struct intern {
	uint32_t *slots;	/* number + 1, 0: free */
	uint32_t *hashes;
	size_t n, size;
};

/* Numbers from 0 for pairs of numbers, in the order in which they come; { 0 } is empty. */
struct pair_index {
	struct pair {
		uint32_t a, b;
	} *items;
	size_t n, cap;
	struct intern by_pair;
};

/* Of any bytes; quick, and the same within one run of pawl. */
uint32_t stacks_hash(const void *data, size_t len, uint64_t seed);
uint32_t pair_index_of(struct pair_index *index, uint32_t a, uint32_t b);
void pair_index_release(struct pair_index *index);

struct stacks {
	char *text;		/* all strings, each terminated */
	size_t text_len, text_cap;
	uint32_t *strings;	/* where each begins in `text` */
	size_t n_strings, cap_strings;
	struct frame *frames;
	size_t n_frames, cap_frames;
	uint32_t *pool;		/* frames of all stacks, one after the other */
	size_t n_pool, cap_pool;
	struct stack *items;
	size_t n, cap;
	struct event_total *events;
	size_t n_events, cap_events;
	uint64_t lost;		/* samples that perf says it lost */
	uint64_t messages;	/* lines in the text that were no sample but a message of perf */
	uint32_t message;	/* string: the first of them */
	bool cut;		/* the text may have been cut off behind a frame */
	uint16_t run;		/* what stacks_add() adds is of this run; there are none after it */
	struct intern by_string, by_stack;
	struct pair_index by_frame;		/* name and dso */
};

#define STACKS_INIT { 0 }

/* What stacks_bytes() may come to before a reader refuses what it reads. */
enum { STACKS_LARGEST = 512 << 20 };

void stacks_release(struct stacks *stacks);
size_t stacks_bytes(const struct stacks *stacks);	/* the memory it holds */

uint32_t stacks_string(struct stacks *stacks, const char *text, size_t len);	/* TEXT without NUL bytes */
const char *stacks_text(const struct stacks *stacks, uint32_t string);	/* until the next string is added */
uint32_t stacks_frame(struct stacks *stacks, uint32_t name, uint32_t dso);
/* The same by their texts, NAME of LEN bytes. */
uint32_t stacks_frame_of(struct stacks *stacks, const char *name, size_t len, const char *dso);
#define STACKS_KERNEL "[kernel.kallsyms]"
uint32_t stacks_event(struct stacks *stacks, const char *name, size_t len);
/* FRAMES are frame numbers, the root first. The event's totals grow too. */
void stacks_add(struct stacks *stacks, uint32_t event, uint32_t comm, const uint32_t *frames, size_t n, uint64_t samples,
		double weight);
/*
 * What FROM has of EVENT, or of STACKS_EVERY_EVENT, but for threads called WITHOUT (NULL: none), becomes part of TO's run; names
 * stay resolved, events keep their names.
 */
#define STACKS_EVERY_EVENT UINT32_MAX
void stacks_merge(struct stacks *to, const struct stacks *from, uint32_t event, const char *without);

/*
 * The number of the event called NAME ("cycles" is "cycles:u" too, as perf calls it where only user space may be counted), or of
 * the one with the most samples when NAME is NULL. ERR_INPUT, with the names that there are, when there is none of that
 * name; STACKS have an event.
 */
int stacks_find_event(const struct stacks *stacks, const char *name, uint32_t *event_out, struct error *err);

/* The sums over all stacks of EVENT, which must equal its totals: nothing was lost. */
bool stacks_complete(const struct stacks *stacks, uint32_t event);
/* ERR_INPUT when the weights of an event add up to 2^53 or more, so that what is small among them would be lost. */
int stacks_exact(const struct stacks *stacks, struct error *err);
/* Whether LINE is a message of perf or a helper of it on standard error, which often ends up in the text of a profile. */
bool stacks_message(const char *line, size_t len);
/* What a frame is called for people: shown when it was resolved, else name. */
const char *stacks_frame_shown(const struct stacks *stacks, uint32_t frame);

/* -------- script.c */

/*
 * The text of `perf script -F comm,pid,tid,time,period,event,ip,sym,dso` to stacks, as a stream: any piece of it
 * at a time, in any number of pieces. Nothing is lost: every sample's period is on one stack, whatever its frames
 * look like, and script_end() checks the sums.
 *
 *	struct script *script = script_new(&stacks);
 *	while (more) script_feed(script, data, len, err);
 *	script_end(script, err);
 *	script_free(script);
 *
 * A header is read from its right end: a command's name may hold blanks, digits, ';', '#', a line feed, or be empty, the
 * pid may be missing, "[cpu]" and the mode may stand there; without a period a sample weighs 1. What -F addr, srcline, insn
 * and insnlen add is passed over. A frame is "<ip> <symbol>[+0x<offset>]
 * (<dso>)"; a dso may hold blanks and parentheses. What was inlined, "(inlined)", is in the file of its caller. A sample
 * whose chain perf discarded stands on one line and keeps its own ip; one with an empty chain is one "[unknown]" frame. A
 * leaf that perf knows nothing of, with an address of the kernel, is in "[kernel.kallsyms]". Lines that report lost
 * samples (perf script --show-lost-events) are counted in stacks.lost; other records and comments are passed over.
 *
 * Fields that perf script has on request are passed over, in front of a frame and behind the chain: data_src, weight, cgroup,
 * registers, branches, sizes of pages, the source. The frame of a sample on one line is the last of its addresses with a
 * symbol; where that cannot be told the text is refused. A file's "+0x1f" (dsoff) is left out. What was inlined in Java,
 * "La/B;::f->La/C;::g", is a frame each. Messages of perf between the lines are counted in stacks.messages, and stacks.cut is
 * set when the empty line behind the last frames is missing.
 *
 * Failure: ERR_INPUT with the line in its words, and the path left to the caller, for text that is none of this (a
 * binary perf.data, a folded file), a sample without time, event, ip or sym, a sample cut off in its midst, a line
 * beyond SCRIPT_LINE_LARGEST, stacks beyond STACKS_LARGEST, weights beyond 2^53; then only script_free() is left to
 * call. ERR_SYSTEM when the sums differ. Memory is that of the stacks, a cache of lines of fixed size, and one line.
 *
 * Format: perf-script(1) and builtin-script.c of linux/tools/perf.
 */

enum { SCRIPT_LINE_LARGEST = 1 << 20 };

struct script;

struct script *script_new(struct stacks *into);		/* INTO must outlive it */
int script_feed(struct script *script, const char *data, size_t len, struct error *err);
int script_end(struct script *script, struct error *err);
void script_free(struct script *script);

/* When something happened, and to which thread; 0: not known. */
struct script_moment {
	uint32_t comm;		/* string: the thread's name at that time */
	uint32_t event;		/* string: of a sample its event; 0 of a record */
	uint32_t pid, tid;
	uint64_t time_ns;
};

/*
 * Takes each sample in place of INTO, with the numbers of its frames there, the root first; and each record that is no sample, in
 * order of time: "PERF_RECORD_SWITCH OUT preempt". What they are given holds during the call.
 */
struct script_observer {
	void *ctx;
	void (*sample)(void *ctx, const struct script_moment *at, const uint32_t *frames, size_t n);
	void (*record)(void *ctx, const struct script_moment *at, const char *text, size_t len);
};

/* Before anything is fed. */
void script_observe(struct script *script, const struct script_observer *observer);

/* Whether LINE, of LEN bytes, is part of such text, perhaps of one that lacks a field. */
bool script_begins(const char *line, size_t len);

/* -------- foreign.c: what a file is, known from how it begins; profiles come in several forms, and in wrong ones. */

enum profile_kind {
	PROFILE_KIND_EMPTY,	/* nothing, or nothing but blanks and comments */
	PROFILE_KIND_FOLDED,	/* or text that nobody knows: reading it as folded says what is wrong with which line */
	PROFILE_KIND_SCRIPT,	/* the text of perf script */
	PROFILE_KIND_PERF_DATA,	/* a recording of perf, from a file or a pipe */
	PROFILE_KIND_MASSIF,	/* of valgrind's massif, and of heaptrack_print -M */
	PROFILE_KIND_DHAT,	/* of valgrind's DHAT, which is not read */
	PROFILE_KIND_CACHEGRIND,
	PROFILE_KIND_CALLGRIND,
	PROFILE_KIND_JEMALLOC,	/* a dump of jemalloc's: addresses without names */
	PROFILE_KIND_PACKED,	/* compressed */
	PROFILE_KIND_MARKUP,	/* SVG, HTML, JSON: what profiles are made into */
	PROFILE_KIND_BINARY,
};

/* DATA are the first LEN bytes, the first line whole if possible. */
enum profile_kind profile_kind_of(const char *data, size_t len);
/* "gzip", "xz", "zstd", "bzip2"; of PACKED data also the program that unpacks with -dc. NULL otherwise. */
const char *profile_kind_packer(const char *data, size_t len);

/* -------- names.c */

/*
 * Symbols' names: for people (demangled, whole) and to compare by. Demangling is libiberty's: C++, Rust (legacy and
 * v0), D, and Ada in files that hold Ada's run-time. The comparable name leaves out what differs between two builds
 * of the same code: a Rust hash ("::h" and 16 hex digits), ".constprop.N .isra.N .part.N .cold .llvm.N .lto_priv.N"
 * and "[clone ...]", a symbol version ("@@GLIBC_2.34"), a script engine's tier mark, folder and line ("LazyCompile:*f
 * /srv/x.js:10:5"; the line of a function without a name is kept), what Java and .NET number ("App$$Lambda$14/0x800c03000.apply"
 * is "App$$Lambda.apply", "$Proxy12", "f[Tier0]", "f_[j]"), addresses. Of the kernel, scheduler, interrupt, tick and RCU
 * symbols are one: "[kernel]".
 */

/*
 * Names come from strangers' programs: a short one may stand for gigabytes, so one that comes to more than DEMANGLED_LARGEST is
 * left as it is, as is one longer than MANGLED_LARGEST, and one that libiberty's limit of recursion refuses.
 */
enum { MANGLED_LARGEST = 8 << 10, DEMANGLED_LARGEST = 16 << 10 };

enum { NORMALISER_VERSION = 3 };	/* raised whenever a comparable name can come out otherwise */

/* RAW demangled, or as it is when it is not mangled; appended. ADA: RAW is from a file that holds Ada. */
void name_shown(const char *raw, bool ada, struct strbuf *out);
/* What SHOWN is compared by, when found in DSO (a path as perf writes it); appended. */
void name_comparable(const char *shown, const char *dso, struct strbuf *out);
/* Where a function of a script begins, as its name says. */
struct script_place {
	const char *file;		/* its base name, within the name; file_len bytes */
	size_t file_len;
	long line, column;		/* column 0: not known */
};
/* False when NAME, shown or comparable, is not of a script or has no line. */
bool name_script_place(const char *name, struct script_place *out);
/* The comparable name of a function of a script that has no name but its place. */
bool name_is_anonymous(const char *key);
/*
 * The file of a path, for people and to compare by: "libc.so.6", "[kernel]", "[ext4]" of a module, "[bpf]", "[vdso]",
 * "[jit]" for code that a program made at run time, "" for an unknown one; appended.
 */
void name_of_dso(const char *path, struct strbuf *out);
/* NAME without the parameters at its end: "app::parse(int) const" is "app::parse"; appended. */
void name_without_parameters(const char *name, struct strbuf *out);
/*
 * NAME for a sentence, appended: a long one of C++ without what it returns, parameters and arguments of templates, which
 * "app::Table::sum" tells as well; of what is longer still the beginning.
 */
void name_brief(const char *name, struct strbuf *out);
/* NAME behind what the function returns, which names of C++'s templates begin with: "void std::sort<int*>(int*, int*)". */
const char *name_qualified(const char *name);
bool dso_is_kernel(const char *path);
bool dso_is_jitted(const char *path);	/* code that a program made at run time, named with its pid or the like: "/tmp/perf-19.map" */

/*
 * Fills `shown`, `key`, `file` and `kernel` of every frame. Call it when the stacks are complete; calling it again does no harm. Stacks
 * beyond STACKS_LARGEST get no more text: the rest of their names stay as perf wrote them.
 */
void names_resolve(struct stacks *stacks);

/* -------- folded.c */

/*
 * Folded stacks, the exchange format of FlameGraph, inferno and speedscope: one stack a line, its frames
 * from the root joined by ';', a blank, its weight (whole, or with decimals).
 *
 * Writing: the thread's name is the first frame; a ';' or control character inside of a name becomes ':' or '?'. A
 * frame whose symbol nobody knows is called after its file, "[libfoo.so]", and a function of the kernel ends in
 * FOLDED_KERNEL, both as stackcollapse-perf.pl has it. Where there are samples of several events, "[event]" comes before the
 * thread, so that their sums stay apart. A '#' that would make a comment of a line becomes '?'.
 * The sum of the weights written is the sum of the sample periods: folded_write() checks it.
 *
 * Reading takes what other tools write too: several lines of one stack, decimals, no thread's name, CRLF, trailing
 * blanks, lines of comment wherever they stand ("# ..."), FOLDED_KERNEL, other annotations such as "_[j]", which are
 * kept as part of the name, and a second weight on every line, as difffolded.pl writes it, which is refused with the
 * advice to use --diff; unless the stacks without it repeat, so that it is part of a name. Everything counts for event FOLDED_EVENT and no thread. Folded text does not say how many
 * samples there were. Whole weights that add up to no more than FOLDED_SAMPLES_BELIEVED are counts of samples; larger
 * ones are periods of a clock, and their greatest common divisor is one sample's; where that makes too many still
 * (cycles, bytes), each line is at least one.
 */

#define FOLDED_EVENT "folded"
/* Behind the name of a kernel's function, as stackcollapse-perf.pl writes it. */
#define FOLDED_KERNEL "_[k]"

enum {
	FOLDED_STACKS_LARGEST = 1000000,	/* different ones; real profiles have tens of thousands */
	FOLDED_FRAMES_MOST = 1 << 18,		/* of one stack */
	FOLDED_SAMPLES_BELIEVED = 4000000,
};

/* The order of the lines: by text, so that two of the same profile are the same; or that of the stacks. */
enum folded_order { FOLDED_BY_TEXT, FOLDED_AS_GIVEN };

/* STACKS are named by names_resolve(); ERR_SYSTEM when the sums differ. */
int folded_write(const struct stacks *stacks, enum folded_order order, struct strbuf *out, struct error *err);

/*
 * Adds to STACKS. ERR_INPUT with the line when TEXT is no folded text or has too many different stacks; nothing in it
 * at all is no error.
 */
int folded_read(const char *text, size_t len, struct stacks *stacks, struct error *err);

/* "main", "[libfoo.so]" for an unknown symbol, "[unknown]": what a frame is called in folded text and pictures; appended. */
void folded_frame_name(const struct stacks *stacks, uint32_t frame, struct strbuf *out);
/* What the thread of STACK is called, "[no name]" when it has none; appended. False where folded text named none. */
bool folded_thread_name(const struct stacks *stacks, const struct stack *stack, struct strbuf *out);

/* -------- massif's files, of the same */

/*
 * Adds a file of valgrind's massif to STACKS, the root first: the snapshot of the peak, or the last that has a tree. The event is
 * "bytes", each byte a sample; places under massif's threshold are "[small]", the command is the thread. ERR_INPUT, with the line,
 * if the file is damaged or cut off. Format: the Valgrind manual, "Massif" (ms_print reads it).
 */
int massif_read(const char *text, size_t len, struct stacks *stacks, struct error *err);

/* A comment, not a stack: "#sh;main" is of a thread. LINE has LEN bytes, at least one. */
bool folded_comment(const char *line, size_t len);

#endif
