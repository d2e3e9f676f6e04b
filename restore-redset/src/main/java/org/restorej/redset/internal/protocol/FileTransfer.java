package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.restorej.redset.internal.files.FileOperations;

/**
 * Copies files from rank to rank: to where a node's files are needed, from where they are. Each is sent a buffer at a
 * time, one after the other.
 */
public final class FileTransfer {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int TAG = 7;

    private FileTransfer() {}

    /**
     * A file to be copied.
     *
     * @param sender a rank that has it
     * @param receiver another rank
     * @param source where the sender has it
     * @param target where the receiver creates it; of no meaning elsewhere
     * @param sizeBytes its size
     */
    public record Copy(int sender, int receiver, Path source, Path target, long sizeBytes) {}

    /**
     * Copies files. Called by all ranks, in a step, with the same copies in the same order. A file that can't be read
     * or written is an {@link IOException} after the last message.
     */
    public static void copy(RedsetChannel channel, FileOperations operations, List<Copy> copies) throws IOException {
        PostponedFailure failure = new PostponedFailure();
        for (Copy copy : copies) {
            if (copy.sender() == channel.rank()) {
                send(channel, operations, copy, failure);
            } else if (copy.receiver() == channel.rank()) {
                receive(channel, operations, copy, failure);
            }
        }
        failure.throwIfAny();
    }

    private static void send(RedsetChannel channel, FileOperations operations, Copy copy, PostponedFailure failure) {
        try (var file = new OpenFile(failure, () -> operations.openForReading(copy.source()))) {
            for (long at = 0; at < copy.sizeBytes(); at += BUFFER_BYTES) {
                MemorySegment buffer = buffer(channel, copy, at);
                long from = at;
                file.use(opened -> FileOperations.readFully(opened, copy.source(), buffer.asByteBuffer(), from));
                channel.await(channel.send(buffer, copy.receiver(), TAG));
            }
        }
    }

    private static void receive(RedsetChannel channel, FileOperations operations, Copy copy,
            PostponedFailure failure) {
        try (var file = new OpenFile(failure, () -> operations.createNew(copy.target(), FileOperations.PRIVATE))) {
            for (long at = 0; at < copy.sizeBytes(); at += BUFFER_BYTES) {
                MemorySegment buffer = buffer(channel, copy, at);
                channel.await(channel.receive(buffer, copy.sender(), TAG));
                long to = at;
                file.use(opened -> operations.write(opened, buffer.asByteBuffer(), to));
            }
        }
    }

    private static MemorySegment buffer(RedsetChannel channel, Copy copy, long at) {
        return channel.memory(BUFFER_BYTES).asSlice(0, Math.min(BUFFER_BYTES, copy.sizeBytes() - at));
    }

    /** A file that is opened and used unless something has failed before. */
    private static final class OpenFile implements AutoCloseable {
        private final PostponedFailure failure;
        private final Optional<FileChannel> channel;

        OpenFile(PostponedFailure failure, RedsetChannel.Computation<FileChannel> opening) {
            this.failure = failure;
            channel = failure.attempt(opening);
        }

        /** What is done with an open file. */
        private interface Use {
            void on(FileChannel file) throws IOException;
        }

        void use(Use use) {
            channel.ifPresent(file -> failure.attempt(() -> {
                use.on(file);
                return true;
            }));
        }

        @Override
        public void close() {
            channel.ifPresent(file -> failure.attempt(() -> {
                file.close();
                return true;
            }));
        }
    }
}
