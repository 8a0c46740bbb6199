/* The files that an execution depended on, from the text of strace. */
#include "unit.h"

#include "cause/ledger/accesses.h"

#define AT "7 1.0 "

/* Appends "PATH:USES", with a letter for each use, and what is unknown. */
static void describe(const struct accesses *a, struct strbuf *out)
{
	static const char letters[] = "RXSANLFW";

	for (size_t i = 0; i < a->n; i++) {
		if (!a->items[i].uses)
			continue;
		strbuf_addf(out, "%s%s:", out->len ? " " : "", a->items[i].path);
		for (size_t k = 0; letters[k]; k++)
			if (a->items[i].uses & (1u << k))
				strbuf_addc(out, letters[k]);
	}
	if (a->unknown)
		strbuf_addf(out, " (%s)", a->unknown);
}

TEST(uses_are_told_by_calls)
{
	static const struct { const char *text, *expected; } cases[] = {
		{ AT "openat(AT_FDCWD</w>, \"a\", O_RDONLY) = 3</w/a>\n", "/w/a:R" },
		{ AT "openat(AT_FDCWD</w>, \"/x/a\", O_RDONLY|O_CLOEXEC) = 3</x/a>\n", "/x/a:R" },
		{ AT "openat(5</d>, \"a\", O_RDONLY) = 3</d/a>\n", "/d/a:R" },
		{ AT "open(\"a\", O_RDONLY) = 3</w/a>\n", "/w/a:R" },
		/* As it was named, not where its links lead. */
		{ AT "openat(AT_FDCWD</w>, \"link\", O_RDONLY) = 3</w/real>\n", "/w/link:R" },
		{ AT "openat(AT_FDCWD</w>, \"a\", O_RDONLY) = -1 ENOENT (No such file or directory)\n", "/w/a:A" },
		{ AT "openat(AT_FDCWD</w>, \"a\", O_RDONLY) = -1 EACCES (Permission denied)\n", "/w/a:F" },
		{ AT "access(\"/x\", R_OK) = 0\n", "/x:S" },
		{ AT "newfstatat(AT_FDCWD</w>, \"a\", {st_mode=S_IFREG|0644, st_size=2, ...}, 0) = 0\n", "/w/a:S" },
		{ AT "newfstatat(3</w/a>, \"\", {st_mode=S_IFREG|0644, ...}, AT_EMPTY_PATH) = 0\n", "" },
		{ AT "readlink(\"l\", \"text\", 99) = 4\n", "/w/l:L" },
		{ AT "getdents64(3</w/d>, 0x5555 /* 3 entries */, 32768) = 72\n", "/w/d:N" },
		{ AT "execve(\"./p\", [\"./p\", \"/not\"], 0x7ff /* 3 vars */) = 0\n", "/w/./p:X" },
		/* What it made itself is its own. */
		{ AT "openat(AT_FDCWD</w>, \"t\", O_RDWR|O_CREAT|O_EXCL, 0600) = 3</w/t>\n" AT "openat(AT_FDCWD</w>, \"t\", O_RDONLY) = 4</w/t>\n",
		  "/w/t:W" },
		{ AT "openat(AT_FDCWD</w>, \"t\", O_WRONLY|O_CREAT|O_TRUNC, 0600) = 3</w/t>\n" AT "openat(AT_FDCWD</w>, \"t\", O_RDONLY) = 4</w/t>\n",
		  "/w/t:W" },
		{ AT "mkdir(\"d\", 0777) = 0\n" AT "openat(AT_FDCWD</w>, \"d/a\", O_RDONLY) = 3</w/d/a>\n", "/w/d:W" },
		{ AT "access(\"t\", F_OK) = -1 ENOENT (No such file or directory)\n" AT "openat(AT_FDCWD</w>, \"t\", O_RDWR|O_CREAT, 0600) = 3</w/t>\n",
		  "/w/t:W" },
		/* A name is no flag. */
		{ AT "openat(AT_FDCWD</w>, \"O_CREAT|O_EXCL|O_TRUNC|O_WRONLY\", O_RDONLY) = 3</w/x>\n", "/w/O_CREAT|O_EXCL|O_TRUNC|O_WRONLY:R" },
		/* What it reads and changes is another thing in the next run. */
		{ AT "openat(AT_FDCWD</w>, \"a\", O_RDWR) = 3</w/a>\n", "/w/a:RW (it reads and changes /w/a)" },
		{ AT "openat(AT_FDCWD</w>, \"a\", O_RDONLY) = 3</w/a>\n" AT "openat(AT_FDCWD</w>, \"a\", O_WRONLY|O_TRUNC) = 3</w/a>\n",
		  "/w/a:RW (it reads and changes /w/a)" },
		{ AT "openat(AT_FDCWD</w>, \"a\", O_RDONLY) = 3</w/a>\n" AT "unlink(\"a\") = 0\n", "/w/a:RW (it reads and changes /w/a)" },
		{ AT "rename(\"a\", \"b\") = 0\n", "/w/a:W /w/b:W (it renames a file that it did not make)" },
		{ AT "openat(AT_FDCWD</w>, \"/dev/null\", O_RDWR) = 3</dev/null>\n", "/dev/null:RW" },
		{ AT "linkat(AT_FDCWD</w>, \"a\", AT_FDCWD</w>, \"b\", 0) = 0\n", "/w/a:R /w/b:W" },
		/* A call in two lines. */
		{ AT "openat(AT_FDCWD</w>, \"a\", O_RDONLY <unfinished ...>\n" "8 1.0 access(\"/y\", F_OK) = 0\n" AT "<... openat resumed>) = 3</w/a>\n",
		  "/y:S /w/a:R" },
		/* Folders. */
		{ AT "chdir(\"d\") = 0\n" AT "access(\"a\", F_OK) = 0\n", "/w/d:S /w/d/a:S" },
		/* What is no file. */
		{ AT "connect(3<socket:[7]>, {sa_family=AF_INET, sin_port=htons(80)}, 16) = 0\n", " (it depends on connect())" },
		{ AT "connect(3<socket:[7]>, {sa_family=AF_INET, sin_port=htons(80)}, 16) = -1 EINPROGRESS (Operation now in progress)\n",
		  " (it depends on connect())" },
		{ AT "connect(3<socket:[7]>, {sa_family=AF_UNIX, sun_path=\"/run/nscd\"}, 110) = -1 ENOENT (No such file or directory)\n",
		  "" },
		{ AT "shmget(0x1, 4096, IPC_CREAT|0600) = 4\n", " (it depends on shmget())" },
		{ AT "io_uring_setup(8, {flags=0}) = 3<anon_inode:[io_uring]>\n", " (it depends on io_uring_setup())" },
		{ AT "getxattr(\"a\", \"user.x\", 0x1, 9) = 3\n", " (it depends on getxattr())" },
		{ AT "socketpair(AF_UNIX, SOCK_STREAM, 0, [3, 4]) = 0\n", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(accesses_release) struct accesses accesses = { 0 };
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;
		struct error err = ERROR_INIT;

		if (strace_read_accesses(cases[i].text, strlen(cases[i].text), "/w", &accesses, &err) < 0)
			fail_msg("%s: %s", cases[i].text, err.msg);
		describe(&accesses, &found);
		if (strcmp(found.buf, cases[i].expected) != 0)
			fail_msg("%sfound:    %s\nexpected: %s", cases[i].text, found.buf, cases[i].expected);
	}
}

TEST(each_opening_of_a_library_is_matched_by_a_map)
{
	static const char text[] = AT "openat(AT_FDCWD</w>, \"/l.so\", O_RDONLY) = 3</l.so>\n"
				   AT "mmap(NULL, 9, PROT_READ, MAP_PRIVATE, 3</l.so>, 0) = 0x1\n"
				   AT "mmap(NULL, 9, PROT_READ|PROT_EXEC, MAP_PRIVATE, 3</l.so>, 0) = 0x1\n"
				   AT "openat(AT_FDCWD</w>, \"/l.so\", O_RDONLY) = 3</l.so>\n";
	CLEANUP(accesses_release) struct accesses accesses = { 0 };
	struct error err = ERROR_INIT;

	assert_int_equal(strace_read_accesses(text, strlen(text), "/w", &accesses, &err), 0);
	assert_int_equal(accesses.items[0].opened, 2);
	assert_int_equal(accesses.items[0].mapped, 1);
}

TEST(threads_share_their_folder)
{
	static const char text[] = AT "clone(child_stack=0x7f, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD) = 8\n"
				   "8 1.0 chdir(\"/other\") = 0\n" AT "access(\"a\", F_OK) = 0\n";
	CLEANUP(accesses_release) struct accesses accesses = { 0 };
	struct error err = ERROR_INIT;

	assert_int_equal(strace_read_accesses(text, strlen(text), "/w", &accesses, &err), 0);
	assert_string_equal(accesses.unknown, "a relative path in an unknown folder");
}

TEST(a_relative_path_after_two_forks_at_once_is_in_doubt)
{
	static const char text[] = AT "clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>\n"
				   "8 1.0 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>\n"
				   AT "<... clone resumed>) = 9\n"
				   "8 1.0 <... clone resumed>) = 10\n"
				   "8 1.0 chdir(\"/other\") = 0\n"
				   "9 1.0 access(\"a\", F_OK) = 0\n";
	CLEANUP(accesses_release) struct accesses accesses = { 0 };
	struct error err = ERROR_INIT;

	assert_int_equal(strace_read_accesses(text, strlen(text), "/w", &accesses, &err), 0);
	assert_string_equal(accesses.unknown, "a relative path in an unknown folder");
}
