/* Which executable it was: so that a report can say when the same bytes measured differently. */
#ifndef PAWL_MEASURE_GIT_IDENTITY_H
#define PAWL_MEASURE_GIT_IDENTITY_H

/*
 * "build-id:<hex>" of the ELF file at PATH (its NT_GNU_BUILD_ID note, elf(5)), else
 * "fnv1a:<hex>", the 64-bit FNV-1a hash of its bytes; NULL when it cannot be read. For free().
 */
char *identity_of_file(const char *path);

/* A name that nothing else has, of 32 hexadecimal digits; for free(). */
char *identity_new(void);

#endif
