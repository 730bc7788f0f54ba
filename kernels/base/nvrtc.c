#include "config.h"

#include "kernels/base/nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* The interface of <nvrtc.h>, which a build without CUDA lacks; it is the same
 * in all versions. */
typedef struct nvrtc_program *made_program;
typedef struct library {
    void *handle;
    const char *(*error)(int code);
    int (*create)(made_program *out, const char *text, const char *name, int n,
                  const char *const *texts, const char *const *names);
    int (*destroy)(made_program *of);
    int (*compile)(made_program of, int n, const char *const *options);
    int (*log_size)(made_program of, size_t *size);
    int (*log)(made_program of, char *text);
    int (*cubin_size)(made_program of, size_t *size);
    int (*cubin)(made_program of, char *bytes);
    int (*ptx_size)(made_program of, size_t *size);
    int (*ptx)(made_program of, char *bytes);
} library;

/* Headers of C, as far as bosc's own use them; NVRTC knows the functions. */
static const bosc_nvrtc_file standard[] = {
    {"config.h", ""},
    {"math.h",
     "#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)\n"
     "#define NAN __builtin_bit_cast(double, 0x7ff8000000000000ull)\n"},
    {"stdarg.h", ""},
    {"stdbool.h", ""},
    {"stddef.h", "typedef long ptrdiff_t;\n"
                 "#ifndef NULL\n"
                 "#define NULL 0\n"
                 "#endif\n"},
    {"stdint.h", "typedef signed char int8_t;\n"
                 "typedef unsigned char uint8_t;\n"
                 "typedef short int16_t;\n"
                 "typedef unsigned short uint16_t;\n"
                 "typedef int int32_t;\n"
                 "typedef unsigned uint32_t;\n"
                 "typedef long int64_t;\n"
                 "typedef unsigned long uint64_t;\n"},
    {"string.h", ""}};

/* Where it may be, the likeliest first; the last may be any version's. */
static const char *const names[] = {
    "libnvrtc.so.13",
    "libnvrtc.so.12",
#ifdef CUDA_HOME
    CUDA_HOME "/lib64/libnvrtc.so",
    CUDA_HOME "/lib/libnvrtc.so",
#endif
    "libnvrtc.so",
};

/* The oldest that compiles C++17 for all GPUs that bosc knows. */
#define OLDEST 12

/* No contraction: the bits of the host. */
static const char *const flags[] = {"-std=c++17", "-fmad=false",
                                    "-default-device", "-w"};

/* A library of that name that is new enough, and its version; or NULL. */
static void *open_one(const char *name, int version_of[2])
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    int (*version)(int *major, int *minor) = NULL;
    void *function = handle != NULL ? dlsym(handle, "nvrtcVersion") : NULL;

    memcpy(&version, &function, sizeof function);
    if (version != NULL && version(&version_of[0], &version_of[1]) == 0 &&
        version_of[0] >= OLDEST)
        return handle;
    if (handle != NULL)
        dlclose(handle);
    return NULL;
}

/* The first of them, or NULL. */
static void *open_any(int version_of[2])
{
    void *handle = NULL;

    for (size_t i = 0; i < BOSC_LEN(names) && handle == NULL; ++i)
        handle = open_one(names[i], version_of);
    return handle;
}

const char *bosc_nvrtc_version(bosc_nvrtc_words text)
{
    int version[2];
    void *handle = open_any(version);
    size_t n;

    if (handle == NULL)
        version[0] = version[1] = 0;
    n = (size_t)snprintf(text, sizeof(bosc_nvrtc_words), "NVRTC %d.%d",
                         version[0], version[1]);
    for (size_t i = 0; i < BOSC_LEN(flags); ++i)
        n += (size_t)snprintf(text + n, sizeof(bosc_nvrtc_words) - n, " %s",
                              flags[i]);
    if (handle != NULL)
        dlclose(handle);
    return text;
}

