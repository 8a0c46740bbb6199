#include "cause/ledger/system_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cause/ledger/accesses.h"

/* Limits for files, libraries, programs and processes. Only a hostile recording exceeds them. */
enum { FILES_MOST = 4096, OPENS_MOST = 1 << 15, NAMED_MOST = 256, FRAMES_MOST = 1024, PROCESSES_MOST = 1 << 16 };

/* -------- known calls */

/* How a call refers to its file. */
enum subject { ON_FD, ON_PATH };
enum transfer { NO_BYTES, READS, WRITES };

struct known_call {
	const char *name;
	unsigned char on, bytes;
};

static const struct known_call known_calls[] = {
	{ "access", ON_PATH, 0 }, { "chdir", ON_PATH, 0 }, { "chmod", ON_PATH, 0 }, { "creat", ON_PATH, 0 }, { "execve", ON_PATH, 0 },
	{ "execveat", ON_PATH, 0 }, { "faccessat", ON_PATH, 0 }, { "faccessat2", ON_PATH, 0 }, { "link", ON_PATH, 0 }, { "linkat", ON_PATH, 0 },
	{ "lstat", ON_PATH, 0 }, { "mkdir", ON_PATH, 0 }, { "mkdirat", ON_PATH, 0 }, { "newfstatat", ON_PATH, 0 }, { "open", ON_PATH, 0 },
	{ "openat", ON_PATH, 0 }, { "openat2", ON_PATH, 0 }, { "readlink", ON_PATH, 0 }, { "readlinkat", ON_PATH, 0 }, { "rename", ON_PATH, 0 },
	{ "renameat", ON_PATH, 0 }, { "renameat2", ON_PATH, 0 }, { "rmdir", ON_PATH, 0 }, { "stat", ON_PATH, 0 }, { "statfs", ON_PATH, 0 },
	{ "statx", ON_PATH, 0 }, { "symlink", ON_PATH, 0 }, { "symlinkat", ON_PATH, 0 }, { "truncate", ON_PATH, 0 }, { "unlink", ON_PATH, 0 },
	{ "unlinkat", ON_PATH, 0 },
	{ "accept", ON_FD, 0 }, { "accept4", ON_FD, 0 }, { "close", ON_FD, 0 }, { "connect", ON_FD, 0 }, { "fallocate", ON_FD, 0 }, { "fcntl", ON_FD, 0 },
	{ "fdatasync", ON_FD, 0 }, { "flock", ON_FD, 0 }, { "fstat", ON_FD, 0 }, { "fsync", ON_FD, 0 }, { "ftruncate", ON_FD, 0 }, { "getdents", ON_FD, 0 },
	{ "getdents64", ON_FD, 0 }, { "ioctl", ON_FD, 0 }, { "lseek", ON_FD, 0 }, { "recvmmsg", ON_FD, 0 }, { "sendmmsg", ON_FD, 0 },
	{ "sync_file_range", ON_FD, 0 }, { "syncfs", ON_FD, 0 },
	{ "copy_file_range", ON_FD, READS }, { "pread64", ON_FD, READS }, { "preadv", ON_FD, READS }, { "preadv2", ON_FD, READS },
	{ "read", ON_FD, READS }, { "readv", ON_FD, READS }, { "recvfrom", ON_FD, READS }, { "recvmsg", ON_FD, READS },
	{ "splice", ON_FD, READS }, { "tee", ON_FD, READS },
	{ "pwrite64", ON_FD, WRITES }, { "pwritev", ON_FD, WRITES }, { "pwritev2", ON_FD, WRITES }, { "sendfile", ON_FD, WRITES },
	{ "sendmsg", ON_FD, WRITES }, { "sendto", ON_FD, WRITES }, { "vmsplice", ON_FD, WRITES }, { "writev", ON_FD, WRITES },
	{ "write", ON_FD, WRITES },
};

static const struct known_call *known_call(const char *name)
{
	for (size_t i = 0; i < sizeof known_calls / sizeof known_calls[0]; i++)
		if (!strcmp(known_calls[i].name, name))
			return &known_calls[i];
	return NULL;
}

/* -------- a line */

/* Text in the recording, not terminated. */
struct part {
	const char *at;
	size_t len;
};

enum line_kind {
	LINE_CALL,		/* from entry to return */
	LINE_ENTRY,		/* "<unfinished ...>" */
	LINE_RETURN,		/* "<... resumed>" */
	LINE_END,		/* of the thread */
	LINE_FRAME,		/* of a stack */
	LINE_OTHER,		/* signals, strace's own messages */
	LINE_WRONG,
};

