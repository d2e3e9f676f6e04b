/**
 * Parity of coded blocks, and blocks computed from it: {@link org.restorej.internal.coding.RowCode} has the arithmetic
 * of a row, {@link org.restorej.internal.coding.ParityMemory} adds up what several PEs contribute to a parity cell, and
 * {@link org.restorej.internal.coding.Decoder} computes what is lost. Sizes of blocks are not coded:
 * {@link org.restorej.internal.coding.RowSizes} are those that a holder of parity keeps.
 *
 * <p>
 * No communication. Calls {@code erasure}, {@code placement} and {@code storage}; {@code plan} says what is computed
 * from what, {@code transfer} and {@code operation} have it computed.
 *
 * <p>
 * To change the code, start at {@code RowCode}; where its parts live, at {@code internal.placement.CodedLayout}; which
 * parts are read for what is lost, at {@code internal.plan.DecodingPlanner}; what is sent in a submit, at
 * {@code internal.plan.RowParity}.
 */
@NullMarked
package org.restorej.internal.coding;

import org.jspecify.annotations.NullMarked;
