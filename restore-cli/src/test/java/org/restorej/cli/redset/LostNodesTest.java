package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.RedsetJob;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;

/** What the commands say to the operator of a job of several sets after nodes were lost, who knows ranks in the job. */
class LostNodesTest {
    private static final int RANKS = 8;

    @TempDir
    private Path folder = Path.of("");

    private Path node(int rank) {
        return folder.resolve("node" + rank);
    }

    @BeforeEach
    void protect() throws IOException {
        for (int rank = 0; rank < RANKS; rank++) {
            Files.write(Files.createDirectory(node(rank)).resolve("data"), new byte[100 + rank]);
        }
        protectAgain();
    }

    private void protectAgain() {
        RedsetJob.run(LocalCluster.builder(RANKS), world -> {
            Path node = node(world.rank());
            Path file = node.resolve("data");
            try (var redset = RedsetJob.builder(world, FileOperations.system()).scheme(Scheme.xor()).setSize(4)
                    .directory(node).build()) {
                redset.apply(List.of(file));
            }
            return true;
        });
    }

    /** The ranks in the job of the members of the second set, in order. */
    private List<Integer> secondSet() throws IOException {
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            if (DirectoryEntries.namesOf(node(rank)).stream().anyMatch(name -> name.contains("grp_2_of_2"))) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    private void lose(int rank) throws IOException {
        for (Path entry : DirectoryEntries.of(node(rank))) {
            Files.delete(entry);
        }
    }

    private ProgramRun run(String command, Object... options) {
        return RedsetRun.of(Stream.concat(Stream.of(command), Stream.concat(Stream.of(options),
                IntStream.range(0, RANKS).mapToObj(this::node))).toArray());
    }

    @Test
    void lostRanksAreThoseOfTheJob() throws IOException {
        List<Integer> ranks = secondSet();
        lose(ranks.get(1));
        lose(ranks.get(3));
        run("verify").assertExit(RedsetCommand.LOST).assertSays("2 of 4 members are missing, of ranks "
                + List.of(ranks.get(1), ranks.get(3)) + " of the job, and XOR can't rebuild all of these");
        lose(ranks.get(2));
        run("verify").assertExit(RedsetCommand.LOST).assertSays("3 of 4 members are missing",
                "There are only ranks [" + ranks.get(0) + "] of the job");
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "list", "verify", "rebuild"})
    void aLostRankIsOneOfTheJob(String command) throws IOException {
        lose(1);
        String lost = "8=" + node(1);
        RedsetRun.assertWritesNothing(folder, RedsetCommand.USAGE, Stream.concat(Stream.of(command, "--lost", lost),
                IntStream.range(0, RANKS).mapToObj(this::node)).toArray())
                .assertSays(
                        "--lost must name a rank of the sets that were found, which have 8 in [0, 7]: --lost=" + lost);
    }

    /** The files of a copying scheme describe themselves and their neighbours only. */
    @Test
    void aLostRankMayBeOneThatNoFileDescribes() {
        List<Path> nodes = IntStream.range(0, 6).mapToObj(rank -> folder.resolve("copied" + rank)).toList();
        RedsetJob.run(LocalCluster.builder(nodes.size()), world -> {
            Path node = Files.createDirectory(nodes.get(world.rank()));
            Path file = Files.write(node.resolve("copied"), new byte[100 + world.rank()]);
            try (var redset = RedsetJob.builder(world, FileOperations.system()).scheme(Scheme.partner(2))
                    .setSize(6).directory(node).build()) {
                redset.apply(List.of(file));
            }
            return true;
        });
        ProgramRun wrong = RedsetRun.of("info", "--lost", "9=" + nodes.get(1), nodes.get(0));
        wrong.assertExit(RedsetCommand.USAGE).assertSays("--lost must name a rank of the sets that were found");
        // One header: of ranks 0, 5 and 4.
        assertNotEquals(RedsetCommand.USAGE,
                RedsetRun.of("info", "--lost", "2=" + nodes.get(2), nodes.get(0)).exitCode());
        assertNotEquals(RedsetCommand.USAGE, RedsetRun.of("info", "--lost", "2=" + nodes.get(2), nodes.get(0),
                node(0), node(1), node(2), node(3), node(4), node(5), node(6), node(7)).exitCode());
    }

    @Test
    void rootGivesRebuiltFilesToTheirOwnersIfItIsAskedTo() throws IOException {
        Path data = node(1).resolve("data");
        Assumptions.assumeTrue(Files.getAttribute(data, "unix:uid").equals(0), "only root gives files away");
        Files.setAttribute(data, "unix:uid", 1234);
        protectAgain();
        for (String option : List.of("--partial", "--restore-owners")) {
            Files.delete(data);
            run("rebuild", option).assertExit(RedsetCommand.REPAIRABLE);
            assertEquals(option.equals("--partial") ? 0 : 1234, Files.getAttribute(data, "unix:uid"), option);
        }
    }

    /** The kernel's folder, where not even root can make a file. */
    @Test
    void aFolderThatCanNotBeWrittenToIsNamed() throws IOException {
        lose(1);
        RedsetRun.assertWritesNothing(folder, RedsetCommand.FAILED, Stream.concat(
                Stream.of("rebuild", "--lost", "/sys", "--allow", folder),
                IntStream.range(0, RANKS).filter(rank -> rank != 1).mapToObj(this::node)).toArray())
                .assertSays("/sys can't be written to: ");
    }
}
