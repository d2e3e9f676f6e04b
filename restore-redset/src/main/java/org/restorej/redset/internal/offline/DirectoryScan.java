package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.Unreachable;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.format.RedundancyHeader;

/**
 * All files of redset in a directory, of all encodings. {@link LiveEncoding} determines which ones are current.
 *
 * @param headers headers of redundancy files, in order of file names
 * @param descriptors descriptor files beside them, in order of file names, without unreadable ones
 * @param unreadable redundancy files without a valid header, with the reasons
 * @param alone descriptor files of encodings of which there is no redundancy file, with the place of their rank
 */
public record DirectoryScan(List<FoundHeader> headers, List<FoundDescriptor> descriptors,
        Map<Path, String> unreadable, Map<Path, Descriptor> alone) {
    /**
     * A valid header.
     *
     * @param prefix prefix of the file names of its encoding, with the directory
     * @param path its file
     * @param header the header
     * @param headerBytes its length in the file
     */
    public record FoundHeader(String prefix, Path path, RedundancyHeader header, int headerBytes) {}

    /**
     * A valid descriptor file.
     *
     * @param prefix prefix of its name, with the directory
     * @param path the file
     * @param own the place of the file's own rank
     * @param places all places in the file
     */
    public record FoundDescriptor(String prefix, Path path, Descriptor own, List<Descriptor> places) {}

    /** Reads the headers and descriptors of all files in a directory, without subdirectories. */
    public static DirectoryScan of(FileOperations operations, Path directory) throws IOException {
        List<FoundHeader> headers = new ArrayList<>();
        Map<Path, String> unreadable = new TreeMap<>();
        List<Path> others = new ArrayList<>();
        for (Path path : DirectoryEntries.of(directory).stream().filter(Files::isRegularFile).toList()) {
            String name = String.valueOf(path.getFileName());
            Optional<RedsetFileNames.Redundancy> parsed = RedsetFileNames.parseRedundancy(name);
            if (parsed.isPresent()) {
                try {
                    headers.add(readHeader(operations, path, parsed.get().rank()));
                } catch (IOException damaged) {
                    Unreachable.requirePermission(damaged);
                    unreadable.put(path, String.valueOf(damaged.getMessage()));
                }
            } else if (RedsetFileNames.isDescriptor(name)) {
                others.add(path);
            }
        }
        // Only headers tell where a prefix ends that ends with a digit.
        SortedSet<String> prefixes = new TreeSet<>();
        headers.forEach(header -> prefixes.add(header.prefix()));
        List<FoundDescriptor> descriptors = new ArrayList<>();
        Map<Path, Descriptor> alone = new TreeMap<>();
        for (Path path : others) {
            List<FoundDescriptor> found = readDescriptor(operations, path, prefixes);
            descriptors.addAll(found);
            if (found.isEmpty() && unreadable.isEmpty()) {
                describedAlone(operations, path).ifPresent(own -> alone.put(path, own));
            }
        }
        return new DirectoryScan(headers, descriptors, unreadable, alone);
    }

    private static Optional<Descriptor> describedAlone(FileOperations operations, Path path) {
        try {
            return DescriptorFile.decode(operations.readBlock(path)).byWorldRank().values().stream()
                    .filter(own -> path.toString().endsWith(RedsetFileNames.descriptor("", own.worldRank())))
                    .findFirst();
        } catch (IOException noDescriptor) {
            return Optional.empty();
        }
    }

    private static FoundHeader readHeader(FileOperations operations, Path path, int rank) throws IOException {
        KvTreeBlock block = operations.readHeader(path);
        RedundancyHeader header = RedundancyHeader.read(block.tree(), rank);
        String standardName = RedsetFileNames.redundancy("", header.own().descriptor());
        if (!FilePaths.isEncodable(path)) {
            throw new IOException(FilePaths.notEncodable(path));
        }
        String name = path.toString();
        if (!name.endsWith(standardName)) {
            throw new FormatException(
                    "the name doesn't fit to the header, which would be called ..." + standardName);
        }
        return new FoundHeader(name.substring(0, name.length() - standardName.length()), path, header,
                block.sizeBytes());
    }

    private static List<FoundDescriptor> readDescriptor(FileOperations operations, Path path,
            SortedSet<String> prefixes) throws IOException {
        List<FoundDescriptor> found = new ArrayList<>();
        try {
            DescriptorFile file = DescriptorFile.decode(operations.readBlock(path));
            for (String prefix : prefixes) {
                for (Descriptor own : file.byWorldRank().values()) {
                    if (path.toString().equals(RedsetFileNames.descriptor(prefix, own.worldRank()))) {
                        found.add(new FoundDescriptor(prefix, path, own, List.copyOf(file.byWorldRank().values())));
                    }
                }
            }
        } catch (IOException damaged) {
            Unreachable.requirePermission(damaged);
            // Treated as missing: the check of its rank reports it, and a rebuild replaces it.
            return List.of();
        }
        return found;
    }
}
