/* model.c - positions of neurons, and numbers of sources. */
#include "src/model/model.h"

#include "src/base/random.h"

void bosc_model_position(const bosc_model *model, int32_t population,
                         int64_t number, double xyz[3])
{
    const int64_t *first = model->gid_table->first_gid;

    for (; number >= first[population + 1] - first[population]; ++population)
        number -= first[population + 1] - first[population];

    const bosc_population_spec *spec = &model->job->populations[population];
    const double *given =
        model->files != NULL ? model->files->positions[population] : NULL;
    uint32_t words[8];

    if (given == NULL) {
        bosc_random(spec->seed, bosc_hash(spec->name), (uint64_t)number, 0,
                    words);
        bosc_random(spec->seed, bosc_hash(spec->name), (uint64_t)number, 1,
                    words + 4);
    }
    for (int i = 0; i < 3; ++i)
        xyz[i] = given != NULL ? given[3 * number + i]
                               : spec->box[i] * bosc_uniform(words + 2 * i);
}

/* --- in-edges of a target ------------------------------------------------- */

int64_t bosc_model_n_sources(const bosc_model *model,
                             const bosc_projection_spec *spec)
{
    const int64_t *first = model->gid_table->first_gid;
    const int from = spec->from_index;

    return from < 0 ? model->job->network.sources[-1 - from].count
                    : first[from + spec->n_from] - first[from];
}

int64_t bosc_model_n_targets(const bosc_model *model,
                             const bosc_projection_spec *spec)
{
    const int64_t *first = model->gid_table->first_gid;

    return first[spec->to_index + spec->n_to] - first[spec->to_index];
}
