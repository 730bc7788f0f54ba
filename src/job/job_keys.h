/* job_keys.h - the table of all keys of a job file, and reading one value.
 *
 * Serial code.  Used by the params*.c files and by the test of
 * jobs/reference.yaml; the rest of the program uses job.h.
 *
 * A path names lists by "[]": "populations[].count".  Keys of a region stand
 * once, below BOSC_REGION_PATH, those of a draw below BOSC_DRAW_PATH; those of
 * mechanisms and synapses come from the table in kernels/mech/mech.h.
 */
#ifndef BOSC_SRC_JOB_JOB_KEYS_H
#define BOSC_SRC_JOB_JOB_KEYS_H

#include "src/job/job.h"
#include "src/job/yaml_tree.h"

#define BOSC_REGION_PATH "populations[].regions.REGION"
#define BOSC_DRAW_PATH "projections[].DRAW"
#define BOSC_SYNAPSE_PATH "synapses[]"

/* What a key's value is, and the field it goes to. */
typedef enum bosc_key_type {
    BOSC_KEY_REAL,      /* double */
    BOSC_KEY_INT,       /* int or int32_t */
    BOSC_KEY_INT64,     /* int64_t */
    BOSC_KEY_SEED,      /* uint64_t */
    BOSC_KEY_BOOL,      /* bool */
    BOSC_KEY_TEXT,      /* char *, not empty */
    BOSC_KEY_NAME,      /* char *, letters, digits, '_', '-' */
    BOSC_KEY_POLICY,    /* bosc_policy */
    BOSC_KEY_PLACE,     /* bosc_location */
    BOSC_KEY_NEURONS,   /* bosc_selection */
    BOSC_KEY_VARIABLES, /* bosc_variables */
    BOSC_KEY_SYNAPSE,   /* int: the mechanism, a point process */
    BOSC_KEY_SOURCE,    /* type of a bosc_source_spec */
    BOSC_KEY_RULE,      /* bosc_rule */
    BOSC_KEY_COUPLING,  /* bosc_coupling_type */
    BOSC_KEY_FORMAT,    /* bosc_spmv_format */
    BOSC_KEY_PARALLEL,  /* bosc_parallel */
    BOSC_KEY_BY,        /* kind of a bosc_target_location, one at random */
    BOSC_KEY_SPAN,      /* double[2], ascending */
    BOSC_KEY_BOX,       /* double[3] */
    BOSC_KEY_COUNTS,    /* int32_t[2]: one number twice, or two, ascending */
    BOSC_KEY_AMONG,     /* bool[BOSC_N_REGIONS] */
    BOSC_KEY_DRAW,      /* bosc_draw */
    BOSC_KEY_PAIR,      /* two numbers of a draw */
    BOSC_KEY_TARGET,    /* bosc_target_location: a place, or a group of keys */
    BOSC_KEY_GROUP,     /* keys of the same struct */
    BOSC_KEY_LIST,      /* entries of a struct of their own */
    BOSC_KEY_REGIONS    /* one group a region */
} bosc_key_type;

typedef struct bosc_key {
    const char *path;
    bosc_key_type type;
    const char *unit;     /* "" for none */
    double low, high;     /* allowed range of numbers, inclusive */
    const char *standard; /* the default as a job would say it; NULL: none */
    bool required;
    const char *meaning;
    size_t offset; /* of the field in the struct of its group */
} bosc_key;

extern const bosc_key bosc_keys[];
extern const int bosc_n_keys;

/* The part of a path behind the last dot. */
const char *bosc_key_leaf(const bosc_key *key);

/* True if the key stands directly below 'parent' ("" for the top). */
bool bosc_key_is_below(const bosc_key *key, const char *parent);

/* The key 'name' below 'parent', or NULL. */
const bosc_key *bosc_key_find(const char *parent, const char *name);

/* A mechanism's parameter as a key (offset 0); path is the bare name. */
bosc_key bosc_key_of_mech(int mech, int param);

/* Read a node into the field.  Not for groups, lists and regions. */
bosc_status bosc_value_read(const bosc_yaml *node, const bosc_key *key,
                            void *field, bosc_error *err);

/* Give the field of the struct at 'base' the key's default. */
bosc_status bosc_value_default(const bosc_key *key, char *base,
                               bosc_error *err);

/* The text of a scalar that says something; else an error. */
bosc_status bosc_value_text(const bosc_yaml *node, const bosc_key *key,
                            const char **text, bosc_error *err);

/* Readers of values with a grammar of their own (job_location.c); 'field' is
 * a bosc_selection, a bosc_location, a bosc_variables. */
bosc_status bosc_neurons_read(const bosc_yaml *node, const bosc_key *key,
                              void *field, bosc_error *err);
bosc_status bosc_locate_read(const bosc_yaml *node, const bosc_key *key,
                             void *field, bosc_error *err);
