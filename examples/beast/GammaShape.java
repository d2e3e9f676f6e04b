import beast.base.core.Log;
import beast.base.evolution.alignment.Alignment;
import beast.base.evolution.alignment.Sequence;
import beast.base.evolution.likelihood.TreeLikelihood;
import beast.base.evolution.sitemodel.SiteModel;
import beast.base.evolution.substitutionmodel.Frequencies;
import beast.base.evolution.substitutionmodel.HKY;
import beast.base.evolution.tree.TreeParser;
import beast.base.inference.parameter.RealParameter;
import beast.pkgmgmt.BEASTClassLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.LocalObjects;
import org.restorej.loop.LoopValue;
import org.restorej.ReStore;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.balance.LoadBalancer;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.mpi.Programs;
import org.restorej.comm.collective.ReproducibleSums;

/**
 * Fits the shape of Gamma-distributed rates to an alignment, with BEAST 2's likelihood of a fixed tree. Each PE has some
 * of the site patterns; when one fails, the others pull its patterns from each other's memory and go on. The result has
 * the bits of one thread, and BEAST's own likelihood of the whole alignment agrees with it.
 */
public final class GammaShape {
    /** A site pattern: the letter of each taxon, and the number of sites that have it. */
    record Pattern(String letters, int sites) {}

    private final List<Sequence> alignment;
    private final String tree;
    private final List<Pattern> patterns;

    GammaShape(Path alignmentFile, Path treeFile) throws IOException {
        alignment = Files.readAllLines(alignmentFile).stream().skip(1).map(line -> line.strip().split("\\s+"))
                .map(words -> new Sequence(words[0], words[1])).toList();
        tree = Files.readString(treeFile);
        Map<String, Integer> sites = new LinkedHashMap<>();
        for (int site = 0; site < alignment.getFirst().getData().length(); site++) {
            StringBuilder letters = new StringBuilder();
            for (Sequence sequence : alignment) {
                letters.append(sequence.getData().charAt(site));
            }
            sites.merge(letters.toString(), 1, Integer::sum);
        }
        patterns = sites.entrySet().stream().map(entry -> new Pattern(entry.getKey(), entry.getValue())).toList();
    }

    /** BEAST's alignment of some patterns, a column for each. */
    private Alignment columns(List<Pattern> some) {
        List<Sequence> rows = new ArrayList<>();
        for (int taxon = 0; taxon < alignment.size(); taxon++) {
            StringBuilder letters = new StringBuilder();
            for (Pattern pattern : some) {
                letters.append(pattern.letters().charAt(taxon));
            }
            rows.add(new Sequence(alignment.get(taxon).getTaxon(), letters.toString()));
        }
        return new Alignment(rows, "nucleotide");
    }

    /** The terms of some patterns. BEAST sorts its patterns, so this asks where each one is. */
    private ReproducibleSums terms(List<Pattern> some, double shape) {
        Alignment columns = columns(some);
        TreeLikelihood likelihood = likelihood(columns, shape);
        likelihood.calculateLogP();
        double[] logLikelihoods = likelihood.getPatternLogLikelihoods();
        ReproducibleSums terms = new ReproducibleSums(1);
        for (int i = 0; i < some.size(); i++) {
            terms.add(0, some.get(i).sites() * logLikelihoods[columns.getPatternIndex(i)]);
        }
        return terms;
    }

    private TreeLikelihood likelihood(Alignment columns, double shape) {
        TreeParser parsed = new TreeParser();
        parsed.initByName("newick", tree, "taxa", columns, "IsLabelledNewick", true, "adjustTipHeights", false);
        Frequencies frequencies = new Frequencies();
        frequencies.initByName("frequencies", new RealParameter("0.3241 0.3040 0.1055 0.2664"));
        HKY substitutions = new HKY();
        substitutions.initByName("kappa", new RealParameter("30"), "frequencies", frequencies);
        SiteModel sites = new SiteModel();
        sites.initByName("substModel", substitutions, "gammaCategoryCount", 4,
                "shape", new RealParameter(Double.toString(shape)));
        TreeLikelihood likelihood = new TreeLikelihood();
        likelihood.initByName("data", columns, "tree", parsed, "siteModel", sites);
        return likelihood;
    }

    private void run(Communicator world) {
        LoadBalancer balancer = LoadBalancer.equal(world.size(), patterns.size());
        try (ReplicatedObjects<Pattern> store = ReplicatedObjects.of(ReStore.builder(world), patterns.size(),
                Codecs.record(Pattern.class, Codecs.STRING, Codecs.INT));
                CheckpointLoop loop = new CheckpointLoop(world, balancer, CheckpointInterval.iterations(5))) {
            LocalObjects<Pattern> mine = loop.keep(store.constant(id -> patterns.get((int) id)));
            LoopValue<double[]> bracket = loop.value(Codecs.DOUBLES, new double[]{0.1, 2});
            loop.run(30, (comm, iteration) -> {
                if (iteration == 12 && comm.size() == world.size()) {
                    FailureSimulation.of(comm).fail(1); // only for this example: a real failure needs no line
                }
                double low = bracket.get()[0];
                double high = bracket.get()[1];
                double step = 0.382 * (high - low);
                boolean below = logLikelihood(comm, mine, low + step) > logLikelihood(comm, mine, high - step);
                bracket.set(below ? new double[]{low, high - step} : new double[]{low + step, high});
            });
            double shape = bracket.get()[0];
            loop.evaluate(comm -> {
                double result = logLikelihood(comm, mine, shape);
                if (comm.rank() == 0) {
                    report(comm.size(), world.size(), shape, result);
                }
                return result;
            });
        }
    }

    private double logLikelihood(Communicator comm, LocalObjects<Pattern> mine, double shape) {
        ReproducibleSums sum = terms(mine.values(), shape);
        sum.allReduce(comm);
        return sum.value(0);
    }

    private void report(int pes, int allPes, double shape, double result) {
        double oneThread = terms(patterns, shape).value(0);
        double beast = likelihood(new Alignment(alignment, "nucleotide"), shape).calculateLogP();
        if (result != oneThread || Math.abs(result / beast - 1) > 1e-9) {
            throw new AssertionError(result + ", on one thread " + oneThread + ", by BEAST " + beast);
        }
        System.out.printf(Locale.ROOT, "%d of %d PEs: shape %.4f, log-likelihood %.6f, as by BEAST%n", pes, allPes,
                shape, result);
    }

    public static void main(String[] args) throws IOException {
        Log.setLevel(Log.Level.error);
        System.setProperty("java.only", "true"); // without BEAGLE
        BEASTClassLoader.addService("beast.base.evolution.datatype.DataType",
                "beast.base.evolution.datatype.Nucleotide", "BEAST.base");
        Programs.run(args, 8, new GammaShape(Path.of(args[0]), Path.of(args[1]))::run);
    }
}
