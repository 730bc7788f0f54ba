/* job.h - the job: everything a run's YAML file may say, checked.
 *
 * Serial code: no MPI (rank 0 reads the text and broadcasts it; every rank
 * parses the same bytes).  One table of keys (job_keys.c) gives each key its
 * type, unit, range, default and meaning; parsing, '--set', the messages and
 * '--help-keys' all read that table, and 'make reference' writes it into
 * jobs/reference.yaml and the manual page.
 */
#ifndef BOSC_SRC_JOB_JOB_H
#define BOSC_SRC_JOB_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "kernels/mech/registry.h"
#include "kernels/spmv/spmv.h"
#include "kernels/step/limits.h"
#include "src/base/status.h"
#include "src/base/warning.h"
#include "src/job/grammar/members.h"
#include "src/job/region.h"
#include "src/morphology/spec.h"

/* Below, 'where' is where the job says something, as later messages begin:
 * "job.yaml:12", or "--set key=value". */

typedef struct bosc_population_spec {
    char *name;
    int member;            /* in bosc_sweep.members; 0 without a sweep */
    uint64_t seed;         /* of its random numbers: the job's */
    int line;              /* of the job file, for later messages; here and
                              below 0: from the command line */
    char *morphologies;    /* an SWC file, a glob of them, or a list (.tsv);
                              relative to the job file's folder; NULL:
                              synthetic */
    int morphologies_line; /* of that key, 0 as above */
    char *model;           /* a published model that says all that the entry
                              does not (grammar/job_model.c); NULL: none */
    char *model_values, *model_name; /* its free parameters; one of several */
    bool every_row; /* takes the rows that a list has for others too */
    bosc_synthetic_range synthetic;
    bool is_artificial; /* cells without compartments, which are neurons of a
                           soma without membrane (src/batch/): */
    bosc_point_process artificial;
    int kind;        /* and the kind of their synapses, in job.synapses */
    double box[3];   /* um; somata are at random in it; 0 0 0: none */
    char *positions; /* or a file with x y z (um) of each; NULL: none */
    char *positions_where;
    int64_t count; /* neurons of a synthetic population, or of each file named
                      by 'morphologies' when that is not a list; default 1 */
    bosc_cable_spec cable; /* Ra, cm filled from the regions */
    char *regions_where;   /* of the group 'regions'; NULL: there is none */
    int n_regions;
    bosc_region_entry *regions; /* [n_regions] in the order in which they
                                   override */
    /* Those of the types of sections, by bosc_region; then one for each region
     * of the user's own and type that it may have, as if it were the only one:
     * other sets of regions are found on neurons (membrane.h). */
    int n_membranes;
    bosc_membrane *membranes;
} bosc_population_spec;

/* Some neurons of a population: numbers 0 .. within it. */
typedef struct bosc_range {
    int64_t first, last; /* inclusive; last -1: to the end */
} bosc_range;

typedef struct bosc_selection {
    char *population; /* NULL: every population */
    int of_member;    /* of the populations of member of_member - 1 of a sweep
                         only; 0: of every one */
    int n_ranges;
    bosc_range *ranges; /* [n_ranges] ascending, apart from each other;
                           0 ranges: all neurons */
    char *where;
} bosc_selection;

/* What a probe records, each once, in the order of the job. */
typedef struct bosc_variables {
    int n;
    bosc_variable *variable; /* [n] */
    char *where;
} bosc_variables;

/* Point processes that act without events, as electrodes do. */
typedef struct bosc_point_spec {
    int line;
    char *name; /* of a stimulus; NULL: an entry of the other lists */
    bosc_selection neurons;
    bosc_location at;
    bosc_outside outside; /* of a stimulus that is such a potential: it is
                             everywhere, and its numbers those of the soma */
    bosc_point_process type;
    char *table, *column; /* of a stimulus that plays one: the file, relative to
                             the job's folder, and whose numbers; else NULL */
    char *table_where;
} bosc_point_spec;

static inline bool bosc_is_extracellular(const bosc_point_spec *spec)
{
    return spec->outside.direction.n + spec->outside.electrodes.n > 0;
}

