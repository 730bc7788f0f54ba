/* values.h - the values of the free parameters of a model: final.json and the
 * like.
 *
 * Serial code.  Internal to src/import.  Four forms are read:
 *     {MODEL: {"params": {"gbar_x.somatic": 0.1}}}, or "parameters"
 *     {"params": {...}}
 *     {"parameter": [{"name": "gbar_x.somatic", "value": 0.1}]}    Nexus, OBI
 *     {"gbar_x.somatic": 0.1}
 */
#ifndef BOSC_SRC_IMPORT_VALUES_H
#define BOSC_SRC_IMPORT_VALUES_H

#include "src/import/source.h"

typedef struct bosc_import_value {
    const char *name; /* "gbar_x.somatic" */
    bosc_item at;     /* of the number */
    bool used;
} bosc_import_value;

typedef struct bosc_import_values {
    const char *path;         /* NULL: there are none */
    bosc_import_value *value; /* [n] */
    size_t n, capacity;
} bosc_import_values;

/* Read a file; 'model' is the name of one of several in it, NULL: there is only
 * one. */
void bosc_import_values_read(bosc_import *imp, const char *path,
                             const char *model, bosc_import_values *values);

/* The value of parameter 'name' in 'location', which the source gives as
 * 'item': a number, or the bounds of a free one, for which the number is in
 * 'values'. */
const char *bosc_import_value_of(bosc_import *imp, bosc_import_values *values,
                                 const char *name, const char *location,
                                 bosc_item item);

/* Fail if a value belongs to no parameter. */
void bosc_import_values_end(bosc_import *imp, const bosc_import_values *values);

/* "{formula: "TEXT", value: VALUE, ...}"; the value only where the text has
 * "{value}": a job refuses numbers that a formula does not use.  more is "" or
 * ", name: number". */
const char *bosc_import_formula(bosc_import *imp, const char *text,
                                const char *value, const char *more);

/* The text in double quotes of YAML where it needs any. */
const char *bosc_import_quote(bosc_import *imp, const char *text);

#endif