struct line {
	enum line_kind kind;
	unsigned pid;
	struct part name, args, result;
};

static bool starts(struct part p, const char *with)
{
	return text_starts_within(p.at, p.len, with);
}

static bool contains(struct part p, const char *what)
{
	return memmem(p.at, p.len, what, strlen(what)) != NULL;
}

static struct part behind(struct part p, size_t n)
{
	return (struct part){ p.at + n, p.len - n };
}

static size_t blanks(struct part p)
{
	size_t n = 0;

	while (n < p.len && (p.at[n] == ' ' || p.at[n] == '\t'))
		n++;
	return n;
}

static bool take_number(struct part *p, double *out)
{
	size_t n = 0;
	double value = 0;

	while (n < p->len && text_is_digit(p->at[n]) && n < 15)
		value = value * 10 + (p->at[n++] - '0');
	if (!n)
		return false;
	*out = value;
	*p = behind(*p, n);
	return true;
}

/* Skips seconds such as "12.000345". They identify a line of strace; the value is unused. */
static bool skip_seconds(struct part *p)
{
	struct part rest = *p;
	double number;

	if (!take_number(&rest, &number) || !rest.len || rest.at[0] != '.')
		return false;
	rest = behind(rest, 1);
	if (!take_number(&rest, &number))
		return false;
	*p = rest;
	return true;
}

/* Returns the position after the string, file or comment that begins at AT; AT + 1 if none does. */
static size_t skip(struct part p, size_t at)
{
	size_t i = at + 1;

	if (p.at[at] == '"') {
		while (i < p.len && p.at[i] != '"')
			i += p.at[i] == '\\' ? 2 : 1;
		return i + 1;
	}
	/* "3</path>", "AT_FDCWD</path>"; not "1<<CAP_KILL". */
	if (p.at[at] == '<' && i < p.len && p.at[i] == '<')
		return i + 1;
	if (p.at[at] == '<' && at && (text_is_digit(p.at[at - 1]) || p.at[at - 1] == 'D')) {
		const char *close = memchr(p.at + i, '>', p.len - i);

		return close ? (size_t)(close - p.at) + 1 : i;
	}
	return i;
}

/* Returns the position of the call's ")" before "= RESULT"; p.len if missing. */
static size_t find_result(struct part p, struct part *result)
{
	int depth = 0;

	for (size_t i = 0; i < p.len; i = skip(p, i)) {
		if (p.at[i] == '(') {
			depth++;
		} else if (p.at[i] == ')' && depth-- <= 0) {
			struct part rest = behind(p, i + 1);

			rest = behind(rest, blanks(rest));
			if (starts(rest, "= ")) {
				*result = behind(rest, 2);
				return i;
			}
			depth = 0;
		}
	}
	return p.len;
}

static bool take_name(struct part *p, struct part *name)
{
	size_t n = 0;

	while (n < p->len && ((p->at[n] >= 'a' && p->at[n] <= 'z') || (p->at[n] >= 'A' && p->at[n] <= 'Z') || p->at[n] == '_' ||
			      text_is_digit(p->at[n]) || p->at[n] == '?'))
		n++;
	if (!n || n > 64)
		return false;
	*name = (struct part){ p->at, n };
	*p = behind(*p, n);
	return true;
}

static void parse_call(struct part p, struct line *out)
{
	size_t end;

	out->kind = LINE_WRONG;
	if (starts(p, "<... ")) {
		p = behind(p, 5);
		if (!take_name(&p, &out->name) || !starts(p, " resumed>"))
			return;
		p = behind(p, 9);
		out->kind = LINE_RETURN;
	} else {
		if (!take_name(&p, &out->name) || !starts(p, "("))
			return;
		p = behind(p, 1);
		out->kind = LINE_CALL;
	}
	out->args = p;
	out->result = (struct part){ p.at, 0 };
	end = find_result(p, &out->result);
	if (end < p.len) {
		out->args.len = end;
	} else if (out->kind == LINE_CALL && (contains(p, "<unfinished ...>") || contains(p, "<detached ...>"))) {
		out->kind = LINE_ENTRY;
	} else if (out->kind == LINE_CALL || !contains(p, "<detached ...>")) {
		out->kind = LINE_WRONG;
	}
}

