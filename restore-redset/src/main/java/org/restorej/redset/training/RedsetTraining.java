package org.restorej.redset.training;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.internal.training.TrainingPart;
import org.restorej.redset.Redset;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.files.DirectoryEntries;

/** Protects small files, deletes those of one rank after the other, and rebuilds them. */
public final class RedsetTraining implements TrainingPart {
    private static final int TURNS = 3;
    private static final int FILE_BYTES = 1 << 20;
    /** Small, so that the code for pieces is called as often as for files of a gigabyte. */
    private static final int PIECE_BYTES = 1 << 12;

    /** Called by the service loader. */
    public RedsetTraining() {}

    @Override
    public void train(Communicator world) {
        try {
            Path folder = Files.createTempDirectory("restorej-training");
            try (Closeable _ = () -> DirectoryEntries.deleteTree(folder)) {
                Path file = Files.write(folder.resolve("state"), new byte[FILE_BYTES]);
                for (Scheme scheme : List.of(Scheme.xor(), Scheme.rs(2), Scheme.partner(1))) {
                    protect(world, scheme, folder, file);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void protect(Communicator world, Scheme scheme, Path folder, Path file) throws IOException {
        try (Redset redset = Redset.builder(world).scheme(scheme).setSize(world.size()).directory(folder)
                .failureGroup("rank " + world.rank()).pieceBytes(PIECE_BYTES).build()) {
            for (int turn = 0; turn < TURNS; turn++) {
                redset.apply(List.of(file));
                // Each of the first ranks loses its files in turn, so rank 0 both loses files and helps others.
                if (world.rank() == turn % world.size()) {
                    Files.delete(file);
                    for (Path redundancy : redset.redundancyFiles()) {
                        Files.delete(redundancy);
                    }
                }
                redset.recover();
            }
            redset.unapply();
        }
    }
}
