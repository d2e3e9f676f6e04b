/**
 * Computes how likely further failures lose data: an upper bound for anything, and the probability itself where groups
 * of holders have no member in common.
 *
 * <p>
 * Knows sets of numbers, no placement. Calls {@code report} only; {@code StoreRisk} of the store and the command
 * {@code plan} call it.
 *
 * <p>
 * To change a probability of loss, start at {@code LossRisk}.
 */
@NullMarked
package org.restorej.internal.risk;

import org.jspecify.annotations.NullMarked;