static void parse_line(struct part p, struct line *out)
{
	double pid = 0;
	struct part rest = p;

	*out = (struct line){ .kind = LINE_OTHER };
	/* strace writes no NUL. */
	if (memchr(p.at, '\0', p.len)) {
		out->kind = LINE_WRONG;
		return;
	}
	if (starts(p, " > ")) {
		out->kind = LINE_FRAME;
		out->args = behind(p, 3);
		return;
	}
	if (!p.len || starts(p, "strace: "))
		return;
	if (starts(rest, "[pid"))
		rest = behind(rest, 4);
	rest = behind(rest, blanks(rest));
	out->kind = LINE_WRONG;
	/* With a single process, lines have no process number. */
	if (!skip_seconds(&rest)) {
		if (!take_number(&rest, &pid) || pid > 4294967295.0)
			return;
		out->pid = (unsigned)pid;
		if (starts(rest, "]"))
			rest = behind(rest, 1);
		rest = behind(rest, blanks(rest));
		if (!skip_seconds(&rest))
			return;
	}
	rest = behind(rest, blanks(rest));
	if (starts(rest, "+++ "))
		out->kind = LINE_END;
	else if (starts(rest, "--- "))
		out->kind = LINE_OTHER;
	else
		parse_call(rest, out);
}

/* -------- parts of a call */

/* Appends strace's text with its escapes undone. Escapes for NUL and by letter, such as \n, are kept. */
static void unescape(struct part p, struct strbuf *out)
{
	for (size_t i = 0; i < p.len;) {
		unsigned value = 0;
		size_t n = 0;

		if (p.at[i] != '\\' || i + 1 == p.len) {
			strbuf_addc(out, p.at[i++]);
			continue;
		}
		while (n < 3 && i + 1 + n < p.len && p.at[i + 1 + n] >= '0' && p.at[i + 1 + n] <= '7')
			value = value * 8 + (unsigned)(p.at[i + 1 + n++] - '0');
		if (n && value && value < 256) {
			strbuf_addc(out, (char)value);
			i += 1 + n;
		} else if (p.at[i + 1] == '"' || p.at[i + 1] == '\\') {
			strbuf_addc(out, p.at[i + 1]);
			i += 2;
		} else {
			strbuf_addc(out, p.at[i++]);
		}
	}
}

/* Returns the text of the first non-empty string in P. */
static struct part first_string(struct part p)
{
	for (size_t i = 0, next; i < p.len; i = next) {
		next = skip(p, i);
		if (p.at[i] == '"' && next <= p.len && next - i > 2)
			return (struct part){ p.at + i + 1, next - i - 2 };
	}
	return (struct part){ p.at, 0 };
}

/* Returns the file of the descriptor at the start of P, the text in "<>"; empty if missing. */
static struct part first_file(struct part p)
{
	const char *open = memchr(p.at, '<', p.len), *close;

	for (const char *c = p.at; open && c < open; c++)
		if (*c == ',' || *c == '"' || *c == '(')
			open = NULL;
	close = open ? memchr(open, '>', (size_t)(p.at + p.len - open)) : NULL;
	return close ? (struct part){ open + 1, (size_t)(close - open - 1) } : (struct part){ p.at, 0 };
}

/* Appends "pipe", "socket", "eventfd" or a path; nothing if unknown. */
static void name_file(struct part file, struct strbuf *out)
{
	if (starts(file, "pipe:["))
		strbuf_adds(out, "pipe");
	else if (file.len && file.at[0] != '/' && starts(file, "anon_inode:"))
		unescape(behind(file, 11), out);
	else if (file.len && file.at[0] != '/')
		strbuf_adds(out, "socket");	/* "socket:[8]"; with -yy "TCP:[...]", "UNIX-STREAM:[...]" */
	else
		unescape(file, out);
}

static void name_path(struct part args, struct part result, struct strbuf *out)
{
	struct part file = first_file(result), path = first_string(args), folder = first_file(args);

	if (file.len) {
		unescape(file, out);
		return;
	}
	if ((!path.len || path.at[0] != '/') && folder.len && folder.at[0] == '/') {
		unescape(folder, out);
		if (path.len)
			strbuf_addc(out, '/');
	}
	unescape(path, out);
}

/* -------- all calls */

struct thread {
	bool at_call;
	struct part name, args;		/* at entry */
	uint32_t parent;		/* thread that started it; its own number: unknown */
	uint32_t exec;			/* last program that it, or else its parent, executed */
	bool executed;			/* it executed one itself */
	uint32_t folder;		/* working folder, one of `words`; UINT32_MAX: unknown */
};

