package org.restorej.redset.internal.coding;

import java.util.Arrays;
import java.util.List;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.SetDescription;

/** What the redundancy file of a member holds behind its header, by the formulas of redset's format, byte by byte. */
final class ReferencePayload {
    private ReferencePayload() {}

    /** The payload of a rank, from the logical files of all ranks. */
    static byte[] of(SetDescription set, List<byte[]> logicalFiles, int rank) {
        if (set.scheme() instanceof Scheme.Partner partner) {
            byte[] copies = {};
            for (int distance = 1; distance <= partner.replicas(); distance++) {
                byte[] copy = logicalFiles.get(Math.floorMod(rank - distance, set.ranks()));
                copies = Arrays.copyOf(copies, copies.length + copy.length);
                System.arraycopy(copy, 0, copies, copies.length - copy.length, copy.length);
            }
            return copies;
        }
        if (!(set.scheme() instanceof Scheme.Coded coded)) {
            return new byte[0];
        }
        int ranks = set.ranks();
        int checksums = coded.checksums();
        int longest = logicalFiles.stream().mapToInt(file -> file.length).max().orElse(0);
        int chunk = Math.max(1, Math.ceilDiv(longest, ranks - checksums));
        byte[] payload = new byte[checksums * chunk];
        for (int checksum = 0; checksum < checksums; checksum++) {
            int row = (rank + checksum) % ranks;
            for (int source = 0; source < ranks; source++) {
                if (Math.floorMod(row - source, ranks) >= checksums) {
                    int coefficient = coded instanceof Scheme.ReedSolomon ? coefficient(ranks, checksum, source) : 1;
                    int start = chunksBefore(row, source, ranks, checksums) * chunk;
                    byte[] file = logicalFiles.get(source);
                    for (int i = 0; i < chunk && start + i < file.length; i++) {
                        payload[checksum * chunk + i] ^= (byte) multiply(coefficient, file[start + i] & 0xFF);
                    }
                }
            }
        }
        return payload;
    }

    private static int chunksBefore(int row, int rank, int ranks, int checksums) {
        int chunks = 0;
        for (int before = 0; before < row; before++) {
            chunks += Math.floorMod(before - rank, ranks) >= checksums ? 1 : 0;
        }
        return chunks;
    }

    /** {@code P[j][q]}: the product over {@code i != q} of {@code (p + j ^ i) / (q ^ i)}. */
    private static int coefficient(int ranks, int checksum, int rank) {
        int product = 1;
        for (int i = 0; i < ranks; i++) {
            if (i != rank) {
                product = multiply(product, multiply((ranks + checksum) ^ i, inverse(rank ^ i)));
            }
        }
        return product;
    }

    private static int inverse(int value) {
        int inverse = 1;
        while (multiply(inverse, value) != 1) {
            inverse++;
        }
        return inverse;
    }

    private static int multiply(int left, int right) {
        int product = 0;
        int shifted = left;
        for (int bits = right; bits != 0; bits >>= 1) {
            product ^= (bits & 1) == 0 ? 0 : shifted;
            shifted = shifted << 1 ^ ((shifted & 0x80) == 0 ? 0 : 0x11D);
        }
        return product;
    }
}
