# Counts the function calls of a Python process. The folder is on PYTHONPATH, so `site` imports this module at start-up.
# The counts are written in callgrind's format to a file next to it when the process ends. For Python 2.7 and any 3.
#
# If a wrapper sets PYTHONPATH itself, or -E makes Python ignore it, `site` finds the folder as the user's site folder,
# named by PYTHONUSERBASE. It imports this module as `usercustomize` if the system has a `sitecustomize`.
#
# Each thread has its own profiler. From Python 3.12 on, one profiler covers all threads and mixes up their calls, so
# counting ends when a second thread starts. A forked child starts again with empty counts. It writes before it leaves by
# os._exit() or a terminating signal, or becomes another program.

import os
import sys


def pawl_count_calls(here):
    import _lsprof
    import atexit
    try:
        import _thread
    except ImportError:
        import thread as _thread

    mine = pawl_count_calls.__code__.co_filename
    first_folder = os.getcwd()
    shared = sys.version_info >= (3, 12)
    clock = getattr(__import__("time"), "perf_counter", None) or __import__("time").time
    sleep = __import__("time").sleep
    start_thread = _thread.start_new_thread
    functions_most, calls_most = 20000, 100000
    state = {}

    # Returns the cost of counting one call, in the caller and in the callee: the least of several tries.
    def weigh():
        def calls(n, call):
            for _ in n:
                call()
        n, plain, caller, callee = 300, 1.0, 1.0, 1.0
        call = {}.keys
        for _ in range(5):
            began = clock()
            calls(range(n), call)
            plain = min(plain, clock() - began)
            profiler = _lsprof.Profiler()
            profiler.enable()
            calls(range(n), call)
            profiler.disable()
            for entry in profiler.getstats():
                if entry.code is calls.__code__:
                    caller = min(caller, entry.inlinetime)
                elif entry.callcount == n:
                    callee = min(callee, entry.inlinetime)
        return max(caller - plain, 0.0) / n, callee / n

    def begin():
        state["pid"] = os.getpid()
        state["written"] = False
        state["functions"] = {}
        state["calls"] = {}
        state["profilers"] = []
        state["keeping"] = _thread.allocate_lock()
        state["writing"] = _thread.allocate_lock()
        state["threads"] = 1
        start()

    def start():
        profiler = _lsprof.Profiler()
        state["profilers"].append(profiler)
        profiler.enable()
        return profiler

    # Adds the counts of PROFILER. The key is the code object, which stays alive, or a builtin's name.
    def keep(profiler):
        def key(code):
            return code if isinstance(code, str) else id(code)

        with state["keeping"]:
            if profiler not in state["profilers"]:
                return
            state["profilers"].remove(profiler)
            functions, calls = state["functions"], state["calls"]
            for entry in profiler.getstats():
                f = functions.setdefault(key(entry.code), [entry.code, 0, 0.0])
                f[1] += entry.callcount
                f[2] += entry.inlinetime
                for to in entry.calls or ():
                    functions.setdefault(key(to.code), [to.code, 0, 0.0])
                    c = calls.setdefault((key(entry.code), key(to.code)), [0, 0.0])
                    c[0] += to.callcount
                    c[1] += to.totaltime

    # Returns "posix.stat" for "<built-in method posix.stat>", "list.append" for "<method 'append' of 'list' objects>".
    def brief(name):
        words = name.split("'")
        if len(words) == 5 and words[2] == " of ":
            return words[3] + "." + words[1]
        for lead in ("<built-in method builtins.", "<built-in method __builtin__.", "<built-in method ", "<built-in function "):
            if name.startswith(lead):
                return name[len(lead):].split(" ")[0].rstrip(">") or name
        return name

    # Returns readable names. A comprehension counts as part of the function that contains it. Code given on the command
    # line gets a path as a script has one.
    def named(functions):
        parents, todo = {}, [f[0] for f in functions.values() if not isinstance(f[0], str)]
        while todo:
            code = todo.pop()
            for inner in code.co_consts:
                if hasattr(inner, "co_code") and id(inner) not in parents:
                    parents[id(inner)] = code
                    todo.append(inner)
        names, held = {}, {}
        main = (getattr(sys, "argv", None) or [""])[0] or "-"
        for key, f in functions.items():
            code = f[0]
            if isinstance(code, str):
                names[key] = (plain(brief(code)), "", 0)
                continue
            while code.co_name in ("<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>") and id(code) in parents:
                code = parents[id(code)]
            held[key] = id(code)
            functions_of = []
            inner = code
            while inner is not None and not (inner.co_name == "<module>" and functions_of):
                functions_of.append(inner.co_name)
                inner = parents.get(id(inner))
            name = getattr(code, "co_qualname", ".".join(reversed(functions_of))).replace(".<locals>", "")
            path = code.co_filename
            if not path.startswith("<") or (main, path) in (("-c", "<string>"), ("-", "<stdin>")):
                path = os.path.normpath(os.path.join(first_folder, path))
            names[id(code)] = (plain(name), plain(path), max(code.co_firstlineno, 1))
        return names, held

    def plain(text):
        if not isinstance(text, str):
            text = text.encode("utf-8", "replace")
        return "".join("?" if c < " " or c == "\x7f" else c for c in text)

    # Returns the file that holds the code at PATH. Brackets tell that it is not the project's.
    def object_of(path):
        library = os.path.dirname(os.__file__)
        if path.startswith("<"):
            return "[%s]" % path.strip("<>")
        if path.startswith(library + os.sep):
            return "%s/[%s]" % os.path.split(path)
        return path or "???"

    # The event "entered" counts what starts a function. Calls count what resumes a comprehension or a generator, too.
    def text():
        functions, calls = state["functions"], state["calls"]
        names, held = named(functions)
        in_caller, in_callee = state["weight"]
        sums, arcs = {}, {}
        for key, (code, n, own) in functions.items():
            to = held.get(key, key)
            s = sums.setdefault(to, [0, 0.0])
            if to == key:
                s[0] += n
            s[1] += own - n * in_callee
        for (caller, callee), (n, total) in calls.items():
            sums[held.get(caller, caller)][1] -= n * in_caller
            a, b = held.get(caller, caller), held.get(callee, callee)
            if a != b:
                arc = arcs.setdefault((a, b), [0, 0.0])
                arc[0] += n
                arc[1] += total
        order = [k for k in sums if names[k][1] != mine and "_lsprof" not in names[k][0]]
        order.sort(key=lambda k: (-sums[k][1], names[k]))
        order = order[:functions_most]
        called = dict((k, []) for k in order)
        some = [(total, n, a, b) for (a, b), (n, total) in arcs.items() if a in called and b in called]
        some.sort(key=lambda arc: (-arc[0], -arc[1], names[arc[2]], names[arc[3]]))
        for total, n, a, b in some[:calls_most]:
            called[a].append((b, n, total))
        numbers = {}

        # Adds "fn=(3) name", and "fn=(3)" from then on.
        def add_place(of, k):
            name, path, _ = names[k]
            for kind, text in (("ob", object_of(path)), ("fl", path or "???"), ("fn", name)):
                n = len(numbers)
                number = numbers.setdefault((kind, text), n)
                lines.append("%s%s=(%d)%s" % (of, kind, number, " " + text if number == n else ""))
        lines = ["# callgrind format", "version: 1", "desc: Python: %d.%d.%d" % sys.version_info[:3], "positions: line",
                 "events: ns entered"]
        whole = 0
        for k in order:
            own = int(round(max(sums[k][1], 0) * 1e9))
            whole += own
            add_place("", k)
            lines.append("%d %d %d" % (names[k][2], own, sums[k][0]))
            for callee, n, total in called[k]:
                add_place("c", callee)
                lines.append("calls=%d %d" % (n, names[callee][2]))
                lines.append("%d %d 0" % (names[k][2], round(total * 1e9)))
        return "\n".join(lines + ["totals: %d %d" % (whole, sum(sums[k][0] for k in order)), ""])

    # A second caller waits for the first.
    def write():
        with state["writing"]:
            if not state["written"]:
                state["written"] = True
                write_file()

    def write_file():
        profilers = list(state["profilers"])
        for profiler in profilers if shared else profilers[:1]:
            profiler.disable()
        for profiler in profilers:
            keep(profiler)
        data = text()
        if not isinstance(data, bytes):
            data = data.encode("utf-8", "surrogateescape")
        for i in range(100):
            try:
                fd = os.open(os.path.join(here, "python.%d.%d" % (os.getpid(), i)),
                             os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except OSError:
                continue
            while data:
                data = data[os.write(fd, data):]
            os.close(fd)
            return

    def write_quietly():
        try:
            write()
        except Exception:
            pass

    def writing_first(function):
        def left(*args, **named):
            write_quietly()
            unblock()
            return function(*args, **named)
        left.__name__ = function.__name__
        return left

    # SIGTERM ends the workers of a pool. A thread waits for the signal, writes, and then lets it take effect. A Python
    # handler would not run if the signal came just before the process goes to sleep.
    def watch():
        try:
            import signal
            if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
                return
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        except (AttributeError, ValueError):
            return

        def wait():
            about_to_wait.release()
            signal.sigwait([signal.SIGTERM])
            write_quietly()
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
            os.kill(os.getpid(), signal.SIGTERM)
        state["blocked"] = signal
        about_to_wait = _thread.allocate_lock()
        about_to_wait.acquire()
        start_thread(wait, ())
        about_to_wait.acquire()
        sleep(0.001)

    def unblock():
        signal = state.get("blocked")
        if signal:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        return signal

    def unblocked(function):
        def called(*args, **named):
            signal = unblock()
            try:
                return function(*args, **named)
            finally:
                if signal:
                    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        return called

    def forked():
        for profiler in state["profilers"]:
            try:
                profiler.disable()
            except Exception:
                pass
        state.pop("blocked", None)
        watch()
        begin()

    def in_thread(function):
        def started(target, *args, **named):
            state["threads"] += 1
            if shared:
                for profiler in list(state["profilers"]):
                    profiler.disable()
                    keep(profiler)
                return function(target, *args, **named)

            def counted(*args, **named):
                profiler = start()
                try:
                    return target(*args, **named)
                finally:
                    profiler.disable()
                    keep(profiler)
            return function(counted, *args, **named)
        return started

    state["weight"] = weigh()
    for module, names in ((_thread, ("start_new_thread", "start_new", "start_joinable_thread")),
                          (sys.modules.get("threading"), ("_start_new_thread", "_start_joinable_thread"))):
        for name in names:
            if hasattr(module, name):
                setattr(module, name, in_thread(getattr(module, name)))
    for name in ("_exit", "execv", "execve"):
        setattr(os, name, writing_first(getattr(os, name)))
    try:
        import _posixsubprocess
        _posixsubprocess.fork_exec = unblocked(_posixsubprocess.fork_exec)
    except (ImportError, AttributeError):
        pass
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=forked)
    else:
        fork = os.fork

        def forking():
            pid = fork()
            if pid == 0:
                forked()
            return pid
        os.fork = forking
    atexit.register(write_quietly)
    begin()


