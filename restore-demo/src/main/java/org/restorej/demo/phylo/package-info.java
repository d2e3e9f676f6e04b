/**
 * A phylogenetic likelihood that survives failures of processes: what its parts share, and the command.
 *
 * <p>
 * The domain itself is in the packages below, none of which knows of PEs, communicators or the store:
 * {@code alignment} reads sequences and makes blocks of site patterns, {@code tree} reads trees, {@code model} has the
 * substitution models, {@code likelihood} computes and improves branch lengths. It calls the other three, which don't
 * know one another. {@code run} spreads them over PEs, with the store; the command here reads options and input, starts
 * PEs ({@code PhyloJob}), and writes and draws results. Called by {@code DemoCommand} only.
 */
@NullMarked
package org.restorej.demo.phylo;

import org.jspecify.annotations.NullMarked;
