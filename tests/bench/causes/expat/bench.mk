# Builds the parser and xmlwf without cmake.
CFLAGS = -O2 -g -DHAVE_EXPAT_CONFIG_H -Iexpat -Iexpat/lib
OBJS = $(patsubst %.c,%.o,$(addprefix expat/lib/,xmlparse.c xmlrole.c xmltok.c) $(addprefix expat/xmlwf/,xmlwf.c xmlfile.c codepage.c readfilemap.c))

all: xmlwf doc.xml

xmlwf: $(OBJS)
	$(CC) -o $@ $(OBJS)

doc.xml: doc.awk
	awk -f doc.awk >$@
