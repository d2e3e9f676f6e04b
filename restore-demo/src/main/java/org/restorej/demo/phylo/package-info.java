/**
 * A phylogenetic likelihood that survives failures of processes: what its parts share, and the command.
 *
 * <p>
 * The domain itself is in the packages below, none of which knows of PEs, communicators or the store:
 * {@code alignment} reads sequences and makes blocks of site patterns, {@code tree} reads trees, {@code model} has the
 * substitution models, {@code likelihood} computes, {@code optimize} improves branch lengths. Arrows: {@code optimize}
 * to {@code likelihood} to the other three, which don't know one another. {@code run} spreads them over PEs, with the
 * store; the command here reads options and input, and writes results. Called by {@code DemoCommand} only.
 */
@NullMarked
package org.restorej.demo.phylo;

import org.jspecify.annotations.NullMarked;
