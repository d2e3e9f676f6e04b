package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.redset.ScrFiles.inner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.ScrFiles;

/** Directories of SCR in which nothing is written: too much is lost, or files contradict one another. */
class ScrRefusalTest {
    @TempDir
    Path temporary;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void refusesTheLossOfTwoMembers(int distance) throws IOException {
        ScrDirectory scr = ScrDirectory.write(ScrFiles.wholeJob(4, 1000), temporary);
        scr.lose(0);
        scr.lose(distance);
        for (String command : List.of("info", "verify", "rebuild")) {
            scr.assertWritesNothing(RedsetCommand.LOST, command);
        }
        scr.assertWritesNothing(RedsetCommand.LOST, "rebuild", "--partial");
    }

    private static void refuses(ScrDirectory scr, Consumer<Map<String, Object>> change, String... said)
            throws IOException {
        Map<String, Object> header = scr.set().header(1);
        change.accept(header);
        scr.set().writeXor(1, header, scr.path());
        scr.lose(3);
        scr.assertWritesNothing(RedsetCommand.LOST, "rebuild").assertSays(said);
        scr.set().write(scr.path());
    }

    @Test
    void refusesHeadersThatContradictTheirNamesOrTheirNeighbours() throws IOException {
        ScrDirectory scr = ScrDirectory.write(ScrFiles.wholeJob(4, 1000), temporary);
        String xor = scr.set().xorName(1);
        refuses(scr, header -> ScrFiles.put(header, "CHUNK", 400),
                xor + ": CHUNK must be as in 1_of_4_in_0.xor, 335: 400");
        refuses(scr, header -> ScrFiles.put(header, "COLOUR", "red"),
                xor + ": all keys but CURRENT and PARTNER must be as in 1_of_4_in_0.xor");
        refuses(scr, header -> ScrFiles.put(header, "CHUNK", 3), xor, "CHUNK is too small for the files of rank", "3");
        refuses(scr, header -> ScrFiles.put(header, "RANKS", 3), xor, "must be a number in [0, 2]: 3");
        refuses(scr, header -> ScrFiles.put(inner(header, "CURRENT"), "RANK", 3),
                "header/CURRENT/RANK must be 1, as header/GROUP/RANK says: 3");
        refuses(scr, header -> ScrFiles.put(inner(header, "PARTNER"), "FILES", 2),
                "header/PARTNER/FILES must be the number of entries of FILE, 1: 2");
        refuses(scr, header -> ScrFiles.put(inner(header, "GROUP"), "RANKS", 5),
                "header/GROUP/RANKS must be the number of entries of RANK, 4: 5");
        refuses(scr, header -> header.remove("PARTNER"), "header has no key PARTNER");
        for (String name : List.of("../evil", "/evil", "..")) {
            refuses(scr, header -> ScrFiles.put(partnerFile(header), "FILE", name),
                    "FILE must be a name without a directory: " + name);
        }
        refuses(scr, header -> ScrFiles.put(partnerFile(header), "SIZE", 999),
                "PARTNER of 2_of_4_in_0.xor must be CURRENT of its left neighbour, 1_of_4_in_0.xor");
        refuses(scr, header -> ScrFiles.put(partnerFile(header), "CRC", "12"), "CRC must be a number as 0x");
    }

    private static Map<String, Object> partnerFile(Map<String, Object> header) {
        return inner(inner(inner(header, "PARTNER"), "FILE"), "0");
    }

    @Test
    void refusesAChunkSizeThatDoesNotFollowFromTheSizesOfTheFiles() throws IOException {
        ScrFiles set = ScrFiles.wholeJob(3, 100);
        for (int rank = 0; rank < 3; rank++) {
            Map<String, Object> header = set.header(rank);
            ScrFiles.put(header, "CHUNK", 99);
            byte[] packed = ScrFiles.pack(header);
            Files.write(temporary.resolve(set.xorName(rank)), Arrays.copyOf(packed, packed.length + 99));
        }
        RedsetRun.of("info", temporary).assertExit(RedsetCommand.LOST)
                .assertSays("1_of_3_in_0.xor: CHUNK must be 51 for the sizes recorded: 99");
    }

    @Test
    void takesFilesOfAnotherDataSetForAnotherSet() throws IOException {
        ScrDirectory scr = ScrDirectory.write(ScrFiles.wholeJob(4, 1000), temporary);
        ScrFiles other = ScrFiles.wholeJob(4, 1000).created("1312850690668537");
        Files.write(scr.xor(1), other.xorFile(1));
        scr.assertWritesNothing(RedsetCommand.LOST, "rebuild");
        scr.assertWritesNothing(RedsetCommand.LOST, "rebuild", "--partial")
                .assertSays(scr.xor(1) + " belongs to another set, too");
    }

    @Test
    void overwritesNothingThatMayBeGood() throws IOException {
        ScrDirectory scr = ScrDirectory.write(ScrFiles.wholeJob(4, 1000), temporary);
        Files.delete(scr.xor(2));
        scr.flip("rank_0.ckpt", 5);
        // rank_2.ckpt is right, and what it would be rebuilt from is damaged.
        scr.assertWritesNothing(RedsetCommand.FAILED, "rebuild")
                .assertSays("rank_2.ckpt is there with its right size, but differs from what was rebuilt");
    }

    @Test
    void followsNoLinkOutOfTheDirectoriesAllowed() throws IOException {
        ScrDirectory scr = ScrDirectory.write(ScrFiles.wholeJob(3, 100), temporary);
        scr.lose(1);
        Path outside = temporary.resolve("outside");
        Files.createSymbolicLink(scr.resolve("rank_1.ckpt"), outside);
        scr.run("rebuild").assertExit(RedsetCommand.LOST);
        assertTrue(Files.notExists(outside));
    }

    @Test
    void keepsSetsOfBothKindsOfADirectoryApart() throws IOException {
        ScrDirectory scr = ScrDirectory.write(ScrFiles.wholeJob(3, 100), temporary);
        Files.writeString(scr.resolve("ckpt.0.xor.grp_1_of_1.mem_1_of_2.redset"), "x");
        scr.run("info").assertExit(RedsetCommand.LOST).assertSays("XOR, 3 ranks: whole",
                "mem_1_of_2.redset: a block has at least");
    }
}
