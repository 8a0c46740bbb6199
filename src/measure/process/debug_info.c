#include "measure/process/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The largest file that is read; a larger one takes seconds. */
enum { FILE_LARGEST = 512 << 20 };

struct walk {
	debug_function_fn *seen;
	void *ctx;
	unsigned n;
};

static const char *symbol_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) || dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_diename(die);
}

static int take_function(Dwarf_Die *die, void *ctx)
{
	struct walk *w = ctx;
	const char *symbol = symbol_of(die), *source = dwarf_decl_file(die);
	Dwarf_Addr entry;
	int line;

	/* Declarations, and functions that were inlined everywhere, have no code. */
	if (!symbol || !source || dwarf_entrypc(die, &entry) != 0 || dwarf_decl_line(die, &line) != 0 || line <= 0)
		return DWARF_CB_OK;
	w->seen(w->ctx, symbol, source, (unsigned)line);
	w->n++;
	return DWARF_CB_OK;
}

unsigned debug_functions(const char *path, debug_function_fn *seen, void *ctx)
{
	struct walk walk = { .seen = seen, .ctx = ctx };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	Dwarf *dwarf = NULL;
	Dwarf_Off at = 0, next;
	size_t header;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= FILE_LARGEST)
		dwarf = dwarf_begin(fd, DWARF_C_READ);
	for (; dwarf && dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
		Dwarf_Die unit;

		if (dwarf_offdie(dwarf, at + header, &unit))
			dwarf_getfuncs(&unit, take_function, &walk, 0);
	}
	if (dwarf)
		dwarf_end(dwarf);
	if (fd >= 0)
		close(fd);
	return walk.n;
}
