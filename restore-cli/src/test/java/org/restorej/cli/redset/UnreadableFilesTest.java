package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.RedsetJob;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.files.FileOperations;

/** A file of redset that can't be read is named, and holds up nothing but its own set. */
class UnreadableFilesTest {
    private static final int RANKS = 6;

    @TempDir
    private Path folder = Path.of("");

    /** Two sets of three ranks, of even and odd ranks, in one folder. */
    @BeforeEach
    void protect() {
        protect(Scheme.xor());
    }

    private void protect(Scheme scheme) {
        RedsetJob.run(LocalCluster.builder(RANKS), world -> {
            Path file = Files.write(data(world.rank()), new byte[100 + world.rank()]);
            try (var redset = RedsetJob.builder(world, FileOperations.system()).scheme(scheme).setSize(3)
                    .failureGroup("host" + world.rank() / 2).directory(folder).build()) {
                redset.apply(List.of(file));
            }
            return true;
        });
    }

    private Path data(int rank) {
        return folder.resolve("data" + rank);
    }

    /** The redundancy file of a rank. */
    private Path redundancy(int rank) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.getFileName().toString().matches("rank\\." + rank + "\\.xor.*\\.redset"))
                    .findFirst().orElseThrow();
        }
    }

    private ProgramRun run(String... command) {
        return RedsetRun.of(Stream.concat(Stream.of((Object[]) command), Stream.of(folder)).toArray());
    }

    private static void replace(Path file, String by) throws IOException {
        byte[] content = Files.readAllBytes(file);
        Files.delete(file);
        switch (by) {
            case "nothing" -> Files.write(file, new byte[0]);
            case "its beginning" -> Files.write(file, Arrays.copyOf(content, 20));
            case "garbage" -> Files.write(file, new byte[content.length]);
            case "a loop of links" -> Files.createSymbolicLink(file, file.getFileName());
            case "a link to nothing" -> Files.createSymbolicLink(file, Path.of("nothing"));
            case "a directory" -> Files.createDirectory(file);
            default -> throw new IllegalArgumentException(by);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "its beginning", "garbage", "a link to nothing"})
    void aRedundancyFileCountsAsMissing(String by) throws IOException {
        Path file = redundancy(1);
        replace(file, by);
        for (String command : List.of("info", "verify", "list")) {
            run(command).assertExit(RedsetCommand.REPAIRABLE).assertSays(file.toString());
        }
        run("info").assertSays("redundancy file " + file + ": ", "set 1 of 2", "XOR, 3 ranks: whole");
        run("rebuild").assertExit(RedsetCommand.REPAIRABLE).assertSays("rebuilt: set 2");
        run("verify").assertExit(RedsetCommand.WHOLE);
    }

    /** Which the user must move away. */
    @ParameterizedTest
    @ValueSource(strings = {"a loop of links", "a directory"})
    void whatIsNoFileHoldsUpOnlyItsOwnSet(String what) throws IOException {
        Path file = redundancy(0);
        replace(file, what);
        Files.delete(data(1));
        for (String command : List.of("info", "verify", "list")) {
            assertFalse(run(command).text().startsWith("restore: "), command);
        }
        run("info").assertSays("set 2 of 2", "XOR, 3 ranks: damaged, can be rebuilt", file.toString());
        run("rebuild", "--partial").assertExit(RedsetCommand.FAILED).assertSays("rebuilt: set 2", "move it away");
        assertEquals(101, Files.size(data(1)));
        Files.delete(file);
        run("rebuild").assertExit(RedsetCommand.REPAIRABLE);
        run("verify").assertExit(RedsetCommand.WHOLE);
    }

    @Test
    void aRedundancyFileOfAnUnknownSetIsToBeMovedAway() throws IOException {
        Path stray = folder.resolve("other.0.xor.grp_1_of_1.mem_1_of_3.redset");
        Files.write(stray, new byte[100]);
        Files.delete(data(1));
        for (String command : List.of("info", "verify", "rebuild")) {
            run(command).assertExit(RedsetCommand.LOST).assertSays(stray + ": ",
                    "no other file tells of its set: move it away", "XOR, 3 ranks: whole");
        }
        run("rebuild", "--partial").assertExit(RedsetCommand.LOST).assertSays("rebuilt: set 2");
        assertEquals(101, Files.size(data(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "garbage", "a loop of links", "a directory"})
    void aJournalIsNamedAndTheSetsAreListed(String by) throws IOException {
        Path journal = Files.write(folder.resolve("rank.1.restorej-decided"), new byte[200]);
        replace(journal, by);
        int exitCode = by.equals("a loop of links") ? RedsetCommand.FAILED : RedsetCommand.LOST;
        Files.delete(data(0));
        for (String command : List.of("info", "verify", "list")) {
            run(command).assertExit(exitCode).assertSays("the journal " + journal, "data0");
        }
        run("rebuild").assertExit(exitCode).assertSays("the journal " + journal, "--partial");
        run("rebuild", "--partial").assertExit(exitCode).assertSays("rebuilt: set 1");
        assertEquals(100, Files.size(data(0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank.1.redset", "checksums"})
    void aSmallFileCountsAsMissing(String name) throws IOException {
        Path file = name.equals("checksums")
                ? Path.of(redundancy(1) + ".checksums")
                : folder.resolve(name);
        for (String by : List.of("nothing", "its beginning", "garbage", "a link to nothing")) {
            replace(file, by);
            run("verify").assertExit(RedsetCommand.REPAIRABLE).assertSays("set 1 of 2", "XOR, 3 ranks: whole");
            run("rebuild").assertExit(RedsetCommand.REPAIRABLE);
            run("verify").assertExit(RedsetCommand.WHOLE);
            if (Files.isSymbolicLink(file)) {
                Files.delete(file);
                run("rebuild");
            }
        }
    }

    @Test
    void redundancyOfAnEarlierEncodingIsNotMistakenForNothing() throws IOException {
        Map<Path, byte[]> earlier = new HashMap<>();
        for (int rank = 0; rank < RANKS; rank++) {
            earlier.put(redundancy(rank), Files.readAllBytes(redundancy(rank)));
        }
        protect(Scheme.partner(1));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().contains(".partner.")).toList()) {
                Files.delete(file);
            }
        }
        for (Map.Entry<Path, byte[]> file : earlier.entrySet()) {
            Files.write(file.getKey(), file.getValue());
        }
        for (String command : List.of("info", "rebuild")) {
            run(command).assertExit(RedsetCommand.LOST).assertSays("stale: ",
                    "no redundancy file is left of the encoding that descriptor files describe");
        }
    }

    /** A member is rebuilt as a whole, as redset does, but not what is right of it. */
    @Test
    void dataFilesThatAreRightKeepTheirModesAndTimes() throws IOException {
        Files.write(redundancy(1), new byte[10]);
        FileTime time = FileTime.from(Instant.parse("2001-02-03T04:05:06Z"));
        for (int rank = 0; rank < RANKS; rank++) {
            Files.setLastModifiedTime(data(rank), time);
            Files.setPosixFilePermissions(data(rank), PosixFilePermissions.fromString("r--r-----"));
        }
        run("rebuild").assertExit(RedsetCommand.REPAIRABLE);
        for (int rank = 0; rank < RANKS; rank++) {
            assertEquals(time, Files.getLastModifiedTime(data(rank)), "rank " + rank);
            assertEquals("r--r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(data(rank))));
        }
    }

    @Test
    void severalLostMembersAreListedWhereTheirPlacesAreUnknown() throws IOException {
        List<Path> nodes = IntStream.range(0, 4).mapToObj(rank -> folder.resolve("node" + rank)).toList();
        RedsetJob.run(LocalCluster.builder(nodes.size()), world -> {
            Path node = Files.createDirectory(nodes.get(world.rank()));
            Path file = Files.write(node.resolve("data"), new byte[100 + world.rank()]);
            try (var redset = RedsetJob.builder(world, FileOperations.system()).scheme(Scheme.rs(2)).setSize(4)
                    .directory(node).build()) {
                redset.apply(List.of(file));
            }
            return true;
        });
        for (int rank : new int[]{1, 2}) {
            Files.move(nodes.get(rank), folder.resolve("gone" + rank));
            Files.createDirectory(nodes.get(rank));
        }
        RedsetRun.of("info", nodes.get(0), nodes.get(1), nodes.get(2), nodes.get(3)).assertExit(RedsetCommand.USAGE)
                .assertSays("give a directory for each lost member",
                        "lost are ranks [1, 2]: --lost RANK=DIR for each");
        RedsetRun.of("rebuild", "--lost", "1=" + nodes.get(1), "--lost", "2=" + nodes.get(2), nodes.get(0),
                nodes.get(1), nodes.get(2), nodes.get(3)).assertExit(RedsetCommand.REPAIRABLE);
    }
}
