/**
 * Blocks of a store in files. {@link org.restorej.redset.internal.blocks.BlockFile} is the format.
 * {@link org.restorej.redset.internal.blocks.CheckpointFiles} are all files of a checkpoint that one process finds. No
 * communication. Calls {@code files} and the packages below it; {@code RangeCheckpoint} and its helpers call this
 * package.
 *
 * <p>
 * To change the format, start at {@code BlockFile}; which files of a checkpoint one process uses, at
 * {@code CheckpointFiles}.
 */
@NullMarked
package org.restorej.redset.internal.blocks;

import org.jspecify.annotations.NullMarked;
