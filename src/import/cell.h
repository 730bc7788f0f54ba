/* cell.h - one cell as a source describes it: statements in their order, which
 * become the regions of a job.
 *
 * Serial code.  Internal to src/import.  In NEURON a statement overrides what
 * earlier ones said of the same parameter and section.  In a job "all" comes
 * first, whatever the order.  So a statement here loses the locations in which
 * a later one says the same parameter, and one that has lost all of them is
 * left out:
 *
 *     soma: cm 1         all:  {cm: 2}
 *     all:  cm 2         soma: {Ra: 80}
 *     soma: Ra 80
 */
#ifndef BOSC_SRC_IMPORT_CELL_H
#define BOSC_SRC_IMPORT_CELL_H

#include "src/import/mods.h"
#include "src/import/source.h"

/* Locations are sets of these. */
enum {
    BOSC_AT_SOMA = 1,
    BOSC_AT_AXON = 2,
    BOSC_AT_DENDRITE = 4, /* and SWC types that have no name */
    BOSC_AT_APICAL = 8,
    BOSC_AT_MYELIN = 16, /* where the axon's rule makes some */
    BOSC_AT_ALL = 31,
    BOSC_AT_INSERTED = 0 /* of a parameter: wherever its mechanism is */
};

typedef struct bosc_statement {
    unsigned where;
    const char *mech;  /* that is inserted; NULL: a parameter is set */
    const char *name;  /* as NEURON's: "gbar_NaTs", "ena", "cm" */
    const char *value; /* as a job has it: a number or "{formula: ...}" */
    bosc_item at;
} bosc_statement;

/* A statement as a job says it; group "": a key of the region itself. */
typedef struct bosc_entry {
    unsigned where;
    const char *group;       /* a mechanism or an ion, "na_ion" */
    const char *key, *value; /* NULL: the mechanism is inserted */
} bosc_entry;

typedef struct bosc_cell {
    bosc_import *imp;
    bosc_import_mods mods;
    const char *name;       /* of the job */
    const char *morphology; /* the file */
    const char *celsius, *v_init, *dt;
    const char *axon; /* the rule's name; NULL: the axon of the file stays */
    bosc_statement *statement; /* [n] */
    size_t n, capacity;
    bosc_entry *entry; /* [n_entries]: bosc_cell_resolve() */
    size_t n_entries, n_room;
} bosc_cell;

/* The locations of a name as BluePyOpt's and BBP's files have it: somatic,
 * axonal, basal, apical, myelinated, all, alldend, somadend, allnoaxon,
 * somaxon, allact.  False: it is none. */
bool bosc_cell_locations(const char *name, unsigned *where);

/* "soma, axon", for messages. */
const char *bosc_cell_show(bosc_import *imp, unsigned where);

/* Does the rule of the axon make myelin? */
bool bosc_cell_has_myelin(const bosc_cell *cell);

/* Add a statement: a mechanism is inserted, a parameter is set. */
void bosc_cell_insert(bosc_cell *cell, unsigned where, const char *mech,
                      bosc_item at);
void bosc_cell_set(bosc_cell *cell, unsigned where, const char *name,
                   const char *value, bosc_item at);

/* celsius, v_init, or a GLOBAL parameter of a mechanism. */
void bosc_cell_set_global(bosc_cell *cell, const char *name, const char *value,
                          bosc_item at);

/* The first call of a reader: the job is named after this file or folder, and
 * lies beside the file or in the folder, unless the caller has said where. */
void bosc_cell_place(bosc_cell *cell, const char *path);

/* The last call of a reader: find the mod files and the licences in the folders
 * (NULL ends them), and make the statements entries; it fails where a parameter
 * is of nothing that is there. */
void bosc_cell_finish(bosc_cell *cell, const char *const *folders);

/* The statements as entries: bosc_cell_finish() calls it. */
void bosc_cell_resolve(bosc_cell *cell);

/* The job, to be freed; NULL with the status set.  write.c. */
char *bosc_cell_write(bosc_cell *cell);

/* One reader for each kind: fills the cell, all but its entries. */
void bosc_import_allen(bosc_cell *cell);
void bosc_import_bbp(bosc_cell *cell);
void bosc_import_bluepyopt(bosc_cell *cell);

#endif
