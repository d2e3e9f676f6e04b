/**
 * Sums of doubles over all PEs that are the same to the last bit, however the terms are spread.
 *
 * <p>
 * A sum is made without rounding and rounded once at its end, so it depends on the terms alone. The other way, adding
 * in the order of a fixed tree over block ids, needs as many partial sums as a PE's blocks have runs, which grow in
 * number with every failure, and two collective calls to exchange them; an exact sum is 568 bytes whatever happens,
 * goes through one reduction as the rounded sum did, knows nothing of blocks, and is the more accurate. It costs some
 * nanoseconds for each term.
 *
 * <p>
 * Calls {@code comm}; nothing of the store calls it.
 *
 * <p>
 * To change how terms are added, start at {@code LongAccumulator}; how PEs put their sums together, at
 * {@code ReproducibleSums}.
 */
@NullMarked
package org.restorej.reduce;

import org.jspecify.annotations.NullMarked;
