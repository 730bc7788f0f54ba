#include "kernels/hines/hines_tree.h"

#define LOOP 0
#define real double
#define REAL(name) name##_double
#include "kernels/hines/order.h"
#include "kernels/hines/tree_walk.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_single
#include "kernels/hines/order.h"
#include "kernels/hines/tree_walk.h"
#undef real
#undef REAL
#undef LOOP
#define LOOP 1
#define real double
#define REAL(name) name##_loop
#include "kernels/hines/order.h"
#include "kernels/hines/tree_walk.h"

bosc_tree_solve *const bosc_tree_solves[BOSC_NUMBERS_KINDS] = {
    [BOSC_NUMBERS_DOUBLE] = walk_double,
    [BOSC_NUMBERS_SINGLE] = walk_single,
    [BOSC_NUMBERS_LOOP] = walk_loop,
};
