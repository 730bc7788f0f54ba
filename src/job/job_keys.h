/* job_keys.h - the schema of a job file, and what its values need.
 *
 * Serial code.  For job*.c; the rest of the program uses job.h.
 *
 * Keys of a region stand once, below BOSC_REGION_PATH, those of its 'where'
 * below BOSC_WHERE_PATH, those of a draw below BOSC_DRAW_PATH; those of
 * mechanisms and synapses come from the table in kernels/mech/mech.h.
 */
#ifndef BOSC_SRC_JOB_JOB_KEYS_H
#define BOSC_SRC_JOB_JOB_KEYS_H

#include "src/job/key_group.h"
#include "src/job/variable.h"

#define BOSC_REGION_PATH "populations[].regions.REGION"
#define BOSC_WHERE_PATH "populations[].WHERE"
#define BOSC_DRAW_PATH "projections[].DRAW"
#define BOSC_SYNAPSE_PATH "synapses[]"
#define BOSC_POINT_PATH "point_processes[]"
#define BOSC_STIMULUS_PATH "stimuli[]"
#define BOSC_ARTIFICIAL_PATH "populations[].artificial"

/* Without mechanisms: whoever reads values with it sets those of the job in a
 * copy. */
extern const bosc_schema bosc_job_schema;

/* Of that schema: what messages after the reading are about (job_note.c). */
enum { BOSC_N_JOB_WHERES = 27 };
extern const bosc_key_where bosc_job_wheres[];

/* A mechanism's parameter as a key (offset 0); path is the bare name
 * (job_mech.c). */
bosc_key bosc_key_of_mech(const bosc_mech *mech, int param);

/* Readers of values with a grammar of their own (job_location.c, job_place.c);
 * 'field' is a bosc_selection, a bosc_location, a bosc_variables, a
 * bosc_region_list, whose own regions are found by the next.  A point is a
 * location that is one.  Of places, which are a location too, groups and lists
 * are left to bosc_places_complete() (grammar/job_where.h). */
bosc_value_reader bosc_neurons_read, bosc_location_read, bosc_point_read,
    bosc_places_read, bosc_region_list_read;
bosc_schema_reader bosc_variables_read;

/* Hand every word of a value, "a, b", or of a list of values, to 'read', the
 * node of each beside it. */
typedef bosc_status bosc_word_reader(const bosc_yaml *node, const char *word,
                                     size_t length, void *to, bosc_error *err);
bosc_status bosc_words_read(const bosc_yaml *node, const bosc_key *key,
                            bosc_word_reader *read, void *to, bosc_error *err);

/* With the populations: find the regions of the user's own that a list names,
 * in that to which it belongs; 'node' is the list. */
bosc_status bosc_region_list_complete(const bosc_yaml *node,
                                      const bosc_population_spec *population,
                                      bosc_region_list *list, bosc_error *err);

/* "dend" of "dend[3](0.5)", or the word of a region; then the number behind a
 * bracket.  What stands behind it, NULL: there is none (job_place.c). */
const char *bosc_section_word(const char *p, bosc_region *region);

/* Does it begin with "myelin", which is no region (bosc_section_name())? */
bool bosc_section_is_myelin(const char *p);
const char *bosc_section_number(const char *p, int32_t *number);

/* Complete a variable of a probe that may be one of a synapse, and fail where
 * nothing at the place of the probe has it; 'node' is the probe's list. */
bosc_status bosc_variable_check(const bosc_job *job,
                                const bosc_probe_spec *probe,
                                const bosc_yaml *node, bosc_variable *variable,
                                bosc_error *err);

/* Reader of 'pointers' (job_pointer.c); 'field' is a bosc_pointers, of which it
 * replaces those that the node names. */
bosc_schema_reader bosc_pointers_read;

/* Fail where a mechanism has other POINTERs than these, or assigns to what it
 * cannot; 'node' is its group of keys.  Then, with all populations and
 * synapses: find what names stand for. */
