/**
 * Redundancy for files on disks that may be lost. {@link org.restorej.redset.Redset} protects files of all processes of
 * a communicator. {@link org.restorej.redset.Datasets} keeps several checkpoints of files.
 * {@link org.restorej.redset.RangeCheckpoint} keeps the blocks of a store in such checkpoints.
 *
 * <p>
 * This package is all that programs may use of the module. Its entry types call {@code internal.protocol},
 * {@code internal.blocks}, {@code internal.scr} and what these call. Packages below {@code internal} use the values and
 * exceptions of this package, such as {@link org.restorej.redset.Scheme} and {@link
 * org.restorej.redset.RedsetException}, and never its
 * entry types.
 *
 * <p>
 * To change checkpoints of blocks in files, start at {@code RangeCheckpoint}, which saves and loads;
 * {@code SecondTier} reads lost blocks, {@code CheckpointLoader} and {@code ReaderChoice} decide who reads what,
 * the format is {@code redset.internal.blocks.BlockFile}.
 */
@NullMarked
package org.restorej.redset;

import org.jspecify.annotations.NullMarked;
