/* sim_broken.c - why a voltage is not finite: where that began, and whether a
 * smaller time step helps.
 */
#include <stdio.h>

#include "src/comm/comm.h"
#include "src/model/locate.h"
#include "src/network/network_load.h"
#include "src/sim/sim.h"
#include "src/verify/replay.h"

/* Do couplings drive a compartment of this neuron? */
static bool is_coupled(const bosc_sim *sim, int32_t neuron)
{
    const bosc_layout *layout = &sim->built->batch.layout;
    const bosc_injected *drive = sim->built->batch.drive;

    for (ptrdiff_t i = 0; drive != NULL && i < drive->first[layout->n_groups];
         ++i)
        if (bosc_layout_find(layout, drive->push[i].slot).neuron == neuron)
            return true;
    return false;
}

static void compute_again(const bosc_sim *sim, const bosc_model *model,
                          int32_t neuron, int64_t until,
                          bosc_broken_words *words)
{
    char method[80], who[200], why[660];
    const bosc_replay_spec spec = {
        .model = model,
        .neuron = neuron,
        .until = until,
        .coupled = is_coupled(sim, neuron) || sim->away != NULL,
        .by_ref = sim->method->engine.ops == &bosc_ref_engine,
        .method = method};

    snprintf(method, sizeof method, "%s %s", sim->method->backend->name,
             sim->method->name);
    bosc_locate_neuron(model, neuron, who, sizeof who);
    words->st = bosc_replay(&spec, why, sizeof why);
    snprintf(words->text, sizeof words->text, "%s became NaN or infinite%s",
             who, why);
}

bosc_status bosc_sim_replay(const bosc_sim *sim, int64_t gid, int64_t until,
                            bosc_broken_words *words, bosc_error *err)
{
    bosc_network_files files = {0};
    const bosc_model model = {sim->job, sim->gid_table, sim->cells, &files};
    const int32_t neuron = bosc_local_cells_find(sim->cells, gid);
    int64_t owner = neuron >= 0 ? sim->comm->rank : sim->comm->ranks;
    bosc_status st = bosc_network_files_read(sim->comm, &model, &files, err);

    if (st == BOSC_OK && neuron >= 0)
        compute_again(sim, &model, neuron, until, words);
    bosc_network_files_clear(sim->job, &files);
    bosc_min_int64(sim->comm, &owner, 1);
    if (st == BOSC_OK)
        bosc_bcast(sim->comm, words, sizeof *words, (int)owner);
    return st;
}

bosc_status bosc_sim_explain(const bosc_sim *sim, bosc_status st,
                             bosc_error *err)
{
    const bosc_batch *batch = sim->built != NULL ? &sim->built->batch : NULL;
    const bool failed = batch != NULL && batch->failed.neuron > 0;
    int64_t until = failed ? batch->failed.step : INT64_MAX;
    int64_t gid = INT64_MAX;
    bosc_error why;
    bosc_broken_words words;

    /* of several ranks that who was first */
    bosc_min_int64(sim->comm, &until, 1);
    if (failed && batch->failed.step == until)
        gid = sim->cells->gid[batch->failed.neuron - 1];
    bosc_min_int64(sim->comm, &gid, 1);
    if (gid == INT64_MAX)
        return st;
    if (bosc_sim_replay(sim, gid, until, &words, &why) != BOSC_OK)
        return st;
    return bosc_fail(err, words.st, "voltage of %s", words.text);
}
