: weights of their own, events to itself, WATCH; parameters that are keys of a job
NEURON { POINT_PROCESS c_receive NONSPECIFIC_CURRENT i RANGE at, name, type }
PARAMETER { at = 0.3 name = 0.2 type = 0.1 }
ASSIGNED { v (mV) i (nA) }
STATE { g (uS) }
INITIAL {
    g = 0
    net_send(1.7, 3)
    net_send(0, 4)
}
BREAKPOINT {
    SOLVE states METHOD cnexp
    i = g * (v - 10 * (at + name + type))
}
DERIVATIVE states { g' = -g / 3 }
NET_RECEIVE (w (uS), a, last) {
    INITIAL {
        a = 1
        last = t
    }
    if (flag == 0) {
        g = g + w * a * exp(-(t - last) / 50)
        a = a + 0.5
        last = t
        net_send(2.3, 1)
    } else if (flag == 4) {
        WATCH (v > -50) 2
    } else {
        g = g + flag * 0.0005
    }
}