# Restores the user's own site folder, which PYTHONUSERBASE replaced.
def pawl_restore_user_site(here):
    import site

    if os.path.realpath(os.environ.get("PYTHONUSERBASE") or ".") != here:
        return
    try:
        base = os.readlink(os.path.join(here, "userbase"))
    except OSError:
        base = os.path.expanduser(os.path.join("~", ".local"))
    settings = getattr(sys.modules.get("sysconfig"), "_CONFIG_VARS", None)
    if settings:
        settings["userbase"] = base
    behind = []
    if site.USER_SITE in sys.path:
        at = sys.path.index(site.USER_SITE)
        behind = sys.path[at + 1:]
        del sys.path[at:]
    site.USER_BASE, site.USER_SITE = base, None
    site.addusersitepackages(None)
    sys.path.extend([p for p in behind if p not in sys.path])


# Imports the module of the same name that this one hides.
def pawl_import_next(here):
    sys.path[:] = [p for p in sys.path if os.path.realpath(p or ".") != here]
    me = sys.modules.pop(__name__, None)
    try:
        __import__(__name__)
    except ImportError:
        if me is not None:
            sys.modules[__name__] = me
    return me


pawl_here = os.path.dirname(os.path.realpath(__file__))
pawl_restore_user_site(pawl_here)
# Python 2.7 empties a module without references.
pawl_module = pawl_import_next(pawl_here)
try:
    pawl_count_calls(pawl_here)
except ImportError:
    pass
