package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.restorej.cli.RestoreCommand;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.RankDirectory;
import org.restorej.redset.Redset;
import org.restorej.redset.RedsetException;
import org.restorej.redset.RedsetJob;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** What the commands say of one directory in which all ranks were killed while they replaced their files. */
class InterruptedCommandTest {
    private static final long SEED = Seed.of(InterruptedCommandTest.class);
    private static final int RANKS = 3;
    private static final int MAX_ROUNDS = 20;
    private static final String MAY_HAVE_MOVED = ".*\\.restorej-(decided|aborted)";

    /** Kills after which a commit was found interrupted, and those of them that left files of different encodings. */
    private int interrupted;
    private int contradictory;

    @Deep
    @Test
    void nothingIsCalledLostThatRebuildBringsToAnEnd() throws IOException {
        // In which order ranks move their files, and so what a kill leaves, is chosen by chance.
        for (int round = 0; round < MAX_ROUNDS && contradictory == 0; round++) {
            killAtEachChange(SEED + round);
        }
        assertTrue(interrupted > 10 && contradictory > 0,
                "interrupted " + interrupted + ", contradictory " + contradictory);
    }

    /** A rebuild that is refused moves the files back before it says anything, since that may fail, too. */
    @Test
    void whatIsPrintedIsOneObject() throws IOException {
        try (RankDirectory shared = new RankDirectory()) {
            for (int rank = 0; rank < 2; rank++) {
                Path file = shared.write("rank." + rank + ".redset", new byte[]{1, 2, 3});
                shared.write("rank." + rank + ".xor.grp_1_of_1.mem_" + (rank + 1) + "_of_2.redset", new byte[3]);
                FileCommit commit = new FileCommit(FileOperations.system(), shared.path(), "rank." + rank + ".");
                commit.create(file).finish(0, null);
                commit.stage(new UUID(1, 2), 2, List.of());
                if (rank == 0) {
                    commit.complete();
                }
            }
            StringWriter output = new StringWriter() {
                @Override
                public void write(String text, int from, int length) {
                    super.write(text, from, length);
                    try {
                        Files.createDirectories(shared.path().resolve("rank.1.restorej-staged/in the way"));
                    } catch (IOException journalIsBack) {
                        // As it should be.
                    }
                }
            };
            RestoreCommand.run(new PrintWriter(output, true), new PrintWriter(new StringWriter(), true), "redset",
                    "rebuild", "--json", shared.path().toString());
            assertEquals(1, Pattern.compile("\"exitCode\"").matcher(output.toString()).results().count(),
                    output::toString);
        }
    }

    private void killAtEachChange(long seed) throws IOException {
        try (RankDirectory shared = new RankDirectory()) {
            apply(shared, "old", FileOperations.system(), seed);
            Map<String, byte[]> before = shared.snapshot();
            boolean killed = true;
            for (int failAt = 0; killed; failAt++) {
                shared.restore(before);
                FailingFileOperations dying = new FailingFileOperations(failAt, true);
                apply(shared, "new", dying, seed);
                killed = dying.hasFailed();
                if (shared.snapshot().keySet().stream().anyMatch(name -> name.matches(MAY_HAVE_MOVED))) {
                    checkCommands(shared, "killed at change " + failAt + ", seed " + seed);
                }
            }
        }
    }

    private void checkCommands(RankDirectory shared, String when) {
        List<ProgramRun> said = List.of(run(shared, "info"), run(shared, "verify"), run(shared, "list"));
        boolean told = said.get(0).text().contains("rebuild brings that to an end");
        interrupted += told ? 1 : 0;
        contradictory += told && said.get(0).text().contains("of another encoding") ? 1 : 0;
        for (ProgramRun each : said) {
            assertTrue(each.exitCode() <= RedsetCommand.REPAIRABLE, when + ": " + each);
        }
        ProgramRun rebuilt = run(shared, "rebuild");
        assertTrue(rebuilt.exitCode() <= RedsetCommand.REPAIRABLE, when + ": " + rebuilt);
        run(shared, "verify").assertExit(RedsetCommand.WHOLE, when);
    }

    private static void apply(RankDirectory shared, String name, FileOperations operations, long seed) {
        RedsetJob.run(LocalCluster.builder(RANKS).singleStepping(seed), world -> {
            Path file = shared.write(name + world.rank(), new byte[name.equals("old") ? 300 : 500]);
            try (Redset redset = RedsetJob.builder(world, operations).scheme(Scheme.xor()).directory(shared.path())
                    .build()) {
                redset.apply(List.of(file));
                return true;
            } catch (RedsetException killed) {
                return false;
            }
        });
    }

    private static ProgramRun run(RankDirectory shared, String command) {
        return RedsetRun.of(command, shared.path());
    }
}
