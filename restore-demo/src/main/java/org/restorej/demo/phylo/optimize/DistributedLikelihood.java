package org.restorej.demo.phylo.optimize;

/**
 * A likelihood whose patterns are spread over PEs. {@link #logLikelihood} and {@link #derivatives} are collective, with
 * one reduction each; all PEs make the same calls with the same arguments.
 */
public interface DistributedLikelihood {
    /** Takes over branch lengths and alpha. Local. */
    void load(ModelState state);

    /** Replaces the shape of Gamma rates. Local. */
    void setAlpha(double alpha);

    /** Chooses the branch that {@link #derivatives} is about. Local, but where most of the time goes. */
    void selectBranch(int branch);

    /** Replaces the length of a branch. Local. */
    void setBranchLength(int branch, double length);

    /** Log-likelihood of all patterns. Called by all PEs. */
    double logLikelihood();

    /** Derivatives by the length of the selected branch, were it {@code length}. Called by all PEs. */
    BranchDerivatives derivatives(double length);
}