static bosc_status load(library *lib, bosc_error *err)
{
    int version[2];
    const struct {
        const char *name;
        void *to;
    } functions[] = {{"nvrtcGetErrorString", &lib->error},
                     {"nvrtcCreateProgram", &lib->create},
                     {"nvrtcDestroyProgram", &lib->destroy},
                     {"nvrtcCompileProgram", &lib->compile},
                     {"nvrtcGetProgramLogSize", &lib->log_size},
                     {"nvrtcGetProgramLog", &lib->log},
                     {"nvrtcGetCUBINSize", &lib->cubin_size},
                     {"nvrtcGetCUBIN", &lib->cubin},
                     {"nvrtcGetPTXSize", &lib->ptx_size},
                     {"nvrtcGetPTX", &lib->ptx}};

    lib->handle = open_any(version);
    if (lib->handle == NULL)
        return bosc_fail(
            err, BOSC_ENOSUP,
            "mechanisms of mod files need the library %s, of CUDA "
            "%d or newer, to be compiled for GPUs, and it is not "
            "found; load the module of CUDA, or name the library's "
            "folder in LD_LIBRARY_PATH, or use backend cpu",
            names[0], OLDEST);
    for (size_t i = 0; i < BOSC_LEN(functions); ++i) {
        void *function = dlsym(lib->handle, functions[i].name);

        if (function == NULL)
            return bosc_fail(err, BOSC_ENOSUP, "libnvrtc.so has no %s",
                             functions[i].name);
        memcpy(functions[i].to, &function, sizeof function);
    }
    return BOSC_OK;
}

/* What the compiler says, at its end the reason. */
static bosc_status explain(const library *lib, made_program made, int code,
                           bosc_error *err)
{
    size_t n = 0;
    char *text = lib->log_size(made, &n) == 0 ? calloc(n + 1, 1) : NULL;
    bosc_status st;

    if (text != NULL)
        lib->log(made, text);
    st = bosc_fail(err, BOSC_EVALUE,
                   "mechanisms cannot be compiled for this GPU: %s: %.600s",
                   lib->error(code), text != NULL ? text : "");
    free(text);
    return st;
}

static bosc_status take(const library *lib, made_program made, bool cubin,
                        unsigned char **image, size_t *bytes, bosc_error *err)
{
    size_t n = 0;
    char *taken;
    const int code =
        cubin ? lib->cubin_size(made, &n) : lib->ptx_size(made, &n);

    if (code != 0)
        return explain(lib, made, code, err);
    taken = malloc(n + 1);
    if (taken == NULL)
        return bosc_no_memory(err, "mechanisms");
    if (cubin)
        lib->cubin(made, taken);
    else
        lib->ptx(made, taken);
    *image = (unsigned char *)taken;
    *bytes = n;
    return BOSC_OK;
}

static bosc_status compile(const library *lib, const bosc_nvrtc_program *of,
                           const char *const *all, unsigned char **image,
                           size_t *bytes, bosc_error *err)
{
    const size_t n = of->n + BOSC_LEN(standard);
    char *target = bosc_format("-arch=%s", of->target);
    const char *options[1 + BOSC_LEN(flags)] = {target};
    made_program made = NULL;
    bosc_status st = BOSC_OK;
    int code;

    if (target == NULL)
        return bosc_no_memory(err, "mechanisms");
    memcpy(options + 1, flags, sizeof flags);
    code = lib->create(&made, of->text, "mechanisms.cu", (int)n, all, all + n);
    if (code == 0)
        code = lib->compile(made, (int)BOSC_LEN(options), options);
    if (code != 0)
        st = explain(lib, made, code, err);
    else
        st = take(lib, made, strncmp(of->target, "sm_", 3) == 0, image, bytes,
                  err);
    lib->destroy(&made);
    free(target);
    return st;
}

bosc_status bosc_nvrtc_compile(const bosc_nvrtc_program *program,
                               unsigned char **image, size_t *bytes,
                               bosc_error *err)
{
    const size_t n = program->n + BOSC_LEN(standard);
    const char **all = bosc_alloc(2 * n, sizeof *all); /* texts, then names */
    library lib = {.handle = NULL};
    bosc_status st =
        all == NULL ? bosc_no_memory(err, "mechanisms") : load(&lib, err);

    for (size_t i = 0; i < n && st == BOSC_OK; ++i) {
        const bosc_nvrtc_file *file =
            i < program->n ? &program->file[i] : &standard[i - program->n];

        all[i] = file->text;
        all[n + i] = file->name;
    }
    if (st == BOSC_OK)
        st = compile(&lib, program, all, image, bytes, err);
    free(all);
    return st;
}
