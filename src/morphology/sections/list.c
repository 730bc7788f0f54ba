#include "src/morphology/sections/list.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/morphology/ending.h"
#include "src/morphology/sections/edit.h"

static const char *name_of(const bosc_cable *cable, int32_t s,
                           char name[BOSC_SECTION_NAME])
{
    return s < 0 ? "-" : bosc_cable_section_name(cable, s, name);
}

static double area_of(const bosc_cable *cable, int32_t s)
{
    const bosc_cable_section *sec = &cable->sections[s];
    double area = 0;

    for (int32_t i = sec->first; i < sec->first + sec->n; ++i)
        area += cable->area[i];
    return area;
}

/* In a column of a table with tabs. */
static void print_path(const char *path)
{
    for (const char *p = path; *p != '\0'; ++p)
        putchar(*p == '\t' || *p == '\n' || *p == '\r' ? '?' : *p);
}

static void print_line(const char *path, const bosc_sections *all,
                       const bosc_cable *cable, int32_t s, double distance,
                       int32_t order)
{
    const bosc_section *sec = &all->section[s];
    const int32_t n = cable->sections[s].n;
    const double diameter = bosc_sections_diameter(all, s, n / 2, n);
    char own[BOSC_SECTION_NAME], parent[BOSC_SECTION_NAME];

    name_of(cable, s, own);
    if (path == NULL) {
        printf(" %-10s %4d %-10s %5.3g %9.3f %8.3f %10.3f %5d %9.3f %5d\n", own,
               (int)sec->type, name_of(cable, sec->parent, parent),
               sec->parent_x, sec->length, diameter, area_of(cable, s), (int)n,
               distance, (int)order);
        return;
    }
    print_path(path);
    printf("\t%s\t%d\t%s\t%.15g\t%.15g\t%.15g\t%.15g\t%d\t%.15g\t%d\n", own,
           (int)sec->type, name_of(cable, sec->parent, parent), sec->parent_x,
           sec->length, diameter, area_of(cable, s), (int)n, distance,
           (int)order);
}

bosc_status bosc_sections_list(const char *path, const bosc_sections *all,
                               const bosc_cable *cable, bool tsv, bool header,
                               bosc_error *err)
{
    const int32_t soma = bosc_sections_soma(all);
    double *distance = NULL;
    int32_t *order = NULL;
    bosc_status st =
        BOSC_ALLOC(err, "the list of sections", BOSC_ARRAY(distance, all->n),
                   BOSC_ARRAY(order, all->n));

    if (st == BOSC_OK)
        st = bosc_sections_distances(all, soma >= 0 ? soma : 0, 0.5, distance,
                                     err);
    if (st == BOSC_OK)
        st = bosc_branch_orders(cable, order, err);
    if (st == BOSC_OK) {
        if (tsv && header)
            puts("file\tsection\ttype\tparent\tparent_x\tlength_um\t"
                 "diameter_um\tarea_um2\tcompartments\tdistance_um\torder");
        if (!tsv)
            printf("%s\n"
                   " %-10s %4s %-10s %5s %9s %8s %10s %5s %9s %5s\n"
                   " %-10s %4s %-10s %5s %9s %8s %10s %5s %9s %5s\n",
                   path, "", "", "", "", "length", "diam.", "area", "comp.",
                   "distance", "", "section", "type", "parent", "at", "um",
                   "um", "um2", "", "um", "order");
        for (int32_t s = 0; s < all->n; ++s)
            print_line(tsv ? path : NULL, all, cable, s, distance[s], order[s]);
    }
    free(distance);
    free(order);
    return st;
}

/* --- compartments --------------------------------------------------------- */

const char bosc_compartment_columns[] =
    "section\tx\tnode\tparent\ttype\tx_um\ty_um\tz_um\tdiameter_um\t"
    "length_um\tarea_um2\tresistance_Mohm\tdistance_um";

void bosc_compartment_print(const bosc_cable *cable, int32_t i, double distance,
                            bool placed)
{
    const int32_t s = cable->section[i];
    const bosc_cable_section *sec = &cable->sections[s];
    const bool joined = i > 0 && cable->g_axial[i] > 0;
    char own[BOSC_SECTION_NAME];

    printf("%s\t%.15g\t%d\t%d\t%d", name_of(cable, s, own),
           bosc_cable_x(cable, i), (int)i, joined ? (int)cable->parent[i] : -1,
           (int)sec->type);
    for (int k = 0; k < 3; ++k)
        if (placed && cable->point != NULL)
            printf("\t%.9g",
                   (double)cable->point[BOSC_CABLE_POINT * (ptrdiff_t)i + k]);
        else
            putchar('\t');
    printf("\t%.15g\t%.15g\t%.15g\t", cable->diameter[i],
           cable->area[i] > 0 ? sec->length / sec->n : 0.0, cable->area[i]);
    if (cable->g_axial[i] > 0)
        printf("%.15g", 1 / cable->g_axial[i]);
    printf("\t%.15g", distance);
}

bosc_status bosc_compartments_list(const char *path, const bosc_cable *cable,
                                   bool header, bosc_error *err)
{
    const bool placed =
        bosc_morphology_format_of(path) != BOSC_FORMAT_CYLINDERS;
    double *distance = bosc_alloc((size_t)cable->n, sizeof *distance);
    bosc_status st = distance == NULL
                         ? bosc_no_memory(err, "the list of compartments")
                         : bosc_path_distances(cable, distance, err);

    if (st == BOSC_OK && header)
        printf("file\tregion\t%s\n", bosc_compartment_columns);
    for (int32_t i = 0; i < cable->n && st == BOSC_OK; ++i) {
        print_path(path);
        printf("\t%s\t",
               bosc_region_names[cable->sections[cable->section[i]].region]);
        bosc_compartment_print(cable, i, distance[i], placed);
        putchar('\n');
    }
    free(distance);
    return st;
}
