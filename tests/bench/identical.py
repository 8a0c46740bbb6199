"""Pairs of different builds, of which pawl may call none identical, and pairs of equal ones, which show that it can.

Each row of KINDS makes a base and a head for a number. `pawl run --base BASE --head HEAD` compares them. The last line
counts the pairs; status 1 if a different pair was called identical, or an equal one was measured.

  identical.py [--times N] [NAME...]     NAME is any part of the name of a kind
"""

import concurrent.futures
import importlib.util
import json
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile

PAWL = os.environ["PAWL"]
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
WORKERS = 3

MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>
%s
int main(int argc, char **argv)
{
	volatile long sum = 0;
	long n = 1000;
	(void)argc, (void)argv;
	%s
	for (long i = 0; i < n * 100; i++) sum += i;
	return 0;
}
"""
READ = 'FILE *f = fopen("%s", "r"); char b[64]; while (f && fgets(b, 64, f)) n += atoi(b);'


class Tree:
    """One side: a folder with files, built by commands."""

    def __init__(self, root, home):
        self.root, self.home = root, home
        os.makedirs(root)

    def write(self, path, text, mode=0o644):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb" if isinstance(text, bytes) else "w") as file:
            file.write(text)
        os.chmod(path, mode)

    def run(self, *words):
        subprocess.run(words, cwd=self.root, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def program(self, body, *options, head="", name="w"):
        self.write(name + ".c", MAIN % (head, body))
        self.run("gcc", "-O1", "-o", name, name + ".c", *options)


def scenario(command, more=""):
    return f"version: 1\ntarget: {{ command: {json.dumps(command)} }}\n{more}profile: {{ kinds: [] }}\ngates: {{ task-clock: +50% }}\n"


def reads(tree, name="data.txt"):
    tree.program(READ % name)


def macro(t, head, i):
    t.program("n += N;", f"-DN={i + head}")


def macro_dated(t, head, i):
    t.program("n += N; puts(TIME);", f"-DN={i + head}", f'-DTIME="12:00:{10 + head}"')


def fixed_id(t, head, i):
    t.program("n += N;", f"-DN={i + head}", "-Wl,--build-id=0x1234")


def static(t, head, i):
    t.program("n += N;", f"-DN={i + head}", "-static")


def constant(t, head, i):
    t.program("n += numbers[argc];", head=f"const int numbers[4] = {{ 0, {i + head}, 3 }};")


def variable(t, head, i):
    t.program("n += number;", head=f"int number = {i + 1 + head};")


def text(t, head, i):
    t.program("n += strlen(argc > 5 ? argv[0] : text);", head=f'const char *text = "{"ab"[head]}{i}";')


def commit_like(t, head, i):
    t.program("n += text[3];", head=f'const char *text = "{"0123456789abcdef"[head]}0000{i:03d}abcd";')


def patched(t, head, i):
    t.program("n += number & 7;", head="int number = 0x11223344;")
    with open(os.path.join(t.root, "w"), "r+b") as file:
        data = file.read()
        at = data.index(b"\x44\x33\x22\x11")
        file.seek(at + i % 2)
        file.write(bytes([i + 1 + head]))


def overlay(t, head, i):
    t.program('int fd = open(argv[0], 0); char b; lseek(fd, -1, SEEK_END); read(fd, &b, 1); n += b;')
    with open(os.path.join(t.root, "w"), "ab") as file:
        file.write(bytes([65 + head + i]))


def overlay_self(t, head, i):
    t.program('int fd = open("/proc/self/exe", 0); char b; lseek(fd, -1, SEEK_END); read(fd, &b, 1); n += b;')
    with open(os.path.join(t.root, "w"), "ab") as file:
        file.write(bytes([65 + head + i]))


def linker_script(t, head, i):
    t.write("add.ld", f"number = {4096 * (1 + i + head)};\n")
    t.program("n += (long)&number & 0xffff;", "add.ld", "-no-pie", head="extern char number;")


def library(t, head, i, options=()):
    t.write("lib.c", f"int add(int n) {{ return n + {i + head}; }}\n")
    t.run("gcc", "-shared", "-fPIC", "-o", "libadd.so", "lib.c")
    t.program("n = add(n);", "-L.", "-ladd", "-Wl,-rpath,$ORIGIN", *options, head="int add(int);")


def library_path(t, head, i):
    for k in range(2):
        t.write("lib.c", f"int add(int n) {{ return n + {i + k}; }}\n")
        os.makedirs(f"{t.root}/v{k}")
        t.run("gcc", "-shared", "-fPIC", "-o", f"v{k}/libadd.so", "lib.c")
    t.program("n = add(n);", "-Lv0", "-ladd", f"-Wl,-rpath,$ORIGIN/v{head}", head="int add(int);")


def library_link(t, head, i):
    for k in range(2):
        t.write("lib.c", f"int add(int n) {{ return n + {i + k}; }}\n")
        t.run("gcc", "-shared", "-fPIC", "-o", f"libadd.so.{k}", "lib.c")
    os.symlink(f"libadd.so.{head}", f"{t.root}/libadd.so")
    t.program("n = add(n);", "-L.", "-ladd", "-Wl,-rpath,$ORIGIN", head="int add(int);")


def plugin(t, head, i):
    t.write("lib.c", f"int add(int n) {{ return n + {i + head}; }}\n")
    t.run("gcc", "-shared", "-fPIC", "-o", "plugin.so", "lib.c")
    t.program('int (*add)(int) = dlsym(dlopen("./plugin.so", RTLD_NOW), "add"); n = add(n);', "-ldl", head="#include <dlfcn.h>")


def preload(t, head, i):
    t.write("lib.c", f"__attribute__((constructor)) static void early(void) {{ for (volatile int i = 0; i < {i + head}; i++) ; }}\n")
    t.run("gcc", "-shared", "-fPIC", "-o", "early.so", "lib.c")
    t.program("")
    return scenario("LD_PRELOAD=./early.so ./w")


def data(t, head, i):
    reads(t)
    t.write("data.txt", f"{i}{head}\n")


def data_last_byte(t, head, i):
    reads(t)
    t.write("data.txt", "1\n" * (20000 + i) + f"{head}\n")


def data_mapped(t, head, i):
    t.program('int fd = open("data.txt", O_RDONLY); n += *(char *)mmap(NULL, 2, PROT_READ, MAP_SHARED, fd, 0);', head="#include <sys/mman.h>")
    t.write("data.txt", f"{head}{i}")


def data_openat2(t, head, i):
    t.program('int dir = open(".", O_PATH); long how[3] = { 0 }; int fd = syscall(437, dir, "data.txt", how, sizeof how); char b = 0; '
              'read(fd, &b, 1); n += b;', head="#include <sys/syscall.h>\n#undef O_PATH\n#define O_PATH 010000000")
    t.write("data.txt", f"{head}{i}")


def data_self(t, head, i):
    reads(t, ("/proc/self/cwd/data.txt", "/proc/thread-self/cwd/data.txt")[i % 2])
    t.write("data.txt", f"{i}{head}\n")


def data_below(t, head, i):
    reads(t, "a/b/../data.txt")
    t.write("a/b/c", "")
    t.write("a/data.txt", f"{i}{head}\n")


def data_fresh_name(t, head, i):
    """The name of a flag in a path is no flag."""
    reads(t, "O_CREAT O_EXCL O_TRUNC")
    t.write("O_CREAT O_EXCL O_TRUNC", f"{i}{head}\n")


def data_both(t, head, i):
    t.program('FILE *f = fopen("data.txt", "r+"); char b[64]; while (f && fgets(b, 64, f)) n += atoi(b);')
    t.write("data.txt", f"{i}{head}\n")


def data_read_then_replaced(t, head, i):
    t.write("w.sh", "read -r n <state\nn=$((n + 1))\necho $n >new\nmv new state\nexec ./w\n")
    t.program("")
    t.write("state", f"{100 * head + i}\n")
    return scenario("sh w.sh")


def data_by_shell(t, head, i):
    t.program("n += getchar();")
    t.write("data.txt", f"{head}{i}")
    return scenario(("./w <data.txt", "cat data.txt | ./w", "cd . && ./w <./data.txt")[i % 3])


def data_by_link(t, head, i):
    reads(t)
    for k in range(2):
        t.write(f"data.{k}", f"{i}{k}\n")
    os.symlink(f"data.{head}", f"{t.root}/data.txt")


def link_text(t, head, i):
    t.program('char b[64] = ""; readlink("link", b, 63); n += b[0];')
    os.symlink(f"{'ab'[head]}{i}", f"{t.root}/link")


def folder_link(t, head, i):
    reads(t, "now/data.txt")
    for k in range(2):
        t.write(f"v{k}/data.txt", f"{i}{k}\n")
    os.symlink(f"v{head}", f"{t.root}/now")


def appears(t, head, i):
    t.program('n += access("marker", F_OK) ? 0 : 100;')
    if (head + i) % 2:
        t.write("marker", "")


def appears_config(t, head, i):
    reads(t, ".config")
    if (head + i) % 2:
        t.write(".config", f"{i}\n")


def listing(t, head, i):
    t.program('DIR *d = opendir("in"); while (d && readdir(d)) n++;', head="#include <dirent.h>")
    t.write("in/a", "")
    t.write(f"in/{'bc'[head]}{i}", "")


def listing_glob(t, head, i):
    t.program("n += argc;")
    t.write("in/a", "")
    if (head + i) % 2:
        t.write("in/b", "")
    return scenario("./w in/*")


def size(t, head, i):
    t.program('struct stat st; stat("data.txt", &st); n += st.st_size;')
    t.write("data.txt", "x" * (i + head))


def rights(t, head, i):
    t.program('n += access("tool", X_OK) ? 0 : 100;')
    t.write("tool", "", 0o755 if (head + i) % 2 else 0o644)


def kind(t, head, i):
    t.program('struct stat st; n += stat("thing", &st) == 0 && S_ISDIR(st.st_mode) ? 100 : 0;')
    if (head + i) % 2:
        t.write("thing/a", "")
    else:
        t.write("thing", "")


def newer(t, head, i):
    t.write("a", "")
    t.write("b", "")
    for k, name in enumerate("ab"):
        os.utime(f"{t.root}/{name}", (1600000000 + i, 1600000000 + i + (k ^ head)))
    t.program('struct stat a, b; stat("a", &a); stat("b", &b); n += a.st_mtime < b.st_mtime ? 100 : 0;')


def make(t, head, i):
    newer(t, head, i)
    t.write("Makefile", "b: a\n\t./w\n")
    return scenario("make -s b")


def script(t, head, i):
    t.write("w.sh", f"i=0\nwhile [ $i -lt {10 + i + head} ]; do i=$((i + 1)); done\n", 0o755)
    return scenario(("sh w.sh", "sh <w.sh", "./w.sh", ". ./w.sh", "cat w.sh | sh", "bash w.sh")[i % 6])


def script_sourced(t, head, i):
    t.write("w.sh", ". ./lib.sh\ni=0\nwhile [ $i -lt $n ]; do i=$((i + 1)); done\n")
    t.write("lib.sh", f"n={10 + i + head}\n")
    return scenario("sh w.sh")


def interpreter(t, head, i):
    t.program("n += N;", f"-DN={i + head}", name="interp")
    t.write("w.sh", "#!./interp\n", 0o755)
    return scenario("./w.sh")


def interpreter_whole(t, head, i):
    t.program("n += N;", f"-DN={i + head}", name="interp")
    t.write("w.sh", f"#!{t.root}/interp\n", 0o755)
    return scenario("./w.sh")


def loader(t, head, i):
    shutil.copy(f"/lib64/{LOADER}", f"{t.root}/ld.so")
    if head:
        with open(f"{t.root}/ld.so", "ab") as file:
            file.write(bytes([i]))
    t.program("", "-Wl,--dynamic-linker=./ld.so")


def helper(t, head, i):
    t.program("n += N;", f"-DN={i + head}", name="libexec-w")
    t.program('execl("./libexec-w", "w", NULL);')


def environment_file(t, head, i):
    t.program('n += atoi(getenv("N"));')
    t.write("env", f"N={i}{head}\nexport N\n")
    return scenario(". ./env; ./w")


def environment_path(t, head, i):
    """Both sides find another program on the same PATH."""
    t.program("")
    for k in range(2):
        t.write(f"{'ab'[k]}/tool", f"#!/bin/sh\nexit 0 # {k} {i}\n", 0o755 if k >= head else 0o644)
    return scenario("PATH=$PWD/a:$PWD/b:$PATH; tool")


def home_config(t, head, i):
    reads(t, f"{t.home}/.wrc")
    t.write("wrc", f"{i}{head}\n")
    return scenario(["./w"], f"setup: cp wrc {t.home}/.wrc\n")


def home_config_each(t, head, i):
    reads(t, f"{t.home}/.wrc")
    t.write("wrc", f"{i}{head}\n")
    return scenario(["./w"], f"prepare: cp wrc {t.home}/.wrc\n")


def prepared(t, head, i):
    reads(t)
    t.write("make.sh", f"n=$(cat count 2>/dev/null || echo 0)\necho $((n + 1)) >count\necho $((n % 2 * {head + i})) >data.txt\n")
    return scenario(["./w"], "prepare: sh make.sh\n")


def set_up(t, head, i):
    reads(t)
    t.write("make.sh", f"echo {i}{head} >data.txt\n")
    return scenario(["./w"], "setup: sh make.sh\n")


def place(t, head, i):
    t.program("n += atoi(argv[1]);")
    t.write("n", f"{i}{head}\n")
    return scenario("./w $(cat n)")


def python_module(t, head, i):
    t.write("w.py", "import mod\nfor k in range(mod.N): pass\n")
    t.write("mod.py", f"N = {10 + i + head}\n")
    return scenario([PYTHON, "w.py"])


def python_package(t, head, i):
    t.write("w.py", "import pkg.deep.mod as mod\nfor k in range(mod.N): pass\n")
    t.write("pkg/__init__.py", "")
    t.write("pkg/deep/__init__.py", f"# {i}\n")
    t.write("pkg/deep/mod.py", f"N = {10 + i + head}\n")
    return scenario(f"{PYTHON} w.py")


def cached(t, head, i, mode):
    t.write("w.py", "import mod\nfor k in range(mod.N): pass\n")
    t.write("mod.py", f"N = {10 + i + head}\n")
    cache = importlib.util.cache_from_source(f"{t.root}/mod.py")
    py_compile.compile(f"{t.root}/mod.py", cache, dfile=f"{t.root}/mod.py", invalidation_mode=mode)
    return scenario([PYTHON, "w.py"])


def python_cache(t, head, i):
    """The caches differ, but no source does: a change within a second that keeps its size."""
    more = cached(t, head, i, py_compile.PycInvalidationMode.TIMESTAMP)
    st = os.stat(f"{t.root}/mod.py")
    t.write("mod.py", f"N = {10 + i}\n")
    os.utime(f"{t.root}/mod.py", ns=(st.st_atime_ns, st.st_mtime_ns))
    return more


def python_unchecked(t, head, i):
    more = cached(t, head, i, py_compile.PycInvalidationMode.UNCHECKED_HASH)
    t.write("mod.py", f"N = {10 + i}\n")
    return more


def python_sourceless(t, head, i):
    t.write("w.py", "import mod\nfor k in range(mod.N): pass\n")
    t.write("mod.py", f"N = {10 + i + head}\n")
    py_compile.compile(f"{t.root}/mod.py", f"{t.root}/mod.pyc", dfile="mod.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    os.remove(f"{t.root}/mod.py")
    return scenario([PYTHON, "w.py"])


def perl(t, head, i):
    t.write("w.pl", "use lib '.'; use Mod; for my $k (1 .. $Mod::N) { }\n")
    t.write("Mod.pm", f"package Mod; our $N = {10 + i + head}; 1;\n")
    return scenario("perl w.pl")


def awk(t, head, i):
    t.write("w.awk", f"BEGIN {{ for (i = 0; i < {10 + i + head}; i++) n += i }}\n")
    return scenario("awk -f w.awk")


def symbols(t, head, i):
    """What is not loaded differs, and the target reads that."""
    t.program("n += local();", "-g", head=f"static int {'ab'[head]}{i}; static int local(void) {{ return {'ab'[head]}{i}; }}")
    return scenario("nm w | sort >/dev/null")


def connection(t, head, i):
    t.program('struct sockaddr_un a = { AF_UNIX, "sock" }; int s = socket(AF_UNIX, SOCK_STREAM, 0); bind(s, (void *)&a, sizeof a); '
              'listen(s, 1); int c = socket(AF_UNIX, SOCK_STREAM, 0); n += connect(c, (void *)&a, sizeof a); unlink("sock");',
              head=f"#include <sys/socket.h>\n#include <sys/un.h>\n/* {i} */")


def shared_memory(t, head, i):
    t.program(f"n += shmget({4711 + i}, 4096, IPC_CREAT | 0600) < 0;", head="#include <sys/shm.h>")
    if head:
        t.write("unused", "")


def other_process(t, head, i):
    t.program(f'n += access("/proc/{os.getpid()}/stat", R_OK); FILE *f = fopen("/proc/{os.getpid()}/stat", "r"); n += f != NULL;')


LOADER = "ld-linux-x86-64.so.2"

DIFFERENT = [
    macro, macro_dated, fixed_id, static, constant, variable, text, commit_like, patched, overlay, overlay_self, linker_script, library,
    library_path, library_link, plugin, preload, data, data_last_byte, data_mapped, data_openat2, data_self, data_below, data_fresh_name,
    data_both, data_read_then_replaced, data_by_shell, data_by_link, link_text, folder_link, appears, appears_config, listing, listing_glob,
    size, rights, kind, newer, make, script, script_sourced, interpreter, interpreter_whole, loader, helper, environment_file,
    environment_path, home_config, home_config_each, prepared, set_up, place, python_module, python_package, python_cache, python_unchecked,
    python_sourceless, perl, awk, symbols, connection, shared_memory, other_process,
]


def same(make_one):
    """The same on both sides."""
    def made(t, head, i):
        return make_one(t, 0, i)
    made.__name__ = "same_" + make_one.__name__
    return made


def same_debug(t, head, i):
    """Debug information names the folder of the build, so build-ids differ."""
    t.write("lib.c", f"int add(int n) {{ return n + {i}; }}\n")
    t.run("gcc", "-g", "-shared", "-fPIC", "-o", "libadd.so", "lib.c")
    t.program("n = add(n);", "-g", "-L.", "-ladd", "-Wl,-rpath,$ORIGIN", head="int add(int);")


def same_temporary(t, head, i):
    t.program('char name[] = "/tmp/identical-XXXXXX"; int fd = mkstemp(name); n += read(fd, name + 20, 0); close(fd); fd = open(name, 0); '
              'close(fd); unlink(name); FILE *f = fopen("out", "w+"); fputs("1", f); rewind(f); n += getc(f); fclose(f);', head=f"/* {i} */")


def same_documents(t, head, i):
    data(t, 0, i)
    t.write("README", f"{i} {head}\n")


EQUAL = [same(row) for row in (macro, library, plugin, preload, data, data_by_shell, data_by_link, appears, listing, script, script_sourced,
                               helper, place, python_module, python_package, perl, awk, set_up)] + [same_debug, same_temporary, same_documents]


def compare(folder, make_one, i):
    """Makes one pair; returns pawl's `identical`, or None."""
    root = os.path.join(folder, f"{make_one.__name__}-{i}")
    home = os.path.join(root, "home")
    os.makedirs(home)
    for head, side in enumerate(("base", "head")):
        tree = Tree(os.path.join(root, side), home)
        text = make_one(tree, head, i) or scenario(["./w"])
        tree.write("scenarios/a.yaml", text)
    env = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CACHE_HOME": home + "/.cache", "XDG_CONFIG_HOME": home + "/.config"}
    os.chmod(home, 0o700)
    # The trees are complete before pawl begins.
    done = subprocess.run([PAWL, "run", "a", "--base", "../base", "--no-profile", "--no-explain", "--runs", "1", "--json"], cwd=f"{root}/head",
                          env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        result = json.loads(done.stdout)["scenarios"][0]
    except (ValueError, LookupError):
        return f"FAILED: {done.stderr.strip()[-300:]}"
    found = (result.get("pairing") or {}).get("identical")
    why = [line for line in result.get("evidence") or [] if "identical" in line]
    if found:
        return found
    return None if result.get("pairs") else f"FAILED: {result.get('failure')}", why


def main():
    args = sys.argv[1:]
    times = int(args[args.index("--times") + 1]) if "--times" in args else 4
    names = [a for k, a in enumerate(args) if a != "--times" and (not k or args[k - 1] != "--times")]
    rows = [(row, i, False) for row in DIFFERENT for i in range(times)] + [(row, i, True) for row in EQUAL for i in range(max(1, times // 2))]
    rows = [row for row in rows if not names or any(name in row[0].__name__ for name in names)]
    wrong = {False: 0, True: 0}
    failed = 0
    folder = tempfile.mkdtemp(prefix="identical-")

    def one(row):
        try:
            return compare(folder, row[0], row[1])
        except subprocess.CalledProcessError as fault:
            return f"FAILED: {fault}"

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for row, found in zip(rows, pool.map(one, rows)):
            make_one, i, equal = row
            why = ""
            if isinstance(found, tuple):
                found, why = found
            if isinstance(found, str):
                failed += 1
                print(f"{make_one.__name__} {i}: {found}", flush=True)
            elif bool(found) != equal:
                wrong[equal] += 1
                print(f"{make_one.__name__} {i}: {'measured ' + str(why) if equal else 'CALLED IDENTICAL ' + str(found)}", flush=True)
    shutil.rmtree(folder)
    different = sum(not row[2] for row in rows)
    print(f"{different} different pairs: {wrong[False]} called identical; {len(rows) - different} equal pairs: {wrong[True]} measured; "
          f"{failed} failed")
    sys.exit(1 if wrong[False] or wrong[True] or failed else 0)


main()
