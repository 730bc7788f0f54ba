/* varying.c - numbers of regions that are not the same everywhere. */
#include "src/job/region/varying_parts.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/random.h"
#include "src/text/print.h"

static const char *const place_names[BOSC_N_PLACE_NUMBERS] = {
    "distance", "farthest", "diam", "section_length", "x", "y", "z"};

const char *bosc_place_name(bosc_place_number which)
{
    return place_names[which];
}

static void clear(bosc_varying *v)
{
    bosc_formula_destroy(v->formula);
    for (int i = 0; v->named != NULL && i < v->n_named; ++i) {
        clear(&v->named[i]);
        free(v->names[i]);
    }
    free(v->named);
    free(v->names);
    free(v->draw.where);
    free(v->text);
    free(v->file);
    free(v->column);
    free(v->where);
}

void bosc_varying_destroy(bosc_varying *varying)
{
    if (varying == NULL)
        return;
    if (varying->kind != BOSC_VARYING_SCALED)
        clear(varying);
    free(varying);
}

const char *bosc_varying_where(const bosc_varying *v)
{
    return v->where;
}

bool bosc_varying_is_scaled(const bosc_varying *v)
{
    return v->kind == BOSC_VARYING_SCALED;
}

bosc_status bosc_varying_scale(const bosc_varying *of, double factor,
                               bosc_varying **out, bosc_error *err)
{
    bosc_varying *v = bosc_alloc(1, sizeof *v);

    if (v == NULL)
        return bosc_no_memory(err, of->name);
    *v = *of;
    v->kind = BOSC_VARYING_SCALED;
    v->of = of;
    v->factor = factor;
    v->typical *= factor;
    v->low *= factor;
    v->high *= factor;
    v->formula = NULL;
    v->n_named = 0;
    v->names = NULL;
    v->named = NULL;
    *out = v;
    return BOSC_OK;
}

bool bosc_varying_by_neuron(const bosc_varying *v)
{
    bool by = v->kind == BOSC_VARYING_DRAW ||
              (v->kind == BOSC_VARYING_TABLE && v->table.by_neuron) ||
              (v->of != NULL && bosc_varying_by_neuron(v->of));

    for (int i = 0; i < v->n_named; ++i)
        by = by || bosc_varying_by_neuron(&v->named[i]);
    return by;
}

bool bosc_varying_needs_points(const bosc_varying *v)
{
    bool needs = v->of != NULL && bosc_varying_needs_points(v->of);

    for (int k = BOSC_HERE_X; v->formula != NULL && k <= BOSC_HERE_Z; ++k)
        needs = needs || bosc_formula_uses(v->formula, k);
    return needs;
}

bool bosc_varying_same(const bosc_varying *a, const bosc_varying *b)
{
    bool same = (a == NULL) == (b == NULL);

    if (!same || a == NULL)
        return same;
    same = a->kind == b->kind && a->typical == b->typical &&
           a->n_named == b->n_named && strcmp(a->text, b->text) == 0 &&
           a->factor == b->factor && bosc_varying_same(a->of, b->of);
    for (int i = 0; i < a->n_named && same; ++i)
        same = strcmp(a->names[i], b->names[i]) == 0 &&
               bosc_varying_same(&a->named[i], &b->named[i]);
    return same;
}

/* --- the number at a place ------------------------------------------------ */

static bosc_status number_of(const bosc_varying *v, const bosc_place *place,
                             double *number, bosc_error *err);

static bosc_status by_draw(const bosc_varying *v, const bosc_place *place,
                           double *number)
{
    uint32_t words[4];

    if (place->neuron < 0) {
        *number = v->typical;
        return BOSC_OK;
    }
    bosc_random(place->seed, v->what ^ place->population,
                (uint64_t)place->neuron, 0x7661, words);
    *number = bosc_draw_number(&v->draw, words);
    return BOSC_OK;
}

