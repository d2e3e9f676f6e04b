package org.restorej.redset.training;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.comm.Communicator;
import org.restorej.internal.training.TrainingPart;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.redset.Datasets;
import org.restorej.redset.LoopFiles;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** Checkpoints in files: those of {@link Datasets}, and those of a loop, which resumes from them, also after a loss. */
public final class CheckpointTraining implements TrainingPart {
    private static final int STARTS = 3;
    private static final int CHECKPOINTS_OF_START = 4;
    private static final int FILES = 4;
    private static final int FILE_BYTES = 1 << 12;
    private static final long ROWS_PER_RANK = 1 << 10;
    private static final int COLUMNS = 4;

    /** Called by the service loader. */
    public CheckpointTraining() {}

    @Override
    public void train(Communicator world) {
        try {
            Path folder = Files.createTempDirectory("restorej-training");
            try (Closeable _ = () -> DirectoryEntries.deleteTree(folder)) {
                RedundancyConfiguration configuration = RedundancyConfiguration.of(new RedundancyDescriptor(1,
                        RedundancyConfiguration.GROUP_NODE, folder, Scheme.xor(), world.size()));
                for (int start = 0; start < STARTS; start++) {
                    if (start == STARTS - 1 && world.rank() == 0) {
                        // The first rank, whose JVM records, has lost its node; the others rebuild.
                        DirectoryEntries.deleteTree(folder);
                        Files.createDirectories(folder);
                    }
                    saveFiles(world, configuration, start);
                    saveLoop(world, configuration, start);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String host(Communicator world) {
        return "rank " + world.rank();
    }

    private static void saveFiles(Communicator world, RedundancyConfiguration configuration, int start)
            throws IOException {
        try (Datasets datasets = new Datasets(world, configuration, "files", host(world), false)) {
            datasets.restart();
            for (int checkpoint = 1; checkpoint <= CHECKPOINTS_OF_START; checkpoint++) {
                long id = (long) start * CHECKPOINTS_OF_START + checkpoint;
                Path directory = datasets.begin(id);
                List<Path> files = new ArrayList<>();
                for (int file = 0; file < FILES; file++) {
                    files.add(Files.write(directory.resolve(file + "." + world.rank()), new byte[FILE_BYTES]));
                }
                datasets.complete(id, files);
            }
        }
    }

    /** A start of a job whose loop goes on from the checkpoints of the start before. */
    private static void saveLoop(Communicator world, RedundancyConfiguration configuration, int start) {
        long rows = world.size() * ROWS_PER_RANK;
        // Two loops of one communicator can't use the same files.
        try (Communicator ranks = world.duplicate();
                ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(ranks).replication(2),
                        rows, COLUMNS);
                CheckpointLoop loop = new CheckpointLoop(ranks, LoadBalancer.equal(world.size(), rows),
                        CheckpointInterval.iterations(1))) {
            loop.persist(LoopFiles.in(configuration, "loop").host(host(world)), CheckpointInterval.iterations(1));
            LocalRows<double[]> own = loop
                    .keep(array.local(mine -> new double[Math.toIntExact(mine.blockCount()) * COLUMNS]));
            loop.run((start + 1L) * CHECKPOINTS_OF_START, (_, iteration) -> own.values()[0] = iteration);
        }
    }
}
