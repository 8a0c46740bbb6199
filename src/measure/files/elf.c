#include "measure/files/elf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"

#define DEBUG_FOLDER "/usr/lib/debug"

/* A larger file takes seconds. */
enum { FILE_LARGEST = 512 << 20 };
enum { COMPILERS_MOST = 32, COMPILER_LONGEST = 4096, DEPTH_MOST = 200 };
enum { ENTRIES_MOST = 1 << 24, SCOPES_MOST = 1 << 20, STEPS_MOST = 1 << 15 };

/* -------- files */

/* An open file; { -1 } is empty. */
struct file {
	int fd;
	Elf *elf;
	Dwarf *dwarf;
};

static void file_close(struct file *file)
{
	if (file->dwarf)
		dwarf_end(file->dwarf);
	if (file->elf)
		elf_end(file->elf);
	close_fd(&file->fd);
	*file = (struct file){ .fd = -1 };
}

static bool open_any(const char *path, struct file *out)
{
	struct stat st;

	*out = (struct file){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) };
	elf_version(EV_CURRENT);
	if (out->fd >= 0 && fstat(out->fd, &st) == 0 && S_ISREG(st.st_mode))
		out->elf = elf_begin(out->fd, ELF_C_READ_MMAP, NULL);
	if (!out->elf)
		file_close(out);
	return out->elf;
}

static bool file_open(const char *path, struct file *out)
{
	if (open_any(path, out) && elf_kind(out->elf) != ELF_K_ELF)
		file_close(out);
	return out->elf;
}

static bool same_build_id(Elf *a, Elf *b)
{
	const void *x, *y;
	ssize_t n = dwelf_elf_gnu_build_id(a, &x);

	return n > 0 && dwelf_elf_gnu_build_id(b, &y) == n && !memcmp(x, y, (size_t)n);
}

static bool open_dwarf(struct file *file)
{
	struct stat st;

	if (fstat(file->fd, &st) == 0 && st.st_size <= FILE_LARGEST)
		file->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	return file->dwarf;
}

/* Opens the file at PATH, which it frees, in place of PROGRAM if it has PROGRAM's debug information. */
static bool open_separate(struct file *program, char *path)
{
	CLEANUP(free_ptr) char *owned = path;
	struct file file;

	if (!file_open(owned, &file))
		return false;
	if (!same_build_id(program->elf, file.elf) || !open_dwarf(&file)) {
		file_close(&file);
		return false;
	}
	file_close(program);
	*program = file;
	return true;
}

static void add_hex(const unsigned char *bytes, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, "%02x", bytes[i]);
}

static bool open_debug(const char *path, struct file *out)
{
	CLEANUP(strbuf_release) struct strbuf id = STRBUF_INIT;
	CLEANUP(free_ptr) char *folder = path_parent(path);
	const char *name;
	const void *bytes;
	ssize_t n;
	GElf_Word crc;

	if (!file_open(path, out))
		return false;
	if (open_dwarf(out))
		return true;
	n = dwelf_elf_gnu_build_id(out->elf, &bytes);
	add_hex(bytes, n > 0 ? (size_t)n : 0, &id);
	name = dwelf_elf_gnu_debuglink(out->elf, &crc);
	if (id.len > 2 && open_separate(out, text_printf(DEBUG_FOLDER "/.build-id/%.2s/%s.debug", id.buf, id.buf + 2)))
		return true;
	if (name && !strchr(name, '/') &&
	    (open_separate(out, file_join(folder, name)) || open_separate(out, text_printf("%s/.debug/%s", folder, name)) ||
	     open_separate(out, text_printf(DEBUG_FOLDER "%s/%s", folder, name))))
		return true;
	file_close(out);
	return false;
}

