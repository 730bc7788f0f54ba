# star.awk - a soma with stems of one compartment each: its SWC file, its job,
# and its voltages, computed here from the equations alone.
#
# usage: awk -v write=swc|job|names|trace|rest -f star.awk CASE
#
# Lines of CASE ("-": not there):
#     set KEY VALUE                                a key of the job
#     node REGION L diam Ra cm g e  gnabar gkbar gl el ena ek     soma first
#     clamp NODE delay duration amplitude
# trace prints a line for each step: v, and m h n after it where there is hh,
# of each node; rest the voltages in the end, as of a network of resistors;
# names how the variables of the result are called.
function is_on(x) { return x != "-" && x != "" }

$1 == "set" { set[$2] = $3 }
$1 == "node" {
    name[n] = $2; L[n] = $3; diam[n] = $4; Ra[n] = $5; cm[n] = $6
    g[n] = is_on($7) ? $7 : 0; e[n] = is_on($8) ? $8 : 0
    hh[n] = is_on($9)
    gna[n] = $9; gk[n] = $10; gl[n] = $11; el[n] = $12; ena[n] = $13; ek[n] = $14
    number[$2] = n
    n++
}
$1 == "clamp" {
    at[k] = number[$2]; delay[k] = $3; last[k] = $3 + $4; amp[k] = $5
    k++
}

# ---- what bosc reads ----

function place(i) { return i == 0 ? "soma" : "\"" prefix[name[i]] "[0](0.5)\"" }

function write_swc(    i, type, to) {
    type["soma"] = 1; type["axon"] = 2; type["dendrite"] = 3
    type["apical"] = 4; type["custom"] = 5
    print 1, 1, 0, 0, 0, diam[0] / 2, -1
    for (i = 1; i < n; i++) {
        # its first sample is at the soma's surface, 90 degrees further on
        to = diam[0] / 2 + L[i]
        print 2 * i, type[name[i]], axis(i, diam[0] / 2), diam[i] / 2, 1
        print 2 * i + 1, type[name[i]], axis(i, to), diam[i] / 2, 2 * i
    }
}
function axis(i, r) {
    return i == 1 ? r " 0 0" : i == 2 ? "0 " r " 0" : i == 3 ? "0 0 " r : -r " 0 0"
}

# Among neurons of other shapes, so that its slots are not the first ones.
function write_job(    key, i, j) {
    for (key in set)
        print key ": " set[key]
    print "populations:"
    print "  - {name: others, synthetic: {compartments: 40, sections: 7}, count: 5, regions: {all: {pas: {}}}}"
    print "  - name: star"
    print "    morphologies: star.swc"
    print "    discretisation: {policy: per_section, per_section: 1}"
    print "    regions:"
    for (i = 0; i < n; i++) {
        printf "      %s: {Ra: %s, cm: %s", name[i], Ra[i], cm[i]
        if (g[i] > 0)
            printf ", pas: {g: %s, e: %s}", g[i], e[i]
        if (hh[i])
            printf ", hh: {gnabar: %s, gkbar: %s, gl: %s, el: %s, ena: %s, ek: %s}", gna[i], gk[i], gl[i], el[i], ena[i], ek[i]
        print "}"
    }
    if (k > 0)
        print "clamps:"
    for (j = 0; j < k; j++)
        print "  - {population: star, at: " place(at[j]) ", delay: " delay[j] ", duration: " last[j] - delay[j] ", amplitude: " amp[j] "}"
    print "probes:"
    for (i = 0; i < n; i++)
        print "  - {name: " name[i] ", population: star, at: " place(i) ", variables: [v" (hh[i] ? ", m, h, n" : "") "]}"
}

function write_names(    i) {
    for (i = 0; i < n; i++)
        print name[i] "_v" (hh[i] ? "\n" name[i] "_m\n" name[i] "_h\n" name[i] "_n" : "")
}

# ---- what it should compute ----

function vtrap(x, y) { return x == 0 ? y : x / (exp(x / y) - 1) }

