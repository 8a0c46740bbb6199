"""What is planted: one commit each.

name; program: a folder here; kind: what it was made as; kinds: those that are an honest answer; names: functions that
are (the own one, or the own caller of the library or system call; "*": any, where no function is at fault); size: by how
much CPU time, or what passes, rises, as measured by hand; edits: (file, old text, which occurs once, new text), or
(file, None, text) of a new file; before: edits of the base as well. Without kinds a change is harmless.
"""

# Programs whose files are added to a Debian source package of this name.
DEBIAN = {"lua": "lua5.4", "mawk": "mawk", "cmark": "cmark", "expat": "expat", "tcc": "tcc", "tree": "tree",
          "lz4": "lz4", "mujs": "mujs", "jansson": "jansson", "pugixml": "pugixml", "discount": "discount", "zopfli": "zopfli",
          "dash": "dash", "units": "units"}

# Programs in Python 3.12 or later.
PYTHON = {"textstat"}

# Programs that need more than a C compiler and a shell: the command.
NEEDS = {"basket": "node", "stock": "javac", "ledger": "cargo"}

PLANTS = []


def plant(name, kind, names, size, what, *edits, also=(), before=()):
    PLANTS.append({"name": name, "program": name.split("-")[0], "kind": kind, "kinds": {kind, *also} if kind else set(),
                   "names": set(names.split("|")) if names else set(), "size": size, "what": what, "edits": list(edits),
                   "before": list(before)})


def harmless(name, what, *edits, before=()):
    plant(name, "", "", "0 %", what, *edits, before=before)


# -------- words

plant("words-hash", "work", "table_find|table_count|hash_text", "+40 %", "the hash reads four letters, so chains are long",
      ("table.c", "for (size_t i = 0; i < length; i++)\n\t\thash =", "for (size_t i = 0; i < length && i < 7; i++)\n\t\thash ="),
      also=["slower-per-instruction"])
plant("words-letter", "work", "is_letter|scan_words", "+63 %", "letters are looked up in a text",
      ("scan.c", "\treturn (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\\'';",
       "\treturn c && strchr(\"etaoinshrdlucmfwypvbgkqjxzETAOINSHRDLUCMFWYPVBGKQJXZ0123456789'\", c);"),
      ("scan.c", '#include "words.h"\n', '#include "words.h"\n\n#include <string.h>\n'))
plant("words-read", "system-calls", "buffer_read", "+70 %", "reads 64 bytes at a time",
      ("buffer.c", "CHUNK = 65536", "CHUNK = 64"))
plant("words-flush", "system-calls", "list_print", "+3 %", "flushes after each line",
      ("list.c", "\tfor (size_t i = 0; i < n; i++)\n\t\tfprintf(to, \"%8u %s\\n\", list[i]->count, list[i]->text);",
       "\tfor (size_t i = 0; i < n; i++) {\n\t\tfprintf(to, \"%8u %s\\n\", list[i]->count, list[i]->text);\n\t\tfflush(to);\n\t}"))
plant("words-table", "faults", "table_init|table_list|table_grow|table_find|table_count", "+93 %", "the table begins with 4 million slots",
      ("table.c", "FIRST_SIZE = 1 << 10", "FIRST_SIZE = 1 << 22"), also=["slower-per-instruction"])
plant("words-growth", "allocation", "word_add_line|table_count", "+54 %", "room for lines grows by 4",
      ("table.c", "w->room = w->room ? w->room * 2 : 4;", "w->room += 4;"))
plant("words-malloc", "allocation", "take_word|scan_words", "+17 %", "a copy of each word is allocated",
      ("scan.c", "\tchar lower[LONGEST];\n\tif (length > sizeof(lower))\n\t\tlength = sizeof(lower);",
       "\tchar *lower = malloc(length + 1);\n\tif (!lower)\n\t\tabort();"),
      ("scan.c", "\ttable_count(t, lower, length, line);\n", "\ttable_count(t, lower, length, line);\n\tfree(lower);\n"),
      ("scan.c", '#include "words.h"\n', '#include "words.h"\n\n#include <stdlib.h>\n'))
plant("words-O0", "build", "*", "+113 %", "built without optimisation",
      ("Makefile", "CFLAGS = -O2", "CFLAGS = -O0"))
plant("words-input", "input", "*", "+15 %", "the text has 20 % more lines",
      ("text.awk", "lines = 90000", "lines = 108000"))
harmless("words-rename", "take_word is now called word_take",
         ("scan.c", "static void take_word(", "static void word_take("),
         ("scan.c", "\t\t\ttake_word(", "\t\t\tword_take("))

harmless("words-inline", "two functions move to the header",
         ("words.h", "#endif\n", "static inline int to_lower(int c)\n{\n\treturn c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;\n}\n\n#endif\n"),
         ("scan.c", "static int to_lower(int c)\n{\n\treturn c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;\n}\n\n", ""))

# -------- kvlog

plant("kvlog-fsync", "waiting", "log_flush|log_append", "+165 % wall", "the log is brought to disk with every block",
      ("log.c", "\tlog->held = 0;\n\treturn 0;\n}\n\nstatic", "\tlog->held = 0;\n\treturn fsync(log->fd);\n}\n\nstatic"))
plant("kvlog-sleep", "waiting", "store_delete", "+130 % wall", "sleeps 1 ms now and then",
      ("store.c", "\t\ts->deletes++;\n", "\t\tif (++s->deletes % 64 == 0)\n\t\t\tusleep(1000);\n"),
      ("store.c", "#include <string.h>\n", "#include <string.h>\n#include <unistd.h>\n"))
plant("kvlog-stat", "system-calls", "store_get|log_read", "+44 %", "a stat before each read",
      ("log.c", "\treturn pread(log->fd", "\tstruct stat st;\n\tif (stat(log->path, &st) || st.st_size < offset)\n\t\treturn -1;\n\treturn pread(log->fd"))
plant("kvlog-peer", "waiting", "peer_tell|peer_send|peer_ask|peer_serve", "+83 %", "the peer answers every eighth record",
      ("peer.c", "\twhile ((n = read(from, data, sizeof(data))) > 0)\n\t\tsum = sum_bytes(sum, data, (size_t)n);",
       "\twhile ((n = read(from, data, sizeof(data))) > 0) {\n\t\tsum = sum_bytes(sum, data, (size_t)n);\n"
       "\t\tif (write(to, &sum, sizeof(sum)) < 0)\n\t\t\t_exit(1);\n\t}"),
      ("peer.c", "\tp->held = 0;\n\treturn 0;\n}\n\nint peer_tell",
       "\tp->held = 0;\n\tuint64_t sum;\n\treturn read(p->from, &sum, sizeof(sum)) == sizeof(sum) ? 0 : -1;\n}\n\nint peer_tell"),
      ("peer.c", "BATCH = 1 << 14", "BATCH = 1 << 9"), also=["system-calls"])