char *elf_identity(const char *path)
{
	CLEANUP(file_close) struct file file;
	CLEANUP(strbuf_release) struct strbuf id = STRBUF_INIT;
	const char *bytes;
	const void *note;
	size_t len = 0;
	ssize_t n;

	if (!open_any(path, &file))
		return NULL;
	n = elf_kind(file.elf) == ELF_K_ELF ? dwelf_elf_gnu_build_id(file.elf, &note) : 0;
	if (n > 0) {
		strbuf_adds(&id, "build-id:");
		add_hex(note, (size_t)n, &id);
		return strbuf_take(&id);
	}
	bytes = elf_rawfile(file.elf, &len);
	if (!bytes || !len)
		return NULL;
	strbuf_addf(&id, "fnv1a:%016" PRIx64, fnv_bytes(FNV_START, bytes, len));
	return strbuf_take(&id);
}

/* -------- equal code */

/* Shortest abbreviation of a commit, and length of a whole one. */
enum { COMMIT_SHORTEST = 7, COMMIT_WHOLE = 40 };

static bool is_hex(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'f');
}

static size_t commit_at(const char *at, size_t n, const char *commit)
{
	size_t len = 0;

	while (commit && len < n && len < COMMIT_WHOLE && commit[len] && at[len] == commit[len])
		len++;
	return len;
}

/* True if the bytes are equal except for commits, each side's own. */
static bool same_bytes(const char *a, const char *b, size_t n, const char *const commits[2])
{
	for (size_t i = 0, from, len; i < n; i++) {
		if (a[i] == b[i])
			continue;
		for (from = i; from && i - from < COMMIT_WHOLE && is_hex(a[from - 1]) && a[from - 1] == b[from - 1]; from--)
			;
		/* Digits before it may be hexadecimal by chance, so only a whole commit counts. */
		len = commit_at(a + from, n - from, commits[0]);
		if (from + len <= i || len < COMMIT_SHORTEST || commit_at(b + from, n - from, commits[1]) != len ||
		    (from + len < n && (is_hex(a[from + len]) || is_hex(b[from + len]))))
			return false;
		i = from + len - 1;
	}
	return true;
}

static bool same_data(Elf_Scn *a, Elf_Scn *b, const char *const commits[2])
{
	const Elf_Data *x = elf_rawdata(a, NULL), *y = elf_rawdata(b, NULL);

	return x && y && x->d_size == y->d_size &&
	       (!x->d_size || (x->d_buf && y->d_buf && same_bytes(x->d_buf, y->d_buf, x->d_size, commits)));
}

static bool same_section(Elf *a, Elf *b, size_t i, const size_t names[2], const char *const commits[2])
{
	Elf_Scn *of_a = elf_getscn(a, i), *of_b = elf_getscn(b, i);
	static const char *const nothing[2] = { NULL, NULL };
	GElf_Shdr x, y;
	const char *name;

	if (!gelf_getshdr(of_a, &x) || !gelf_getshdr(of_b, &y) || ((x.sh_flags ^ y.sh_flags) & SHF_ALLOC))
		return false;
	if (!(x.sh_flags & SHF_ALLOC))
		return true;
	name = elf_strptr(a, names[0], x.sh_name);
	if (!name || !text_same(name, elf_strptr(b, names[1], y.sh_name)) || x.sh_type != y.sh_type || x.sh_flags != y.sh_flags ||
	    x.sh_addr != y.sh_addr || x.sh_size != y.sh_size || x.sh_addralign != y.sh_addralign)
		return false;
	return x.sh_type == SHT_NOBITS || !strcmp(name, ".note.gnu.build-id") ||
	       same_data(of_a, of_b, x.sh_flags & SHF_EXECINSTR ? nothing : commits);
}

static bool same_segments(Elf *a, Elf *b)
{
	size_t n, of_b;

	if (elf_getphdrnum(a, &n) < 0 || elf_getphdrnum(b, &of_b) < 0 || n != of_b)
		return false;
	for (int i = 0; i < (int)n; i++) {
		GElf_Phdr x, y;

		if (!gelf_getphdr(a, i, &x) || !gelf_getphdr(b, i, &y) || memcmp(&x, &y, sizeof x) != 0)
			return false;
	}
	return true;
}

