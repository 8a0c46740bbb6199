# Builds the compiler as one unit.
CFLAGS = -O2 -g -w -DCONFIG_TRIPLET='"x86_64-linux-gnu"'

all: tcc unit.c

tcc: tcc.c config.h
	$(CC) $(CFLAGS) -o $@ tcc.c -lm -ldl -lpthread

config.h: configure
	./configure >/dev/null

unit.c: unit.awk
	awk -f unit.awk >$@
