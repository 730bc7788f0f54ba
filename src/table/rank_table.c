#include "src/table/rank_table.h"

#include <stdlib.h>

const char *const bosc_phase_names[BOSC_N_PHASES] = {
    [BOSC_PHASE_READ] = "read",
    [BOSC_PHASE_DIVIDE] = "divide",
    [BOSC_PHASE_PACK] = "pack",
    [BOSC_PHASE_CONNECT] = "connect",
    [BOSC_PHASE_LOOP] = "loop",
    [BOSC_PHASE_INTEGRATE] = "integrate",
    [BOSC_PHASE_ASSEMBLE] = "assemble",
    [BOSC_PHASE_SOLVE] = "solve",
    [BOSC_PHASE_UPDATE] = "update",
    [BOSC_PHASE_WAIT] = "wait",
    [BOSC_PHASE_GATHER] = "gather",
    [BOSC_PHASE_SYNCHRONISE] = "synchronise",
    [BOSC_PHASE_DISTRIBUTE] = "distribute",
    [BOSC_PHASE_WRITE] = "write",
};

void bosc_result_ranks_destroy(bosc_result_ranks *ranks)
{
    if (ranks == NULL)
        return;
    for (int w = 0; ranks->work_names != NULL && w < ranks->n_works; ++w)
        free(ranks->work_names[w]);
    free(ranks->work_names);
    free(ranks->rows);
    free(ranks);
}
