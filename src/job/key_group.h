/* key_group.h - groups of keys in YAML, read along a table into structs.
 *
 * Serial code: no MPI.  A schema is a table of keys: path, type, unit, range,
 * default, meaning, and the field that the value goes to.  The job
 * (job_keys.c) and the machine file (src/cost/machine.c) have one each; to add
 * a key is to add a row.
 *
 * A path names the entries of a list by "[]": "populations[].count".
 */
#ifndef BOSC_SRC_JOB_KEY_GROUP_H
#define BOSC_SRC_JOB_KEY_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/job/yaml/yaml_tree.h"

/* What a key's value is, and the field it goes to. */
typedef enum bosc_key_type {
    BOSC_KEY_REAL,      /* double */
    BOSC_KEY_INT,       /* int or int32_t */
    BOSC_KEY_INT64,     /* int64_t */
    BOSC_KEY_SEED,      /* uint64_t */
    BOSC_KEY_BOOL,      /* bool */
    BOSC_KEY_TEXT,      /* char *, not empty */
    BOSC_KEY_NAMES,     /* char *, one or a list, as "a, b" */
    BOSC_KEY_PATHS,     /* char *, one or a list, each ends with a newline */
    BOSC_KEY_NAME,      /* char *, letters, digits, '_', '-' */
    BOSC_KEY_POLICY,    /* bosc_policy */
    BOSC_KEY_LOCATION,  /* bosc_location */
    BOSC_KEY_PLACES,    /* bosc_location, of any kind */
    BOSC_KEY_NEURONS,   /* bosc_selection */
    BOSC_KEY_VARIABLES, /* bosc_variables */
    BOSC_KEY_POINT_PROCESS, /* bosc_point_process, without parameters */
    BOSC_KEY_POINTERS,      /* bosc_pointers */
    BOSC_KEY_SOURCE,        /* type of a bosc_source_spec */
    BOSC_KEY_RULE,          /* bosc_rule */
    BOSC_KEY_COUPLING,      /* bosc_coupling_type */
    BOSC_KEY_FORMAT,        /* bosc_spmv_format */
    BOSC_KEY_PARALLEL,      /* bosc_parallel */
    BOSC_KEY_PRECISION,     /* int: 1 is float */
    BOSC_KEY_POSITIONS,     /* bosc_positions */
    BOSC_KEY_CURRENTS,      /* int: 1 is point */
    BOSC_KEY_LEVELS,        /* int: 1 is root */
    BOSC_KEY_TUNE,          /* int: 1 is measure */
    BOSC_KEY_MEASURE,       /* kind of a bosc_target_location, one at random */
    BOSC_KEY_RANGE,         /* double[2], ascending */
    BOSC_KEY_BOX,           /* double[3] */
    BOSC_KEY_COUNTS,      /* int32_t[2]: one number twice, or two, ascending */
    BOSC_KEY_REGION_LIST, /* bosc_region_list */
    BOSC_KEY_DRAW,        /* bosc_draw */
    BOSC_KEY_PARAMETERS,  /* bosc_synapse_params, of a projection */
    BOSC_KEY_PAIR,        /* two numbers of a draw */
    BOSC_KEY_NUMBERS,   /* bosc_number_list; whole ones where it has no unit */
    BOSC_KEY_BY_REGION, /* double[BOSC_N_REGIONS]: a number, or a group */
    BOSC_KEY_SCALE,     /* factors of a bosc_edit_spec: one group a region */
    BOSC_KEY_AXON,      /* bosc_axon_rule */
    BOSC_KEY_ATTACH,    /* bosc_attach */
    BOSC_KEY_ATTACH_STUB, /* the same, but for "file" */
    BOSC_KEY_TARGET,      /* bosc_target_location: a place, or a group */
    BOSC_KEY_SWEPT,       /* no field: src/sweep/ reads it */
    BOSC_KEY_GROUP,       /* keys of the same struct */
    BOSC_KEY_LIST,        /* entries of a struct of their own */
    BOSC_KEY_REGIONS,     /* bosc_population_spec: one group a region */
    BOSC_KEY_WHERE,       /* bosc_where *; of a region */
    BOSC_KEY_VARYING,     /* a bosc_cable_key, which is the offset */
    BOSC_N_KEY_TYPES
} bosc_key_type;

typedef struct bosc_key {
    const char *path;
    bosc_key_type type;
    const char *unit;     /* "" for none */
    double low, high;     /* allowed range of numbers, inclusive */
    const char *standard; /* the default as YAML says it; NULL: none */
    bool required;
    const char *meaning;
    size_t offset; /* of the field in the struct of its group */
} bosc_key;

typedef struct bosc_schema bosc_schema;

typedef bosc_status bosc_entry_completer(const bosc_schema *schema,
                                         const bosc_yaml *node, void *entry,
                                         bosc_error *err);

/* The entries of a list: the struct of each, and what else they need once
 * their keys are read: checks of several keys, values that follow from them. */
typedef struct bosc_key_list {
    const char *path, *entry_path; /* "populations", "populations[]" */
    size_t size;                   /* bytes of an entry */
    size_t entries, n; /* offsets of pointer and int in the struct above */
    size_t line;       /* offset in an entry of an int, the line of the text;
                          BOSC_NO_LINE: it has none */
    bosc_entry_completer *complete;
} bosc_key_list;

