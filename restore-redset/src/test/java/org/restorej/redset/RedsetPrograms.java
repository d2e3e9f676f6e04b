package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What redset promises on any number of ranks, each with a directory of its own. */
public final class RedsetPrograms implements ContractSuite {
    private static final int SEEDS = 6;

    /** All programs. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("rebuilds files of any number and size in any sets", 1, RedsetPrograms::rebuildsRandom),
            new ContractProgram("finds flipped bits and repairs them as losses", 3, RedsetPrograms::findsFlippedBits),
            new ContractProgram("repairs small files without calling it a loss", 2, RedsetPrograms::repairsSmallFiles),
            new ContractProgram("a new scheme replaces what protected before", 4, RedsetPrograms::replaces),
            new ContractProgram("refuses sets that are too small on every rank", 2, RedsetPrograms::refusesSmallSets),
            new ContractProgram("refuses wishes that differ on every rank", 2, RedsetPrograms::refusesDifferentWishes),
            new ContractProgram("says on every rank which file of which rank can't be read", 2,
                    RedsetPrograms::namesTheRankAtFault),
            new ContractProgram("says on every rank which argument of which rank is wrong", 2,
                    RedsetPrograms::namesTheArgumentAtFault),
            new ContractProgram("says on every rank which directory of which rank can't be written", 2,
                    RedsetPrograms::namesTheDirectoryAtFault),
            new ContractProgram("says on every rank what is lost for good", 2, RedsetPrograms::namesTheLost),
            new ContractProgram("unapply leaves the files and nothing else", 2, RedsetPrograms::unapplies));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static void rebuildsRandom(Communicator world) {
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomFiles random = RandomFiles.of(seed, world.size());
            try (RankDirectory directory = new RankDirectory()) {
                rebuild(world, random, directory);
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(random + ": " + failure, failure);
            }
        }
    }

    private static void rebuild(Communicator world, RandomFiles random, RankDirectory directory) {
        List<Path> paths = random.write(directory, world.rank());
        try (Redset redset = random.redset(world, directory, "protection")) {
            redset.apply(paths);
            equal(paths, redset.originalFiles(), "original files");
            equal(3, redset.redundancyFiles().size(), "files that protect");
            Map<String, byte[]> whole = directory.snapshot();
            if (random.lost().get(world.rank())) {
                directory.lose();
            }
            Redset.Recovery recovery = redset.recover();
            equal(new TreeSet<>(random.lost().stream().boxed().toList()), recovery.rebuiltRanks(), "rebuilt ranks");
            equal(Set.of(), recovery.unverifiedRanks(), "unverified ranks");
            directory.require(whole, "after recovery");
        }
    }

    /** Ranks of failure groups of their own, one file each. */
    private static Redset.Builder builder(Communicator world, RankDirectory directory) {
        return Redset.builder(world).scheme(Scheme.xor()).failureGroup("host" + world.rank())
                .directory(directory.path().resolve("protection")).allow(directory.path());
    }

    private static Path file(Communicator world, RankDirectory directory) {
        byte[] content = new byte[5000 + 100 * world.rank()];
        Arrays.fill(content, (byte) (world.rank() + 1));
        return directory.write("data", content);
    }

