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
record StartMessage(String interrupted, long mostPieceBytes, byte[] content) {
    /**
     * Exchanges the messages of all ranks. Called by all ranks.
     *
     * @param operation what begins, for messages
     * @param own finds out what to tell; may complain of what the application has passed
     * @return of every rank, by rank
     */
    static List<StartMessage> exchange(RedsetChannel channel, String operation,
            PostponedFailure.Attempt<StartMessage> own) {
        return channel.compute(operation, () -> {
            PostponedFailure failure = new PostponedFailure();
            Optional<StartMessage> mine = failure.attemptLocally(own);
            List<StartMessage> told = new ArrayList<>();
            // Who tells nothing complains, and then nobody gets further than this step.
            for (byte[] each : channel.allGather(mine.map(StartMessage::encode).orElse(new byte[0]))) {
                if (each.length > 0) {
                    told.add(decode(each));
                }
            }
            failure.throwIfAny();
            return told;
        });
    }

    static long leastPieceBytes(List<StartMessage> told) {
        return told.stream().mapToLong(StartMessage::mostPieceBytes).min().orElseThrow();
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

    private static StartMessage decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new StartMessage(in.readUTF(), in.readLong(), in.readAllBytes());
        }
    }
}