struct reader {
	struct system_calls *out;
	struct stacks words;		/* names and paths, by number */
	struct pair_index by_name, by_pid, by_item_and_file, by_path, by_open;
	uint32_t forker;		/* last thread that started another */
	const struct known_call **known;	/* by item */
	size_t n_known, cap_known;
	double *per_file;		/* calls of each item on each file */
	size_t n_per_file, cap_per_file;
	struct thread *threads;		/* one per process number, in order of appearance */
	size_t n_threads, cap_threads;
	struct strbuf path;
	/* For strace_read_stacks(): the call that the next frames belong to. */
	struct stacks *stacks;
	uint32_t frames[FRAMES_MOST];
	size_t n_frames;
	uint32_t event;
	bool has_call;
	/* For strace_read_accesses(). */
	struct accesses *accesses;
	const char *cwd;		/* folder that the first thread starts in */
	bool moved, ambiguous;		/* a folder was changed; a new thread may have one of two parents */
};

static void reader_release(struct reader *r)
{
	stacks_release(&r->words);
	pair_index_release(&r->by_name);
	pair_index_release(&r->by_pid);
	pair_index_release(&r->by_item_and_file);
	pair_index_release(&r->by_path);
	pair_index_release(&r->by_open);
	free(r->known);
	free(r->per_file);
	free(r->threads);
	strbuf_release(&r->path);
}

static struct thread *thread_of(struct reader *r, unsigned pid)
{
	uint32_t number = pair_index_of(&r->by_pid, pid, 0);

	if (number == r->n_threads) {
		VEC_GROW(r->threads, r->n_threads, r->cap_threads);
		r->threads[r->n_threads++] = (struct thread){
			.parent = number, .exec = number ? r->threads[r->forker].exec : TRACED_NO_EXEC,
			.folder = number ? r->threads[r->forker].folder : r->cwd ? stacks_string(&r->words, r->cwd, strlen(r->cwd)) : UINT32_MAX,
		};
	}
	return &r->threads[number];
}

static uint32_t item_of(struct reader *r, struct part name)
{
	uint32_t number = pair_index_of(&r->by_name, stacks_string(&r->words, name.at, name.len), 0);
	struct system_calls *out = r->out;

	if (number == out->n) {
		ARENA_ADD(&out->arena, out->items, out->n, out->cap)->name = arena_strndup(&out->arena, name.at, name.len);
		*VEC_ADD(r->known, r->n_known, r->cap_known) = known_call(out->items[number].name);
	}
	return number;
}

static struct traced_file *file_of(struct reader *r, const char *path)
{
	struct system_calls *out = r->out;
	uint32_t string = stacks_string(&r->words, path, strlen(path)), number;

	if (out->n_files == FILES_MOST)
		return NULL;
	number = pair_index_of(&r->by_path, string, 0);
	if (number == out->n_files)
		ARENA_ADD(&out->arena, out->files, out->n_files, out->cap_files)->path = arena_strdup(&out->arena, path);
	return &out->files[number];
}

/* Stores the call's file in r->path, and counts the call on it. */
static void note_subject(struct reader *r, uint32_t item, struct part args, struct part result)
{
	const struct known_call *known = r->known[item];
	uint32_t number;

	strbuf_reset(&r->path);
	if (!known)
		return;
	if (known->on == ON_FD)
		name_file(first_file(args), &r->path);
	else
		name_path(args, result, &r->path);
	if (!r->path.len)
		return;
	number = pair_index_of(&r->by_item_and_file, item, stacks_string(&r->words, r->path.buf, r->path.len));
	if (number == r->n_per_file)
		*VEC_ADD(r->per_file, r->n_per_file, r->cap_per_file) = 0;
	r->per_file[number]++;
}

static bool is_library(const char *path)
{
	const char *so = strstr(path_name(path), ".so");

	/* Not "ld.so.cache". */
	return so && (!so[3] || so[3] == '.') && !text_starts(path_name(path), "ld.so.");
}

/* Records a file opened for reading. Files that are created or only written are ignored. */
static void note_open(struct reader *r, const struct thread *thread, struct part args)
{
	struct system_calls *out = r->out;

	if (out->n_opens == OPENS_MOST || contains(args, "O_WRONLY") || contains(args, "O_CREAT") || contains(args, "O_DIRECTORY"))
		return;
	if (pair_index_of(&r->by_open, stacks_string(&r->words, r->path.buf, r->path.len), thread->exec) < out->n_opens)
		return;
	ARENA_GROW(&out->arena, out->opens, out->n_opens, out->cap_opens);
	out->opens[out->n_opens++] = (struct traced_open){ arena_strdup(&out->arena, r->path.buf), thread->exec };
}

