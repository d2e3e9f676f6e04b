/**
 * The likelihood of site patterns on a tree by Felsenstein's pruning, its derivatives by branch lengths, and the branch
 * lengths, and shape of Gamma rates, of greatest likelihood.
 *
 * <p>
 * Calls {@code alignment}, {@code tree} and {@code model}, and Hipparchus. Called by {@code run}, which supplies the
 * sum over PEs: {@code Likelihood} adds up the patterns it was given. Every decision of {@code Optimizer} follows from
 * such sums alone, so that PEs that get the same sums stay alike without a word. The unit that is repeated after a
 * failure is one iteration: {@code ModelState} in, {@code ModelState} out, nothing kept between.
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
