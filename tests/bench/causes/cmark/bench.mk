# Builds the program and its shared library without cmake.
CFLAGS = -O2 -g -fPIC -Isrc
LIBRARY = $(filter-out src/main.o,$(patsubst %.c,%.o,$(wildcard src/*.c)))

all: cmark text.md

cmark: src/main.o libcmark.so
	$(CC) -o $@ src/main.o -L. -lcmark -Wl,-rpath,'$$ORIGIN'

libcmark.so: $(LIBRARY)
	$(CC) -shared -o $@ $(LIBRARY)

text.md: text.awk
	awk -f text.awk >$@
