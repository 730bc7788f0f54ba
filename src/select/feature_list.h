/* feature_list.h - all that is said of a batch, a row for each feature.
 *
 * Included by features.h and features.c for each use, which defines
 * BOSC_FEATURE(name, what it is).  "Wide" is the layout of vectors, or warps,
 * of 'lanes' neurons (kernels/batch/layout.h).
 */
/* clang-format off */
BOSC_FEATURE(neurons, "neurons of the rank")
BOSC_FEATURE(compartments, "their compartments")
BOSC_FEATURE(mean_size, "compartments of a neuron, mean")
BOSC_FEATURE(largest_size, "and of the largest")
BOSC_FEATURE(spread_size, "standard deviation of sizes over their mean")
BOSC_FEATURE(section_length, "compartments of a section, mean over neurons")
BOSC_FEATURE(spread_length, "standard deviation of that over its mean")
BOSC_FEATURE(largest_length, "and the largest of that")
BOSC_FEATURE(levels, "levels of sections of a neuron, mean")
BOSC_FEATURE(depth, "and of the deepest")
BOSC_FEATURE(shapes, "different shapes over neurons")
BOSC_FEATURE(kept, "share of rows that never change")
BOSC_FEATURE(mechanisms,
             "instances of mechanisms with states or currents over "
             "compartments")
BOSC_FEATURE(mech_ns,
             "ns of mechanisms over compartments, by the registry's table")
BOSC_FEATURE(lanes, "neurons of a vector or a warp")
BOSC_FEATURE(padding, "wide: slots over compartments")
BOSC_FEATURE(rows, "wide: rows of vectors over compartments")
BOSC_FEATURE(equal, "wide: share of compartments in vectors of one shape")
BOSC_FEATURE(lone,
             "wide: share of compartments of neurons that share no vector")
BOSC_FEATURE(span, "wide: work of the busiest thread over the mean")
BOSC_FEATURE(span_flat, "the same where each neuron is by itself")
BOSC_FEATURE(threads, "threads of the rank")
BOSC_FEATURE(epoch, "steps of an epoch")
BOSC_FEATURE(coupled, "1: currents of couplings in every step")
BOSC_FEATURE(cache,
             "bytes of the rank's rows over those of its threads' caches")
BOSC_FEATURE(processors, "multiprocessors of the GPU; 0: none")
BOSC_FEATURE(shared, "bytes of shared memory that a block of it may have")
/* clang-format on */
