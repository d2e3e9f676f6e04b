/**
 * Redundancy for files on node-local disks. {@link org.restorej.redset.Redset} protects the files of all ranks of a
 * communicator. {@link org.restorej.redset.Datasets} keeps several checkpoints of files.
 * {@link org.restorej.redset.RangeCheckpoint} keeps the blocks of a store in such checkpoints, and
 * {@link org.restorej.redset.LoopFiles} the state of a loop.
 *
 * <p>
 * Start at {@link org.restorej.redset.Redset}.
 *
 * <p>
 * To change checkpoints of blocks in files, start at {@code RangeCheckpoint}, which saves and loads;
 * {@code SecondTier} reads lost blocks, {@code CheckpointLoader} and {@code ReaderChoice} assign files to readers, and
 * the format is {@code redset.internal.blocks.BlockFile}. Packages below {@code internal} use values and exceptions of
 * this package, but not its entry types.
 */
@NullMarked
package org.restorej.redset;

import org.jspecify.annotations.NullMarked;