/* A current clamp: the point process IClamp, with keys of its own. */
typedef struct bosc_clamp_spec {
    bosc_point_spec point;
    double delay, duration, amplitude; /* ms, ms, nA */
} bosc_clamp_spec;

/* --- the network --------------------------------------------------------- */

/* A number that is constant or drawn for each connection.  Draws outside
 * low..high become its nearer end; both are finite, and where the kind itself
 * has narrower bounds (a constant, uniform) they are these. */
typedef struct bosc_draw {
    enum {
        BOSC_DRAW_CONSTANT,  /* a; NAN: a list that must say it itself */
        BOSC_DRAW_UNIFORM,   /* from a to b */
        BOSC_DRAW_NORMAL,    /* mean a, standard deviation b */
        BOSC_DRAW_LOGNORMAL, /* mean a, standard deviation b of the number */
        BOSC_DRAW_DISTANCE   /* a + b times the distance of the somata (um) */
    } kind;
    double a, b, low, high;
    char *where;
} bosc_draw;

/* The number that four random words give, of a draw that is drawn. */
double bosc_draw_number(const bosc_draw *draw, const uint32_t words[4]);

/* A kind of synapse. */
typedef struct bosc_synapse_spec {
    int line;
    char *name;
    int like; /* synapses before it that have its name: of other members of a
                 sweep */
    bosc_point_process type;
} bosc_synapse_spec;

typedef enum bosc_source_type {
    BOSC_SOURCE_REGULAR, /* NEURON's NetStim */
    BOSC_SOURCE_POISSON,
    BOSC_SOURCE_FILE,
    BOSC_N_SOURCE_TYPES
} bosc_source_type;

extern const char *const bosc_source_names[BOSC_N_SOURCE_TYPES];

/* What sends events without being a neuron. */
typedef struct bosc_source_spec {
    int line;
    char *name;
    uint64_t seed; /* the job's */
    bosc_source_type type;
    int64_t count;
    double start, stop;     /* ms */
    int64_t number;         /* regular: events of each; INT64_MAX: no limit */
    double interval, noise; /* ms; 0 to 1: share of it that is exponential */
    double rate;            /* poisson: 1/s of each */
    char *file;  /* .tsv: time (ms) and source; .nc: spike_time, spike_gid */
    char *where; /* of 'file' */
} bosc_source_spec;

/* Compartments of a population that are in any of some regions. */
typedef struct bosc_region_list {
    bool type[BOSC_N_REGIONS]; /* sections of these types */
    uint64_t own; /* bit k: region k of the population, the user's own */
} bosc_region_list;

static inline bool bosc_region_list_same(const bosc_region_list *a,
                                         const bosc_region_list *b)
{
    return a->own == b->own && memcmp(a->type, b->type, sizeof a->type) == 0;
}

/* Where on the target the synapses of a projection are. */
typedef struct bosc_target_location {
    enum {
        BOSC_TARGET_PLACE,  /* 'place' */
        BOSC_TARGET_LENGTH, /* at random, by length or area */
        BOSC_TARGET_AREA
    } kind;
    bosc_location place;
    bosc_region_list region; /* at random: which, of the target */
    double near, far;        /* at random: path length from the soma, um */
    char *where;
} bosc_target_location;

typedef enum bosc_rule {
    BOSC_RULE_ONE_TO_ONE,
    BOSC_RULE_ALL_TO_ALL,
    BOSC_RULE_FIXED_INDEGREE,
    BOSC_RULE_FIXED_PROBABILITY,
    BOSC_RULE_RING,
    BOSC_RULE_DISTANCE,
    BOSC_RULE_LIST,
    BOSC_N_RULES
} bosc_rule;

extern const char *const bosc_rule_names[BOSC_N_RULES];

/* What a weight (uS, of either sign) and a delay (ms) can be at most: more is a
 * slip, and sums of such numbers stay finite. */
enum { BOSC_MOST_WEIGHT = 1000000, BOSC_MOST_DELAY = 1000000 };

