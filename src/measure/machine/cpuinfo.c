#include "measure/machine/machine.h"

#include <ctype.h>

#include "base/mem.h"

/* -------- parts of ARM cores */

enum {
	ARM = 0x41, CAVIUM = 0x43, FUJITSU = 0x46, HISILICON = 0x48, NVIDIA = 0x4e, QUALCOMM = 0x51, APPLE = 0x61, MICROSOFT = 0x6d,
	AMPERE = 0xc0,
};

static const struct {
	unsigned implementer, part;
	const char *name;
} parts[] = {
	{ ARM, 0xb76, "ARM1176" }, { ARM, 0xc07, "Cortex-A7" }, { ARM, 0xc08, "Cortex-A8" },
	{ ARM, 0xc09, "Cortex-A9" }, { ARM, 0xc0f, "Cortex-A15" }, { ARM, 0xd03, "Cortex-A53" },
	{ ARM, 0xd04, "Cortex-A35" }, { ARM, 0xd05, "Cortex-A55" }, { ARM, 0xd07, "Cortex-A57" },
	{ ARM, 0xd08, "Cortex-A72" }, { ARM, 0xd09, "Cortex-A73" }, { ARM, 0xd0a, "Cortex-A75" },
	{ ARM, 0xd0b, "Cortex-A76" }, { ARM, 0xd0c, "Neoverse-N1" }, { ARM, 0xd0d, "Cortex-A77" },
	{ ARM, 0xd40, "Neoverse-V1" }, { ARM, 0xd41, "Cortex-A78" }, { ARM, 0xd44, "Cortex-X1" },
	{ ARM, 0xd46, "Cortex-A510" }, { ARM, 0xd47, "Cortex-A710" }, { ARM, 0xd48, "Cortex-X2" },
	{ ARM, 0xd49, "Neoverse-N2" }, { ARM, 0xd4a, "Neoverse-E1" }, { ARM, 0xd4d, "Cortex-A715" },
	{ ARM, 0xd4e, "Cortex-X3" }, { ARM, 0xd4f, "Neoverse-V2" }, { ARM, 0xd80, "Cortex-A520" },
	{ ARM, 0xd81, "Cortex-A720" }, { ARM, 0xd82, "Cortex-X4" }, { ARM, 0xd84, "Neoverse-V3" },
	{ ARM, 0xd85, "Cortex-X925" }, { ARM, 0xd87, "Cortex-A725" }, { ARM, 0xd8e, "Neoverse-N3" },
	{ CAVIUM, 0x0a1, "ThunderX" }, { CAVIUM, 0x0af, "ThunderX2" }, { FUJITSU, 0x001, "A64FX" },
	{ HISILICON, 0xd01, "TaiShan-v110" }, { NVIDIA, 0x003, "Denver-2" }, { NVIDIA, 0x004, "Carmel" },
	{ QUALCOMM, 0x001, "Oryon" }, { QUALCOMM, 0xc00, "Falkor" }, { APPLE, 0x022, "Apple Icestorm-M1" },
	{ APPLE, 0x023, "Apple Firestorm-M1" }, { APPLE, 0x024, "Apple Icestorm-M1-Pro" },
	{ APPLE, 0x025, "Apple Firestorm-M1-Pro" }, { APPLE, 0x028, "Apple Icestorm-M1-Max" },
	{ APPLE, 0x029, "Apple Firestorm-M1-Max" }, { APPLE, 0x032, "Apple Blizzard-M2" },
	{ APPLE, 0x033, "Apple Avalanche-M2" }, { APPLE, 0x034, "Apple Blizzard-M2-Pro" },
	{ APPLE, 0x035, "Apple Avalanche-M2-Pro" }, { APPLE, 0x038, "Apple Blizzard-M2-Max" },
	{ APPLE, 0x039, "Apple Avalanche-M2-Max" }, { MICROSOFT, 0xd49, "Azure-Cobalt-100" },
	{ AMPERE, 0xac3, "Ampere-1" }, { AMPERE, 0xac4, "Ampere-1a" }, { AMPERE, 0xac5, "Ampere-1b" },
};

