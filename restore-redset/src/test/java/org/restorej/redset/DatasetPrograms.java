package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.util.stream.Stream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.Set;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What datasets promise on any number of ranks, each with stores of its own. */
public final class DatasetPrograms implements ContractSuite {
    /** All programs. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("protects by the largest interval and keeps the newest", 3,
                    DatasetPrograms::keepsTheNewest),
            new ContractProgram("writes over the redundancy of a checkpoint that was removed", 2,
                    DatasetPrograms::writesOverWhatWasRemoved),
            new ContractProgram("restarts from the newest, and from the one before when that is lost", 3,
                    DatasetPrograms::fallsBack),
            new ContractProgram("passes over a checkpoint that was not completed", 2,
                    DatasetPrograms::passesOverTheUnfinished),
            new ContractProgram("a newest one that turns out to be unreadable is passed over, and that is told", 3,
                    DatasetPrograms::tellsWhatItPassedOver),
            new ContractProgram("another number of ranks restarts, each with the files that it sees", 1,
                    DatasetPrograms::restartsOnAnotherNumberOfRanks),
            new ContractProgram("a host without a failure group is named on all ranks", 2,
                    DatasetPrograms::namesTheHostWithoutAGroup),
            new ContractProgram("what is null on one rank is refused on all", 2, DatasetPrograms::refusesNull),
            new ContractProgram("settings that differ are named with their ranks on all", 2,
                    DatasetPrograms::refusesSettingsThatDiffer),
            new ContractProgram("a name that leads elsewhere is refused on all ranks", 2,
                    DatasetPrograms::refusesNames),
            new ContractProgram("a store that two descriptors share is looked at once", 3,
                    DatasetPrograms::looksOnceAtAStore),
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
                "job", host, false);
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

    private static void writesOverWhatWasRemoved(Communicator world) {
        try (RankDirectory root = new RankDirectory();
                Datasets datasets = new Datasets(world, RedundancyConfiguration.of(new RedundancyDescriptor(1,
                        RedundancyConfiguration.GROUP_NODE, root.path(), Scheme.partner(1), 2)), "job",
                        "host" + world.rank(), false)) {
            checkpoint(datasets, 1, world.rank());
            Object first = redundancyInode(root, 1);
            checkpoint(datasets, 2, world.rank());
            checkpoint(datasets, 3, world.rank());
            equal(first, redundancyInode(root, 3), "the file of checkpoint 3");
            requireRestart(datasets, 3, world.rank());
        }
    }

    private static Object redundancyInode(RankDirectory root, long id) {
        try (Stream<Path> files = Files.list(root.path().resolve("job/checkpoint." + id))) {
            return Files.getAttribute(files.filter(file -> file.toString().endsWith(".redset")
                    && file.toString().contains(".mem_")).findFirst().orElseThrow(), "unix:ino");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
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

    private static Datasets.Dataset requireRestart(Datasets datasets, long id, int rank) {
        Datasets.Dataset dataset = datasets.restart()
                .orElseThrow(() -> new AssertionError("there is checkpoint " + id));
        equal(id, dataset.id(), "newest recoverable checkpoint");
        equal(Set.of(rank), dataset.filesOfRanks().keySet(), "ranks whose files are here");
        equal(List.of(dataset.directory().resolve("state." + rank)), dataset.files(), "files");
        requireState(id, rank, dataset.files());
        return dataset;
    }

    private static void requireState(long id, int rank, List<Path> files) {
        byte[] expected = new byte[1000 + rank];
        new Random(id * 100 + rank).nextBytes(expected);
        try {
            holds(Arrays.equals(expected, Files.readAllBytes(files.getFirst())), "content of " + id);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void passesOverTheUnfinished(Communicator world) {
        try (RankDirectory root = new RankDirectory();
                Datasets datasets = new Datasets(world, RedundancyConfiguration.of(new RedundancyDescriptor(1,
                        RedundancyConfiguration.GROUP_NODE, root.path(), Scheme.partner(1), 2)), "job",
                        "host" + world.rank(), false)) {
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

    private static Datasets xor(Communicator world, Path root) {
        return new Datasets(world, new RedundancyConfiguration(List.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, root, Scheme.xor(), Math.max(2, world.size()))), Map.of(),
                Map.of(), 3), "job",
                "host" + world.rank(), false);
    }

    private static void tellsWhatItPassedOver(Communicator world) {
        try (RankDirectory root = new RankDirectory()) {
            try (Datasets datasets = xor(world, root.path())) {
                for (long id = 1; id <= 3; id++) {
                    checkpoint(datasets, id, world.rank());
                }
            }
            // What has to be rebuilt there can't be: the directory's place is taken while others need it.
            if (world.rank() == 0) {
                root.delete("job/checkpoint.3/state.0");
                obstruct(root.path().resolve("job/checkpoint.3/state.0"));
            }
            if (world.rank() < 2) {
                root.delete("job/checkpoint.2/state." + world.rank());
            }
            try (Datasets datasets = xor(world, root.path())) {
                Datasets.Dataset dataset = requireRestart(datasets, 1, world.rank());
                equal(Set.of(2L, 3L), dataset.skipped().keySet(), "passed over");
                holds(String.valueOf(dataset.skipped().get(3L)).startsWith("recover failed: on rank 0"),
                        "the reason is told: " + dataset.skipped());
            }
        }
    }

    /** A directory that is not empty: nothing can be renamed to it. */
    private static void obstruct(Path file) {
        try {
            Files.createFile(Files.createDirectory(file).resolve("in the way"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void restartsOnAnotherNumberOfRanks(Communicator world) {
        try (RankDirectory root = new RankDirectory()) {
            int others = world.size() + 2;
            if (world.rank() == 0) {
                LocalCluster.run(others, threads -> {
                    try (Datasets datasets = xor(threads, root.path())) {
                        checkpoint(datasets, 4, threads.rank());
                    }
                    return true;
                });
                Map<String, byte[]> before = root.snapshot();
                before.keySet().stream().filter(name -> name.contains(".1.") || name.endsWith(".1"))
                        .forEach(root::delete);
            }
            world.allReduce(new long[1], Reduction.SUM);
            // The lost rank is rebuilt by the first one that sees nothing.
            int builder = Math.min(1, world.size() - 1);
            Set<Integer> seen = IntStream.range(0, others).filter(rank -> world.rank() == (rank == 1 ? builder : 0))
                    .boxed().collect(Collectors.toSet());
            try (Datasets datasets = xor(world, root.path())) {
                Datasets.Dataset dataset = datasets.restart().orElseThrow();
                equal(4L, dataset.id(), "newest checkpoint");
                equal(seen, dataset.filesOfRanks().keySet(), "ranks whose files are here");
                dataset.filesOfRanks().forEach((rank, files) -> requireState(4, rank, files));
            }
            try (Redset redset = Redset.builder(world).directory(root.path().resolve("job/checkpoint.4"))
                    .base(root.path()).trustRecordedNames().build()) {
                Redset.Recovery recovery = redset.recover();
                equal(seen, recovery.files().keySet(), "ranks whose files are here");
            }
        }
    }

    private static void namesTheHostWithoutAGroup(Communicator world) {
        try (RankDirectory root = new RankDirectory()) {
            RedundancyConfiguration racks = new RedundancyConfiguration(
                    List.of(new RedundancyDescriptor(1, "RACK", root.path(), Scheme.xor(), 2)),
                    world.rank() == 1 ? Map.of() : Map.of("host" + world.rank(), Map.of("RACK", "r" + world.rank())),
                    Map.of(), 1);
            try (Datasets datasets = new Datasets(world, racks, "job", "host" + world.rank(), false)) {
                Path file = write(datasets, 1, world.rank());
                IllegalArgumentException refused = throwing(IllegalArgumentException.class,
                        () -> datasets.complete(1, List.of(file)), "a host without a group");
                equal("complete failed: on rank 1: the configuration must have a failure group of the kind RACK for "
                        + "each host: host=host1", refused.getMessage(), "message");
                throwing(IllegalArgumentException.class, () -> datasets.complete(world.rank(), List.of(file)),
                        "ids that differ");
            }
        }
    }

    @SuppressWarnings("NullAway") // What a program without its checks may do.
    private static void refusesNull(Communicator world) {
        try (RankDirectory root = new RankDirectory()) {
            RedundancyConfiguration configuration = world.rank() == 1 ? null : configuration(root.path());
            IllegalArgumentException refused = throwing(IllegalArgumentException.class,
                    () -> new Datasets(world, configuration, "job").close(), "a configuration that is null");
            equal("datasets refused: on rank 1: configuration must not be null", refused.getMessage(), "message");
            try (Datasets datasets = xor(world, root.path())) {
                datasets.begin(1);
                refused = throwing(IllegalArgumentException.class,
                        () -> datasets.complete(1, world.rank() == 1 ? null : List.of()), "files that are null");
                equal("complete failed: on rank 1: files must not be null", refused.getMessage(), "message");
            }
        }
    }

    private static void requireRefusal(Communicator world, String name, RedundancyConfiguration configuration,
            String... parts) {
        IllegalArgumentException refused = throwing(IllegalArgumentException.class,
                () -> new Datasets(world, configuration, name, "host" + world.rank(), false).close(),
                String.join(" ", parts));
        for (String part : parts) {
            holds(String.valueOf(refused.getMessage()).contains(part), "says \"" + part + "\": " + refused);
        }
    }

    private static void refusesSettingsThatDiffer(Communicator world) {
        boolean differs = world.rank() == 1;
        Path store = Path.of("store" + world.rank());
        RedundancyDescriptor xor = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, store, Scheme.xor(),
                2);
        RedundancyDescriptor partner = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, store,
                Scheme.partner(1), 2);
        RedundancyDescriptor seldom = new RedundancyDescriptor(5, RedundancyConfiguration.GROUP_NODE, store,
                Scheme.xor(), 2);
        requireRefusal(world, differs ? "other" : "job", RedundancyConfiguration.of(xor),
                "datasets refused: name must be the same on all ranks: job on ranks [0", ", other on ranks [1]");
        requireRefusal(world, "job",
                differs ? RedundancyConfiguration.of(xor, seldom) : RedundancyConfiguration.of(xor),
                "descriptors.size() must be the same on all ranks: 1 on ranks [0", ", 2 on ranks [1]");
        requireRefusal(world, "job", RedundancyConfiguration.of(differs ? partner : xor),
                "configuration.descriptors[0].scheme must be the same on all ranks",
                Scheme.partner(1) + " on ranks [1]");
        requireRefusal(world, "job",
                new RedundancyConfiguration(List.of(xor), Map.of(), Map.of(store, differs ? 4 : 3), 1),
                "keep count of the store of descriptors[0] must be the same on all ranks: 3 on ranks [0",
                "4 on ranks [1]");
        new Datasets(world, new RedundancyConfiguration(List.of(xor), Map.of(), Map.of(store, 3), 1), "job",
                "host" + world.rank(), false).close();
    }

    private static void refusesNames(Communicator world) {
        RedundancyConfiguration configuration = configuration(Path.of("store"));
        for (String name : List.of("", ".", "..", "a/b", "/", "a\0b")) {
            requireRefusal(world, world.rank() == 1 ? name : "job", configuration,
                    "datasets refused: on rank 1: name must be one element of a path");
        }
    }

    private static void looksOnceAtAStore(Communicator world) {
        try (RankDirectory root = new RankDirectory()) {
            RedundancyConfiguration shared = new RedundancyConfiguration(List.of(
                    new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, root.path(), Scheme.xor(),
                            world.size()),
                    new RedundancyDescriptor(5, RedundancyConfiguration.GROUP_NODE, root.path().resolve("."),
                            Scheme.xor(), world.size())),
                    Map.of(), Map.of(), 2);
            try (Datasets datasets = new Datasets(world, shared, "job", "host" + world.rank(), false)) {
                checkpoint(datasets, 1, world.rank());
                checkpoint(datasets, 2, world.rank());
                if (world.rank() < 2) {
                    root.delete("job/checkpoint.2/state." + world.rank());
                }
                String reason = String.valueOf(requireRestart(datasets, 1, world.rank()).skipped().get(2L));
                String start = "the set of ranks";
                holds(reason.contains(start) && reason.indexOf(start) == reason.lastIndexOf(start),
                        "the reason is told once: " + reason);
            }
        }
    }
}
