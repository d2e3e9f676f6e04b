/**
 * Computes how likely further failures lose data, for {@code report.Probability}: exactly where copysets are disjoint
 * or few PEs are alive, by proven bounds or random trials elsewhere.
 *
 * <p>
 * Knows sets of numbers, no placement. Calls the results in {@code report} only; {@code StoreRisk} of the store calls
 * it.
 *
 * <p>
 * To change the probabilities of a running store, start at {@code CopysetLossProbability}, which says how
 * many random trials there are ({@code CopysetTrials} makes them); those of the command {@code plan} are in
 * {@code cli.risk}.
 */
@NullMarked
package org.restorej.internal.risk;

import org.jspecify.annotations.NullMarked;
