package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.testing.Deep;

/**
 * A rank whose file is longer than 32 bits can say, from its protection to its recovery. The file has a hole, so that
 * only what is written for it takes space: copies or checksums, and the file rebuilt.
 */
@Deep
class LargeRecoveryTest {
    private static final long SIZE_BYTES = (1L << 32) + 5;
    private static final long NEEDED_BYTES = 16L << 30;
    private static final int LARGE_RANK = 0;

    @ParameterizedTest
    @ValueSource(strings = {"PARTNER", "XOR"})
    void comesBackWhole(String schemeName) throws IOException {
        Path shared = Path.of("/dev/shm");
        requireSpace(shared);
        Path folder = Files.createTempDirectory(shared, "redset-large");
        try {
            boolean copies = schemeName.equals("PARTNER");
            LocalCluster.run(copies ? 2 : 3, world -> {
                try (Redset redset = Redset.builder(world).scheme(copies ? Scheme.partner(1) : Scheme.xor())
                        .failureGroup("host" + world.rank()).directory(folder).build()) {
                    protectAndRecover(redset, folder.resolve("data." + world.rank()), world.rank() == LARGE_RANK);
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
                return true;
            });
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
            }
        }
    }

    private static void protectAndRecover(Redset redset, Path file, boolean large) throws IOException {
        long last = large ? SIZE_BYTES - 1 : 999;
        List<Long> marks = large ? List.of(0L, (1L << 31) + 1, (1L << 32) - 1, 1L << 32, last) : List.of(last);
        for (long position : marks) {
            write(file, position);
        }
        redset.apply(List.of(file));
        if (large) {
            Files.delete(file);
            for (Path path : redset.redundancyFiles()) {
                Files.delete(path);
            }
        }
        assertEquals(Set.of(LARGE_RANK), redset.recover().rebuiltRanks());
        assertEquals(last + 1, Files.size(file));
        try (FileChannel channel = FileChannel.open(file)) {
            for (long position : marks) {
                ByteBuffer mark = ByteBuffer.allocate(1);
                channel.read(mark, position);
                assertEquals(valueAt(position), mark.get(0), "at " + position);
            }
        }
    }

    private static byte valueAt(long position) {
        return (byte) (position % 251 + 1);
    }

    private static void write(Path file, long position) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE)) {
            channel.write(ByteBuffer.wrap(new byte[]{valueAt(position)}), position);
        }
    }

    private static void requireSpace(Path directory) throws IOException {
        long freeBytes = Files.isDirectory(directory) ? Files.getFileStore(directory).getUsableSpace() : 0;
        long availableBytes = 1024 * Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemAvailable:")).findFirst()
                .map(line -> Long.parseLong(line.replaceAll("\\D", ""))).orElse(0L);
        if (Math.min(freeBytes, availableBytes) < NEEDED_BYTES) {
            String why = "SKIPPED: files beyond 4 GiB need " + NEEDED_BYTES + " bytes of memory and of " + directory
                    + ": " + availableBytes + " and " + freeBytes + " are free";
            System.err.println(why);
            Assumptions.abort(why);
        }
    }
}
