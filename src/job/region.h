/* region.h - what regions of a population say, what membranes have, and the
 * places on neurons that a job names.
 *
 * Serial code: no MPI.  'where' is as in job.h.
 */
#ifndef BOSC_SRC_JOB_REGION_H
#define BOSC_SRC_JOB_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "src/job/varying.h"
#include "src/morphology/spec.h"
#include "src/morphology/where/where.h"

/* A location on a neuron: "soma", "dend[12](0.5)", "everywhere", or what is as
 * a predicate says, which the population's regions are those of. */
typedef struct bosc_location {
    enum {
        BOSC_AT_SOMA,
        BOSC_AT_SECTION,
        BOSC_AT_EVERYWHERE,
        BOSC_AT_WHERE
    } kind;
    bosc_region region;
    int32_t number;
    double x;
    bosc_where holds; /* BOSC_AT_WHERE */
    char *where;
} bosc_location;

enum {
    BOSC_COMPARTMENT = -1,   /* in the place of a mechanism */
    BOSC_OF_SYNAPSE = -2,    /* a name, until it is known what there is */
    BOSC_VARIABLE_NAME = 144 /* room for the name of a synapse and a state */
};

/* What can be recorded (src/job/variable.h). */
typedef struct bosc_variable {
    int mech;  /* whose state; or BOSC_COMPARTMENT: a variable of its own */
    int state; /* its number there */
    char synapse[BOSC_VARIABLE_NAME]; /* only of synapses of this name, "": of
                                         all; with BOSC_OF_SYNAPSE all of
                                         "excite.g" */
} bosc_variable;

/* What a POINTER of a mechanism stands for. */
typedef struct bosc_pointer_spec {
    char *name; /* of the POINTER */
    bool own;   /* nothing else: it keeps what the mechanism assigns */
    bosc_variable variable;
    bool per_area;    /* i_mem as a density (mA/cm2) */
    bool here;        /* in the compartment of the mechanism; else: */
    bosc_location at; /* whose 'where' is that below */
    bool remote;      /* of another neuron, which is, in the same member of a
                         sweep, */
    char *population; /* of this one; NULL: of the mechanism's, */
    int64_t neuron;   /* number this; -1: that of the mechanism's neuron */
    char *where;
} bosc_pointer_spec;

typedef struct bosc_pointers {
    int n;
    bosc_pointer_spec *spec; /* [n] in the order of the job */
} bosc_pointers;

/* A point process with its parameters. */
typedef struct bosc_point_process {
    int mech;
    double *p; /* [n_params]; of what varies, a number that stands for it */
    bosc_varying **varying; /* [n_params] NULL: one number; or NULL: all are */
    bosc_pointers pointers;
    ptrdiff_t n_points; /* of the table that it plays, once that is read */
    double *points;     /* [n_points][2] ms, and the number there */
} bosc_point_process;

/* Points in space. */
typedef struct bosc_positions {
    int32_t n;
    double *xyz; /* [n][3] um */
} bosc_positions;

/* A potential outside neurons: of one of the two.  Both n are 0: none. */
typedef struct bosc_outside {
    bosc_positions direction;  /* n 0 or 1: of a uniform field */
    bosc_positions electrodes; /* points from which current flows */
    double sigma;              /* S/m, around electrodes */
} bosc_outside;

/* Is the current of a built-in stimulus, but for what it adds, in proportion to
 * this parameter? */
bool bosc_param_scales(const bosc_mech_param *param);

/* The unit of a parameter of a stimulus that is a uniform field, where currents
 * of others are strengths of the field. */
const char *bosc_unit_of_field(const char *unit);

/* A mechanism, of a region or of a membrane (below). */
typedef struct bosc_region_mech {
    bool has;  /* inserted; else the rest may be NULL */
    bool said; /* of a region: it inserts, changes or removes it */
    int n_params;
    double *p; /* [n_params]; of what varies, a number that stands for it */
    bosc_varying **varying; /* [n_params] NULL: one number; the region's */
    bool *given_p;          /* [n_params] of a region: it says parameter i */
    int *line; /* [n_params] where the job says it; 0: not in its file */
    bosc_pointers pointers;
    /* Of an ion: bosc_ion_style; bit i: the job gives parameter i; and whatever
     * other mechanisms do, it keeps that value. */
    int style;
    unsigned given, fixed;
} bosc_region_mech;

/* Numbers of a region that are no mechanism's. */
typedef enum bosc_cable_key {
    BOSC_RA,     /* ohm cm */
    BOSC_CM,     /* uF/cm2 */
    BOSC_V_INIT, /* mV at t = 0; NAN: the job's */
    BOSC_N_CABLE_KEYS
} bosc_cable_key;

/* Factors for the membrane of spines that the morphology lacks. */
typedef enum bosc_spines_key {
    BOSC_SPINES_CM, /* of cm */
    BOSC_SPINES_G,  /* of the g of pas */
    BOSC_N_SPINES_KEYS
} bosc_spines_key;

/* The cable and the mechanisms of a region, which says some of it, or of a
 * membrane, which has all of it. */
typedef struct bosc_region_spec {
    double cable[BOSC_N_CABLE_KEYS]; /* as of 'p' */
    bosc_varying
        *varying[BOSC_N_CABLE_KEYS];   /* NULL: one number; the region's */
    bool said[BOSC_N_CABLE_KEYS];      /* of a region: it says this one */
    double spines[BOSC_N_SPINES_KEYS]; /* 0: it says none; of a membrane, whose
                                          numbers are multiplied by then */
    bosc_region_mech *mech;            /* [mechs->n] */
} bosc_region_spec;

/* A region of a population: what it says where it is. */
typedef struct bosc_region_entry {
    char *name;       /* "apical, dendrite" */
    int line;         /* of the job file */
    char *where_text; /* "job.yaml:12" */
    bool own;         /* the user's own, of compartments that pass this: */
    bosc_where where; /* where region k is regions[k] */
    bool type[BOSC_N_REGIONS]; /* else of sections of these types */
    bosc_region_spec spec;
} bosc_region_entry;

enum {
    BOSC_MOST_REGIONS = 64, /* of a population: bits of a mask */
    BOSC_MOST_MEMBRANES = BOSC_N_REGIONS * (1 + BOSC_MOST_REGIONS)
};

/* What the compartments have that are in the same regions of a population: its
 * regions one after the other, of which later ones override. */
typedef struct bosc_membrane {
    uint64_t regions; /* bit k: region[k] of the population */
    bosc_region type; /* of the sections */
    const char *name; /* of the last of the regions that is the user's own, else
                         of the type; the population's */
    bosc_region_spec spec;
} bosc_membrane;

#endif
