/* methods.h - all backends and all methods, in one table.
 *
 * A leaf: no MPI, no files.  'bosc run' integrates with the methods that have
 * a time loop, 'bosc-bench' compares all as solvers.  src/select resolves the
 * names that users write.  A new method is one row in methods.c.
 */
#ifndef BOSC_KERNELS_METHODS_H
#define BOSC_KERNELS_METHODS_H

#include <stdbool.h>

#include "kernels/solve/solver.h"
#include "kernels/spmv/spmv_device.h"
#include "kernels/step/engine.h"

typedef struct bosc_backend {
    const char *name;
    const char *along; /* the backend that 'bosc-bench' measures this one
                          along with; NULL: none */
    const bosc_processor *processor; /* NULL: not in this build */
    bool on_gpu;                     /* each rank needs one */
    const bosc_limit *limits; /* what none of its methods does; NULL: none */
    bool multiplies; /* a sparse matrix and a vector, too, with this: */
    const bosc_product_ops *products;

    bosc_status (*available)(bosc_error *err); /* on this machine */
} bosc_backend;

typedef struct bosc_method {
    const bosc_backend *backend;
    const char *name;
    const char *former; /* its name in earlier versions; NULL: none */
    const char *what;   /* it does, in one line */
    bool chains;        /* it solves only neurons without branches */
    bool other_bits;    /* its sums have another order, so its last bits are
                           other than those of ref */

    /* The solver; without one in this build 'ops' is NULL. */
    struct {
        const bosc_solver_ops *ops;
        const void *family; /* of the backend's own type */
        int variant;
    } solver;

    /* The time loop; a method that only solves has NULL. */
    struct {
        const bosc_engine_ops *ops;
        int variant;
        const bosc_limit *limits; /* what it does not do itself, NULL: none, */
        const char *instead;      /* and the method that does it for it; NULL:
                                     nobody does, and such jobs are refused */
    } engine;
} bosc_method;

/* Ended by a row without a name.  The first is the default of the time loop;
 * the methods of a backend stand together. */
extern const bosc_method bosc_methods[];

/* Ended by NULL, in the order of the methods. */
extern const bosc_backend *const bosc_backends[];

/* By their names; NULL if there is none. */
const bosc_backend *bosc_backend_find(const char *name);
const bosc_method *bosc_method_find(const char *backend, const char *name);

/* The method that had this name, or names that begin with it and a dash, in
 * earlier versions; NULL: none. */
const bosc_method *bosc_method_formerly(const char *name);

/* BOSC_OK, or BOSC_ENOSUP with the reason: not in this build, or nothing here
 * that it could run on. */
bosc_status bosc_backend_available(const bosc_backend *backend,
                                   bosc_error *err);

/* Those of the methods of a backend that have any; NULL: none has. */
const bosc_limit *bosc_backend_limits(const bosc_backend *backend);

/* The method that computes neurons with these needs where a job says 'method':
 * this one, or the one instead of it. */
const bosc_method *bosc_method_computing(const bosc_method *method,
                                         const bosc_needs *needs);

/* The width of layout that the time loop of a method needs on this machine. */
int32_t bosc_method_width(const bosc_method *method);

/* The layout that it needs, for threads, blocks and levels as wanted. */
bosc_grouping bosc_method_grouping(const bosc_method *method,
                                   bosc_grouping wanted);

/* Is its step composed of assembly, a solver and an update?  It is for
 * comparing methods; no job gets it without naming it. */
bool bosc_method_is_composed(const bosc_method *method);

/* A solver for these systems.  BOSC_EVALUE also where a tree is not
 * depth-first, or has branches and the method solves chains. */
bosc_status bosc_method_solver(const bosc_method *method,
                               const bosc_systems *systems,
                               const bosc_solver_options *options,
                               bosc_solver **out, bosc_error *err);

#endif
