/* list_numbers.c - compartments and their numbers, for people and pictures. */
#include "src/model/list_numbers.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/morphology/ending.h"
#include "src/morphology/sections/list.h"

static const struct {
    const char *name, *unit;
} cable_keys[BOSC_N_CABLE_KEYS] = {[BOSC_RA] = {"Ra", "ohm cm"},
                                   [BOSC_CM] = {"cm", "uF/cm2"},
                                   [BOSC_V_INIT] = {"v_init", "mV"}};

/* "pas.g"; its unit is returned. */
static const char *print_key(const bosc_mechs *mechs, int m, int j)
{
    if (m == BOSC_OF_CABLE) {
        fputs(cable_keys[j].name, stdout);
        return cable_keys[j].unit;
    }
    printf("%s.%s", mechs->mech[m]->name, mechs->mech[m]->params[j].name);
    return mechs->mech[m]->params[j].unit;
}

static const bosc_region_spec *spec_at(const bosc_membranes *m, int32_t neuron,
                                       const bosc_cable *cable, int32_t i)
{
    return &m->all[bosc_membranes_of(m, neuron, cable, i)]->spec;
}

/* --- what varies ---------------------------------------------------------- */

static bosc_status print_varying(const bosc_varying *v, bosc_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (file != NULL) {
        bosc_varying_print(v, file);
        if (fclose(file) != 0)
            size = 0;
    }
    if (file == NULL || size == 0) {
        free(text);
        return bosc_no_memory(err, "what a number is");
    }
    for (const char *p = text; *p != '\0'; ++p)
        putchar(*p == '\t' || *p == '\n' || *p == '\r' ? ' ' : *p);
    putchar('\n');
    free(text);
    return BOSC_OK;
}

/* What the regions of a population say that is not one number. */
static bosc_status print_population(const bosc_job *job,
                                    const bosc_population_spec *population,
                                    bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; k < population->n_regions; ++k) {
        const bosc_region_entry *region = &population->regions[k];

        for (int m = BOSC_OF_CABLE; m < job->mechs->n; ++m)
            for (int j = 0; j < bosc_n_numbers(job->mechs, m); ++j) {
                const bosc_varying *v = bosc_varying_of(&region->spec, m, j);

                if (v == NULL || st != BOSC_OK)
                    continue;
                printf("#varies\t%s\t", population->name);
                printf("\t%s\t", print_key(job->mechs, m, j));
                printf("%s\t%s\t", region->name, bosc_varying_where(v));
                st = print_varying(v, err);
            }
    }
    return st;
}

/* The file of a neuron, NULL: it is synthetic. */
static const char *file_of(const bosc_model *model, int32_t neuron)
{
    const int32_t file =
        bosc_gid_table_find(model->gid_table, model->cells->gid[neuron])->file;

    return file < 0 ? NULL : model->gid_table->files[file];
}

static bosc_status print_remarks(const bosc_model *model, bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    bosc_status st = BOSC_OK;

    for (int32_t i = 0; i < cells->n; ++i) {
        const char *file = file_of(model, i);

        printf("#neuron\t%lld\t%s\t%s\n", (long long)cells->gid[i],
               model->job->populations[cells->population[i]].name,
               file != NULL ? file : "synthetic");
    }
    for (int32_t i = 0; i < cells->n && st == BOSC_OK; ++i)
        if (i == 0 || cells->population[i] != cells->population[i - 1])
            st = print_population(
                model->job, &model->job->populations[cells->population[i]],
                err);
    return st;
}

/* --- numbers -------------------------------------------------------------- */

/* The middle of the section of node i as if it were cut into one compartment,
 * for which Ra is asked (cut_template.h). */
static bosc_place middle_of(const bosc_membranes *m, int32_t neuron,
                            const bosc_cable *cable, int32_t i)
{
    const bosc_cable_section *section = &cable->sections[cable->section[i]];
    const int32_t left = section->first + (section->n - 1) / 2;
    const int32_t right = section->first + section->n / 2;
    const bosc_place beside = bosc_membranes_place(m, neuron, cable, left);
    bosc_place place = bosc_membranes_place(m, neuron, cable, right);
    double area = 0;

    for (int32_t k = 0; k < section->n; ++k)
        area += cable->area[section->first + k];
    for (int k = 0; k < BOSC_N_PLACE_NUMBERS; ++k)
        place.at[k] = (place.at[k] + beside.at[k]) / 2;
    place.at[BOSC_HERE_DIAMETER] = area / (acos(-1) * section->length);
    place.x = 0.5;
    place.compartment = 0;
    place.n_compartments = 1;
    return place;
}

