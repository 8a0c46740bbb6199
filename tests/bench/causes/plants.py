"""What is planted: one commit each.

name; program: a folder here; kind: what it was made as; kinds: those that are an honest answer; names: functions that
are (the own one, or the own caller of the library or system call; "*": any, where no function is at fault); size: by how
much CPU time, or what passes, rises, as measured by hand; edits: (file, old text, which occurs once, new text), or
(file, None, text) of a new file; before: edits of the base as well. Without kinds a change is harmless.
"""

# Programs that are laid over a Debian source package of this name.
DEBIAN = {}

PLANTS = []


def plant(name, kind, names, size, what, *edits, also=(), before=()):
    PLANTS.append({"name": name, "program": name.split("-")[0], "kind": kind, "kinds": {kind, *also} if kind else set(),
                   "names": set(names.split("|")) if names else set(), "size": size, "what": what, "edits": list(edits),
                   "before": list(before)})


def harmless(name, what, *edits, before=()):
    plant(name, "", "", "0 %", what, *edits, before=before)


# -------- words

plant("words-hash", "work", "table_find|table_count|hash_text", "?", "the hash reads four letters, so chains are long",
      ("table.c", "for (size_t i = 0; i < length; i++)\n\t\thash =", "for (size_t i = 0; i < length && i < 8; i++)\n\t\thash ="),
      also=["slower-per-instruction"])
plant("words-letter", "work", "is_letter|scan_words", "?", "letters are looked up in a text",
      ("scan.c", "\treturn (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\\'';",
       "\treturn c && strchr(\"etaoinshrdlucmfwypvbgkqjxzETAOINSHRDLUCMFWYPVBGKQJXZ0123456789'\", c);"),
      ("scan.c", '#include "words.h"\n', '#include "words.h"\n\n#include <string.h>\n'))
plant("words-read", "system-calls", "buffer_read", "?", "reads 64 bytes at a time",
      ("buffer.c", "CHUNK = 65536", "CHUNK = 64"))
plant("words-flush", "system-calls", "list_print", "?", "flushes after each line",
      ("list.c", "\tfor (size_t i = 0; i < n; i++)\n\t\tfprintf(to, \"%8u %s\\n\", list[i]->count, list[i]->text);",
       "\tfor (size_t i = 0; i < n; i++) {\n\t\tfprintf(to, \"%8u %s\\n\", list[i]->count, list[i]->text);\n\t\tfflush(to);\n\t}"))
plant("words-table", "faults", "table_init|table_list|table_grow|table_find|table_count", "?", "the table begins with 4 million slots",
      ("table.c", "FIRST_SIZE = 1 << 10", "FIRST_SIZE = 1 << 22"))
plant("words-growth", "allocation", "word_add_line|table_count", "?", "room for lines grows by 4",
      ("table.c", "w->room = w->room ? w->room * 2 : 4;", "w->room += 4;"))
plant("words-malloc", "allocation", "take_word", "?", "a copy of each word is allocated",
      ("scan.c", "\tchar lower[LONGEST];\n\tif (length > sizeof(lower))\n\t\tlength = sizeof(lower);",
       "\tchar *lower = malloc(length + 1);\n\tif (!lower)\n\t\tabort();"),
      ("scan.c", "\ttable_count(t, lower, length, line);\n", "\ttable_count(t, lower, length, line);\n\tfree(lower);\n"),
      ("scan.c", '#include "words.h"\n', '#include "words.h"\n\n#include <stdlib.h>\n'))
plant("words-O0", "build", "*", "?", "built without optimisation",
      ("Makefile", "CFLAGS = -O2", "CFLAGS = -O0"))
plant("words-input", "input", "*", "?", "the text has 20 % more lines",
      ("text.awk", "lines = 60000", "lines = 72000"))
harmless("words-rename", "take_word is now called word_take",
         ("scan.c", "static void take_word(", "static void word_take("),
         ("scan.c", "\t\t\ttake_word(", "\t\t\tword_take("))

# -------- kvlog

plant("kvlog-fsync", "waiting", "log_flush|log_append", "?", "the log is brought to disk with every block",
      ("log.c", "\tlog->held = 0;\n\treturn 0;\n}\n\nstatic", "\tlog->held = 0;\n\treturn fsync(log->fd);\n}\n\nstatic"))
plant("kvlog-sleep", "waiting", "store_delete", "?", "sleeps 1 ms now and then",
      ("store.c", "\t\ts->deletes++;\n", "\t\tif (++s->deletes % 256 == 0)\n\t\t\tusleep(1000);\n"),
      ("store.c", "#include <string.h>\n", "#include <string.h>\n#include <unistd.h>\n"))
