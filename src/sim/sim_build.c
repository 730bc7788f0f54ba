/* sim_build.c - this rank's cells, their batch, and their connections. */
#include <stdlib.h>

#include "src/distribute/local_cells_create.h"
#include "src/network/network_load.h"
#include "src/sim/sim.h"

static bosc_status build(bosc_sim *sim, bosc_error *err)
{
    bosc_network_files files = {0};
    bosc_model model = {sim->job, sim->gid_table, sim->cells, &files};
    bosc_status st = bosc_network_files_read(sim->comm, &model, &files, err);

    if (st == BOSC_OK)
        st = bosc_sim_measure(sim, &model, err);
    if (st == BOSC_OK) {
        st = bosc_batch_build(&model, bosc_sim_grouping(sim, sim->method),
                              &sim->built, err);
        st = bosc_agree(sim->comm, st, err);
    }
    if (st == BOSC_OK && sim->job->network.n_couplings > 0)
        st = bosc_coupling_create(sim->comm, &model, &sim->built->batch,
                                  sim->threads, &sim->coupling, err);
    if (sim->coupling != NULL)
        sim->built->batch.drive = bosc_coupling_look(sim->coupling).injected;
    if (st == BOSC_OK && bosc_job_points_away(sim->job))
        st = bosc_away_create(sim->comm, &model, sim->built, &sim->away, err);
    if (st == BOSC_OK && sim->job->verify > 0)
        st = bosc_verify_create(sim->comm, &model, sim->built, sim->threads,
                                &sim->verify, err);
    if (st == BOSC_OK && sim->job->output.network)
        sim->files = files;
    else
        bosc_network_files_clear(sim->job, &files);
    return st;
}

bosc_status bosc_sim_build(bosc_sim *sim, bosc_error *err)
{
    bosc_status st = bosc_local_cells_create(
        sim->comm,
        &(bosc_local_cells_spec){sim->job, sim->gid_table, bosc_sim_find_speed,
                                 sim},
        &sim->cells, &sim->distribution, err);
    if (st == BOSC_OK)
        st = build(sim, err);
    if (st == BOSC_OK && sim->coupling != NULL)
        st = bosc_sim_check_gaps(sim, err);
    if (st == BOSC_OK)
        st = bosc_sim_check_steep(sim, err);
    if (st == BOSC_OK)
        st = bosc_sim_check_links(sim, err);
    if (st == BOSC_OK)
        st = bosc_sim_check_points(sim, err);
    return st == BOSC_OK ? bosc_sim_check_probes(sim, err) : st;
}
