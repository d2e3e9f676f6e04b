/**
 * Settlements: they bring a collective operation to the same end on every survivor, whatever fails meanwhile.
 *
 * <p>
 * Uses {@code comm}, and {@code internal.memory} when memory has run out. Called by collective operations, by
 * transports, and by the operations of stores, loops and files.
 *
 * <p>
 * To change how all PEs come to the same end of an operation, start at {@code PendingSettlement}; what happens when a
 * PE throws before its part, at {@code Meeting}.
 */
@NullMarked
package org.restorej.internal.settlement;

import org.jspecify.annotations.NullMarked;
