package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FileName;
import org.restorej.redset.internal.offline.OneDirectory;

/**
 * Protects files with names beyond ASCII, one of them not UTF-8, loses each in turn, and rebuilds it in both ways. Its
 * argument is an empty directory; ends with 0 when all content came back.
 */
final class LocaleProgram {
    static final List<String> NAMES = List.of(FileName.decode("dätä"), FileName.decode("a\u00FFb"), "plain");

    private LocaleProgram() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        System.out.println("encoding " + System.getProperty("sun.jnu.encoding"));
        run(directory, false);
        for (int rank = 0; rank < NAMES.size(); rank++) {
            Path file = fileOf(directory, rank);
            byte[] content = Files.readAllBytes(file);
            Files.delete(file);
            run(directory, true);
            require(content, file, "recover");
            Files.delete(file);
            OneDirectory.rebuild(OneDirectory.redset(directory, PathPolicy.within(directory)));
            require(content, file, "rebuild in one process");
        }
        System.out.println("all came back");
    }

    private static void require(byte[] content, Path file, String operation) throws Exception {
        if (!Arrays.equals(content, Files.readAllBytes(file))) {
            throw new AssertionError(FileName.shown(FilePaths.nameOf(file)) + " is wrong after " + operation);
        }
    }

    private static Path fileOf(Path directory, int rank) {
        return directory.resolve(FilePaths.of(NAMES.get(rank)));
    }

    private static void run(Path directory, boolean recovers) {
        RedsetJob.run(LocalCluster.builder(NAMES.size()), world -> {
            try (Redset redset = Redset.builder(world).scheme(Scheme.xor()).failureGroup("host" + world.rank())
                    .directory(directory).base(directory).build()) {
                if (recovers) {
                    redset.recover();
                } else {
                    Files.write(fileOf(directory, world.rank()),
                            ("content of " + world.rank()).getBytes(StandardCharsets.UTF_8));
                    redset.apply(List.of(FilePaths.of(NAMES.get(world.rank()))));
                }
                return true;
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
    }
}
