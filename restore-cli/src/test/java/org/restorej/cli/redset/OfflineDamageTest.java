package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.FileDamage;
import org.restorej.redset.Vectors;
import org.restorej.redset.internal.offline.DirectorySnapshot;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.testing.Deep;
import org.restorej.testing.SeededRandom;

/** Wrong content of files of redset, found by checksums or by spare redundancy. */
class OfflineDamageTest {
    @TempDir
    Path temporary;

    private VectorDirectory copy(String vector) throws IOException {
        return VectorDirectory.copy(Vectors.named(vector), temporary);
    }

    private VectorDirectory copyWithChecksums(String vector) throws IOException {
        VectorDirectory work = copy(vector);
        work.addChecksums();
        return work;
    }

    @Test
    void findsAndRepairsAFlippedBitAnywhere() throws IOException {
        flipBits("rs_p4_k2", 1);
    }

    @Deep
    @ParameterizedTest
    @ValueSource(strings = {"rs_p4_k2", "xor_p4", "partner_p4_r2"})
    void findsAndRepairsFlippedBitsAnywhereWithAnyScheme(String name) throws IOException {
        flipBits(name, 4);
    }

    private void flipBits(String name, int bitsOfEachFile) throws IOException {
        SeededRandom random = SeededRandom.forTest("findsAndRepairsAFlippedBitAnywhere");
        VectorDirectory work = copyWithChecksums(name);
        DirectorySnapshot whole = work.snapshot();
        for (Map.Entry<String, byte[]> file : whole.files().entrySet()) {
            for (int i = 0; i < bitsOfEachFile && file.getValue().length > 0; i++) {
                byte[] flipped = file.getValue().clone();
                int at = random.nextInt(flipped.length);
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(temporary.resolve(file.getKey()), flipped);
                String what = file.getKey() + ", byte " + at;
                work.run("verify").assertExit(RedsetCommand.REPAIRABLE, what);
                work.run("rebuild").assertExit(RedsetCommand.REPAIRABLE, what);
                whole.assertUnchanged(what);
                work.run("verify").assertExit(RedsetCommand.WHOLE, what);
            }
        }
    }

    @Test
    void findsAFlippedBitWithoutChecksumsButDoesNotGuessWhere() throws IOException {
        VectorDirectory work = copy("rs_p4_k2");
        FileDamage.flip(work.resolve("data/r1_f0.bin"), 7);
        work.assertWritesNothing(RedsetCommand.WHOLE, "info");
        work.assertWritesNothing(RedsetCommand.LOST, "verify");
        work.assertWritesNothing(RedsetCommand.LOST, "rebuild");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs_p4_k2", "partner_p4_r2"})
    void asksLeftoverRedundancyBeforeItRebuildsFromWhatMayBeDamaged(String name) throws IOException {
        VectorDirectory work = copy(name);
        FileDamage.flip(work.resolve("data/r1_f0.bin"), 7);
        VectorDirectory.remove(work.redset().inspect().sets().get(0), BitSet.valueOf(new long[]{0b100}));
        work.assertWritesNothing(RedsetCommand.REPAIRABLE, "info");
        work.assertWritesNothing(RedsetCommand.LOST, "rebuild");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xor_p4", "single_p4"})
    void trustsContentsWhoseChecksumsNoFileTells(String name) throws IOException {
        VectorDirectory work = copyWithChecksums(name);
        for (String file : work.snapshot().files().keySet()) {
            if (file.endsWith(".checksums")) {
                Files.write(temporary.resolve(file), new byte[]{1, 2, 3});
            }
        }
        work.assertWritesNothing(RedsetCommand.WHOLE, "rebuild").assertSays("files of checksums of ranks [0",
                "are absent, damaged or of another encoding: their contents are trusted, as redset does");
    }

    @Test
    void ignoresChecksumsOfAnotherEncoding() throws IOException {
        DirectorySnapshot old = copyWithChecksums("xor_p4").snapshot();
        VectorDirectory work = copy("xor_p4_empty");
        for (Map.Entry<String, byte[]> file : old.files().entrySet()) {
            if (file.getKey().endsWith(".checksums")) {
                Files.write(temporary.resolve(file.getKey()), file.getValue());
            }
        }
        SetInspection inspection = work.redset().verify().sets().get(0);
        assertEquals(SetInspection.State.WHOLE, inspection.state());
        assertTrue(inspection.notes().get(0).contains("another encoding"), inspection.notes().toString());
    }
}
