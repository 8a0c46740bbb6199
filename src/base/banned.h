/*
 * Functions that must not be called. Each has a replacement that checks bounds, reports failure, or is thread-safe. The
 * Makefile includes this file before every source file, so a call is a compile error whose message names the function.
 */
#ifndef PAWL_BASE_BANNED_H
#define PAWL_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(name) banned_function_##name

#undef strcpy
#define strcpy(...) BANNED(strcpy)
#undef strcat
#define strcat(...) BANNED(strcat)
#undef strncpy
#define strncpy(...) BANNED(strncpy)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef strtok
#define strtok(...) BANNED(strtok)
#undef atoi
#define atoi(...) BANNED(atoi)
#undef atof
#define atof(...) BANNED(atof)
#undef gmtime
#define gmtime(...) BANNED(gmtime)
#undef localtime
#define localtime(...) BANNED(localtime)
#undef system
#define system(...) BANNED(system)

#endif