static const struct {
	const char *core, *name;
} gravitons[] = {
	{ "Cortex-A72", "AWS Graviton" }, { "Neoverse-N1", "AWS Graviton2" }, { "Neoverse-V1", "AWS Graviton3" }, { "Neoverse-V2", "AWS Graviton4" },
};

static char *arm_part_name(unsigned implementer, unsigned part, const char *sys_vendor)
{
	const char *name = NULL;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].implementer == implementer && parts[i].part == part)
			name = parts[i].name;
	for (size_t i = 0; name && sys_vendor && text_starts(sys_vendor, "Amazon") && i < sizeof gravitons / sizeof *gravitons; i++)
		if (!strcmp(name, gravitons[i].core))
			return xstrdup(gravitons[i].name);
	return name ? xstrdup(name) : text_printf("arm-0x%02x-0x%03x", implementer, part);
}

/* -------- hypervisors */

/* Firmware comes first: for Windows guests, KVM's CPUID can be Microsoft's. */
static const struct {
	const char *vendor;	/* prefix of sys_vendor */
	const char *product;	/* part of product_name; NULL: any */
	const char *name;
} firmware[] = {
	{ "Microsoft Corporation", "Virtual Machine", "microsoft" },
	{ "QEMU", NULL, "kvm" },
	{ "Red Hat", "KVM", "kvm" },
	{ "VMware", NULL, "vmware" },
	{ "innotek GmbH", "VirtualBox", "virtualbox" },
	{ "Xen", NULL, "xen" },
	{ "Amazon EC2", NULL, "amazon" },
	{ "Google", "Google Compute Engine", "google" },
	{ "Parallels", NULL, "parallels" },
	{ "Apple Inc.", "Virtual", "apple" },
	{ "DigitalOcean", NULL, "kvm" },
	{ "Hetzner", "vServer", "kvm" },
	{ "Alibaba Cloud", NULL, "alibaba" },
	{ "OpenStack", NULL, "openstack" },
	{ "Bochs", NULL, "bochs" },
};

static const struct {
	const char *signature, *name;
} signatures[] = {
	{ "KVMKVMKVM", "kvm" },	   { "Microsoft Hv", "microsoft" }, { "VMwareVMware", "vmware" },
	{ "XenVMMXenVMM", "xen" }, { "VBoxVBoxVBox", "virtualbox" }, { "bhyve bhyve ", "bhyve" },
	{ "TCGTCGTCGTCG", "qemu" }, { "ACRNACRNACRN", "acrn" },	    { " lrpepyh  vr", "parallels" },
};

static bool starts_with(const char *text, const char *prefix)
{
	return text && !strncasecmp(text, prefix, strlen(prefix));
}

static bool contains(const char *text, const char *part)
{
	return text && strcasestr(text, part);
}

const char *hypervisor_name(const struct hypervisor_clues *clues)
{
	if (contains(clues->osrelease, "microsoft-standard") || contains(clues->osrelease, "WSL"))
		return "wsl";
	if (starts_with(clues->sys_type, "xen"))
		return "xen";
	if ((clues->x86 && !clues->cpu_flag) || contains(clues->product_name, ".metal"))
		return NULL;
	for (size_t i = 0; i < sizeof firmware / sizeof *firmware; i++)
		if (starts_with(clues->sys_vendor, firmware[i].vendor) &&
		    (!firmware[i].product || contains(clues->product_name, firmware[i].product)))
			return firmware[i].name;
	for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
		if (starts_with(clues->signature, signatures[i].signature))
			return signatures[i].name;
	if (contains(clues->device_tree, "xen,xen"))
		return "xen";
	/* "linux,dummy-virt" is QEMU's machine on arm64. */
	if (contains(clues->device_tree, "kvm") || contains(clues->device_tree, "linux,dummy-virt"))
		return "kvm";
	return clues->x86 ? "unknown" : NULL;
}

/* -------- distributions */

char *os_release_value(const char *text, const char *key)
{
	size_t key_len = strlen(key), len;
	const char *end = text + strlen(text), *line;
	struct strbuf plain = STRBUF_INIT;

	while ((line = text_next_line(&text, end, &len)) && (strncmp(line, key, key_len) || line[key_len] != '='))
		;
	/* Quotes and backslashes count as in a shell. */
	for (size_t i = key_len + 1; line && i < len; i++)
		if (line[i] != '"' && line[i] != '\'') {
			i += line[i] == '\\' && i + 1 < len;
			strbuf_addc(&plain, line[i]);
		}
	return plain.len ? strbuf_take(&plain) : NULL;
}

