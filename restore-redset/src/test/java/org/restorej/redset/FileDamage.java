package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;

/** Damages files. */
public final class FileDamage {
    private FileDamage() {}

    /** Flips a bit of the byte at this index. */
    public static void flip(Path file, int at) throws IOException {
        byte[] content = Files.readAllBytes(file);
        content[at] ^= 4;
        Files.write(file, content);
    }

    /** A file with another header, which is sound as a block, and the same content behind it. */
    public static byte[] withHeader(byte[] file, UnaryOperator<KvTree> change) throws IOException {
        KvTreeBlock block = KvTreeBlock.decode(file);
        byte[] header = KvTreeBlock.encode(change.apply(block.tree()));
        byte[] changed = Arrays.copyOf(header, header.length + file.length - block.sizeBytes());
        System.arraycopy(file, block.sizeBytes(), changed, header.length, file.length - block.sizeBytes());
        return changed;
    }
}
