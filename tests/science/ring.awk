# ring.awk - the cell of the reference case c7_ring16 as an SWC file.
#
# NEURON's cell is made of cylinders of different diameters, cut into equal
# compartments: the soma into one, 15 dendrites into 5 each.  In SWC a branch
# begins with the diameter of its parent, so a step in diameter has an area.
# All that counts are the area of a compartment and the resistances of its
# halves; so every compartment is made shorter than NEURON's, and thinner, for
# the same resistance, with a disc in the middle for the rest of its area:
#
#     start       |
#     ___         |          length HALF to the middle and HALF from there;
#        |________|_______   EDGE is the length of a step
#         ________ _______   diameters: 'start', A, 'disc' in the middle, B
#     ___|        |
#                 |
#
# All lengths are multiples of 1/1024 um, and so have no rounding.
function cone(d1, d2, l) { return atan2(0, -1) / 2 * (d1 + d2) * sqrt(l * l + ((d2 - d1) / 2) ^ 2) }
function ohm(d1, d2, l) { return 4 * l / (atan2(0, -1) * d1 * d2) } # Mohm, Ra 100

# The diameter with which half a compartment has the resistance R.
function thin(start, disc, R,    low, high, d, k) {
    low = 1e-3
    high = 1e3
    for (k = 0; k < 80; k++) {
        d = (low + high) / 2
        if (ohm(start ? start : d, d, EDGE) + ohm(d, d, HALF - 2 * EDGE) + ohm(d, disc, EDGE) > R)
            low = d
        else
            high = d
    }
    return d
}

function area(start, disc) {
    return cone(start ? start : A, A, EDGE) + cone(A, A, HALF - 2 * EDGE) + cone(A, disc, EDGE) + \
        cone(disc, B, EDGE) + cone(B, B, HALF - EDGE)
}

# A, B and the disc of a compartment of area S; returns the disc.
function shape(start, R, S,    low, high, disc, k) {
    low = 1e-3
    high = 1e3
    for (k = 0; k < 80; k++) {
        disc = (low + high) / 2
        A = thin(start, disc, R)
        B = thin(0, disc, R)
        if (area(start, disc) < S)
            low = disc
        else
            high = disc
    }
    return disc
}

# Go on by l um along the section.
function sample(l, d) {
    x += l * dx
    y += l * dy
    z += l * dz
    printf "%d %d %.10f %.10f %.10f %.12g %d\n", ++n, type, x, y, z, d / 2, parent
    parent = n
}

# n_parts compartments of a cylinder of length L, after a sample of diameter
# 'start' (0: its own).
function cylinder(L, diam, n_parts, start,    R, S, k, disc) {
    S = atan2(0, -1) * diam * L / n_parts
    R = ohm(diam, diam, L / n_parts / 2)
    for (k = 0; k < n_parts; k++) {
        disc = shape(start, R, S)
        if (n == 0)
            sample(0, A)
        sample(EDGE, A)
        sample(HALF - 2 * EDGE, A)
        sample(EDGE, disc)
        sample(EDGE, B)
        sample(HALF - EDGE, B)
        start = B
    }
}

# A dendrite of this level and what branches from it.
function tree(level, start,    at, last, px, py, pz, side) {
    cylinder(60 * 0.8 ^ level, 2 * 0.63 ^ level, 5, start)
    at = parent
    last = B
    px = x
    py = y
    pz = z
    for (side = -1; side <= 1 && level < 3; side += 2) {
        parent = at
        x = px
        y = py
        z = pz
        dx = level == 2 ? side : 0
        dy = level == 0 ? side : 0
        dz = level == 1 ? side : 0
        tree(level + 1, last)
    }
}

BEGIN {
    HALF = 3
    EDGE = 1 / 1024
    parent = -1
    type = 1
    dx = 1
    cylinder(18, 18, 1, 0)
    type = 3
    tree(0, 0)
}
