/**
 * Computes which PE holds which replica after failures, repairs and damage:
 * {@link org.restorej.internal.placement.BlockDirectory} combines them with the placement. No I/O, no communication.
 *
 * <p>
 * Uses {@code org.restorej.placement} and {@code org.restorej.block}; called by {@code storage}, {@code plan},
 * {@code transfer} and {@code operation}.
 *
 * <p>
 * To change where replicas go after a failure, start at {@code RepairPlacement}, which uses the ring of
 * {@code ReplicaRing}; {@code internal.plan.ReplenishPlan} determines what is copied. To change the permutation of ids,
 * start at {@code RangePermutation}.
 */
@NullMarked
package org.restorej.internal.placement;

import org.jspecify.annotations.NullMarked;
