package org.restorej.redset.internal.protocol;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a member has found of its own files, as it tells the other members.
 *
 * @param header header of its redundancy file as bytes, empty when there is none
 * @param checksums its file of checksums as bytes, empty when there is none
 * @param losses what of it is missing or damaged, in words; nothing means whole
 */
@SuppressWarnings("ArrayRecordComponent") // Sent and parsed; never compared.
record MemberReport(byte[] header, byte[] checksums, List<String> losses) {
    MemberReport {
        losses = List.copyOf(losses);
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(header.length);
            out.write(header);
            out.writeInt(checksums.length);
            out.write(checksums);
            out.writeInt(losses.size());
            for (String loss : losses) {
                out.writeUTF(loss);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    static MemberReport decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            byte[] header = in.readNBytes(in.readInt());
            byte[] checksums = in.readNBytes(in.readInt());
            List<String> losses = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                losses.add(in.readUTF());
            }
            return new MemberReport(header, checksums, losses);
        }
    }
}
