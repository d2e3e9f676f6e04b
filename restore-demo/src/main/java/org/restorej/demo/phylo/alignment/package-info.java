/**
 * Sequence alignments: reading PHYLIP and FASTA, site patterns, and how a pattern lies in a block of the store.
 *
 * <p>
 * Calls only the JDK. Called by the likelihood, which reads blocks, and by the commands.
 */
@NullMarked
package org.restorej.demo.phylo.alignment;

import org.jspecify.annotations.NullMarked;
