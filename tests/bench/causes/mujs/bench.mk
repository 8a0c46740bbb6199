# Builds the interpreter as one unit, without readline.
CFLAGS = -O2 -g -std=c99 -D_XOPEN_SOURCE=600 -Wno-unused-parameter

all: mujs

mujs: one.c main.c $(wildcard *.h *.c)
	$(CC) $(CFLAGS) -o $@ one.c main.c -lm
