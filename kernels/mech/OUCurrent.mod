TITLE A current that fluctuates

COMMENT
An Ornstein-Uhlenbeck process from its stationary distribution on, with the
exact step of Gillespie (1996): its mean, its standard deviation and its
correlation do not depend on dt.  The current of a step is constant.
ENDCOMMENT

NEURON {
    POINT_PROCESS OUCurrent
    ELECTRODE_CURRENT i_oucurrent
    RANGE mean, sigma, tau
}

PARAMETER {
    mean = 0 (nA) <-1e6, 1e6> : positive depolarises
    sigma = 0 (nA) <0, 1e6> : standard deviation
    tau = 1 (ms) <1e-6, 1e9> : correlation time
}

ASSIGNED {
    dt (ms)
    oucurrent_next (nA)
    i_oucurrent (nA) : current that it lets into the cell
}

INITIAL {
    oucurrent_next = mean + sigma * normrand(0, 1)
    i_oucurrent = 0
}

BREAKPOINT {
    SOLVE fluctuate METHOD after_cvode
    i_oucurrent = oucurrent_next
}

PROCEDURE fluctuate() {
    oucurrent_next = mean + (oucurrent_next - mean) * exp(-dt / tau) + sigma * sqrt(1 - exp(-2 * dt / tau)) * normrand(0, 1)
}
