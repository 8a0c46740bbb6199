/* The results of configure. */
#define BYTEORDER 1234
#define HAVE_GETRANDOM 1
#define HAVE_UNISTD_H 1
#define PACKAGE_VERSION "2.5.0"
#define PACKAGE "expat"
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
