package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.redset.ScrFiles;
import org.restorej.testing.SeededRandom;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.offline.DirectorySnapshot;
import org.restorej.testing.Deep;

/** Sets of SCR whose lost members come back, wherever their files are. */
class ScrRebuildTest {
    @TempDir
    Path temporary;

    @Test
    void rebuildsTheMemberLostAtEachPlaceOfSetsOfTwoToEight() throws IOException {
        rebuildEachMember(2, 8);
    }

    @Deep
    @Test
    void rebuildsTheMemberLostAtEachPlaceOfSetsOfNineToSixteen() throws IOException {
        rebuildEachMember(9, 16);
    }

    private void rebuildEachMember(int fewestRanks, int maxRanks) throws IOException {
        SeededRandom random = SeededRandom.forTest("rebuildsTheMemberLostAtEachPlaceOfSetsOf" + fewestRanks);
        for (int ranks = fewestRanks; ranks <= maxRanks; ranks++) {
            ScrFiles set = ScrFiles.random(random, ranks, 3000);
            Path directory = temporary.resolve("set" + ranks);
            set.write(directory);
            DirectorySnapshot whole = DirectorySnapshot.of(temporary);
            RedsetRun.of("info", directory).assertExit(RedsetCommand.LOST, "half of the job's ranks are in no set")
                    .assertSays("XOR files of the sets of " + ranks + " ranks only, of " + 2 * ranks);
            for (int lost = 0; lost < ranks; lost++) {
                set.delete(lost, directory, directory);
                RedsetRun.of("rebuild", "--partial", directory).assertExit(RedsetCommand.LOST);
                whole.assertEquivalent("rank " + lost + " of " + ranks);
            }
        }
    }

    @Test
    void findsAWholeSetWholeAndLeavesItAlone() throws IOException {
        ScrDirectory scr = ScrDirectory.write(ScrFiles.wholeJob(4, 5000), temporary);
        scr.assertWritesNothing(RedsetCommand.WHOLE, "info").assertSays(
                "set 0 of SCR's data set scr.dataset.6, id 6 in " + scr.path() + ": XOR, 4 ranks: whole");
        scr.assertWritesNothing(RedsetCommand.WHOLE, "verify");
        scr.assertWritesNothing(RedsetCommand.WHOLE, "list").assertSays("redundancy  " + scr.xor(2),
                "data        " + scr.resolve("rank_2.ckpt"));
        scr.assertWritesNothing(RedsetCommand.WHOLE, "rebuild");
        scr.run("info", "--json").assertExit(RedsetCommand.WHOLE).assertSays("\"format\" : \"SCR\"",
                "\"dataset\" : \"scr.dataset.6, id 6\"", "\"directories\" : [");
        scr.run("list", "--json").assertExit(RedsetCommand.WHOLE).assertSays("\"kind\" : \"redundancy\"");
    }

    @Test
    void rebuildsEmptyFilesAndMembersWithoutFiles() throws IOException {
        List<Map<String, byte[]>> data = List.of(Map.of("a", new byte[0]), Map.of(), Map.of("c", new byte[0]));
        ScrDirectory scr = ScrDirectory.write(new ScrFiles(new int[]{0, 1, 2}, 3, data), temporary);
        for (int lost = 0; lost < 3; lost++) {
            scr.lose(lost);
            scr.assertRebuilds("rank " + lost);
        }
    }

    @Test
    void rebuildsASetThatIsSpreadOverFolders() throws IOException {
        ScrFiles set = ScrFiles.wholeJob(4, 1000);
        List<Object> command = new ArrayList<>(List.of("rebuild"));
        for (int rank = 0; rank < 4; rank++) {
            Path node = temporary.resolve("node" + rank);
            set.write(rank, node, node);
            command.add(node);
        }
        DirectorySnapshot whole = DirectorySnapshot.of(temporary);
        for (int lost = 0; lost < 4; lost++) {
            Path node = temporary.resolve("node" + lost);
            set.delete(lost, node, node);
            RedsetRun.of(command.toArray()).assertExit(RedsetCommand.REPAIRABLE);
            whole.assertEquivalent("node " + lost);
        }
        RedsetRun.of(command.toArray()).assertExit(RedsetCommand.WHOLE);
        RedsetRun.of("info", temporary.resolve("node1")).assertExit(RedsetCommand.LOST, "one folder is not all");
    }

