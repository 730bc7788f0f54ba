COMMENT
States that decay, and a leak.  They begin at 'start', 'start' + 1 and so on.
ENDCOMMENT

NEURON {
    SUFFIX decays
    NONSPECIFIC_CURRENT i
    RANGE r0, r1, r2, r3, r4, r5, r6, r7, r8, start, g, e
}

PARAMETER {
    r0 = 0.10 (/ms) <0, 10> : rate of s0
    r1 = 0.11 (/ms) <0, 10> : rate of s1
    r2 = 0.12 (/ms) <0, 10> : rate of s2
    r3 = 0.13 (/ms) <0, 10> : rate of s3
    r4 = 0.14 (/ms) <0, 10> : rate of s4
    r5 = 0.15 (/ms) <0, 10> : rate of s5
    r6 = 0.16 (/ms) <0, 10> : rate of s6
    r7 = 0.17 (/ms) <0, 10> : rate of s7
    r8 = 0.18 (/ms) <0, 10> : rate of s8
    start = 2.385 <0, 10> : states at rest
    g = 0.001 (S/cm2) <0, 1> : conductance density
    e = -70 (mV) <-200, 200> : reversal potential
}

ASSIGNED {
    v (mV)
    dt (ms)
    i (mA/cm2)
}

STATE { s0 s1 s2 s3 s4 s5 s6 s7 s8 }

INITIAL {
    s0 = start + 0
    s1 = start + 1
    s2 = start + 2
    s3 = start + 3
    s4 = start + 4
    s5 = start + 5
    s6 = start + 6
    s7 = start + 7
    s8 = start + 8
}

BREAKPOINT {
    SOLVE decay
    i = g * (v - e)
}

PROCEDURE decay() {
    s0 = s0 * exp(-dt * r0)
    s1 = s1 * exp(-dt * r1)
    s2 = s2 * exp(-dt * r2)
    s3 = s3 * exp(-dt * r3)
    s4 = s4 * exp(-dt * r4)
    s5 = s5 * exp(-dt * r5)
    s6 = s6 * exp(-dt * r6)
    s7 = s7 * exp(-dt * r7)
    s8 = s8 * exp(-dt * r8)
}
