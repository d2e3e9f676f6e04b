package org.restorej.cli.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.Vectors;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetEncoder;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.offline.DirectorySnapshot;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.offline.SetInspection;

/**
 * A directory as redset left it: data files, and redset's own in {@code enc}.
 *
 * @param above the folder that it is in, with nothing else
 */
record VectorDirectory(Path above) {
    /** Copies a vector in place of the one copied before. */
    static VectorDirectory copy(Vectors.Case vector, Path above) throws IOException {
        VectorDirectory directory = new VectorDirectory(above);
        directory.deleteAll();
        vector.copyTo(directory.path());
        return directory;
    }

    private Path path() {
        return above.resolve("work");
    }

    Path resolve(String name) {
        return path().resolve(name);
    }

    private void deleteAll() throws IOException {
        if (Files.exists(path())) {
            try (Stream<Path> files = Files.walk(path())) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    OfflineRedset redset() {
        return OneDirectory.redset(resolve("enc"), PathPolicy.within(path()));
    }

    /** Encodes again, which adds checksums, of which redset knows nothing. */
    void addChecksums() throws IOException {
        for (SetInspection inspection : redset().inspect().sets()) {
            SetDescription set = Objects.requireNonNull(inspection.recovery()).format().set();
            SetEncoder.encode(FileOperations.system(), ErasureKernels.preferred(), set,
                    inspection.members().values().stream().map(SetInspection.Member::location).toList());
        }
    }

    /** Everything in the folder above, too, as it is. */
    DirectorySnapshot snapshot() throws IOException {
        return DirectorySnapshot.of(above);
    }

    /** Runs a command on the directory. */
    ProgramRun run(String... command) {
        return RedsetRun.of(onPath(command));
    }

    /** Fails unless a command on the directory ends with this exit code and writes nothing. */
    ProgramRun assertWritesNothing(int exitCode, String... command) throws IOException {
        return RedsetRun.assertWritesNothing(above, exitCode, onPath(command));
    }

    private Object[] onPath(String... command) {
        return Stream.concat(Stream.of(command), Stream.of("--base", path(), resolve("enc"))).toArray();
    }

    static List<RankRecord> members(SetInspection inspection) {
        return inspection.members().values().stream().map(SetInspection.Member::record).toList();
    }

    /** Deletes all files of some ranks of a set. */
    static void remove(SetInspection inspection, BitSet ranks) throws IOException {
        for (int rank : ranks.stream().toArray()) {
            MemberLocation location = inspection.member(rank).location();
            Files.delete(location.redundancy());
            Files.delete(location.descriptor());
            Files.deleteIfExists(location.checksums());
            for (Path file : location.files()) {
                Files.delete(file);
            }
        }
    }
}
