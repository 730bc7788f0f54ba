/* hines.h - the operations every method does to a row, in this order.
 *
 * Elimination (from the last node to the first), row i with parent p:
 *     inv = 1 / d_i;  f_i = u_i inv;  w_i = b_i inv
 *     d_p -= u_i f_i;  b_p -= u_i w_i        children in descending order
 * Substitution (from the first node on):
 *     v_i = w_i - f_i v_p                     (the root: v = w)
 *
 * One division a row.  Hines (1984), Int. J. Biomed. Comput. 15:69-76, written
 * for the symmetric matrix in totals.
 */
#ifndef BOSC_KERNELS_HINES_H
#define BOSC_KERNELS_HINES_H

#endif
