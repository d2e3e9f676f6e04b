package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.testing.Deep;

/** A file whose size and offsets need more than 32 bits. It has a hole, so that it takes no space. */
class LargeFileTest {
    private static final long SIZE_BYTES = (1L << 32) + 4097;

    @TempDir
    private Path folder = Path.of("");

    private static void write(Path file, long position, int value) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE)) {
            channel.write(ByteBuffer.wrap(new byte[]{(byte) value}), position);
        }
    }

    @Deep
    @Test
    void seesAChangeBeyondFourGibibytes() throws IOException {
        Path file = folder.resolve("large");
        write(file, SIZE_BYTES - 1, 1);
        LocalCluster.run(1, world -> {
            try (Redset redset = Redset.builder(world).scheme(Scheme.single()).directory(folder).build()) {
                redset.apply(List.of(file));
            }
            return true;
        });
        OfflineRedset offline = OneDirectory.redset(folder, PathPolicy.within(folder));
        SetInspection whole = offline.inspect().sets().getFirst();
        assertEquals(SetInspection.State.WHOLE, whole.state(), () -> whole.damages().toString());
        write(file, 1L << 32, 1);
        SetInspection changed = offline.verify().sets().getFirst();
        assertEquals(SetInspection.State.LOST, changed.state());
        assertEquals(1, changed.damages().size(), () -> changed.damages().toString());
    }
}