/* A parameter of the synapses of a projection, for each connection. */
typedef struct bosc_param_draw {
    int param;       /* of the mechanism of their kind */
    uint32_t stream; /* of random numbers */
    bosc_draw draw;
} bosc_param_draw;

/* What 'parameters' of a projection say; of a list the kinds that it may name,
 * those of the job, in their order. */
typedef struct bosc_synapse_params {
    int n, n_kinds;
    bosc_param_draw *draw; /* [n] */
    int *kinds;            /* [n_kinds] */
} bosc_synapse_params;

typedef struct bosc_projection_spec {
    int line;
    char *name;       /* default: FROM-TO */
    uint64_t seed;    /* the job's */
    char *from, *to;  /* populations or a source; populations: "a, b" */
    int from_index;   /* in populations, or -1 - that in sources */
    int to_index;     /* in populations */
    int n_from, n_to; /* populations that follow each other from there on,
                         whose neurons are counted through; 1 of a source */
    char *synapse;    /* a kind */
    int synapse_index;
    bosc_synapse_params params;
    bosc_rule rule;
    int64_t indegree;   /* fixed_indegree */
    double probability; /* fixed_probability; distance: of neighbours */
    double length;      /* distance: probability exp(-distance / length), um */
    int64_t offset;     /* ring: target i has source i - offset */
    char *file;         /* list: source, target[, weight (uS), delay (ms)] */
    bool autapses;      /* a neuron may be its own source */
    bosc_draw weight, delay; /* uS, ms */
    bosc_target_location at;
    bosc_location source_at; /* where the source's voltage is watched */
    double source_threshold; /* mV; NAN: as spikes.threshold */
    char *where;             /* of the entry */
    char *file_where;
} bosc_projection_spec;

/* Is it from, or to, that population? */
static inline bool bosc_link_is_from(const bosc_projection_spec *link, int p)
{
    return link->from_index >= 0 && p >= link->from_index &&
           p < link->from_index + link->n_from;
}

static inline bool bosc_link_is_to(const bosc_projection_spec *link, int p)
{
    return p >= link->to_index && p < link->to_index + link->n_to;
}

typedef enum bosc_coupling_type {
    BOSC_COUPLING_GAP,    /* i = g (v_other - v), at both ends */
    BOSC_COUPLING_GRADED, /* i = g (e - v) / (1 + exp(-(v_source - half) /
                             slope)), at the target */
    BOSC_N_COUPLING_TYPES
} bosc_coupling_type;

extern const char *const bosc_coupling_names[BOSC_N_COUPLING_TYPES];

/* What works at every step. */
typedef struct bosc_coupling_spec {
    bosc_projection_spec link; /* who with whom, and where; its weight is the
                                  conductance; no synapse, no delay */
    bosc_coupling_type type;
    double e, half, slope; /* mV; graded */
    bosc_spmv_format format;
    bosc_spmv_format chosen; /* for auto, before any is made (src/select) */
} bosc_coupling_spec;

/* The connections of a projection from one of its sources. */
typedef struct bosc_single_spec {
    char *projection; /* NULL: none is named */
    int64_t source;   /* number in what it is from */
    char *where;
} bosc_single_spec;

typedef struct bosc_probe_spec {
    int line;
    char *name; /* becomes the name of a netCDF dimension and prefix */
    bosc_selection neurons;
    bosc_location at;
    bosc_variables variables;
    double interval;    /* ms, a multiple of dt */
    double start, stop; /* ms: of the first frame; no frame is after 'stop', 0:
                           all of the run */
    int is_float;       /* 1: the file has single precision */
    bool detects;       /* spikes at each place, by */
    double threshold;   /* this (mV) */
    bosc_single_spec connection; /* records these alone, where they end */
    bosc_positions electrodes;   /* n > 0: the potential there is recorded, and
                                    'at' and 'variables' stand for it; */
    double sigma;                /* S/m, and the currents */
    int is_point;                /* flow from points (1), or lines */
    int64_t first, last, every;  /* steps: of these three */
} bosc_probe_spec;

/* Frames that a probe has in all. */
static inline int64_t bosc_probe_frames(const bosc_probe_spec *probe)
{
    return (probe->last - probe->first) / probe->every + 1;
}

