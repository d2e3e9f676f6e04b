package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.ScrFiles;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.coding.VectorSets;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.offline.LostMemberPlaces;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.redset.internal.scr.ScrSets;

/** Files of SCR with wrong content, and rebuilds that fail on their way. */
class ScrDamageTest {
    @TempDir
    Path temporary;

    private ScrDirectory four() throws IOException {
        return ScrDirectory.write(ScrFiles.wholeJob(4, 1000), temporary);
    }

    private ScrDirectory fourWithCrcs() throws IOException {
        return ScrDirectory.write(ScrFiles.wholeJob(4, 1000).withCrcs(), temporary);
    }

    @Test
    void rebuildsAMemberWhoseFileIsDamagedAndNamesFileRuleAndValue() throws IOException {
        ScrDirectory scr = four();
        Path xor = scr.xor(1);
        byte[] sound = Files.readAllBytes(xor);
        Map<String, byte[]> damaged = new LinkedHashMap<>();
        byte[] flipped = sound.clone();
        flipped[40] ^= 1;
        damaged.put(xor + ": CRC-32 must be", flipped);
        damaged.put(xor + ": a block has at least 28 bytes, but only 10 are there", Arrays.copyOf(sound, 10));
        damaged.put(xor + ": block size must be in [28, 100]", Arrays.copyOf(sound, 100));
        damaged.put(xor + " has " + (sound.length - 7) + " bytes instead of " + sound.length,
                Arrays.copyOf(sound, sound.length - 7));
        damaged.put(xor + " has " + (sound.length + 1) + " bytes instead of " + sound.length,
                Arrays.copyOf(sound, sound.length + 1));
        damaged.put(xor + ": magic number must be 951fc3f5: 0", new byte[sound.length]);
        for (Map.Entry<String, byte[]> damage : damaged.entrySet()) {
            namesAndRebuilds(scr, xor, damage.getValue(), damage.getKey());
        }
        Path data = scr.resolve("rank_1.ckpt");
        namesAndRebuilds(scr, data, new byte[12], data + " has 12 bytes instead of 1001");
    }

    private static void namesAndRebuilds(ScrDirectory scr, Path file, byte[] content, String said)
            throws IOException {
        Files.write(file, content);
        scr.run("info").assertExit(RedsetCommand.REPAIRABLE).assertSays(said);
        scr.assertRebuilds(said);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRebuildThatFailsAnywhereLeavesWholeFilesAndCanBeRepeated(boolean crash) throws IOException {
        ScrDirectory scr = four();
        Map<String, byte[]> whole = scr.whole().files();
        boolean failed = true;
        int failures = 0;
        for (int failAt = 0; failed; failAt++) {
            scr.set().write(scr.path());
            scr.lose(2);
            FailingFileOperations failing = new FailingFileOperations(failAt, crash);
            failed = fails(scr, failing);
            assertEquals(failed, failing.hasFailed());
            failures += failed ? 1 : 0;
            String when = "failure at change " + failAt;
            Map<String, byte[]> now = VectorSets.snapshot(temporary);
            now.keySet().removeIf(name -> crash && name.endsWith(PendingFile.EXTENSION));
            now.forEach((name, content) -> assertEquals(whole.getOrDefault(name, new byte[0]).length, content.length,
                    () -> name + ", " + when));
            scr.run("rebuild").assertExit(
                    now.keySet().equals(whole.keySet()) ? RedsetCommand.WHOLE : RedsetCommand.REPAIRABLE, when);
            for (Path file : DirectoryEntries.of(scr.path())) {
                if (file.toString().endsWith(PendingFile.EXTENSION)) {
                    Files.delete(file);
                }
            }
            scr.whole().assertEquivalent("repeated after " + when);
        }
        assertTrue(failures > 10, "failures " + failures);
    }

    private static boolean fails(ScrDirectory scr, FileOperations operations) throws IOException {
        SetInspection damaged = new OfflineRedset(operations, LostMemberPlaces.in(scr.path()),
                new ScrSets(), PathPolicy.within(scr.path()))
                .inspect().sets().getFirst();
        try {
            damaged.rebuild(total -> bytes -> {});
            return false;
        } catch (IOException expected) {
            assertSays(expected, "No space left");
            return true;
        }
    }

    @Test
    void saysThatContentsContradictOneAnotherWithoutGuessing() throws IOException {
        ScrDirectory scr = four();
        scr.flip("rank_0.ckpt", 5);
        scr.assertWritesNothing(RedsetCommand.WHOLE, "info");
        scr.assertWritesNothing(RedsetCommand.LOST, "verify")
                .assertSays(ReductionChains.DISAGREES);
        scr.assertWritesNothing(RedsetCommand.LOST, "rebuild");
    }

    @Test
    void findsAndRebuildsTheFileThatACrcCondemns() throws IOException {
        ScrDirectory scr = fourWithCrcs();
        scr.flip("rank_3.ckpt", 5);
        scr.run("verify").assertExit(RedsetCommand.REPAIRABLE)
                .assertSays(scr.resolve("rank_3.ckpt") + " must have the CRC-32 that its header records");
        scr.assertRebuilds("a flipped bit");
        scr.flip("rank_3.ckpt", 5);
        scr.flip("rank_0.ckpt", 5);
        scr.run("verify").assertExit(RedsetCommand.LOST, "two are damaged");
    }

    @Test
    void findsByTheCrcThatWhatWasRebuiltIsWrong() throws IOException {
        ScrDirectory scr = fourWithCrcs();
        scr.lose(1);
        scr.flip(scr.set().xorName(2), (int) Files.size(scr.xor(2)) - 1);
        scr.assertWritesNothing(RedsetCommand.LOST, "rebuild")
                .assertSays("rank 1 was rebuilt with wrong content of its file rank_1.ckpt");
    }
}