plant("kvlog-startup", "start-up", "config_line|config_read", "+28 % instructions", "the configuration has 20,000 lines",
      ("Makefile", "all: kvlog ops.txt", "all: kvlog ops.txt more.conf"),
      ("Makefile", "ops.txt: ops.awk", "more.conf: kvlog.conf\n\tawk '{ print } END { for (i = 0; i < 20000; i++) print \"unused\" i % 100 \" \" i }' kvlog.conf >$@\n\nops.txt: ops.awk"),
      ("main.c", "config_read(&config, argv[1])", "config_read(&config, \"more.conf\")"), also=["work", "input"])
plant("kvlog-index", "work", "slot_of|index_put|index_grow|index_find", "+3 %", "the table may fill up to 15 in 16",
      ("index.c", "ix->used * 2 >= ix->size", "ix->used * 16 >= ix->size * 15"), also=["slower-per-instruction"])

plant("kvlog-child", "waiting", "store_open|log_open", "+50 ms wall", "waits for a command at the start",
      ("store.c", "\tindex_init(&s->index);\n", "\tindex_init(&s->index);\n\tif (system(\"sleep 0.05\"))\n\t\treturn -1;\n"), also=["start-up"])
plant("kvlog-exec", "system-calls", "log_flush|log_append", "+130 %", "a process for each block that is written",
      ("log.c", "\tlog->held = 0;\n\treturn 0;\n}\n\nstatic", "\tlog->held = 0;\n\treturn system(\"true\");\n}\n\nstatic"), also=["waiting"])

# -------- shade

plant("shade-lock", "lock", "smooth_rows", "+40 % wall", "a lock is held while rows are smoothed",
      ("smooth.c", "\tfor (unsigned y = first; y < end; y++) {\n", "\tpthread_mutex_lock(&w->lock);\n\tfor (unsigned y = first; y < end; y++) {\n"),
      ("smooth.c", "\t\t}\n\t}\n}\n", "\t\t}\n\t}\n\tpthread_mutex_unlock(&w->lock);\n}\n"))
plant("shade-locks", "lock", "count_rows", "+10 %", "a lock for every four pixels",
      ("count.c", "\t\t\tt->shades[row[x]]++;\n", "\t\t\tif (x % 4 == 0)\n\t\t\t\tpthread_mutex_lock(&w->lock);\n\t\t\tt->shades[row[x]]++;\n"),
      ("count.c", "\t\t\tt->dark += !light[row[x]];\n", "\t\t\tt->dark += !light[row[x]];\n\t\t\tif (x % 4 == 3)\n\t\t\t\tpthread_mutex_unlock(&w->lock);\n"),
      also=["work"])
plant("shade-serial", "lost-parallelism", "stage_run", "+18 % wall", "each thread is waited for before the next is started",
      ("stage.c", "\t\t\tabort();\n\t}\n\tfor (unsigned i = 0; i < THREADS; i++)\n\t\tpthread_join(runners[i].id, NULL);\n",
       "\t\t\tabort();\n\t\tpthread_join(runners[i].id, NULL);\n\t}\n"))

# -------- Lua

plant("lua-strings", "slower-per-instruction", "internshrstr|growstrtab", "+89 %", "the table of strings stays small",
      ("src/lstring.c", "  if (tb->size <= MAXSTRTB / 2)", "  if (tb->size <= 1024)"), also=["work"])
plant("lua-buffer", "allocation", "resizebox|newbuffsize|prepbuffsize|luaL_addvalue|tconcat|addfield|box_realloc", "+1 %",
      "a buffer grows by 16 bytes",
      ("src/lauxlib.c", "size_t newsize = B->size * 2;", "size_t newsize = B->size + 16;"), also=["faults", "work"])
plant("lua-getc", "work", "read_line|g_read|io_readline", "+0.7 % instructions", "a lock for each letter that is read",
      ("src/liolib.c", "#define l_getc(f)\t\tgetc_unlocked(f)", "#define l_getc(f)\t\tgetc(f)"), also=["lock"])
plant("lua-flush", "system-calls", "g_write|f_write", "+30 %", "flushes after each write",
      ("src/liolib.c", "  if (l_likely(status))\n    return 1;  /* file handle", "  fflush(f);\n  if (l_likely(status))\n    return 1;  /* file handle"))
plant("lua-compare", "work", "l_strcmp", "+2.7 % instructions", "takes the length of both before it compares",
      ("src/lvm.c", "  for (;;) {  /* for each segment */\n    int temp = strcoll(l, r);",
       "  for (;;) {  /* for each segment */\n    if (strlen(l) > ll || strlen(r) > lr)\n      return 1;\n    int temp = strcoll(l, r);"))
plant("lua-gc", "work", "propagatemark|sweeplist|reallymarkobject|singlestep|luaC_step|incstep|traversestrongtable|atomic|"
      "sweepstep|sweepgen|traversetable|propagateall|freeobj|clearkey|markmt|luaC_freeallobjects|lua_newstate|sweeptolive|"
      "setpause|luaE_setdebt|traverseLclosure|traverseproto", "+1 %", "collects garbage at 1.15 times the memory, not at twice",
      ("src/lgc.h", "#define LUAI_GCPAUSE    200", "#define LUAI_GCPAUSE    115"))
plant("lua-O1", "build", "*", "+3 %", "built with -O1",
      ("src/Makefile", "CFLAGS= -O2", "CFLAGS= -O1"))
harmless("lua-inline", "the mark of a found string is written out by hand",
         ("src/lstring.c", "      if (isdead(g, ts))  /* dead (but not collected yet)? */\n        changewhite(ts);  /* resurrect it */\n      return ts;\n    }\n  }\n  /* else",
          "      int dead = isdead(g, ts);  /* dead (but not collected yet)? */\n      if (dead) {\n        changewhite(ts);  /* resurrect it */\n      }\n      return ts;\n    }\n  }\n  /* else"))

# -------- mawk

plant("mawk-array", "slower-per-instruction", "find_by_sval", "+100 %", "lists of an array grow to a length of 60",
      ("array.c", "#define MAX_AVE_LIST_LENGTH   12", "#define MAX_AVE_LIST_LENGTH   60"), also=["work"])
