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
import java.util.SortedMap;
import java.util.TreeMap;
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
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;
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
        SortedMap<Integer, RankChecksums> checksums = checksums(locations);
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
            SetRebuilder rebuilder = new SetRebuilder(failing, ErasureKernels.preferred(), new SetFormat.OfRedset(set),
                    locations, checksums,
                    missing, 1);
            failed = fails(rebuilder);
            assertEquals(failed, failing.hasFailed());
            failures += failed ? 1 : 0;
            checkNothingIsWrong(whole, crash, "failure at change " + failAt);
            deleteParts();
            new SetRebuilder(FileOperations.system(), ErasureKernels.preferred(), new SetFormat.OfRedset(set),
                    locations,
                    checksums, missing, 2)
                    .rebuild(bytes -> {});
            assertEquals(whole.keySet(), VectorSets.snapshot(temporary).keySet());
            checkNothingIsWrong(whole, false, "repeated after failure at change " + failAt);
        }
        assertTrue(failures > 20, "failures " + failures);
    }

    private static boolean fails(SetRebuilder rebuilder) {
        try {
            rebuilder.rebuild(bytes -> {});
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
        SortedMap<Integer, RankChecksums> checksums = checksums(locations);
        FileDamage.flip(locations.get(1).files().get(0), 100);
        BitSet missing = BitSet.valueOf(new long[]{1 << 3});
        remove(locations, missing);
        SetRebuilder rebuilder = new SetRebuilder(FileOperations.system(), ErasureKernels.preferred(),
                new SetFormat.OfRedset(set), locations,
                checksums, missing, 2);
        assertSays(assertThrows(IOException.class, () -> rebuilder.rebuild(bytes -> {})), "rank 3", "checksum",
                "nothing was replaced");
        assertFalse(Files.exists(locations.get(3).redundancy()));
        assertFalse(Files.exists(locations.get(3).files().get(0)));
    }

    private static SortedMap<Integer, RankChecksums> checksums(List<MemberLocation> locations) throws IOException {
        SortedMap<Integer, RankChecksums> checksums = new TreeMap<>();
        for (MemberLocation location : locations) {
            checksums.putAll(
                    ChecksumFile.decode(Files.readAllBytes(location.checksums())).byRank());
        }
        return checksums;
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
