#include "model/os_release.h"

#include <stddef.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"

/* The value on its line, as a shell would take it: quotes go, a backslash keeps what follows. */
static char *unquote(const char *value, size_t len)
{
	struct strbuf plain = STRBUF_INIT;

	for (size_t i = 0; i < len; i++) {
		if (value[i] == '"' || value[i] == '\'')
			continue;
		if (value[i] == '\\' && i + 1 < len)
			i++;
		strbuf_addc(&plain, value[i]);
	}
	return strbuf_take(&plain);
}

char *os_release_value(const char *text, const char *key)
{
	size_t key_len = strlen(key);

	while (*text) {
		size_t len = strcspn(text, "\n");

		if (len > key_len + 1 && !strncmp(text, key, key_len) && text[key_len] == '=') {
			CLEANUP(free_ptr) char *value = unquote(text + key_len + 1, len - key_len - 1);

			return *value ? take_ptr(&value) : NULL;
		}
		text += len + (text[len] == '\n');
	}
	return NULL;
}

bool os_release_is_like(const char *text, const char *name)
{
	CLEANUP(free_ptr) char *id = os_release_value(text, "ID");
	CLEANUP(free_ptr) char *like = os_release_value(text, "ID_LIKE");
	size_t len;

	if (id && !strcmp(id, name))
		return true;
	for (const char *word = like; word && *word; word += len) {
		word += strspn(word, " ");
		len = strcspn(word, " ");
		if (len == strlen(name) && !strncmp(word, name, len))
			return true;
	}
	return false;
}

static const struct {
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

enum { N_MANAGERS = sizeof managers / sizeof managers[0] };

static size_t find_manager(const char *text)
{
	size_t i = 0;

	while (i < N_MANAGERS && !os_release_is_like(text, managers[i].family))
		i++;
	return i;
}

char *os_release_install_command(const char *text, const char *packages)
{
	struct strbuf command = STRBUF_INIT;
	size_t i = find_manager(text);

	strbuf_addf(&command, "%s %s", i < N_MANAGERS ? managers[i].install : "install", packages);
	return strbuf_take(&command);
}

char *os_release_install_perf(const char *text, const char *kernel)
{
	struct strbuf command = STRBUF_INIT;
	size_t i = find_manager(text);

	if (i == N_MANAGERS)
		return xstrdup("install the distribution's package of perf, often called perf or linux-perf");
	if (managers[i].perf)
		return os_release_install_command(text, managers[i].perf);
	/* Ubuntu builds perf for each kernel; in a container the kernel may not be Ubuntu's. */
	strbuf_addf(&command, "sudo apt-get install linux-tools-%s || sudo apt-get install linux-tools-generic",
		    kernel);
	return strbuf_take(&command);
}
