/**
 * Unrooted trees with branch lengths, and Newick text.
 *
 * <p>
 * Calls {@code org.restorej.cli.command} for input and its mistakes. Called by the likelihood and all above it.
 */
@NullMarked
package org.restorej.demo.phylo.tree;

import org.jspecify.annotations.NullMarked;
