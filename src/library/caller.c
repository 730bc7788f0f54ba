#include "config.h" /* first: it asks for extensions */

#include "src/library/caller.h"

#include <omp.h>

#include "kernels/base/gpus.h"

bosc_caller bosc_caller_enter(const bosc_sim *sim)
{
    const bool on_gpu = sim->job != NULL && sim->gpu.number >= 0;
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const bosc_caller caller = {.threads = omp_get_max_threads(),
                                .gpu = on_gpu ? bosc_gpu_in_use() : -1,
                                .locale = c != (locale_t)0 ? uselocale(c)
                                                           : (locale_t)0};

    if (sim->threads > 0)
        omp_set_num_threads(sim->threads);
    if (caller.gpu >= 0)
        bosc_gpu_use(sim->gpu.number, NULL);
    return caller;
}

void bosc_caller_leave(const bosc_caller *caller, const bosc_sim *sim)
{
    const bool on_gpu = sim->job != NULL && sim->gpu.number >= 0;

    omp_set_num_threads(caller->threads);
    if (on_gpu)
        bosc_gpu_use(caller->gpu >= 0 ? caller->gpu : sim->gpu.before, NULL);
    if (caller->locale != (locale_t)0)
        freelocale(uselocale(caller->locale));
}
