package org.restorej.redset.internal.offline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.SeededRandom;
import org.restorej.redset.Vectors;
import org.restorej.redset.cli.RedsetCommand;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.Progress;
import org.restorej.redset.internal.coding.SetEncoder;
import org.restorej.redset.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.testing.Depth;
import picocli.CommandLine;

class OfflineRedsetTest {
    private static final int HOSTILE_DIRECTORIES = 300;
    private static final int DEEPLY_HOSTILE_DIRECTORIES = 20_000;

    @TempDir
    Path temporary;

    static List<Vectors.Case> vectors() {
        return Vectors.all();
    }

    private Path work() {
        return temporary.resolve("work");
    }

    private OfflineRedset redset() {
        return new OfflineRedset(work().resolve("enc"), PathPolicy.within(work()), 2);
    }

    /** A directory exactly as redset left it. */
    private void copy(Vectors.Case vector) throws IOException {
        deleteAll();
        try (Stream<Path> files = Files.walk(vector.directory())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = work().resolve(vector.directory().relativize(file).toString());
                Files.createDirectories(target.resolveSibling("."));
                Files.copy(file, target);
            }
        }
        Files.delete(work().resolve("manifest.json"));
    }

    private void deleteAll() throws IOException {
        if (Files.exists(work())) {
            try (Stream<Path> files = Files.walk(work())) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void addChecksums() throws IOException {
        for (SetInspection inspection : redset().inspect()) {
            SetDescription set = Objects.requireNonNull(inspection.description());
            SetEncoder.encode(FileOperations.system(), ErasureKernels.preferred(), set, inspection.locations());
        }
    }

    private Map<String, byte[]> snapshot() throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(temporary)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(temporary.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return contents;
    }

    private void assertSnapshot(Map<String, byte[]> expected, String when) throws IOException {
        Map<String, byte[]> now = snapshot();
        assertEquals(expected.keySet(), now.keySet(), when);
        expected.forEach((name, content) -> assertArrayEquals(content, now.get(name), when + ": " + name));
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--base", work().toString(), work().resolve("enc").toString()));
        return execute(new StringWriter(), all.toArray(String[]::new));
    }

    private static int execute(StringWriter out, String... arguments) {
        CommandLine commandLine = new CommandLine(new RedsetCommand());
        commandLine.setExecutionExceptionHandler(
                (failure, command, parsed) -> RedsetCommand.exitCodeOf(failure));
        return commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute(arguments);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void findsTheSetsThatRedsetWroteWhole(Vectors.Case vector) throws IOException {
        copy(vector);
        Map<String, byte[]> before = snapshot();
        assertEquals(RedsetCommand.WHOLE, run("info"));
        assertEquals(RedsetCommand.WHOLE, run("verify"));
        assertEquals(RedsetCommand.WHOLE, run("list"));
        assertEquals(RedsetCommand.WHOLE, run("rebuild"));
        assertSnapshot(before, "nothing was to be done");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void rebuildsWhatRedsetWroteFromEveryBearableLossAndRefusesEveryOther(Vectors.Case vector) throws IOException {
        copy(vector);
        Map<String, byte[]> whole = snapshot();
        int ranks = vector.manifest().get("p").asInt();
        for (int mask = 1; mask < 1 << ranks; mask++) {
            copy(vector);
            List<SetInspection> before = redset().inspect();
            boolean bearable = true;
            for (SetInspection inspection : before) {
                BitSet missing = new BitSet();
                for (RankRecord member : members(inspection)) {
                    if (((mask >> member.descriptor().worldRank()) & 1) != 0) {
                        missing.set(member.descriptor().rank());
                    }
                }
                bearable &= inspection.place().scheme().canRebuild(missing, inspection.place().ranks());
                remove(inspection, missing);
            }
            Map<String, byte[]> damaged = snapshot();
            // Where nothing is left, nobody knows that there was a set.
            int lost = redset().inspect().isEmpty() ? RedsetCommand.USAGE : RedsetCommand.LOST;
            assertEquals(bearable ? RedsetCommand.REPAIRABLE : lost, run("info"), "mask " + mask);
            assertEquals(bearable ? RedsetCommand.REPAIRABLE : lost, run("rebuild"), "mask " + mask);
            assertSnapshot(bearable ? whole : damaged, "mask " + mask);
        }
    }

    private static List<RankRecord> members(SetInspection inspection) {
        SetDescription set = inspection.description();
        return set == null ? List.of() : set.members();
    }

    private static void remove(SetInspection inspection, BitSet ranks) throws IOException {
        for (int rank : ranks.stream().toArray()) {
            MemberLocation location = inspection.locations().get(rank);
            Files.delete(location.redundancy());
            Files.delete(location.descriptor());
            Files.deleteIfExists(location.checksums());
            for (Path file : location.files()) {
                Files.delete(file);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"xor_p4", "rs_p4_k2", "partner_p4_r2"})
    void findsAndRepairsAFlippedBitAnywhere(String name) throws IOException {
        SeededRandom random = SeededRandom.forTest("findsAndRepairsAFlippedBitAnywhere");
        copy(Vectors.named(name));
        addChecksums();
        Map<String, byte[]> whole = snapshot();
        for (Map.Entry<String, byte[]> file : whole.entrySet()) {
            for (int i = 0; i < 4 && file.getValue().length > 0; i++) {
                byte[] flipped = file.getValue().clone();
                int at = random.nextInt(flipped.length);
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(temporary.resolve(file.getKey()), flipped);
                String what = file.getKey() + ", byte " + at;
                assertEquals(RedsetCommand.REPAIRABLE, run("verify"), what);
                assertEquals(RedsetCommand.REPAIRABLE, run("rebuild"), what);
                assertSnapshot(whole, what);
                assertEquals(RedsetCommand.WHOLE, run("verify"), what);
            }
        }
    }

    @Test
    void findsAFlippedBitWithoutChecksumsButDoesNotGuessWhere() throws IOException {
        copy(Vectors.named("rs_p4_k2"));
        Path file = work().resolve("data/r1_f0.bin");
        byte[] content = Files.readAllBytes(file);
        content[7] ^= 1;
        Files.write(file, content);
        Map<String, byte[]> before = snapshot();
        assertEquals(RedsetCommand.WHOLE, run("info"));
        assertEquals(RedsetCommand.LOST, run("verify"));
        assertEquals(RedsetCommand.LOST, run("rebuild"));
        assertSnapshot(before, "nothing may be written");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs_p4_k2", "partner_p4_r2"})
    void asksSpareRedundancyBeforeItRebuildsFromWhatMayBeDamaged(String name) throws IOException {
        copy(Vectors.named(name));
        Path file = work().resolve("data/r1_f0.bin");
        byte[] content = Files.readAllBytes(file);
        content[7] ^= 1;
        Files.write(file, content);
        remove(redset().inspect().get(0), BitSet.valueOf(new long[]{0b100}));
        Map<String, byte[]> before = snapshot();
        assertEquals(RedsetCommand.REPAIRABLE, run("info"));
        assertEquals(RedsetCommand.LOST, run("rebuild"));
        assertSnapshot(before, "nothing may be rebuilt from a flipped bit that spare redundancy shows");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xor_p4", "rs_p4_k2", "partner_p4_r2"})
    void leavesNoDamagedFileOfChecksumsWhenItSaysRebuilt(String name) throws IOException {
        copy(Vectors.named(name));
        addChecksums();
        Map<String, byte[]> whole = snapshot();
        for (String file : whole.keySet()) {
            if (file.endsWith(".checksums")) {
                Files.write(temporary.resolve(file), new byte[]{1, 2, 3});
            }
        }
        assertEquals(RedsetCommand.REPAIRABLE, run("rebuild"));
        assertSnapshot(whole, "all files of checksums were damaged");
        assertEquals(RedsetCommand.WHOLE, run("verify"));
    }

    @Test
    void doesNotSayRebuiltOfChecksumsThatNothingTells() throws IOException {
        copy(Vectors.named("single_p4"));
        addChecksums();
        String file = snapshot().keySet().stream().filter(name -> name.endsWith(".checksums")).findFirst()
                .orElseThrow();
        Files.write(temporary.resolve(file), new byte[]{1, 2, 3});
        assertEquals(RedsetCommand.LOST, run("rebuild"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writesThroughSymbolicLinks(boolean targetIsThere) throws IOException {
        copy(Vectors.named("xor_p4"));
        Path link = work().resolve("data/r1_f0.bin");
        Path target = work().resolve("elsewhere.bin");
        byte[] content = Files.readAllBytes(link);
        Files.move(link, target);
        Files.createSymbolicLink(link, Path.of("../elsewhere.bin"));
        if (targetIsThere) {
            Files.write(target, new byte[]{1});
        } else {
            Files.delete(target);
        }
        assertEquals(RedsetCommand.REPAIRABLE, run("rebuild"));
        assertTrue(Files.isSymbolicLink(link));
        assertArrayEquals(content, Files.readAllBytes(target));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writesThroughNoLinkThatLeadsOut(boolean targetIsThere) throws IOException {
        copy(Vectors.named("xor_p4"));
        Path link = work().resolve("data/r1_f0.bin");
        Path outside = temporary.resolve("outside.bin");
        if (targetIsThere) {
            Files.write(outside, new byte[]{1});
        }
        Files.delete(link);
        Files.createSymbolicLink(link, outside);
        assertEquals(RedsetCommand.LOST, run("rebuild"));
        assertEquals(targetIsThere, Files.exists(outside));
        assertTrue(!targetIsThere || Files.size(outside) == 1);
        Files.deleteIfExists(outside);
    }

    @Test
    void ignoresChecksumsOfAnotherEncoding() throws IOException {
        copy(Vectors.named("xor_p4"));
        addChecksums();
        Map<String, byte[]> old = snapshot();
        copy(Vectors.named("xor_p4_empty"));
        for (Map.Entry<String, byte[]> file : old.entrySet()) {
            if (file.getKey().endsWith(".checksums")) {
                Files.write(temporary.resolve(file.getKey()), file.getValue());
            }
        }
        SetInspection inspection = redset().verify().get(0);
        assertEquals(SetInspection.State.WHOLE, inspection.state());
        assertTrue(inspection.notes().get(0).contains("another encoding"), inspection.notes().toString());
    }

    @Test
    void refusesHeadersOfDifferentEncodings() throws IOException {
        copy(Vectors.named("xor_p4"));
        Path mixed = Path.of("enc/ckpt.1.xor.grp_1_of_1.mem_2_of_4.redset");
        Files.delete(work().resolve(mixed));
        Files.copy(Vectors.named("xor_p4_empty").directory().resolve(mixed), work().resolve(mixed));
        assertEquals(RedsetCommand.LOST, run("info"));
    }

    @Test
    void neverWritesOutsideTheDirectoriesAllowed() throws IOException {
        for (String name : List.of("../evil", temporary + "/evil", "data/../../evil", "link/evil")) {
            copy(Vectors.named("xor_p4_empty"));
            Files.createSymbolicLink(work().resolve("link"), temporary);
            renameRecordedFile("./data/r3_f0.bin", name);
            Files.delete(work().resolve("enc/ckpt.3.xor.grp_1_of_1.mem_4_of_4.redset"));
            assertEquals(RedsetCommand.LOST, run("rebuild"), name);
            assertFalse(Files.exists(temporary.resolve("evil")), name);
        }
    }

    private void renameRecordedFile(String from, String to) throws IOException {
        try (Stream<Path> files = Files.list(work().resolve("enc"))) {
            for (Path file : files.toList()) {
                byte[] bytes = Files.readAllBytes(file);
                KvTreeBlock block = KvTreeBlock.decode(bytes);
                byte[] header = KvTreeBlock.encode(renamed(block.tree(), from, to));
                byte[] changed = Arrays.copyOf(header, header.length + bytes.length - block.sizeBytes());
                System.arraycopy(bytes, block.sizeBytes(), changed, header.length, bytes.length - block.sizeBytes());
                Files.write(file, changed);
            }
        }
    }

    private static KvTree renamed(KvTree tree, String from, String to) {
        KvTree.Builder builder = KvTree.builder();
        for (String key : tree.keys()) {
            KvTree child = tree.child(key);
            builder.put(key.equals(from) ? to : key, child == null ? KvTree.EMPTY : renamed(child, from, to));
        }
        return builder.build();
    }

    @Test
    void findsFilesThatMoved() throws IOException {
        copy(Vectors.named("rs_p4_k1"));
        Files.move(work().resolve("data"), work().resolve("elsewhere"));
        assertEquals(RedsetCommand.LOST, run("verify"));
        assertEquals(RedsetCommand.WHOLE, run("verify", "--map", "./data=elsewhere"));
        Path outside = Files.createDirectories(temporary.resolve("outside"));
        Files.move(work().resolve("elsewhere"), outside.resolve("data"));
        assertEquals(RedsetCommand.LOST, run("verify", "--map", "./data=" + outside + "/data"));
        assertEquals(RedsetCommand.WHOLE,
                run("verify", "--map", "./data=" + outside + "/data", "--allow", outside.toString()));
    }

    @Test
    void reportsEveryWrongOptionAtOnce() {
        StringWriter out = new StringWriter();
        int exitCode = execute(out, "info", "--base", "/no/such/base", "--threads", "0", "/no/such/directory");
        assertEquals(RedsetCommand.USAGE, exitCode);
        for (String part : List.of("DIR must be a directory", "--base must be a directory",
                "--threads must be in 1..1024")) {
            assertTrue(out.toString().contains(part), out.toString());
        }
        assertEquals(RedsetCommand.USAGE, execute(new StringWriter(), "explode"));
    }

    @Test
    void namesDamagedFilesOfScrItself() throws IOException {
        copy(Vectors.named("xor_p3"));
        Files.writeString(work().resolve("enc/1_of_3_in_0.xor"), "x");
        StringWriter out = new StringWriter();
        assertEquals(RedsetCommand.LOST,
                execute(out, "info", "--base", work().toString(), work().resolve("enc").toString()));
        assertTrue(out.toString().contains("1_of_3_in_0.xor: a block has at least 28 bytes"), out.toString());
    }

    @Test
    void survivesHostileDirectories() throws IOException {
        SeededRandom random = SeededRandom.forTest("survivesHostileDirectories");
        int answers = 0;
        int runs = Depth.trials(HOSTILE_DIRECTORIES, DEEPLY_HOSTILE_DIRECTORIES);
        for (int run = 0; run < runs; run++) {
            List<Vectors.Case> vectors = vectors();
            Vectors.Case vector = vectors.get(random.nextInt(vectors.size()));
            copy(vector);
            List<Path> files = vector.encodedFiles();
            for (int i = random.nextInt(3); i >= 0; i--) {
                Path file = work().resolve("enc").resolve(files.get(random.nextInt(files.size())).getFileName());
                mutateHeader(random, file);
            }
            StringWriter out = new StringWriter();
            int code = execute(out, "rebuild", "--base", work().toString(), work().resolve("enc").toString());
            // Where no header is left that can be read, there is no set.
            assertTrue(code != RedsetCommand.USAGE || out.toString().startsWith("no redundancy set was found"),
                    out::toString);
            try (Stream<Path> above = Files.list(temporary)) {
                assertEquals(1, above.count(), "something was written outside");
            }
            answers++;
        }
        assertEquals(runs, answers);
    }

    /** Changes one value or key of a header, which stays sound as a block. */
    private static void mutateHeader(SeededRandom random, Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        KvTreeBlock block = KvTreeBlock.decode(bytes);
        byte[] header = KvTreeBlock.encode(mutated(random, block.tree()));
        byte[] changed = Arrays.copyOf(header, header.length + bytes.length - block.sizeBytes());
        System.arraycopy(bytes, block.sizeBytes(), changed, header.length, bytes.length - block.sizeBytes());
        Files.write(file, changed);
    }

    private static KvTree mutated(SeededRandom random, KvTree tree) {
        List<String> values = List.of("0", "1", "2", "255", "2147483647", "9223372036854775807", "-1", "", "../x",
                "/etc/x");
        KvTree.Builder builder = KvTree.builder();
        int chosen = random.nextInt(Math.max(1, tree.keys().size()));
        for (int i = 0; i < tree.keys().size(); i++) {
            String key = tree.keys().get(i);
            KvTree child = Objects.requireNonNull(tree.child(key));
            if (i == chosen && (child.isEmpty() || random.nextInt(8) == 0)) {
                key = values.get(random.nextInt(values.size()));
            } else if (i == chosen) {
                child = mutated(random, child);
            }
            try {
                builder.put(key, child);
            } catch (IllegalArgumentException alreadyThere) {
                // Two keys can't be the same: one of them is dropped.
            }
        }
        return builder.build();
    }

    @Test
    void refusesToRebuildWhatIsLost() throws IOException {
        copy(Vectors.named("xor_p4"));
        Files.delete(work().resolve("data/r1_f0.bin"));
        Files.delete(work().resolve("data/r3_f0.bin"));
        SetInspection lost = redset().verify().get(0);
        assertEquals(SetInspection.State.LOST, lost.state());
        assertThrows(IllegalArgumentException.class, () -> redset().rebuild(lost, Progress.NONE));
        assertEquals(4, members(lost).size());
        for (RankRecord member : members(lost)) {
            for (FileRecord record : member.files()) {
                assertEquals(record.sizeBytes() == 81931 || record.sizeBytes() == 20000,
                        !Files.exists(work().resolve(record.name())), record.name());
            }
        }
    }
}
