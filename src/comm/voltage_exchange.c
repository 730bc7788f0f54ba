#include "src/comm/voltage_exchange.h"

#include <stdlib.h>

#include "src/base/progress.h"

void bosc_voltages_send(bosc_voltage_exchange *x, bool failed, double began)
{
    x->sent[0] = failed;
    x->began = began;
    x->request = x->comm->ops->allgather(x->comm, sizeof *x->sent, x->sent,
                                         x->arrived, x->counts, x->displaced);
    x->phase = BOSC_VOLTAGES_AWAY;
    x->sent_at = bosc_now();
    x->times.waiting += x->sent_at - began;
}

/* All are known to be here. */
static void arrive(bosc_voltage_exchange *x, double now)
{
    x->phase = BOSC_VOLTAGES_HERE;
    x->times.travelling += now - x->began;
    ++x->times.steps;
}

void bosc_voltages_poll(bosc_voltage_exchange *x)
{
    if (x->phase == BOSC_VOLTAGES_AWAY &&
        x->comm->ops->test(x->comm, &x->request))
        arrive(x, bosc_now());
}

bool bosc_voltages_receive(bosc_voltage_exchange *x)
{
    const double began = bosc_now();
    bool failed = false;

    x->times.beside += began - x->sent_at;
    if (x->phase == BOSC_VOLTAGES_AWAY) {
        bosc_wait(x->comm, &x->request);

        const double now = bosc_now();

        x->times.waiting += now - began;
        arrive(x, now);
    }
    x->phase = BOSC_VOLTAGES_IDLE;
    for (int r = 0; r < x->comm->ranks; ++r)
        failed = failed || x->arrived[x->displaced[r]] != 0;
    return !failed;
}

void bosc_voltages_clear(bosc_voltage_exchange *x)
{
    if (x->phase == BOSC_VOLTAGES_AWAY)
        bosc_wait(x->comm, &x->request);
    bosc_comm_destroy(x->comm);
    free(x->sent);
    free(x->arrived);
    free(x->counts);
    free(x->displaced);
}
