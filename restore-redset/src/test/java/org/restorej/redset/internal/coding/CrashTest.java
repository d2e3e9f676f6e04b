package org.restorej.redset.internal.coding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.FileDamage;
import org.restorej.redset.Vectors;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.testing.Deep;

/** Failures at every change of the file system, and content that is silently wrong. */
class CrashTest {
    @TempDir
    Path temporary;

    @ParameterizedTest
    @CsvSource({"rs_p4_k2,false", "xor_p4,true"})
    void aRebuildThatFailsAnywhereLeavesOldOrWholeFilesAndCanBeRepeated(String vectorName, boolean crash)
            throws IOException {
        failAnywhere(vectorName, crash);
    }

    @Deep
    @ParameterizedTest
    @ValueSource(strings = {"rs_p4_k2", "partner_p4_r2"})
    void aRebuildWithTwoMissingThatCrashesAnywhereCanBeRepeated(String vectorName) throws IOException {
        failAnywhere(vectorName, true);
    }

    private void failAnywhere(String vectorName, boolean crash) throws IOException {
        Vectors.Case vector = Vectors.named(vectorName);
        SetDescription set = VectorSets.sets(vector).get(0);
        VectorSets.copyData(vector, temporary);
        List<MemberLocation> locations = VectorSets.locations(set, temporary);
        SetEncoder.encode(FileOperations.system(), ErasureKernels.preferred(), set, locations);
        Map<String, byte[]> whole = VectorSets.snapshot(temporary);
        BitSet missing = new BitSet();
        missing.set(vectorName.startsWith("xor") ? 3 : 0);
        if (!vectorName.startsWith("xor")) {
            missing.set(3);
        }
        boolean failed = true;
        int failures = 0;
        for (int failAt = 0; failed; failAt++) {
            remove(locations, missing);
            FailingFileOperations failing = new FailingFileOperations(failAt, crash);
            boolean thrown = fails(failing);
            failed = failing.hasFailed();
            assertTrue(failed || !thrown);
            failures += thrown ? 1 : 0;
            checkNothingIsWrong(whole, crash, "failure at change " + failAt);
            deleteParts();
            inspect(FileOperations.system()).rebuild(total -> bytes -> {});
            assertEquals(whole.keySet(), VectorSets.snapshot(temporary).keySet());
            checkNothingIsWrong(whole, false, "repeated after failure at change " + failAt);
        }
        assertTrue(failures > 20, "failures " + failures);
    }

    private SetInspection inspect(FileOperations operations) throws IOException {
        return OneDirectory.redset(operations, temporary.resolve("enc"), PathPolicy.within(temporary)).inspect().sets()
                .getFirst();
    }

    private boolean fails(FileOperations operations) throws IOException {
        SetInspection damaged = inspect(operations);
        try {
            damaged.rebuild(total -> bytes -> {});
            return false;
        } catch (IOException expected) {
            assertSays(expected, "No space left");
            return true;
        }
    }

    private void checkNothingIsWrong(Map<String, byte[]> whole, boolean partsMayBeLeft, String when)
            throws IOException {
        for (Map.Entry<String, byte[]> file : VectorSets.snapshot(temporary).entrySet()) {
            byte[] expected = whole.get(file.getKey());
            if (expected == null) {
                assertTrue(partsMayBeLeft && file.getKey().endsWith(PendingFile.EXTENSION),
                        when + ": " + file.getKey());
            } else {
                assertArrayEquals(expected, file.getValue(), when + ": " + file.getKey());
            }
        }
    }

    private void deleteParts() throws IOException {
        for (String name : VectorSets.snapshot(temporary).keySet()) {
            if (name.endsWith(PendingFile.EXTENSION)) {
                Files.delete(temporary.resolve(name));
            }
        }
    }

    @Test
    void anEncodingThatFailsLeavesTheOldOneUntilAllOfTheNewOneIsOnTheDisk() throws IOException {
        Vectors.Case vector = Vectors.named("rs_p4_k1");
        SetDescription set = VectorSets.sets(vector).get(0);
        VectorSets.copyData(vector, temporary);
        List<MemberLocation> locations = VectorSets.locations(set, temporary);
        for (MemberLocation location : locations) {
            Files.writeString(location.redundancy(), "old");
        }
        for (int failAt = 0;; failAt++) {
            FailingFileOperations failing = new FailingFileOperations(failAt, true);
            try {
                SetEncoder.encode(failing, ErasureKernels.preferred(), set, locations);
            } catch (IOException expected) {
                assertSays(expected, "No space left");
            }
            if (!failing.hasFailed() || Files.size(locations.get(0).redundancy()) != 3) {
                assertTrue(failAt > 20, "the first rename came at change " + failAt);
                return;
            }
            for (MemberLocation location : locations) {
                assertEquals("old", Files.readString(location.redundancy()));
            }
            deleteParts();
        }
    }

    @Test
    void replacesNothingWhenWhatItRebuildsFromIsDamaged() throws IOException {
        Vectors.Case vector = Vectors.named("xor_p4");
        SetDescription set = VectorSets.sets(vector).get(0);
        VectorSets.copyData(vector, temporary);
        List<MemberLocation> locations = VectorSets.locations(set, temporary);
        SetEncoder.encode(FileOperations.system(), ErasureKernels.preferred(), set, locations);
        FileDamage.flip(locations.get(1).files().get(0), 100);
        BitSet missing = BitSet.valueOf(new long[]{1 << 3});
        remove(locations, missing);
        SetInspection damaged = inspect(FileOperations.system());
        assertSays(assertThrows(IOException.class, () -> damaged.rebuild(total -> bytes -> {})),
                "nothing was replaced");
        assertFalse(Files.exists(locations.get(3).redundancy()));
        assertFalse(Files.exists(locations.get(3).files().get(0)));
    }

    private static void remove(List<MemberLocation> locations, BitSet ranks) throws IOException {
        for (int rank : ranks.stream().toArray()) {
            Files.deleteIfExists(locations.get(rank).redundancy());
            Files.deleteIfExists(locations.get(rank).descriptor());
            Files.deleteIfExists(locations.get(rank).checksums());
            for (Path file : locations.get(rank).files()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
