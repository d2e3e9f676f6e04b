package org.restorej.redset;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.restorej.redset.internal.blocks.MemberFiles;
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

    private final Optional<Path> workspace;
    private final List<Path> directories;

    private GatheredSets(Optional<Path> workspace, List<Path> directories) {
        this.workspace = workspace;
        this.directories = directories;
    }

    /** A file that a PE sees; PEs of one node see the same. */
    private record Offer(Path path, long sizeBytes, long modifiedMillis) {
        String text() {
            return sizeBytes + " " + modifiedMillis + " " + path;
        }

        static Offer of(String text) {
            String[] parts = text.split(" ", 3);
            return new Offer(Path.of(parts[2]), Long.parseLong(parts[0]), Long.parseLong(parts[1]));
        }
    }

    /**
     * Copies what is needed. Called by all PEs.
     *
     * @param directories where this PE looks for files
     * @param missing the ranks whose files are missing, the same on all PEs
     */
    static GatheredSets of(RedsetChannel channel, FileOperations operations, Collection<Path> directories,
            BitSet missing) {
        MemberFiles own = channel.compute(LOAD, () -> MemberFiles.in(operations, directories));
        NavigableSet<String> sets = new TreeSet<>();
        channel.compute(LOAD, () -> exchange(channel, own.setsOf(missing))).forEach(sets::addAll);
        List<FileTransfer.Copy> copies = new ArrayList<>();
        for (String set : sets) {
            copies.addAll(copiesOf(channel, own, set));
        }
        boolean receives = copies.stream().anyMatch(copy -> copy.receiver() == channel.rank());
        Optional<Path> workspace = channel.compute(LOAD,
                () -> receives ? Optional.of(Files.createTempDirectory("restorej-gathered")) : Optional.empty());
        GatheredSets gathered = new GatheredSets(workspace, new ArrayList<>());
        try {
            channel.step(LOAD,
                    () -> FileTransfer.copy(channel, operations, gathered.placed(channel.rank(), copies)));
            return gathered;
        } catch (RuntimeException failure) {
            gathered.close();
            throw failure;
        }
    }

    /** Who sends what to the PE that sees most of a set. Called by all PEs, which get the same. */
    private static List<FileTransfer.Copy> copiesOf(RedsetChannel channel, MemberFiles own, String set) {
        List<List<Offer>> offers = channel.compute(LOAD, () -> {
            List<String> texts = new ArrayList<>();
            for (Map.Entry<Path, Long> file : own.ofSet(set).entrySet()) {
                long modified = Files.getLastModifiedTime(file.getKey()).toMillis();
                texts.add(new Offer(file.getKey().toAbsolutePath(), file.getValue(), modified).text());
            }
            return exchange(channel, texts);
        }).stream().map(texts -> texts.stream().map(Offer::of).toList()).toList();
        int receiver = 0;
        Map<Offer, Integer> senders = new LinkedHashMap<>();
        for (int rank = 0; rank < offers.size(); rank++) {
            receiver = offers.get(rank).size() > offers.get(receiver).size() ? rank : receiver;
            for (Offer offer : offers.get(rank)) {
                senders.putIfAbsent(offer, rank);
            }
        }
        offers.get(receiver).forEach(senders::remove);
        List<FileTransfer.Copy> copies = new ArrayList<>();
        for (Map.Entry<Offer, Integer> sender : senders.entrySet()) {
            Path path = sender.getKey().path();
            copies.add(new FileTransfer.Copy(sender.getValue(), receiver, path, path, sender.getKey().sizeBytes()));
        }
        return copies;
    }

    /** The texts of every PE, by rank. Called by all PEs, in a step. */
    private static List<List<String>> exchange(RedsetChannel channel, Collection<String> texts) {
        return channel.allGather(String.join("\0", texts).getBytes(StandardCharsets.UTF_8)).stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .map(text -> Arrays.stream(text.split("\0")).filter(each -> !each.isEmpty()).toList()).toList();
    }

    /** The same copies, with places in the workspace for those that come here. */
    private List<FileTransfer.Copy> placed(int rank, List<FileTransfer.Copy> copies) throws IOException {
        List<FileTransfer.Copy> placed = new ArrayList<>();
        Map<Path, Path> folders = new LinkedHashMap<>();
        for (FileTransfer.Copy copy : copies) {
            if (copy.receiver() != rank) {
                placed.add(copy);
                continue;
            }
            Path root = workspace.orElseThrow();
            Path source = Path.of(copy.sender() + ":" + copy.source().getParent());
            Path folder = folders.computeIfAbsent(source, absent -> root.resolve("from" + folders.size()));
            Files.createDirectories(folder);
            placed.add(new FileTransfer.Copy(copy.sender(), rank, copy.source(),
                    folder.resolve(Objects.requireNonNull(copy.source().getFileName())), copy.sizeBytes()));
        }
        directories.addAll(folders.values());
        return placed;
    }

    /** Where the files of other PEs are now. */
    List<Path> directories() {
        return directories;
    }

    /** Whether this PE has files of others, to compute lost ones from. */
    boolean isReceiver() {
        return workspace.isPresent();
    }

    /** Removes the copies. */
    @Override
    public void close() {
        workspace.ifPresent(root -> {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            } catch (IOException failure) {
                LOG.log(System.Logger.Level.WARNING, "temporary files stay behind: {0}", failure.getMessage());
            }
        });
    }
}
