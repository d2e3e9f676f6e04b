package org.restorej.redset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.restorej.comm.Communicator;
import org.restorej.redset.internal.sets.ProtectionSettings;

/**
 * A seeded case: scheme, sets, the files of every rank, who loses them. Every rank comes to the same.
 *
 * @param scheme wished for
 * @param setSize wished for
 * @param labels failure group of every rank
 * @param pieceBytes length of pieces
 * @param sizes of the files of every rank
 * @param lost ranks that lose everything, as many as the sets can bear
 */
record RandomFiles(long seed, Scheme scheme, int setSize, List<String> labels, int pieceBytes,
        List<List<Integer>> sizes, BitSet lost) {
    private static final int[] SIZES = {0, 1, 2, 63, 64, 65, 1000, 4096, 10_000};

    static RandomFiles of(long seed, int ranks) {
        Random random = new Random(seed * 31 + ranks);
        Scheme scheme = switch (random.nextInt(4)) {
            case 0 -> Scheme.single();
            case 1 -> Scheme.partner(1 + random.nextInt(Math.max(1, ranks - 1)));
            case 2 -> Scheme.xor();
            default -> Scheme.rs(1 + random.nextInt(Math.max(1, ranks - 1)));
        };
        int hosts = 1 + random.nextInt(ranks);
        List<String> labels = IntStream.range(0, ranks)
                .mapToObj(rank -> random.nextBoolean() ? "host/" + rank % hosts : "rack" + rank).toList();
        int setSize = 1 + random.nextInt(ranks);
        List<List<Integer>> sizes = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            sizes.add(random.ints(random.nextInt(4)).mapToObj(any -> SIZES[Math.floorMod(any, SIZES.length)]).toList());
        }
        int pieceBytes = random.nextInt(3) == 0 ? 1 << 20 : 1 + random.nextInt(3000);
        return new RandomFiles(seed, scheme, setSize, labels, pieceBytes, sizes,
                bearableLoss(scheme, setSize, labels, random));
    }

    private static BitSet bearableLoss(Scheme scheme, int setSize, List<String> labels, Random random) {
        ProtectionSettings settings = new ProtectionSettings(scheme, setSize, true, "");
        BitSet lost = new BitSet();
        for (List<Integer> members : settings.sets(labels)) {
            Scheme own = settings.schemeFor(members.size());
            BitSet ofSet = new BitSet();
            for (int attempt = 0; attempt < members.size(); attempt++) {
                int member = random.nextInt(members.size());
                ofSet.set(member);
                if (!own.canRebuild(ofSet, members.size())) {
                    ofSet.clear(member);
                }
            }
            ofSet.stream().forEach(member -> lost.set(members.get(member)));
        }
        return lost;
    }

    /** Writes the files of a rank. */
    List<Path> write(RankDirectory directory, int rank) {
        List<Path> paths = new ArrayList<>();
        for (int file = 0; file < sizes.get(rank).size(); file++) {
            byte[] content = new byte[sizes.get(rank).get(file)];
            new Random(seed * 1000 + rank * 10L + file).nextBytes(content);
            paths.add(directory.write("data" + file % 2 + "/r" + rank + "f" + file, content));
        }
        return paths;
    }

    /** With what protects in a directory below that of the files, or in the same. */
    Redset redset(Communicator communicator, RankDirectory files, String protection) {
        return Redset.builder(communicator).scheme(scheme).setSize(setSize).degradeSmallSets(true)
                .failureGroup(labels.get(communicator.rank())).directory(files.path().resolve(protection))
                .allow(files.path()).pieceBytes(pieceBytes).build();
    }
}
