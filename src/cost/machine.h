/* machine.h - what things cost on a machine: a small file, measured once by
 * 'bosc calibrate'.
 *
 * Serial code: no MPI.  The file is YAML with a comment for every number; it
 * may be edited.  It is $BOSC_MACHINE, or HOSTNAME.yaml in
 * $XDG_CONFIG_HOME/bosc, which is ~/.config/bosc.  Without it, built-in numbers
 * of an ordinary machine are used, and that is said.
 */
#ifndef BOSC_SRC_COST_MACHINE_H
#define BOSC_SRC_COST_MACHINE_H

#include <stdbool.h>

#include "kernels/methods.h"
#include "src/base/status.h"
#include "src/cost/costs.h"

enum { BOSC_MACHINE_DEVICES = 16 };

/* A kind of device that ranks compute on. */
typedef struct bosc_machine_device {
    char *name;                /* for people */
    char *backend, *method;    /* what the numbers are of */
    const bosc_method *solver; /* which these two mean; NULL: not in this build
                                */
    int ranks; /* of a node, that have such a device; the last one
                  stands for all others too */
    bosc_costs costs;
} bosc_machine_device;

typedef struct bosc_machine {
    const bosc_mechs *mechs; /* that it has costs of; the caller's */
    char *source;            /* the file, or "built-in numbers" */
    bool built_in;
    char *host;
    int processors;
    double memory; /* bytes */
    int n_devices; /* >= 1 */
    bosc_machine_device *devices;
} bosc_machine;

/* The path of this machine's file; free() it.  NULL without memory. */
char *bosc_machine_path(void);

/* The built-in numbers for the CPUs of this machine, and some mechanisms. */
bosc_status bosc_machine_here(const bosc_mechs *mechs, bosc_machine **out,
                              bosc_error *err);

/* Read a file.  Path NULL: that of this machine, or, where there is none and
 * nothing names one, the built-in numbers, also those for GPUs.  Messages about
 * what is in it begin "file:line". */
bosc_status bosc_machine_read(const bosc_mechs *mechs, const char *path,
                              bosc_machine **out, bosc_error *err);
void bosc_machine_destroy(bosc_machine *machine);

/* Write it, with comments, under another name first: what was there stays until
 * all is written.  NULL: could it be written there?  Nothing stays. */
bosc_status bosc_machine_write(const bosc_machine *machine, const char *path,
                               bosc_error *err);

/* The device of a rank that computes by a method: 'local_rank' counts those of
 * its node that do.  One of another method where there is none of it, of the
 * same backend if there is any. */
const bosc_machine_device *bosc_machine_device_of(const bosc_machine *machine,
                                                  int local_rank,
                                                  const bosc_method *method);

/* The rates of that device.  Where they are of another method, false is
 * returned, and lanes are those of this machine. */
bool bosc_machine_rates(const bosc_machine *machine, int local_rank,
                        const bosc_method *method, bosc_costs *costs);

#endif
