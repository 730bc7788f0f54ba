/* machine.c - fuzzing: any text as a machine's file. */
#include <math.h>
#include <string.h>

#include "src/cost/machine.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/mechs.h"

static void check_costs(const bosc_costs *costs)
{
    must(costs->lanes >= 1 && costs->threads >= 1);
    must(costs->speedup > 0 && isfinite(costs->speedup));
    must(costs->base >= 0 && isfinite(costs->base));
    for (int k = 0; k < bosc_n_works(test_mechs()); ++k)
        must(costs->rates.step[k] >= 0 && isfinite(costs->rates.step[k]) &&
             costs->rates.latency[k] >= 0 && isfinite(costs->rates.latency[k]));
    for (int k = 0; k < BOSC_N_SETUPS; ++k)
        must(costs->setup[k] >= 0 && isfinite(costs->setup[k]));
    for (int threads = 1; threads <= 64; threads *= 4) {
        const double speedup = bosc_costs_speedup(costs, threads, 64);

        must(speedup > 0 && isfinite(speedup));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const struct {
        int rank;
        const char *backend, *method;
    } asked[] = {{0, "cpu", "depth-first"},
                 {1, "ref", "hines"},
                 {1000000, "cpu", "hines-flat"}};
    bosc_machine *machine = NULL;
    bosc_error err = {""};

    if (n > FUZZ_LONGEST)
        return -1;
    fuzz_put(bytes, n);

    const bosc_status st =
        bosc_machine_read(test_mechs(), fuzz_path("input"), &machine, &err);

    fuzz_must_explain(st, &err);
    if (st != BOSC_OK)
        return 0;
    must(machine->n_devices >= 1 && machine->processors >= 1);
    must(machine->memory > 0 && isfinite(machine->memory));
    for (size_t i = 0; i < BOSC_LEN(asked); ++i) {
        bosc_costs rates;

        bosc_machine_rates(machine, asked[i].rank,
                           bosc_method_find(asked[i].backend, asked[i].method),
                           &rates);
        check_costs(&rates);
    }
    bosc_machine_destroy(machine);
    return 0;
}
