/* Which rank gets which GPU, with GPUs that are only names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition/gpu_assign.h"
#include "tests/lib/tap.h"

enum { RANKS = 64, SEEN = 16 };

/* What the ranks of a case see: for each "node:abc", letters are devices. */
typedef struct scene {
    int32_t n;
    char node[RANKS][32];
    bosc_uuid uuid[RANKS][SEEN];
    bosc_view view[RANKS];
    int32_t number[RANKS];
    bosc_error err;
} scene;

static void set(scene *s, const char *const *sights)
{
    s->n = 0;
    for (; sights[s->n] != NULL; ++s->n) {
        const char *colon = strchr(sights[s->n], ':');
        bosc_view *view = &s->view[s->n];

        snprintf(s->node[s->n], sizeof s->node[0], "%.*s",
                 (int)(colon - sights[s->n]), sights[s->n]);
        *view = (bosc_view){.node = s->node[s->n], .uuid = s->uuid[s->n]};
        for (int32_t r = 0; r < s->n; ++r)
            view->local += strcmp(s->node[r], view->node) == 0;
        for (const char *c = colon + 1; *c != '\0'; ++c)
            snprintf(s->uuid[s->n][view->n++].text, BOSC_UUID_SIZE, "GPU-%c",
                     *c);
    }
}

/* The letters of what the ranks got, "." of one without, "-" where it is
 * refused. */
static const char *got(scene *s, bosc_gpu_rule rule)
{
    static char text[RANKS + 1];

    if (bosc_gpu_assign(s->n, s->view, rule, s->number, &s->err) != BOSC_OK)
        return "-";
    for (int32_t r = 0; r < s->n; ++r)
        text[r] = s->number[r] < 0 ? '.' : s->uuid[r][s->number[r]].text[4];
    text[s->n] = '\0';
    return text;
}

static void test_assign(void)
{
    static const struct {
        const char *name, *sights[9], *own, *shared, *mixed;
    } cases[] = {
        {"one rank, one GPU", {"n:a"}, "a", "a", "a"},
        {"by the number on the node",
         {"n:abcd", "n:abcd", "n:abcd", "n:abcd"},
         "abcd",
         "abcd",
         "abcd"},
        {"two nodes", {"n:ab", "n:ab", "m:cd", "m:cd"}, "abcd", "abcd", "abcd"},
        {"ranks dealt out over nodes",
         {"n:ab", "m:cd", "n:ab", "m:cd"},
         "acbd",
         "acbd",
         "acbd"},
        {"each sees its own as number 0",
         {"n:a", "n:b", "n:c"},
         "abc",
         "abc",
         "abc"},
        {"in another order", {"n:ab", "n:ba"}, "ab", "ab", "ab"},
        {"one who has a choice makes way", {"n:ab", "n:a"}, "ba", "ba", "ba"},
        {"a chain of them", {"n:abc", "n:ab", "n:a"}, "cba", "cba", "cba"},
        {"more GPUs than ranks", {"n:abcd", "n:abcd"}, "ab", "ab", "ab"},
        {"too few GPUs", {"n:ab", "n:ab", "n:ab", "n:ab"}, "-", "abab", "ab.."},
        {"all see the same one", {"n:a", "n:a", "n:a"}, "-", "aaa", "a.."},
        {"one GPU on two nodes of a machine", {"n:a", "m:a"}, "-", "aa", "a."},
        {"one node is short",
         {"n:ab", "n:ab", "m:c", "m:c"},
         "-",
         "abcc",
         "abc."},
        {"some see fewer", {"n:a", "n:a", "n:ab", "n:ab"}, "-", "aabb", "a.b."},
        {"one sees none", {"n:ab", "n:"}, "-", "-", "a."},
        {"all see none", {"n:", "n:"}, "-", "-", "-"},
    };
    static scene s;

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        set(&s, cases[c].sights);
        ok(strcmp(got(&s, BOSC_GPU_OWN), cases[c].own) == 0,
           "%s: one each is %s (%s)", cases[c].name, cases[c].own,
           got(&s, BOSC_GPU_OWN));
        ok(strcmp(got(&s, BOSC_GPU_SHARE), cases[c].shared) == 0,
           "%s: shared is %s (%s)", cases[c].name, cases[c].shared,
           got(&s, BOSC_GPU_SHARE));
        ok(strcmp(got(&s, BOSC_GPU_MIX), cases[c].mixed) == 0,
           "%s: beside CPUs it is %s (%s)", cases[c].name, cases[c].mixed,
           got(&s, BOSC_GPU_MIX));
    }
}

static void test_messages(void)
{
    static const struct {
        const char *sights[9];
        bosc_status want;
        const char *say[3];
    } cases[] = {
        {{"n1:ab", "n1:ab", "n1:ab", "n2:cd"},
         BOSC_EVALUE,
         {"rank 2 on n1 gets no GPU of its own",
          "3 ranks see 2 GPUs between them (GPU-a, ...)",
          "start no more than 2"}},
        {{"n1:a", "n1:a"},
         BOSC_EVALUE,
         {"2 ranks see 1 GPU between them (GPU-a)", "make more GPUs visible",
          "--share"}},
        {{"n1:abc", "n1:a", "n1:a", "n1:abc"},
         BOSC_EVALUE,
         {"rank 2 on n1", "2 ranks see 1 GPU", "GPU-a"}},
        {{"n1:a", "n7:"},
         BOSC_ENOSUP,
         {"rank 1 on n7 sees no GPU: no driver", "rank 1", "n7"}},
    };
    static scene s;

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        bosc_status st;

        set(&s, cases[c].sights);
        for (int32_t r = 0; r < s.n; ++r)
            s.view[r].why = s.view[r].n == 0 ? "no driver" : NULL;
        st = bosc_gpu_assign(s.n, s.view, BOSC_GPU_OWN, s.number, &s.err);
        ok(st == cases[c].want && strstr(s.err.text, cases[c].say[0]) != NULL &&
               strstr(s.err.text, cases[c].say[1]) != NULL &&
               strstr(s.err.text, cases[c].say[2]) != NULL,
           "the message tells who, how many and what to do: %s", s.err.text);
    }
}

/* Random sights: whoever can have one has one of those it sees, nobody two. */
static void test_random(void)
{
    static scene s;
    uint32_t seed = 5;
    int fitting = 0, wrong = 0;

    for (int trial = 0; trial < 300; ++trial) {
        bool used[26] = {false};
        char texts[10][32];
        const char *sights[10] = {NULL};

        for (int r = 0; r < 7; ++r) {
            int n = snprintf(texts[r], sizeof texts[r], "n%d:%c", r % 2,
                             'a' + r); /* its own, at the least */

            for (char c = 'a'; c < 'k'; ++c) {
                seed = seed * 1664525u + 1013904223u;
                if (seed >> 29 == 0 && c != 'a' + r)
                    texts[r][n++] = c;
            }
            texts[r][n] = '\0';
            sights[r] = texts[r];
        }
        set(&s, sights);
        const char *who = got(&s, BOSC_GPU_OWN);

        fitting += who[0] != '-';
        for (; *who >= 'a'; ++who) {
            wrong += used[*who - 'a'];
            used[*who - 'a'] = true;
        }
    }
    ok(fitting == 300 && wrong == 0,
       "where every rank can have its own, every one has (%d of 300)", fitting);
}

int main(void)
{
    test_assign();
    test_messages();
    test_random();
    return done_testing();
}
