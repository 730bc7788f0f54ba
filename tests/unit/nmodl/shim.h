/* shim.h - a translated mechanism as functions of arrays, for tests that load
 * it.
 *
 * Included after these lines, with the text of mechanism NAME in NAME.h:
 *
 *     #define NAME hh    the mechanism
 *     #define CELSIUS 6.3
 *     #define STREAM 7, 11, 13, 5    three ids and the seed
 *     #define VISITS    where it has FOR_NETCONS
 *     #define BOSC_ISA base
 *     #define BOSC_MECH_LOOPS
 *     #define BOSC_MECH_TABLES(loops) {&loops##_base}
 *     #include "NAME.h"
 */
#ifndef BOSC_TESTS_UNIT_NMODL_SHIM_H
#define BOSC_TESTS_UNIT_NMODL_SHIM_H

#include <string.h>

#define OF(what) BOSC_MECH_JOIN(BOSC_MECH_JOIN(bosc, NAME), what)
#define COUNT(what) BOSC_MECH_JOIN(BOSC_MECH_JOIN(BOSC, NAME), what)

const int counts[] = {COUNT(STATES), COUNT(CONSTANTS), COUNT(PARAMS),
                      COUNT(IONS),   COUNT(WEIGHTS),   COUNT(LINEAR)};

static const bosc_mech *const mech = &BOSC_MECH_JOIN(bosc, NAME);

/* Which random numbers are the instance's. */
const uint32_t stream[4] = {STREAM};

/* What the calls have sent; who takes it sets n to 0. */
bosc_mech_sent sent;

#if defined(VISITS)
/* weight[] of the other connection of a mechanism with FOR_NETCONS. */
double other[2];
#endif

const char *param(int i)
{
    return mech->params[i].name;
}

double standard(int i)
{
    return mech->params[i].standard;
}

const char *state_name(int i)
{
    return mech->states[i].name;
}

void prepare(const double *p, double celsius, double dt, double *k)
{
    if (mech->formula.prepare != NULL)
        mech->formula.prepare(p, celsius, dt, k);
}

#define N_BYTES(n) ((size_t)(n) * sizeof(double))

static void load(bosc_mech_instance *one, const double *p, const double *k,
                 const double *here, const double *ion, const double *s)
{
    memcpy(one->p, p, N_BYTES(mech->n_params));
    memcpy(one->k, k, N_BYTES(mech->n_constants));
    memcpy(one->s, s, N_BYTES(counts[0]));
    if (ion != NULL)
        memcpy(one->ion, ion, N_BYTES(mech->n_ions));
    memcpy(one->here, here, sizeof one->here);
    one->celsius = CELSIUS;
    one->stream = stream;
    one->sent = sent;
}

static void keep(const bosc_mech_instance *one, double *ion, double *s)
{
    memcpy(s, one->s, N_BYTES(counts[0]));
    if (ion != NULL)
        memcpy(ion, one->ion, N_BYTES(mech->n_ions));
    sent = one->sent;
}

#define VALUES const double *p, const double *k, double *here

void init(VALUES, double *ion, double *s)
{
    bosc_mech_instance one;

    if (mech->formula.init == NULL)
        return;
    load(&one, p, k, here, ion, s);
    mech->formula.init(&one);
    keep(&one, ion, s);
}

void current(VALUES, double *ion, double *s, double *g, double *ge)
{
    bosc_mech_instance one;

    if (mech->formula.current == NULL) {
        mech->formula.constant(p, g, ge);
        return;
    }
    load(&one, p, k, here, ion, s);
    mech->formula.current(&one, g, ge);
    keep(&one, ion, s);
}

void advance(VALUES, double *ion, double *s)
{
    bosc_mech_instance one;

    if (mech->formula.advance == NULL)
        return;
    load(&one, p, k, here, ion, s);
    mech->formula.advance(&one);
    keep(&one, ion, s);
}

/* 'advance' of a block's instances. */
void loop(const bosc_mech_block *block, const bosc_mech_chunk *c)
{
    mech->loops[0]->advance(block, c);
}

void watch(VALUES, double *ion, double *s)
{
    bosc_mech_instance one;

    load(&one, p, k, here, ion, s);
    mech->formula.watch(&one);
    keep(&one, ion, s);
}

/* States behind the mechanism's own are the weights. */
static void call(void (*what)(bosc_mech_instance *one, double event), VALUES,
                 double *weight, double *s, double event)
{
    const size_t bytes = N_BYTES(mech->n_states - mech->n_own);
    bosc_mech_instance one;

    load(&one, p, k, here, NULL, s);
    memcpy(one.s + mech->n_own, weight, bytes);
    what(&one, event);
    memcpy(weight, one.s + mech->n_own, bytes);
    here[0] = one.here[0];
    keep(&one, NULL, s);
}

void receive(VALUES, double *weight, double *s, double flag)
{
#if defined(VISITS)
    double *const all[2] = {weight, other};

    OF(receive)(p, k, here, weight, s, 2, all, flag);
#else
    call(mech->formula.receive, p, k, here, weight, s,
         mech->plain ? *weight : flag);
#endif
}

static void do_connect(bosc_mech_instance *one, double event)
{
    (void)event;
    if (mech->formula.connect != NULL)
        mech->formula.connect(one);
}

void connect_(VALUES, double *weight, double *s)
{
    call(do_connect, p, k, here, weight, s, 0);
}

#endif