static const struct manager {
	const char *family, *install, *perf;
} managers[] = {
	{ "ubuntu", "sudo apt-get install", NULL },
	{ "debian", "sudo apt-get install", "linux-perf" },
	{ "fedora", "sudo dnf install", "perf" },
	{ "rhel", "sudo dnf install", "perf" },
	{ "suse", "sudo zypper install", "perf" },
	{ "arch", "sudo pacman -S", "perf" },
	{ "alpine", "sudo apk add", "perf" },
};

/* Returns the row of the distribution, or of its family. */
static const struct manager *find_manager(const char *text)
{
	CLEANUP(free_ptr) char *id = os_release_value(text, "ID");
	CLEANUP(free_ptr) char *like = os_release_value(text, "ID_LIKE");

	for (size_t i = 0; i < sizeof managers / sizeof managers[0]; i++)
		if ((id && !strcmp(id, managers[i].family)) || (like && text_has_word(like, strlen(like), ' ', managers[i].family)))
			return &managers[i];
	return NULL;
}

char *os_release_install_command(const char *text, const char *packages)
{
	const struct manager *manager = find_manager(text);

	return text_printf("%s %s", manager ? manager->install : "install", packages);
}

char *os_release_install_perf(const char *text, const char *kernel)
{
	const struct manager *manager = find_manager(text);

	if (!manager)
		return xstrdup("install the distribution's package of perf, often called perf or linux-perf");
	if (manager->perf)
		return text_printf("%s %s", manager->install, manager->perf);
	/* In a container the kernel may not be Ubuntu's. */
	return text_printf("sudo apt-get install linux-tools-%s || sudo apt-get install linux-tools-generic", kernel);
}

char *container_name(const struct container_clues *clues)
{
	static const struct {
		const char *part, *name;
	} cgroups[] = {
		{ "kubepods", "kubernetes" }, { "/docker", "docker" },	   { "libpod", "podman" },
		{ "/lxc", "lxc" },	      { "/containerd", "containerd" },
	};

	for (size_t i = 0; clues->init_cgroup && i < sizeof cgroups / sizeof cgroups[0]; i++)
		if (strstr(clues->init_cgroup, cgroups[i].part))
			return xstrdup(cgroups[i].name);
	if (clues->podman_file)
		return xstrdup("podman");
	if (clues->docker_file)
		return xstrdup("docker");
	return clues->variable && *clues->variable ? xstrdup(clues->variable) : NULL;
}

/* -------- the CPU */

enum { PART_LONGEST = 64 };

struct field {
	const char *key, *value;
	size_t key_len, value_len;
};

static bool next_field(const char **text, const char *text_end, struct field *out)
{
	const char *line;
	size_t len;

	while ((line = text_next_line(text, text_end, &len))) {
		const char *end = line + len, *colon = memchr(line, ':', len), *key_end = colon;

		if (!colon)
			continue;
		while (key_end > line && isspace((unsigned char)key_end[-1]))
			key_end--;
		for (colon++; colon < end && isspace((unsigned char)*colon);)
			colon++;
		while (end > colon && isspace((unsigned char)end[-1]))
			end--;
		*out = (struct field){ line, colon, (size_t)(key_end - line), (size_t)(end - colon) };
		return true;
	}
	return false;
}

static bool is_key(const struct field *field, const char *key)
{
	return field->key_len == strlen(key) && !strncasecmp(field->key, key, field->key_len);
}

/* Returns KEY's first value that is not empty, with runs of spaces collapsed; or NULL. */
static char *first_value(const char *text, const char *key)
{
	const char *end = text + strlen(text);
	struct strbuf value = STRBUF_INIT;
	struct field field;

	while (next_field(&text, end, &field)) {
		if (!is_key(&field, key) || !field.value_len)
			continue;
		for (size_t i = 0; i < field.value_len; i++)
			if (!isspace((unsigned char)field.value[i]))
				strbuf_addc(&value, field.value[i]);
			else if (!strbuf_ends_with(&value, " "))
				strbuf_addc(&value, ' ');
		return strbuf_take(&value);
	}
	return NULL;
}

