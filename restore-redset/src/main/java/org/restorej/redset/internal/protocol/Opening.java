package org.restorej.redset.internal.protocol;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a rank tells all others when an operation begins.
 *
 * @param interrupted what its journal tells of ({@link InterruptedCommits#describe}), or nothing
 * @param mostPieceBytes most bytes of a piece; the least of all ranks counts
 * @param content what else the operation needs of every rank
 */
@SuppressWarnings("ArrayRecordComponent") // Sent and parsed; never compared.
record Opening(String interrupted, long mostPieceBytes, byte[] content) {
    /**
     * Tells, and hears from all. Called by all ranks.
     *
     * @param operation what begins, for messages
     * @param own finds out what to tell; may complain of what the application has passed
     * @return of every rank, by rank
     */
    static List<Opening> exchange(RedsetChannel channel, String operation, PostponedFailure.Attempt<Opening> own) {
        List<Opening> told = new ArrayList<>();
        channel.step(operation, () -> {
            PostponedFailure failure = new PostponedFailure();
            Optional<Opening> mine = failure.attemptLocally(own);
            // Who tells nothing complains, and then nobody gets further than this step.
            for (byte[] each : channel.allGather(mine.map(Opening::encode).orElse(new byte[0]))) {
                if (each.length > 0) {
                    told.add(decode(each));
                }
            }
            failure.throwIfAny();
        });
        return told;
    }

    static long leastPieceBytes(List<Opening> told) {
        return told.stream().mapToLong(Opening::mostPieceBytes).min().orElseThrow();
    }

    private byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(interrupted);
            out.writeLong(mostPieceBytes);
            out.write(content);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static Opening decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new Opening(in.readUTF(), in.readLong(), in.readAllBytes());
        }
    }
}
