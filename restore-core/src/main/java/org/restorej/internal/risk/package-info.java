/**
 * Computes the probability that further failures lose data: an upper bound in general, and the exact value if groups of
 * holders have no member in common.
 *
 * <p>
 * Works on sets of numbers, without placement. Uses {@code report} only; called by {@code StoreRisk} of the store and
 * the command {@code plan}.
 *
 * <p>
 * To change a probability of loss, start at {@code LossRisk}.
 */
@NullMarked
package org.restorej.internal.risk;

import org.jspecify.annotations.NullMarked;
