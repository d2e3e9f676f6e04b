/**
 * The files of a member of a set as the redundancy scheme sees them: read, checked, encoded, rebuilt. {@code
 * ReductionChains} say who contributes what to whose bytes; {@code PieceCompiler} compiles them for a process that owns
 * some of the members, and {@code PieceLoop} runs the {@code PieceProgram}. Memory is bounded whatever the files' sizes.
 * No new file replaces an old one before all new files are complete on the disk.
 *
 * <p>
 * {@code protocol} calls it for the members that this process acts for. It calls {@code files}, {@code format}, {@code erasure} and
 * the requests of {@code comm}.
 *
 * <p>
 * To change which checksums lost data are computed from, start at {@code RowPlan}; who contributes what to a rebuilt file,
 * at {@code ReductionChains}; when a process reads, sends and
 * computes, at {@code PieceCompiler}.
 */
@NullMarked
package org.restorej.redset.internal.coding;

import org.jspecify.annotations.NullMarked;