bool elf_same_code(const char *a_path, const char *b_path, const char *const commits[2])
{
	CLEANUP(file_close) struct file a = { .fd = -1 }, b = { .fd = -1 };
	size_t n, of_b, names[2];
	GElf_Ehdr x, y;

	if (!file_open(a_path, &a) || !file_open(b_path, &b) || !gelf_getehdr(a.elf, &x) || !gelf_getehdr(b.elf, &y) ||
	    memcmp(x.e_ident, y.e_ident, EI_NIDENT) != 0 || x.e_type != y.e_type || x.e_machine != y.e_machine || x.e_entry != y.e_entry ||
	    x.e_flags != y.e_flags || (x.e_type != ET_EXEC && x.e_type != ET_DYN) || !same_segments(a.elf, b.elf))
		return false;
	if (elf_getshdrnum(a.elf, &n) < 0 || elf_getshdrnum(b.elf, &of_b) < 0 || n != of_b || n < 2 ||
	    elf_getshdrstrndx(a.elf, &names[0]) < 0 || elf_getshdrstrndx(b.elf, &names[1]) < 0)
		return false;
	for (size_t i = 1; i < n; i++)
		if (!same_section(a.elf, b.elf, i, names, commits))
			return false;
	return true;
}

/* Finds the segment, one of N, that names the program's loader. Static programs have none. */
static bool find_interpreter(Elf *elf, size_t n, GElf_Phdr *out)
{
	for (int i = 0; i < (int)n; i++)
		if (gelf_getphdr(elf, i, out) && out->p_type == PT_INTERP)
			return true;
	return false;
}

char *elf_interpreter(const char *path)
{
	CLEANUP(file_close) struct file file = { .fd = -1 };
	GElf_Phdr segment;
	size_t n, size;
	const char *raw;

	if (!file_open(path, &file) || elf_getphdrnum(file.elf, &n) < 0 || !(raw = elf_rawfile(file.elf, &size)) ||
	    !find_interpreter(file.elf, n, &segment) || segment.p_offset >= size || segment.p_filesz >= size - segment.p_offset)
		return NULL;
	return xstrndup(raw + segment.p_offset, segment.p_filesz);
}

static bool next_section(Elf *elf, Elf_Scn **section, GElf_Shdr *head)
{
	while ((*section = elf_nextscn(elf, *section)))
		if (gelf_getshdr(*section, head))
			return true;
	return false;
}

bool elf_read(const char *path, struct elf_file *out)
{
	CLEANUP(file_close) struct file file;
	Elf_Scn *section = NULL;
	GElf_Phdr segment;
	GElf_Shdr head;
	size_t n = 0, names;

	if (!file_open(path, &file))
		return false;
	*out = (struct elf_file){ .is_static = elf_getphdrnum(file.elf, &n) == 0 && n && !find_interpreter(file.elf, n, &segment) };
	while (elf_getshdrstrndx(file.elf, &names) == 0 && next_section(file.elf, &section, &head)) {
		const char *name = elf_strptr(file.elf, names, head.sh_name) ?: "";

		out->symbols |= head.sh_type == SHT_SYMTAB;
		out->lines |= !strcmp(name, ".debug_line") || !strcmp(name, ".zdebug_line");
		out->elsewhere |= !strcmp(name, ".gnu_debuglink");
		if (head.sh_flags & SHF_EXECINSTR)
			out->code_bytes += head.sh_size;
	}
	return true;
}

