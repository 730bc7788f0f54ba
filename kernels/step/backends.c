#include "kernels/step/backend.h"

#include <string.h>

#include "kernels/step/backends.h"

const bosc_backend *const bosc_backends[] = {&bosc_ref_backend,
                                             &bosc_cpu_backend, NULL};

const bosc_backend *bosc_backend_find(const char *name)
{
    if (strcmp(name, "auto") == 0)
        return &bosc_cpu_backend;
    for (int i = 0; bosc_backends[i] != NULL; ++i)
        if (strcmp(bosc_backends[i]->name, name) == 0)
            return bosc_backends[i];
    return NULL;
}

int bosc_method_find(const bosc_backend *backend, const char *name)
{
    if (strcmp(name, "auto") == 0)
        return 0;
    for (int i = 0; i < backend->n_methods; ++i)
        if (strcmp(backend->methods[i].name, name) == 0)
            return i;
    return -1;
}
