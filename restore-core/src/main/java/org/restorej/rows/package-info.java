/**
 * Stores of the rows of one large array, in which a block is a row. Start at {@link org.restorej.rows.ReplicatedArray}.
 *
 * <p>
 * Calls the store, and {@code LoopData} of loops. Called by applications.
 *
 * <p>
 * To change the store of all rows, start at {@code ReplicatedArray}; the rows of this PE, at {@code LocalRows}; to add
 * another type of elements, at {@code ArrayKind}.
 */
@NullMarked
package org.restorej.rows;

import org.jspecify.annotations.NullMarked;
