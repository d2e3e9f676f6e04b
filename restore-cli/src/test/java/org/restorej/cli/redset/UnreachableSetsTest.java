package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.testing.CommandRun;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.RedsetJob;
import org.restorej.redset.Scheme;
import org.restorej.redset.ScrFiles;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.offline.LostMemberPlaces;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.redset.internal.scr.ScrSets;

/**
 * Files that can't be reached are no loss, and hide none. Each is a loop of links here, which nobody can read, while
 * root, as which tests may run, can read every file.
 */
class UnreachableSetsTest {
    private static final int RANKS = 6;

    @TempDir
    private Path folder = Path.of("");

    /** Two sets of three ranks, of even and odd ranks, in one folder. */
    private void protect() {
        protect("rank.", Scheme.xor(), 3, rank -> content("data" + rank));
    }

    private void protect(String prefix, Scheme scheme, int setSize, IntFunction<byte[]> contentOf) {
        RedsetJob.run(LocalCluster.builder(RANKS), world -> {
            Path file = data(world.rank());
            byte[] content = contentOf.apply(world.rank());
            if (!Files.exists(file) || !Arrays.equals(content, Files.readAllBytes(file))) {
                Files.write(file, content);
            }
            try (var redset = RedsetJob.builder(world, FileOperations.system()).scheme(scheme).setSize(setSize)
                    .failureGroup("host" + world.rank() / (RANKS / 3 * 3 / setSize)).directory(folder)
                    .namePrefix(prefix).build()) {
                redset.apply(List.of(file));
            }
            return true;
        });
    }

    private static byte[] content(String word) {
        return (word + ", ").repeat(30).getBytes(StandardCharsets.UTF_8);
    }

    private Path data(int rank) {
        return folder.resolve("data" + rank);
    }