plant("mawk-read", "system-calls", "fillbuff|FINgets", "+37 %", "reads 64 bytes at a time",
      ("sizes.h", "#define  BUFFSZ         4096", "#define  BUFFSZ         64"))
plant("mawk-sleep", "waiting", "double_the_hash_table", "+42 % wall", "waits 10 ms before a table is doubled",
      ("array.c", "   unsigned old_hmask = A->hmask ;\n   unsigned new_hmask = (old_hmask<<1)+1 ;\n   DUAL_LINK *table ;\n   A->ptr = zrealloc",
       "   unsigned old_hmask = A->hmask ;\n   unsigned new_hmask = (old_hmask<<1)+1 ;\n   DUAL_LINK *table ;\n   usleep(10000) ;\n   A->ptr = zrealloc"),
      ("array.c", '#include "mawk.h"\n', '#include "mawk.h"\n#include <unistd.h>\n'))
plant("mawk-table", "start-up", "bi_funct_init", "+1 %", "a table of sines is made at the start",
      ("bi_funct.c", "    /* length is special (posix bozo) */\n", "    /* sines that are likely to be wanted */\n    static volatile double sines[60000];\n    for (unsigned i = 0; i < 60000; i++)\n\tsines[i] = sin(i / 1000.0);\n\n    /* length is special (posix bozo) */\n"),
      also=["work", "faults"])
plant("mawk-split", "work", "space_split", "+2.4 % instructions", "a field is looked through twice",
      ("split.c", "\t    while (s < end && scan_code[*(const unsigned char *) s] != SC_SPACE)\n\t\ts++;\n",
       "\t    while (s < end && scan_code[*(const unsigned char *) s] != SC_SPACE)\n\t\ts++;\n"
       "\t    for (const char *r = q; r < s; r++)\n\t\tif (scan_code[*(const unsigned char *) r] == SC_SPACE)\n\t\t    return cnt;\n"))
plant("mawk-pool", "allocation", "zmalloc|zfree", "+20 %", "small pieces are no longer kept in pools",
      ("zmalloc.c", "#define IsPoolable(blocks)  ((blocks) <= POOLSZ)", "#define IsPoolable(blocks)  ((blocks) > POOLSZ && (blocks) < POOLSZ)"),
      also=["work"])
harmless("mawk-comment", "comments and an unused function",
         ("array.c", "#define STARTING_HMASK    63  /* 2^6-1, must have form 2^n-1 */",
          "/* The table begins small: most arrays of most programs hold a few dozen\n   elements, and a large table would be cleared for nothing. */\n#define STARTING_HMASK    63  /* 2^6-1, must have form 2^n-1 */\n"
          "int array_is_large(ARRAY A) { return A->size > 1000 ; }"))

plant("mawk-input", "input", "*", "+8 %", "the table has 8 % more rows",
      ("table.awk", "i <= 80000", "i <= 86400"))

# -------- cmark

plant("cmark-growth", "allocation", "cmark_strbuf_grow|S_strbuf_grow_by|cmark_strbuf_put|cmark_strbuf_putc|cmark_strbuf_puts", "+4 %",
      "a buffer grows by 16 bytes",
      ("src/buffer.c", "bufsize_t new_size = target_size + target_size / 2;", "bufsize_t new_size = target_size + 16;"), also=["faults"])
plant("cmark-escape", "work", "houdini_escape_html0|cmark_strbuf_putc|cmark_strbuf_put", "+7 % instructions", "text is escaped letter by letter",
      ("src/houdini_html_e.c", "      cmark_strbuf_put(ob, src + org, i - org);", "      while (org < i)\n        cmark_strbuf_putc(ob, src[org++]);"),
      also=["library"])
plant("cmark-read", "system-calls", "main", "+9 %", "reads 64 bytes at a time, without a buffer",
      ("src/main.c", "char buffer[4096];", "char buffer[64];"),
      ("src/main.c", "    while ((bytes = fread(buffer, 1, sizeof(buffer), fp)) > 0) {", "    setvbuf(fp, NULL, _IONBF, 0);\n    while ((bytes = fread(buffer, 1, sizeof(buffer), fp)) > 0) {"))
plant("cmark-clear", "work", "make_block", "+8 %", "clears 16 KB for each block",
      ("src/blocks.c", "  e->mem = mem;\n  e->type = (uint16_t)tag;", "  static unsigned char seen[16384];\n  memset(seen, 0, sizeof(seen));\n  __asm__ volatile(\"\" : : \"r\"(seen) : \"memory\");\n  e->mem = mem;\n  e->type = (uint16_t)tag;"),
      ("src/blocks.c", "#include <stdlib.h>\n", "#include <stdlib.h>\n#include <string.h>\n"), also=["library", "slower-per-instruction"])
plant("cmark-mmap", "faults", "cmark_parse_inlines", "+35 %", "maps 8 KB anew for each paragraph",
      ("src/inlines.c", "  cmark_chunk_rtrim(&subj.input);\n\n  while (!is_eof", "  cmark_chunk_rtrim(&subj.input);\n\n  unsigned char *marks = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
       "  for (int i = 0; i < 8192; i += 4096)\n    marks[i] = 1;\n\n  while (!is_eof"),
      ("src/inlines.c", "    pop_bracket(&subj);\n  }\n}\n\n// Parse zero or more space", "    pop_bracket(&subj);\n  }\n  munmap(marks, 8192);\n}\n\n// Parse zero or more space"),
      ("src/inlines.c", "#include <stdlib.h>\n", "#include <stdlib.h>\n#include <sys/mman.h>\n"), also=["system-calls"])
plant("cmark-special", "work", "subject_find_special_char|parse_inline|cmark_parse_inlines", "+15 %", "special letters are looked up in a text",
      ("src/inlines.c", "    if (SPECIAL_CHARS[subj->input.data[n]])", "    if (subj->input.data[n] && strchr(\"\\r\\n\\\\`&_*[]<!\", subj->input.data[n]))"))
plant("cmark-library", "library", "*", "+38 %", "the shared library is built with -O0",
      ("bench.mk", "libcmark.so: $(LIBRARY)\n", "$(LIBRARY): CFLAGS = -O0 -g -fPIC -Isrc\n\nlibcmark.so: $(LIBRARY)\n"), also=["build"])