static void note_file(struct reader *r, const char *name, enum transfer transfer, double bytes, struct part entry,
		      struct part args)
{
	bool opened = text_starts(name, "open") || !strcmp(name, "creat");
	bool looked = !strcmp(name, "fstat") || !strcmp(name, "newfstatat");
	const char *said;
	struct traced_file *file;
	struct part size;
	double n;

	if (r->path.buf[0] != '/' || !(opened || looked || transfer))
		return;
	if (opened && is_library(r->path.buf) && r->out->libraries.n < NAMED_MOST)
		arena_push_new(&r->out->arena, &r->out->libraries, r->path.buf);
	/* Only the size of an open file counts. A folder's entry, say, is not read. */
	said = looked ? memmem(args.at, args.len, "st_size=", 8) : NULL;
	if (looked && (!said || !contains(args, "S_IFREG") || first_string(entry).len))
		return;
	file = file_of(r, r->path.buf);
	if (!file)
		return;
	file->opens += opened;
	if (transfer == READS)
		file->read_bytes += bytes;
	else if (transfer == WRITES)
		file->written_bytes += bytes;
	size = said ? (struct part){ said + 8, (size_t)(args.at + args.len - said - 8) } : (struct part){ 0 };
	if (said && take_number(&size, &n))
		file->size_bytes = fmax(file->size_bytes, n);
}

static void note_exec(struct reader *r, unsigned pid)
{
	struct system_calls *out = r->out;
	struct thread *thread;
	size_t program = 0;

	if (out->programs.n == NAMED_MOST || !r->path.len || out->n_execs == PROCESSES_MOST)
		return;
	arena_push_new(&out->arena, &out->programs, r->path.buf);
	while (strcmp(out->programs.items[program], r->path.buf) != 0)
		program++;
	ARENA_GROW(&out->arena, out->execs, out->n_execs, out->cap_execs);
	thread = thread_of(r, pid);
	thread->exec = (uint32_t)out->n_execs;
	thread->executed = true;
	out->execs[out->n_execs++] = (struct traced_exec){
		out->programs.items[program],
		thread->folder == UINT32_MAX ? NULL : arena_strdup(&out->arena, stacks_text(&r->words, thread->folder)),
		(uint32_t)(thread - r->threads),
	};
}

/* Tracks a thread's working folder. strace shows it with each relative path, and after chdir(). */
static void note_folder(struct reader *r, const char *name, struct part args, struct part result, struct thread *thread)
{
	CLEANUP(strbuf_release) struct strbuf folder = STRBUF_INIT, to = STRBUF_INIT;
	bool moves = !strcmp(name, "chdir"), by_fd = !strcmp(name, "fchdir");

	if (starts(args, "AT_FDCWD<") || by_fd)
		unescape(first_file(args), &folder);
	else if (moves)
		name_path(args, (struct part){ result.at, 0 }, &to);
	if (to.len && to.buf[0] != '/' && thread->folder != UINT32_MAX)
		strbuf_addf(&folder, "%s/%s", stacks_text(&r->words, thread->folder), to.buf);
	else if (to.len && to.buf[0] == '/')
		strbuf_adds(&folder, to.buf);
	r->moved |= moves || by_fd;
	if (folder.len && folder.buf[0] == '/')
		thread->folder = stacks_string(&r->words, folder.buf, folder.len);
	else if (moves || by_fd)
		thread->folder = UINT32_MAX;
}

static void note_start(struct reader *r, const char *name, struct part entry, const struct line *line)
{
	bool forks = TEXT_IS(name, "clone*", "fork", "vfork");
	struct part result = line->result;
	double child;

	if (!strcmp(name, "execve") || !strcmp(name, "execveat")) {
		note_exec(r, line->pid);
	} else if (forks) {
		uint32_t parent = (uint32_t)(thread_of(r, line->pid) - r->threads);

		r->out->threads++;
		r->out->processes += !contains(entry, "CLONE_THREAD") && !contains(line->args, "CLONE_THREAD");
		if (take_number(&result, &child) && child <= UINT32_MAX) {
			struct thread *thread = thread_of(r, (unsigned)child);

			thread->parent = parent;
			thread->exec = thread->executed ? thread->exec : r->threads[parent].exec;
		}
	}
}

/* -------- files that it depended on */

