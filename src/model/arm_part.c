#include "model/arm_part.h"

#include <stddef.h>

#include "base/mem.h"
#include "base/strbuf.h"

enum {
	ARM = 0x41,
	CAVIUM = 0x43,
	FUJITSU = 0x46,
	HISILICON = 0x48,
	NVIDIA = 0x4e,
	QUALCOMM = 0x51,
	APPLE = 0x61,
	MICROSOFT = 0x6d,
	AMPERE = 0xc0,
};

static const struct {
	unsigned implementer, part;
	const char *name;
	const char *at_amazon;	/* what Amazon calls the chip it builds from this core */
} parts[] = {
	{ ARM, 0xb76, "ARM1176", NULL },
	{ ARM, 0xc07, "Cortex-A7", NULL },
	{ ARM, 0xc08, "Cortex-A8", NULL },
	{ ARM, 0xc09, "Cortex-A9", NULL },
	{ ARM, 0xc0f, "Cortex-A15", NULL },
	{ ARM, 0xd03, "Cortex-A53", NULL },
	{ ARM, 0xd04, "Cortex-A35", NULL },
	{ ARM, 0xd05, "Cortex-A55", NULL },
	{ ARM, 0xd07, "Cortex-A57", NULL },
	{ ARM, 0xd08, "Cortex-A72", "AWS Graviton" },
	{ ARM, 0xd09, "Cortex-A73", NULL },
	{ ARM, 0xd0a, "Cortex-A75", NULL },
	{ ARM, 0xd0b, "Cortex-A76", NULL },
	{ ARM, 0xd0c, "Neoverse-N1", "AWS Graviton2" },
	{ ARM, 0xd0d, "Cortex-A77", NULL },
	{ ARM, 0xd40, "Neoverse-V1", "AWS Graviton3" },
	{ ARM, 0xd41, "Cortex-A78", NULL },
	{ ARM, 0xd44, "Cortex-X1", NULL },
	{ ARM, 0xd46, "Cortex-A510", NULL },
	{ ARM, 0xd47, "Cortex-A710", NULL },
	{ ARM, 0xd48, "Cortex-X2", NULL },
	{ ARM, 0xd49, "Neoverse-N2", NULL },
	{ ARM, 0xd4a, "Neoverse-E1", NULL },
	{ ARM, 0xd4d, "Cortex-A715", NULL },
	{ ARM, 0xd4e, "Cortex-X3", NULL },
	{ ARM, 0xd4f, "Neoverse-V2", "AWS Graviton4" },
	{ ARM, 0xd80, "Cortex-A520", NULL },
	{ ARM, 0xd81, "Cortex-A720", NULL },
	{ ARM, 0xd82, "Cortex-X4", NULL },
	{ ARM, 0xd84, "Neoverse-V3", NULL },
	{ ARM, 0xd85, "Cortex-X925", NULL },
	{ ARM, 0xd87, "Cortex-A725", NULL },
	{ ARM, 0xd8e, "Neoverse-N3", NULL },
	{ CAVIUM, 0x0a1, "ThunderX", NULL },
	{ CAVIUM, 0x0af, "ThunderX2", NULL },
	{ FUJITSU, 0x001, "A64FX", NULL },
	{ HISILICON, 0xd01, "TaiShan-v110", NULL },
	{ NVIDIA, 0x003, "Denver-2", NULL },
	{ NVIDIA, 0x004, "Carmel", NULL },
	{ QUALCOMM, 0x001, "Oryon", NULL },
	{ QUALCOMM, 0xc00, "Falkor", NULL },
	{ APPLE, 0x022, "Apple Icestorm-M1", NULL },
	{ APPLE, 0x023, "Apple Firestorm-M1", NULL },
	{ APPLE, 0x024, "Apple Icestorm-M1-Pro", NULL },
	{ APPLE, 0x025, "Apple Firestorm-M1-Pro", NULL },
	{ APPLE, 0x028, "Apple Icestorm-M1-Max", NULL },
	{ APPLE, 0x029, "Apple Firestorm-M1-Max", NULL },
	{ APPLE, 0x032, "Apple Blizzard-M2", NULL },
	{ APPLE, 0x033, "Apple Avalanche-M2", NULL },
	{ APPLE, 0x034, "Apple Blizzard-M2-Pro", NULL },
	{ APPLE, 0x035, "Apple Avalanche-M2-Pro", NULL },
	{ APPLE, 0x038, "Apple Blizzard-M2-Max", NULL },
	{ APPLE, 0x039, "Apple Avalanche-M2-Max", NULL },
	{ MICROSOFT, 0xd49, "Azure-Cobalt-100", NULL },
	{ AMPERE, 0xac3, "Ampere-1", NULL },
	{ AMPERE, 0xac4, "Ampere-1a", NULL },
	{ AMPERE, 0xac5, "Ampere-1b", NULL },
};

char *arm_part_name(unsigned implementer, unsigned part, const char *sys_vendor)
{
	bool amazon = sys_vendor && !strncmp(sys_vendor, "Amazon", 6);
	struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].implementer == implementer && parts[i].part == part)
			return xstrdup(amazon && parts[i].at_amazon ? parts[i].at_amazon : parts[i].name);
	strbuf_addf(&name, "arm-0x%02x-0x%03x", implementer, part);
	return strbuf_take(&name);
}
