/* no_gpu.c - without CUDA no layout changes on a GPU. */
#include "bench/papers/papers.h"

bosc_status bosc_papers_relayout_gpu(const struct bosc_relayout *change,
                                     int repeat, bosc_spread *seconds,
                                     int *repeats, bosc_error *err)
{
    (void)change;
    (void)repeat;
    (void)seconds;
    (void)repeats;
    return bosc_fail(err, BOSC_ENOSUP, "bosc is built without CUDA");
}
