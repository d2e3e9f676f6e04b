/**
 * Computes which store rank holds which block without failures, from {@code (P, B, K, seed, failure domains)}. Start at
 * {@link org.restorej.placement.Placement}.
 *
 * <p>
 * Block ids are permuted into positions, positions are cut into block ranges, and each range is stored on {@code K}
 * store ranks. The effects of failures, repairs and damage are in {@code internal.placement}. Uses only the rank type
 * of {@code comm}. Every package of the store calls it.
 *
 * <p>
 * To change which rank holds what, start at {@code Placement}; the formula of the command {@code plan} changes with it
 * ({@code internal.risk.LossRisk}). To change the effect of nodes and racks, start at {@code FailureDomains} and
 * {@code DomainOrder}; their labels come from {@code internal.operation.DomainLabels}.
 */
@NullMarked
package org.restorej.placement;

import org.jspecify.annotations.NullMarked;
