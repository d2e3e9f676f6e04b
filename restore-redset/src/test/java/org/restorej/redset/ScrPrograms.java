package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.UnreadableFileOperations;

/** What holds when ranks recover files together that SCR itself has written. */
public final class ScrPrograms implements ContractSuite {
    /** All programs. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("rebuilds what SCR itself has written, whichever ranks have lost it", 2,
                    world -> rebuilds(world, false)),
            new ContractProgram("rebuilds what releases of SCR have written to hidden folders", 2,
                    world -> rebuilds(world, true)),
            new ContractProgram("says on every rank that two of a set of SCR are lost", 3, ScrPrograms::refusesTwo),
            new ContractProgram("rebuilds a file of SCR that its CRC condemns", 2, ScrPrograms::findsByCrc),
            new ContractProgram("replaces no file of SCR that may be good", 2, ScrPrograms::replacesNothingGood),
            new ContractProgram("says on every rank whose file of SCR is of another data set", 3,
                    ScrPrograms::namesAnotherDataSet),
            new ContractProgram("recovers no sets of SCR of two data sets together", 4,
                    ScrPrograms::refusesSetsOfTwoDataSets),
            new ContractProgram("rebuilds no data file of SCR under the name of a redundancy file", 2,
                    ScrPrograms::refusesNamesOfOthers),
            new ContractProgram("replaces no file of SCR that may be that of another member", 2,
                    ScrPrograms::replacesNoFileOfAnotherMember),
            new ContractProgram("replaces no file of SCR that can't be read at the moment", 2,
                    ScrPrograms::replacesNothingUnreadable),
            new ContractProgram("says on every rank which file of SCR has a damaged header", 2,
                    ScrPrograms::namesDamagedFiles),
            new ContractProgram("recovers files of SCR with as many ranks as wrote them", 2,
                    ScrPrograms::needsAsManyRanks),
            new ContractProgram("recovers no files of SCR among files of redset", 2, ScrPrograms::refusesBothKinds));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    /** Sets of a job: one, or two where there are enough ranks, whose members take turns. */
    private static List<int[]> sets(int ranks) {
        int sets = ranks >= 4 ? 2 : 1;
        return IntStream.range(0, sets)
                .mapToObj(set -> IntStream.range(0, ranks).filter(rank -> rank % sets == set).toArray()).toList();
    }

