package org.restorej.redset.blocks;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.redset.files.FileOperations;

/**
 * The files of blocks of one checkpoint that one process reaches, in any number of directories, and those that it can
 * compute anew from the redundancy it reaches. Local; one thread. Opening reads every file once. Damaged files count as
 * lost, with a warning. Of files saved at different times the newest are taken.
 */
public final class CheckpointFiles implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(CheckpointFiles.class.getName());
    private static final String EXTENSION = ".blocks";

    private final FileOperations operations = FileOperations.system();
    private final List<Path> directories;
    private final SortedMap<Integer, BlockFile> byWriter = new TreeMap<>();
    /** By first block. */
    private final TreeMap<Long, Run> runs = new TreeMap<>();
    /** Before any file has been seen; its negative is a long, too, as those need who look for the newest of all PEs. */
    private static final long NOTHING_SEEN = -1;
    private long savedMillis = NOTHING_SEEN;
    private @Nullable LostMembers rebuilt;

    /** A run of blocks and the file that has it. */
    private record Run(BlockRange blocks, BlockFile file) {}

    /** Does something with blocks that follow one another in one file. */
    @FunctionalInterface
    private interface PartAction {
        void accept(BlockFile file, BlockRange part) throws IOException;
    }

    private CheckpointFiles(Collection<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    /** The name of the file that a PE writes. */
    public static String fileName(int writer) {
        return writer + EXTENSION;
    }

    /** Opens what is there. Directories that this process doesn't see are passed over. */
    public static CheckpointFiles open(Collection<Path> directories) {
        CheckpointFiles files = new CheckpointFiles(directories);
        for (Path directory : files.directories) {
            if (Files.isDirectory(directory)) {
                files.addAll(blockFiles(directory));
            }
        }
        return files;
    }

    private static List<Path> blockFiles(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(path -> String.valueOf(path.getFileName()).endsWith(EXTENSION)).sorted().toList();
        } catch (IOException unreadable) {
            LOG.log(System.Logger.Level.WARNING, "{0} can''t be read: {1}", directory, unreadable.getMessage());
            return List.of();
        }
    }

    private void addAll(List<Path> paths) {
        for (Path path : paths) {
            try {
                add(BlockFile.open(operations, path));
            } catch (IOException damaged) {
                LOG.log(System.Logger.Level.WARNING, "passed over: {0}", damaged.getMessage());
            }
        }
    }

    private void add(BlockFile file) {
        if (file.origin().savedMillis() > savedMillis) {
            takeOnly(file.origin().savedMillis());
        }
        if (file.origin().savedMillis() == savedMillis && byWriter.putIfAbsent(file.origin().writer(), file) == null) {
            file.ranges().runs().forEach(run -> runs.put(run.first(), new Run(run, file)));
        }
    }

    /** Forgets files that were saved at another time. */
    public void takeOnly(long millis) {
        if (millis != savedMillis) {
            savedMillis = millis;
            byWriter.clear();
            runs.clear();
        }
    }

    /** When they were saved; the least number when there are none. */
    public long savedMillis() {
        return savedMillis;
    }

    /** The files, by the rank that wrote them: a view. */
    public SortedMap<Integer, BlockFile> byWriter() {
        return byWriter;
    }

    /** How many redundancy files this process reaches. */
    public int redundancyFiles() {
        return directories.stream().mapToInt(LostMembers::redundancyFiles).sum();
    }

    /** Computes lost files anew, as far as the redundancy reaches; the second time it does nothing. */
    public void rebuild() throws IOException {
        if (rebuilt == null) {
            rebuilt = LostMembers.of(directories);
            addAll(rebuilt.rebuild().stream().filter(path -> path.toString().endsWith(EXTENSION)).toList());
        }
    }

    /**
     * Reads blocks, and computes lost files anew when some are in none that is there.
     *
     * @throws IOException when there are blocks that can't be had
     */
    public void read(BlockRange blocks, MemorySegment destination) throws IOException {
        long[] done = new long[1];
        forEachPart(blocks, (file, part) -> {
            long bytes = file.bytesOf(part);
            file.read(part, destination.asSlice(done[0], bytes));
            done[0] += bytes;
        });
    }

    /** The sizes of blocks, in order; see {@link #read}. */
    public long[] sizes(BlockRange blocks) throws IOException {
        long[] sizes = new long[Math.toIntExact(blocks.count())];
        forEachPart(blocks, (file, part) -> {
            for (long id = part.first(); id < part.end(); id++) {
                sizes[(int) (id - blocks.first())] = file.bytesOf(BlockRange.of(id, 1));
            }
        });
        return sizes;
    }

    private void forEachPart(BlockRange blocks, PartAction action) throws IOException {
        for (Run part : parts(blocks)) {
            action.accept(part.file(), part.blocks());
        }
    }

    private List<Run> parts(BlockRange blocks) throws IOException {
        List<Run> parts = new ArrayList<>();
        long next = blocks.first();
        while (next < blocks.end()) {
            Run run = runWith(next);
            if (run == null) {
                rebuild();
                run = runWith(next);
            }
            if (run == null) {
                throw new IOException("block " + next + " is in no file of the checkpoint that can be read or rebuilt "
                        + "from here; looked in " + directories);
            }
            long end = Math.min(blocks.end(), run.blocks().end());
            parts.add(new Run(BlockRange.between(next, end), run.file()));
            next = end;
        }
        return parts;
    }

    private @Nullable Run runWith(long block) {
        Map.Entry<Long, Run> entry = runs.floorEntry(block);
        return entry != null && entry.getValue().blocks().contains(block) ? entry.getValue() : null;
    }

    /** Removes what was computed anew. */
    @Override
    public void close() {
        if (rebuilt != null) {
            try {
                rebuilt.close();
            } catch (IOException failure) {
                LOG.log(System.Logger.Level.WARNING, "temporary files stay behind: {0}", failure.getMessage());
            }
            rebuilt = null;
        }
    }
}