plant("kvlog-stat", "system-calls", "store_get|log_read", "?", "a stat before each read",
      ("log.c", "\treturn pread(log->fd", "\tstruct stat st;\n\tif (stat(log->path, &st) || st.st_size < offset)\n\t\treturn -1;\n\treturn pread(log->fd"))
plant("kvlog-peer", "waiting", "peer_tell|peer_send|peer_ask", "?", "the peer answers every eighth record",
      ("peer.c", "\twhile ((n = read(from, data, sizeof(data))) > 0)\n\t\tsum = sum_bytes(sum, data, (size_t)n);",
       "\twhile ((n = read(from, data, sizeof(data))) > 0) {\n\t\tsum = sum_bytes(sum, data, (size_t)n);\n"
       "\t\tif (write(to, &sum, sizeof(sum)) < 0)\n\t\t\t_exit(1);\n\t}"),
      ("peer.c", "\tp->held = 0;\n\treturn 0;\n}\n\nint peer_tell",
       "\tp->held = 0;\n\tuint64_t sum;\n\treturn read(p->from, &sum, sizeof(sum)) == sizeof(sum) ? 0 : -1;\n}\n\nint peer_tell"),
      ("peer.c", "BATCH = 1 << 14", "BATCH = 1 << 9"), also=["system-calls"])
plant("kvlog-startup", "start-up", "config_line|config_read", "?", "the configuration has 20,000 lines",
      ("Makefile", "all: kvlog ops.txt", "all: kvlog ops.txt more.conf"),
      ("Makefile", "ops.txt: ops.awk", "more.conf: kvlog.conf\n\tawk '{ print } END { for (i = 0; i < 20000; i++) print \"unused\" i % 100 \" \" i }' kvlog.conf >$@\n\nops.txt: ops.awk"),
      ("main.c", "config_read(&config, argv[1])", "config_read(&config, \"more.conf\")"), also=["work", "input"])
plant("kvlog-index", "work", "slot_of|index_put|index_grow|index_find", "?", "the table may fill up to 15 in 16",
      ("index.c", "ix->used * 2 >= ix->size", "ix->used * 16 >= ix->size * 15"), also=["slower-per-instruction"])

# -------- shade

plant("shade-lock", "lock", "smooth_rows", "?", "a lock is held while rows are smoothed",
      ("smooth.c", "\tfor (unsigned y = first; y < end; y++) {\n", "\tpthread_mutex_lock(&w->lock);\n\tfor (unsigned y = first; y < end; y++) {\n"),
      ("smooth.c", "\t\t}\n\t}\n}\n", "\t\t}\n\t}\n\tpthread_mutex_unlock(&w->lock);\n}\n"))
plant("shade-locks", "lock", "count_rows", "?", "a lock for every four pixels",
      ("count.c", "\t\t\tt->shades[row[x]]++;\n", "\t\t\tif (x % 4 == 0)\n\t\t\t\tpthread_mutex_lock(&w->lock);\n\t\t\tt->shades[row[x]]++;\n"),
      ("count.c", "\t\t\tt->dark += !light[row[x]];\n", "\t\t\tt->dark += !light[row[x]];\n\t\t\tif (x % 4 == 3)\n\t\t\t\tpthread_mutex_unlock(&w->lock);\n"),
      also=["work"])
plant("shade-serial", "lost-parallelism", "stage_run", "?", "each thread is waited for before the next is started",
      ("stage.c", "\t\t\tabort();\n\t}\n\tfor (unsigned i = 0; i < THREADS; i++)\n\t\tpthread_join(runners[i].id, NULL);\n",
       "\t\t\tabort();\n\t\tpthread_join(runners[i].id, NULL);\n\t}\n"))
plant("shade-columns", "slower-per-instruction", "turn_rows", "?", "a picture is turned column by column, not in tiles",
      ("turn.c", "TILE = BAND", "TILE = WIDTH"))
plant("shade-sharing", "slower-per-instruction", "smooth_rows", "?", "threads count in the same cache line",
      ("shade.h", "\tvolatile uint64_t pixels;\n} __attribute__((aligned(64)));", "\tvolatile uint64_t pixels;\n};"))
plant("shade-branch", "slower-per-instruction", "count_rows", "?", "a branch that cannot be predicted",
      ("count.c", "\t\t\tt->light += light[row[x]];\n\t\t\tt->dark += !light[row[x]];\n",
       "\t\t\tif (light[row[x]]) {\n\t\t\t\tt->light++;\n\t\t\t\t__asm__ volatile(\"\");\n\t\t\t} else {\n\t\t\t\tt->dark++;\n\t\t\t}\n"))
