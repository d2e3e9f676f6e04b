/**
 * Who holds which block: pure arithmetic on {@code (P, B, K, seed, failed ranks)}, without I/O or communication.
 *
 * <p>
 * Ids of blocks are permuted into <em>positions</em>; positions are cut into block ranges; a range lives on {@code K}
 * store ranks. Calls {@code org.restorej.block} and the rank types of {@code org.restorej.comm}; {@code exchange},
 * {@code storage} and the store itself call it.
 */
@NullMarked
package org.restorej.internal.placement;

import org.jspecify.annotations.NullMarked;
