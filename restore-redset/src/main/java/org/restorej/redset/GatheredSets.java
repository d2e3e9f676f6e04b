package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.protocol.FileTransfer;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * The files of damaged redundancy sets, brought together on one PE for each set: where nodes have disks of their own,
 * no PE sees all of them. Copies lie in a temporary directory, those of each sender in a folder of their own. One
 * thread.
 */
final class GatheredSets implements AutoCloseable {
    private static final String LOAD = "load";
    private static final System.Logger LOG = System.getLogger(GatheredSets.class.getName());

    private final boolean receives;
    private final List<Path> directories = new ArrayList<>();
    private @Nullable Path workspace;

    private GatheredSets(boolean receives) {
        this.receives = receives;
    }

    /**
     * Copies what is needed: of each damaged set what its receiver doesn't see, at most the set's data and its
     * redundancy. One exchange of names a set, then the files one after the other. Called by all PEs.
     *
     * @param directories where this PE looks for files
     * @param missing the ranks whose files are missing, the same on all PEs
     * @throws RedsetException on all PEs, when one can't read or write a file
     */
    static GatheredSets of(RedsetChannel channel, FileOperations operations, Collection<Path> directories,
            BitSet missing) {
        GatheringPlan plan = GatheringPlan.of(channel, operations, directories, missing);
        GatheredSets gathered = new GatheredSets(plan.receivers().contains(channel.rank()));
        try {
            List<FileTransfer.Copy> copies = channel.compute(LOAD,
                    () -> gathered.placed(operations, channel.rank(), plan.copies()));
            channel.step(LOAD, () -> FileTransfer.copy(channel, operations, copies));
            return gathered;
        } catch (RuntimeException failure) {
            gathered.close();
            throw failure;
        }
    }

    /** The same copies, with folders in the workspace for those that come here. */
    private List<FileTransfer.Copy> placed(FileOperations operations, int rank, List<FileTransfer.Copy> copies)
            throws IOException {
        List<FileTransfer.Copy> placed = new ArrayList<>();
        Map<Path, Path> folders = new LinkedHashMap<>();
        for (FileTransfer.Copy copy : copies) {
            if (copy.receiver() != rank) {
                placed.add(copy);
                continue;
            }
            Path root = requireWorkspace();
            Path source = Path.of(copy.sender() + ":" + copy.source().getParent());
            Path folder = folders.computeIfAbsent(source, absent -> root.resolve("from" + folders.size()));
            placed.add(new FileTransfer.Copy(copy.sender(), rank, copy.source(),
                    folder.resolve(Objects.requireNonNull(copy.source().getFileName())), copy.sizeBytes()));
        }
        for (Path folder : folders.values()) {
            operations.createDirectories(folder);
        }
        directories.addAll(folders.values());
        return placed;
    }

    private Path requireWorkspace() throws IOException {
        Path root = workspace;
        if (root == null) {
            root = Files.createTempDirectory("restorej-gathered");
            workspace = root;
        }
        return root;
    }

    /** Where the files of other PEs are now. */
    List<Path> directories() {
        return directories;
    }

    /** Whether this PE is to compute lost files of a set; those of others that this takes are here. */
    boolean isReceiver() {
        return receives;
    }

    /** Removes the copies. */
    @Override
    public void close() {
        Path root = workspace;
        if (root == null) {
            return;
        }
        try {
            DirectoryEntries.deleteTree(root);
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.WARNING, "temporary files stay behind: {0}", failure.getMessage());
        }
    }
}
