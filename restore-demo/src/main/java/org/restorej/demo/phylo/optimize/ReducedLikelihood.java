package org.restorej.demo.phylo.optimize;

import org.restorej.demo.phylo.likelihood.Likelihood;
import org.restorej.comm.collective.ReproducibleSums;

/** One PE's part of a distributed likelihood: its own patterns, and a way to add up over PEs. */
public final class ReducedLikelihood implements DistributedLikelihood {
    private final Likelihood likelihood;
    private final SumOverPes sumOverPes;
    private final ReproducibleSums logLikelihood = new ReproducibleSums(1);
    private final ReproducibleSums derivatives = new ReproducibleSums(3);

    /** Works on a likelihood, which others may append patterns to between iterations. */
    public ReducedLikelihood(Likelihood likelihood, SumOverPes sumOverPes) {
        this.likelihood = likelihood;
        this.sumOverPes = sumOverPes;
    }

    @Override
    public void load(ModelState state) {
        state.alpha().ifPresent(this::setAlpha);
        likelihood.setBranchLengths(state.branchLengths());
    }

    @Override
    public void setAlpha(double alpha) {
        likelihood.setModel(likelihood.model().withAlpha(alpha));
    }

    @Override
    public void selectBranch(int branch) {
        likelihood.selectBranch(branch);
    }

    @Override
    public void setBranchLength(int branch, double length) {
        likelihood.setBranchLength(branch, length);
    }

    @Override
    public double logLikelihood() {
        logLikelihood.clear();
        likelihood.addLogLikelihood(logLikelihood);
        sumOverPes.sum(logLikelihood);
        return logLikelihood.value(0);
    }

    @Override
    public BranchDerivatives derivatives(double length) {
        derivatives.clear();
        likelihood.addDerivatives(length, derivatives);
        sumOverPes.sum(derivatives);
        return new BranchDerivatives(derivatives.value(0), derivatives.value(1), derivatives.value(2));
    }
}