/* May all I/O ranks write the file?  Auto: where they can. */
typedef enum bosc_parallel {
    BOSC_PARALLEL_AUTO,
    BOSC_PARALLEL_YES,
    BOSC_PARALLEL_NO
} bosc_parallel;

/* --- the job ------------------------------------------------------------- */

/* What computes. */
typedef struct bosc_compute_spec {
    char *backend, *method;           /* names, "auto" allowed */
    const struct bosc_method *solver; /* which these two mean; from the choice
                                         of a method on (src/sim/): the one
                                         that was chosen */
    int32_t width; /* of groups of neurons on a GPU, chosen like 'solver'; 0:
                      that of the method */
    int tune;      /* 1: candidates for method auto are measured first */
    int threads;   /* per rank; 0: as OMP_NUM_THREADS or the cores */
    int block;     /* neurons of a block of method hines-block; 0: its own
                      default */
    int from_root; /* 1: levels are counted from the root */
} bosc_compute_spec;

/* Point processes that get no events: the entries of three lists. */
typedef struct bosc_points_spec {
    int n_clamps, n_stimuli, n_point_processes;
    bosc_clamp_spec *clamps;          /* [n_clamps] */
    bosc_point_spec *stimuli;         /* [n_stimuli] */
    bosc_point_spec *point_processes; /* [n_point_processes] */
} bosc_points_spec;

/* What joins neurons. */
typedef struct bosc_network_spec {
    int n_synapses, n_sources, n_projections, n_couplings;
    bosc_synapse_spec *synapses;       /* [n_synapses] */
    bosc_source_spec *sources;         /* [n_sources] */
    bosc_projection_spec *projections; /* [n_projections] */
    bosc_coupling_spec *couplings;     /* [n_couplings] */
} bosc_network_spec;

/* The file of results. */
typedef struct bosc_output_spec {
    char *file;             /* NetCDF, default NAME.nc, relative to the working
                               folder */
    int compression;        /* zlib level 0 to 9 */
    double buffer;          /* MB; of results on their way to the file */
    int io_ranks;           /* ranks that collect results; 0: one a node */
    bosc_parallel parallel; /* and write them */
    bool network;           /* it has the connections, too */
} bosc_output_spec;

/* Of a job.  All is valid from bosc_job_parse() to bosc_job_destroy(), and does
 * not change but where a field says so. */
typedef struct bosc_job {
    const bosc_mechs *mechs; /* that numbers of mechanisms are of; the caller's,
                                as long as the job */
    char *path;              /* of the job file */
    char *folder;            /* that relative paths start from */
    char *text; /* the file's text plus one comment line per --set; NULL: of a
                   member of a sweep alone */
    char *name;
    double dt, tstop, celsius, v_init; /* ms, ms, degC, mV */
    bool second_order;
    int64_t n_steps; /* tstop / dt */
    uint64_t seed;
    int verify;       /* neurons that are computed again by 'ref' */
    bool strict;      /* refuses repairs of SWC files, and warnings */
    char *mechanisms; /* files and folders of mechanisms, a line each, relative
                         to the job's folder; NULL: none */
    double spike_threshold; /* mV */
    int n_populations, n_probes;
    bosc_population_spec *populations; /* [n_populations] */
    bosc_probe_spec *probes;           /* [n_probes] */
    bosc_compute_spec compute;
    bosc_points_spec points;
    bosc_network_spec network;
    bosc_output_spec output;
    bosc_checkpoint_spec checkpoint;
    bosc_cost_spec cost;
    bosc_warnings notes;  /* "job.yaml:12: ...": allowed, but without effect */
    bosc_warnings models; /* "cell: fit.json, celsius 34 degC, ...": what
                             populations have of their models */
    bosc_sweep *sweep;    /* NULL: none (src/sweep/), which sets it */
    const bosc_files *files; /* read NetCDF (src/table/files.h), set by
                                whoever has parsed; NULL: nobody does */
} bosc_job;

/* Read a text.  A file that is none is refused with what it is instead of
 * 'wanted' ("a list (text in UTF-8)"), one that is not there with the name that
 * was probably meant.  Not collective; rank 0 calls it. */
