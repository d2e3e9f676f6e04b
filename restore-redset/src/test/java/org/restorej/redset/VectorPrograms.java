package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.redset.internal.coding.VectorSets;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;

/**
 * Encoding and recovery of the files of redset's own runs, each rank with those of its own in a directory of its own.
 */
public final class VectorPrograms implements ContractSuite {
    /** Programs that make sense at the sizes of the vectors, 3 and 4, only. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("encodes exactly what redset wrote", 3,
                    world -> forEachVector(world, VectorPrograms::encodesExactly)),
            new ContractProgram("recovers every bearable loss, and nothing else", 3,
                    world -> forEachVector(world, VectorPrograms::recoversEveryLoss)),
            new ContractProgram("recovers what redset itself wrote", 3,
                    world -> forEachVector(world, VectorPrograms::recoversWithoutChecksums)));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    /** A vector, and the part of a rank in it. */
    private record Part(Communicator world, Vectors.Case vector, RankRecord member, RankDirectory directory,
            Map<Path, FileMetadata> metadata) {
        Redset redset(int pieceBytes) {
            return Redset.builder(world).scheme(member.descriptor().scheme())
                    .failureGroup("node" + world.rank()).directory(directory.path().resolve("enc"))
                    .namePrefix("ckpt.").base(directory.path()).pieceBytes(pieceBytes)
                    .operations(new RecordedMetadata(metadata)).build();
        }

        void apply(int pieceBytes) {
            try (Redset redset = redset(pieceBytes)) {
                redset.apply(member.files().stream().map(file -> Path.of(file.name())).toList());
                equal(member.files().stream().map(file -> directory.path().resolve(file.name()).normalize()).toList(),
                        redset.originalFiles(), "original files");
            }
        }

        Path original(String name) {
            return vector.directory().resolve("enc").resolve(name);
        }
    }

    private interface Body {
        void run(Part part) throws IOException;
    }

    private static void forEachVector(Communicator world, Body body) {
        for (Vectors.Case vector : Vectors.all()) {
            if (vector.manifest().get("p").asInt() == world.size()) {
                try (RankDirectory directory = new RankDirectory()) {
                    body.run(part(world, vector, directory));
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                } catch (AssertionError failure) {
                    throw new AssertionError(vector + ": " + failure.getMessage(), failure);
                }
            }
        }
    }

    private static Part part(Communicator world, Vectors.Case vector, RankDirectory directory) throws IOException {
        for (SetDescription set : VectorSets.sets(vector)) {
            for (RankRecord member : set.members()) {
                if (member.descriptor().worldRank() == world.rank()) {
                    Map<Path, FileMetadata> metadata = new HashMap<>();
                    for (FileRecord file : member.files()) {
                        byte[] content = Files.readAllBytes(vector.dataFile(file.name()));
                        metadata.put(directory.write(file.name(), content).normalize(), file.metadata());
                    }
                    return new Part(world, vector, member, directory, metadata);
                }
            }
        }
        throw new AssertionError(vector + " has no rank " + world.rank());
    }

    private static void encodesExactly(Part part) throws IOException {
        for (int pieceBytes : new int[]{1 << 20, 1000, 333}) {
            part.apply(pieceBytes);
            int compared = 0;
            for (Map.Entry<String, byte[]> file : part.directory().snapshot().entrySet()) {
                String name = String.valueOf(Path.of(file.getKey()).getFileName());
                if (name.endsWith(".redset")) {
                    holds(Arrays.equals(Files.readAllBytes(part.original(name)), file.getValue()),
                            name + " is redset's, with pieces of " + pieceBytes);
                    compared++;
                }
            }
            equal(2, compared, "files of redset");
        }
    }

    private static void recoversEveryLoss(Part part) {
        part.apply(500);
        Map<String, byte[]> whole = part.directory().snapshot();
        for (int mask = 1; mask < 1 << part.world().size(); mask++) {
            BitSet lost = BitSet.valueOf(new long[]{mask});
            if (lost.get(part.world().rank())) {
                part.directory().lose();
            }
            recover(part, lost, whole, mask % 2 == 0 ? 1 << 20 : 700);
            part.directory().restore(whole);
        }
    }

    private static void recover(Part part, BitSet lost, Map<String, byte[]> whole, int pieceBytes) {
        try (Redset redset = part.redset(pieceBytes)) {
            if (canRebuild(part, lost)) {
                equal(new TreeSet<>(lost.stream().boxed().toList()), redset.recover().rebuiltRanks(), "rebuilt ranks");
                part.directory().require(whole, "after the loss of " + lost);
                if (lost.get(part.world().rank())) {
                    requireMetadata(part);
                }
                return;
            }
            Map<String, byte[]> before = part.directory().snapshot();
            IrrecoverableFilesException refused = throwing(IrrecoverableFilesException.class, redset::recover,
                    "recovery from the loss of " + lost);
            holds(refused.lostRanks().containsAll(lost.stream().boxed().toList()), "names the lost: " + refused);
            part.directory().require(before, "after a recovery that was refused");
        }
    }

    private static boolean canRebuild(Part part, BitSet lost) {
        return part.member().descriptor().scheme().canRebuild(lost, part.world().size());
    }

    private static void requireMetadata(Part part) {
        for (FileRecord file : part.member().files()) {
            try {
                FileMetadata recorded = Objects.requireNonNull(file.metadata());
                FileMetadata actual = FileOperations.system().metadata(part.directory().path().resolve(file.name()));
                equal(recorded.mode(), actual.mode(), "mode of " + file.name());
                equal(recorded.userId(), actual.userId(), "owner of " + file.name());
                equal(recorded.modificationTime(), actual.modificationTime(), "time of " + file.name());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private static void recoversWithoutChecksums(Part part) throws IOException {
        for (Path original : part.vector().encodedFiles()) {
            String name = String.valueOf(original.getFileName());
            if (name.startsWith("ckpt." + part.world().rank() + ".")) {
                part.directory().write("enc/" + name, Files.readAllBytes(original));
            }
        }
        Map<String, byte[]> whole = part.directory().snapshot();
        BitSet lost = new BitSet();
        if (canRebuild(part, BitSet.valueOf(new long[]{2}))) {
            lost.set(1);
        }
        if (lost.get(part.world().rank())) {
            part.directory().lose();
        }
        try (Redset redset = part.redset(1 << 20)) {
            equal(part.world().size(), redset.recover().unverifiedRanks().size(), "ranks without checksums");
        }
        part.directory().require(whole, "after the loss of " + lost);
    }
}