/* NAN: there is none. */
static bosc_status number_at(const bosc_membranes *m, int32_t neuron,
                             const bosc_cable *cable, int32_t i,
                             const bosc_varying_key *key, double *number,
                             bosc_error *err)
{
    const bool is_Ra = key->mech == BOSC_OF_CABLE && key->param == BOSC_RA;
    const bosc_cable_section *section = &cable->sections[cable->section[i]];
    const bosc_region_spec *spec =
        spec_at(m, neuron, cable, is_Ra ? section->first + section->n / 2 : i);
    const bosc_varying *v = bosc_varying_of(spec, key->mech, key->param);
    bosc_place place;

    *number = key->mech == BOSC_OF_CABLE  ? spec->cable[key->param]
              : spec->mech[key->mech].has ? spec->mech[key->mech].p[key->param]
                                          : NAN;
    if (key->mech == BOSC_OF_CABLE && isnan(*number))
        *number = m->model->job->v_init;
    if (v == NULL)
        return BOSC_OK;
    place = is_Ra ? middle_of(m, neuron, cable, i)
                  : bosc_membranes_place(m, neuron, cable, i);
    return bosc_varying_at(v, &place, number, err);
}

/* --- the table ------------------------------------------------------------ */

/* The numbers that some neuron has: those of the cable, and of mechanisms. */
typedef struct columns {
    int n;
    bosc_varying_key *key; /* [n] */
} columns;

static bosc_status find_columns(const bosc_membranes *membranes, columns *c,
                                bosc_error *err)
{
    const bosc_model *model = membranes->model;
    const bosc_mechs *mechs = model->job->mechs;
    bool has[1 + BOSC_MAX_MECHS] = {true};
    size_t room = 0;

    for (int32_t i = 0; i < model->cells->n; ++i) {
        bosc_acquired_cable acquired;
        bosc_status st =
            bosc_local_cells_acquire(model->cells, i, &acquired, err);

        if (st != BOSC_OK)
            return st;
        for (int32_t k = 0; k < acquired.cable->n; ++k)
            for (int m = 0; m < mechs->n; ++m)
                has[1 + m] =
                    has[1 + m] ||
                    spec_at(membranes, i, acquired.cable, k)->mech[m].has;
        bosc_local_cells_release(&acquired);
    }
    for (int m = BOSC_OF_CABLE; m < mechs->n; ++m)
        for (int j = 0; has[1 + m] && j < bosc_n_numbers(mechs, m); ++j) {
            if (!bosc_grow(&c->key, &room, (size_t)c->n + 1, sizeof *c->key))
                return bosc_no_memory(err, "the numbers of compartments");
            c->key[c->n++] = (bosc_varying_key){.mech = m, .param = j};
        }
    return BOSC_OK;
}

/* Of the end of a section the compartment beside it. */
static int32_t site_of(const bosc_cable *cable, int32_t i)
{
    const bosc_cable_section *section = &cable->sections[cable->section[i]];

    return i < section->first                 ? section->first
           : i >= section->first + section->n ? section->first + section->n - 1
                                              : i;
}

static bosc_status print_neuron(const bosc_membranes *m, int32_t neuron,
                                const bosc_cable *cable, const columns *c,
                                bosc_error *err)
{
    const bosc_local_cells *cells = m->model->cells;
    const char *file = file_of(m->model, neuron);
    const bool placed = file == NULL || bosc_morphology_format_of(file) !=
                                            BOSC_FORMAT_CYLINDERS;
    double *distance = bosc_alloc((size_t)cable->n, sizeof *distance);
    bosc_status st = distance == NULL
                         ? bosc_no_memory(err, "the list of compartments")
                         : bosc_path_distances(cable, distance, err);

    for (int32_t i = 0; i < cable->n && st == BOSC_OK; ++i) {
        printf("%lld\t%s\t%s\t", (long long)cells->gid[neuron],
               m->model->job->populations[cells->population[neuron]].name,
               m->all[bosc_membranes_of(m, neuron, cable, site_of(cable, i))]
                   ->name);
        bosc_compartment_print(cable, i, distance[i], placed);
        for (int k = 0; k < c->n && st == BOSC_OK; ++k) {
            double number = NAN;

            if (cable->area[i] > 0)
                st = number_at(m, neuron, cable, i, &c->key[k], &number, err);
            if (isnan(number))
                putchar('\t');
            else
                printf("\t%.15g", number);
        }
        putchar('\n');
    }
    free(distance);
    return st;
}

bosc_status bosc_numbers_list(const bosc_membranes *membranes, bosc_error *err)
{
    const bosc_model *model = membranes->model;
    columns c = {0};
    bosc_status st = find_columns(membranes, &c, err);

    if (st == BOSC_OK)
        st = print_remarks(model, err);
    if (st == BOSC_OK)
        printf("neuron\tpopulation\tregion\t%s", bosc_compartment_columns);
    for (int k = 0; k < c.n && st == BOSC_OK; ++k) {
        putchar('\t');

        const char *unit =
            print_key(model->job->mechs, c.key[k].mech, c.key[k].param);

        if (unit[0] != '\0')
            printf(" (%s)", unit);
    }
    if (st == BOSC_OK)
        putchar('\n');
    for (int32_t i = 0; i < model->cells->n && st == BOSC_OK; ++i) {
        bosc_acquired_cable acquired;

        st = bosc_local_cells_acquire_points(model->cells, i, &acquired, err);
        if (st == BOSC_OK) {
            st = print_neuron(membranes, i, acquired.cable, &c, err);
            bosc_local_cells_release(&acquired);
        }
    }
    free(c.key);
    return st;
}
