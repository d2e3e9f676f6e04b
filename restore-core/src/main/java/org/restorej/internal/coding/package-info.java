/**
 * Parity of coded blocks, and blocks computed from it. {@link org.restorej.internal.coding.RowCode} has the arithmetic
 * of a row, {@link org.restorej.internal.coding.ParityMemory} adds the contributions of several PEs to a parity cell,
 * and {@link org.restorej.internal.coding.Decoder} computes lost blocks.
 *
 * <p>
 * No communication. Calls {@code erasure}, {@code placement} and {@code storage}. {@code plan} determines which blocks
 * are computed from which parts; {@code transfer} and {@code operation} call this package.
 *
 * <p>
 * To change the code, start at {@code RowCode}; the places of its parts, at {@code internal.placement.CodedLayout};
 * which parts are read for lost blocks, at {@code internal.plan.DecodingPlanner}; what is sent in a submit, at
 * {@code internal.plan.RowParity}.
 */
@NullMarked
package org.restorej.internal.coding;

import org.jspecify.annotations.NullMarked;
