TITLE Loops and elements that are chosen at run time, and all connections to an instance

NEURON { POINT_PROCESS ring RANGE n NONSPECIFIC_CURRENT i }
PARAMETER { g = 1 (uS) }
ASSIGNED { v (mV) i (nA) n at[4] sum }
INITIAL {
    n = 0
    FROM k = 0 TO 3 { at[k] = 100 }
}
BREAKPOINT {
    sum = 0
    FROM k = 0 TO n - 1 { sum = sum + at[fmod(k, 4)] * v }
    i = g * sum
}
NET_RECEIVE(w, old) {
    IF (w < 0) {
        FOR_NETCONS(a, b) {
            b = a
            a = a + 10
        }
    }
    at[fmod(n, 4)] = w
    n = n + 1
}