    private Path redundancy(String prefix, int rank) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.getFileName().toString()
                    .matches("\\Q" + prefix + rank + "\\E\\.(xor|rs).*\\.redset")).findFirst().orElseThrow();
        }
    }

    private Path hidden(Path file) {
        return folder.resolve("hidden").resolve(file.getFileName());
    }

    /** Makes files unreachable. */
    private List<Path> hide(Path... files) throws IOException {
        Files.createDirectories(folder.resolve("hidden"));
        for (Path file : files) {
            Files.move(file, hidden(file));
            Files.createSymbolicLink(file, file.getFileName());
        }
        return List.of(files);
    }

    private void unhide(List<Path> files) throws IOException {
        for (Path file : files) {
            Files.delete(file);
            Files.move(hidden(file), file);
        }
    }

    private ProgramRun run(String... command) {
        return RedsetRun.of(Stream.concat(Stream.of((Object[]) command), Stream.of(folder)).toArray());
    }

    private void assertSays(int exitCode, String... said) {
        for (String command : List.of("info", "verify", "list", "rebuild")) {
            ProgramRun run = run(command).assertExit(exitCode).assertSays(said);
            assertEquals(exitCode == RedsetCommand.LOST, run.text().contains("older checkpoint"), run.text());
        }
    }

    @Test
    void aSetIsNotLostWhenItsOtherRedundancyCanNotBeRead() throws IOException {
        protect();
        Path[] two = {redundancy("rank.", 2), redundancy("rank.", 4)};
        List<Path> hidden = hide(two);
        assertSays(RedsetCommand.FAILED, "unknown, since a file can't be reached", two[0] + ": ", two[1] + ": ",
                "it may be intact");
        Files.delete(data(1));
        run("rebuild", "--partial").assertExit(RedsetCommand.FAILED).assertSays("rebuilt: set 2");
        unhide(hidden);
        run("verify").assertExit(RedsetCommand.WHOLE);
    }

    @Test
    void noSetIsLostWhenNoneOfItsRedundancyCanBeRead() throws IOException {
        protect();
        hide(redundancy("rank.", 0), redundancy("rank.", 2), redundancy("rank.", 4));
        assertSays(RedsetCommand.FAILED, "it may be intact: make it readable", "there are files of sets [2] only");
        hide(redundancy("rank.", 1), redundancy("rank.", 3), redundancy("rank.", 5));
        assertSays(RedsetCommand.FAILED, "it may be intact: make it readable");
    }

    @Test
    void aFileOfAnUnknownSetIsToBeMadeReadable() throws IOException {
        protect();
        hide(Files.write(folder.resolve("other.0.xor.grp_1_of_1.mem_1_of_3.redset"), new byte[100]));
        for (String command : List.of("info", "verify", "list", "rebuild")) {
            String said = run(command).assertExit(RedsetCommand.FAILED)
                    .assertSays("other.0.xor.grp_1_of_1.mem_1_of_3.redset: ", "make it readable").text();
            assertFalse(said.contains("move it away"), said);
        }
    }

    @Test
    void aSetIsLostThatWouldBeWithTheFilesThatCanNotBeReachedToo() throws IOException {
        protect();
        List<Path> hidden = hide(redundancy("rank.", 2));
        Files.delete(data(0));
        assertFalse(run("verify").assertExit(RedsetCommand.FAILED).text().contains("CAN'T"));
        Files.delete(data(4));
        run("verify").assertExit(RedsetCommand.LOST).assertSays("CAN'T be rebuilt", hidden.getFirst().toString());
    }

    /** Files of SCR are read when those that are missing are looked for. */
    @Test
    void aFileOfScrThatCanNotBeReachedHidesNoLoss() throws IOException {
        ScrDirectory scr = ScrDirectory.write(ScrFiles.wholeJob(3, 100).withCrcs(), folder);
        FileOperations denying = new ForwardingFileOperations() {
            @Override
            public FileChannel openForReading(Path path) throws IOException {
                if (path.endsWith("rank_1.ckpt")) {
                    throw new AccessDeniedException(path.toString());
                }
                return super.openForReading(path);
            }
        };
        OfflineRedset redset = new OfflineRedset(denying, LostMemberPlaces.in(scr.resolve(".")),
                new ScrSets(),
                PathPolicy.within(folder));
        for (int rank : new int[]{0, 2}) {
            Files.delete(scr.resolve("rank_" + rank + ".ckpt"));
            SetInspection set = redset.verify().sets().getFirst();
            assertEquals(rank == 0 ? SetInspection.State.UNREACHABLE : SetInspection.State.LOST, set.state(),
                    set.damages()::toString);
            assertTrue(set.damages().toString().contains("rank_1.ckpt can't be reached"), set.damages()::toString);
        }
    }

    @Test
    void aSetWithADataFileOutOfReachIsNotRebuilt() throws IOException {
        protect();
        hide(data(2));
        Files.delete(data(0));
        run("rebuild").assertExit(RedsetCommand.FAILED).assertSays(data(2) + " is a loop of symbolic links",
                "XOR, 3 ranks: unknown");
    }

    /** Whoever sees only the exit code must learn of a loss. */
    @Test
    void thatASetIsLostCountsMoreThanThatAnotherCanNotBeReached() throws IOException {
        protect();
        Files.delete(data(0));
        Files.delete(data(2));
        hide(redundancy("rank.", 3));
        for (String command : List.of("info", "verify", "list", "rebuild")) {
            run(command).assertExit(RedsetCommand.LOST).assertSays("unknown, since a file can't be reached",
                    "CAN'T be rebuilt");
        }
    }

    @Test
    void thatAllOfASetIsLostCountsMoreThanThatAFileOfAnUnknownOneCanNotBeReached() throws IOException {
        protect();
        for (int rank : new int[]{1, 3, 5}) {
            Files.delete(redundancy("rank.", rank));
        }
        hide(Files.write(folder.resolve("other.0.xor.grp_1_of_1.mem_1_of_3.redset"), new byte[100]));
        run("info").assertExit(RedsetCommand.LOST).assertSays("there are files of sets [1] only, of 2",
                "make it readable");
    }

    @Test
    void aFileOfASetThatCanNotBeReadIsNotReplaced() throws IOException {
        protect("old.", Scheme.rs(2), RANKS, rank -> content("old" + rank));
        protect("new.", Scheme.rs(2), RANKS, rank -> content((rank < 4 ? "old" : "new") + rank));
        hide(redundancy("new.", 0), redundancy("new.", 1), redundancy("new.", 2), redundancy("new.", 3));
        run("rebuild", "--partial").assertSays("belongs to another set, too",
                "unknown, since a file can't be reached");
        assertArrayEquals(content("new4"), Files.readAllBytes(data(4)));
        assertArrayEquals(content("new5"), Files.readAllBytes(data(5)));
    }

    /** Another checkpoint has files of the same names. */
    @Test
    void aFileOfAnotherCheckpointIsNoMemberOfASet() throws IOException {
        Path first = folder.resolve("checkpoint.1");
        Path second = folder.resolve("checkpoint.2");
        protectCheckpoint(first);
        protectCheckpoint(second);
        hide(redundancyIn(second, 2));
        Files.delete(redundancyIn(first, 2));
        RedsetRun.of("rebuild", "--partial", first, second).assertExit(RedsetCommand.FAILED)
                .assertSays("rebuilt: set 1 of 1 of " + first, "unknown, since a file can't be reached");
        RedsetRun.of("verify", first).assertExit(RedsetCommand.WHOLE);
        for (int rank : new int[]{1, 2}) {
            Files.delete(redundancyIn(first, rank));
            Files.delete(first.resolve("rank." + rank + ".redset"));
        }
        for (String command : List.of("info", "verify", "list", "rebuild")) {
            RedsetRun.of(command, first, second).assertExit(RedsetCommand.LOST).assertSays("CAN'T be rebuilt",
                    "unknown, since a file can't be reached");
        }
    }

    /** Three ranks that are one set, with files of the same names in each checkpoint. */
    private static void protectCheckpoint(Path in) throws IOException {
        Files.createDirectories(in);
        RedsetJob.run(LocalCluster.builder(3), world -> {
            Path file = Files.write(in.resolve("data" + world.rank()), content(in + "/data" + world.rank()));
            try (var redset = RedsetJob.builder(world, FileOperations.system()).scheme(Scheme.xor()).setSize(3)
                    .failureGroup("host" + world.rank()).directory(in).build()) {
                redset.apply(List.of(file));
            }
            return true;
        });
    }

    private static Path redundancyIn(Path directory, int rank) {
        return directory.resolve("rank." + rank + ".xor.grp_1_of_1.mem_" + (rank + 1) + "_of_3.redset");
    }

    @Test
    void aFileOfAnotherDataSetOfScrIsNoMemberOfASet() throws IOException {
        ScrDirectory first = ScrDirectory.write(ScrFiles.wholeJob(3, 100), folder.resolve("first"));
        ScrDirectory second = ScrDirectory.write(ScrFiles.wholeJob(3, 200).created("1312850690668537"),
                folder.resolve("second"));
        FileOperations denying = new ForwardingFileOperations() {
            @Override
            public KvTreeBlock readHeader(Path path) throws IOException {
                if (path.toRealPath().equals(second.xor(2).toRealPath())) {
                    throw new AccessDeniedException(path.toString());
                }
                return super.readHeader(path);
            }
        };
        Files.delete(first.xor(2));
        OfflineRedset redset = new OfflineRedset(denying, LostMemberPlaces.in(first.path(), second.path()),
                new ScrSets(), PathPolicy.within(folder));
        assertEquals(List.of(SetInspection.State.REPAIRABLE, SetInspection.State.UNREACHABLE),
                redset.verify().sets().stream().map(SetInspection::state).sorted().toList());
    }

    /** The journal of a rank tells which of its files count; those of a set without that rank count anyway. */
    @Test
    void aSetIsNotRebuiltWhileAJournalOfItsRanksCanNotBeRead() throws IOException {
        protect();
        Path journal = Files.write(folder.resolve("rank.1.restorej-decided"), new byte[200]);
        Files.delete(data(0));
        Files.delete(data(1));
        run("rebuild", "--partial").assertExit(RedsetCommand.LOST).assertSays("rebuilt: set 1",
                "only the journal " + journal + " tells which of them count");
        assertTrue(Files.exists(data(0)));
        assertFalse(Files.exists(data(1)));
        hide(journal);
        run("rebuild", "--partial").assertExit(RedsetCommand.FAILED).assertSays("the journal " + journal,
                "it may be intact: make it readable", "unknown, since a file can't be reached");
        assertFalse(Files.exists(data(1)));
        Files.delete(journal);
        run("rebuild").assertExit(RedsetCommand.REPAIRABLE);
    }

    @Test
    void aDamagedJournalCountsMoreThanOneThatCanNotBeReached() throws IOException {
        protect();
        Files.delete(data(1));
        for (int damaged : new int[]{1, 3}) {
            Path journal = Files.write(folder.resolve("rank." + damaged + ".restorej-decided"), new byte[200]);
            Path hidden = Files.write(folder.resolve("rank." + (4 - damaged) + ".restorej-decided"), new byte[200]);
            hide(hidden);
            run("info").assertExit(RedsetCommand.LOST).assertSays("CAN'T be rebuilt",
                    "only the journal " + journal, "only the journal " + hidden);
            Files.delete(journal);
            Files.delete(hidden);
        }
    }

    /** A name may have bytes that the locale can't encode. No name can have a zero. */
    @Test
    void aFileWithANameThatIsNoPathCanNotBeReached() throws IOException {
        protect();
        FileOperations failing = new ForwardingFileOperations() {
            @Override
            public FileChannel openForReading(Path path) throws IOException {
                if (path.equals(data(1))) {
                    throw new AccessDeniedException("\0");
                }
                return super.openForReading(path);
            }
        };
        OfflineRedset redset = new OfflineRedset(failing, LostMemberPlaces.in(folder), new ScrSets(),
                PathPolicy.within(folder));
        assertEquals(List.of(SetInspection.State.WHOLE, SetInspection.State.UNREACHABLE),
                redset.verify().sets().stream().map(SetInspection::state).toList());
    }

    @Test
    void aRebuildEndsWithTheWorstThatHappenedAndTellsEachFailure() throws IOException {
        protect();
        for (int rank : new int[]{0, 1}) {
            Files.delete(data(rank));
            Files.createDirectories(data(rank).resolve("in the way"));
        }
        assertEquals(2, CommandRun.of("redset", "rebuild", "--json", folder.toString()).anyJson().get("failures")
                .size());
        Files.delete(data(3));
        run("rebuild", "--partial").assertExit(RedsetCommand.LOST).assertSays(data(0) + " is a directory");
    }
}
