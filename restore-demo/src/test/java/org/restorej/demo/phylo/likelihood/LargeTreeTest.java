package org.restorej.demo.phylo.likelihood;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.command.InputText;
import org.restorej.comm.collective.ReproducibleSums;
import org.restorej.demo.phylo.Primates;
import org.restorej.demo.phylo.alignment.PatternLayout;
import org.restorej.demo.phylo.model.Model;
import org.restorej.demo.phylo.tree.NewickParser;
import org.restorej.demo.phylo.tree.Tree;

/** Likelihoods far below the smallest double, against plain pruning in decimal numbers without limits. */
class LargeTreeTest {
    private static final int PATTERNS = 5;
    private static final MathContext PRECISION = new MathContext(30);

    private static String newick(String shape, int taxa, Random random) {
        StringBuilder text = new StringBuilder();
        switch (shape) {
            case "star" -> {
                for (int taxon = 0; taxon < taxa; taxon++) {
                    text.append(taxon == 0 ? '(' : ',').append('t').append(taxon).append(length(random));
                }
                text.append(");");
            }
            case "caterpillar" -> {
                text.append("(".repeat(taxa - 1)).append("t0").append(length(random));
                for (int taxon = 1; taxon < taxa; taxon++) {
                    text.append(",t").append(taxon).append(length(random)).append(')');
                    text.append(taxon < taxa - 1 ? length(random) : ";");
                }
            }
            default -> text.append(balanced(0, taxa, random)).append(';');
        }
        return text.toString();
    }

    private static String balanced(int first, int count, Random random) {
        return count == 1
                ? "t" + first
                : "(" + balanced(first, count / 2, random) + length(random) + ","
                        + balanced(first + count / 2, count - count / 2, random) + length(random) + ")";
    }

    private static String length(Random random) {
        return ":" + (1e-6 + Math.pow(random.nextDouble(), 4));
    }

    private static MemorySegment randomBlocks(int taxa, Random random) {
        byte[] bytes = new byte[PATTERNS * (taxa + 4)];
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            for (int taxon = 0; taxon < taxa; taxon++) {
                bytes[pattern * (taxa + 4) + taxon] = (byte) (1 << random.nextInt(4));
            }
            bytes[pattern * (taxa + 4) + taxa] = 1;
        }
        return MemorySegment.ofArray(bytes);
    }

    @ParameterizedTest
    @CsvSource({"balanced,2000,JC", "caterpillar,2000,JC+G4{0.1}", "star,2000,JC+G4{0.3}",
            "balanced,2000,GTR{6.3/39.3/4.1/2.2/42.4}+F{0.32/0.3/0.11/0.27}+G4{0.05}", "caterpillar,10000,JC"})
    void doesNotUnderflow(String shape, int taxa, String modelText) {
        Random random = new Random(taxa);
        Tree tree = NewickParser.parse(new InputText("in", newick(shape, taxa, random)));
        Model model = Primates.model(modelText);
        MemorySegment blocks = randomBlocks(taxa, random);
        Likelihood likelihood = new Likelihood(tree, model);
        likelihood.append(blocks);
        double[] perPattern = new double[PATTERNS];
        double sum = likelihood.logLikelihood(perPattern);
        assertTrue(Double.isFinite(sum) && sum < PATTERNS * Math.log(Double.MIN_VALUE), "sum " + sum);
        double expected = exact(tree, model, blocks, 0);
        assertEquals(expected, perPattern[0], 1e-8 * Math.abs(expected));
        likelihood.selectBranch(tree.branchCount() / 2);
        ReproducibleSums derivatives = new ReproducibleSums(3);
        likelihood.addDerivatives(tree.length(tree.branchCount() / 2), derivatives);
        assertEquals(sum, derivatives.value(0), 1e-8 * Math.abs(sum));
    }

    private static double exact(Tree tree, Model model, MemorySegment blocks, long block) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int category = 0; category < model.categoryCount(); category++) {
            sum = sum.add(exactOfCategory(tree, model, category, blocks, block), PRECISION);
        }
        BigDecimal mean = sum.divide(BigDecimal.valueOf(model.categoryCount()), PRECISION);
        int exponent = mean.precision() - mean.scale();
        return Math.log(mean.scaleByPowerOfTen(-exponent).doubleValue()) + exponent * Math.log(10);
    }

    /** Children before parents, from node 0 on; one product and one sum at a time. */
    private static BigDecimal exactOfCategory(Tree tree, Model model, int category, MemorySegment blocks, long block) {
        int[] order = new int[tree.nodeCount()];
        int[] cameBy = new int[tree.nodeCount()];
        cameBy[0] = -1;
        int count = 1;
        for (int next = 0; next < count; next++) {
            for (int index = 0; index < tree.degree(order[next]); index++) {
                int branch = tree.branchAt(order[next], index);
                if (branch != cameBy[order[next]]) {
                    int child = tree.otherEnd(branch, order[next]);
                    cameBy[child] = branch;
                    order[count++] = child;
                }
            }
        }
        BigDecimal[][] partials = new BigDecimal[tree.nodeCount()][4];
        double[] matrix = new double[16];
        for (int node = 0; node < tree.nodeCount(); node++) {
            int mask = tree.isTip(node) ? new PatternLayout(tree.tipCount()).mask(blocks, block, node) : 15;
            for (int state = 0; state < 4; state++) {
                partials[node][state] = BigDecimal.valueOf(mask >> state & 1);
            }
        }
        for (int next = count - 1; next > 0; next--) {
            int node = order[next];
            int branch = cameBy[node];
            BigDecimal[] parent = partials[tree.otherEnd(branch, node)];
            double length = Math.max(tree.length(branch), Likelihood.MIN_BRANCH_LENGTH);
            model.substitution().transitionProbabilities(length * model.rate(category), matrix, 0);
            for (int s = 0; s < 4; s++) {
                BigDecimal sum = BigDecimal.ZERO;
                for (int x = 0; x < 4; x++) {
                    sum = sum.add(BigDecimal.valueOf(matrix[s * 4 + x]).multiply(partials[node][x], PRECISION));
                }
                parent[s] = parent[s].multiply(sum, PRECISION);
            }
        }
        BigDecimal likelihood = BigDecimal.ZERO;
        for (int s = 0; s < 4; s++) {
            likelihood = likelihood
                    .add(BigDecimal.valueOf(model.substitution().frequency(s)).multiply(partials[0][s], PRECISION));
        }
        return likelihood;
    }
}
