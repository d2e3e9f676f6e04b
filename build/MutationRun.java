import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.pitest.mutationtest.config.PluginServices;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.tooling.AnalysisResult;
import org.pitest.mutationtest.tooling.EntryPoint;
import org.pitest.testapi.TestGroupConfig;
import org.pitest.util.Glob;
import org.pitest.util.Verbosity;

/**
 * Measures how strong the unit tests of packages are, by PIT: changes their code, one place at a time, and counts which
 * changes the tests of the same package notice. Prints a line for each package and each change that none has noticed, and
 * ends with exit code 1 when a package is below the limits. PIT's Maven plugin runs tests on the Java that runs Maven,
 * which may be older; this runs on the JDK that everything is tested on.
 */
class MutationRun {
    /** Of the changes that some test executes, how many must make one fail. */
    private static final double MIN_STRENGTH_PERCENT = 95;
    /** How many of all changes some test must execute: a package without tests has no weak ones. */
    private static final double MIN_COVERED_PERCENT = 80;

    private static final int THREADS = 2;
    /** Beyond one and a quarter of what a test takes unchanged; then a change has made it run for ever. */
    private static final long TIMEOUT_MILLIS = 3000;

    /** Changed, they hand wrong addresses to C: the JVM crashes or, worse, goes on to the next mutant with a damaged heap. */
    private static final List<String> CALLERS_OF_C = List.of("org.restorej.internal.erasure.IsalKernel*");
    /** They start JVMs of their own, in which nothing is changed. */
    private static final List<String> TESTS_IN_OTHER_JVMS = List.of("org.restorej.redset.IsalDeniedTest");

    private MutationRun() {}

    /** The arguments: a module's folder of classes, its folder for reports, and packages. */
    public static void main(String[] arguments) throws IOException {
        boolean strong = true;
        for (String name : List.of(arguments).subList(2, arguments.length)) {
            strong &= isStrong(name, Path.of(arguments[0]), Path.of(arguments[1], name));
        }
        if (!strong) {
            System.err.printf(Locale.ROOT, "mutants: a package is below a strength of %.0f %% or a coverage of %.0f %%;"
                    + " CONTRIBUTING.md says what to do%n", MIN_STRENGTH_PERCENT, MIN_COVERED_PERCENT);
        }
        System.exit(strong ? 0 : 1);
    }

    private static boolean isStrong(String name, Path classes, Path report) throws IOException {
        long start = System.nanoTime();
        AnalysisResult result = new EntryPoint().execute(new File("."), options(name, classes, report),
                PluginServices.makeForContextLoader(), Map.of());
        if (result.getError().isPresent()) {
            throw new IllegalStateException("no mutants of " + name, result.getError().get());
        }
        // File, class, mutator, method, line, status, test.
        List<String[]> mutants = Files.readAllLines(report.resolve("mutations.csv")).stream().map(line -> line.split(","))
                .toList();
        long covered = mutants.stream().filter(mutant -> !mutant[5].equals("NO_COVERAGE")).count();
        List<String[]> survivors = mutants.stream().filter(mutant -> mutant[5].equals("SURVIVED")).toList();
        double strength = 100.0 * (covered - survivors.size()) / Math.max(1, covered);
        double coverage = 100.0 * covered / Math.max(1, mutants.size());
        System.out.printf(Locale.ROOT, "mutants of %s: %d, covered %.1f %%, strength %.1f %%, in %d s%n", name,
                mutants.size(), coverage, strength, (System.nanoTime() - start) / 1_000_000_000);
        for (String[] survivor : survivors) {
            System.out.printf("  not noticed: %s:%s %s (%s)%n", survivor[0], survivor[4], survivor[3],
                    survivor[2].substring(survivor[2].lastIndexOf('.') + 1));
        }
        return strength >= MIN_STRENGTH_PERCENT && coverage >= MIN_COVERED_PERCENT;
    }

    private static ReportOptions options(String name, Path classes, Path report) {
        ReportOptions options = new ReportOptions();
        options.setReportDir(report.toString());
        options.setShouldCreateTimestampedReports(false);
        options.addOutputFormats(List.of("CSV"));
        options.setSourceDirs(List.of(classes.resolveSibling("../src/main/java").normalize()));
        options.setClassPathElements(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
        options.setCodePaths(List.of(classes.toString()));
        options.setTargetClasses(List.of(name + ".*"));
        options.setTargetTests(new ArrayList<>(List.of(new Glob(name + ".*Test"))));
        options.setExcludedClasses(CALLERS_OF_C);
        options.setExcludedTestClasses(new ArrayList<>(Glob.toGlobPredicates(TESTS_IN_OTHER_JVMS)));
        options.setGroupConfig(new TestGroupConfig(List.of("deep"), List.of()));
        options.setNumberOfThreads(THREADS);
        options.setTimeoutConstant(TIMEOUT_MILLIS);
        options.setTimeoutFactor(1.25f);
        options.setVerbosity(Verbosity.SILENT);
        options.setJavaExecutable(ProcessHandle.current().info().command().orElseThrow());
        options.addChildJVMArgs(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx768m"));
        return options;
    }
}
