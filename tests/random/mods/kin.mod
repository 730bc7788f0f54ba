TITLE A channel of four states, by KINETIC and CONSERVE

NEURON { SUFFIX kin USEION k READ ek WRITE ik RANGE gbar, fast }
PARAMETER { gbar = 0.001 (S/cm2) <0, 1> fast = 1 (/ms) <0.001, 100> }
ASSIGNED { v (mV) ek (mV) ik (mA/cm2) a (/ms) b (/ms) }
STATE { c1 c2 o x }
INITIAL { SOLVE scheme STEADYSTATE sparse }
BREAKPOINT { SOLVE scheme METHOD sparse  ik = gbar * o * (v - ek) }
KINETIC scheme {
    a = fast * exp((v + 35) / 30)
    b = fast * exp(-(v + 35) / 25)
    ~ c1 <-> c2 (2 * a, b)
    ~ c2 <-> o (a, 2 * b)
    ~ o <-> x (0.03, 0.01)
    CONSERVE c1 + c2 + o + x = 1
}
