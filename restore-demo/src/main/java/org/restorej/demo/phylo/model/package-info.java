/**
 * Models of substitution between nucleotides in IQ-TREE's notation, and rates that differ between sites.
 *
 * <p>
 * Calls Hipparchus, for eigenvectors and the Gamma distribution, and {@code org.restorej.cli.command} for mistakes of
 * the input. Called by the likelihood and all above it.
 */
@NullMarked
package org.restorej.demo.phylo.model;

import org.jspecify.annotations.NullMarked;
