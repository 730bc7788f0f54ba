/* pattern.h - some trees side by side: their compartments by level and row.
 *
 * In each level the sections (kernels/hines/section_levels.h) are sorted by
 * length, longest first.  Row r of a level holds of all its sections the
 * compartment that is r before the last, where there is one; since they are
 * sorted, those are the first.  Rows follow one another without padding.  The
 * forest of README.md, trees A (6 compartments) and B (5), makes this pattern
 * of 11 slots:
 *
 *     level      0                   1
 *     sections   A23 A45 B34 B2      A01 B01
 *     row 0      A3  A5  B4  B2      A1  B1
 *     row 1      A2  A4  B3          A0  B0
 *
 * All sections of a level can be solved at once: each thread walks its own
 * section, or a vector goes along the rows.  A section hands its pair (hines.h)
 * to its parent by way of a list, where the pairs for one parent stand
 * together, descending: so the parent reads them in order.
 */
#ifndef BOSC_KERNELS_HINES_PATTERN_H
#define BOSC_KERNELS_HINES_PATTERN_H

#include "kernels/base/formula.h"
#include "kernels/hines/section_levels.h"

typedef struct bosc_pattern_size {
    int32_t n_levels, n_rows, n_sections, n_slots;
} bosc_pattern_size;

/* Numbers in the index of a pattern. */
BOSC_HD static inline size_t bosc_pattern_words(const bosc_pattern_size *size)
{
    return 2 * ((size_t)size->n_levels + 1) + (size_t)size->n_rows + 1 +
           4 * (size_t)size->n_sections + 1;
}

/* The arrays of an index, which stand one after another in memory, of integers
 * as short as will do. */
#define BOSC_PATTERN_VIEW(view, view_of, integer)                              \
    typedef struct view {                                                      \
        integer *level;     /* [n_levels + 1] first section of each */         \
        integer *level_row; /* [n_levels + 1] first row of each */             \
        integer *row;       /* [n_rows + 1] first slot of each */              \
        integer *rows;      /* [n_sections] compartments of each */            \
        integer *pair;      /* [n_sections] place of the pair it hands on */   \
        integer *end;       /* [n_sections] slot of its parent's last one */   \
        integer *pairs;     /* [n_sections + 1] first pair that it gets */     \
    } view;                                                                    \
                                                                               \
    BOSC_HD static inline view view_of(const bosc_pattern_size *size,          \
                                       integer *index)                         \
    {                                                                          \
        view v;                                                                \
                                                                               \
        v.level = index;                                                       \
        v.level_row = v.level + size->n_levels + 1;                            \
        v.row = v.level_row + size->n_levels + 1;                              \
        v.rows = v.row + size->n_rows + 1;                                     \
        v.pair = v.rows + size->n_sections;                                    \
        v.end = v.pair + size->n_sections;                                     \
        v.pairs = v.end + size->n_sections;                                    \
        return v;                                                              \
    }

BOSC_PATTERN_VIEW(bosc_pattern_view, bosc_pattern_view_of, int32_t)

typedef struct bosc_pattern {
    bosc_pattern_size size;
    int32_t *index; /* [bosc_pattern_words()] */
    int32_t *place; /* [n_sections] where each section stands in its pattern,
                       in the order of the trees */
} bosc_pattern;

/* Of n trees, given by their sections.  BOSC_OK, BOSC_ENOMEM, or BOSC_EVALUE
 * for more than 2^31 slots; *out is untouched then. */
bosc_status bosc_pattern_create(int32_t n,
                                const bosc_section_levels *const *trees,
                                bosc_pattern *out, bosc_error *err);
void bosc_pattern_clear(bosc_pattern *pattern);

/* The slot of the compartment of section k of a level that is 'before' the
 * last. */
static inline int32_t bosc_pattern_slot(const bosc_pattern_view *view,
                                        int32_t level, int32_t k,
                                        int32_t before)
{
    return view->row[view->level_row[level] + before] + k - view->level[level];
}

#endif
