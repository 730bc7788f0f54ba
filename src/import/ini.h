/* ini.h - files as Python's configparser reads them: sections of "key = value"
 * with "%(key)s" for another value of the section.
 *
 * Serial code.  Internal to src/import.
 */
#ifndef BOSC_SRC_IMPORT_INI_H
#define BOSC_SRC_IMPORT_INI_H

#include "src/import/source.h"

typedef struct bosc_ini_entry {
    const char *section, *key, *value; /* value: as it stands in the file */
    int line;
} bosc_ini_entry;

typedef struct bosc_ini {
    const char *file;
    bosc_ini_entry *entry; /* [n] */
    size_t n, capacity;
} bosc_ini;

void bosc_ini_read(bosc_import *imp, const char *path, bosc_ini *ini);

/* A value as an item, whose path is "Section.key"; missing where there is none.
 * bosc_ini_text() puts in what "%(key)s" stands for. */
const bosc_ini_entry *bosc_ini_find(const bosc_ini *ini, const char *section,
                                    const char *key);

/* The value of a key, or 'standard' where there is none; it fails where that is
 * NULL. */
const char *bosc_ini_text(bosc_import *imp, const bosc_ini *ini,
                          const char *section, const char *key,
                          const char *standard);

/* The same of a number. */
const char *bosc_ini_number(bosc_import *imp, const bosc_ini *ini,
                            const char *section, const char *key,
                            const char *standard);

#endif