bool elf_add_sizes(const char *path, struct elf_sizes *out)
{
	CLEANUP(file_close) struct file file;
	Elf_Scn *section = NULL;
	GElf_Shdr head;
	struct stat st;

	if (!file_open(path, &file) || fstat(file.fd, &st) < 0)
		return false;
	out->file_bytes += (uint64_t)st.st_size;
	while (next_section(file.elf, &section, &head)) {
		if (!(head.sh_flags & SHF_ALLOC) || head.sh_type == SHT_NOBITS)
			continue;
		if ((head.sh_flags & SHF_EXECINSTR) || !(head.sh_flags & SHF_WRITE))
			out->text_bytes += head.sh_size;
		else
			out->data_bytes += head.sh_size;
	}
	return true;
}

/* -------- libraries */

enum { LIBRARIES_MOST = 256 };

/* FOLDERS is a run path: "$ORIGIN/../lib:/opt/lib". */
static void add_library(const char *name, const char *folders, const char *origin, struct strv *out)
{
	static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };

	for (size_t len; *folders; folders += len + (folders[len] == ':')) {
		CLEANUP(free_ptr) char *folder = NULL, *path = NULL, *real = NULL;
		size_t word = 0;

		len = strcspn(folders, ":");
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			word = text_starts(folders, words[i]) ? strlen(words[i]) : word;
		folder = xstrndup(folders + word, len - word);
		path = text_printf("%s%s/%s", word ? origin : "", folder, name);
		real = realpath(path, NULL);
		if (!real)
			continue;
		if (!strv_has(out, real) && out->n < LIBRARIES_MOST)
			strv_push(out, real);
		return;
	}
}

/* Reads the entries twice, because the run path may come after the names. */
static void add_needed(Elf *elf, Elf_Scn *section, const GElf_Shdr *head, const char *origin, struct strv *out)
{
	Elf_Data *data = elf_getdata(section, NULL);
	const char *folders = NULL;
	GElf_Dyn entry;

	if (!data)
		return;
	for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
		if (entry.d_tag == DT_RUNPATH || (entry.d_tag == DT_RPATH && !folders))
			folders = elf_strptr(elf, head->sh_link, entry.d_un.d_val);
	for (int i = 0; folders && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char *name = entry.d_tag == DT_NEEDED ? elf_strptr(elf, head->sh_link, entry.d_un.d_val) : NULL;

		if (name)
			add_library(name, folders, origin, out);
	}
}

void elf_libraries(const char *path, struct strv *out)
{
	size_t next = out->n;

	do {
		CLEANUP(free_ptr) char *real = realpath(path, NULL), *origin = real ? path_parent(real) : NULL;
		CLEANUP(file_close) struct file file;
		Elf_Scn *section = NULL;
		GElf_Shdr head;

		if (!real || !file_open(real, &file))
			file = (struct file){ .fd = -1 };
		while (file.elf && next_section(file.elf, &section, &head))
			if (head.sh_type == SHT_DYNAMIC)
				add_needed(file.elf, section, &head, origin, out);
		path = next < out->n ? out->items[next] : NULL;
		next++;
	} while (path);
}

/* A compilation unit; its functions may lie in a .dwo file. */
struct unit {
	struct file file;
	Dwarf_CU *next;
	Dwarf_Die whole;	/* has the line table */
	Dwarf_Die functions;
};

static bool next_unit(struct unit *u)
{
	Dwarf_Die split;
	uint8_t type;

	while (dwarf_get_units(u->file.dwarf, u->next, &u->next, NULL, &type, &u->whole, &split) == 0) {
		if (type != DW_UT_compile && type != DW_UT_partial && type != DW_UT_skeleton)
			continue;
		u->functions = type == DW_UT_skeleton && split.addr ? split : u->whole;
		return true;
	}
	return false;
}

void elf_compilers(const char *path, struct strv *out)
{
	struct unit u = { 0 };

	if (!open_debug(path, &u.file))
		return;
	while (out->n < COMPILERS_MOST && next_unit(&u)) {
		Dwarf_Attribute attribute;
		const char *words = dwarf_formstring(dwarf_attr(&u.functions, DW_AT_producer, &attribute));

		if (words && strnlen(words, COMPILER_LONGEST) < COMPILER_LONGEST)
			strv_push_new(out, words);
	}
	file_close(&u.file);
}

