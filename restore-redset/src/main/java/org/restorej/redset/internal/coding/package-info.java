/**
 * The files of a set's members for the redundancy scheme: read, checked, encoded, rebuilt. {@code ReductionChains}
 * determine which bytes are computed from which; {@code PieceCompiler} compiles them for a process that owns some of
 * the members, and {@code PieceLoop} runs the {@code PieceProgram}. Memory is bounded for any file sizes. No new file
 * replaces an old one before all new files are complete on the disk.
 *
 * <p>
 * Calls {@code files}, {@code format}, {@code erasure} and the requests of {@code comm}. {@code protocol} calls this
 * package for the members that its process acts for.
 *
 * <p>
 * To change which checksums lost data are computed from, start at {@code RowPlan}; which members contribute to a
 * rebuilt file, at {@code ReductionChains}; when a process reads, sends and computes, at {@code PieceCompiler}.
 */
@NullMarked
package org.restorej.redset.internal.coding;

import org.jspecify.annotations.NullMarked;