    @Test
    void asksWhereALostMemberGoesWhenItCannotBeTold() throws IOException {
        ScrFiles set = ScrFiles.wholeJob(3, 100);
        Path first = temporary.resolve("node1");
        Path second = temporary.resolve("node2");
        set.write(1, first, first);
        set.write(2, second, second);
        RedsetRun.of("rebuild", first, second).assertExit(RedsetCommand.USAGE)
                .assertSays("where 1_of_3_in_0.xor and its data files go isn't known", "--lost 0=DIR");
        Path fresh = Files.createDirectory(temporary.resolve("fresh"));
        RedsetRun.of("rebuild", first, second, "--lost", fresh).assertExit(RedsetCommand.REPAIRABLE);
        assertArrayEquals(set.data(0).get("rank_0.ckpt"), Files.readAllBytes(fresh.resolve("rank_0.ckpt")));
        RedsetRun.of("verify", first, fresh, second).assertExit(RedsetCommand.WHOLE);
        RedsetRun.of("verify", first, "--lost", temporary.resolve("nowhere")).assertExit(RedsetCommand.USAGE);
    }

    @Test
    void takesNoFileOfAnotherNodeForWhatIsLeftOfALostOne() throws IOException {
        ScrFiles set = new ScrFiles(new int[]{0, 1}, 2,
                List.of(Map.of("state", new byte[3]), Map.of("state", new byte[]{1, 2, 3}))).released();
        for (int rank = 0; rank < 2; rank++) {
            Path node = temporary.resolve("node" + rank);
            set.write(rank, node, node.resolve(".scr"));
        }
        Path first = temporary.resolve("node0");
        Path empty = Files.createDirectory(temporary.resolve("empty"));
        DirectoryEntries.deleteTree(temporary.resolve("node1"));
        RedsetRun.of("rebuild", first, empty).assertExit(RedsetCommand.REPAIRABLE);
        assertArrayEquals(new byte[]{1, 2, 3}, Files.readAllBytes(empty.resolve("state")));
    }

    @Test
    void rebuildsAfterAScavengeWithXorFilesInAHiddenDirectory() throws IOException {
        ScrFiles set = ScrFiles.wholeJob(4, 1000);
        Path directory = temporary.resolve("scr.dataset.6");
        Path hidden = directory.resolve(".scr");
        set.write(directory, hidden);
        DirectorySnapshot whole = DirectorySnapshot.of(temporary);
        for (Path given : List.of(directory, hidden)) {
            set.delete(2, directory, hidden);
            RedsetRun.of("rebuild", given).assertExit(RedsetCommand.REPAIRABLE);
            whole.assertEquivalent(given.toString());
        }
    }

    @Test
    void findsFilesWhereTheApplicationItselfWouldHavePutThem() throws IOException {
        ScrFiles set = ScrFiles.wholeJob(3, 1000);
        Path directory = temporary.resolve("scr.dataset.6");
        Path original = temporary.resolve("simulation123");
        set.write(original, directory);
        DirectorySnapshot whole = DirectorySnapshot.of(temporary);
        set.delete(1, original, directory);
        RedsetRun.of("rebuild", directory).assertExit(RedsetCommand.LOST, "recorded places are not to be trusted");
        RedsetRun.of("rebuild", directory, "--allow", original, "--map",
                "/p/lscratchb/user1/simulation123=" + original).assertExit(RedsetCommand.REPAIRABLE);
        whole.assertEquivalent("with original names");
    }

    @Test
    void leavesFilesThatAreRightAsTheyAre() throws IOException {
        ScrDirectory scr = ScrDirectory.write(ScrFiles.wholeJob(4, 1000), temporary);
        Files.delete(scr.xor(2));
        Path data = scr.resolve("rank_2.ckpt");
        FileTime time = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(data, time);
        scr.assertRebuilds("the XOR file alone was lost");
        assertEquals(time, Files.getLastModifiedTime(data));
    }
}
