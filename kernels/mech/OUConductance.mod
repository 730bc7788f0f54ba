TITLE A conductance that fluctuates

COMMENT
An Ornstein-Uhlenbeck process from its stationary distribution on, with the
exact step of Gillespie (1996), as by Destexhe et al. (2001): where the process
is below 0 the conductance is 0.
ENDCOMMENT

NEURON {
    POINT_PROCESS OUConductance
    NONSPECIFIC_CURRENT i_ouconductance
    RANGE mean, sigma, tau, reversal
}

PARAMETER {
    mean = 0 (uS) <-1e6, 1e6> : of the process
    sigma = 0 (uS) <0, 1e6> : standard deviation of the process
    tau = 1 (ms) <1e-6, 1e9> : correlation time
    reversal = 0 (mV) <-200, 200> : reversal potential
}

ASSIGNED {
    v (mV)
    dt (ms)
    g_ouconductance (uS) : conductance
    i_ouconductance (nA)
}

STATE {
    x_ouconductance (uS) : the process, also below 0
}

INITIAL {
    x_ouconductance = mean + sigma * normrand(0, 1)
}

BREAKPOINT {
    SOLVE fluctuate METHOD after_cvode
    g_ouconductance = 0
    IF (x_ouconductance > 0) {
        g_ouconductance = x_ouconductance
    }
    i_ouconductance = g_ouconductance * (v - reversal)
}

PROCEDURE fluctuate() {
    x_ouconductance = mean + (x_ouconductance - mean) * exp(-dt / tau) + sigma * sqrt(1 - exp(-2 * dt / tau)) * normrand(0, 1)
}
