/* Identity of an executable: its build-id if it has one, else a hash. Hostile ELF files are only hashed. */
#include "unit.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/files/elf.h"
#include "root_fixture.h"

static char *identity_of_bytes(const void *bytes, size_t len)
{
	CLEANUP(free_ptr) char *path = in_root("program");

	assert_int_equal(file_write(path, bytes, len, NULL), 0);
	return elf_identity(path);
}

/* An ELF file with one note segment. It holds two notes; the second is a build-id of eight bytes. */
struct program {
	Elf64_Ehdr head;
	Elf64_Phdr segments[2];
	struct {
		Elf64_Nhdr head;
		char name[8];
		unsigned char desc[4];
	} first;
	struct {
		Elf64_Nhdr head;
		char name[4];
		unsigned char desc[8];
	} second;
};

static void make_program(struct program *p)
{
	memset(p, 0, sizeof *p);
	memcpy(p->head.e_ident, ELFMAG, SELFMAG);
	p->head.e_ident[EI_CLASS] = ELFCLASS64;
	p->head.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	p->head.e_ident[EI_VERSION] = EV_CURRENT;
	p->head.e_phoff = offsetof(struct program, segments);
	p->head.e_phentsize = sizeof(Elf64_Phdr);
	p->head.e_phnum = 2;
	p->segments[0].p_type = PT_LOAD;
	p->segments[1].p_type = PT_NOTE;
	p->segments[1].p_offset = offsetof(struct program, first);
	p->segments[1].p_filesz = sizeof p->first + sizeof p->second;
	/* Neither the name nor the contents are a multiple of four bytes. */
	p->first.head = (Elf64_Nhdr){ .n_namesz = 5, .n_descsz = 3, .n_type = NT_GNU_BUILD_ID };
	memcpy(p->first.name, "Pawl", 5);
	p->second.head = (Elf64_Nhdr){ .n_namesz = 4, .n_descsz = 8, .n_type = NT_GNU_BUILD_ID };
	memcpy(p->second.name, "GNU", 4);
	memcpy(p->second.desc, "\x01\x23\x45\x67\x89\xab\xcd\xef", 8);
}

TEST_WITH(a_build_id_is_found, make_root, drop_root)
{
	CLEANUP(free_ptr) char *id = NULL, *other = NULL;
	struct program p;

	make_program(&p);
	id = identity_of_bytes(&p, sizeof p);
	assert_string_equal(id, "build-id:0123456789abcdef");
	/* Only the note counts. */
	p.head.e_entry = 0x1234;
	other = identity_of_bytes(&p, sizeof p);
	assert_string_equal(other, id);
}

static void no_class(struct program *p) { p->head.e_ident[EI_CLASS] = ELFCLASS32; }
static void no_elf(struct program *p) { p->head.e_ident[0] = 'x'; }
static void headers_outside(struct program *p) { p->head.e_phoff = sizeof *p - 1; }
static void headers_far_outside(struct program *p) { p->head.e_phoff = UINT64_MAX - 10; }
static void no_notes(struct program *p) { p->segments[1].p_type = PT_LOAD; }
static void notes_outside(struct program *p) { p->segments[1].p_filesz += 1; }
static void notes_wrap_around(struct program *p) { p->segments[1].p_offset = UINT64_MAX - 7; }
static void notes_too_short(struct program *p) { p->segments[1].p_filesz -= 1; }
static void huge_name(struct program *p) { p->first.head.n_namesz = UINT32_MAX; }
static void huge_contents(struct program *p) { p->second.head.n_descsz = UINT32_MAX; }
static void other_type(struct program *p) { p->second.head.n_type = NT_GNU_ABI_TAG; }
static void other_owner(struct program *p) { p->second.name[0] = 'g'; }

TEST_WITH(anything_else_is_hashed, make_root, drop_root)
{
	static void (*const damage[])(struct program *p) = {
		no_class, no_elf, headers_outside, headers_far_outside, no_notes, notes_outside,
		notes_wrap_around, notes_too_short, huge_name, huge_contents, other_type, other_owner,
	};

	for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
		CLEANUP(free_ptr) char *id = NULL;
		struct program p;

		make_program(&p);
		damage[i](&p);
		id = identity_of_bytes(&p, sizeof p);
		if (strncmp(id, "fnv1a:", 6) || strlen(id) != 6 + 16)
			fail_msg("damage %zu: %s", i, id);
	}
}

/* Published values of 64-bit FNV-1a. */
TEST_WITH(hashes_are_the_published_ones, make_root, drop_root)
{
	static const struct { const char *text, *expected; } cases[] = {
		{ "a", "fnv1a:af63dc4c8601ec8c" }, { "foobar", "fnv1a:85944171f73967e8" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *id = identity_of_bytes(cases[i].text, strlen(cases[i].text));

		assert_string_equal(id, cases[i].expected);
	}
}

TEST_WITH(what_is_no_file_has_no_identity, make_root, drop_root)
{
	CLEANUP(free_ptr) char *missing = in_root("missing"), *folder = in_root("folder");

	assert_int_equal(mkdir(folder, 0777), 0);
	assert_null(elf_identity(missing));
	assert_null(elf_identity(folder));
	assert_null(elf_identity("/dev/null"));
}
