# Builds the program and a shared library for it.
CFLAGS = -O3 -g -fPIC -Ilib -DXXH_NAMESPACE=LZ4_
LIBRARY = $(patsubst %.c,%.o,$(wildcard lib/*.c))
PROGRAM = $(patsubst %.c,%.o,$(wildcard programs/*.c))

all: lz4cli rows.txt

lz4cli: $(PROGRAM) liblz4.so
	$(CC) -o $@ $(PROGRAM) -L. -llz4 -Wl,-rpath,'$$ORIGIN'

liblz4.so: $(LIBRARY)
	$(CC) -shared -o $@ $(LIBRARY)

rows.txt: rows.awk
	awk -f rows.awk >$@
