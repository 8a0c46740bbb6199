/* The text of /etc/os-release, which tells distributions apart. */
#ifndef PAWL_MODEL_OS_RELEASE_H
#define PAWL_MODEL_OS_RELEASE_H

#include <stdbool.h>

/* The value of KEY ("PRETTY_NAME", "ID", ...) without its quotes; NULL when missing or empty. For free(). */
char *os_release_value(const char *text, const char *key);

/* True when NAME ("debian") is the ID, or among those of ID_LIKE. */
bool os_release_is_like(const char *text, const char *name);

/* The command that installs PACKAGES: "sudo apt-get install git", or "install git" when not known. For free(). */
char *os_release_install_command(const char *text, const char *packages);
/* The same for perf, whose package goes by many names; KERNEL is uname's release. For free(). */
char *os_release_install_perf(const char *text, const char *kernel);

#endif
