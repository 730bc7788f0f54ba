NEURON { POINT_PROCESS Echo NONSPECIFIC_CURRENT i RANGE tau, g }
PARAMETER { tau = 2 (ms) }
STATE { g (uS) }
ASSIGNED { v (mV) i (nA) }
INITIAL { g = 0 net_send(0.3, 1) }
BREAKPOINT { SOLVE fade METHOD cnexp i = g * v }
DERIVATIVE fade { g' = -g / tau }
NET_RECEIVE(w (uS)) {
    if (flag == 0) { g = g + w net_send(0.2, 1) } else { g = g + 0.001 }
}
