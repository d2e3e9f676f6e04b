/**
 * Who holds which block: pure arithmetic on {@code (P, B, K, seed, failed ranks)}, without I/O or communication.
 *
 * <p>
 * Ids of blocks are permuted into <em>positions</em>; positions are cut into block ranges; a range lives on {@code K}
 * store ranks, and after failures in pieces on others. {@link org.restorej.internal.placement.BlockDirectory} puts
 * placement, failures, repairs and damage together. Calls {@code org.restorej.placement} and
 * {@code org.restorej.block}; {@code storage}, {@code plan}, {@code transfer} and {@code operation} call it.
 */
@NullMarked
package org.restorej.internal.placement;

import org.jspecify.annotations.NullMarked;