bosc_status bosc_text_load(const char *path, const char *wanted, char **text,
                           bosc_error *err);

/* The same for a job. */
bosc_status bosc_job_load_text(const char *path, char **text, bosc_error *err);

/* The files and folders of mechanisms that a job names, as seen from the
 * working folder: paths [*n], each and the array free()d by the caller.  None
 * where the text is no job, which bosc_job_parse() tells.  They are to be
 * loaded (src/mods/) before the job is parsed. */
bosc_status bosc_job_mechanisms(const char *path, const char *text, int n_set,
                                const char *const *set, char ***paths, int *n,
                                bosc_error *err);

/* What probes record of mechanisms, "hh.ina": words [*n] as of the job, but
 * with the type of a synapse in the place of its name, and NULL behind them;
 * else as bosc_job_mechanisms(). */
bosc_status bosc_job_recorded(const char *path, const char *text, int n_set,
                              const char *const *set, char ***words, int *n,
                              bosc_error *err);

/* The result that the text of a job names, or its default, without a look at
 * the rest; *output is free()d by the caller. */
bosc_status bosc_job_output(const char *path, const char *text, char **output,
                            bosc_error *err);

/* What stands between the text of a job and what its models say, as
 * src/sweep/models.c puts it there: a line that is no YAML. */
#define BOSC_JOB_MODELS "\n\001\n"

/* Parse and check.  Mechanisms are those of 'mechs', which the job goes on to
 * use.  'set' are n_set strings "key.path=value" that override
 * ("populations[0].count=5").  Errors name file:line (or "--set key=value"),
 * the value and what is allowed; an unknown key gets a suggestion. */
bosc_status bosc_job_parse(const bosc_mechs *mechs, const char *path,
                           const char *text, int n_set, const char *const *set,
                           bosc_job **out, bosc_error *err);

void bosc_job_destroy(bosc_job *job);

/* Free the parameters of a point process. */
void bosc_point_clear(bosc_point_process *type, const bosc_mechs *mechs);

/* Free what is in them. */
void bosc_synapse_params_clear(bosc_synapse_params *params);

/* Has parameter number 'param' of synapse kind k a value for each connection of
 * some projection, as far as the job says it? */
bool bosc_job_draws_param(const bosc_job *job, int k, int param);

/* Free what is in them; do they mean the same?  (job_pointer.c) */
void bosc_pointers_clear(bosc_pointers *pointers);
bool bosc_pointers_same(const bosc_pointers *a, const bosc_pointers *b);

/* Add copies; those of a name that is there take its place. */
bosc_status bosc_pointers_add(const bosc_pointers *from, bosc_pointers *to,
                              bosc_error *err);

/* What POINTER number k of a mechanism stands for; NULL: nothing. */
const bosc_pointer_spec *bosc_pointers_find(const bosc_pointers *pointers,
                                            const bosc_mech *mech, int k);

/* Does a POINTER stand for a number of another neuron? */
bool bosc_job_points_away(const bosc_job *job);

/* Free what the reader of 'regions' has made. */
void bosc_regions_clear(bosc_population_spec *population, int n_mechs);

/* The number of the job's point processes, and number i of them: the entries of
 * point_processes, then those of clamps and of stimuli. */
int bosc_points_n(const bosc_points_spec *points);
bosc_point_spec *bosc_points_at(const bosc_points_spec *points, int i);

/* Does a parameter of mechanism m differ between the membranes that have it, or
 * the point processes? */
bool bosc_job_varies(const bosc_job *job, int m, int param);

/* Has it regions that depend on the place? */
bool bosc_has_own_regions(const bosc_population_spec *population);

/* Do sections of a type have mechanism m, or some region there? */
bool bosc_population_has(const bosc_population_spec *population,
                         bosc_region type, int m);

/* Is mechanism m named in a region, as a point process or a kind of synapse? */
bool bosc_job_names(const bosc_job *job, int m);

/* Bytes that a rank holds once it has read the job, and all its members. */
double bosc_job_bytes(const bosc_job *job);