static bosc_status by_formula(const bosc_varying *v, const bosc_place *place,
                              double *number, bosc_error *err)
{
    double values[BOSC_N_PLACE_NUMBERS + BOSC_MOST_NAMED];
    bosc_status st = BOSC_OK;

    memcpy(values, place->at, sizeof place->at);
    for (int i = 0; i < v->n_named && st == BOSC_OK; ++i)
        st = number_of(&v->named[i], place, &values[BOSC_N_PLACE_NUMBERS + i],
                       err);
    if (st == BOSC_OK)
        *number = bosc_formula_eval(v->formula, values);
    return st;
}

static bosc_status by_table(const bosc_varying *v, const bosc_place *place,
                            double *number, bosc_error *err)
{
    bosc_error why;

    if (v->table.table == NULL || (place->neuron < 0 && v->table.by_neuron)) {
        *number = v->typical;
        return BOSC_OK;
    }
    if (v->table.find(v->table.table, v->table.column, place, number, &why) !=
        BOSC_OK)
        return bosc_fail(err, BOSC_EVALUE, "%s: %s: %s", v->where, v->path,
                         why.text);
    return BOSC_OK;
}

static bosc_status by_factor(const bosc_varying *v, const bosc_place *place,
                             double *number, bosc_error *err)
{
    const bosc_status st = number_of(v->of, place, number, err);

    if (st == BOSC_OK)
        *number *= v->factor;
    return st;
}

static bosc_status number_of(const bosc_varying *v, const bosc_place *place,
                             double *number, bosc_error *err)
{
    switch (v->kind) {
    case BOSC_VARYING_SCALED:
        return by_factor(v, place, number, err);
    case BOSC_VARYING_DRAW:
        return by_draw(v, place, number);
    case BOSC_VARYING_TABLE:
        return by_table(v, place, number, err);
    case BOSC_VARYING_FORMULA:
        return by_formula(v, place, number, err);
    case BOSC_VARYING_NUMBER:
        break;
    }
    *number = v->typical;
    return BOSC_OK;
}

bosc_status bosc_varying_at(const bosc_varying *v, const bosc_place *place,
                            double *number, bosc_error *err)
{
    const bosc_status st = number_of(v, place, number, err);
    char neuron[40] = "", section[BOSC_SECTION_NAME];

    if (st != BOSC_OK || (*number >= v->low && *number <= v->high))
        return st;
    if (place->neuron >= 0)
        snprintf(neuron, sizeof neuron, " of neuron %lld",
                 (long long)place->neuron);
    return bosc_fail(
        err, BOSC_EVALUE,
        "%s: %s is %.15g%s%s at %s(%.3g)%s, %.6g um from the soma; it must "
        "be from %.15g to %.15g",
        v->where, v->path, *number, v->unit[0] != '\0' ? " " : "", v->unit,
        bosc_section_name((bosc_region)place->region, place->named, section),
        place->x, neuron, place->at[BOSC_HERE_DISTANCE], v->low, v->high);
}

/* --- tables --------------------------------------------------------------- */

bosc_status bosc_varying_visit(bosc_varying *v, bosc_column_visit *visit,
                               void *what, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (v->kind == BOSC_VARYING_TABLE)
        st = visit(what,
                   &(bosc_column_asked){v->file, v->column, v->unit, v->where},
                   &v->table, err);
    for (int i = 0; i < v->n_named && st == BOSC_OK; ++i)
        st = bosc_varying_visit(&v->named[i], visit, what, err);
    return st;
}

/* --- words ---------------------------------------------------------------- */

void bosc_varying_print(const bosc_varying *v, FILE *file)
{
    if (v->kind == BOSC_VARYING_SCALED) {
        bosc_varying_print(v->of, file);
        fputs(", times ", file);
        bosc_print_real(file, v->factor);
        return;
    }
    fputs(v->text, file);
    if (v->kind == BOSC_VARYING_DRAW)
        fprintf(file, " as %s", v->path);
    for (int i = 0; i < v->n_named; ++i) {
        fprintf(file, ", %s: ", v->names[i]);
        bosc_varying_print(&v->named[i], file);
    }
}
