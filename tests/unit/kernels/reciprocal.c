/* reciprocal.c - 1 / y of two numbers by one division has the bits of two
 * divisions, by the proof in kernels/hines/reciprocal.h.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "kernels/hines/reciprocal.h"
#include "tests/lib/tap.h"

typedef unsigned __int128 wide;

BOSC_RECIPROCALS(double, fma, 1 /, correct, invert_two)

enum { MOST_PRIMES = 11, PAIRS = 20000000 };

/* All prime factors of 2^106 - j, one as often as it divides; j = 0 has none
 * that are odd.  A factor beyond 64 bits is the rest, left out here. */
static const struct {
    int j;
    uint64_t prime[MOST_PRIMES + 4]; /* ends with 0 */
} numbers[] = {
    {-8, {2, 2, 2, 3, 415141630193, 8142767081771726171u}},
    {-7, {2269, 3253499}},
    {-6, {2, 5, 3366832876777, 2409672276108650191}},
    {-5, {3, 7, 140627, 173331457829, 158494480927183}},
    {-4, {2, 2, 257}},
    {-3, {13, 6951403, 306673771, 2927433831769543}},
    {-2, {2, 3, 3, 11, 43, 211, 281, 331, 5419, 86171, 664441, 1564921}},
    {-1, {5, 15358129, 586477649, 1801439824104653}},
    {1, {3, 107, 6361, 69431, 20394401, 28059810762433}},
    {2, {2, 7, 7, 31, 71, 127, 151, 337, 122921, 29191, 106681, 152041}},
    {3, {2327027}},
    {4, {2, 2, 3, 5, 17, 53, 157, 1613, 2731, 8191, 858001, 308761441}},
    {5, {19, 29}},
    {6, {2, 67, 577, 61845503, 16966443015568478977u}},
    {7, {3, 3, 3, 223, 449}},
    {8, {2, 2, 2, 2550183799}},
};

/* a b modulo n < 2^107. */
static wide multiply(wide a, wide b, wide n)
{
    wide product = 0;

    for (; b > 0; b >>= 1) {
        if (b & 1)
            product = (product + a) % n;
        a = (a + a) % n;
    }
    return product;
}

/* Does n - 1 = 2^twos odd speak for a prime, to this base? */
static bool passes(wide n, wide odd, int twos, wide base)
{
    wide x = 1;

    for (; odd > 0; odd /= 2, base = multiply(base, base, n))
        if (odd & 1)
            x = multiply(x, base, n);
    if (x == 1)
        return true;
    for (; twos > 1 && x != n - 1; --twos)
        x = multiply(x, x, n);
    return x == n - 1;
}

/* By Miller and Rabin, to the first twelve primes: certain below 2^64, and no
 * composite beyond is known that passes. */
static bool is_prime(wide n)
{
    static const unsigned bases[] = {2,  3,  5,  7,  11, 13,
                                     17, 19, 23, 29, 31, 37};
    wide odd = n - 1;
    int twos = 0;

    for (; odd % 2 == 0; odd /= 2)
        ++twos;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; ++i) {
        if (n % bases[i] == 0)
            return n == bases[i];
        if (!passes(n, odd, twos, bases[i]))
            return false;
    }
    return true;
}

/* What the tries have found. */
typedef struct tries {
    int mantissas, quotients; /* that were tried */
    int wrong;                /* with other bits than the division */
    int plain;                /* would be without e^2, */
    int ones;                 /* and without g */
} tries;

static void try_mantissa(uint64_t of, tries *all)
{
    const double y = ldexp((double)of, -52), right = 1 / y;
    const double near = 3.5 * 0x1p-53;
    double q = right;
    bool plain = false, ones = false;

    ++all->mantissas;
    while (fabs(fma(-y, nextafter(q, 0), 1)) <= near)
        q = nextafter(q, 0);
    for (; fabs(fma(-y, q, 1)) <= near; q = nextafter(q, 2)) {
        const double e = fma(-y, q, 1);

        ++all->quotients;
        all->wrong += correct(q, y) != right;
        plain = plain || fma(q, e, q) != right;
        ones = ones || fma(q, fma(e, e, e), q) != right;
    }
    all->plain += plain;
    all->ones += ones;
}

/* The divisors of 2^106 - j that are mantissas: products of primes from
 * 'prime' on with 'of'. */
static void try_divisors(const uint64_t *prime, wide of, wide number,
                         tries *all)
{
    const uint64_t *next = prime;

    if (of >= (wide)1 << 53)
        return;
    if (*prime == 0) {
        if (of >= (wide)1 << 52 && number / of % 2 == 1)
            try_mantissa((uint64_t)of, all);
        return;
    }
    while (*next == *prime)
        ++next;
    try_divisors(next, of, number, all);
    for (; prime < next; ++prime) {
        of *= *prime;
        if (of < (wide)1 << 53)
            try_divisors(next, of, number, all);
        else
            break;
    }
}

static void test_near_ties(void)
{
    tries all = {0};
    bool complete = true;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        const int j = numbers[i].j;
        const wide number = ((wide)1 << 106) - (wide)(__int128)j;
        wide rest = number;

        for (const uint64_t *p = numbers[i].prime; *p != 0; ++p) {
            complete = complete && rest % *p == 0 && is_prime(*p);
            rest /= *p;
        }
        complete =
            complete && (rest == 1 || (rest > UINT64_MAX && is_prime(rest)));
        try_divisors(numbers[i].prime, 1, number, &all);
    }
    ok(complete, "2^106 - j has these primes, for |j| up to 8");
    ok(all.mantissas > 50, "%d mantissas are divisors of one", all.mantissas);
    ok(all.wrong == 0,
       "with each of their %d quotients nearby the result has "
       "the bits of the division",
       all.quotients);
    ok(all.plain > 40, "a plain Newton step fails for %d of them", all.plain);
    ok(all.ones == 1, "without g one does, that of ones");
}

static uint64_t draw(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* From 2^-300 to 2^300; one of eight is near a power of two. */
static double draw_number(uint64_t *seed)
{
    const uint64_t bits = draw(seed), mantissa = bits >> 12;
    const int kind = (int)(bits & 15), exponent = (int)(bits >> 4 & 255);
    const uint64_t near = kind == 0   ? mantissa >> 40
                          : kind == 1 ? ~(mantissa >> 40) & 0xfffffffffffff
                                      : mantissa;

    return ldexp((double)(near | 1ull << 52), exponent - 128 - 52);
}

static void test_pairs(long n)
{
    uint64_t seed = 1;
    long wrong = 0;
    double furthest = 0;

    for (long i = 0; i < n; ++i) {
        const double y[2] = {draw_number(&seed), draw_number(&seed)};
        const double q = 1 / (y[0] * y[1]) * y[1], e = fma(-y[0], q, 1);
        double inverse[2];

        invert_two(y, inverse);
        wrong += inverse[0] != 1 / y[0] || inverse[1] != 1 / y[1];
        furthest = fabs(e) > furthest ? fabs(e) : furthest;
    }
    ok(wrong == 0, "%ld random pairs have the bits of two divisions", n);
    ok(furthest > 2 * 0x1p-53 && furthest <= 3.01 * 0x1p-53,
       "before that 1 - y q is up to %.2f 2^-53", furthest * 0x1p53);
}

int main(int argc, char **argv)
{
    test_near_ties();
    test_pairs(argc > 1 ? strtol(argv[1], NULL, 10) : PAIRS);
    return done_testing();
}
