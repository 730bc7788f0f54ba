#include "src/slurm/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/slurm/command.h"

/* The number behind 'name' in a line of scontrol, or -1: "UNLIMITED". */
static long find_number(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    char *end;
    const long n = at != NULL ? strtol(at + strlen(name), &end, 10) : -1;

    return at != NULL && end > at + strlen(name) ? n : -1;
}

bosc_status bosc_partition_check(const char *partition, int32_t nodes,
                                 bosc_error *err)
{
    const char *const argv[] = {"scontrol", "show",    "partition",
                                "-o",       partition, NULL};
    char *text = NULL, *rest, *line, name[100] = "";
    int code = 0;
    long most = -1;
    bosc_status st = BOSC_OK;

    if (nodes > 0)
        st = bosc_command(argv, true, &text, &code, err);
    rest = st == BOSC_OK && code == 0 ? text : NULL;
    while (most < 0 && (line = strsep(&rest, "\n")) != NULL) {
        const long all = find_number(line, " TotalNodes="),
                   allowed = find_number(line, " MaxNodes=");

        if (partition == NULL && strstr(line, "Default=YES") == NULL)
            continue;
        if (sscanf(line, "PartitionName=%99s", name) == 1)
            most = allowed >= 0 && allowed < all ? allowed : all;
    }
    free(text);
    if (st == BOSC_OK && most > 0 && nodes > most)
        st = bosc_fail(err, BOSC_EUSAGE,
                       "asks %d nodes, partition %s has %ld; ask for fewer "
                       "(-N %ld), or name another partition (-p)",
                       (int)nodes, name, most, most);
    return st;
}
