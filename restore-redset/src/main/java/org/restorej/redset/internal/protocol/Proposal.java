package org.restorej.redset.internal.protocol;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.restorej.redset.internal.sets.ProtectionSettings;

/**
 * What a rank proposes when files are to be protected.
 *
 * @param commit name of the commit, drawn by chance on rank 0, which alone loads the JVM's cryptography; zero elsewhere
 * @param settings how to protect, encoded
 */
@SuppressWarnings("ArrayRecordComponent") // Sent and parsed; never compared.
record Proposal(UUID commit, byte[] settings) {
    static byte[] encode(ProtectionSettings settings, int rank) {
        UUID drawn = rank == 0 ? UUID.randomUUID() : new UUID(0, 0);
        byte[] encoded = settings.encode();
        return ByteBuffer.allocate(2 * Long.BYTES + encoded.length).putLong(drawn.getMostSignificantBits())
                .putLong(drawn.getLeastSignificantBits()).put(encoded).array();
    }

    static Proposal decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        UUID commit = new UUID(in.getLong(), in.getLong());
        byte[] settings = new byte[in.remaining()];
        in.get(settings);
        return new Proposal(commit, settings);
    }
}
