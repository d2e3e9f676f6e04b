package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.redset.Vectors;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.offline.DirectorySnapshot;
import org.restorej.redset.internal.offline.SetInspection;

/** Sets that redset wrote, whole or with files lost. */
class OfflineRedsetTest {
    @TempDir
    Path temporary;

    static List<Vectors.Case> vectors() {
        return Vectors.all();
    }

    private VectorDirectory copy(Vectors.Case vector) throws IOException {
        return VectorDirectory.copy(vector, temporary);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void findsTheSetsThatRedsetWroteWhole(Vectors.Case vector) throws IOException {
        VectorDirectory work = copy(vector);
        for (String command : List.of("info", "verify", "list", "rebuild")) {
            work.assertWritesNothing(RedsetCommand.WHOLE, command);
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void rebuildsWhatRedsetWroteFromEveryBearableLossAndRefusesEveryOther(Vectors.Case vector) throws IOException {
        DirectorySnapshot whole = copy(vector).snapshot();
        int ranks = vector.manifest().get("p").asInt();
        for (int mask = 1; mask < 1 << ranks; mask++) {
            VectorDirectory work = copy(vector);
            boolean bearable = true;
            for (SetInspection inspection : work.redset().inspect().sets()) {
                BitSet missing = new BitSet();
                for (RankRecord member : VectorDirectory.members(inspection)) {
                    if (((mask >> member.descriptor().worldRank()) & 1) != 0) {
                        missing.set(member.descriptor().rank());
                    }
                }
                bearable &= inspection.place().scheme().canRebuild(missing, inspection.place().ranks());
                VectorDirectory.remove(inspection, missing);
            }
            DirectorySnapshot damaged = work.snapshot();
            // Where nothing is left, nobody knows that there was a set.
            int lost = work.redset().inspect().sets().isEmpty() ? RedsetCommand.USAGE : RedsetCommand.LOST;
            work.run("info").assertExit(bearable ? RedsetCommand.REPAIRABLE : lost, "mask " + mask);
            work.run("rebuild").assertExit(bearable ? RedsetCommand.REPAIRABLE : lost, "mask " + mask);
            (bearable ? whole : damaged).assertUnchanged("mask " + mask);
        }
    }

    @Test
    void findsFilesThatMoved() throws IOException {
        VectorDirectory work = copy(Vectors.named("rs_p4_k1"));
        Files.move(work.resolve("data"), work.resolve("elsewhere"));
        work.run("verify").assertExit(RedsetCommand.LOST);
        work.run("verify", "--map", "./data=elsewhere").assertExit(RedsetCommand.WHOLE);
        Path outside = Files.createDirectories(temporary.resolve("outside"));
        Files.move(work.resolve("elsewhere"), outside.resolve("data"));
        String map = "./data=" + outside + "/data";
        work.run("verify", "--map", map).assertExit(RedsetCommand.LOST);
        work.run("verify", "--map", map, "--allow", outside.toString()).assertExit(RedsetCommand.WHOLE);
        // Another directory's name that begins alike.
        work.run("verify", "--map", "./dat=" + outside + "/dat", "--allow", outside.toString())
                .assertExit(RedsetCommand.LOST);
    }

    @Test
    void reportsEveryWrongOptionAtOnce() {
        RedsetRun.of("info", "--base", "/no/such/base", "/no/such/directory")
                .assertExit(RedsetCommand.USAGE).assertSays("DIR must be a directory", "--base must be a directory");
        RedsetRun.of("explode").assertExit(RedsetCommand.USAGE);
    }

    @Test
    void namesDamagedFilesOfScrItself() throws IOException {
        VectorDirectory work = copy(Vectors.named("xor_p3"));
        Files.writeString(work.resolve("enc/1_of_3_in_0.xor"), "x");
        work.run("info").assertExit(RedsetCommand.LOST).assertSays("1_of_3_in_0.xor: a block has at least 28 bytes");
    }

    @Test
    void takesTheEncodingThatTheFewestMembersLack() throws IOException {
        VectorDirectory work = copy(Vectors.named("xor_p4"));
        String mixed = "enc/ckpt.1.xor.grp_1_of_1.mem_2_of_4.redset";
        Files.delete(work.resolve(mixed));
        Files.copy(Vectors.named("xor_p4_empty").directory().resolve(mixed), work.resolve(mixed));
        work.run("info").assertExit(RedsetCommand.REPAIRABLE).assertSays("rank 1: its redundancy file is absent, "
                + "unreadable or of another encoding");
        String other = "enc/ckpt.2.xor.grp_1_of_1.mem_3_of_4.redset";
        Files.delete(work.resolve(other));
        Files.copy(Vectors.named("xor_p4_empty").directory().resolve(other), work.resolve(other));
        work.run("info").assertExit(RedsetCommand.LOST);
    }

    @Test
    void refusesToRebuildWhatIsLost() throws IOException {
        VectorDirectory work = copy(Vectors.named("xor_p4"));
        Files.delete(work.resolve("data/r1_f0.bin"));
        Files.delete(work.resolve("data/r3_f0.bin"));
        SetInspection lost = work.redset().verify().sets().get(0);
        assertEquals(SetInspection.State.LOST, lost.state());
        assertThrows(IllegalArgumentException.class, () -> lost.rebuild(total -> bytes -> {}));
        List<RankRecord> members = VectorDirectory.members(lost);
        assertEquals(4, members.size());
        for (RankRecord member : members) {
            for (FileRecord record : member.files()) {
                assertEquals(record.sizeBytes() == 81931 || record.sizeBytes() == 20000,
                        !Files.exists(work.resolve(record.name())), record.name());
            }
        }
    }
}
