/* log, pow, tanh, sin, erf and their like: errors, ends, and the same bits on
 * every instruction set. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/base/circular.h"
#include "kernels/base/elementary.h"
#include "src/base/random.h"
#include "src/base/status.h"
#include "tests/lib/tap.h"

enum { MANY = 20000 };

/* What tanh, sinh and cosh are made of. */
static inline double bosc_expm1(double x)
{
    return bosc_expm1_pair(x).high;
}

static double one(double (*f)(double), double x, double y)
{
    (void)y;
    return f(x);
}

#define MINE(name)                                                             \
    static double my_##name(double x, double y)                                \
    {                                                                          \
        return one(bosc_##name, x, y);                                         \
    }                                                                          \
    static long double true_##name(long double x, long double y)               \
    {                                                                          \
        (void)y;                                                               \
        return name##l(x);                                                     \
    }

MINE(log)
MINE(log10)
MINE(expm1)
MINE(tanh)
MINE(sinh)
MINE(cosh)
MINE(sin)
MINE(cos)
MINE(tan)
MINE(asin)
MINE(acos)
MINE(atan)
MINE(erf)

/* Arguments x from low to high, or powers of e between those, around 'middle';
 * y from -power to power. */
static const struct {
    const char *name;
    double (*mine)(double x, double y);
    long double (*want)(long double x, long double y);
    double low, high;
    bool powers;
    double middle, power, most; /* most: the largest error, ulp */
} ranges[] = {
    {"log", my_log, true_log, -700, 700, true, 0, 0, 1},
    {"log near 1", my_log, true_log, -30, -1, true, 1, 0, 1},
    {"log of what has fewer bits", my_log, true_log, 1e-323, 1e-308, false, 0,
     0, 1},
    {"log10", my_log10, true_log10, -700, 700, true, 0, 0, 2},
    {"expm1", my_expm1, true_expm1, -60, 709, false, 0, 0, 1.5},
    {"expm1 between", my_expm1, true_expm1, -1.5, 1.5, false, 0, 0, 1.5},
    {"expm1 near 0", my_expm1, true_expm1, -40, 0, true, 0, 0, 1.5},
    {"tanh", my_tanh, true_tanh, -25, 25, false, 0, 0, 2},
    {"tanh near 0", my_tanh, true_tanh, -40, 0, true, 0, 0, 2},
    {"sinh", my_sinh, true_sinh, -40, 40, false, 0, 0, 2},
    {"cosh", my_cosh, true_cosh, -40, 40, false, 0, 0, 2},
    {"sin", my_sin, true_sin, -10, 10, false, 0, 0, 1},
    {"sin of large angles", my_sin, true_sin, -1e6, 1e6, false, 0, 0, 1},
    {"sin of the largest angles", my_sin, true_sin, 14, 34.5, true, 0, 0, 1},
    {"sin near 0", my_sin, true_sin, -40, 0, true, 0, 0, 1},
    {"sin near pi", my_sin, true_sin, -40, -1, true, M_PI, 0, 1},
    {"cos", my_cos, true_cos, -10, 10, false, 0, 0, 1},
    {"cos of large angles", my_cos, true_cos, -1e6, 1e6, false, 0, 0, 1},
    {"cos near pi / 2", my_cos, true_cos, -40, -1, true, M_PI_2, 0, 1},
    {"tan", my_tan, true_tan, -10, 10, false, 0, 0, 3},
    {"tan of large angles", my_tan, true_tan, -1e6, 1e6, false, 0, 0, 3},
    {"tan near pi / 2", my_tan, true_tan, -40, -1, true, M_PI_2, 0, 3},
    {"asin", my_asin, true_asin, -1, 1, false, 0, 0, 3},
    {"asin near 0", my_asin, true_asin, -40, 0, true, 0, 0, 3},
    {"acos", my_acos, true_acos, -1, 1, false, 0, 0, 3},
    {"acos near -1", my_acos, true_acos, -30, -1, true, -1, 0, 3},
    {"atan", my_atan, true_atan, -5, 5, false, 0, 0, 2},
    {"atan of all sizes", my_atan, true_atan, -700, 700, true, 0, 0, 2},
    {"atan2", bosc_atan2, atan2l, -5, 5, false, 0, 5, 2},
    {"atan2 of large numbers", bosc_atan2, atan2l, 708, 709.7, true, 0, 1e308,
     2},
    {"erf", my_erf, true_erf, -7, 7, false, 0, 0, 1.5},
    {"erf near 0", my_erf, true_erf, -40, 0, true, 0, 0, 1.5},
    {"pow", bosc_pow, powl, -10, 10, true, 0, 60, 1.5},
    {"pow of large numbers", bosc_pow, powl, -600, 600, true, 0, 1.1, 1.5},
    {"pow near 1", bosc_pow, powl, -20, -4, true, 1, 10000, 1.5},
    {"a factor for temperature", bosc_pow, powl, 1, 5, false, 0, 4, 1.5},
};

/* Distance in units of the last place. */
static double error_of(double x, long double want)
{
    int power;

    frexp((double)want, &power);
    power = power < DBL_MIN_EXP ? DBL_MIN_EXP : power;
    return (double)(fabsl((long double)x - want) /
                    ldexpl(1, power - DBL_MANT_DIG));
}

static double draw(uint64_t item, uint32_t use)
{
    uint32_t words[4];

    bosc_random(7, bosc_hash("elementary"), item, use, words);
    return bosc_uniform(words);
}

static void test_errors(void)
{
    for (size_t i = 0; i < BOSC_LEN(ranges); ++i) {
        double most = 0, at = 0, at_y = 0;

        for (int k = 0; k < MANY; ++k) {
            double x = ranges[i].low +
                       (ranges[i].high - ranges[i].low) * draw((uint64_t)k, 0);
            const double y = ranges[i].power * (2 * draw((uint64_t)k, 1) - 1);
            double error;

            if (ranges[i].powers)
                x = ranges[i].middle + exp(x);
            error = error_of(ranges[i].mine(x, y), ranges[i].want(x, y));
            if (!(error <= most)) {
                most = error;
                at = x;
                at_y = y;
            }
        }
        if (!ok(most < ranges[i].most, "%s is within %g ulp", ranges[i].name,
                ranges[i].most))
            diag("%g ulp at %.17g, %.17g", most, at, at_y);
    }
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b;
}

static void test_ends(void)
{
    static const double special[] = {
        0,  0.5,    1,       2,     3,      -0.5,     -1,        -2,
        -3, 0x1p60, -0x1p60, 1e300, 1e-300, INFINITY, -INFINITY, NAN};
    const int n = (int)BOSC_LEN(special);
    int wrong = 0;

    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            const double x = special[i], y = special[k], want = pow(x, y);
            const double found = bosc_pow(x, y);

            /* C has 1 for pow(-1, infinity), and bits below 2^-1022 */
            if (x == -1 && isinf(y))
                continue;
            if (!same(found, want) &&
                !(error_of(found, (long double)want) < 1.5) &&
                !(fabs(want) < 1e-307 && found == 0)) {
                diag("pow(%g, %g) is %g, not %g", x, y, found, want);
                ++wrong;
            }
        }
    ok(wrong == 0, "pow of special numbers is that of C");
    ok(bosc_log(0) == -INFINITY && bosc_log(1) == 0 &&
           bosc_log(INFINITY) == INFINITY && isnan(bosc_log(-1)) &&
           isnan(bosc_log(NAN)),
       "log of special numbers is that of C");
    ok(bosc_tanh(INFINITY) == 1 && bosc_tanh(-INFINITY) == -1 &&
           bosc_tanh(0) == 0 && isnan(bosc_tanh(NAN)),
       "so is tanh");
    ok(bosc_expm1(0) == 0 && bosc_expm1(-INFINITY) == -1 &&
           isnan(bosc_expm1(NAN)) && bosc_expm1(INFINITY) > 1e307,
       "and expm1, but for what is too large");
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            const double want = atan2(special[i], special[k]);
            const double found = bosc_atan2(special[i], special[k]);

            if (!same(found, want) && !(fabs(found - want) < 1e-15)) {
                diag("atan2(%g, %g) is %g, not %g", special[i], special[k],
                     found, want);
                ++wrong;
            }
        }
    ok(wrong == 0 && atan2(-0.0, -1) < 0 && bosc_atan2(-0.0, -1) < 0 &&
           bosc_atan2(0, -0.0) > 3 && bosc_atan2(-INFINITY, INFINITY) < 0,
       "atan2 of special numbers is that of C");
    ok(bosc_asin(1) == asin(1) && bosc_acos(-1) == acos(-1) &&
           bosc_acos(1) == 0 && bosc_asin(0) == 0 && isnan(bosc_asin(1.001)) &&
           isnan(bosc_acos(-INFINITY)) && isnan(bosc_acos(NAN)) &&
           bosc_atan(INFINITY) == atan(INFINITY) && isnan(bosc_atan(NAN)),
       "so are asin, acos and atan");
    ok(bosc_erf(INFINITY) == 1 && bosc_erf(-INFINITY) == -1 &&
           bosc_erf(0) == 0 && isnan(bosc_erf(NAN)),
       "and erf");
    ok(bosc_sin(0) == 0 && bosc_cos(0) == 1 && bosc_tan(0) == 0 &&
           isnan(bosc_sin(NAN)) && isnan(bosc_cos(INFINITY)) &&
           fabs(bosc_sin(1e15) - sin(1e15)) < 1e-15 &&
           isnan(bosc_sin(1.001e15)) && isnan(bosc_tan(-1e300)),
       "and sin, cos and tan up to 1e15, which are no numbers beyond");
}

