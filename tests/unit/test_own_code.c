/* Files and functions that belong to the project. */
#include "unit.h"

#include "cause/ledger/own_code.h"

TEST(files)
{
	static const struct { const char *path; bool own; } cases[] = {
		{ "/srv/tree/build/app", true },
		{ "/srv/tree/lib/libx.so.1 (deleted)", true },
		{ "/srv/tree", true },
		{ "/srv/treetop/app", true },		/* outside system folders */
		{ "/data/u/other/app", true }, { "./app", true }, { "app.py", true }, { "/usr/src/app/main", true },
		{ "/srv/tree/venv/lib/python3.12/site-packages/numpy/core.so", false },
		{ "/srv/tree/node_modules/x/index.js", false },
		{ "/data/u/.cargo/registry/src/x/lib.rs", false },
		{ "/usr/bin/gzip", true },		/* the program */
		{ "/usr/bin/gzip2", false },
		{ "/usr/lib/x86_64-linux-gnu/libc.so.6", false },
		{ "/usr/local/bin/python3", false }, { "/lib/ld-musl-x86_64.so.1", false },
		{ "/lib64/ld-linux-x86-64.so.2", false },
		{ "/library/app", true }, { "/opt/thing/lib/libthing.so", false },
		{ "/opt/ours/bin/serve", true },	/* a pattern of paths */
		{ "/usr/lib/libours-2.so", true },	/* one of names */
		{ "/nix/store/abc/bin/x", false },
		{ "/rustc/0123/library/core/src/fmt/mod.rs", false },
		{ "/data/u/go/pkg/mod/example.com/yaml@v1.2.3/parse.go", false },
		{ "example.com/yaml@v1.2.3/parse.go", false },	/* with -trimpath */
		{ "example.com/ours/parse.go", true },
		{ "/srv/tree/mail@vision/parse.go", true },
		{ "[kernel.kallsyms]", false }, { "[vdso]", false }, { "[unknown]", false }, { "", false },
		{ "//anon", false }, { "/tmp/perf-123.map", false },
		{ "/lib/modules/6.1.0/kernel/fs/ext4.ko", false },
	};
	struct own_code own = { .root = "/srv/tree", .program = "/usr/bin/gzip" }, nothing = { 0 };
	CLEANUP(strv_release) struct strv patterns = STRV_INIT;

	strv_push(&patterns, "/opt/ours/*");
	strv_push(&patterns, "libours*");
	own.patterns = &patterns;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (own_code_has(&own, cases[i].path) != cases[i].own)
			fail_msg("%s", cases[i].path);
	assert_false(own_code_has(&nothing, "/usr/bin/gzip"));
	assert_true(own_code_has(&nothing, "/srv/tree/app"));
	/* A project's folder may be named like a module. */
	own.root = "/srv/tool@v2.1";
	assert_true(own_code_has(&own, "/srv/tool@v2.1/parse.go"));
	assert_false(own_code_has(&own, "/srv/tool@v2.1/go/pkg/mod/yaml@v1.2.3/parse.go"));
}

TEST(functions)
{
	static const struct { const char *path, *shown; bool source, own; } cases[] = {
		{ "/srv/app", "main", true, true }, { "/srv/app", "main", false, true },
		{ "/usr/lib/libc.so.6", "main", true, false },
		{ "/srv/app", "read", true, true }, { "/srv/app", "read", false, false },
		{ "/srv/app", "__memset_avx2_unaligned_erms", false, false },
		{ "/srv/app", "_IO_file_xsputn", false, false },
		{ "/srv/app", "_int_malloc", false, false },
		{ "/srv/app", "_start", true, false },
		{ "/srv/app", "_initialise", false, true },
		{ "/srv/app", "void std::__introsort_loop<int*, long, cmp>(int*, int*, long, cmp)", true, false },
		{ "/srv/app", "std::vector<own::T>::push_back(own::T const&)", true, false },
		{ "/srv/app", "own::sort(std::vector<int>&)", true, true },
		{ "/srv/app", "std::string own::name<std::string>(int)", true, true },
		{ "/srv/app", "operator new(unsigned long)", true, false },
		{ "/srv/app", "own::T::operator new(unsigned long)", true, true },
		{ "/srv/app", "operator<<(std::ostream&, own::T const&)", true, true },
		{ "/srv/app", "core::ptr::drop_in_place<alloc::string::String>", true, false },
		{ "/srv/app", "<alloc::vec::Vec<T> as core::iter::FromIterator<T>>::from_iter", true, false },
		{ "/srv/app", "<own::T as core::fmt::Display>::fmt", true, true },
		{ "/srv/app", "<u64 as core::fmt::Display>::fmt", false, false },
		{ "/srv/app", "<str as alloc::string::ToString>::to_string", false, false },
		{ "/srv/app", "<&mut W as core::fmt::Write>::write_str", false, false },
		{ "/srv/app", "<u64 as own::Hash>::hash", false, true },
		{ "/srv/app", "core::engine::draw(int)", true, true },		/* a namespace of C++ */
		{ "/srv/app", "runtime.mallocgc", true, false },
		{ "/srv/app", "sort.Slice", true, false },
		{ "/srv/app", "sort.part.0", true, true },
		{ "/srv/app", "main.work", true, true },
	};
	static const struct own_code own = { .root = "/work" };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (own_code_has_function(&own, cases[i].path, cases[i].shown, cases[i].source) != cases[i].own)
			fail_msg("%s in %s", cases[i].shown, cases[i].path);
}
