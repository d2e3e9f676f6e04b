/**
 * Block ids, runs of them, and what is thrown when blocks are lost or can't be submitted: the words that every other
 * package uses.
 *
 * <p>
 * Calls the sets of ranks of {@code placement}. Every package above calls it.
 *
 * <p>
 * To change sets of block ids, start at {@code BlockRange}, a run of consecutive ids, and {@code BlockRanges}, a set
 * of runs.
 */
@NullMarked
package org.restorej.block;

import org.jspecify.annotations.NullMarked;
