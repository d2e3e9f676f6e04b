/**
 * Which store rank holds which block while all PEs are alive: pure arithmetic on
 * {@code (P, B, K, seed, failure domains)}, without I/O or communication.
 *
 * <p>
 * Ids of blocks are permuted into positions; positions are cut into block ranges; a range is stored on {@code K} store
 * ranks. What failures, repairs and damage change is in {@code internal.placement}. Calls only the rank type of
 * {@code comm}. Every package of the store calls it.
 *
 * <p>
 * To change who holds what, start at {@code Placement}; the formula of the command {@code plan} changes with it
 * ({@code internal.risk.LossRisk}). To change what follows from nodes and racks, start at {@code FailureDomains} and
 * {@code DomainOrder}; their labels come from {@code internal.operation.DomainLabels}.
 */
@NullMarked
package org.restorej.placement;

import org.jspecify.annotations.NullMarked;
