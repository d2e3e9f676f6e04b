package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.comm.testing.CallRecorder;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.redset.internal.format.FileMetadata;

/** What protecting files costs beside the bytes themselves: collective calls, and operations on each file. */
class CheckpointCostTest {
    private static final int RANKS = 3;
    private static final int FILES = 20;
    private static final Set<Operation> COLLECTIVE = Set.of(Operation.BARRIER, Operation.ALL_GATHER,
            Operation.ALL_REDUCE, Operation.AGREE);

    @TempDir
    private Path folder = Path.of("");

    private static List<Path> files(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int number = 0; number < FILES; number++) {
            files.add(
                    Files.write(Files.createDirectories(directory).resolve("state." + number), new byte[100 + number]));
        }
        return files;
    }

    /** Each agreement costs memory for good under Open MPI's ULFM, once a process has failed. */
    @Test
    void aCheckpointTakesFourStepsWhichExchangeOneMessageOfAllRanks() throws IOException {
        CallRecorder recorder = new CallRecorder();
        List<List<Path>> written = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            for (int id = 1; id <= 3; id++) {
                written.add(files(folder.resolve("node" + rank).resolve("job").resolve("checkpoint." + id)));
            }
        }
        try (LocalCluster cluster = LocalCluster.builder(RANKS).faults(recorder).build()) {
            cluster.run(world -> {
                RedundancyConfiguration configuration = RedundancyConfiguration.of(new RedundancyDescriptor(1,
                        RedundancyConfiguration.GROUP_NODE, folder.resolve("node" + world.rank()), Scheme.xor(),
                        RANKS));
                try (Datasets datasets = new Datasets(world, configuration, "job", "host" + world.rank(), false)) {
                    for (int id = 1; id <= 3; id++) {
                        Map<Operation, Long> before = collectives(recorder, world);
                        datasets.complete(id, written.get(world.rank() * 3 + id - 1));
                        Map<Operation, Long> after = collectives(recorder, world);
                        before.forEach((operation, count) -> after.merge(operation, -count, Long::sum));
                        after.values().removeIf(count -> count == 0);
                        assertEquals(Map.of(Operation.AGREE, 4L, Operation.ALL_GATHER, 1L), after, "checkpoint " + id);
                    }
                }
                return true;
            }).forEach(outcome -> assertEquals(LocalCluster.PeOutcome.Returned.class, outcome.getClass()));
        }
    }

    /** The calls of this rank that all take part in. */
    private static Map<Operation, Long> collectives(CallRecorder recorder, Communicator world) {
        return new TreeMap<>(recorder.calls().stream()
                .filter(call -> call.originalRank() == world.rank())
                .filter(call -> COLLECTIVE.contains(call.operation()))
                .collect(Collectors.groupingBy(CallRecorder.Call::operation, Collectors.counting())));
    }

    /** Counts what is done with files of an application. */
    private static final class CountingOperations extends ForwardingFileOperations {
        private final Map<String, Integer> counts = new TreeMap<>();
        private final List<FileChannel> opened = new ArrayList<>();

        private void count(String operation) {
            counts.merge(operation, 1, Integer::sum);
        }

        @Override
        public FileChannel openForReading(Path path) throws IOException {
            count("open");
            opened.add(super.openForReading(path));
            return opened.getLast();
        }

        @Override
        public void force(FileChannel channel) throws IOException {
            if (opened.contains(channel)) {
                count("force");
            }
            super.force(channel);
        }

        @Override
        public FileMetadata metadata(Path path) throws IOException {
            count("metadata");
            return super.metadata(path);
        }
    }

    @Test
    void eachFileIsOpenedOnceAndForcedThroughTheSameChannel() {
        LocalCluster.run(RANKS, world -> {
            Path node = folder.resolve("node" + world.rank());
            CountingOperations counting = new CountingOperations();
            try (Redset redset = Redset.builder(world).scheme(Scheme.xor()).failureGroup("host" + world.rank())
                    .directory(node).operations(counting).build()) {
                redset.apply(files(node));
            }
            assertEquals(Map.of("open", FILES, "force", FILES, "metadata", FILES), counting.counts);
            return true;
        });
    }
}