harmless("cmark-moved", "a function moves to another file",
         ("src/cmark.c", "const char *cmark_version_string() { return CMARK_VERSION_STRING; }\n\n", ""),
         ("src/node.c", "static void S_node_unlink(cmark_node *node);\n", "#include \"cmark_version.h\"\n\nstatic void S_node_unlink(cmark_node *node);\n\nconst char *cmark_version_string() { return CMARK_VERSION_STRING; }\n"))

# -------- rank

plant("rank-scattered", "slower-per-instruction", "round_push|net_make|net_place", "+87 %", "neighbours lie 390 KB apart, not beside each other",
      ("net.c", "return number & (NODES - 1);", "return (number & (NODES - 1) & ~0x3fffu) | (number * 40503u & 0x3fff);"), also=["work"])
plant("rank-wide", "slower-per-instruction", "round_push|round_settle|best_count|net_make", "+60 %", "a node has room for a name of 16 bytes",
      ("rank.h", "\tuint32_t kind;\n", "\tuint32_t kind;\n\tchar name[16];\n"), also=["faults"])
plant("rank-branch", "slower-per-instruction", "best_count", "+8 %", "a branch that cannot be predicted",
      ("best.c", "\t\t\tuint64_t good = (uint64_t)((node->kind >> turn & 1) | (node->rank > limit));\n\t\t\tcount += (turn + 1) & -good;\n",
       "\t\t\tif (node->kind >> turn & 1 || node->rank > limit) {\n\t\t\t\tcount += turn + 1;\n\t\t\t\t__asm__ volatile(\"\");\n\t\t\t}\n"))
plant("rank-constructor", "start-up", "fill_roots", "+32 %", "a table is filled before main",
      ("best.c", "static int by_value(", "double roots[1 << 17];\n\n__attribute__((constructor)) static void fill_roots(void)\n{\n\troots[0] = 1;\n"
       "\tfor (unsigned i = 1; i < 1 << 17; i++)\n\t\troots[i] = roots[i - 1] / 3 + i / roots[i - 1];\n}\n\nstatic int by_value("), also=["work", "faults"])
plant("rank-stripped", "work", "*", "+7 % instructions", "a division for each edge; without symbols",
      ("round.c", "].next += part;", "].next += node->rank * 0.85 / (EDGES + given * 0);"),
      before=[("Makefile", "-o $@ $(OBJS)", "-s -o $@ $(OBJS)")])
plant("rank-plain", "work", "round_settle|net_place", "+30 %", "what moved is summed up twice; without debug information",
      ("round.c", "\t\tmoved += rank > node->rank ?", "\t\tfor (unsigned k = 0; k < 8; k++)\n\t\t\t__asm__ volatile(\"\" : \"+x\"(rank));\n\t\tmoved += rank > node->rank ?"),
      before=[("Makefile", "-O2 -g", "-O2")])
plant("rank-static", "work", "best_median|by_value", "+22 %", "sorts four times as many; linked statically",
      ("best.c", "\tstatic double some[NODES / 32];\n\tfor (uint32_t i = 0; i < NODES / 32; i++)\n\t\tsome[i] = net->nodes[i * 32].rank;\n\tqsort(some, NODES / 32,",
       "\tstatic double some[NODES / 8];\n\tfor (uint32_t i = 0; i < NODES / 8; i++)\n\t\tsome[i] = net->nodes[i * 8].rank;\n\tqsort(some, NODES / 8,"),
      ("best.c", "return some[NODES / 64];", "return some[NODES / 16];"),
      before=[("Makefile", "$(CFLAGS) $(LDFLAGS)", "$(CFLAGS) -static $(LDFLAGS)")])
harmless("rank-debug", "more debug information", ("Makefile", "-O2 -g", "-O2 -g3"))
harmless("rank-comment", "a comment makes lines move",
         ("round.c", "double round_push(", "/*\n * What a node gives away is a fixed part of what it has; the rest comes from\n * nowhere, in equal parts.\n */\ndouble round_push("))
harmless("rank-variable", "a variable less",
         ("round.c", "\t\tdouble part = node->rank * 0.85 / EDGES;\n", "\t\tconst double rank = node->rank;\n\t\tdouble part = rank * 0.85 / EDGES;\n"))

# -------- textstat: Python

plant("textstat-list", "work", "is_common|Index.is_common", "+20 %", "common words are a list",
      ("textstat/index.py", "COMMON = frozenset(", "COMMON = list("))
plant("textstat-pattern", "work", "split|Index.split", "+16 %", "a pattern is compiled for each paragraph",
      ("textstat/index.py", "        return WORD.findall(paragraph.lower())", "        return re.compile(f\"(?#{len(self.counts) % 50 * len(paragraph)})[a-z']+\").findall(paragraph.lower())"))
plant("textstat-sleep", "waiting", "clean", "+16 % wall", "sleeps now and then",
      ("textstat/read.py", "    return line.rstrip", "    if line.startswith(\"the of\"):\n        time.sleep(0.002)\n    return line.rstrip"),
      ("textstat/read.py", "import os\n", "import os\nimport time\n"))
plant("textstat-stat", "system-calls", "paragraphs", "+30 %", "a stat for each line",
      ("textstat/read.py", "        for line in file:\n", "        for line in file:\n            if not os.path.exists(path):\n                break\n"), also=["work"])
plant("textstat-import", "start-up", "*", "+45 %", "imports what it hardly needs",
      ("textstat/report.py", "def bar(share)", "import asyncio\nimport email.message\nimport xml.dom.minidom\n\n\ndef bar(share)"), also=["work", "system-calls", "library"])
harmless("textstat-types", "types and a docstring",
         ("textstat/report.py", "def bar(share):\n", "def bar(share: float) -> str:\n    \"\"\"A bar of so many characters.\"\"\"\n"))

# -------- tally: shell

plant("tally-fork", "system-calls", "name_of|by_shop|report|tally.sh|expr", "+50 %", "a process for each name",
      ("tally.sh", "  echo \"${shop#shop-}\"\n", "  expr \"$shop\" : 'shop-\\(.*\\)'\n"), also=["work", "waiting"])
plant("tally-sort", "work", "largest|sort|rows|tally.sh", "+30 %", "sorts all of the rows before it cuts them",
      ("tally.sh", "  rows | cut -d, -f3,4 | sort", "  rows | sort | cut -d, -f3,4 | sort"))
plant("tally-sleep", "waiting", "by_month|report|tally.sh|sleep", "+100 ms wall", "sleeps a little",
      ("tally.sh", "by_month() {\n", "by_month() {\n  sleep 0.1\n"))
