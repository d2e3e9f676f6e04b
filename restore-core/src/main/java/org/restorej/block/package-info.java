/**
 * Block ids, runs and sets of them, and the exceptions for lost blocks and for invalid submissions.
 *
 * <p>
 * Uses the sets of ranks of {@code placement}. Used by all packages above.
 *
 * <p>
 * To change sets of block ids, start at {@code BlockRange}, a run of consecutive ids, and {@code BlockRanges}, a set of
 * runs.
 */
@NullMarked
package org.restorej.block;

import org.jspecify.annotations.NullMarked;
