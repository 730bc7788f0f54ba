/* run_numbers.c - the numbers of stimuli that vary between neurons, as the
 * table of neurons has them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/run/run.h"

/* Of a sweep each member has such an entry. */
static bool is_listed(const bosc_run_numbers *numbers, const char *stimulus,
                      int param)
{
    for (int k = 0; k < numbers->n; ++k)
        if (numbers->param[k] == param &&
            strcmp(numbers->stimulus[k], stimulus) == 0)
            return true;
    return false;
}

static bosc_status add(const bosc_job *job, const bosc_point_spec *spec,
                       int param, bosc_run_numbers *numbers, bosc_error *err)
{
    const bosc_mech_param *p =
        &job->mechs->mech[spec->type.mech]->params[param];
    size_t room[3] = {(size_t)numbers->n, (size_t)numbers->n,
                      (size_t)numbers->n};
    const size_t n = (size_t)numbers->n + 1;
    const bool several = spec->at.kind == BOSC_AT_WHERE;
    char *name = bosc_format("neuron_%s_%s", spec->name, p->name),
         *meaning = bosc_format("%s of stimulus %s%s", p->name, spec->name,
                                several ? " at the first of its places" : "");

    if (name == NULL || meaning == NULL ||
        !bosc_grow(&numbers->of, &room[0], n, sizeof *numbers->of) ||
        !bosc_grow(&numbers->stimulus, &room[1], n,
                   sizeof *numbers->stimulus) ||
        !bosc_grow(&numbers->param, &room[2], n, sizeof *numbers->param)) {
        free(name);
        free(meaning);
        return bosc_no_memory(err, "the numbers of stimuli");
    }
    numbers->of[numbers->n] = (bosc_result_value){
        name,
        spec->outside.direction.n > 0 ? bosc_unit_of_field(p->unit) : p->unit,
        meaning};
    numbers->stimulus[numbers->n] = spec->name;
    numbers->param[numbers->n++] = param;
    return BOSC_OK;
}

/* Where the soma is: x, y, z, of no stimulus. */
static bosc_status add_position(int i, bosc_run_numbers *numbers,
                                bosc_error *err)
{
    char *name = bosc_format("neuron_%c", "xyz"[i]),
         *meaning = bosc_format("%c of the soma", "xyz"[i]);
    const size_t n = (size_t)numbers->n + 1;
    size_t room[3] = {n - 1, n - 1, n - 1};

    if (name == NULL || meaning == NULL ||
        !bosc_grow(&numbers->of, &room[0], n, sizeof *numbers->of) ||
        !bosc_grow(&numbers->stimulus, &room[1], n,
                   sizeof *numbers->stimulus) ||
        !bosc_grow(&numbers->param, &room[2], n, sizeof *numbers->param)) {
        free(name);
        free(meaning);
        return bosc_no_memory(err, "the positions of neurons");
    }
    numbers->of[numbers->n] = (bosc_result_value){name, "um", meaning};
    numbers->stimulus[numbers->n] = "";
    numbers->param[numbers->n++] = i;
    return BOSC_OK;
}

bosc_status bosc_run_numbers_list(const bosc_job *job,
                                  bosc_run_numbers *numbers, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    *numbers = (bosc_run_numbers){0};
    for (int i = 0; st == BOSC_OK && i < 3 && job->output.network; ++i)
        st = add_position(i, numbers, err);
    for (int i = 0; i < job->points.n_stimuli; ++i) {
        const bosc_point_spec *spec = &job->points.stimuli[i];
        const int n = job->mechs->mech[spec->type.mech]->n_params;

        for (int j = 0; st == BOSC_OK && spec->type.varying != NULL && j < n;
             ++j)
            if (spec->type.varying[j] != NULL &&
                !is_listed(numbers, spec->name, j))
                st = add(job, spec, j, numbers, err);
    }
    return st;
}

void bosc_run_numbers_clear(bosc_run_numbers *numbers)
{
    for (int k = 0; k < numbers->n; ++k) {
        free((char *)numbers->of[k].name);
        free((char *)numbers->of[k].meaning);
    }
    free(numbers->of);
    free(numbers->stimulus);
    free(numbers->param);
}

/* Of neurons that have positions. */
static void put_position(const bosc_model *model, int32_t neuron,
                         const bosc_run_numbers *numbers, double *values)
{
    const int32_t p = model->cells->population[neuron];
    double xyz[3];

    if (!model->job->output.network ||
        !bosc_has_positions(&model->job->populations[p]))
        return;
    bosc_model_position(
        model, p, model->cells->gid[neuron] - model->gid_table->first_gid[p],
        xyz);
    for (int k = 0; k < numbers->n; ++k)
        if (numbers->stimulus[k][0] == '\0')
            values[k] = xyz[numbers->param[k]];
}

bosc_status bosc_run_numbers_of(const bosc_run *run,
                                const bosc_run_numbers *numbers, int32_t neuron,
                                double *values, bosc_error *err)
{
    const bosc_job *job = run->sim.job;
    const bosc_model model = {job, run->sim.gid_table, run->sim.cells,
                              job->output.network ? &run->sim.files : NULL};
    double p[BOSC_MECH_MOST];
    bosc_status st = BOSC_OK;

    for (int k = 0; k < numbers->n; ++k)
        values[k] = NAN;
    put_position(&model, neuron, numbers, values);
    for (int i = 0; numbers->n > 0 && i < job->points.n_stimuli; ++i) {
        const bosc_point_spec *spec = &job->points.stimuli[i];

        if (st != BOSC_OK || spec->type.varying == NULL)
            continue;
        st = bosc_point_numbers(&model, spec, neuron, p, err);
        for (int k = 0; st == BOSC_OK && k < numbers->n; ++k)
            if (strcmp(numbers->stimulus[k], spec->name) == 0 &&
                !isnan(p[numbers->param[k]]))
                values[k] = p[numbers->param[k]];
    }
    return st;
}
