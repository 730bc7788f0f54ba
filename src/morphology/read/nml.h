/* nml.h - what the phases of the NeuroML reader share; for nml*.c only.
 *
 * nml.c reads the elements of <morphology>, with expat; nml_groups.c finds what
 * is a section, and of which type; nml_sections.c puts sections together.
 */
#ifndef BOSC_SRC_MORPHOLOGY_READ_NML_H
#define BOSC_SRC_MORPHOLOGY_READ_NML_H

#include "src/morphology/read/draft.h"

typedef struct bosc_nml_segment {
    int64_t id, parent_id, line;
    double fraction; /* along the parent */
    bool has_parent, has_proximal, has_distal;
    bosc_draft_point proximal, distal;
    int32_t index;   /* in the order of the file */
    int32_t parent;  /* segment, -1: none */
    int32_t section; /* its group, or groups + its own index; -1: not known */
    int32_t next;    /* segment of the same section, -1: the last */
    int32_t types;   /* bits of SWC codes that groups give it */
} bosc_nml_segment;

typedef struct bosc_nml_group {
    char *name;
    bool unbranched; /* neuroLexId sao864921383: a section */
    int64_t line;
    int32_t divisions; /* numberInternalDivisions; 0: none */
    int32_t first_member, n_members, first_include, n_includes;
} bosc_nml_group;

typedef struct bosc_nml {
    int32_t n_segments, n_groups, n_members, n_includes;
    bosc_nml_segment *segment; /* in the order of the file */
    bosc_nml_group *group;
    int64_t *member; /* ids of segments */
    char **include;  /* names of groups */
    size_t room[4];
} bosc_nml;

/* Find parents, sections and types: all that nml.c did not set. */
bosc_status bosc_nml_resolve(bosc_nml *nml, const bosc_mending *m);

/* Sections as drafts, parents first. */
bosc_status bosc_nml_sections(const bosc_nml *nml, const bosc_mending *m,
                              bosc_drafts *out);

/* The SWC code of a segment: that of its groups, else of the name of its
 * section; 0: none. */
int32_t bosc_nml_type(const bosc_nml *nml, const bosc_nml_segment *s);

#endif
