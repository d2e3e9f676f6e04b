/**
 * Computes how likely further failures lose something, for {@code org.restorej.risk}: exactly where copysets are
 * disjoint or few are alive, by proven bounds or random trials elsewhere.
 *
 * <p>
 * Knows sets of numbers, no placement. Calls the results of {@code risk} only; {@code StoreRisk} of the store calls it.
 */
@NullMarked
package org.restorej.internal.risk;

import org.jspecify.annotations.NullMarked;
