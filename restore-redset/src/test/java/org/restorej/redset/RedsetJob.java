package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeProgram;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PendingFile;

/** A small job: all its ranks, and the files that they had protected before. */
public final class RedsetJob implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** The operation in which things go wrong. */
    enum Attempt {
        APPLY, RECOVER
    }

    private final Attempt attempt;
    private final Scheme scheme;
    private final int ranks;
    private final List<RankDirectory> directories;
    private final List<Map<String, byte[]>> before = new ArrayList<>();
    /** Disks from which a recovery was tried. */
    private final Set<String> recovered = new HashSet<>();

    RedsetJob(Attempt attempt, Scheme scheme, int ranks) {
        this.attempt = attempt;
        this.scheme = scheme;
        this.ranks = ranks;
        directories = IntStream.range(0, ranks).mapToObj(rank -> new RankDirectory()).toList();
        run(LocalCluster.builder(ranks), world -> {
            try (Redset redset = redset(world, FileOperations.system())) {
                redset.apply(write(world.rank(), "old"));
            }
            return true;
        });
        directories.forEach(directory -> before.add(directory.snapshot()));
    }

    int ranks() {
        return ranks;
    }

    List<RankDirectory> directories() {
        return directories;
    }

    /** Files of every rank before the attempt, and, for a recovery, before the loss. */
    List<Map<String, byte[]>> before() {
        return before;
    }

    /** What a rank has in its old or new file. */
    byte[] content(int rank, String name) {
        int bytes = name.equals("old") ? 300 : 500;
        byte[] content = new byte[bytes + 10 * rank];
        Arrays.fill(content, (byte) (bytes + rank));
        return content;
    }

    private List<Path> write(int rank, String name) {
        return List.of(directories.get(rank).write(name, content(rank, name)));
    }

    Redset redset(Communicator communicator, FileOperations operations) {
        int rank = communicator.originalRank().value();
        return Redset.builder(communicator).scheme(scheme).failureGroup("host" + rank)
                .directory(directories.get(rank).path()).pieceBytes(200).operations(operations).build();
    }

    /** As before the attempt; for a recovery the last rank has lost everything. */
    void reset() {
        for (int rank = 0; rank < ranks; rank++) {
            directories.get(rank).restore(before.get(rank));
        }
        if (attempt != Attempt.APPLY) {
            directories.get(ranks - 1).lose();
        }
    }

    void attempt(Redset redset, int rank) {
        switch (attempt) {
            case APPLY -> redset.apply(write(rank, "new"));
            case RECOVER -> redset.recover();
        }
    }

    /** The rank whose disk may be lost after an attempt: XOR bears no other loss than the one to be repaired. */
    int bearableLoss(int wanted) {
        return attempt != Attempt.APPLY && scheme.equals(Scheme.xor()) ? ranks - 1 : wanted;
    }

    /** A later run on as many ranks, one of which has lost its disk: everybody has again what was protected last. */
    void recoverAll(int lost, boolean attemptWasDone, String when) {
        directories.get(lost).lose();
        recoverAll(attemptWasDone, when);
    }

    /** As the other, with the disks as they are. */
    void recoverAll(boolean attemptWasDone, String when) {
        // Most crashes leave the disks as another one has left them, and a recovery knows nothing but the disks.
        if (!recovered.add(attemptWasDone + " " + disks())) {
            return;
        }
        run(LocalCluster.builder(ranks), world -> {
            try (Redset redset = redset(world, FileOperations.system())) {
                redset.recover();
                String expected = attemptWasDone && attempt == Attempt.APPLY ? "new" : "old";
                assertEquals(List.of(directories.get(world.rank()).path().resolve(expected)),
                        redset.originalFiles(), when);
                if (expected.equals("old")) {
                    Map<String, byte[]> old = before.get(world.rank());
                    directories.get(world.rank()).delete("new");
                    directories.get(world.rank()).require(old, when);
                }
            }
            return true;
        });
    }

    /** Names and contents of all files, but for what is drawn by chance. */
    private List<List<String>> disks() {
        List<List<String>> disks = new ArrayList<>();
        for (RankDirectory directory : directories) {
            List<String> files = new ArrayList<>();
            directory.snapshot().forEach((name, content) -> files
                    .add(name.endsWith(PendingFile.EXTENSION)
                            || name.matches(".*restorej-(staged|decided|aborted|dropped)")
                                    ? name.replaceAll("[0-9a-f-]{36}", "") + content.length
                                    : name + Arrays.hashCode(content)));
            files.sort(null);
            disks.add(files);
        }
        return disks;
    }

    /** For each rank on a node of its own, with a file system that may fail. */
    public static Redset.Builder builder(Communicator world, FileOperations operations) {
        return Redset.builder(world).failureGroup("host" + world.rank()).operations(operations);
    }

    /** Runs a program on all ranks. */
    public static <T> List<T> run(LocalCluster.Builder builder, PeProgram<T> program) {
        try (LocalCluster cluster = builder.timeout(TIMEOUT).build()) {
            return PeOutcome.values(cluster.run(program));
        }
    }

    @Override
    public void close() {
        directories.forEach(RankDirectory::close);
    }
}
