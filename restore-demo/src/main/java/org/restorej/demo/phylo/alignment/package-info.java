/**
 * Sequence alignments: reading PHYLIP and FASTA, site patterns, and how a pattern lies in a block of the store.
 *
 * <p>
 * Calls {@code org.restorej.cli.command} for input and its mistakes. Called by the likelihood, which reads blocks, by
 * {@code run}, and by the command.
 */
@NullMarked
package org.restorej.demo.phylo.alignment;

import org.jspecify.annotations.NullMarked;
