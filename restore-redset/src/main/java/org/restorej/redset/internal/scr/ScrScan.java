package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.redset.internal.protocol.ProtectedFiles;

/**
 * All XOR files of SCR in some directories, and in the folders where SCR hides them.
 *
 * @param sets in order of data set and id; the members of a set may be in several directories
 * @param unreadable files without a valid header, with the reasons
 */
record ScrScan(List<FoundSet> sets, NavigableMap<Path, String> unreadable) {
    /**
     * An XOR file with a valid header.
     *
     * @param path the file
     * @param header its header
     * @param headerBytes position of its chunk
     */
    record FoundFile(Path path, ScrHeader header, int headerBytes) {
        static FoundFile read(FileOperations operations, Path path, ScrFileName name) throws IOException {
            KvTreeBlock block = operations.readHeader(path);
            return new FoundFile(path, ScrHeader.read(block.tree(), name), block.sizeBytes());
        }

        ProtectedFiles.FoundHeader asFound() {
            return new ProtectedFiles.FoundHeader(header.redundancy(), header.tree(), headerBytes);
        }

        Path directory() {
            return path.resolveSibling("");
        }
    }

    /**
     * A set of which at least one header tells.
     *
     * @param files by rank in the set; at least one
     * @param copies further files of the same members, in other directories
     */
    record FoundSet(SortedMap<Integer, FoundFile> files, List<FoundFile> copies) {
        FoundFile any() {
            return files.values().iterator().next();
        }

        /** A member's files as SCR records them, from its own header or that of its right neighbour. */
        ScrHeader.Member member(int rank) throws IOException {
            FoundFile own = files.get(rank);
            FoundFile right = files.get((rank + 1) % any().header().name().ranks());
            if (own == null && right == null) {
                throw new IOException("no XOR file tells of the files of " + any().header().name().ofMember(rank));
            }
            return own == null ? Objects.requireNonNull(right).header().partner() : own.header().current();
        }

        /**
         * The set that its headers describe.
         *
         * @throws IllegalArgumentException if they don't describe one set
         */
        ScrFormat format() {
            SortedMap<Integer, ScrHeader> headers = new TreeMap<>();
            files.forEach((rank, file) -> headers.put(rank, file.header()));
            return ScrFormat.of(headers);
        }

        /** A message for each member with two files, since it is unknown which one is current. */
        List<String> doubts() {
            return copies.stream().map(copy -> copy.path() + ": this member of its set is also in "
                    + Objects.requireNonNull(files.get(copy.header().name().rank())).path()
                    + ", and nothing tells which of them counts: leave one of the directories out").toList();
        }

        SetInspection.SetName name() {
            List<Path> directories = files.values().stream().map(FoundFile::directory).distinct().toList();
            return new ScrSets.Name(directories, any().header().name().id(), any().header().dataset());
        }
    }

    /**
     * Reads the headers of all files.
     *
     * @param directories absolute
     * @throws IOException if a file that may be intact can't be read at present
     */
    static ScrScan of(FileOperations operations, List<Path> directories) throws IOException {
        Map<KvTree, FoundSet> sets = new LinkedHashMap<>();
        ScrScan scan = new ScrScan(new ArrayList<>(), new TreeMap<>());
        Set<Path> seen = new HashSet<>();
        for (Path directory : directories) {
            for (Map.Entry<Path, ScrFileName> file : ScrFolder.xorFiles(directory).entrySet()) {
                if (Files.isRegularFile(file.getKey()) && seen.add(file.getKey().toRealPath())) {
                    scan.read(operations, file.getKey(), file.getValue(), sets);
                }
            }
        }
        scan.sets.addAll(sets.values());
        scan.sets.sort(Comparator.comparing((FoundSet set) -> set.any().header().dataset())
                .thenComparingInt(set -> set.any().header().name().id()));
        return scan;
    }

    private void read(FileOperations operations, Path path, ScrFileName name, Map<KvTree, FoundSet> into)
            throws IOException {
        FoundFile found;
        try {
            found = FoundFile.read(operations, path, name);
        } catch (FormatException | NoSuchFileException damaged) {
            unreadable.put(path, String.valueOf(damaged.getMessage()));
            return;
        } catch (IOException failure) {
            throw new IOException(path + " can't be read, and may be good: " + failure.getMessage(), failure);
        }
        FoundSet set = into.computeIfAbsent(found.header().identity(),
                absent -> new FoundSet(new TreeMap<>(), new ArrayList<>()));
        if (set.files().putIfAbsent(name.rank(), found) != null) {
            set.copies().add(found);
        }
    }

    /** Number of members of the sets without an XOR file. */
    int lostMembers() {
        return sets.stream().mapToInt(set -> set.any().header().name().ranks() - set.files().size()).sum();
    }
}
