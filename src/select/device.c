#include "src/select/device.h"

#include <stdio.h>
#include <string.h>

#include "src/select/choose.h"

static const bosc_chip usual = {132, 227 * 1024};

bosc_chip bosc_device_chip(const bosc_backend *backend)
{
    bosc_chip chip = {0, 0};

    if (!backend->on_gpu)
        return chip;
    if (bosc_backend_available(backend, &(bosc_error){""}) != BOSC_OK ||
        backend->processor->chip == NULL)
        return usual;
    backend->processor->chip(&chip.processors, &chip.shared);
    return chip;
}

/* Behind a name: what there is of it. */
static void add_parts(const bosc_backend *backend, char *name)
{
    const bosc_chip chip = bosc_device_chip(backend);
    char *end;

    name[strcspn(name, "\t\r\n")] = '\0'; /* it is a word of a table */
    end = strchr(name, '\0');
    if (backend->on_gpu)
        end += snprintf(end, 30, ", %.0f multiprocessors", chip.processors);
    snprintf(end, 20, ", %d lanes", (int)bosc_choose_lanes(backend));
}

static const size_t most = BOSC_DEVICE_NAME - 60; /* without them */

void bosc_device_name(const bosc_backend *backend, char name[BOSC_DEVICE_NAME])
{
    snprintf(name, most, "no device");
    if (backend->processor != NULL)
        backend->processor->name(name, most);
    add_parts(backend, name);
}

void bosc_device_class(const bosc_backend *backend, char name[BOSC_DEVICE_NAME])
{
    char *driver;

    snprintf(name, most, "any CPU");
    if (backend->on_gpu && backend->processor != NULL) {
        backend->processor->name(name, most);
        driver = strstr(name, ", driver");
        if (driver != NULL)
            *driver = '\0';
    }
    add_parts(backend, name);
}
