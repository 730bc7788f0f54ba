#include "src/model/local_cells.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/base/signals.h"
#include "src/model/cut_template.h"
#include "src/morphology/section.h"
#include "src/morphology/synthetic.h"

bosc_status bosc_local_cells_alloc(bosc_local_cells *cells, size_t n,
                                   bosc_error *err)
{
    return BOSC_ALLOC(err, "this rank's neurons", BOSC_ARRAY(cells->gid, n),
                      BOSC_ARRAY(cells->population, n),
                      BOSC_ARRAY(cells->template_index, n),
                      BOSC_ARRAY(cells->cable, n));
}

double bosc_local_cells_bytes(double n)
{
    const bosc_local_cells c = {0};

    return n * (sizeof *c.gid + sizeof *c.population +
                sizeof *c.template_index + sizeof *c.cable);
}

/* Its number in the population. */
static int64_t number_of(const bosc_local_cells *cells, int32_t i)
{
    return cells->gid[i] - cells->gid_table->first_gid[cells->population[i]];
}

static bosc_synthetic draw(const bosc_local_cells *cells, int32_t i)
{
    const int32_t p = cells->population[i];

    return bosc_synthetic_draw(&cells->job->populations[p].synthetic,
                               number_of(cells, i));
}

static bosc_status acquire(const bosc_local_cells *cells, int32_t i,
                           bool points, bosc_acquired_cable *acquired,
                           bosc_error *err)
{
    const bosc_cable *kept = bosc_local_cells_cable(cells, i);
    bosc_status st = bosc_signals_in_setup(err);

    *acquired = (bosc_acquired_cable){.cable = kept};
    if (st != BOSC_OK || (kept != NULL && (kept->point != NULL || !points)))
        return st;

    const bosc_population_spec *population =
        &cells->job->populations[cells->population[i]];
    const bosc_synthetic size = draw(cells, i);
    bosc_cable_spec spec = population->cable;
    bosc_swc *swc = NULL;
    bosc_sections *sections = NULL;

    spec.policy = BOSC_PER_SAMPLE;
    spec.points = points;
    st = bosc_synthetic_create(&size, number_of(cells, i), &swc, err);
    if (st == BOSC_OK)
        st = bosc_sections_create(swc, &sections, err);
    if (st == BOSC_OK)
        st = bosc_template_cut(population, sections, &spec, population->name,
                               &acquired->own, err);
    bosc_sections_destroy(sections);
    bosc_swc_destroy(swc);
    acquired->cable = acquired->own;
    return st;
}

bosc_status bosc_local_cells_acquire(const bosc_local_cells *cells, int32_t i,
                                     bosc_acquired_cable *acquired,
                                     bosc_error *err)
{
    return acquire(cells, i, false, acquired, err);
}

bosc_status bosc_local_cells_acquire_points(const bosc_local_cells *cells,
                                            int32_t i,
                                            bosc_acquired_cable *acquired,
                                            bosc_error *err)
{
    return acquire(cells, i, true, acquired, err);
}

double bosc_local_cells_acquire_bytes(double compartments, double sections)
{
    /* a section has a node at its end, which is no sample */
    const bosc_bytes drawn =
        bosc_sections_bytes(compartments - sections, sections);

    return drawn.kept +
           fmax(drawn.making, bosc_cable_bytes(compartments, sections, true));
}

void bosc_local_cells_release(bosc_acquired_cable *acquired)
{
    bosc_cable_destroy(acquired->own);
    *acquired = (bosc_acquired_cable){0};
}

/* The soma of a synthetic neuron is its root section and one compartment, which
 * follows the node at x = 0. */
bosc_extent bosc_local_cells_extent(const bosc_local_cells *cells, int32_t i)
{
    const bosc_cable *cable = bosc_local_cells_cable(cells, i);

    if (cable != NULL)
        return (bosc_extent){cable->n, cable->n_sections, cable->soma};

    const bosc_synthetic size = draw(cells, i);

    return (bosc_extent){size.compartments, size.sections, 1};
}

void bosc_local_cells_destroy(bosc_local_cells *cells)
{
    if (cells == NULL)
        return;
    for (int32_t s = 0; cells->cable != NULL && s < cells->n_templates; ++s)
        bosc_cable_destroy(cells->cable[s]);
    free(cells->cable);
    free(cells->gid);
    free(cells->population);
    free(cells->template_index);
    free(cells);
}

int32_t bosc_local_cells_find(const bosc_local_cells *cells, int64_t gid)
{
    const int32_t low = (int32_t)bosc_lower_bound(
        cells->gid, cells->n, sizeof *cells->gid, &gid, bosc_before_int64);

    return low < cells->n && cells->gid[low] == gid ? low : -1;
}

bool bosc_local_cells_kept(const bosc_job *job)
{
    bool closely = false;

    for (int k = 0; k < bosc_network_n_links(&job->network); ++k) {
        const bosc_projection_spec *link = bosc_network_link(&job->network, k);

        closely = closely || link->at.kind != BOSC_TARGET_PLACE ||
                  link->at.place.kind == BOSC_AT_SECTION ||
                  link->source_at.kind == BOSC_AT_SECTION;
    }
    for (int p = 0; p < job->n_populations; ++p)
        closely = closely || bosc_has_shapes(job, &job->populations[p]);
    return closely;
}