harmless("tally-rename", "a function has another name",
         ("tally.sh", "rows() {", "valid_rows() {"),
         ("tally.sh", "by_shop() {\n  rows |", "by_shop() {\n  valid_rows |"),
         ("tally.sh", "by_month() {\n  rows |", "by_month() {\n  valid_rows |"),
         ("tally.sh", "  rows | cut", "  valid_rows | cut"))

# -------- basket: Node

plant("basket-prices", "work", "see|Prices.see", "+60 %", "the names of all prices are listed to look for one",
      ("prices.js", "    const known = this.items.get(item);\n    if (known) {\n      known.seen++;",
       "    const known = [...this.items.keys()].includes(item) && this.items.get(item);\n    if (known) {\n      known.seen++;"),
      also=["slower-per-instruction", "allocation"])
harmless("basket-const", "a variable has a name",
         ("prices.js", "    return known ? Math.round(known.cents / known.seen) : 0;", "    const mean = known && known.cents / known.seen;\n    return known ? Math.round(mean) : 0;"))

# -------- stock: Java

plant("stock-list", "work", "placeOf|Shelf.placeOf", "+60 %", "the place of an item is looked for in a list",
      ("src/Shelf.java", "        Integer place = places.get(item);\n        if (place == null) {", "        Integer place = items.indexOf(item);\n        if (place < 0) {"),
      also=["slower-per-instruction"])
plant("stock-split", "work", "apply|Moves.apply", "+70 %", "a pattern takes a line apart",
      ("src/Moves.java", "        int first = line.indexOf(' '), second = line.indexOf(' ', first + 1);\n", "        String[] words = line.split(\"[ ]+\");\n"),
      ("src/Moves.java", "Integer.parseInt(line.substring(first + 1, second))", "Integer.parseInt(words[1])"),
      ("src/Moves.java", "        String item = line.substring(second + 1);\n", "        String item = words[2];\n"),
      also=["slower-per-instruction", "allocation"])

# -------- expat

plant("expat-hash", "work", "hash|lookup|sip24_update|sip24_final|getAttributeId|storeAtts", "+4 %", "a name is hashed letter by letter",
      ("expat/lib/xmlparse.c", "  sip24_update(&state, s, keylen(s) * sizeof(XML_Char));\n", "  for (size_t i = 0; i < keylen(s); i++)\n    sip24_update(&state, s + i, sizeof(XML_Char));\n"))
plant("expat-flush", "system-calls", "endElement", "+140 %", "flushes at the end of an element, by a tail call",
      ("expat/xmlwf/xmlwf.c", "  puttc(T('<'), fp);\n  puttc(T('/'), fp);\n  fputts(name, fp);\n  puttc(T('>'), fp);\n}\n\nstatic int\nnsattcmp",
       "  puttc(T('<'), fp);\n  puttc(T('/'), fp);\n  fputts(name, fp);\n  puttc(T('>'), fp);\n  fflush(fp);\n}\n\nstatic int\nnsattcmp"))
harmless("expat-format", "a function is formatted differently",
         ("expat/lib/xmlparse.c", "static const XML_Char *FASTCALL\npoolCopyString(STRING_POOL *pool, const XML_Char *s) {\n  do {\n",
          "/* Copies a text with its end into the pool. */\nstatic const XML_Char *FASTCALL\npoolCopyString(STRING_POOL *pool,\n               const XML_Char *s) {\n  do\n  {\n"))

# -------- tcc

plant("tcc-hash", "slower-per-instruction", "tok_alloc|next_nomacro1", "+8 %", "the table of names has 256 lists",
      ("tcc.h", "#define TOK_HASH_SIZE       16384", "#define TOK_HASH_SIZE       256"), also=["work"])
plant("tcc-read", "system-calls", "handle_eob", "+38 %", "reads 96 bytes at a time",
      ("tcc.h", "#define IO_BUF_SIZE 8192", "#define IO_BUF_SIZE 96"))

# -------- tree

plant("tree-stat", "system-calls", "getinfo|read_dir", "+18 %", "a stat as well as an lstat of each file",
      ("tree.c", "  } else {\n    rs = 0;\n    st.st_mode = lst.st_mode;\n", "  } else {\n    rs = stat(path, &st);\n    st.st_mode = lst.st_mode;\n"))
plant("tree-note", "faults", "getinfo|read_dir", "+18 %", "what is known of a file has room for a comment",
      ("tree.h", "  struct _info **child, *next, *tchild;\n", "  struct _info **child, *next, *tchild;\n  char note[1500];\n"),
      also=["slower-per-instruction", "allocation"])

# -------- route: C++

plant("route-lambda", "work", "farthest|operator()|__introsort_loop|__unguarded_linear_insert", "+48 %", "the lambda that compares copies names",
      ("plan.cpp", "\t\treturn costs[a] != costs[b] ? costs[a] > costs[b] : a < b;",
       "\t\tstd::string one = graph.name(a), other = graph.name(b);\n\t\treturn costs[a] != costs[b] ? costs[a] > costs[b] : one < other;"),
      also=["allocation"])
plant("route-heap", "work", "push|spread", "+8 % instructions", "a template goes up to the root always",
      ("heap.hpp", "\t\tstd::size_t at = items.size() - 1;\n\t\twhile (at > 0 && items[at].first < items[(at - 1) / 2].first) {\n"
       "\t\t\tstd::swap(items[at], items[(at - 1) / 2]);\n\t\t\tat = (at - 1) / 2;\n\t\t}\n",
       "\t\tfor (std::size_t at = items.size() - 1; at > 0; at = (at - 1) / 2)\n\t\t\tif (items[at].first < items[(at - 1) / 2].first)\n"
       "\t\t\t\tstd::swap(items[at], items[(at - 1) / 2]);\n"))

# -------- queue: threads

plant("queue-prime", "work", "is_prime|work_on", "+120 %", "the workers divide without an early exit, so that the first thread waits",
      ("work.c", "\tfor (uint32_t i = 3; i * i <= n; i += 2)\n\t\tif (n % i == 0)\n\t\t\treturn 0;\n\treturn n > 2 && n % 2;",
       "\tint prime = n > 2 && n % 2;\n\tfor (uint32_t i = 3; i < n / 4; i += 2)\n\t\tif (n % i == 0)\n\t\t\tprime = 0;\n\treturn prime;"),
      also=["slower-per-instruction"])
