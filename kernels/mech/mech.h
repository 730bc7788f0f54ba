/* mech.h - the table of membrane mechanisms.
 *
 * A leaf: no MPI, no files.  A mechanism is one header kernels/mech/NAME.h with
 * inline formulas for host and device, and one row in BOSC_MECH_LIST.
 *
 * Each header defines, for NAME:
 *   static const bosc_mech_param bosc_NAME_params[];  densities and potentials
 *   bosc_NAME_constant(p, &g, &ge)      the part of conductance density g
 *       (S/cm2) and of sum g E (mA/cm2) that never changes: packed into the
 *       matrix once;
 * and a dynamic one also
 *   enum { BOSC_NAME_STATES = ... };
 *   static const bosc_mech_state bosc_NAME_states[];
 *       so many, each with a name of its own, which job files and results use;
 *   bosc_NAME_current(p, s, v, &g, &ge)  the part that follows the states s
 *       and the voltage v (mV);
 *   bosc_NAME_init(p, v, celsius, s)     states at rest at v;
 *   bosc_NAME_prepare(p, celsius, dt, k) constants of a step of dt (ms), at
 *       most BOSC_MECH_MAX_CONSTANTS, made once;
 *   bosc_NAME_advance(p, k, v, s)        states after a step at voltage v;
 * and a point process also
 *   bosc_NAME_receive(k, weight, s)      states after an event.
 * p[] are the parameters in the order of the table.  A point process counts in
 * totals: its g is in uS, its g E in nA, weights in uS.
 */
#ifndef BOSC_KERNELS_MECH_MECH_H
#define BOSC_KERNELS_MECH_MECH_H

/* One parameter of a mechanism, as job files know it. */
typedef struct bosc_mech_param {
    const char *name, *unit, *meaning;
    double standard, low, high; /* default and allowed range */
} bosc_mech_param;

/* One state of a mechanism, as job files and results know it. */
typedef struct bosc_mech_state {
    const char *name, *unit, *meaning; /* unit "1": a pure number */
} bosc_mech_state;

/* X(name) for every mechanism.  A static one has only its constant part, so
 * that the time loop passes over it; a dynamic one has states, and is part of
 * the membrane or a point process, which receives events.  The order is that of
 * the sums. */
#define BOSC_MECH_STATIC(X) X(pas)
#define BOSC_MECH_POINT(X) X(ExpSyn) X(Exp2Syn)
#define BOSC_MECH_MEMBRANE(X) X(hh)
#define BOSC_MECH_DYNAMIC(X) BOSC_MECH_MEMBRANE(X) BOSC_MECH_POINT(X)
#define BOSC_MECH_LIST(X)                                                      \
    BOSC_MECH_STATIC(X)                                                        \
    BOSC_MECH_DYNAMIC(X)

enum {
    BOSC_MECH_MAX_PARAMS = 8,
    BOSC_MECH_MAX_STATES = 4,
    BOSC_MECH_MAX_CONSTANTS = 3
};

#define BOSC_MECH_ENUM(name) BOSC_MECH_##name,
typedef enum bosc_mech_id {
    BOSC_MECH_LIST(BOSC_MECH_ENUM) BOSC_N_MECHS
} bosc_mech_id;
#undef BOSC_MECH_ENUM

/* A mechanism as data: for parameter files, packing and output. */
typedef struct bosc_mech {
    const char *name;
    int n_params;
    const bosc_mech_param *params; /* [n_params] */
    int n_states;                  /* 0: static, no block needed */
    const bosc_mech_state *states; /* [n_states] */
    void (*constant)(const double *p, double *g, double *ge);
    void (*init)(const double *p, double v, double celsius, double *s);
    /* Of a dynamic one, else NULL. */
    void (*prepare)(const double *p, double celsius, double dt, double *k);
    /* Of a point process, else NULL: densities are totals then. */
    void (*receive)(const double *k, double weight, double *s);
} bosc_mech;

extern const bosc_mech bosc_mechs[BOSC_N_MECHS];

/* The mechanism of that name, or -1. */
int bosc_mech_find(const char *name);

#endif