static unsigned number_of(const char *text, const char *key)
{
	CLEANUP(free_ptr) char *value = first_value(text, key);

	return value ? (unsigned)strtoul(value, NULL, 0) : 0;
}

bool cpuinfo_flag(const char *text, const char *flag)
{
	CLEANUP(free_ptr) char *flags = first_value(text, "flags");

	return flags && text_has_word(flags, strlen(flags), ' ', flag);
}

bool cpuinfo_is_x86(const char *text)
{
	CLEANUP(free_ptr) char *flags = first_value(text, "flags");

	return flags;
}

/* Returns each kind of core once, in the order of CPUs; NULL: not arm. */
static char *arm_model(const char *text, const char *sys_vendor)
{
	CLEANUP(strv_release) struct strv kinds = STRV_INIT;
	const char *end = text + strlen(text);
	struct strbuf joined = STRBUF_INIT;
	unsigned implementer = 0;
	struct field field;

	while (next_field(&text, end, &field)) {
		if (is_key(&field, "CPU implementer")) {
			implementer = (unsigned)strtoul(field.value, NULL, 0);
		} else if (is_key(&field, "CPU part")) {
			unsigned part = (unsigned)strtoul(field.value, NULL, 0);
			CLEANUP(free_ptr) char *kind = arm_part_name(implementer, part, sys_vendor);

			strv_push_new(&kinds, kind);
		}
	}
	for (size_t i = 0; i < kinds.n; i++)
		strbuf_addf(&joined, "%s%s", i ? " + " : "", kinds.items[i]);
	return kinds.n ? strbuf_take(&joined) : NULL;
}

char *cpuinfo_model(const char *text, const char *sys_vendor)
{
	/* x86 and LoongArch; MIPS; RISC-V; POWER; s390 */
	static const char *const keys[] = { "model name", "cpu model", "uarch", "cpu", "vendor_id" };
	/* 32-bit arm also has a model name, which has only the architecture. */
	char *model = arm_model(text, sys_vendor);

	for (size_t i = 0; !model && i < sizeof keys / sizeof *keys; i++)
		model = first_value(text, keys[i]);
	return model ?: xstrdup("unknown");
}

/* True if a word before the clock rate has at least two digits, as in 8370C, 7B12, N100. */
static bool has_model_number(const char *name)
{
	while (*name && *name != '@') {
		size_t len = 0, digits = 0;

		for (; isalnum((unsigned char)name[len]); len++)
			digits += isdigit((unsigned char)name[len]) != 0;
		/* "64-Core" counts cores. */
		if (digits >= 2 && strncasecmp(name + len, "-core", 5))
			return true;
		name += len ? len : 1;
	}
	return false;
}

char *cpuinfo_part(const char *text, const char *sys_vendor, unsigned cpus, const char *override)
{
	bool own = override && *override;
	CLEANUP(free_ptr) char *model = cpuinfo_model(text, sys_vendor);
	CLEANUP(free_ptr) char *slug = machine_cpu_slug(own ? override : model);
	CLEANUP(free_ptr) char *suffix = own ? xstrdup("") : text_printf("-%ucpu", cpus);
	struct strbuf part = STRBUF_INIT;

	strbuf_adds(&part, slug);
	if (!own && cpuinfo_is_x86(text) && !has_model_number(model)) {
		unsigned family = number_of(text, "cpu family"), number = number_of(text, "model");

		strbuf_addf(&part, "-f%um%u", family, number);
		/* Skylake, Cascade Lake and Cooper Lake servers differ only here. */
		if (family == 6 && number == 85)
			strbuf_addf(&part, "s%u", number_of(text, "stepping"));
	}
	/* The number of CPUs tells machines apart, so the name is cut instead. */
	if (part.len > PART_LONGEST - strlen(suffix))
		strbuf_truncate(&part, PART_LONGEST - strlen(suffix));
	while (part.len && !isalnum((unsigned char)part.buf[part.len - 1]))
		strbuf_truncate(&part, part.len - 1);
	strbuf_adds(&part, suffix);
	return strbuf_take(&part);
}
