package org.restorej.demo.phylo.likelihood;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.collective.ReproducibleSums;
import org.restorej.demo.phylo.Primates;
import org.restorej.demo.phylo.alignment.PatternLayout;
import org.restorej.demo.phylo.alignment.SitePatterns;
import org.restorej.demo.phylo.tree.Tree;

/** Against IQ-TREE 2.0.7. */
class PrimatesLikelihoodTest {
    private static final SitePatterns PATTERNS = SitePatterns.of(Primates.alignment());
    private static final PatternLayout LAYOUT = new PatternLayout(PATTERNS.taxonCount());
    private static final Tree TREE = Primates.tree();

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"JC | -6745.0906", "JC+G4{0.5} | -6335.3364",
            Primates.GTR_GAMMA + "|-5719.4291"})
    void hasTheLogLikelihoodOfIqTree(String model, double expected) {
        Likelihood likelihood = new Likelihood(TREE, Primates.model(model));
        likelihood.append(Primates.blocks(1));
        assertEquals(expected, likelihood.logLikelihood(), 1e-3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"JC | primates.jc.sitelh", Primates.GTR_GAMMA + "|primates.gtrg4.sitelh"})
    void hasTheLogLikelihoodOfIqTreeAtEverySite(String model, String answers) {
        Likelihood likelihood = new Likelihood(TREE, Primates.model(model));
        likelihood.append(Primates.blocks(1));
        double[] perPattern = new double[PATTERNS.count()];
        likelihood.logLikelihood(perPattern);
        Primates.requireSiteLogLikelihoods(answers, PATTERNS.siteCount(),
                site -> perPattern[PATTERNS.patternOfSite(site)]);
    }

    @Test
    void countsARepeatedAlignmentAsOftenAsItIsRepeated() {
        Likelihood once = new Likelihood(TREE, Primates.model(Primates.GTR_GAMMA));
        once.append(Primates.blocks(1));
        Likelihood often = new Likelihood(TREE, Primates.model(Primates.GTR_GAMMA));
        often.append(Primates.blocks(7));
        assertEquals(7L * PATTERNS.count(), often.patternCount());
        assertEquals(7 * once.logLikelihood(), often.logLikelihood(), 7e-9 * Math.abs(once.logLikelihood()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 100})
    void hasTheSameSumHoweverPatternsAreShared(int shares) {
        Likelihood whole = new Likelihood(TREE, Primates.model(Primates.GTR_GAMMA));
        MemorySegment blocks = Primates.blocks(1);
        whole.append(blocks);
        double sum = 0;
        for (int share = 0; share < shares; share++) {
            Likelihood part = new Likelihood(TREE, Primates.model(Primates.GTR_GAMMA));
            long first = (long) PATTERNS.count() * share / shares;
            long end = (long) PATTERNS.count() * (share + 1) / shares;
            long middle = (first + end) / 2;
            part.append(slice(blocks, first, middle));
            part.logLikelihood();
            part.append(slice(blocks, middle, end));
            sum += part.logLikelihood();
        }
        assertEquals(whole.logLikelihood(), sum, 1e-9 * Math.abs(whole.logLikelihood()));
    }

    @Test
    void derivesTheLogLikelihoodAtEveryBranch() {
        Likelihood likelihood = new Likelihood(TREE, Primates.model(Primates.GTR_GAMMA));
        likelihood.append(Primates.blocks(1));
        double step = 1e-5;
        for (int branch = 0; branch < TREE.branchCount(); branch++) {
            double length = TREE.length(branch);
            likelihood.selectBranch(branch);
            double[] at = derivatives(likelihood, length);
            double[] above = derivatives(likelihood, length + step);
            double[] below = derivatives(likelihood, length - step);
            assertEquals(likelihood.logLikelihood(), at[0], 1e-8, "branch " + branch);
            assertEquals((above[0] - below[0]) / (2 * step), at[1], 1e-3 + 1e-5 * Math.abs(at[1]), "branch " + branch);
            assertEquals((above[1] - below[1]) / (2 * step), at[2], 1e-2 + 1e-4 * Math.abs(at[2]), "branch " + branch);
        }
    }

    private static double[] derivatives(Likelihood likelihood, double length) {
        ReproducibleSums sums = new ReproducibleSums(3);
        likelihood.addDerivatives(length, sums);
        return new double[]{sums.value(0), sums.value(1), sums.value(2)};
    }

    private static MemorySegment slice(MemorySegment blocks, long first, long end) {
        return blocks.asSlice(first * LAYOUT.blockSizeBytes(), (end - first) * LAYOUT.blockSizeBytes());
    }
}
