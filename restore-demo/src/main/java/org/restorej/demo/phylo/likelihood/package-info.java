/**
 * The likelihood of site patterns on a tree by Felsenstein's pruning, and its derivatives by branch lengths.
 *
 * <p>
 * Calls {@code alignment}, {@code tree} and {@code model}. Called by {@code optimize} and by the commands. Knows
 * nothing of other PEs: it adds up the patterns it was given, and someone else adds up the PEs.
 *
 * <p>
 * Words: the <em>view</em> of a node towards one of its branches has, for each pattern, category of rates and state of
 * the node, the probability of what is seen at the tips on its side of that branch. A view is kept as <em>planes</em>:
 * for each category and state one array over patterns, so that inner loops run over patterns with the same index in
 * every array, which the compiler makes vector instructions of.
 */
@NullMarked
package org.restorej.demo.phylo.likelihood;

import org.jspecify.annotations.NullMarked;