#define BOSC_NO_LINE SIZE_MAX

/* Where in a text something stands, kept for messages after the reading: which
 * key ("" for the entry itself), and the char * in the struct of 'entry_path'
 * ("" for the top). */
typedef struct bosc_key_where {
    const char *entry_path, *key;
    size_t offset;
} bosc_key_where;

enum { BOSC_MAX_KEYS = 4096 }; /* of one group, mechanisms' parameters too */

struct bosc_schema {
    int n_keys, n_lists, n_wheres;
    const bosc_key *keys;           /* [n_keys] */
    const bosc_key_list *lists;     /* [n_lists] */
    const bosc_key_where *wheres;   /* [n_wheres] */
    const char *remedy;             /* where a key is missing: "add it" */
    const struct bosc_mechs *mechs; /* that values name; NULL: none do */
    /* Append names below 'path' that the table has not to names[n]; returns how
     * many there are then.  NULL: there are none. */
    size_t (*more_names)(const bosc_schema *schema, const char *path, size_t n,
                         const char *names[BOSC_MAX_KEYS]);
    /* Fail with "unknown key"; NULL: bosc_key_unknown(). */
    bosc_status (*unknown)(const bosc_schema *schema, const bosc_yaml *node,
                           const char *path, size_t n, const char *const *names,
                           bosc_error *err);
};

/* --- the table (key_table.c) ---------------------------------------------- */

/* The part of a path behind the last dot. */
const char *bosc_key_leaf(const bosc_key *key);

/* True if the key stands directly below 'parent' ("" for the top). */
bool bosc_key_is_below(const bosc_key *key, const char *parent);

/* The key 'name' below 'parent', or NULL. */
const bosc_key *bosc_key_find(const bosc_schema *schema, const char *parent,
                              const char *name);

/* The names of the keys below 'path', at most BOSC_MAX_KEYS. */
size_t bosc_key_names(const bosc_schema *schema, const char *path,
                      const char *names[BOSC_MAX_KEYS]);

/* Fail with "unknown key" and the one of n names that was probably meant, or
 * all of them. */
bosc_status bosc_key_unknown(const bosc_yaml *node, const char *path, size_t n,
                             const char *const *names, bosc_error *err);

/* The key's default, as the value of a text. */
bosc_yaml bosc_key_standard(const bosc_key *key);

/* A group that has only keys of the table below 'path'; else an error. */
bosc_status bosc_group_check(const bosc_schema *schema, const bosc_yaml *node,
                             const char *path, bosc_error *err);

/* A map, or nothing at all, which is an empty one; else an error that says
 * what to write between the braces. */
bosc_status bosc_group_expect(const bosc_yaml *node, const char *example,
                              bosc_error *err);

/* --- a whole text (key_group.c) ------------------------------------------- */

/* Read the keys of a whole text into the struct at 'base', which is zero:
 * unknown keys are refused, missing ones get their defaults.  Also on failure
 * bosc_group_free() frees what the fields of 'base' hold. */
bosc_status bosc_group_read(const bosc_schema *schema, const bosc_yaml *root,
                            void *base, bosc_error *err);
void bosc_group_free(const bosc_schema *schema, void *base);

/* --- values (job_types.c) ------------------------------------------------- */

typedef bosc_status bosc_value_reader(const bosc_yaml *node,
                                      const bosc_key *key, void *field,
                                      bosc_error *err);

/* The same of values that the schema must be known for. */
typedef bosc_status bosc_schema_reader(const bosc_schema *schema,
                                       const bosc_yaml *node,
                                       const bosc_key *key, void *field,
                                       bosc_error *err);

/* A type: what '--help-keys' calls it and, unless it is a group or a list, how
 * its values are read, by one of the two.  Where it is one of some words: what
 * a message calls one, the words, the number of the first. */
typedef struct bosc_value_type {
    const char *name;
    bosc_value_reader *read;
    bosc_schema_reader *read_in;
    const char *noun;
    const char *const *words;
    size_t n_words;
    int first;
} bosc_value_type;
extern const bosc_value_type bosc_value_types[BOSC_N_KEY_TYPES];

/* Read a node into the field.  Not for groups and lists; the first one only for
 * types that need no schema. */
bosc_value_reader bosc_value_read;
bosc_schema_reader bosc_value_read_in;

/* --- values that are one number, word or text (job_value.c) --------------- */

/* Readers of the types REAL, INT, INT64, SEED, BOOL, TEXT, PATHS, NAMES and
 * NAME. */
bosc_value_reader bosc_real_read, bosc_int_read, bosc_int64_read,
    bosc_seed_read, bosc_bool_read, bosc_text_read, bosc_paths_read,
    bosc_names_read, bosc_name_read;

/* The text of a scalar that says something; else an error. */
bosc_status bosc_value_text(const bosc_yaml *node, const bosc_key *key,
                            const char **text, bosc_error *err);

/* Fail with "unknown NOUN 'name'", and the one of n names that was probably
 * meant, or all of them. */
bosc_status bosc_value_unknown(const bosc_yaml *node, const char *key,
                               const char *noun, const char *name, size_t n,
                               const char *const *names, bosc_error *err);

/* How a message shows a value. */
#define BOSC_SHOW(node) bosc_yaml_show(node, (char[60]){0}, 60)

#endif
