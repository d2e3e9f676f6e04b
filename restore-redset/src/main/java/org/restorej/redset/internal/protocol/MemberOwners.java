package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.sets.RankPlaces;

/**
 * Assigns the ranks with protected files to processes, with the places of their files. If there are as many processes
 * as ranks, each acts for its own. Otherwise processes act for ranks whose descriptor files they find: the process with
 * the rank's number, or else the next one. Ranks of which no process finds a file are rebuilt by the process that finds
 * the fewest, such as one on a replaced node.
 *
 * @param places of all ranks
 * @param owners by rank: the process that acts for it
 * @param own by rank: the files of the ranks that this process acts for
 * @param unseen ranks of which no process finds a file
 */
record MemberOwners(RankPlaces places, List<Integer> owners, SortedMap<Integer, RankFiles> own, BitSet unseen) {
    private static final String OPERATION = "recover";
    /** In messages about a rank without a descriptor file. */
    private static final int UNKNOWN = 0;
    /** A descriptor file describes at most about so many ranks. */
    private static final int MAX_TOLD = 256;

    MemberOwners {
        owners = List.copyOf(owners);
        own = Collections.unmodifiableSortedMap(new TreeMap<>(own));
        unseen = (BitSet) unseen.clone();
    }

    /**
     * Assigns each process its own rank.
     *
     * @param files of this process
     */
    static MemberOwners eachItsOwn(RankPlaces places, int process, RankFiles files) {
        return new MemberOwners(places, IntStream.range(0, places.places().size()).boxed().toList(),
                new TreeMap<>(Map.of(process, files)), new BitSet());
    }

    /** Whether each process acts for its own rank. */
    boolean isEachItsOwn() {
        return IntStream.range(0, owners.size()).allMatch(rank -> owners.get(rank) == rank);
    }

    /** The files of a rank that this process finds. */
    private record Sight(RankFiles files, @Nullable DescriptorFile descriptor) {
        int worldRanks() {
            return descriptor == null ? UNKNOWN : descriptor.byWorldRank().values().iterator().next().worldRanks();
        }
    }

    /**
     * Assigns processes by the files that they find. Collective.
     *
     * @param directories directories that this process searches, each as the files of its own rank
     * @throws IrrecoverableFilesException on all ranks if no file is found, or files for several numbers of ranks
     */
    static MemberOwners bySight(RedsetChannel channel, List<RankFiles> directories) {
        SortedMap<Integer, List<Sight>> seen = channel.computeLocally(OPERATION, () -> look(directories));
        Seen all = channel.compute(OPERATION, () -> Seen.of(channel, seen));
        int ranks = all.worldRanks();
        List<Integer> owners = new ArrayList<>();
        SortedMap<Integer, RankFiles> own = new TreeMap<>();
        BitSet unseen = new BitSet();
        KvTree.Builder descriptors = KvTree.builder();
        for (int rank = 0; rank < ranks; rank++) {
            OptionalInt nearest = all.nearest(rank, ranks, channel.size());
            unseen.set(rank, nearest.isEmpty());
            owners.add(nearest.orElse(all.fewest(ranks, channel.size())));
            if (owners.get(rank) == channel.rank()) {
                Sight sight = best(seen.getOrDefault(rank, List.of()), ranks);
                own.put(rank, (sight == null ? directories.getFirst() : sight.files()).ofRank(rank));
                if (sight != null && sight.descriptor() != null && sight.worldRanks() == ranks) {
                    descriptors.put(Integer.toString(rank), sight.descriptor().toTree());
                }
            }
        }
        List<Optional<DescriptorFile>> told = channel.compute(OPERATION,
                () -> descriptors(channel.allGather(descriptors.build()), ranks));
        return new MemberOwners(RankPlaces.of(told), owners, own, unseen);
    }

    private static SortedMap<Integer, List<Sight>> look(List<RankFiles> directories) throws IOException {
        SortedMap<Integer, List<Sight>> seen = new TreeMap<>();
        for (RankFiles files : directories) {
            if (DirectoryEntries.obstacle(files.directory()).isPresent()) {
                // Files there count as lost. If they have to be rebuilt there, that fails and tells the reason.
                continue;
            }
            BitSet ranks = new BitSet();
            for (String name : DirectoryEntries.namesOf(files.directory())) {
                RedsetFileNames.rankOf(files.namePrefix(), name).ifPresent(ranks::set);
            }
            for (int rank : ranks.stream().toArray()) {
                RankFiles ofRank = files.ofRank(rank);
                DescriptorFile descriptor = ofRank.descriptorFile();
                boolean isOfRank = descriptor != null && descriptor.byWorldRank().containsKey(rank);
                seen.computeIfAbsent(rank, absent -> new ArrayList<>())
                        .add(new Sight(ofRank, isOfRank ? descriptor : null));
            }
        }
        return seen;
    }

