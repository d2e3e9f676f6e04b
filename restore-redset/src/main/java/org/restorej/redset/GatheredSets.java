package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.blocks.MemberFiles;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.Timestamp;
import org.restorej.redset.internal.format.TreeFields;
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
        Plan plan = Plan.of(channel, operations, directories, missing);
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

    /**
     * Which PEs compute lost files of damaged redundancy sets, and who sends what to them; the same on all PEs. Of each
     * set it is the PE that sees most of its files: some receive nothing, since they see all that is left.
     *
     * @param receivers one for each set
     * @param copies without places for them; those of one receiver in the order of its sets
     */
    record Plan(Set<Integer> receivers, List<FileTransfer.Copy> copies) {
        Plan {
            receivers = Set.copyOf(receivers);
            copies = List.copyOf(copies);
        }

        /** A file that a PE sees; PEs of one node see the same. */
        private record Offer(Path path, long sizeBytes, Timestamp modified) {
            KvTree toTree() {
                return KvTree.builder().putText("PATH", path.toString()).put("SIZE", sizeBytes)
                        .put("SECONDS", modified.seconds()).put("NANOSECONDS", modified.nanoseconds()).build();
            }

            static Offer read(TreeFields fields) throws FormatException {
                return new Offer(Path.of(fields.longText("PATH")), fields.number("SIZE", 0, Long.MAX_VALUE),
                        new Timestamp(fields.number("SECONDS", Long.MIN_VALUE, Long.MAX_VALUE),
                                fields.integer("NANOSECONDS", 0, Integer.MAX_VALUE)));
            }
        }

        /**
         * Plans. Called by all PEs.
         *
         * @param directories where this PE looks for files
         * @param missing the ranks whose files are missing, the same on all PEs
         */
        static Plan of(RedsetChannel channel, FileOperations operations, Collection<Path> directories,
                BitSet missing) {
            MemberFiles own = channel.compute(LOAD, () -> MemberFiles.in(operations, directories));
            NavigableSet<String> sets = new TreeSet<>();
            channel.compute(LOAD, () -> channel.allGather(own.setsOf(missing))).forEach(sets::addAll);
            // What can fail on one PE alone is in a step without messages.
            Map<String, KvTree> offered = channel.compute(LOAD, () -> offers(operations, own, sets));
            Set<Integer> receivers = new TreeSet<>();
            List<FileTransfer.Copy> copies = new ArrayList<>();
            for (String set : sets) {
                KvTree mine = offered.getOrDefault(set, KvTree.EMPTY);
                List<List<Offer>> offers = channel.compute(LOAD, () -> exchange(channel, mine));
                int receiver = receiver(offers);
                receivers.add(receiver);
                copies.addAll(copies(offers, receiver));
            }
            return new Plan(receivers, copies);
        }

        private static Map<String, KvTree> offers(FileOperations operations, MemberFiles own, Set<String> sets)
                throws IOException {
            Map<String, KvTree> offers = new HashMap<>();
            for (String set : sets) {
                KvTree.Builder ofSet = KvTree.builder();
                int index = 0;
                for (Map.Entry<Path, Long> file : own.ofSet(set).entrySet()) {
                    Timestamp modified = operations.metadata(file.getKey()).modificationTime();
                    ofSet.put(Integer.toString(index++),
                            new Offer(file.getKey().toAbsolutePath(), file.getValue(), modified).toTree());
                }
                offers.put(set, ofSet.build());
            }
            return offers;
        }

        private static int receiver(List<List<Offer>> offers) {
            int receiver = 0;
            for (int rank = 1; rank < offers.size(); rank++) {
                receiver = offers.get(rank).size() > offers.get(receiver).size() ? rank : receiver;
            }
            return receiver;
        }

        private static List<FileTransfer.Copy> copies(List<List<Offer>> offers, int receiver) {
            Map<Offer, Integer> senders = new LinkedHashMap<>();
            for (int rank = 0; rank < offers.size(); rank++) {
                for (Offer offer : offers.get(rank)) {
                    senders.putIfAbsent(offer, rank);
                }
            }
            offers.get(receiver).forEach(senders::remove);
            return senders.entrySet().stream().map(sender -> {
                Path path = sender.getKey().path();
                return new FileTransfer.Copy(sender.getValue(), receiver, path, path, sender.getKey().sizeBytes());
            }).toList();
        }

        /** The offers of every PE, by rank. Called by all PEs, in a step. */
        private static List<List<Offer>> exchange(RedsetChannel channel, KvTree mine) throws FormatException {
            List<List<Offer>> all = new ArrayList<>();
            for (KvTree told : channel.allGather(mine)) {
                TreeFields list = new TreeFields("offers", told);
                List<Offer> ofRank = new ArrayList<>();
                for (int index = 0; index < told.count(); index++) {
                    ofRank.add(Offer.read(list.child(Integer.toString(index))));
                }
                all.add(ofRank);
            }
            return all;
        }
    }
}
