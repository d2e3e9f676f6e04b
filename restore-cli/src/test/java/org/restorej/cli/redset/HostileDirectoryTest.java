package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.FileDamage;
import org.restorej.redset.ProgramRun;
import org.restorej.testing.SeededRandom;
import org.restorej.redset.Vectors;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.testing.Deep;

/** Links and headers that lead out of the directories allowed, and headers with any values. */
class HostileDirectoryTest {
    private static final int HOSTILE_DIRECTORIES = 40;
    private static final int DEEPLY_HOSTILE_DIRECTORIES = 4_000;

    @TempDir
    Path temporary;

    private VectorDirectory copy(String vector) throws IOException {
        return VectorDirectory.copy(Vectors.named(vector), temporary);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writesThroughSymbolicLinks(boolean targetIsThere) throws IOException {
        VectorDirectory work = copy("xor_p4");
        Path link = work.resolve("data/r1_f0.bin");
        Path target = work.resolve("elsewhere.bin");
        byte[] content = Files.readAllBytes(link);
        Files.move(link, target);
        Files.createSymbolicLink(link, Path.of("../elsewhere.bin"));
        if (targetIsThere) {
            Files.write(target, new byte[]{1});
        } else {
            Files.delete(target);
        }
        work.run("rebuild").assertExit(RedsetCommand.REPAIRABLE);
        assertTrue(Files.isSymbolicLink(link));
        assertArrayEquals(content, Files.readAllBytes(target));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writesThroughNoLinkThatLeadsOut(boolean targetIsThere) throws IOException {
        VectorDirectory work = copy("xor_p4");
        Path link = work.resolve("data/r1_f0.bin");
        Path outside = temporary.resolve("outside.bin");
        if (targetIsThere) {
            Files.write(outside, new byte[]{1});
        }
        Files.delete(link);
        Files.createSymbolicLink(link, outside);
        work.run("rebuild").assertExit(RedsetCommand.LOST);
        assertEquals(targetIsThere, Files.exists(outside));
        assertTrue(!targetIsThere || Files.size(outside) == 1);
        Files.deleteIfExists(outside);
    }

    @Test
    void neverWritesOutsideTheDirectoriesAllowed() throws IOException {
        for (String name : List.of("../evil", temporary + "/evil", "data/../../evil", "link/evil")) {
            VectorDirectory work = copy("xor_p4_empty");
            Files.createSymbolicLink(work.resolve("link"), temporary);
            renameRecordedFile(work, "./data/r3_f0.bin", name);
            Files.delete(work.resolve("enc/ckpt.3.xor.grp_1_of_1.mem_4_of_4.redset"));
            work.run("rebuild").assertExit(RedsetCommand.LOST, name);
            assertFalse(Files.exists(temporary.resolve("evil")), name);
        }
    }

    private static void renameRecordedFile(VectorDirectory work, String from, String to) throws IOException {
        try (Stream<Path> files = Files.list(work.resolve("enc"))) {
            for (Path file : files.toList()) {
                Files.write(file, FileDamage.withHeader(Files.readAllBytes(file), tree -> renamed(tree, from, to)));
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
    void survivesHostileDirectories() throws IOException {
        rebuildHostile(HOSTILE_DIRECTORIES, SeededRandom.forTest("survivesHostileDirectories"));
    }

    @Deep
    @Test
    void survivesManyHostileDirectories() throws IOException {
        rebuildHostile(DEEPLY_HOSTILE_DIRECTORIES, SeededRandom.forTest("survivesManyHostileDirectories"));
    }

    private void rebuildHostile(int runs, SeededRandom random) throws IOException {
        int answers = 0;
        List<Vectors.Case> vectors = Vectors.all();
        for (int run = 0; run < runs; run++) {
            Vectors.Case vector = vectors.get(random.nextInt(vectors.size()));
            VectorDirectory work = VectorDirectory.copy(vector, temporary);
            List<Path> files = vector.encodedFiles();
            for (int i = random.nextInt(3); i >= 0; i--) {
                Path file = work.resolve("enc").resolve(files.get(random.nextInt(files.size())).getFileName());
                Files.write(file, FileDamage.withHeader(Files.readAllBytes(file), tree -> mutated(random, tree)));
            }
            ProgramRun rebuild = work.run("rebuild");
            assertNotEquals(RedsetCommand.FAILED, rebuild.exitCode(), rebuild::text);
            // Where no header is left that can be read, there is no set.
            assertTrue(rebuild.exitCode() != RedsetCommand.USAGE
                    || rebuild.text().startsWith("no redundancy set was found"), rebuild::text);
            try (Stream<Path> above = Files.list(temporary)) {
                assertEquals(1, above.count(), "something was written outside");
            }
            answers++;
        }
        assertEquals(runs, answers);
    }

    /** With one value or key changed. */
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
}
