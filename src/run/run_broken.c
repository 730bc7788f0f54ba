/* run_broken.c - a run that a voltage has ended which is not finite: where,
 * why, and whether a smaller time step helps.
 */
#include <stdio.h>

#include "src/model/locate.h"
#include "src/comm/comm.h"
#include "src/network/network_load.h"
#include "src/run/run.h"
#include "src/verify/replay.h"

/* Do couplings drive a compartment of this neuron? */
static bool is_coupled(const bosc_run *run, int32_t neuron)
{
    const bosc_layout *layout = &run->built->batch.layout;
    const bosc_injected *drive = run->built->batch.drive;
    const int32_t g = layout->group[neuron];

    for (ptrdiff_t i = drive != NULL ? drive->first[g] : 0;
         drive != NULL && i < drive->first[g + 1]; ++i)
        if (bosc_layout_at(layout, g,
                           (int32_t)(drive->push[i].slot - layout->first[g]))
                .neuron == neuron)
            return true;
    return false;
}

static void compute_again(const bosc_run *run, const bosc_model *model,
                          int32_t neuron, int64_t until,
                          bosc_broken_words *words)
{
    char method[80], who[200], why[660];
    const bosc_replay_spec spec = {.model = model,
                                   .neuron = neuron,
                                   .until = until,
                                   .coupled = is_coupled(run, neuron),
                                   .by_ref = run->method->engine.ops ==
                                             &bosc_ref_engine,
                                   .method = method};

    snprintf(method, sizeof method, "%s %s", run->method->backend->name,
             run->method->name);
    bosc_locate_neuron(model, neuron, who, sizeof who);
    words->st = bosc_replay(&spec, why, sizeof why);
    snprintf(words->text, sizeof words->text, "%s is not finite%s", who, why);
}

bosc_status bosc_run_replay(const bosc_run *run, int64_t gid, int64_t until,
                            bosc_broken_words *words, bosc_error *err)
{
    bosc_network_files files = {0};
    const bosc_model model = {run->job, run->gid_table, run->cells, &files};
    const int32_t neuron = bosc_local_cells_find(run->cells, gid);
    int64_t owner = neuron >= 0 ? run->rank : run->ranks;
    bosc_status st = bosc_network_files_read(run->comm, &model, &files, err);

    if (st == BOSC_OK && neuron >= 0)
        compute_again(run, &model, neuron, until, words);
    bosc_network_files_clear(run->job, &files);
    bosc_min_int64(run->comm, &owner, 1);
    if (st == BOSC_OK)
        bosc_bcast(run->comm, words, sizeof *words, (int)owner);
    return st;
}

bosc_status bosc_run_explain(const bosc_run *run, bosc_status st,
                             bosc_error *err)
{
    const bosc_batch *batch = run->built != NULL ? &run->built->batch : NULL;
    int64_t gid = batch != NULL && batch->broken > 0
                      ? run->cells->gid[batch->broken - 1]
                      : INT64_MAX;
    int64_t until = batch != NULL && batch->broken > 0 ? batch->broken_at : 0;
    bosc_error why;
    bosc_broken_words words;

    bosc_min_int64(run->comm, &gid, 1);
    if (gid == INT64_MAX)
        return st;
    if (bosc_local_cells_find(run->cells, gid) < 0)
        until = 0;
    bosc_sum_int64(run->comm, &until, 1);
    if (bosc_run_replay(run, gid, until, &words, &why) != BOSC_OK)
        return st;
    return bosc_fail(err, words.st, "voltage of %s", words.text);
}