/* -------- functions */

static const char *symbol_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) || dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_diename(die);
}

/* For each function, and each place into which one was inlined. WITHIN: the function around it, or NULL. */
struct visitor {
	void (*visit)(struct visitor *v, Dwarf_Die *die, int tag, const char *symbol, const char *within, unsigned depth);
	unsigned left;		/* entries of a unit that are still read: a damaged file may have a circle */
};

static void visit_below(struct visitor *v, Dwarf_Die *die, const char *within, unsigned depth)
{
	Dwarf_Die child;

	if (depth == DEPTH_MOST || dwarf_child(die, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);
		bool begins = tag == DW_TAG_subprogram;
		const char *symbol = begins || tag == DW_TAG_inlined_subroutine ? symbol_of(&child) : NULL;

		if (symbol)
			v->visit(v, &child, tag, symbol, within, depth);
		/* Types have only declarations, except nested ones. */
		if (begins || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace ||
		    tag == DW_TAG_module || tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
			visit_below(v, &child, begins ? symbol : within, depth + 1);
	} while (v->left && v->left-- && dwarf_siblingof(&child, &child) == 0);
}

struct functions {
	struct visitor visitor;
	elf_function_fn *seen;
	void *ctx;
	unsigned n;
};

static void take_function(struct visitor *v, Dwarf_Die *die, int tag, const char *symbol, const char *within, unsigned depth)
{
	struct functions *f = (struct functions *)v;
	const char *source = tag == DW_TAG_subprogram ? dwarf_decl_file(die) : NULL;
	Dwarf_Addr base, low, high;
	int line;

	(void)within;
	(void)depth;
	/* Declarations, and functions inlined everywhere, have no code. Cold parts are apart: not dwarf_entrypc(). */
	if (!source || dwarf_ranges(die, 0, &base, &low, &high) <= 0 || dwarf_decl_line(die, &line) != 0 || line <= 0)
		return;
	f->seen(f->ctx, symbol, source, (unsigned)line);
	f->n++;
}

unsigned elf_functions(const char *path, elf_function_fn *seen, void *ctx)
{
	struct functions f = { .visitor.visit = take_function, .seen = seen, .ctx = ctx };
	struct unit u = { 0 };

	if (!open_debug(path, &u.file))
		return 0;
	while (next_unit(&u)) {
		f.visitor.left = ENTRIES_MOST;
		visit_below(&f.visitor, &u.functions, NULL, 0);
	}
	file_close(&u.file);
	return f.n;
}

/* -------- the code of lines */

struct scope {
	Dwarf_Addr low, high;
	const char *symbol, *within;	/* inlined into WITHIN; NULL: a function of its own */
	const char *source;		/* where it is defined; or NULL */
	int line;
	unsigned depth;
};

struct scopes {
	struct visitor visitor;
	struct scope *items;
	size_t n, cap;
};

static void take_scope(struct visitor *v, Dwarf_Die *die, int tag, const char *symbol, const char *within, unsigned depth)
{
	struct scopes *scopes = (struct scopes *)v;
	struct scope scope = { .symbol = symbol, .within = tag == DW_TAG_subprogram ? NULL : within, .depth = depth };
	Dwarf_Addr base;
	ptrdiff_t at = 0;

	scope.source = dwarf_decl_file(die);
	if (dwarf_decl_line(die, &scope.line) != 0)
		scope.source = NULL;
	while (scopes->n < SCOPES_MOST && (at = dwarf_ranges(die, at, &base, &scope.low, &scope.high)) > 0)
		*VEC_ADD(scopes->items, scopes->n, scopes->cap) = scope;
}

static int by_low(const void *a, const void *b)
{
	const struct scope *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low ? 1 : (x->depth > y->depth) - (x->depth < y->depth);
}

/*
 * Returns the scope around ADDRESS that begins last before LINE of SOURCE; else the innermost of unknown place, as in
 * Go; else the function itself. Instructions are moved, so the innermost may be another's.
 */
static const struct scope *scope_of(const struct scopes *scopes, Dwarf_Addr address, const char *source, int line)
{
	const struct scope *found = NULL, *unknown = NULL, *own = NULL;
	size_t after = SEARCH_FIRST(k, scopes->n, scopes->items[k].low > address);

	for (size_t i = after; i-- && after - i < STEPS_MOST && !own;) {
		const struct scope *s = &scopes->items[i];

		if (address >= s->high)
			continue;
		own = s->within ? NULL : s;
		if (!s->source && !unknown)
			unknown = s;
		if (s->source && s->line <= line && !strcmp(s->source, source) && (!found || s->line > found->line))
			found = s;
	}
	return found ?: unknown ?: own;
}

struct codes {
	struct elf_code *items;
	size_t n, cap;
};

static int by_line(const void *a, const void *b)
{
	const struct elf_code *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return strcmp(x->source, y->source) ?: strcmp(x->symbol, y->symbol) ?: !x->inlined - !y->inlined ?:
		(x->inlined ? strcmp(x->inlined, y->inlined) : 0);
}

/* Some instructions of an inlined line seem to be its caller's own. They are left out. */
static void hand_on(struct codes *codes, elf_code_fn *seen, void *ctx)
{
	if (codes->n)
		qsort(codes->items, codes->n, sizeof *codes->items, by_line);
	for (size_t i = 0; i < codes->n; i++) {
		const struct elf_code *code = &codes->items[i], *before = i ? code - 1 : NULL;
		bool same = before && before->line == code->line && !strcmp(before->source, code->source) && !strcmp(before->symbol, code->symbol);

		if (!same || (code->inlined && strcmp(before->inlined, code->inlined) != 0))
			seen(ctx, code);
	}
	free(codes->items);
}

static void read_unit(struct unit *u, elf_source_fn *wanted, elf_code_fn *seen, void *ctx)
{
	struct scopes scopes = { .visitor = { take_scope, ENTRIES_MOST } };
	struct { const char *source; bool wanted; } asked[64] = { 0 };
	bool collected = false;
	struct codes codes = { 0 };
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(&u->whole, &lines, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		const char *source = dwarf_linesrc(l, NULL, NULL);
		size_t slot = ((uintptr_t)source >> 4) % 64;
		const struct scope *scope;
		Dwarf_Addr address;
		bool ends;
		int line;

		if (!source)
			continue;
		if (asked[slot].source != source) {
			asked[slot].source = source;
			asked[slot].wanted = wanted(ctx, source);
		}
		if (!asked[slot].wanted || dwarf_lineendsequence(l, &ends) != 0 || ends || dwarf_lineno(l, &line) != 0 || line <= 0 ||
		    dwarf_lineaddr(l, &address) != 0)
			continue;
		if (!collected) {
			visit_below(&scopes.visitor, &u->functions, NULL, 0);
			if (scopes.n)
				qsort(scopes.items, scopes.n, sizeof *scopes.items, by_low);
			collected = true;
		}
		scope = scope_of(&scopes, address, source, line);
		if (!scope)
			continue;
		*VEC_ADD(codes.items, codes.n, codes.cap) = (struct elf_code){
			.source = source, .line = (unsigned)line, .symbol = scope->within ?: scope->symbol,
			.inlined = scope->within ? scope->symbol : NULL,
		};
	}
	hand_on(&codes, seen, ctx);
	free(scopes.items);
}

bool elf_lines(const char *path, elf_source_fn *wanted, elf_code_fn *seen, void *ctx)
{
	struct unit u = { 0 };

	if (!open_debug(path, &u.file))
		return false;
	while (next_unit(&u))
		read_unit(&u, wanted, seen, ctx);
	file_close(&u.file);
	return true;
}
