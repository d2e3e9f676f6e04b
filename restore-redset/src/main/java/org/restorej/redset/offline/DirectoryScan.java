package org.restorej.redset.offline;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.restorej.redset.files.DirectoryEntries;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.format.Descriptor;
import org.restorej.redset.format.FormatException;
import org.restorej.redset.format.KvTreeBlock;
import org.restorej.redset.format.RedsetFileNames;
import org.restorej.redset.format.RedundancyHeader;

/**
 * The redundancy files of a directory, by set.
 *
 * @param sets found by at least one readable header, in order of prefix and group
 * @param unreadable redundancy files without a sound header, with what is wrong
 * @param scrFiles files of SCR's own format, which this library doesn't read
 */
public record DirectoryScan(List<FoundSet> sets, Map<Path, String> unreadable, List<Path> scrFiles) {
    /**
     * A set that at least one header tells of.
     *
     * @param prefix what the names of its files begin with, directory included
     * @param place the place of one of its members
     * @param headers by rank in the set
     */
    public record FoundSet(String prefix, Descriptor place, Map<Integer, FoundHeader> headers) {}

    /**
     * A header that could be read.
     *
     * @param path its file
     * @param header the header
     * @param headerBytes its length in the file
     * @param headerCrc its CRC-32
     * @param fileBytes length of the file
     */
    public record FoundHeader(Path path, RedundancyHeader header, int headerBytes, int headerCrc, long fileBytes) {}

    /** Reads the headers of all redundancy files in a directory, not below it. */
    public static DirectoryScan of(FileOperations operations, Path directory) throws IOException {
        List<Path> paths = DirectoryEntries.of(directory).stream().filter(Files::isRegularFile).toList();
        Map<String, FoundSet> sets = new TreeMap<>();
        Map<Path, String> unreadable = new TreeMap<>();
        List<Path> scrFiles = new ArrayList<>();
        for (Path path : paths) {
            String name = String.valueOf(path.getFileName());
            Optional<RedsetFileNames.Redundancy> parsed = RedsetFileNames.parseRedundancy(name);
            if (parsed.isPresent()) {
                try {
                    add(sets, path, read(operations, path, parsed.get().rank()));
                } catch (IOException damaged) {
                    unreadable.put(path, String.valueOf(damaged.getMessage()));
                }
            } else if (RedsetFileNames.isScrFile(name)) {
                scrFiles.add(path);
            }
        }
        List<FoundSet> sorted = new ArrayList<>(sets.values());
        sorted.sort(Comparator.comparing(FoundSet::prefix).thenComparingInt(set -> set.place().group()));
        return new DirectoryScan(sorted, unreadable, scrFiles);
    }

    /** Sets of which there is no file at all, though others tell of how many sets there are; one line a prefix. */
    public List<String> absentSets() {
        Map<String, List<FoundSet>> byPrefix = new TreeMap<>();
        for (FoundSet set : sets) {
            byPrefix.computeIfAbsent(set.prefix() + set.place().scheme(), absent -> new ArrayList<>()).add(set);
        }
        List<String> absentSets = new ArrayList<>();
        for (List<FoundSet> found : byPrefix.values()) {
            int groups = found.get(0).place().groups();
            if (found.size() < groups) {
                List<Integer> present = found.stream().map(set -> set.place().group() + 1).toList();
                absentSets.add(found.get(0).prefix() + ": there are files of sets " + present + " only, of " + groups);
            }
        }
        return absentSets;
    }

    private static FoundHeader read(FileOperations operations, Path path, int rank) throws IOException {
        try (FileChannel channel = operations.openForReading(path)) {
            long fileBytes = channel.size();
            KvTreeBlock block = KvTreeBlock.read(channel, fileBytes);
            return new FoundHeader(path, RedundancyHeader.read(block.tree(), rank), block.sizeBytes(), block.crc(),
                    fileBytes);
        }
    }

    private static void add(Map<String, FoundSet> sets, Path path, FoundHeader found) throws FormatException {
        Descriptor place = found.header().own().descriptor();
        String standardName = RedsetFileNames.redundancy("", place);
        if (!path.toString().endsWith(standardName)) {
            throw new FormatException("the name doesn't fit to the header, which would be called ..." + standardName);
        }
        String prefix = path.toString().substring(0, path.toString().length() - standardName.length());
        String key = prefix + "\0" + place.ofMember(0, 0);
        sets.computeIfAbsent(key, absent -> new FoundSet(prefix, place, new TreeMap<>())).headers().put(place.rank(),
                found);
    }
}
