/* cuda_links.c - couplings on their way to a GPU, and voltages between it and
 * other ranks.
 */
#include <stdlib.h>

#include "kernels/base/cuda.h"
#include "kernels/batch/link.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

static bosc_status bring_link(bosc_engine *engine, const bosc_drive_link *link,
                              bosc_cuda_link *to, bosc_error *err)
{
    const bosc_spmv *a = link->conductance;
    const size_t rows = (size_t)a->n_rows, columns = (size_t)a->n_columns;
    const size_t first = a->format == BOSC_SPMV_CSR ? rows + 1 : 0;
    const size_t lengths = a->format == BOSC_SPMV_ELLPACK ? rows : 0;

    *to = (bosc_cuda_link){
        .format = a->format,
        .n_rows = a->n_rows,
        .n_columns = a->n_columns,
        .graded = link->graded,
        .half = link->half,
        .slope = link->slope,
        .e = link->e,
    };
    return BOSC_BRING(
        engine, err, {&to->first, a->first, first, sizeof *a->first},
        {&to->length, a->length, lengths, sizeof *a->length},
        {&to->column, a->column, (size_t)a->n_indices, sizeof *a->column},
        {&to->value, a->value, (size_t)a->n_values, sizeof *to->value},
        {&to->sum, link->sum, rows, sizeof *link->sum},
        {&to->from, link->from, columns, sizeof *link->from},
        {&to->to, link->to, rows, sizeof *link->to},
        {&to->x, NULL, columns, sizeof *to->x});
}

/* The groups that send, and the others. */
static bosc_status bring_boundary(bosc_engine *engine, bosc_error *err)
{
    const bosc_injected *drive = engine->batch->drive;
    const bosc_layout *layout = &engine->batch->layout;
    const size_t n = (size_t)layout->n_groups;
    bosc_cuda_boundary *to = &engine->boundary;
    int32_t *sending = bosc_alloc(n, sizeof *sending), n_sending = 0;
    int32_t *others = bosc_alloc(n, sizeof *others), n_others = 0;
    bool *sends = bosc_alloc(n, sizeof *sends);
    bosc_status st = BOSC_OK;

    if (sending == NULL || others == NULL || sends == NULL)
        st = bosc_no_memory(err, "the couplings");
    for (ptrdiff_t i = 0; st == BOSC_OK && i < drive->n_sent; ++i)
        sends[bosc_layout_group(layout, drive->sent[i])] = true;
    for (int32_t g = 0; st == BOSC_OK && g < layout->n_groups; ++g)
        if (sends[g])
            sending[n_sending++] = g;
        else
            others[n_others++] = g;
    to->sending = to->others = engine->step.streamed;
    to->sending.n = n_sending;
    to->others.n = n_others;
    if (st == BOSC_OK)
        st = BOSC_BRING(
            engine, err,
            {&to->sending.group, sending, (size_t)n_sending, sizeof *sending},
            {&to->others.group, others, (size_t)n_others, sizeof *others});
    if (st == BOSC_OK)
        st = bosc_cuda_stream_create(&to->stream, err);
    if (st == BOSC_OK)
        st = bosc_cuda_timer_create(&to->taken, err);
    free(sending);
    free(others);
    free(sends);
    return st;
}

void bosc_cuda_boundary_clear(bosc_cuda_boundary *boundary)
{
    bosc_cuda_timer_destroy(boundary->taken);
    bosc_cuda_stream_destroy(boundary->stream);
}

bosc_status bosc_cuda_bring_links(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_injected *from = batch->drive;
    const size_t n = (size_t)batch->layout.n_groups + 1;
    bosc_cuda_drive *to = &engine->drive;
    bosc_status st;

    if (from == NULL)
        return BOSC_OK;
    st = BOSC_BRING(
        engine, err,
        {&engine->step.driven.first, from->first, n, sizeof *from->first},
        {&engine->step.driven.push, from->push, (size_t)from->first[n - 1],
         sizeof *from->push},
        {&to->sent, from->sent, (size_t)from->n_sent, sizeof *from->sent},
        {&to->taken, NULL, (size_t)from->n_sent, sizeof *to->taken},
        {&to->arrived, NULL, (size_t)from->n_arriving, sizeof *to->arrived});
    to->n_sent = from->n_sent;
    to->n_arriving = from->n_arriving;
    to->links = bosc_alloc((size_t)from->n_links, sizeof *to->links);
    if (st == BOSC_OK && to->links == NULL)
        return bosc_no_memory(err, "the couplings");
    for (int32_t k = 0; k < from->n_links && st == BOSC_OK; ++k, ++to->n_links)
        st = bring_link(engine, &from->links[k], &to->links[k], err);
    return st == BOSC_OK && from->n_sent > 0 ? bring_boundary(engine, err) : st;
}

bosc_status bosc_cuda_take_arrived(bosc_engine *engine, bosc_error *err)
{
    const bosc_injected *drive = engine->batch->drive;

    return drive == NULL || drive->n_arriving == 0
               ? BOSC_OK
               : bosc_cuda_put(
                     engine->drive.arrived, drive->arriving,
                     (size_t)drive->n_arriving * sizeof *drive->arriving, err);
}

bosc_status bosc_cuda_voltages(bosc_engine *engine, double *to, bosc_error *err)
{
    const bosc_cuda_drive *drive = &engine->drive;
    const size_t bytes = (size_t)drive->n_sent * sizeof *to;
    bosc_status st;

    if (drive->n_sent == 0)
        return BOSC_OK;
    if (engine->boundary.wanted) /* while other groups are computed */
        return bosc_cuda_copy_queue_get(engine->progress.copies, to,
                                        drive->taken, bytes, err);
    st = bosc_cuda_drive_take(drive, NULL, engine->step.v, err);
    return st != BOSC_OK ? st : bosc_cuda_get(to, drive->taken, bytes, err);
}