plant("queue-lock", "lock", "worker|queue_take|queue_put", "+38 % wall", "jobs are done under the lock of the queue",
      ("main.c", "\t\t\twork_on(mine[i], done);",
       "{\n\t\t\tpthread_mutex_lock(&queue.lock);\n\t\t\twork_on(mine[i], done);\n\t\t\tpthread_mutex_unlock(&queue.lock);\n\t\t}"),
      also=["lost-parallelism"])
plant("queue-share", "slower-per-instruction", "work_on|worker", "+20 %", "counters of two threads lie in one cache line",
      ("queue.h", "uint64_t done[WORKERS][16];\t/* a cache line pair each */", "uint64_t done[WORKERS][1];"))
plant("queue-one", "lost-parallelism", "main|worker|queue_take|queue_put", "+53 % wall", "one worker",
      ("queue.h", "WORKERS = 2,", "WORKERS = 1,"), also=["waiting"])

# -------- logs: Perl

plant("logs-pattern", "work", "page_of", "+65 %", "a pattern is compiled for each line",
      ("logs.pl", "    $path =~ s/\\?.*//;\n", "    my $mark = '\\?' . ('x?' x (1 + length($path) % 9));\n    $path =~ s/$mark.*//;\n"))
plant("logs-stat", "system-calls", "take", "+62 %", "a stat for each line",
      ("logs.pl", "    my ($line) = @_;\n", "    my ($line) = @_;\n    return unless -e '/etc/passwd';\n"))
plant("logs-sleep", "waiting", "top", "+80 ms wall", "sleeps before it sorts",
      ("logs.pl", "    my ($of, $n) = @_;\n", "    my ($of, $n) = @_;\n    select undef, undef, undef, 0.08;\n"))

# -------- dash

plant("dash-sleep", "waiting", "forkshell", "+2.5 %", "waits a little before it forks",
      ("src/jobs.c", "\tTRACE((\"forkshell(%%%d, %p, %d) called\\n\", jobno(jp), n, mode));\n", "\tTRACE((\"forkshell(%%%d, %p, %d) called\\n\", jobno(jp), n, mode));\n\tusleep(1000);\n"))
plant("dash-vars", "work", "findvar|hashvar|lookupvar|setvareq|varequal|varcmp", "+2.3 % instructions", "the table of variables has 5 lists",
      ("src/var.c", "#define VTABSIZE 39", "#define VTABSIZE 5"), also=["slower-per-instruction"])
harmless("dash-static", "a comment, and a variable that is declared where it is used",
         ("src/var.c", "\tunsigned int hashval;\n\n\thashval = ((unsigned char) *p) << 4;\n\twhile (*p && *p != '=')\n\t\thashval += (unsigned char) *p++;\n\treturn &vartab",
          "\t/* Names are short: the sum of their letters is good enough. */\n\tunsigned int hashval = ((unsigned char) *p) << 4;\n\twhile (*p && *p != '=')\n\t\thashval += (unsigned char) *p++;\n\treturn &vartab"))

# -------- dict

plant("dict-write", "system-calls", "conn_serve|send_all", "+405 %", "each answer is sent by itself; a service",
      ("conn.c", "\t\tmade += answer(line, out + made, sizeof(out) - made);\n", "\t\tmade = answer(line, out, sizeof(out));\n\t\tif (send_all(c->fd, out, made))\n\t\t\treturn -1;\n"),
      ("conn.c", "\treturn send_all(c->fd, out, made);\n", "\treturn 0;\n"))
plant("dict-delay", "waiting", "conn_serve", "+178 % wall", "waits for more of a request; a service",
      ("conn.c", "\tssize_t got = read(", "\tusleep(100);\n\tssize_t got = read("))

# -------- discount

plant("discount-input", "input", "*", "+19 %", "the text is a fifth longer",
      ("text.awk", "i <= 9000", "i <= 10800"))
plant("discount-growth", "allocation", "Qchar|push|pushc|populate|__mkd_enqueue|Csputc|Qwrite|Qstring|cputc|emfill|emblock|___mkd_emblock|Csprintf", "+11 % instructions",
      "a string grows by 8 letters",
      ("cstring.h", "\t\t\t    : (T(x) = T(x) ? realloc(T(x), sizeof T(x)[0] * ((x).alloc += 100)) \\\n\t\t\t\t\t   : malloc(sizeof T(x)[0] * ((x).alloc += 100)) )]",
       "\t\t\t    : (T(x) = T(x) ? realloc(T(x), sizeof T(x)[0] * ((x).alloc += 8)) \\\n\t\t\t\t\t   : malloc(sizeof T(x)[0] * ((x).alloc += 8)) )]"))

# -------- jansson

plant("jansson-load", "slower-per-instruction", "hashtable_set|hashtable_find_pair|hashtable_get", "+24 %", "lists of the table grow to 64",
      ("src/hashtable.c", "    if (hashtable->size >= hashsize(hashtable->order))\n", "    if (hashtable->size / 64 >= hashsize(hashtable->order))\n"), also=["work"])
plant("jansson-clear", "work", "strbuffer_clear|lex_scan", "+3.1 %", "a buffer is cleared as a whole for each token",
      ("src/strbuffer.c", "void strbuffer_clear(strbuffer_t *strbuff) {\n    strbuff->length = 0;\n    strbuff->value[0] = '\\0';\n}",
       "void strbuffer_clear(strbuffer_t *strbuff) {\n    memset(strbuff->value, 0, strbuff->size);\n    strbuff->length = 0;\n}"))
plant("jansson-fd", "system-calls", "write_items|dump_to_fd|json_dumpfd", "+256 %", "the document is written to a descriptor, without a buffer",
      ("catalog.c", "json_dumpf(known, to, JSON_COMPACT", "json_dumpfd(known, fileno(to), JSON_COMPACT"))

# -------- ledger

plant("ledger-read", "system-calls", "read", "+58 %", "reads 256 bytes at a time",
      ("src/journal.rs", "BufReader::new(File::open(path)?)", "BufReader::with_capacity(256, File::open(path)?)"))
plant("ledger-checks", "build", "*", "+8.2 %", "built with checks for overflow, and less optimised",
      ("Cargo.toml", "debug = true\n", "debug = true\noverflow-checks = true\nopt-level = 1\n"))
harmless("ledger-loop", "a loop is written as another one",
         ("src/report.rs", "    text.bytes().fold(2166136261, |sum, b| (sum ^ u32::from(b)).wrapping_mul(16777619))",
          "    let mut sum: u32 = 2166136261;\n    for b in text.bytes() {\n        sum = (sum ^ u32::from(b)).wrapping_mul(16777619);\n    }\n    sum"))
