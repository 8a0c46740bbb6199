#include "model/source/changes.h"

#include <string.h>

#include "base/parse.h"

void changes_release(struct changes *changes)
{
	arena_release(&changes->arena);
	*changes = (struct changes){ 0 };
}

/* True if SOURCE, in an unknown folder, may be the file at PATH. */
static bool source_is_path(const char *source, const char *path)
{
	size_t n, k;

	while (text_starts(source, "./") || text_starts(source, "../"))
		source += source[1] == '/' ? 2 : 3;
	n = strlen(source);
	k = strlen(path);
	/* A relative source may be in a folder of its own; an absolute one is never shorter. */
	if (n < k)
		return *source != '/' && path[k - n - 1] == '/' && !strcmp(path + k - n, source);
	return !strcmp(source + n - k, path) && (n == k || source[n - k - 1] == '/');
}

bool changes_has_source(const struct changes *changes, int side, const char *source, const char *path)
{
	const char *below = NULL;

	/* Most are not. */
	if (strcmp(path_name(source), path_name(path)) != 0)
		return false;
	below = changes->top[side] ? path_below(source, changes->top[side]) : NULL;
	return below && *below ? !strcmp(below, path) : source_is_path(source, path);
}

static bool is_named(const char *path, const char *const *globs)
{
	while (*globs && !glob_match(*globs, path_name(path)))
		globs++;
	return *globs;
}

bool changes_is_build_file(const char *path)
{
	static const char *const names[] = {
		"Makefile", "makefile", "GNUmakefile", "*.mk", "*.mak", "CMakeLists.txt", "*.cmake", "meson.build", "meson_options.txt",
		"configure", "configure.ac", "*.am", "*.in", "Cargo.toml", "Cargo.lock", "*.gradle", "pom.xml", "BUILD", "BUILD.bazel",
		"*.bzl", "setup.py", "pyproject.toml", "package.json", "pawl.yaml", "go.mod", "*.ninja", "build.sh",
		NULL,
	};

	return is_named(path, names);
}

bool changes_is_test(const char *path)
{
	static const char *const names[] = {
		"test_*", "*_test.*", "*_tests.*", "*.test.*", "*.spec.*", "*_spec.*", "conftest.py", NULL,
	};
	static const char *const folders[] = { "test/", "tests/", "spec/", "testing/", "__tests__/", "unittests/" };

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
		for (const char *at = path; (at = strstr(at, folders[i])); at++)
			if (at == path || at[-1] == '/')
				return true;
	return is_named(path, names);
}

/* True for documents, which a measured program neither contains nor reads. */
static bool is_document(const char *path)
{
	static const char *const names[] = {
		"*.md", "*.rst", "*.adoc", "*.tex", "*.html", "*.1", "*.3", "*.5", "*.7", "*.8", "*.svg", "*.png", "README*",
		"LICENSE*", "COPYING*", "ChangeLog*", "CHANGES*", "NEWS*", "AUTHORS*", ".gitignore", ".gitattributes", ".editorconfig",
		".clang-format", NULL,
	};

	return is_named(path, names) || TEXT_IS(path, "doc/*", "docs/*", ".github/*", "baselines/*");
}

unsigned changes_what(const struct changes *changes)
{
	unsigned what = 0;

	for (size_t i = 0; i < changes->n; i++)
		what |= changes_is_test(changes->items[i].path) ? CHANGED_TESTS : CHANGED_CODE;
	for (size_t i = 0; i < changes->others.n; i++) {
		const char *path = changes->others.items[i];

		what |= changes_is_build_file(path) ? CHANGED_BUILD : is_document(path) ? CHANGED_DOCUMENTS :
			changes_is_test(path) ? CHANGED_TESTS : CHANGED_DATA;
	}
	return what;
}

static bool only(const struct changes *changes, unsigned what)
{
	return changes->known && !changes->cut &&
		(changes_what(changes) & ~(unsigned)(CHANGED_TESTS | CHANGED_DOCUMENTS)) == what;
}

bool changes_only_build(const struct changes *changes)
{
	return only(changes, CHANGED_BUILD);
}

bool changes_only_data(const struct changes *changes)
{
	return only(changes, CHANGED_DATA);
}
