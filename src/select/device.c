#include "src/select/device.h"

#include <stdio.h>
#include <string.h>

#include "src/select/choose.h"

void bosc_device_name(const bosc_backend *backend, char name[BOSC_DEVICE_NAME])
{
    const size_t most = BOSC_DEVICE_NAME - 20;

    snprintf(name, most, "no device");
    if (backend->processor != NULL)
        backend->processor->name(name, most);
    name[strcspn(name, "\t\r\n")] = '\0'; /* it is a word of a table */
    snprintf(name + strlen(name), 20, ", %d lanes",
             (int)bosc_choose_lanes(backend));
}
