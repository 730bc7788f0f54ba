/* run_warn.c - what a run is warned of besides its simulation, the same on
 * every rank.
 */
#include "src/base/progress.h"
#include "src/run/run.h"

bosc_status bosc_run_check_disk(bosc_run *run, bosc_error *err)
{
    const int before = run->sim.warnings.n;
    const double bytes = bosc_gather_bytes(run->gather, run->sim.job->n_steps);
    double room =
        run->sim.comm->rank == 0 ? bosc_result_free_bytes(run->output) : 0;
    bosc_status st = BOSC_OK;
    char a[32], b[32];

    bosc_bcast(run->sim.comm, &room, sizeof room, 0);
    if (bytes > room)
        st = bosc_warn(&run->sim.warnings, err,
                       "the probes are %s and only %s are free for %s; record "
                       "less or less often, or choose another output",
                       bosc_human_bytes(bytes, a), bosc_human_bytes(room, b),
                       run->output);
    return bosc_sim_judge(&run->sim, st, before, err);
}

bosc_status bosc_run_beyond(void *what, const bosc_beyond *beyond,
                            bosc_error *err)
{
    bosc_run *run = what;
    const int before = run->sim.warnings.n;
    const bosc_status st = bosc_sim_beyond(&run->sim, beyond, err);

    if (run->sim.warnings.n > before && run->sim.comm->rank == 0 &&
        !run->request->quiet && !run->sim.job->strict)
        bosc_warnings_print(&run->sim.warnings, before);
    return st;
}