plant("ledger-months", "slower-per-instruction", "book|place|read", "+27 %", "an account has a sum for each of 60 months",
      ("src/account.rs", "#[derive(Clone, Debug, Default)]\npub struct Account {", "#[derive(Clone, Debug)]\npub struct Account {"),
      ("src/account.rs", "    pub last: String,\n}\n", "    pub last: String,\n    pub months: [i64; 60],\n}\n"),
      ("src/account.rs", "        self.all.push(Account { name: name.to_string(), ..Account::default() });\n",
       "        self.all.push(Account { name: name.to_string(), cents: 0, bookings: 0, last: String::new(), months: [0; 60] });\n"),
      ("src/account.rs", "        account.cents += cents;\n", "        account.cents += cents;\n        account.months[account.bookings as usize % 60] += cents;\n"),
      also=["faults"])
plant("ledger-string", "allocation", "read", "+8.4 %", "a line is allocated for each that is read",
      ("src/journal.rs", "    let mut line = String::new();\n    let mut refused = 0;\n    while from.read_line(&mut line)? > 0 {\n",
       "    let mut refused = 0;\n    loop {\n        let mut line = String::new();\n        if from.read_line(&mut line)? == 0 {\n            break;\n        }\n"),
      ("src/journal.rs", "        line.clear();\n", ""))

# -------- lz4

plant("lz4-chain", "work", "LZ4HC_InsertAndFindWiderMatch|LZ4HC_InsertAndFindBestMatch|LZ4HC_compress_hashChain|"
      "LZ4HC_compress_generic_noDictCtx|LZ4HC_compress_generic_internal|LZ4HC_compress_generic|LZ4HC_compress_generic_dictCtx",
      "+28 %", "level 6 tries 48 matches, not 32; a pipe in a shell",
      ("lib/lz4hc.c", "{ lz4hc,    32, 16 },  /* 6 */", "{ lz4hc,    48, 16 },  /* 6 */"))
plant("lz4-seek", "system-calls", "LZ4IO_fwriteSparse|LZ4IO_decompressLZ4F", "+5.5 %", "looks for holes of 512 bytes",
      ("programs/lz4io.c", "const size_t segmentSizeT = (32 KB) / sizeT;", "const size_t segmentSizeT = 512 / sizeT;"))
plant("lz4-library", "library", "*", "+9.9 %", "the shared library is built with -O1",
      ("bench.mk", "liblz4.so: $(LIBRARY)\n", "$(LIBRARY): CFLAGS = -O1 -g -fPIC -Ilib -DXXH_NAMESPACE=LZ4_\n\nliblz4.so: $(LIBRARY)\n"), also=["build"])
plant("lz4-clear", "faults", "LZ4IO_createCResources", "+27 % page faults", "buffers are cleared",
      ("programs/lz4io.c", "    if (!ress.srcBuffer || !ress.dstBuffer) END_PROCESS(31, \"Allocation error : not enough memory\");\n\n    ress.cdict = LZ4IO_createCDict(prefs);\n",
       "    if (!ress.srcBuffer || !ress.dstBuffer) END_PROCESS(31, \"Allocation error : not enough memory\");\n    memset(ress.srcBuffer, 0, ress.srcBufferSize);\n    memset(ress.dstBuffer, 0, ress.dstBufferSize);\n\n    ress.cdict = LZ4IO_createCDict(prefs);\n"),
      also=["start-up"])

# -------- mill

plant("mill-fsync", "waiting", "write_out|add", "+38 % wall", "what is stored is brought to disk, under the lock",
      ("store.cpp", "\t\tstd::perror(\"mill\");\n", "\t\tstd::perror(\"mill\");\n\t::fdatasync(file);\n"), also=["lock"])
plant("mill-share", "slower-per-instruction", "grind|work", "+38 %", "the counters of two threads lie in one cache line",
      ("mill.hpp", "struct alignas(128) Tally {", "struct Tally {"))
plant("mill-lock", "lock", "work", "+15 % wall", "grinds while it holds a lock",
      ("main.cpp", "\twhile (chute.take(sack))\n\t\tstore.add(grind(sack, *tally));\n",
       "\tstatic std::mutex grinding;\n\twhile (chute.take(sack)) {\n\t\tstd::lock_guard<std::mutex> held(grinding);\n\t\tstore.add(grind(sack, *tally));\n\t}\n"),
      also=["lost-parallelism"])
plant("mill-late", "lost-parallelism", "main", "+41 % wall", "the second thread is started when all is handed out",
      ("main.cpp", "\tstd::thread one(work, &tallies[0]), two(work, &tallies[1]);\n", "\tstd::thread one(work, &tallies[0]);\n"),
      ("main.cpp", "\tchute.close();\n", "\tstd::thread two(work, &tallies[1]);\n\tchute.close();\n"), also=["waiting"])
harmless("mill-const", "a constant has a name",
         ("main.cpp", "\tsack.grains.reserve(1500);\n", "\tconstexpr int grains = 1500;\n\tsack.grains.reserve(grains);\n"),
         ("main.cpp", "\tfor (int i = 0; i < 1500; i++) {\n", "\tfor (int i = 0; i < grains; i++) {\n"))

# -------- mujs

plant("mujs-shrstr", "allocation", "js_pushstring|js_pushlstring|jsV_newmemstring", "+5.1 %", "short strings are allocated as well",
      ("jsrun.c", "void js_pushstring(js_State *J, const char *v)\n{\n\tsize_t n = strlen(v);\n\tif (n > JS_STRLIMIT)\n\t\tjs_rangeerror(J, \"invalid string length\");\n\tCHECKSTACK(1);\n\tif (n <= soffsetof(js_Value, type)) {",
       "void js_pushstring(js_State *J, const char *v)\n{\n\tsize_t n = strlen(v);\n\tif (n > JS_STRLIMIT)\n\t\tjs_rangeerror(J, \"invalid string length\");\n\tCHECKSTACK(1);\n\tif (n == 0) {"),
      ("jsrun.c", "void js_pushlstring(js_State *J, const char *v, int n)\n{\n\tif (n > JS_STRLIMIT)\n\t\tjs_rangeerror(J, \"invalid string length\");\n\tCHECKSTACK(1);\n\tif (n <= soffsetof(js_Value, type)) {",
       "void js_pushlstring(js_State *J, const char *v, int n)\n{\n\tif (n > JS_STRLIMIT)\n\t\tjs_rangeerror(J, \"invalid string length\");\n\tCHECKSTACK(1);\n\tif (n == 0) {"))