bosc_status bosc_pointers_check(const bosc_mechs *mechs, const bosc_yaml *node,
                                const bosc_mech *mech,
                                const bosc_pointers *pointers, bosc_error *err);
bosc_status bosc_pointers_complete(const bosc_job *job, bosc_error *err);

/* Readers of several numbers (job_draw.c); 'field' is a bosc_draw,
 * double[2], double[3], int32_t[2]. */
bosc_value_reader bosc_range_read, bosc_box_read, bosc_counts_read;
bosc_schema_reader bosc_draw_read;

/* Readers of what edits morphologies (job_edit.c); 'field' is a
 * bosc_number_list, double[BOSC_N_REGIONS], a bosc_edit_spec. */
bosc_value_reader bosc_number_list_read;

/* Points in space: a bosc_positions. */
bosc_value_reader bosc_positions_read;

/* The keys of an entry that is a potential outside neurons, which is
 * everywhere; of others nothing (job_outside.c). */
bosc_status bosc_outside_check(const bosc_yaml *node, bosc_point_spec *stimulus,
                               const bosc_mech *mech, bosc_error *err);

/* A probe of electrodes records their potential. */
bosc_entry_completer bosc_probe_complete;
bosc_schema_reader bosc_by_region_read, bosc_scale_read;

/* Readers of the network (job_network.c). */
bosc_value_reader bosc_target_read;
bosc_schema_reader bosc_point_type_read;

/* Reader of 'regions' (region/regions.c); 'field' is the bosc_population_spec,
 * whose cable's Ra and cm are filled as well. */
bosc_schema_reader bosc_regions_read;

/* The tree of a job, with assignments applied, and what its nodes need. */
typedef struct bosc_job_tree {
    bosc_yaml *root;
    int n_set;
    char **sources;    /* [n_set] of nodes from the command line */
    char *text;        /* with the assignments as comments, and what models say,
                          for the result */
    bosc_yaml *models; /* a list (grammar/job_model.c); NULL: none */
} bosc_job_tree;

/* Read a tree; to be cleared whatever is returned.  Then the job of 'root', the
 * tree's own or a copy, with the tree's models: that has no text, and
 * mechanisms of the schema. */
bosc_status bosc_job_tree_create(const char *path, const char *text, int n_set,
                                 const char *const *set, bosc_job_tree *tree,
                                 bosc_error *err);
void bosc_job_tree_clear(bosc_job_tree *tree);
bosc_status bosc_job_of_tree(const bosc_schema *schema,
                             const bosc_job_tree *tree, const bosc_yaml *root,
                             const char *path, bosc_job **out, bosc_error *err);

/* --- models of populations (grammar/job_model.c) -------------------------- */

/* The model that an entry of populations names, and those of its keys that the
 * reading of the model depends on; NULL: it has not that key. */
typedef struct bosc_job_model {
    const bosc_yaml *node; /* of 'model' */
    const char *source, *values, *name;
    const char *axon;       /* the rule; "none": of no rule that has a name */
    const char *morphology; /* it matters only whether there is one */
} bosc_job_model;

/* False where it names none. */
bool bosc_job_model_find(const bosc_yaml *entry, bosc_job_model *model);
bool bosc_job_model_same(const bosc_job_model *a, const bosc_job_model *b);

/* A copy of a job's tree in which populations have what their models say. */
typedef struct bosc_job_merged {
    bosc_yaml *root; /* NULL: no population has a model */
    int n;
    size_t capacity;
    char **sources; /* [n] of nodes of models: "job.yaml:7: model fit.json" */
} bosc_job_merged;

/* To be cleared whatever is returned.  'told' gets a sentence for people about
 * each. */
bosc_status bosc_job_models_merge(const bosc_yaml *root,
                                  const bosc_yaml *models,
                                  bosc_job_merged *merged, bosc_warnings *told,
                                  bosc_error *err);
void bosc_job_merged_clear(bosc_job_merged *merged);

/* A status of the command line becomes one of a file, where the message is
 * about a node of a model. */
