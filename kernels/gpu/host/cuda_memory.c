/* cuda_memory.c - arrays of the host, brought to memory of a GPU. */
#include <string.h>

#include "kernels/base/cuda.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

/* The engine frees it at its end. */
static bosc_status own(bosc_engine *engine, void *memory, bosc_error *err)
{
    bosc_cuda_owned *o = &engine->owned;

    if (!bosc_grow(&o->memory, &o->capacity, o->n + 1, sizeof *o->memory)) {
        bosc_cuda_free(memory);
        return bosc_no_memory(err, "the list of GPU arrays");
    }
    o->memory[o->n++] = memory;
    return BOSC_OK;
}

bosc_status bosc_cuda_bring_to(bosc_engine *engine, void *there,
                               const void *from, size_t bytes, bosc_error *err)
{
    enum { LARGE = 1 << 23 };

    return bytes < LARGE ? bosc_cuda_put(there, from, bytes, err)
                         : bosc_cuda_put_large(engine, there, from, bytes, err);
}

bosc_status bosc_cuda_bring(bosc_engine *engine, const bosc_cuda_array *arrays,
                            size_t n, bosc_error *err)
{
    for (size_t i = 0; i < n; ++i) {
        const size_t bytes = arrays[i].n * arrays[i].size;
        void *there = NULL;
        bosc_status st = bosc_cuda_alloc(&there, bytes, "neurons", err);

        if (st == BOSC_OK)
            st = own(engine, there, err);
        if (st == BOSC_OK && arrays[i].from != NULL)
            st = bosc_cuda_bring_to(engine, there, arrays[i].from, bytes, err);
        if (st != BOSC_OK)
            return st;
        memcpy(arrays[i].to, &there, sizeof there);
    }
    return BOSC_OK;
}

bosc_status bosc_cuda_bring_values(bosc_engine *engine,
                                   const bosc_mech_block *b,
                                   const bosc_mech_values *values, int count,
                                   bosc_cuda_value *to, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int j = 0; j < count && st == BOSC_OK; ++j)
        if (values->column != NULL && values->varies[j])
            st = BOSC_BRING(
                engine, err,
                {&to[j].at, values->column[j], (size_t)b->n, sizeof(double)});
        else
            to[j].all = bosc_mech_value(values, j, 0);
    return st;
}
