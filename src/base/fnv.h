/*
 * FNV-1a, 64 bits: tells texts and files apart that nobody made alike on purpose. Begin with FNV_START; the result of one
 * call is where the next goes on.
 */
#ifndef PAWL_BASE_FNV_H
#define PAWL_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_START 0xcbf29ce484222325u

uint64_t fnv_bytes(uint64_t from, const void *bytes, size_t len);
/* Without its final NUL. */
uint64_t fnv_text(uint64_t from, const char *text);

#endif