    private static ScrFiles files(int[] worldRanks, int jobRanks, long seed) {
        Random random = new Random(seed);
        List<Map<String, byte[]>> data = new ArrayList<>();
        for (int worldRank : worldRanks) {
            Map<String, byte[]> files = new LinkedHashMap<>();
            for (int file = random.nextInt(3); file >= 0; file--) {
                byte[] content = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(5000)];
                random.nextBytes(content);
                files.put("rank_" + worldRank + "." + file, content);
            }
            data.add(files);
        }
        return new ScrFiles(worldRanks, jobRanks, data).sorted();
    }

    /** A rank's set, and its rank in it. */
    private record Member(ScrFiles set, int rank) {
        static Member of(int worldRank, int ranks, long seed) {
            for (int[] worldRanks : sets(ranks)) {
                int rank = Arrays.binarySearch(worldRanks, worldRank);
                if (rank >= 0) {
                    return new Member(files(worldRanks, ranks, seed), rank);
                }
            }
            throw new IllegalArgumentException("worldRank=" + worldRank);
        }

        void write(RankDirectory directory) {
            write(directory, "");
        }

        /** Hides the XOR file in a folder below that of the data. */
        void write(RankDirectory directory, String hidden) {
            try {
                set.write(rank, directory.path(), directory.path().resolve(hidden));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private static Redset redset(Communicator world, RankDirectory directory) {
        return Redset.builder(world).directory(directory.path()).pieceBytes(300).build();
    }

    private static void rebuilds(Communicator world, boolean released) {
        for (int lost = 0; lost < world.size(); lost++) {
            // The neighbour is in the other set, if there are two.
            Set<Integer> losers = new TreeSet<>(Set.of(lost));
            if (sets(world.size()).size() > 1) {
                losers.add((lost + 1) % world.size() % 2 == lost % 2 ? lost : (lost + 1) % world.size());
            }
            try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
                Member member = Member.of(world.rank(), world.size(), lost);
                if (released) {
                    member.set().released();
                }
                member.write(directory, released ? ".scr" : "");
                Map<String, byte[]> whole = directory.snapshot();
                if (losers.contains(world.rank())) {
                    directory.lose();
                }
                Redset.Recovery recovery = redset.recover();
                equal(losers, recovery.rebuiltRanks(), "rebuilt ranks");
                holds(!recovery.unverifiedRanks().isEmpty(), "there are no CRCs");
                directory.require(whole, "after a recovery");
                equal(Set.of(), redset.recover().rebuiltRanks(), "rebuilt ranks when nothing is lost");
                directory.require(whole, "after another recovery");
            }
        }
    }

    private static void refusesTwo(Communicator world) {
        int last = world.size() - 1;
        int other = sets(world.size()).size() > 1 ? last - 2 : last - 1;
        try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
            Member.of(world.rank(), world.size(), 1).write(directory);
            if (world.rank() == last || world.rank() == other) {
                directory.lose();
            }
            Map<String, byte[]> before = directory.snapshot();
            IrrecoverableFilesException failure = throwing(IrrecoverableFilesException.class, redset::recover,
                    "loss of two");
            equal(new TreeSet<>(Set.of(last, other)), failure.lostRanks(), "lost ranks");
            directory.require(before, "after a loss for good");
        }
    }

    private static void findsByCrc(Communicator world) {
        try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
            int[] all = IntStream.range(0, world.size()).toArray();
            List<Map<String, byte[]>> data = Arrays.stream(all)
                    .mapToObj(rank -> Map.of("rank_" + rank, new byte[1000 + rank])).toList();
            new Member(new ScrFiles(all, world.size(), data).sorted().withCrcs(), world.rank()).write(directory);
            Map<String, byte[]> whole = directory.snapshot();
            if (world.rank() == 1) {
                directory.flip("rank_1", 3);
            }
            Redset.Recovery recovery = redset.recover();
            equal(Set.of(1), recovery.rebuiltRanks(), "rebuilt ranks");
            equal(Set.of(), recovery.unverifiedRanks(), "unverified ranks");
            directory.require(whole, "after a flipped bit");
        }
    }

    private static void replacesNothingGood(Communicator world) {
        try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
            int[] all = IntStream.range(0, world.size()).toArray();
            List<Map<String, byte[]>> data = Arrays.stream(all)
                    .mapToObj(rank -> Map.of("rank_" + rank, new byte[1000 + rank])).toList();
            ScrFiles set = new ScrFiles(all, world.size(), data);
            new Member(set, world.rank()).write(directory);
            if (world.rank() == 0) {
                directory.delete(set.xorName(0));
            } else if (world.rank() == 1) {
                // In the row of rank 1, where rank 0 has data.
                directory.flip(set.xorName(1), 8 * (set.xorFile(1).length - (int) set.chunkBytes()));
            }
            Map<String, byte[]> before = directory.snapshot();
            RedsetException failure = throwing(RedsetException.class, redset::recover, "a flipped bit");
            equal(Set.of(0), failure.failures().keySet(), "ranks that complain");
            holds(String.valueOf(failure.getMessage()).contains("rank_0 is there with its right size, but differs"),
                    "says what it would replace: " + failure);
            directory.require(before, "after a contradiction");
        }
    }

    private static void namesAnotherDataSet(Communicator world) {
        try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
            int[] all = IntStream.range(0, world.size()).toArray();
            ScrFiles set = files(all, world.size(), 3);
            new Member(world.rank() == 1 ? set.created("7") : set, world.rank()).write(directory);
            Map<String, byte[]> before = directory.snapshot();
            RedsetException failure = throwing(RedsetException.class, redset::recover, "another data set");
            for (int rank = 0; rank < world.size(); rank++) {
                String said = failure.failures().getOrDefault(rank, "");
                holds(said.contains((rank + 1) + "_of_" + world.size() + "_in_0.xor: is of data set scr.dataset.6"),
                        "names the file: " + failure);
            }
            directory.require(before, "after files of two data sets");
        }
    }

    private static void refusesSetsOfTwoDataSets(Communicator world) {
        try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
            Member member = Member.of(world.rank(), world.size(), 3);
            new Member(world.rank() % 2 == 1 ? member.set().created("7") : member.set(), member.rank())
                    .write(directory);
            if (world.rank() == 0) {
                directory.lose();
            }
            Map<String, byte[]> before = directory.snapshot();
            RedsetException failure = throwing(RedsetException.class, redset::recover, "sets of two data sets");
            equal(new TreeSet<>(IntStream.range(1, world.size()).boxed().toList()), failure.failures().keySet(),
                    "ranks that say of which data set they are");
            directory.require(before, "after sets of two data sets");
        }
    }

    private static void refusesNamesOfOthers(Communicator world) {
        int[] all = IntStream.range(0, world.size()).toArray();
        for (String name : List.of("2_of_" + world.size() + "_in_0.xor", "2_of_7_in_3.xor", "c.0.redset")) {
            try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
                List<Map<String, byte[]>> data = Arrays.stream(all)
                        .mapToObj(rank -> Map.of(rank == 0 ? name : "rank_" + rank, new byte[100 + rank])).toList();
                new Member(new ScrFiles(all, world.size(), data), world.rank()).write(directory);
                if (world.rank() == 0) {
                    directory.write(name, new byte[7]);
                }
                Map<String, byte[]> before = directory.snapshot();
                RedsetException failure = throwing(RedsetException.class, redset::recover, "a name of others");
                holds(String.valueOf(failure.getMessage())
                        .contains("must not be called as redundancy files are: rank 0 has " + name),
                        "says the name: " + failure);
                directory.require(before, "after a name of others");
            }
        }
    }

    private static void replacesNoFileOfAnotherMember(Communicator world) {
        int[] all = IntStream.range(0, world.size()).toArray();
        for (int has : new int[]{101, 7}) {
            try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
                List<Map<String, byte[]>> data = Arrays.stream(all)
                        .mapToObj(rank -> Map.of("state", new byte[100 + rank])).toList();
                new Member(new ScrFiles(all, world.size(), data), world.rank()).write(directory);
                if (world.rank() == 0) {
                    // As if the file of rank 1 had been copied over it, or it had been truncated.
                    directory.write("state", new byte[has]);
                }
                Map<String, byte[]> before = directory.snapshot();
                if (has == 7) {
                    equal(Set.of(0), redset.recover().rebuiltRanks(), "rebuilt ranks");
                    continue;
                }
                RedsetException failure = throwing(RedsetException.class, redset::recover, "a file of another");
                holds(String.valueOf(failure.getMessage()).contains("with the size of the file that another member"),
                        "says why: " + failure);
                directory.require(before, "after a file of another member");
            }
        }
    }

    private static void replacesNothingUnreadable(Communicator world) {
        int[] all = IntStream.range(0, world.size()).toArray();
        try (RankDirectory directory = new RankDirectory();
                Redset redset = Redset.builder(world).directory(directory.path())
                        .operations(world.rank() == 0
                                ? new UnreadableFileOperations(path -> path.toString().endsWith(".xor"))
                                : FileOperations.system())
                        .build()) {
            new Member(files(all, world.size(), 3), world.rank()).write(directory);
            Map<String, byte[]> before = directory.snapshot();
            RedsetException failure = throwing(RedsetException.class, redset::recover, "a file that can't be read");
            equal(Set.of(0), failure.failures().keySet(), "ranks that complain");
            holds(String.valueOf(failure.getMessage()).contains("Input/output error"), "says why: " + failure);
            directory.require(before, "after a file that can't be read");
        }
    }

    private static void namesDamagedFiles(Communicator world) {
        try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
            String name = (world.rank() + 1) + "_of_" + world.size() + "_in_0.xor";
            directory.write(name, new byte[10]);
            RedsetException failure = throwing(RedsetException.class, redset::recover, "damaged files of SCR");
            holds(String.valueOf(failure.getMessage())
                    .contains("2_of_" + world.size() + "_in_0.xor: a block has at least 28 bytes"),
                    "names file, rule and value: " + failure);
        }
    }

    private static void needsAsManyRanks(Communicator world) {
        try (RankDirectory directory = new RankDirectory(); Redset redset = redset(world, directory)) {
            int[] all = IntStream.rangeClosed(0, world.size()).toArray();
            new Member(files(all, world.size() + 1, 3), world.rank()).write(directory);
            IrrecoverableFilesException failure = throwing(IrrecoverableFilesException.class, redset::recover,
                    "files of more ranks");
            holds(String.valueOf(failure.getMessage()).contains("of " + (world.size() + 1) + " processes"),
                    "says of how many: " + failure);
        }
    }

    private static void refusesBothKinds(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = Redset.builder(world).failureGroup("host" + world.rank()).directory(directory.path())
                        .build()) {
            redset.apply(List.of(directory.write("data", new byte[100])));
            if (world.rank() == 0) {
                directory.lose();
                Member.of(0, world.size(), 1).write(directory);
            }
            Map<String, byte[]> before = directory.snapshot();
            RedsetException failure = throwing(RedsetException.class, redset::recover, "files of both kinds");
            equal(Set.of(0), failure.failures().keySet(), "ranks with files of SCR");
            directory.require(before, "after files of both kinds");
        }
    }
}