    private static @Nullable Sight best(List<Sight> sights, int ranks) {
        for (int wanted : new int[]{ranks, UNKNOWN}) {
            for (Sight sight : sights) {
                if (sight.worldRanks() == wanted) {
                    return sight;
                }
            }
        }
        return null;
    }

    private static List<Optional<DescriptorFile>> descriptors(List<KvTree> told, int ranks) throws FormatException {
        List<Optional<DescriptorFile>> all = new ArrayList<>(Collections.nCopies(ranks, Optional.empty()));
        for (KvTree ofProcess : told) {
            for (int i = 0; i < ofProcess.count(); i++) {
                all.set(Integer.parseInt(ofProcess.keyAt(i)), Optional.of(DescriptorFile.read(ofProcess.childAt(i))));
            }
        }
        return all;
    }

    /**
     * The ranks that each process finds; the same on all.
     *
     * @param byProcess for each process: by the number of ranks in descriptor files, the ranks found
     */
    private record Seen(List<SortedMap<Integer, BitSet>> byProcess) {
        /** Exchanges what each process finds. Collective, inside a step. */
        static Seen of(RedsetChannel channel, SortedMap<Integer, List<Sight>> own) {
            SortedMap<Integer, BitSet> mine = new TreeMap<>();
            own.forEach((rank, sights) -> sights.forEach(
                    sight -> mine.computeIfAbsent(sight.worldRanks(), first -> new BitSet()).set(rank)));
            List<String> texts = new ArrayList<>();
            mine.forEach((worldRanks, ranks) -> {
                for (int first = ranks.nextSetBit(0); first >= 0; first = ranks.nextSetBit(ranks.nextClearBit(first))) {
                    texts.add(worldRanks + " " + first + " " + ranks.nextClearBit(first));
                }
            });
            List<SortedMap<Integer, BitSet>> all = new ArrayList<>();
            for (List<String> told : channel.allGather(texts)) {
                SortedMap<Integer, BitSet> ofProcess = new TreeMap<>();
                for (String text : told) {
                    int[] numbers = List.of(text.split(" ", -1)).stream().mapToInt(Integer::parseInt).toArray();
                    ofProcess.computeIfAbsent(numbers[0], first -> new BitSet()).set(numbers[1], numbers[2]);
                }
                all.add(ofProcess);
            }
            return new Seen(all);
        }

        /** The number of ranks of the current encoding. */
        int worldRanks() {
            SortedMap<Integer, BitSet> described = new TreeMap<>();
            byProcess.forEach(ofProcess -> ofProcess.forEach((worldRanks, ranks) -> described
                    .computeIfAbsent(worldRanks, first -> new BitSet()).or(ranks)));
            described.remove(UNKNOWN);
            List<Integer> counting = described.keySet().stream()
                    .filter(worldRanks -> RankPlaces.mayCount(worldRanks, described)).toList();
            int counts = counting.size() == 1 ? counting.getFirst() : UNKNOWN;
            // A forged file must not cost memory for all ranks that it claims.
            if (counts != UNKNOWN
                    && counts / MAX_TOLD <= described.getOrDefault(counts, new BitSet()).cardinality()) {
                return counts;
            }
            if (described.isEmpty()) {
                // Throws the exception for this case.
                RankPlaces.of(Collections.nCopies(byProcess.size(), Optional.empty()));
            }
            throw new IrrecoverableFilesException(described.size() == 1
                    ? "descriptor files claim " + described.firstKey() + " ranks, too many for the files that are there"
                    : "there are descriptor files of several numbers of ranks, " + described.keySet()
                            + ", and they don't tell which of them count",
                    Collections.emptySortedSet());
        }

        private boolean sees(int process, int rank, int worldRanks) {
            BitSet ranks = byProcess.get(process).get(worldRanks);
            return ranks != null && ranks.get(rank);
        }

        /** The process that finds a rank and has its number, or the next such process. */
        OptionalInt nearest(int rank, int ranks, int processes) {
            for (int worldRanks : new int[]{ranks, UNKNOWN}) {
                for (int distance = 0; distance < processes; distance++) {
                    int process = (rank + distance) % processes;
                    if (sees(process, rank, worldRanks)) {
                        return OptionalInt.of(process);
                    }
                }
            }
            return OptionalInt.empty();
        }

        /** The first of the processes that find the fewest ranks. */
        int fewest(int ranks, int processes) {
            int best = 0;
            int fewest = Integer.MAX_VALUE;
            for (int process = 0; process < processes; process++) {
                BitSet seen = byProcess.get(process).getOrDefault(ranks, new BitSet());
                if (seen.cardinality() < fewest) {
                    fewest = seen.cardinality();
                    best = process;
                }
            }
            return best;
        }
    }
}
