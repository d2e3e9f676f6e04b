/**
 * Which PE holds which replica after failures, repairs and damage:
 * {@link org.restorej.internal.placement.BlockDirectory} puts them together with placement. No I/O, no communication.
 *
 * <p>
 * Calls {@code org.restorej.placement} and {@code org.restorej.block}; {@code storage}, {@code plan}, {@code transfer}
 * and {@code operation} call it.
 *
 * <p>
 * To change where replicas go after a failure, start at {@code RepairPlacement}, which takes them from the ring of
 * {@code ReplicaRing}; {@code internal.plan.ReplenishPlan} says what is copied. To change the permutation of ids,
 * start at {@code RangePermutation}.
 */
@NullMarked
package org.restorej.internal.placement;

import org.jspecify.annotations.NullMarked;