/* Returns the end of the argument that begins at AT: the comma behind it, or the end of P. */
static size_t argument_end(struct part p, size_t at)
{
	int depth = 0;

	for (; at < p.len; at = skip(p, at)) {
		if (strchr("([{", p.at[at]))
			depth++;
		else if (strchr(")]}", p.at[at]))
			depth--;
		else if (p.at[at] == ',' && depth <= 0)
			break;
	}
	return at < p.len ? at : p.len;
}

/*
 * Returns path number N (0 or 1) among ARGS, absolute, for free(); NULL: none. A folder's descriptor precedes a relative
 * path; without one it is relative to the thread's folder.
 */
static char *path_argument(struct reader *r, const struct thread *thread, struct part args, unsigned n)
{
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;
	struct part folder = { args.at, 0 };

	for (size_t at = 0, end; at < args.len; at = end + 1) {
		struct part one = behind(args, at);

		end = argument_end(args, at);
		one.len = end - at;
		one = behind(one, blanks(one));
		if (!starts(one, "\"")) {
			folder = first_file(one);
			continue;
		}
		if (n-- == 0) {
			/* An empty path is the open file itself. */
			if (one.len <= 2)
				return NULL;
			if (one.at[1] != '/' && folder.len)
				unescape(folder, &path);
			else if (one.at[1] != '/' && thread->folder != UINT32_MAX && !(r->moved && r->ambiguous))
				strbuf_adds(&path, stacks_text(&r->words, thread->folder));
			else if (one.at[1] != '/')
				accesses_doubt(r->accesses, "a relative path in an unknown folder");
			if (one.at[1] != '/')
				strbuf_addc(&path, '/');
			unescape((struct part){ one.at + 1, one.len - 1 - (one.at[one.len - 1] == '"') }, &path);
			return strbuf_take(&path);
		}
		folder.len = 0;
	}
	return NULL;
}

/* ENTRY and REST are the call's arguments, cut if it returned in a line of its own. */
static void note_access(struct reader *r, const char *name, const struct thread *thread, struct part entry, struct part rest,
			struct part result)
{
	CLEANUP(strbuf_release) struct strbuf args = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = NULL, *other = NULL, *error = NULL;
	bool on_fd = !strcmp(name, "getdents") || !strcmp(name, "getdents64"), maps = text_starts(name, "mmap");
	const char *end;

	strbuf_add(&args, entry.at, entry.len);
	if (rest.at != entry.at)
		strbuf_add(&args, rest.at, rest.len);
	if (on_fd || maps) {
		CLEANUP(strbuf_release) struct strbuf file = STRBUF_INIT;
		const char *of = maps ? strstr(args.buf, "</") : args.buf;

		unescape(of ? first_file((struct part){ of, strlen(of) }) : (struct part){ args.buf, 0 }, &file);
		path = file.len ? strbuf_take(&file) : NULL;
	} else {
		path = path_argument(r, thread, (struct part){ args.buf, args.len }, 0);
		other = TEXT_IS(name, "rename*", "link*", "symlink*") ? path_argument(r, thread, (struct part){ args.buf, args.len }, 1) : NULL;
	}
	if (starts(result, "-1 ")) {
		result = behind(result, 3);
		end = memchr(result.at, ' ', result.len);
		error = xstrndup(result.at, end ? (size_t)(end - result.at) : result.len);
	}
	accesses_add(r->accesses, &(struct access_call){ name, path, other, args.buf, error });
}

/* Returns the call that the kernel resumes after a signal: "<... resuming interrupted poll ...>". */
static struct part resumed_name(struct part args)
{
	const char *at = memmem(args.at, args.len, "interrupted ", 12);
	struct part rest = args, name = { args.at, 0 };

	if (at) {
		rest = (struct part){ at + 12, (size_t)(args.at + args.len - at - 12) };
		take_name(&rest, &name);
	}
	return name;
}

