/**
 * Blocks of a store in files. {@link org.restorej.redset.internal.blocks.BlockFile} is the format.
 * {@link org.restorej.redset.internal.blocks.CheckpointFiles} holds all files of a checkpoint that one process reaches,
 * and rebuilds lost ones for itself.
 *
 * <p>
 * Nothing here communicates. {@code RangeCheckpoint} and its helpers call it; it calls {@code offline} and what that
 * calls.
 *
 * <p>
 * To change the format, start at {@code BlockFile}; which files of a checkpoint one process uses, at
 * {@code CheckpointFiles}; how it rebuilds lost files, and where, at {@code LostMembers}.
 */
@NullMarked
package org.restorej.redset.internal.blocks;

import org.jspecify.annotations.NullMarked;