# Rates at v: a and b of m, h, n.
function find_rates(v) {
    a[1] = 0.1 * vtrap(-(v + 40), 10); b[1] = 4 * exp(-(v + 65) / 18)
    a[2] = 0.07 * exp(-(v + 65) / 20); b[2] = 1 / (exp(-(v + 35) / 10) + 1)
    a[3] = 0.01 * vtrap(-(v + 55), 10); b[3] = 0.125 * exp(-(v + 65) / 80)
}

# Totals of node i, as they are when membrane currents are gone through.
function find_row(i, per_step,    area) {
    area = pi * diam[i] * L[i]
    c[i] = area * cm[i] * 1e-5 * per_step
    d[i] = c[i] + area * g[i] * 1e-2
    rhs[i] = c[i] * v[i] + area * g[i] * e[i] * 1e-2
    if (hh[i]) {
        na = gna[i] * x[i, 1] ^ 3 * x[i, 2]
        ka = gk[i] * x[i, 3] ^ 4
        d[i] += area * (na + ka + gl[i]) * 1e-2
        rhs[i] += area * (na * ena[i] + ka * ek[i] + gl[i] * el[i]) * 1e-2
    }
    # from the middle of the stem to its start, which is the soma's middle
    axial[i] = 100 * pi * (diam[i] / 2) ^ 2 / (Ra[i] * L[i] / 2)
}

# One system: per_step is 1/dt, 2/dt for the second order, 0 for the end.
function solve(t, per_step,    i, j) {
    for (i = 0; i < n; i++)
        find_row(i, per_step)
    for (j = 0; j < k; j++)
        if (delay[j] <= t && t < last[j])
            rhs[at[j]] += amp[j]
    for (i = 1; i < n; i++) {
        d[i] += axial[i]
        d[0] += axial[i] - axial[i] * axial[i] / d[i]
        rhs[0] += axial[i] / d[i] * rhs[i]
    }
    new[0] = rhs[0] / d[0]
    for (i = 1; i < n; i++)
        new[i] = (rhs[i] + axial[i] * new[0]) / d[i]
}

function print_state(    i, s) {
    for (i = 0; i < n; i++) {
        printf "%s%.17g", i ? " " : "", v[i]
        for (s = 1; hh[i] && s <= 3; s++)
            printf " %.17g", x[i, s]
    }
    print ""
}

# Gates follow the new voltage; at first they are what they tend to.
function move_gates(i, dt,    s) {
    find_rates(v[i])
    for (s = 1; s <= 3; s++)
        x[i, s] += (dt < 0 ? 1 : 1 - exp(-dt * q10 * (a[s] + b[s]))) * (a[s] / (a[s] + b[s]) - x[i, s])
}

function write_trace(    i, step, order) {
    order = set["second_order"] == "true" ? 2 : 1
    q10 = exp((set["celsius"] - 6.3) / 10 * log(3))
    for (i = 0; i < n; i++) {
        v[i] = set["v_init"]
        move_gates(i, -1)
    }
    print_state()
    for (step = 0; step < int(set["tstop"] / set["dt"] + 0.5); step++) {
        solve((step + 0.5) * set["dt"], order / set["dt"])
        for (i = 0; i < n; i++) {
            v[i] += order * (new[i] - v[i])
            move_gates(i, set["dt"])
        }
        print_state()
    }
}

function write_rest(    i) {
    solve(set["tstop"], 0)
    for (i = 0; i < n; i++)
        printf "%s%.17g", i ? " " : "", new[i]
    print ""
}

BEGIN {
    n = k = 0
    pi = atan2(0, -1)
    prefix["axon"] = "axon"; prefix["dendrite"] = "dend"
    prefix["apical"] = "apic"; prefix["custom"] = "custom"
    set["dt"] = 0.025; set["celsius"] = 6.3; set["v_init"] = -65
}
END {
    if (write == "swc") write_swc()
    if (write == "job") write_job()
    if (write == "names") write_names()
    if (write == "trace") write_trace()
    if (write == "rest") write_rest()
}