/* Has it populations of artificial cells? */
bool bosc_job_has_artificial(const bosc_job *job);

/* The first mechanism of a region, or of the job's synapses and point
 * processes, that writes a variable of an ion, or that reads it; -1: there is
 * none.  ion: the number of the ion's own mechanism, "ca_ion". */
int bosc_ion_user(const bosc_job *job, const bosc_region_spec *region, int ion,
                  bosc_ion_variable variable, bool writer);

/* What its neurons need of an engine: an epoch is half the smallest delay, as a
 * run will about choose it; nobody knows before connections are made. */
bosc_needs bosc_job_needs(const bosc_job *job);

/* Are all its neurons, so many on a multiprocessor, streamed on a GPU for sure,
 * whatever the method of its backend, or, with mod files, by the method that it
 * names? */
bool bosc_job_is_streamed(const bosc_job *job, double crowd);

/* The method expected to compute its neurons where 'method' is asked for. */
const struct bosc_method *bosc_job_computing(const bosc_job *job,
                                             const struct bosc_method *method);

/* The width of the groups of neurons (kernels/batch/layout.h) that a method has
 * on a rank of the job. */
int32_t bosc_compute_width(const bosc_compute_spec *compute,
                           const struct bosc_method *method);

/* The projections, then the links of the couplings, by one number. */
int bosc_network_n_links(const bosc_network_spec *network);
bosc_projection_spec *bosc_network_link(const bosc_network_spec *network,
                                        int k);

/* All values, checked and with their defaults, that results depend on: a text
 * of lines "key: value", the caller's to free; NULL without memory.  Contents
 * of files are not among them; lines that say these begin as below. */
#define BOSC_JOB_CONTENTS "contents of "
char *bosc_job_values(const bosc_job *job);

/* What differs between two such texts: "tstop is 5, there 10, and 2 more
 * values".  Cut to 'size'; "" where nothing does. */
void bosc_job_difference(const char *mine, const char *there, char *text,
                         size_t size);

/* Print the table of keys for people ('bosc run --help-keys'); with a word
 * those keys whose path has it: "sweep", "amplitude",
 * "populations.0.regions.soma", or the name of a mechanism.  False where there
 * is none. */
bool bosc_job_print_keys(const bosc_mechs *mechs, const char *word, FILE *file);

/* True if a population's 'morphologies' is a list, by its ending: .tsv, .csv,
 * .txt, .lst or .list, but not .cylinders.tsv, which is a neuron. */
bool bosc_is_list(const char *path);

/* True if the population's neurons have positions. */
bool bosc_has_positions(const bosc_population_spec *population);

/* True if neurons of the population may be selected: artificial cells only by
 * the name of their population. */
bool bosc_selection_covers(const bosc_selection *selection,
                           const bosc_population_spec *population);

/* Populations first..*end - 1 are all that a selection may be about: those of
 * a member of a sweep stand together. */
void bosc_selection_populations(const bosc_job *job,
                                const bosc_selection *selection, int *first,
                                int *end);

/* True if it names a population of artificial cells. */
bool bosc_selects_artificial(const bosc_job *job,
                             const bosc_selection *selection);

/* True if 'number' (within its population of 'size' neurons) is selected. */
bool bosc_selected(const bosc_selection *selection,
                   const bosc_population_spec *population, int64_t number,
                   int64_t size);

/* How many of them are, and the first in *first where there is one. */
int64_t bosc_n_selected(const bosc_selection *selection,
                        const bosc_population_spec *population, int64_t size,
                        int64_t *first);

/* Free what a sweep knows of its members; NULL is allowed. */
void bosc_sweep_destroy(bosc_sweep *sweep);

/* Why a job cannot have a mechanism of a mod file under that name, or NULL. */
const char *bosc_mech_name_problem(const char *name, bool point);

/* Have entries of synapses or of point_processes a key of that name?  Then a
 * parameter NAME of a point process TYPE is NAME_TYPE in a job. */
bool bosc_param_is_key(const char *name);

/* Give the parameters of a set's point processes their names in a job. */
bosc_status bosc_mechs_name_params(struct bosc_mechs *mechs, bosc_error *err);

#endif
