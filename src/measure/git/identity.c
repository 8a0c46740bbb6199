#include "measure/git/git.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* The GNU build-id in the notes that lie from OFFSET to END of BYTES; false when there is none. */
static bool find_in_notes(const unsigned char *bytes, uint64_t offset, uint64_t end, struct strbuf *out)
{
	while (offset + sizeof(Elf64_Nhdr) <= end) {
		Elf64_Nhdr note;
		uint64_t name = offset + sizeof note, desc;

		memcpy(&note, bytes + offset, sizeof note);
		desc = name + ((note.n_namesz + 3ull) & ~3ull);
		if (desc > end || note.n_descsz > end - desc)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(bytes + name, "GNU", 4)) {
			strbuf_adds(out, "build-id:");
			for (uint64_t i = 0; i < note.n_descsz; i++)
				strbuf_addf(out, "%02x", bytes[desc + i]);
			return true;
		}
		offset = desc + ((note.n_descsz + 3ull) & ~3ull);
	}
	return false;
}

/* Only of 64-bit files of this machine's byte order: anything else is hashed. */
static bool find_build_id(const unsigned char *bytes, size_t len, struct strbuf *out)
{
	Elf64_Ehdr head;

	if (len < sizeof head)
		return false;
	memcpy(&head, bytes, sizeof head);
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_phentsize != sizeof(Elf64_Phdr))
		return false;
	for (unsigned i = 0; i < head.e_phnum; i++) {
		uint64_t at = head.e_phoff + (uint64_t)i * sizeof(Elf64_Phdr);
		Elf64_Phdr segment;

		if (at > len || len - at < sizeof segment)
			return false;
		memcpy(&segment, bytes + at, sizeof segment);
		if (segment.p_type == PT_NOTE && segment.p_offset <= len && segment.p_filesz <= len - segment.p_offset &&
		    find_in_notes(bytes, segment.p_offset, segment.p_offset + segment.p_filesz, out))
			return true;
	}
	return false;
}

char *identity_of_file(const char *path)
{
	struct strbuf id = STRBUF_INIT;
	struct stat st;
	void *map = MAP_FAILED;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED)
		return NULL;
	if (!find_build_id(map, (size_t)st.st_size, &id))
		strbuf_addf(&id, "fnv1a:%016" PRIx64, fnv_bytes(FNV_START, map, (size_t)st.st_size));
	munmap(map, (size_t)st.st_size);
	return strbuf_take(&id);
}

char *identity_new(void)
{
	struct strbuf name = STRBUF_INIT;
	unsigned char bytes[16];

	/* So few bytes come at once, or not at all. */
	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		abort();
	for (size_t i = 0; i < sizeof bytes; i++)
		strbuf_addf(&name, "%02x", bytes[i]);
	return strbuf_take(&name);
}