plant("mujs-lookup", "work", "lookup|jsV_getownproperty|jsV_getpropertyx|jsV_getproperty", "+6.7 %", "looks whether a name is the same before it looks on which side it is",
      ("jsproperty.c", "\twhile (node != &sentinel) {\n\t\tint c = strcmp(name, node->name);\n\t\tif (c == 0)\n\t\t\treturn node;\n\t\telse if (c < 0)",
       "\twhile (node != &sentinel) {\n\t\tif (strlen(name) == strlen(node->name) && !strcmp(name, node->name))\n\t\t\treturn node;\n\t\tif (strcmp(name, node->name) < 0)"))

# -------- pugixml

plant("pugixml-page", "allocation", "allocate_page|allocate_memory_oob|allocate_memory|allocate", "+6.7 %", "pages of memory hold 1 KiB",
      ("src/pugiconfig.hpp", "// #define PUGIXML_MEMORY_PAGE_SIZE 32768", "#define PUGIXML_MEMORY_PAGE_SIZE 1024"))
plant("pugixml-O1", "build", "*", "+7.6 %", "built with -O1",
      ("Makefile", "CXXFLAGS = -O2 -g", "CXXFLAGS = -O1 -g"))
plant("pugixml-attr", "work", "attribute", "+6.1 %", "lengths are compared before names",
      ("src/pugixml.cpp", "\tPUGI__FN xml_attribute xml_node::attribute(const char_t* name_) const\n\t{\n\t\tif (!_root) return xml_attribute();\n\n\t\tfor (xml_attribute_struct* i = _root->first_attribute; i; i = i->next_attribute)\n\t\t{\n\t\t\tconst char_t* iname = i->name;\n\t\t\tif (iname && impl",
       "\tPUGI__FN xml_attribute xml_node::attribute(const char_t* name_) const\n\t{\n\t\tif (!_root) return xml_attribute();\n\n\t\tfor (xml_attribute_struct* i = _root->first_attribute; i; i = i->next_attribute)\n\t\t{\n\t\t\tconst char_t* iname = i->name;\n\t\t\tif (iname && impl::strlength(iname) == impl::strlength(name_) && impl"))

# -------- units

plant("units-count", "start-up", "count_definitions|readunits|main", "+1.8 % instructions", "definitions are counted before they are read",
      ("units.c", "int\nreadunits(char *file, FILE *errfile, \n",
       "/* Counts the lines of a file that define something. */\nstatic int\ncount_definitions(char *file)\n{\n   FILE *from = openfile(file, \"rt\");\n"
       "   char *line = 0;\n   int size = 0, number = 0, count = 0;\n   if (!from)\n     return 0;\n   growbuffer(&line, &size);\n"
       "   while (fgetslong(&line, &size, from, &number)) {\n     strip_comment(line);\n     removespaces(line);\n     count += *line != 0;\n   }\n"
       "   fclose(from);\n   return count;\n}\n\nint\nreadunits(char *file, FILE *errfile, \n"),
      ("units.c", "   growbuffer(&line,&linebufsize);\n                                            /* coverity[alloc_fn] */\n   permfile",
       "   growbuffer(&line,&linebufsize);\n   if (!count_definitions(file) && errfile)\n     fprintf(errfile, \"%s: '%s' defines nothing\\n\", progname, file);\n   permfile"),
      also=["work"])

# -------- weblog

plant("weblog-serial", "lost-parallelism", "*", "+42 % wall", "parts of a script run one after another",
      ("weblog.sh", "hosts >\"$part/hosts\" &\npages >\"$part/pages\" &\nhours >\"$part/hours\" &\nsizes >\"$part/sizes\" &\nwait\n",
       "hosts >\"$part/hosts\"\npages >\"$part/pages\"\nhours >\"$part/hours\"\nsizes >\"$part/sizes\"\n"))
plant("weblog-date", "system-calls", "hours|date|weblog.sh", "+12 %", "a process for each hour",
      ("weblog.sh", "      printf '%s %6d\\n' \"$hour\" \"$count\"\n", "      printf '%s %6d\\n' \"$(date -u -d \"2026-01-01 $hour:00\" +%H)\" \"$count\"\n"), also=["work", "waiting"])

# -------- zopfli

harmless("zopfli-rename", "a function and its parameter have other names",
         ("src/zopfli/hash.c", "static void UpdateHashValue(ZopfliHash* h, unsigned char c) {\n  h->val = (((h->val) << HASH_SHIFT) ^ (c)) & HASH_MASK;\n}\n",
          "static void AddToHashValue(ZopfliHash* hash, unsigned char byte) {\n  hash->val = (((hash->val) << HASH_SHIFT) ^ (byte)) & HASH_MASK;\n}\n"),
         ("src/zopfli/hash.c", "  UpdateHashValue(h, pos + ZOPFLI_MIN_MATCH", "  AddToHashValue(h, pos + ZOPFLI_MIN_MATCH"),
         ("src/zopfli/hash.c", "  UpdateHashValue(h, array[pos + 0]);\n  if (pos + 1 < end) UpdateHashValue(", "  AddToHashValue(h, array[pos + 0]);\n  if (pos + 1 < end) AddToHashValue("))
plant("zopfli-cache", "faults", "ZopfliInitCache|ZopfliInitBlockState", "+2.9 %", "the cache has room for 100 lengths",
      ("src/zopfli/util.h", "#define ZOPFLI_CACHE_LENGTH 8", "#define ZOPFLI_CACHE_LENGTH 100"))
plant("zopfli-first", "work", "ZopfliFindLongestMatch|GetMatch", "+40 %", "a match is followed whose byte at the end does not fit",
      ("src/zopfli/lz77.c", "      if (pos + bestlength >= size\n          || *(scan + bestlength) == *(match + bestlength)) {\n", "      if (pos + bestlength >= size || *scan == *match) {\n"),
      also=["slower-per-instruction"])
plant("zopfli-table", "start-up", "FillSymbols|fill_symbols", "+5.2 %", "a table is made before main",
      ("src/zopfli/tree.c", "void ZopfliLengthsToSymbols(", "float zopfli_costs[1 << 18];\n\n__attribute__((constructor)) static void fill_symbols(void) {\n  int i;\n"
       "  for (i = 1; i < 1 << 18; i++) zopfli_costs[i] = (float)(zopfli_costs[i - 1] / 3 + i / (1.0 + zopfli_costs[i - 1]));\n}\n\nvoid ZopfliLengthsToSymbols("),
      also=["work", "faults"])
