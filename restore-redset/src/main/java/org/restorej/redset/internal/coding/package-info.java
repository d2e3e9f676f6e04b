/**
 * The files of a member of a set as the redundancy scheme sees them: read, checked, encoded, rebuilt. {@code
 * ReductionChains} say who contributes what to whose bytes; {@code PieceCompiler} compiles them for a process that owns
 * some of the members, and {@code PieceLoop} runs the {@code PieceProgram}. Memory is bounded whatever the files' sizes. No new file replaces an old one before all new files are complete on the
 * disk.
 *
 * <p>
 * {@code protocol} calls it for the member of this process, {@code offline} and {@code blocks} for whole sets whose
 * files one process reaches. It calls {@code files}, {@code format}, {@code scheme}, {@code erasure} and
 * the requests of {@code comm}.
 *
 * <p>
 * To change who contributes what to a rebuilt file, start at {@code ReductionChains}; when a process reads, sends and
 * computes, at {@code PieceCompiler}.
 */
@NullMarked
package org.restorej.redset.internal.coding;

import org.jspecify.annotations.NullMarked;
