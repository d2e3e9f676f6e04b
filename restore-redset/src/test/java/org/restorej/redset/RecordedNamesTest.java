package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;

/** Names that are recorded beside the files lead where the program allows it, and nowhere else. */
class RecordedNamesTest {
    private static final int RANKS = 3;
    private static final int VICTIM = 1;
    private static final String RULE = "leads out of the directories allowed";

    private final RankDirectory inside = new RankDirectory();
    private final RankDirectory outside = new RankDirectory();

    @AfterEach
    void removeDirectories() {
        inside.close();
        outside.close();
    }

    private Redset.Builder builder(Communicator world) {
        return Redset.builder(world).scheme(Scheme.xor()).failureGroup("host" + world.rank()).directory(inside.path())
                .base(inside.path());
    }

    /** A name of the victim's file, which is outside; those of the others are inside. */
    private Path nameOutside(String kind) {
        Path file = outside.write("data", new byte[]{1, 2, 3});
        return switch (kind) {
            case "absolute" -> file;
            case ".." -> inside.path().relativize(file);
            case "link to a directory" -> link("link", outside.path()).resolve("data");
            case "link to a file" -> link("link", file);
            default -> throw new IllegalArgumentException("no such kind: kind=" + kind);
        };
    }

    private Path link(String name, Path target) {
        try {
            return Files.createSymbolicLink(inside.path().resolve(name), target);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private List<Path> filesOf(Communicator world, Path ofVictim) {
        return List.of(world.rank() == VICTIM
                ? ofVictim
                : inside.write("data." + world.rank(), new byte[]{(byte) world.rank()}));
    }

    @ParameterizedTest
    @ValueSource(strings = {"absolute", "..", "link to a directory", "link to a file"})
    void applyRefusesOnAllRanksWhatRecoverWouldRefuse(String kind) {
        Path name = nameOutside(kind);
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = builder(world).build()) {
                IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                        () -> redset.apply(filesOf(world, name)));
                assertSays(refused, "on rank " + VICTIM + ": paths[0] must be in a directory", RULE, name.toString());
                assertEquals(List.of(), redset.redundancyFiles());
            }
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"absolute", "..", "link to a directory", "link to a file"})
    void recoverWritesNothingOutsideTheDirectoriesAllowed(String kind) {
        Path name = nameOutside(kind);
        protect(name);
        outside.delete("data");
        for (String lost : List.of("the file", "the file and its redundancy")) {
            if (!lost.equals("the file")) {
                loseRedundancyOfVictim();
            }
            Map<String, byte[]> before = inside.snapshot();
            LocalCluster.run(RANKS, world -> {
                try (Redset redset = builder(world).build()) {
                    RedsetException refused = assertThrows(RedsetException.class, redset::recover, lost);
                    assertEquals(Set.of(VICTIM), refused.failures().keySet(), lost);
                    assertSays(refused, RULE, name.toString());
                }
                return true;
            });
            assertEquals(Map.of(), outside.snapshot(), lost);
            inside.require(before, "after a refusal with a loss of " + lost);
        }
    }

    @Test
    void namesThatLeadOutAreNoLossHoweverManyTheyAre() {
        LocalCluster.run(RANKS, world -> {
            Path file = outside.write("data." + world.rank(), new byte[]{1});
            try (Redset trusting = builder(world).trustRecordedNames().build();
                    Redset redset = builder(world).build()) {
                trusting.apply(List.of(file));
                RedsetException refused = assertThrows(RedsetException.class, redset::recover);
                assertEquals(Set.of(0, 1, 2), refused.failures().keySet());
            }
            return true;
        });
    }

    private void protect(Path ofVictim) {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = builder(world).trustRecordedNames().build()) {
                redset.apply(filesOf(world, ofVictim));
            }
            return true;
        });
    }

    private void loseRedundancyOfVictim() {
        inside.snapshot().keySet().stream().filter(name -> name.startsWith("rank." + VICTIM + "."))
                .forEach(inside::delete);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recoverWritesWhereTheProgramAllowsIt(boolean trusts) {
        Path name = nameOutside("absolute");
        LocalCluster.run(RANKS, world -> {
            Redset.Builder builder = trusts
                    ? builder(world).trustRecordedNames()
                    : builder(world).allow(outside.path());
            try (Redset redset = builder.build()) {
                redset.apply(filesOf(world, name));
                if (world.rank() == VICTIM) {
                    outside.lose();
                }
                assertEquals(Set.of(VICTIM), redset.recover().rebuiltRanks());
            }
            return true;
        });
        outside.require(Map.of("data", new byte[]{1, 2, 3}), "after a recovery");
    }

    @Test
    void refusesNamesThatMeanOneFileToTheSystemAndAnotherByTheirText() throws IOException {
        Path elsewhere = Files.createDirectories(outside.path().resolve("x/y"));
        link("link", elsewhere);
        outside.write("x/data", new byte[]{1});
        inside.write("data", new byte[]{2});
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = builder(world).allow(outside.path()).build()) {
                IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                        () -> redset.apply(filesOf(world, Path.of("link/../data"))));
                assertSays(refused, "paths[0] must not have .. behind a symbolic link: paths[0]=link/../data");
            }
            return true;
        });
        assertTrue(Files.isDirectory(elsewhere));
    }

    @Test
    void datasetsTakeFilesOfTheirDirectoryOnly() {
        LocalCluster.run(RANKS, world -> {
            RedundancyConfiguration configuration = RedundancyConfiguration.of(new RedundancyDescriptor(1,
                    RedundancyConfiguration.GROUP_NODE, inside.path(), Scheme.xor(), RANKS));
            try (Datasets datasets = new Datasets(world, configuration, "job", "host" + world.rank(),
                    false)) {
                datasets.begin(1);
                Path file = outside.write("data." + world.rank(), new byte[]{1});
                IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                        () -> datasets.complete(1, List.of(file)));
                assertSays(refused, RULE, inside.path().resolve("job/checkpoint.1").toString(), file.toString());
                assertFalse(datasets.restart().isPresent());
            }
            return true;
        });
    }
}
