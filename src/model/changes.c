#include "model/changes.h"

#include <string.h>

#include "base/parse.h"

void changes_release(struct changes *changes)
{
	arena_release(&changes->arena);
	*changes = (struct changes){ 0 };
}

bool changes_is_build_file(const char *path)
{
	static const char *const names[] = {
		"Makefile", "makefile", "GNUmakefile", "*.mk", "*.mak", "CMakeLists.txt", "*.cmake", "meson.build", "meson_options.txt",
		"configure", "configure.ac", "*.am", "*.in", "Cargo.toml", "Cargo.lock", "*.gradle", "pom.xml", "BUILD", "BUILD.bazel",
		"*.bzl", "setup.py", "pyproject.toml", "package.json", "pawl.yaml", "go.mod", "*.ninja", "build.sh",
	};
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (glob_match(names[i], base))
			return true;
	return false;
}
