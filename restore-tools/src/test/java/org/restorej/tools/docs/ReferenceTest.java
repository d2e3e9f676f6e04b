package org.restorej.tools.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.ReStoreBuilder;
import org.restorej.cli.RestoreCommand;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.mpi.Mpi;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.redset.RangeCheckpoint;
import org.restorej.redset.Redset;
import org.restorej.testing.ProjectFolder;
import org.restorej.tools.markdown.MarkdownFile;
import org.restorej.tools.markdown.TableRow;
import picocli.CommandLine;

/** {@code docs/reference.md} lists what the code has, and nothing else. */
class ReferenceTest {
    /** Of the table of exit codes of commands, after those of 0, 1, 2, 3 and 4. */
    private static final int CONTINUED_COLUMN = 6;

    private final List<TableRow> rows;
    private final NamesInCode code = new NamesInCode(ProjectFolder.root());

    ReferenceTest() throws IOException {
        rows = MarkdownFile.read(ProjectFolder.root().resolve("docs/reference.md")).tableRows();
    }

    /** What stands in the first column of the tables under a heading, without arguments. */
    private Set<String> listed(String heading) {
        return under(heading).flatMap(row -> row.codes().getFirst().stream())
                .map(name -> name.replaceFirst("\\(.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<TableRow> under(String heading) {
        return rows.stream().filter(row -> row.heading().equals(heading));
    }

    @ParameterizedTest
    @ValueSource(classes = {ReStoreBuilder.class, Redset.Builder.class, LocalCluster.Builder.class,
            CheckpointInterval.class, CheckpointLoop.class})
    void optionsAreThoseOfTheCode(Class<?> type) {
        String heading = type.getCanonicalName().replaceFirst("^[a-z.]+", "");
        Set<String> options = NamesInCode.optionsOf(type);
        assertFalse(options.isEmpty());
        assertEquals(options, listed(heading), heading);
    }

    @Test
    void parametersOfACheckpointAreThoseOfTheCode() throws IOException {
        assertEquals(code.parametersOf(RangeCheckpoint.class), listed("RangeCheckpoint"));
    }

    @Test
    void environmentVariablesAreThoseOfTheCode() throws IOException {
        Set<String> listed = listed("Environment variables");
        listed.removeIf(Predicate.not(name -> name.startsWith("RESTOREJ_")));
        assertEquals(code.environmentVariables(), listed);
    }

    @Test
    void systemPropertiesAreThoseOfTheCode() throws IOException {
        assertEquals(code.systemProperties(), listed("System properties"));
    }

    @Test
    void exitCodeConstantsAreThoseOfTheCode() throws IOException {
        Set<String> listed = new TreeSet<>();
        under("Of a program under MPI").filter(row -> !row.codes().get(1).isEmpty())
                .forEach(row -> listed.add(row.codes().get(1).getFirst() + "=" + row.codes().getFirst().getFirst()));
        assertEquals(code.exitCodeConstants(), listed);
    }

    @Test
    void exitCodesOfCommandsAreThoseOfTheirHelp() {
        Map<String, Set<Integer>> ofHelp = new TreeMap<>();
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        addExitCodes(RestoreCommand.commandLine(nowhere, nowhere), ofHelp);
        Map<String, Set<Integer>> listed = new TreeMap<>();
        under("Of commands").forEach(row -> {
            Set<Integer> codes = IntStream.range(1, row.cells().size())
                    .filter(column -> !row.cells().get(column).isBlank())
                    .map(column -> column == CONTINUED_COLUMN ? Mpi.EXIT_CODE_CONTINUED : column - 1).boxed()
                    .collect(Collectors.toCollection(TreeSet::new));
            row.codes().getFirst().stream().filter(name -> name.startsWith("bin/restore"))
                    .forEach(name -> listed.put(name, codes));
        });
        assertEquals(ofHelp, listed);
    }

    private static void addExitCodes(CommandLine command, Map<String, Set<Integer>> codes) {
        Set<String> own = command.getCommandSpec().usageMessage().exitCodeList().keySet();
        if (!own.isEmpty()) {
            codes.put("bin/" + command.getCommandSpec().qualifiedName(),
                    own.stream().map(Integer::valueOf).collect(Collectors.toCollection(TreeSet::new)));
        }
        command.getSubcommands().values().forEach(subcommand -> addExitCodes(subcommand, codes));
    }

    @Test
    void collectiveCallsAreThoseThatAreMarked() throws IOException, ClassNotFoundException {
        Map<String, Set<String>> listed = new TreeMap<>();
        under("Collective calls")
                .forEach(row -> listed.put(row.codes().getFirst().getFirst(), new TreeSet<>(row.codes().get(1))));
        assertEquals(code.collectiveCalls(), listed);
    }
}
