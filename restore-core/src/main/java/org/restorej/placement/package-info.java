/**
 * Who holds which block: pure arithmetic on {@code (P, B, K, seed, failed ranks)}, without I/O or communication.
 *
 * <p>
 * Ids of blocks are permuted into positions; positions are cut into block ranges; a range lives on {@code K} store
 * ranks. What repairs and damage change is in {@code internal.placement}. Calls no other package but
 * for the rank of a communicator.
 */
@NullMarked
package org.restorej.placement;

import org.jspecify.annotations.NullMarked;
