# Builds a program that reads a catalogue with the library.
CFLAGS = -O2 -g -DHAVE_CONFIG_H -Isrc -I.
OBJS = catalog.o $(patsubst %.c,%.o,$(wildcard src/*.c))

all: catalog items.json

catalog: $(OBJS)
	$(CC) -o $@ $(OBJS) -lm

items.json: items.awk
	awk -f items.awk >$@
