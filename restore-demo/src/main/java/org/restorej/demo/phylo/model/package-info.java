/**
 * Models of substitution between nucleotides in IQ-TREE's notation, and rates that differ between sites.
 *
 * <p>
 * Calls only Hipparchus, for eigenvectors and the Gamma distribution. Called by the likelihood and by the commands.
 */
@NullMarked
package org.restorej.demo.phylo.model;

import org.jspecify.annotations.NullMarked;
