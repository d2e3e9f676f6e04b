package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.redset.scheme.Scheme;
import org.restorej.redset.sets.RedundancyConfiguration;
import org.restorej.redset.sets.RedundancyDescriptor;
import org.restorej.redset.sets.SmallSets;

/** What datasets promise on any number of ranks, each with stores of its own. */
public final class DatasetPrograms implements ContractSuite {
    /** All programs. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("protects by the largest interval and keeps the newest", 3,
                    DatasetPrograms::keepsTheNewest),
            new ContractProgram("restarts from the newest, and from the one before when that is lost", 3,
                    DatasetPrograms::fallsBack),
            new ContractProgram("passes over a checkpoint that was not completed", 2,
                    DatasetPrograms::passesOverTheUnfinished),
            new ContractProgram("starts anew where there is nothing", 1, DatasetPrograms::startsAnew));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static RedundancyConfiguration configuration(Path root) {
        Path often = root.resolve("often");
        Path seldom = root.resolve("seldom");
        return new RedundancyConfiguration(List.of(
                new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, often, Scheme.xor(), 3),
                new RedundancyDescriptor(3, "RACK", seldom, Scheme.rs(2), 3)),
                Map.of(), Map.of(often, 2), 1);
    }

    private static Datasets datasets(Communicator world, Path root) {
        RedundancyConfiguration plain = configuration(root);
        String host = "host" + world.rank();
        return new Datasets(world, new RedundancyConfiguration(plain.descriptors(),
                Map.of(host, Map.of("RACK", "rack" + world.rank())), plain.keepCounts(), plain.defaultKeepCount()),
                "job", host, SmallSets.REFUSE);
    }

    private static Path write(Datasets datasets, long id, int rank) {
        byte[] content = new byte[1000 + rank];
        new Random(id * 100 + rank).nextBytes(content);
        try {
            return Files.write(datasets.begin(id).resolve("state." + rank), content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void checkpoint(Datasets datasets, long id, int rank) {
        datasets.complete(id, List.of(write(datasets, id, rank)));
    }

    private static void keepsTheNewest(Communicator world) {
        try (RankDirectory root = new RankDirectory(); Datasets datasets = datasets(world, root.path())) {
            for (long id = 1; id <= 8; id++) {
                checkpoint(datasets, id, world.rank());
            }
            List<String> states = root.snapshot().keySet().stream().filter(file -> file.contains("state")).toList();
            String state = "/state." + world.rank();
            equal(List.of("often/job/checkpoint.7" + state, "often/job/checkpoint.8" + state,
                    "seldom/job/checkpoint.6" + state), states, "what is kept");
            holds(root.snapshot().keySet().stream()
                    .anyMatch(file -> file.startsWith("seldom") && file.contains(".rs.")),
                    "each by its scheme");
        }
    }

    private static void fallsBack(Communicator world) {
        try (RankDirectory root = new RankDirectory(); Datasets datasets = datasets(world, root.path())) {
            for (long id = 6; id <= 8; id++) {
                checkpoint(datasets, id, world.rank());
            }
            if (world.rank() == 0) {
                root.lose();
            }
            requireRestart(datasets, 8, world.rank());
            if (world.rank() < 2) {
                root.delete("often/job/checkpoint.8/state." + world.rank());
            }
            requireRestart(datasets, 7, world.rank());
            if (world.rank() < 2) {
                root.delete("often/job/checkpoint.7/state." + world.rank());
            }
            requireRestart(datasets, 6, world.rank());
        }
    }

    private static void requireRestart(Datasets datasets, long id, int rank) {
        Dataset dataset = datasets.restart().orElseThrow(() -> new AssertionError("there is checkpoint " + id));
        equal(id, dataset.id(), "newest recoverable checkpoint");
        equal(List.of(dataset.directory().resolve("state." + rank)), dataset.files(), "files");
        byte[] expected = new byte[1000 + rank];
        new Random(id * 100 + rank).nextBytes(expected);
        try {
            holds(Arrays.equals(expected, Files.readAllBytes(dataset.files().get(0))), "content of " + id);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void passesOverTheUnfinished(Communicator world) {
        try (RankDirectory root = new RankDirectory();
                Datasets datasets = new Datasets(world, RedundancyConfiguration.of(new RedundancyDescriptor(1,
                        RedundancyConfiguration.GROUP_NODE, root.path(), Scheme.partner(1), 2)), "job",
                        "host" + world.rank(), SmallSets.REFUSE)) {
            checkpoint(datasets, 4, world.rank());
            write(datasets, 5, world.rank());
            requireRestart(datasets, 4, world.rank());
        }
    }

    private static void startsAnew(Communicator world) {
        try (RankDirectory root = new RankDirectory(); Datasets datasets = datasets(world, root.path())) {
            equal(Optional.empty(), datasets.restart(), "newest checkpoint");
        }
    }
}