    private static void findsFlippedBits(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = builder(world, directory).build()) {
            redset.apply(List.of(file(world, directory)));
            Map<String, byte[]> whole = directory.snapshot();
            int victim = world.size() - 1;
            for (String part : List.of("data", ".mem_")) {
                String name = whole.keySet().stream().filter(each -> each.contains(part) && !each.endsWith("sums"))
                        .findFirst().orElseThrow();
                for (int bit : new int[]{0, 8 * (whole.getOrDefault(name, new byte[0]).length - 1) + 7}) {
                    if (world.rank() == victim) {
                        directory.flip(name, bit);
                    }
                    boolean isHeader = part.equals(".mem_") && bit == 0;
                    equal(isHeader ? Set.of(victim) : Set.of(), redset.recover().rebuiltRanks(),
                            "rebuilt when only headers are read, after a flip in " + part);
                    equal(isHeader ? Set.of() : Set.of(victim), redset.verifyAndRecover().rebuiltRanks(),
                            "rebuilt after a flip in " + part);
                    directory.require(whole, "after a flip in " + part);
                }
            }
            equal(Set.of(), redset.verifyAndRecover().rebuiltRanks(), "rebuilt when all is whole");
        }
    }

    private static void repairsSmallFiles(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = builder(world, directory).scheme(Scheme.partner(1)).build()) {
            redset.apply(List.of(file(world, directory)));
            Map<String, byte[]> whole = directory.snapshot();
            if (world.rank() == 0) {
                directory.flip("protection/rank.0.redset", 300);
            } else if (world.rank() == 1) {
                whole.keySet().stream().filter(name -> name.endsWith(".checksums")).forEach(directory::delete);
            }
            equal(Set.of(), redset.recover().rebuiltRanks(), "rebuilt ranks");
            directory.require(whole, "after small files were lost");
        }
    }

    private static void replaces(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset first = builder(world, directory).scheme(Scheme.partner(2)).build();
                Redset second = builder(world, directory).scheme(Scheme.rs(2)).build()) {
            Path path = file(world, directory);
            first.apply(List.of(path));
            second.apply(List.of(path));
            equal(3, second.redundancyFiles().size(), "files that protect");
            Map<String, byte[]> whole = directory.snapshot();
            holds(whole.keySet().stream().noneMatch(name -> name.contains(".partner.")), "the former are gone");
            if (world.rank() < 2) {
                directory.lose();
            }
            equal(Set.of(0, 1), first.recover().rebuiltRanks(), "rebuilt with other settings than protected");
            directory.require(whole, "after recovery");
        }
    }

    private static void refusesSmallSets(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = builder(world, directory).failureGroup("one for all").build()) {
            Path path = file(world, directory);
            Map<String, byte[]> before = directory.snapshot();
            IllegalArgumentException refused = throwing(IllegalArgumentException.class,
                    () -> redset.apply(List.of(path)), "one failure group");
            holds(String.valueOf(refused.getMessage()).contains("one for all"), "names the group: " + refused);
            directory.require(before, "after a refusal");
            try (Redset lesser = builder(world, directory).failureGroup("one for all").degradeSmallSets(true)
                    .build()) {
                lesser.apply(List.of(path));
                equal(Set.of(), lesser.recover().rebuiltRanks(), "rebuilt ranks");
                equal(3, lesser.redundancyFiles().size(), "files that protect");
            }
        }
    }

    private static void refusesDifferentWishes(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = builder(world, directory).setSize(world.rank() == 1 ? 3 : 2).build()) {
            IllegalArgumentException refused = throwing(IllegalArgumentException.class, () -> redset.apply(List.of()),
                    "different set sizes");
            holds(String.valueOf(refused.getMessage()).contains("rank 1"), "names the rank: " + refused);
        }
    }

    private static void namesTheRankAtFault(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = builder(world, directory).build()) {
            Path path = file(world, directory);
            redset.apply(List.of(path));
            Map<String, byte[]> before = directory.snapshot();
            Path given = world.rank() == 1 ? directory.path().resolve("absent") : path;
            RedsetException failure = throwing(RedsetException.class, () -> redset.apply(List.of(given)),
                    "absent file");
            equal(Set.of(1), failure.failures().keySet(), "who complains");
            holds(String.valueOf(failure.getMessage()).contains("absent"), "names the file: " + failure);
            directory.require(before, "after an error");
            equal(Set.of(), redset.recover().rebuiltRanks(), "rebuilt ranks");
        }
    }

    private static void namesTheArgumentAtFault(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = builder(world, directory).build()) {
            Path path = file(world, directory);
            redset.apply(List.of(path));
            Map<String, byte[]> before = directory.snapshot();
            Path longName = Path.of(directory.path() + "/.".repeat(600) + "/data");
            List<List<Path>> mistakes = Arrays.asList(null, Arrays.asList(path, null), List.of(longName));
            List<String> rules = List.of("paths=null", "paths[1]=null", "1 to 1023 bytes");
            for (int i = 0; i < rules.size(); i++) {
                List<Path> given = world.rank() == 1 ? mistakes.get(i) : List.of(path);
                IllegalArgumentException refused = throwing(IllegalArgumentException.class, () -> redset.apply(given),
                        rules.get(i));
                String message = String.valueOf(refused.getMessage());
                holds(message.contains("on rank 1") && message.contains(rules.get(i)), message);
                directory.require(before, "after " + message);
            }
            redset.apply(List.of(path));
        }
    }

    private static void namesTheDirectoryAtFault(Communicator world) {
        try (RankDirectory directory = new RankDirectory()) {
            Path path = file(world, directory);
            Path protection = world.rank() == 1 ? path : directory.path().resolve("protection");
            try (Redset redset = builder(world, directory).directory(protection).build()) {
                Map<String, byte[]> before = directory.snapshot();
                RedsetException failure = throwing(RedsetException.class, () -> redset.apply(List.of(path)),
                        "a file where the directory should be");
                equal(Set.of(1), failure.failures().keySet(), "who complains");
                holds(failure.failures().getOrDefault(1, "").contains("data"), "names the path: " + failure);
                directory.require(before, "after an error");
            }
        }
    }

    private static void namesTheLost(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = builder(world, directory).build()) {
            throwing(IrrecoverableFilesException.class, redset::recover, "recovery of nothing");
            redset.apply(List.of(file(world, directory)));
            BitSet lost = BitSet.valueOf(new long[]{3});
            if (lost.get(world.rank())) {
                directory.delete("data");
            }
            Map<String, byte[]> before = directory.snapshot();
            IrrecoverableFilesException failure = throwing(IrrecoverableFilesException.class, redset::recover,
                    "loss of two");
            equal(Set.of(0, 1), failure.lostRanks(), "lost ranks");
            String message = String.valueOf(failure.getMessage());
            holds(message.contains("XOR") && message.contains("[0, 1]") && message.contains("data is absent"),
                    "names scheme, ranks and files: " + message);
            directory.require(before, "after a loss for good");
        }
    }

    private static void unapplies(Communicator world) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = builder(world, directory).build()) {
            Path path = file(world, directory);
            SortedMap<String, byte[]> before = new TreeMap<>(directory.snapshot());
            redset.apply(List.of(path));
            redset.unapply();
            directory.require(before, "after unapply");
            redset.unapply();
            equal(List.of(), redset.redundancyFiles(), "files that protect");
            equal(List.of(), redset.originalFiles(), "files that are protected");
        }
    }
}
