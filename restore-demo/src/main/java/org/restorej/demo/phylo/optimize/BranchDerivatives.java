package org.restorej.demo.phylo.optimize;

/**
 * How the log-likelihood of all patterns depends on the length of one branch, at one length.
 *
 * @param logLikelihood itself
 * @param first its first derivative
 * @param second its second derivative
 */
public record BranchDerivatives(double logLikelihood, double first, double second) {}
