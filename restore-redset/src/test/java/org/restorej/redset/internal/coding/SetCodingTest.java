package org.restorej.redset.internal.coding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.redset.Vectors;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.offline.OneDirectory;

class SetCodingTest {
    private static final FileOperations FILES = FileOperations.system();

    /** How many sets of lost ranks each vector can bear: subsets of 1 to k, and for PARTNER not k + 1 in a row. */
    private static final Map<String, Integer> BEARABLE = Map.of("single_p4", 0, "xor_p3", 3, "xor_p4", 4,
            "xor_p4_empty", 4,
            "rs_p4_k1", 4, "rs_p4_k2", 10, "partner_p4_r2", 10);

    @TempDir
    Path temporary;

    static List<Vectors.Case> vectors() {
        return Vectors.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void encodesExactlyWhatRedsetWrote(Vectors.Case vector) throws IOException {
        for (ErasureKernel kernel : ErasureKernels.available()) {
            Path directory = temporary.resolve(kernel.name());
            encode(vector, directory, kernel);
            for (Path original : vector.encodedFiles()) {
                assertArrayEquals(Files.readAllBytes(original),
                        Files.readAllBytes(directory.resolve("enc").resolve(original.getFileName())),
                        original.toString());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void rebuildsEveryBearableLoss(Vectors.Case vector) throws IOException {
        encode(vector, temporary, ErasureKernels.preferred());
        Map<String, byte[]> whole = VectorSets.snapshot(temporary);
        int rebuilt = 0;
        for (SetDescription set : VectorSets.sets(vector)) {
            List<MemberLocation> locations = VectorSets.locations(set, temporary);
            for (int mask = 1; mask < 1 << set.ranks(); mask++) {
                BitSet missing = BitSet.valueOf(new long[]{mask});
                if (set.scheme().canRebuild(missing, set.ranks())) {
                    removeAll(locations, missing);
                    boolean withoutChecksums = mask % 2 == 1;
                    for (int rank = 0; rank < set.ranks() && withoutChecksums; rank++) {
                        Files.deleteIfExists(locations.get(rank).checksums());
                    }
                    rebuild(set.member(0).descriptor().group());
                    checkWhole(whole, withoutChecksums);
                    checkMetadata(set, locations);
                    restoreChecksumFiles(whole);
                    rebuilt++;
                }
            }
        }
        assertEquals(BEARABLE.get(vector.toString()), rebuilt);
    }

    private static void encode(Vectors.Case vector, Path directory, ErasureKernel kernel) throws IOException {
        VectorSets.copyData(vector, directory);
        for (SetDescription set : VectorSets.sets(vector)) {
            SetEncoder.encode(FILES, kernel, set, VectorSets.locations(set, directory));
        }
    }

    private static void removeAll(List<MemberLocation> locations, BitSet ranks) throws IOException {
        for (int rank : ranks.stream().toArray()) {
            MemberLocation location = locations.get(rank);
            Files.delete(location.redundancy());
            Files.delete(location.descriptor());
            Files.delete(location.checksums());
            for (Path file : location.files()) {
                Files.delete(file);
            }
        }
    }

    private void rebuild(int group) throws IOException {
        long[] bytes = new long[2];
        OneDirectory.redset(temporary.resolve("enc"), PathPolicy.within(temporary)).inspect().sets().get(group)
                .rebuild(total -> {
                    bytes[0] = total;
                    return done -> bytes[1] += done;
                });
        assertEquals(bytes[0], bytes[1]);
    }

    private void checkWhole(Map<String, byte[]> whole, boolean withoutChecksums) throws IOException {
        Map<String, byte[]> now = VectorSets.snapshot(temporary);
        whole.forEach((name, content) -> {
            byte[] actual = now.get(name);
            if (!(withoutChecksums && name.endsWith(".checksums"))) {
                assertTrue(actual != null, name + " is missing");
                assertArrayEquals(content, actual, name);
            }
        });
        assertTrue(whole.keySet().containsAll(now.keySet()), "left behind: " + now.keySet());
    }

    private static void checkMetadata(SetDescription set, List<MemberLocation> locations) throws IOException {
        for (RankRecord member : set.members()) {
            for (int i = 0; i < member.files().size(); i++) {
                FileRecord record = member.files().get(i);
                FileMetadata recorded = Objects.requireNonNull(record.metadata());
                FileMetadata actual = FILES.metadata(locations.get(member.descriptor().rank()).files().get(i));
                assertEquals(recorded.mode(), actual.mode(), record.name());
                assertEquals(recorded.modificationTime(), actual.modificationTime(), record.name());
                assertEquals(recorded.userId(), actual.userId(), record.name());
            }
        }
    }

    private void restoreChecksumFiles(Map<String, byte[]> whole) throws IOException {
        for (Map.Entry<String, byte[]> entry : whole.entrySet()) {
            if (entry.getKey().endsWith(".checksums")) {
                Files.write(temporary.resolve(entry.getKey()), entry.getValue());
            }
        }
    }
}
