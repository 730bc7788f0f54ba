#include "src/mods/headers.h"

#include "kernels/base/elementary.h"
#include "kernels/base/random.h"
#include "kernels/mech/emitted.h"
#include "kernels/mech/object.h"
#include "kernels/mech/relax.h"
#include "src/base/status.h"

/* Included above, or by those, or named in local.mk, so that make knows that
 * they are used here; the assembler looks for files where the compiler does. */
#define EMBED(name, path)                                                      \
    __asm__(".section .rodata\n"                                               \
            ".global bosc_mods_text_" #name "\n"                               \
            "bosc_mods_text_" #name ":\n"                                      \
            ".incbin \"" path "\"\n"                                           \
            ".global bosc_mods_end_" #name "\n"                                \
            "bosc_mods_end_" #name ":\n"                                       \
            ".byte 0\n"                                                        \
            ".previous\n");                                                    \
    extern const char bosc_mods_text_##name[], bosc_mods_end_##name[];

#define HEADERS(X)                                                             \
    X(emitted, "kernels/mech/emitted.h")                                       \
    X(mech, "kernels/mech/mech.h")                                             \
    X(object, "kernels/mech/object.h")                                         \
    X(relax, "kernels/mech/relax.h")                                           \
    X(formula, "kernels/base/formula.h")                                       \
    X(elementary, "kernels/base/elementary.h")                                 \
    X(random, "kernels/base/random.h")                                         \
    X(isa, "kernels/base/isa.h")                                               \
    X(status, "src/base/status.h")                                             \
    X(bosc, "include/bosc.h")                                                  \
    X(mem, "src/base/mem.h")                                                   \
    X(builtin, "kernels/mech/builtin.h")                                       \
    X(registry, "kernels/mech/registry.h")                                     \
    X(ion, "kernels/mech/ion.h")                                               \
    X(hines, "kernels/hines/hines.h")                                          \
    X(layout, "kernels/batch/layout.h")                                        \
    X(tile, "kernels/batch/tile.h")                                            \
    X(clamp, "kernels/batch/clamp.h")                                          \
    X(reading, "kernels/batch/reading.h")                                      \
    X(batch, "kernels/batch/batch.h")                                          \
    X(engine, "kernels/step/engine.h")                                         \
    X(limits, "kernels/step/limits.h")                                         \
    X(rows, "kernels/step/rows.h")                                             \
    X(cuda, "kernels/base/cuda.h")                                             \
    X(cuda_step, "kernels/gpu/host/cuda_step.h")                               \
    X(cuda_mech, "kernels/gpu/host/cuda_mech.h")                               \
    X(cuda_builtin, "kernels/gpu/host/cuda_builtin.h")                         \
    X(cuda_group_lane, "kernels/gpu/stream/cuda_group_lane.h")                 \
    X(cuda_group_job, "kernels/gpu/stream/cuda_group_job.h")                   \
    X(cuda_group_mech, "kernels/gpu/stream/cuda_group_mech.h")                 \
    X(cuda_group_rows, "kernels/gpu/stream/cuda_group_rows.h")                 \
    X(cuda_group_sweep, "kernels/gpu/stream/cuda_group_sweep.h")               \
    X(cuda_group, "kernels/gpu/stream/cuda_group.h")

HEADERS(EMBED)

const bosc_mods_header *bosc_mods_headers(int *n)
{
#define ROW(name, file) {file, bosc_mods_text_##name, bosc_mods_end_##name},
    static const bosc_mods_header all[] = {HEADERS(ROW)};

    *n = (int)BOSC_LEN(all);
    return all;
}
