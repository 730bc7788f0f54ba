/* region_values.c - regions as text, which says whether two jobs are the same.
 */
#include "src/job/region/regions.h"

#include <inttypes.h>
#include <math.h>

#include "src/text/print.h"

void bosc_location_print(FILE *file, const bosc_location *at)
{
    char name[BOSC_SECTION_NAME];

    if (at->kind == BOSC_AT_SECTION) {
        fprintf(file, "%s(", bosc_section_name(at->region, at->number, name));
        bosc_print_real(file, at->x);
        fputc(')', file);
    } else if (at->kind == BOSC_AT_WHERE) {
        bosc_where_print(&at->holds, file);
    } else {
        fputs(at->kind == BOSC_AT_SOMA ? "soma" : "everywhere", file);
    }
}

/* "vgap=v of cells 3 at soma" */
void bosc_pointers_print(FILE *file, const bosc_mechs *mechs,
                         const bosc_pointers *pointers)
{
    char name[BOSC_VARIABLE_NAME];

    for (int i = 0; i < pointers->n; ++i) {
        const bosc_pointer_spec *spec = &pointers->spec[i];

        fprintf(file, "%s%s=%s%s", i > 0 ? " " : "", spec->name,
                spec->own
                    ? "own"
                    : bosc_variable_name(mechs, spec->variable, '.', name),
                spec->per_area ? "/area" : "");
        if (spec->remote)
            fprintf(file, " of %s %" PRId64,
                    spec->population == NULL ? "-" : spec->population,
                    spec->neuron);
        if (!spec->here) {
            fputs(" at ", file);
            bosc_location_print(file, &spec->at);
        }
    }
}

static void put_varying(FILE *file, double number, const bosc_varying *varying)
{
    if (varying != NULL)
        bosc_varying_print(varying, file);
    else
        bosc_print_real(file, number);
}

/* Those of a membrane, and what a region says. */
static void put_params(FILE *file, const char *begin, const bosc_mech *mech,
                       const bosc_region_mech *own)
{
    for (int j = 0; j < mech->n_params; ++j) {
        if (own->said && !own->given_p[j])
            continue;
        fprintf(file, "%s.%s: ", begin, mech->params[j].name);
        put_varying(file, own->p[j], own->varying[j]);
        fputs((own->fixed >> j & 1u) != 0 ? " fixed\n" : "\n", file);
    }
}

static void put_cable(FILE *file, const char *begin,
                      const bosc_region_spec *spec, bool all)
{
    static const char *const names[BOSC_N_CABLE_KEYS] = {
        [BOSC_RA] = "Ra", [BOSC_CM] = "cm", [BOSC_V_INIT] = "v_init"};

    for (int k = 0; k < BOSC_N_CABLE_KEYS; ++k) {
        if (all ? isnan(spec->cable[k]) && spec->varying[k] == NULL
                : !spec->said[k])
            continue;
        fprintf(file, "%s.%s: ", begin, names[k]);
        put_varying(file, spec->cable[k], spec->varying[k]);
        fputc('\n', file);
    }
    for (int k = 0; k < BOSC_N_SPINES_KEYS && !all; ++k) {
        if (spec->spines[k] <= 0)
            continue;
        fprintf(file, "%s.spines.%s: ", begin, k == BOSC_SPINES_G ? "g" : "cm");
        bosc_print_real(file, spec->spines[k]);
        fputc('\n', file);
    }
}

static void put_membrane(FILE *file, const bosc_mechs *mechs, const char *path,
                         const bosc_region_spec *spec)
{
    char begin[400];

    for (int m = 0; m < mechs->n; ++m) {
        const bosc_region_mech *own = &spec->mech[m];

        snprintf(begin, sizeof begin, "%s.%s", path, mechs->mech[m]->name);
        if (own->said && !own->has)
            fprintf(file, "%s: false\n", begin);
        if (!own->has)
            continue;
        fprintf(file, "%s: true\n", begin);
        put_params(file, begin, mechs->mech[m], own);
        if (own->pointers.n == 0)
            continue;
        fprintf(file, "%s.pointers: ", begin);
        bosc_pointers_print(file, mechs, &own->pointers);
        fputc('\n', file);
    }
}

/* What each type of section has, then what regions of the user's own say. */
void bosc_regions_print(FILE *file, const bosc_mechs *mechs, const char *name,
                        const bosc_population_spec *population)
{
    char path[300];

    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        const bosc_region_spec *spec = &population->membranes[r].spec;

        snprintf(path, sizeof path, "%s.regions.%s", name,
                 bosc_region_names[r]);
        put_cable(file, path, spec, true);
        put_membrane(file, mechs, path, spec);
    }
    for (int k = 0; k < population->n_regions; ++k) {
        const bosc_region_entry *region = &population->regions[k];

        if (!region->own && !bosc_has_own_regions(population))
            continue; /* the order does not matter */
        snprintf(path, sizeof path, "%s.regions.%d.%s", name, k, region->name);
        if (region->own) {
            fprintf(file, "%s.where: ", path);
            bosc_where_print(&region->where, file);
            fputc('\n', file);
        }
        put_cable(file, path, &region->spec, false);
        put_membrane(file, mechs, path, &region->spec);
    }
}
