/**
 * Data that are one big array of rows: a block is a row.
 *
 * <p>
 * For a change: {@code ReplicatedArray} is the store of all rows, {@code LocalRows} those of this PE; another type of elements
 * is an {@code ArrayKind}. Calls the store, and {@code LoopData} of loops.
 */
@NullMarked
package org.restorej.rows;

import org.jspecify.annotations.NullMarked;
