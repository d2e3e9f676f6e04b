package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.restorej.loop.LoopStorage.Saved;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.TreeFields;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * The state of a loop in a checkpoint, without blocks. Each rank writes it to a file {@code <rank>.loop}, in the format
 * of redset's metadata. All files are equal except for the time, so one of them is enough.
 *
 * @param id of the checkpoint
 * @param iteration number of iterations done
 * @param converged whether a step has returned false in the last of them
 * @param writers number of ranks that wrote it
 * @param savedMillis time since 1970, by the clock of one of them
 * @param openedMillis time when they opened the files, the same on all; distinguishes jobs that save under the same ids
 * @param constantId id of the checkpoint that contains the constant blocks
 * @param constantStores indexes of the stores of constant blocks
 * @param shape description of the data that the loop keeps
 * @param values in the order in which the loop keeps them
 */
record LoopManifest(long id, long iteration, boolean converged, int writers, long savedMillis, long openedMillis,
        long constantId, List<Integer> constantStores, List<String> shape, List<byte[]> values) {
    /** Extension of the file names. */
    static final String EXTENSION = ".loop";
    /** Added to the time of protected manifests, so that others are chosen only if there is none. */
    private static final long PROTECTED = 1L << 62;
    private static final String ID = "ID";
    private static final String ITERATION = "ITERATION";
    private static final String CONVERGED = "CONVERGED";
    private static final String WRITERS = "WRITERS";
    private static final String SAVED = "SAVED";
    private static final String OPENED = "OPENED";
    private static final String CONSTANT = "CONSTANT";
    private static final String STORES = "STORES";
    private static final String SHAPE = "SHAPE";
    private static final String VALUES = "VALUES";

    LoopManifest {
        constantStores = List.copyOf(constantStores);
        shape = List.copyOf(shape);
        values = List.copyOf(values);
    }

    static LoopManifest of(Saved saved, long openedMillis, long constantId, List<Integer> constantStores, int writers) {
        return new LoopManifest(saved.id(), saved.iteration(), saved.converged(), writers,
                Math.max(0, saved.savedMillis()), openedMillis, constantId, constantStores, saved.shape(),
                saved.values());
    }

    /** The identity of the save, which is also in the files of its blocks, constant ones included. */
    Origin.SaveId save() {
        return new Origin.SaveId(openedMillis, writers);
    }

    /** The state, as the loop expects it. */
    Saved saved(List<Path> places) {
        return new Saved(id, iteration, converged, shape, values, savedMillis, "saved at "
                + Instant.ofEpochMilli(savedMillis).truncatedTo(ChronoUnit.SECONDS) + " by " + writers
                + (writers == 1 ? " rank" : " ranks") + " as checkpoint " + id + " in "
                + places.stream().map(Path::toString).collect(Collectors.joining(", ")));
    }

    private KvTree.Builder timeless() {
        return KvTree.builder().put(ID, id).put(ITERATION, iteration)
                .put(CONVERGED, converged ? 1 : 0).put(WRITERS, writers).put(OPENED, openedMillis)
                .put(CONSTANT, constantId)
                .putTexts(STORES, constantStores.stream().map(String::valueOf).toList()).putTexts(SHAPE, shape)
                .putTexts(VALUES, values.stream().map(Base64.getEncoder()::encodeToString).toList());
    }

    /** Digest of everything that must be equal on all ranks. */
    String digest() {
        try {
            return HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(KvTreeBlock.encode(timeless().build())));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    void write(FileOperations operations, Path path) throws IOException {
        byte[] block = KvTreeBlock.encode(timeless().put(SAVED, savedMillis).build());
        try (PendingFile file = PendingFile.create(operations, path)) {
            file.write(0, block);
            file.finish(block.length, null);
            file.publish();
        }
    }

    private static LoopManifest decode(byte[] block) throws FormatException {
        TreeFields fields = new TreeFields("LOOP", KvTreeBlock.decode(block).tree());
        List<Integer> stores = new ArrayList<>();
        List<byte[]> values = new ArrayList<>();
        try {
            fields.texts(STORES).forEach(index -> stores.add(Integer.valueOf(index)));
            fields.texts(VALUES).forEach(value -> values.add(Base64.getDecoder().decode(value)));
        } catch (IllegalArgumentException damaged) {
            throw new FormatException("a number or a value can't be read: " + damaged.getMessage());
        }
        return new LoopManifest(fields.number(ID, 0, Long.MAX_VALUE), fields.number(ITERATION, 0, Long.MAX_VALUE),
                fields.number(CONVERGED, 0, 1) == 1, fields.integer(WRITERS, 1, Integer.MAX_VALUE),
                fields.number(SAVED, 0, Long.MAX_VALUE),
                fields.number(OPENED, 0, PROTECTED - 1),
                fields.number(CONSTANT, 0, Long.MAX_VALUE), stores, fields.texts(SHAPE), values);
    }

    /** A manifest that one rank finds, with its preference over those of other ranks. */
    private static final class Found {
        static final Found NOTHING = new Found(-1, new byte[0]);

        final long preference;
        final byte[] block;

        Found(long preference, byte[] block) {
            this.preference = preference;
            this.block = block;
        }
    }

    /**
     * Finds the manifest of a checkpoint in some directories, the same on all ranks; empty if no rank finds one. Of several
     * manifests the last protected one counts, since a job that was killed while saving may have left others. Collective.
     */
    static Optional<LoopManifest> find(RedsetChannel channel, FileOperations operations, Collection<Path> directories,
            long id) {
        Found own = channel.compute("find", () -> best(operations, directories, id));
        byte[] any = channel.compute("find", () -> {
            long best = channel.max(own.preference);
            long finder = channel.min(own.preference == best ? channel.rank() : Long.MAX_VALUE);
            return channel.broadcast(own.block, (int) finder);
        });
        return any.length == 0 ? Optional.empty() : Optional.of(channel.compute("find", () -> decode(any)));
    }

    private static Found best(FileOperations operations, Collection<Path> directories, long id) {
        Found best = Found.NOTHING;
        for (Path directory : directories) {
            long preference = CheckpointFiles.redundancyFiles(List.of(directory)) > 0 ? PROTECTED : 0;
            for (Path file : entriesOf(directory)) {
                Found found = read(operations, file, id, preference);
                if (found.preference > best.preference) {
                    best = found;
                }
                if (found.preference >= 0) {
                    // All others here say the same, and thousands of ranks may share the directory.
                    break;
                }
            }
        }
        return best;
    }

    private static List<Path> entriesOf(Path directory) {
        try {
            return DirectoryEntries.of(directory).stream()
                    .filter(file -> String.valueOf(file.getFileName()).endsWith(EXTENSION)).toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    private static Found read(FileOperations operations, Path file, long id, long preference) {
        try {
            byte[] block = operations.readBlock(file);
            LoopManifest manifest = decode(block);
            return manifest.id() == id ? new Found(preference + manifest.openedMillis(), block) : Found.NOTHING;
        } catch (IOException damaged) {
            System.getLogger(LoopManifest.class.getName()).log(System.Logger.Level.WARNING, "passed over: {0}: {1}",
                    file, damaged.getMessage());
            return Found.NOTHING;
        }
    }
}
