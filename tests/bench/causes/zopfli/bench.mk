CFLAGS = -O2 -g -fPIC
OBJS = $(patsubst %.c,%.o,$(wildcard src/zopfli/*.c))

all: zopfli page.html

zopfli: $(OBJS)
	$(CC) -o $@ $(OBJS) -lm

page.html: page.awk
	awk -f page.awk >$@