/* ---- instruction sets ---- */

#define LOOP(set, target)                                                      \
    target static void loop_##set(const double *x, const double *y,            \
                                  double *out)                                 \
    {                                                                          \
        _Pragma("omp simd") for (int i = 0; i < MANY; ++i) out[i] =            \
            bosc_log(fabs(x[i])) + bosc_tanh(x[i]) + bosc_expm1(y[i]) +        \
            bosc_pow(fabs(x[i]), y[i]) + bosc_sin(x[i]) + bosc_tan(y[i]) +     \
            bosc_atan2(y[i], x[i]) + bosc_acos(0.02 * x[i]) +                  \
            bosc_erf(0.2 * y[i]);                                              \
    }

LOOP(plain, )
#if defined(__x86_64__)
LOOP(avx2, __attribute__((target("avx2,fma"))))
LOOP(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,fma"))))
#endif

static void test_sets(void)
{
    double *all = malloc(4 * MANY * sizeof *all);
    double *x = all, *y = all + MANY, *plain = y + MANY, *other = plain + MANY;

    if (all == NULL)
        abort();
    for (int i = 0; i < MANY; ++i) {
        x[i] = 100 * (draw((uint64_t)i, 2) - 0.5);
        y[i] = 20 * (draw((uint64_t)i, 3) - 0.5);
    }
    loop_plain(x, y, plain);
    for (int i = 0; i < MANY; ++i)
        other[i] = plain[i];
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        loop_avx2(x, y, other);
    ok(memcmp(plain, other, MANY * sizeof *x) == 0,
       "AVX2 has the same bits as the plain instruction set");
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        loop_avx512(x, y, other);
    ok(memcmp(plain, other, MANY * sizeof *x) == 0, "and so has AVX-512");
#else
    skip("only one instruction set is known here");
#endif
    free(all);
}

int main(void)
{
    test_errors();
    test_ends();
    test_sets();
    return done_testing();
}
