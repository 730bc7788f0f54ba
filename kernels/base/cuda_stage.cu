/* cuda_stage.cu - copies to and from the device by way of pinned memory. */
#include <cuda_runtime.h>
#include <stdlib.h>

#include "kernels/base/cuda.h"
#include "kernels/base/cuda_check.h"
#include "src/base/mem.h"

struct bosc_cuda_stage {
    int device; /* threads begin with device 0 */
    int32_t n;
    size_t bytes;
    unsigned char *memory; /* [n][bytes] */
    bool pinned;           /* else copies are slow */
    cudaStream_t *streams; /* [n] */
};

bosc_status bosc_cuda_stage_create(int32_t n, size_t bytes,
                                   bosc_cuda_stage **out, bosc_error *err)
{
    bosc_cuda_stage *stage = (bosc_cuda_stage *)bosc_alloc(1, sizeof *stage);
    void *memory = NULL;
    bosc_status st = BOSC_OK;

    if (stage != NULL)
        stage->streams =
            (cudaStream_t *)bosc_alloc((size_t)n, sizeof *stage->streams);
    if (stage == NULL || stage->streams == NULL) {
        free(stage);
        return bosc_no_memory(err, "copies to the device");
    }
    stage->bytes = (bytes + 4095) / 4096 * 4096;
    stage->pinned =
        cudaMallocHost(&memory, (size_t)n * stage->bytes) == cudaSuccess;
    if (!stage->pinned) {
        cudaGetLastError();
        memory = malloc((size_t)n * stage->bytes);
    }
    stage->memory = (unsigned char *)memory;
    if (memory == NULL)
        st = bosc_no_memory(err, "copies to the device");
    if (st == BOSC_OK)
        st = bosc_cuda_check(cudaGetDevice(&stage->device),
                             "copying to the device", err);
    while (stage->n < n && st == BOSC_OK) {
        st =
            bosc_cuda_check(cudaStreamCreateWithFlags(&stage->streams[stage->n],
                                                      cudaStreamNonBlocking),
                            "a stream", err);
        stage->n += st == BOSC_OK;
    }
    if (st == BOSC_OK)
        *out = stage;
    else
        bosc_cuda_stage_destroy(stage);
    return st;
}

void bosc_cuda_stage_destroy(bosc_cuda_stage *stage)
{
    if (stage == NULL)
        return;
    for (int32_t k = 0; k < stage->n; ++k) {
        cudaStreamSynchronize(stage->streams[k]);
        cudaStreamDestroy(stage->streams[k]);
    }
    if (stage->pinned)
        cudaFreeHost(stage->memory);
    else
        free(stage->memory);
    free(stage->streams);
    free(stage);
}

bosc_status bosc_cuda_stage_take(bosc_cuda_stage *stage, int32_t k,
                                 void **piece, bosc_error *err)
{
    bosc_status st =
        bosc_cuda_check(cudaSetDevice(stage->device), "a device", err);

    if (st == BOSC_OK)
        st = bosc_cuda_check(cudaStreamSynchronize(stage->streams[k]),
                             "copying to the device", err);
    *piece = stage->memory + (size_t)k * stage->bytes;
    return st;
}

bosc_status bosc_cuda_stage_send(bosc_cuda_stage *stage, int32_t k, void *to,
                                 size_t bytes, bosc_error *err)
{
    return bosc_cuda_check(
        cudaMemcpyAsync(to, stage->memory + (size_t)k * stage->bytes, bytes,
                        cudaMemcpyHostToDevice, stage->streams[k]),
        "copying to the device", err);
}

bosc_status bosc_cuda_stage_fetch(bosc_cuda_stage *stage, int32_t k,
                                  const void *from, size_t bytes,
                                  bosc_error *err)
{
    bosc_status st =
        bosc_cuda_check(cudaSetDevice(stage->device), "a device", err);

    return st == BOSC_OK
               ? bosc_cuda_check(
                     cudaMemcpyAsync(stage->memory + (size_t)k * stage->bytes,
                                     from, bytes, cudaMemcpyDeviceToHost,
                                     stage->streams[k]),
                     "copying from the device", err)
               : st;
}

bosc_status bosc_cuda_stage_wait(bosc_cuda_stage *stage, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int32_t k = 0; k < stage->n && st == BOSC_OK; ++k)
        st = bosc_cuda_check(cudaStreamSynchronize(stage->streams[k]),
                             "copying to the device", err);
    return st;
}