bosc_status bosc_variables_read(const bosc_yaml *node, const bosc_key *key,
                                void *field, bosc_error *err);

bosc_status bosc_among_read(const bosc_yaml *node, const bosc_key *key,
                            void *field, bosc_error *err);

/* Readers of several numbers (job_draw.c); 'field' is a bosc_draw,
 * double[2], double[3], int32_t[2]. */
bosc_status bosc_draw_read(const bosc_yaml *node, const bosc_key *key,
                           void *field, bosc_error *err);
bosc_status bosc_span_read(const bosc_yaml *node, const bosc_key *key,
                           void *field, bosc_error *err);
bosc_status bosc_box_read(const bosc_yaml *node, const bosc_key *key,
                          void *field, bosc_error *err);
bosc_status bosc_counts_read(const bosc_yaml *node, const bosc_key *key,
                             void *field, bosc_error *err);

/* Readers of the network (job_network.c). */
bosc_status bosc_synapse_type_read(const bosc_yaml *node, const bosc_key *key,
                                   void *field, bosc_error *err);
bosc_status bosc_target_read(const bosc_yaml *node, const bosc_key *key,
                             void *field, bosc_error *err);

/* What an entry needs besides its own keys, once these are read: checks which
 * of them go together, fills in what follows from them. */
bosc_status bosc_synapse_settle(const bosc_yaml *node, void *entry,
                                bosc_error *err);
bosc_status bosc_source_settle(const bosc_yaml *node, void *entry,
                               bosc_error *err);
bosc_status bosc_projection_settle(const bosc_yaml *node, void *entry,
                                   bosc_error *err);
bosc_status bosc_coupling_settle(const bosc_yaml *node, void *entry,
                                 bosc_error *err);

/* The name of an entry, for bosc_yaml_assign(): its own, else that which a
 * projection, FROM-TO, or a coupling, FROM-TO-TYPE, has without. */
bool bosc_entry_name(const bosc_yaml *entry, char name[BOSC_YAML_NAME]);

/* The distinct names of what a point process may have as parameters, at most
 * BOSC_MAX_SYNAPSE_PARAMS. */
enum { BOSC_MAX_SYNAPSE_PARAMS = 16 };
size_t bosc_synapse_params(const char *names[BOSC_MAX_SYNAPSE_PARAMS]);

/* Read 'regions' (job_region.c); fills the cable's Ra and cm as well. */
bosc_status bosc_regions_read(const bosc_yaml *node,
                              bosc_population_spec *population,
                              bosc_error *err);

/* A map, or nothing at all, which is an empty one; else an error that tells
 * what to write between the braces. */
bosc_status bosc_group_expect(const bosc_yaml *node, const char *example,
                              bosc_error *err);

/* How a message shows a value. */
#define BOSC_SHOW(node) bosc_yaml_show(node, (char[60]){0}, 60)

/* What to do instead of a word, a key below 'path' ("" for the top) or a unit
 * of the number at 'path', that asks for what bosc does otherwise or not at
 * all; NULL: none is known. */
const char *bosc_key_advice(const char *path, const char *word);

/* Fail with "unknown key", and what was probably meant: that, or one of the n
 * names that may stand below 'path'. */
bosc_status bosc_key_unknown(const bosc_yaml *node, const char *path, size_t n,
                             const char *const *names, bosc_error *err);

/* The job's text with each of the n_set strings of '--set' as a comment of one
 * line behind it (job_set.c); NULL without memory. */
char *bosc_set_text(const char *text, int n_set, const char *const *set);

/* Apply them to the tree.  sources [n_set], of NULLs: set to what the new nodes
 * say they come from, for the caller to free() after the tree, also on
 * failure. */
bosc_status bosc_set_all(bosc_yaml *root, int n_set, const char *const *set,
                         char **sources, bosc_error *err);

/* Where entry i of the list, or its key where it has that, stands. */
const bosc_yaml *bosc_entry_place(const bosc_yaml *root, const char *list,
                                  int i, const char *key);

/* Add to the notes what is said about a node. */
bosc_status bosc_job_note(bosc_job *job, const bosc_yaml *node, bosc_error *err,
                          const char *format, ...) BOSC_PRINTF(4, 5);

/* What network and populations say of each other (job_network_check.c);
 * finds the indices that names stand for. */
bosc_status bosc_network_check(bosc_job *job, const bosc_yaml *root,
                               bosc_error *err);

/* What of the network is hardly meant, as notes. */
bosc_status bosc_network_note(bosc_job *job, const bosc_yaml *root,
                              bosc_error *err);

/* All that needs more than one key, once everything is read; sets n_steps and
 * the intervals. */
bosc_status bosc_job_check(bosc_job *job, const bosc_yaml *root,
                           bosc_error *err);

#endif
