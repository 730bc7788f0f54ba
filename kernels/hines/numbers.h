/* numbers.h - numbers, and the order of operations on them, that the code of a
 * solver comes in: the index in its tables.
 */
#ifndef BOSC_KERNELS_HINES_NUMBERS_H
#define BOSC_KERNELS_HINES_NUMBERS_H

typedef enum bosc_numbers {
    BOSC_NUMBERS_DOUBLE, /* in the order of hines.h, as floats are */
    BOSC_NUMBERS_SINGLE,
    BOSC_NUMBERS_LOOP, /* doubles in the order of pivot.h */
    BOSC_NUMBERS_KINDS
} bosc_numbers;

#endif
