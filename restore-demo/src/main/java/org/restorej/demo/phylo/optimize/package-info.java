/**
 * Branch lengths, and the shape of Gamma rates, of greatest likelihood, for patterns that are spread over PEs.
 *
 * <p>
 * Calls {@code likelihood} and what that calls, and Hipparchus. Called by the commands, which supply the sum over PEs.
 * Every decision follows from such sums alone, so that PEs that get the same sums stay alike without a word. The unit
 * that is repeated after a failure is one iteration: {@code ModelState} in, {@code ModelState} out, nothing kept
 * between.
 */
@NullMarked
package org.restorej.demo.phylo.optimize;

import org.jspecify.annotations.NullMarked;
