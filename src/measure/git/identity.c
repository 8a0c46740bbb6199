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

struct image {
	const unsigned char *bytes;
	size_t len;
};

static bool inside(const struct image *image, uint64_t offset, uint64_t size)
{
	return offset <= image->len && size <= image->len - offset;
}

static uint64_t align4(uint64_t n)
{
	return (n + 3) & ~3ull;
}

static bool find_in_notes(const struct image *image, uint64_t offset, uint64_t size, struct strbuf *out)
{
	uint64_t end = offset + size;

	while (offset + sizeof(Elf64_Nhdr) <= end) {
		Elf64_Nhdr note;
		uint64_t name = offset + sizeof note, desc;

		memcpy(&note, image->bytes + offset, sizeof note);
		desc = name + align4(note.n_namesz);
		if (desc > end || note.n_descsz > end - desc)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(image->bytes + name, "GNU", 4)) {
			strbuf_adds(out, "build-id:");
			for (uint64_t i = 0; i < note.n_descsz; i++)
				strbuf_addf(out, "%02x", image->bytes[desc + i]);
			return true;
		}
		offset = desc + align4(note.n_descsz);
	}
	return false;
}

/* Only 64-bit files of this machine's byte order: anything else is hashed. */
static bool find_build_id(const struct image *image, struct strbuf *out)
{
	Elf64_Ehdr head;

	if (!inside(image, 0, sizeof head))
		return false;
	memcpy(&head, image->bytes, sizeof head);
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_phentsize != sizeof(Elf64_Phdr))
		return false;
	for (unsigned i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr segment;
		uint64_t at = head.e_phoff + (uint64_t)i * sizeof segment;

		if (!inside(image, at, sizeof segment))
			return false;
		memcpy(&segment, image->bytes + at, sizeof segment);
		if (segment.p_type == PT_NOTE && inside(image, segment.p_offset, segment.p_filesz) &&
		    find_in_notes(image, segment.p_offset, segment.p_filesz, out))
			return true;
	}
	return false;
}

char *identity_of_file(const char *path)
{
	struct strbuf id = STRBUF_INIT;
	struct image image;
	struct stat st;
	void *map = MAP_FAILED;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED)
		return NULL;
	image = (struct image){ map, (size_t)st.st_size };
	if (!find_build_id(&image, &id))
		strbuf_addf(&id, "fnv1a:%016" PRIx64, fnv_bytes(FNV_START, image.bytes, image.len));
	munmap(map, image.len);
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
