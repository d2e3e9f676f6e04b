/**
 * Blocks of a store in files. {@link org.restorej.redset.internal.blocks.BlockFile} is the format.
 * {@link org.restorej.redset.internal.blocks.CheckpointFiles} holds all files of a checkpoint that one process reaches.
 *
 * <p>
 * Nothing here communicates. {@code RangeCheckpoint} and its helpers call it; it calls {@code files} and what that
 * calls.
 *
 * <p>
 * To change the format, start at {@code BlockFile}; which files of a checkpoint one process uses, at
 * {@code CheckpointFiles}.
 */
@NullMarked
package org.restorej.redset.internal.blocks;

import org.jspecify.annotations.NullMarked;