/* ENTRY is empty if the line has the complete call. */
static void note_call(struct reader *r, struct part name, struct part entry, const struct line *line)
{
	struct part args = entry.len ? entry : line->args, result = line->result, number = result;
	bool failed = starts(result, "-1 "), again = contains(result, "ERESTARTSYS") || contains(result, "ERESTARTNOINTR");
	struct part resumed = starts(name, "restart_syscall") ? resumed_name(args) : (struct part){ args.at, 0 };
	uint32_t item = item_of(r, resumed.len ? resumed : name);
	const struct known_call *known = r->known[item];
	struct system_call *call;
	double bytes = 0;

	note_subject(r, item, args, result);
	if (known && known->bytes && !take_number(&number, &bytes))
		bytes = 0;
	r->event = item;
	r->has_call = true;
	call = &r->out->items[item];
	/* A call that the kernel restarts by itself counts once. */
	if (!again && !resumed.len)
		call->calls++;
	call->errors += failed;
	call->bytes += bytes;
	if (r->accesses && !starts(result, "?"))
		note_access(r, call->name, thread_of(r, line->pid), args, line->args, result);
	if (failed && contains(result, "ENOEXEC") && r->path.len)
		arena_push_new(&r->out->arena, &r->out->unformatted, r->path.buf);
	if (failed)
		return;
	note_folder(r, call->name, args, result, thread_of(r, line->pid));
	if (r->path.buf[0] == '/' && text_starts(call->name, "open"))
		note_open(r, thread_of(r, line->pid), args);
	note_file(r, call->name, known ? (enum transfer)known->bytes : NO_BYTES, bytes, args, line->args);
	if (!starts(result, "?"))
		note_start(r, call->name, entry, line);
}

/* -------- frames */

/* Parses "/usr/lib/libc.so.6(read+0xd) [0xf82ad]", "/bin/x() [0x7]". */
static void note_frame(struct reader *r, struct part p)
{
	const char *open, *plus, *close = memrchr(p.at, '[', p.len);
	struct part path, name;

	if (!r->stacks || !r->has_call || r->n_frames == FRAMES_MOST)
		return;
	if (close)
		p.len = (size_t)(close - p.at);
	while (p.len && p.at[p.len - 1] == ' ')
		p.len--;
	open = memchr(p.at, '(', p.len);
	if (open && starts((struct part){ open, (size_t)(p.at + p.len - open) }, "(deleted)"))
		open = memchr(open + 1, '(', (size_t)(p.at + p.len - open - 1));
	if (!open || p.at[p.len - 1] != ')')
		return;
	path = (struct part){ p.at, (size_t)(open - p.at) };
	name = (struct part){ open + 1, (size_t)(p.at + p.len - open - 2) };
	plus = name.len ? memrchr(name.at, '+', name.len) : NULL;
	if (plus && starts((struct part){ plus, (size_t)(name.at + name.len - plus) }, "+0x"))
		name.len = (size_t)(plus - name.at);
	if (!name.len)
		name = (struct part){ "[unknown]", 9 };
	r->frames[r->n_frames++] = stacks_frame(r->stacks, stacks_string(r->stacks, name.at, name.len),
						stacks_string(r->stacks, path.at, path.len));
}

/* Adds the current call, whose frames are complete, to the stacks. */
static void end_call(struct reader *r)
{
	uint32_t frames[FRAMES_MOST];
	size_t n = r->n_frames;

	if (r->stacks && r->has_call && n) {
		const char *name = r->out->items[r->event].name;

		for (size_t i = 0; i < n; i++)
			frames[i] = r->frames[n - 1 - i];
		stacks_add(r->stacks, (struct stack_sample){ stacks_event(r->stacks, name, strlen(name)), 0, frames, n, 1, 1 });
	}
	r->n_frames = 0;
	r->has_call = false;
}

/* -------- all lines */

static void take_return(struct reader *r, const struct line *line)
{
	struct thread *thread = thread_of(r, line->pid);
	bool known = thread->at_call && thread->name.len == line->name.len && !memcmp(thread->name.at, line->name.at, line->name.len);

	thread->at_call = false;
	note_call(r, line->name, known ? thread->args : (struct part){ line->args.at, 0 }, line);
}

/* Counts a call that did not return. */
static void note_no_return(struct reader *r, struct part name)
{
	uint32_t item = item_of(r, name);

	r->out->items[item].calls++;
}

static void take_end(struct reader *r, const struct line *line)
{
	struct thread *thread = thread_of(r, line->pid);

	if (thread->at_call)
		note_no_return(r, thread->name);
	thread->at_call = false;
}

/* Remembers the forking thread. Lines of the new process may come before the call returns its number. */
static void note_fork(struct reader *r, const struct line *line)
{
	const struct thread *thread = thread_of(r, line->pid), *last = &r->threads[r->forker];

	if (!starts(line->name, "clone") && !starts(line->name, "fork") && !starts(line->name, "vfork"))
		return;
	r->ambiguous |= last != thread && last->at_call && (starts(last->name, "clone") || starts(last->name, "fork") || starts(last->name, "vfork"));
	/* Threads share their folder. */
	r->ambiguous |= contains(line->args, "CLONE_FS");
	r->forker = (uint32_t)(thread - r->threads);
}

