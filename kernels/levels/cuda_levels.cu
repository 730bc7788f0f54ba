/* cuda_levels.cu - the kernels of thomas-* and level-schedule-*: one launch for
 * each level and direction, a thread for each section.
 */
#include "kernels/levels/cuda_levels_launch.h"

#include <cuda_runtime.h>

#include "kernels/base/cuda_launch.h"
#include "kernels/hines/pivot.h"
#include "kernels/levels/level_schedule.h"
#include "kernels/thomas/thomas_isa.h"

namespace
{
/* What a thread does, for each kind of numbers.  The files that this header
 * includes stand above, outside of the classes. */
#define REAL(name) name
template <class number> struct papers {
    typedef number real;
#define LOOP 0
#include "kernels/levels/level_walk.h"
#undef LOOP
};

struct loop {
    typedef double real;
#define LOOP 1
#include "kernels/levels/level_walk.h"
#undef LOOP
};
#undef REAL
} /* namespace */

enum { THREADS = 128 };

typedef void climb(bosc_level_schedule schedule,
                   bosc_level_schedule_numbers all, bosc_level level);

/* A level, up or down: a thread for each lane. */
template <class of, bool up>
static __global__ void climb_level(bosc_level_schedule schedule,
                                   bosc_level_schedule_numbers all,
                                   bosc_level level)
{
    const int32_t k = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);

    if (k >= level.n_lanes)
        return;
    if (up)
        of::schedule_up(&schedule, &all, level.step, level.lane + k);
    else
        of::schedule_down(&schedule, &all, level.step, level.lane + k);
}

static bosc_status launch(const bosc_level_schedule_own *own,
                          bosc_level_schedule_numbers all, int32_t l,
                          climb *kernel, bosc_error *err)
{
    const bosc_level level = own->schedule.levels[l];
    const unsigned blocks = ((unsigned)level.n_lanes + THREADS - 1) / THREADS;

    if (blocks > 0)
        BOSC_LAUNCH(kernel, blocks, THREADS, 0, own->schedule, all, level);
    return bosc_cuda_launched("levels", err);
}

bosc_status bosc_level_schedule_launch(const bosc_cuda_solver *solver,
                                       bosc_error *err)
{
    const bosc_level_schedule_own *own =
        (const bosc_level_schedule_own *)solver->own;
    static climb *const ups[] = {climb_level<papers<double>, true>,
                                 climb_level<papers<float>, true>,
                                 climb_level<loop, true>};
    static climb *const downs[] = {climb_level<papers<double>, false>,
                                   climb_level<papers<float>, false>,
                                   climb_level<loop, false>};
    const bosc_level_schedule_numbers all = {
        {solver->u, NULL, solver->d, solver->b}, own->handed};
    const int32_t n = own->schedule.n_levels;
    bosc_status st = BOSC_OK;

    for (int32_t l = 0; l < n && st == BOSC_OK; ++l)
        st = launch(own, all, l, ups[solver->numbers], err);
    for (int32_t l = n - 1; l >= 0 && st == BOSC_OK; --l)
        st = launch(own, all, l, downs[solver->numbers], err);
    return st;
}
