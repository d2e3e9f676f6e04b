package org.restorej.demo.phylo.likelihood;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.comm.collective.ReproducibleSums;
import org.restorej.demo.phylo.Primates;
import org.restorej.demo.phylo.model.GammaRates;
import org.restorej.demo.phylo.model.Model;

/** Against formulas on paper. */
class ClosedFormTest {
    private static final double LENGTH = 0.3;
    private static final Model JC = Primates.model("JC");

    private static double same(double length) {
        return 0.25 + 0.75 * Math.exp(-4 * length / 3);
    }

    private static double different(double length) {
        return 0.25 - 0.25 * Math.exp(-4 * length / 3);
    }

    /** Pairs of states: {@code equalPairs} of them equal, the others different. */
    @ParameterizedTest
    @CsvSource({"A,A,1,0", "A,C,0,1", "A,R,1,1", "R,Y,0,4", "R,R,2,2", "A,B,0,3", "V,A,1,2", "K,M,0,4", "H,D,2,7"})
    void addsUpTheStatesOfAmbiguousLetters(String first, String second, int equalPairs, int otherPairs) {
        double expected = Math.log(0.25 * (equalPairs * same(LENGTH) + otherPairs * different(LENGTH)));
        assertEquals(expected, TwoTaxa.likelihood(first, second, LENGTH, JC).logLikelihood(), 1e-12);
    }

    @ParameterizedTest
    @CsvSource({"A,-,0.25", "A,N,0.25", "?,T,0.25", "R,-,0.5", "-,-,1", "X,N,1"})
    void takesUnknownLettersForAnything(String first, String second, double probability) {
        assertEquals(Math.log(probability), TwoTaxa.likelihood(first, second, LENGTH, JC).logLikelihood(), 1e-12);
    }

    @Test
    void averagesOverCategoriesOfRates() {
        double mean = 0;
        for (double rate : GammaRates.of(4, 0.5)) {
            mean += different(rate * LENGTH) / 4;
        }
        Likelihood likelihood = TwoTaxa.likelihood("A", "C", LENGTH, Primates.model("JC+G4{0.5}"));
        assertEquals(Math.log(0.25 * mean), likelihood.logLikelihood(), 1e-12);
    }

    @Test
    void takesBranchesOfNoLengthForVeryShortOnes() {
        double expected = Math.log(0.25 * different(1e-6));
        assertEquals(expected, TwoTaxa.likelihood("A", "C", 0, JC).logLikelihood(), 1e-8);
    }

    @Test
    void isZeroWithoutPatterns() {
        Likelihood likelihood = new Likelihood(TwoTaxa.tree(1), JC);
        assertEquals(0, likelihood.patternCount());
        assertEquals(0, likelihood.logLikelihood());
        likelihood.selectBranch(0);
        ReproducibleSums sums = new ReproducibleSums(3);
        likelihood.addDerivatives(1, sums);
        assertEquals(0, sums.value(0) + sums.value(1) + sums.value(2));
    }

    @Test
    void refusesBlocksThatAreNoPatterns() {
        Likelihood likelihood = new Likelihood(TwoTaxa.tree(1), JC);
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class,
                () -> likelihood.append(MemorySegment.ofArray(new byte[]{1, 2, 1, 0, 0, 0, 1, 16, 1, 0, 0, 0})));
        assertEquals("block 1 of the segment is no site pattern: taxon=1, mask=16", error.getMessage());
        error = assertThrows(IllegalArgumentException.class,
                () -> likelihood.append(MemorySegment.ofArray(new byte[6])));
        assertEquals("block 0 of the segment is no site pattern: weight=0", error.getMessage());
    }

    @Test
    void refusesDerivativesOfABranchThatIsNotSelectedAnyMore() {
        Likelihood likelihood = TwoTaxa.likelihood("A", "C", LENGTH, JC);
        likelihood.selectBranch(0);
        likelihood.setModel(Primates.model("HKY{2}"));
        assertThrows(IllegalStateException.class, () -> likelihood.addDerivatives(LENGTH, new ReproducibleSums(3)));
    }
}