static void take_line(struct reader *r, const struct line *line)
{
	if (line->kind == LINE_FRAME) {
		note_frame(r, line->args);
		return;
	}
	end_call(r);
	if (line->kind == LINE_END) {
		take_end(r, line);
	} else if (line->kind == LINE_ENTRY) {
		struct thread *thread = thread_of(r, line->pid);

		thread->at_call = true;
		thread->name = line->name;
		thread->args = line->args;
		note_fork(r, line);
	} else if (line->kind == LINE_RETURN) {
		take_return(r, line);
	} else if (line->kind == LINE_CALL) {
		note_fork(r, line);
		note_call(r, line->name, (struct part){ line->args.at, 0 }, line);
	}
}

static int read_lines(struct reader *r, const char *text, size_t len, struct error *err)
{
	unsigned number = 0;
	bool any = false;

	for (const char *p = text, *end = text + len, *eol; p < end; p = eol + 1) {
		struct line line;

		number++;
		eol = memchr(p, '\n', (size_t)(end - p));
		/* If strace was stopped, the last line may be incomplete. */
		if (!eol)
			break;
		parse_line((struct part){ p, (size_t)(eol - p) }, &line);
		if (line.kind == LINE_WRONG)
			return error_set(err, ERR_INPUT, "line %u is not of `strace -f -ttt -y`", number);
		any = any || line.kind <= LINE_END;
		take_line(r, &line);
	}
	end_call(r);
	if (!any)
		return error_set(err, ERR_INPUT, "it has no line of `strace -f -ttt -y`");
	for (size_t i = 0; i < r->n_threads; i++)
		if (r->threads[i].at_call)
			note_no_return(r, r->threads[i].name);
	return 0;
}

/* Sets each item's file: the one that at least half of its calls are on. */
static void name_files(struct reader *r)
{
	for (size_t i = 0; i < r->n_per_file; i++) {
		struct system_call *call = &r->out->items[r->by_item_and_file.items[i].a];

		if (!call->file && r->per_file[i] * 2 >= call->calls)
			call->file = arena_strdup(&r->out->arena, stacks_text(&r->words, r->by_item_and_file.items[i].b));
	}
}

static void keep_parents(struct reader *r)
{
	struct system_calls *out = r->out;

	out->n_parents = r->n_threads < PROCESSES_MOST ? r->n_threads : PROCESSES_MOST;
	out->parents = arena_alloc(&out->arena, (out->n_parents + 1) * sizeof *out->parents);
	for (size_t i = 0; i < out->n_parents; i++)
		out->parents[i] = r->threads[i].parent;
}

static int by_calls(const void *a, const void *b)
{
	const struct system_call *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* STACKS may be NULL. */
static int read_all(const char *text, size_t len, struct stacks *stacks, struct system_calls *out, struct error *err)
{
	CLEANUP(reader_release) struct reader r = { .out = out, .stacks = stacks, .path = STRBUF_INIT };

	out->processes = out->threads = 1;
	if (read_lines(&r, text, len, err) < 0)
		return -1;
	name_files(&r);
	keep_parents(&r);
	if (out->n)
		qsort(out->items, out->n, sizeof *out->items, by_calls);
	return 0;
}

int strace_read(const char *text, size_t len, struct system_calls *out, struct error *err)
{
	struct system_calls calls = { 0 };

	if (read_all(text, len, NULL, &calls, err) < 0) {
		system_calls_release(&calls);
		return -1;
	}
	*out = calls;
	return 0;
}

int strace_read_stacks(const char *text, size_t len, struct stacks *stacks, struct error *err)
{
	CLEANUP(system_calls_release) struct system_calls calls = { 0 };

	/* Check the text first: a refused one must leave STACKS unchanged. */
	if (read_all(text, len, NULL, &calls, err) < 0)
		return -1;
	system_calls_release(&calls);
	return read_all(text, len, stacks, &calls, err);
}

int strace_read_accesses(const char *text, size_t len, const char *cwd, struct accesses *out, struct error *err)
{
	CLEANUP(system_calls_release) struct system_calls calls = { 0 };
	CLEANUP(reader_release) struct reader r = { .out = &calls, .path = STRBUF_INIT, .accesses = out, .cwd = cwd };

	return read_lines(&r, text, len, err);
}
