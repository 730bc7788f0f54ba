/* gpus.cu - the GPUs that this process sees.
 *
 * Of a MIG slice the driver knows two UUIDs, that of the GPU and its own; only
 * the latter tells slices apart, and the runtime does not promise which it
 * gives.  So the driver is asked, if it can be.
 */
#include "kernels/base/gpus.h"

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda_check.h"
#include "src/base/mem.h"

typedef struct digits {
    unsigned char byte[16];
} digits;

/* A UUID by one of the driver's functions; false: it cannot tell. */
static bool ask_driver(void *driver, const char *function, int number,
                       digits *uuid)
{
    typedef int (*device_get)(int *device, int number);
    typedef int (*device_uuid)(digits * uuid, int device);
    const device_get get = (device_get)dlsym(driver, "cuDeviceGet");
    const device_uuid ask = (device_uuid)dlsym(driver, function);
    int device = 0;

    return get != NULL && ask != NULL && get(&device, number) == 0 &&
           ask(uuid, device) == 0;
}

static void print_uuid(char *text, size_t size, const char *kind,
                       const digits *uuid)
{
    const unsigned char *b = uuid->byte;

    snprintf(text, size,
             "%s-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
             "%02x%02x%02x%02x%02x%02x",
             kind, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9],
             b[10], b[11], b[12], b[13], b[14], b[15]);
}

static void find_uuid(void *driver, const cudaDeviceProp *properties,
                      bosc_gpu *gpu)
{
    digits own, whole;
    bool slice = false;

    memcpy(&own, &properties->uuid, sizeof own);
    whole = own;
    if (driver != NULL &&
        ask_driver(driver, "cuDeviceGetUuid_v2", gpu->number, &own) &&
        ask_driver(driver, "cuDeviceGetUuid", gpu->number, &whole))
        slice = memcmp(&own, &whole, sizeof own) != 0;
    print_uuid(gpu->uuid, sizeof gpu->uuid, slice ? "MIG" : "GPU", &own);
}

static bosc_status look(int number, void *driver, bosc_gpu *gpu,
                        bosc_error *err)
{
    cudaDeviceProp properties;
    const bosc_status st =
        bosc_cuda_check(cudaGetDeviceProperties(&properties, number),
                        "looking at a device", err);

    if (st != BOSC_OK)
        return st;
    gpu->number = number;
    gpu->processors = properties.multiProcessorCount;
    gpu->capability = 10 * properties.major + properties.minor;
    gpu->memory = (int64_t)properties.totalGlobalMem;
    snprintf(gpu->name, sizeof gpu->name, "%.79s", properties.name);
    find_uuid(driver, &properties, gpu);
    return BOSC_OK;
}

bosc_status bosc_gpus_list(bosc_gpu **gpus, int32_t *n, bosc_error *err)
{
    int count = 0;
    bosc_gpu *made;
    void *driver;
    bosc_status st =
        bosc_cuda_check(cudaGetDeviceCount(&count), "looking for devices", err);

    if (st != BOSC_OK)
        return st;
    if (count == 0)
        return bosc_fail(err, BOSC_ENOSUP, "CUDA: there is no device");
    made = (bosc_gpu *)bosc_alloc((size_t)count, sizeof *made);
    if (made == NULL)
        return bosc_no_memory(err, "the list of GPUs");
    driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    for (int k = 0; k < count && st == BOSC_OK; ++k)
        st = look(k, driver, &made[k], err);
    if (driver != NULL)
        dlclose(driver);
    if (st == BOSC_OK) {
        *gpus = made;
        *n = count;
    } else {
        free(made);
    }
    return st;
}

bosc_status bosc_gpu_use(int32_t number, bosc_error *err)
{
    return bosc_cuda_check(cudaSetDevice(number), "choosing a device", err);
}

int32_t bosc_gpu_in_use(void)
{
    int number;

    return cudaGetDevice(&number) == cudaSuccess ? number : -1;
}
