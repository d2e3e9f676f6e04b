/**
 * Unrooted trees with branch lengths, and Newick text.
 *
 * <p>
 * Calls only the JDK. Called by the likelihood and by the commands.
 */
@NullMarked
package org.restorej.demo.phylo.tree;

import org.jspecify.annotations.NullMarked;