bosc_status bosc_job_models_place(const bosc_job_merged *merged, bosc_status st,
                                  const bosc_error *err);

/* The mod files of model number i; NULL: there are none. */
const bosc_yaml *bosc_job_models_mechanisms(const bosc_job_tree *tree,
                                            size_t i);

/* What entries need once their keys are read: checks of which keys go
 * together, values that follow from them. */
bosc_entry_completer bosc_population_complete, bosc_synapse_complete,
    bosc_point_complete, bosc_clamp_complete, bosc_stimulus_complete,
    bosc_source_complete, bosc_projection_complete, bosc_coupling_complete;

/* Read the group 'artificial' of a population. */
bosc_status bosc_artificial_complete(const bosc_schema *schema,
                                     const bosc_yaml *node,
                                     bosc_population_spec *population,
                                     bosc_error *err);

/* With all populations and synapses: insert the ions that mechanisms use, and
 * refuse mechanisms that do not go together. */
bosc_status bosc_ions_complete(bosc_job *job, const bosc_yaml *root,
                               bosc_error *err);

/* The name of an entry, for bosc_yaml_assign(): its own, else that which a
 * projection, FROM-TO, or a coupling, FROM-TO-TYPE, has without. */
bool bosc_entry_name(const bosc_yaml *entry, char name[BOSC_YAML_NAME]);

/* Do the keys of an entry of synapses begin with 'path'?  (job_mech.c) */
bool bosc_point_is_synapse(const char *path);

/* May a mechanism be the type of an entry whose keys begin with 'path', that of
 * synapses or of point processes?  (job_mech.c) */
bool bosc_point_fits(const char *path, const bosc_mech *mech);

/* Append the distinct names of the parameters of all that may to names[n];
 * returns how many there are then. */
size_t bosc_point_params(const bosc_mechs *mechs, const char *path, size_t n,
                         const char *names[BOSC_MAX_KEYS]);

/* The same of one mechanism. */
size_t bosc_mech_params(const bosc_mech *mech, size_t n,
                        const char *names[BOSC_MAX_KEYS]);

/* Fail where the parameters of a mechanism do not go together; 'node' is its
 * group of keys. */
bosc_status bosc_params_check(const bosc_yaml *node, const bosc_mech *mech,
                              const double *p, bosc_error *err);

/* Fail with "unknown key", and what was probably meant: the nearest of the n
 * names that may stand below 'path', or else where a key of that name stands.
 */
bosc_status bosc_job_key_unknown(const bosc_schema *schema,
                                 const bosc_yaml *node, const char *path,
                                 size_t n, const char *const *names,
                                 bosc_error *err);

/* The node of entry i of the list, or of its key where it has that. */
const bosc_yaml *bosc_entry_node(const bosc_yaml *root, const char *list, int i,
                                 const char *key);

/* Check names and references between lists (job_network_check.c); finds the
 * indices that names stand for. */
bosc_status bosc_network_check(bosc_job *job, const bosc_yaml *root,
                               bosc_error *err);

/* With the kinds of synapses: read 'parameters' of projection i, and note which
 * kinds its list may name (grammar/job_params.c). */
bosc_status bosc_synapse_params_complete(const bosc_job *job,
                                         const bosc_yaml *root, int i,
                                         bosc_error *err);

/* The connection of probe i is one that can be told apart
 * (grammar/job_probe.c). */
bosc_status bosc_probe_connection_check(const bosc_job *job,
                                        const bosc_yaml *root, int i,
                                        bosc_error *err);

/* Names of probes differ, and from what the result has besides. */
bosc_status bosc_probe_names_check(const bosc_job *job, const bosc_yaml *root,
                                   bosc_error *err);

/* Add notes about entries that have no effect (job_note.c). */
bosc_status bosc_effects_note(bosc_job *job, const bosc_yaml *root,
                              bosc_error *err);

/* All that needs more than one key, once everything is read; sets n_steps and
 * the intervals. */
bosc_status bosc_job_check(bosc_job *job, const bosc_yaml *root,
                           bosc_error *err);

#endif
