package org.restorej.redset.internal.erasure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The loops of {@link VectorKernel}; can't be loaded without the module of the Vector API. */
final class VectorLoops {
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
    private static final int LANES = BYTES.length();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int HALF_BITS = 4;
    private static final int HALF_MASK = 0x0F;

    private VectorLoops() {}

    /** The products with all low halves of a byte, then with all high halves, each repeated to fill a vector. */
    static byte[] tables(int coefficient) {
        byte[] tables = new byte[2 * LANES];
        for (int lane = 0; lane < LANES; lane++) {
            int half = lane & HALF_MASK;
            tables[lane] = (byte) GaloisField.multiply(coefficient, half);
            tables[LANES + lane] = (byte) GaloisField.multiply(coefficient, half << HALF_BITS);
        }
        return tables;
    }

    static void addProduct(byte[] tables, MemorySegment source, MemorySegment target) {
        ByteVector lowProducts = ByteVector.fromArray(BYTES, tables, 0);
        ByteVector highProducts = ByteVector.fromArray(BYTES, tables, LANES);
        long bytes = target.byteSize();
        long wholeVectors = bytes - bytes % LANES;
        for (long at = 0; at < wholeVectors; at += LANES) {
            ByteVector factors = ByteVector.fromMemorySegment(BYTES, source, at, ORDER);
            IntVector shifted = factors.reinterpretAsInts().lanewise(VectorOperators.LSHR, HALF_BITS);
            ByteVector low = factors.and((byte) HALF_MASK).selectFrom(lowProducts);
            ByteVector high = shifted.reinterpretAsBytes().and((byte) HALF_MASK).selectFrom(highProducts);
            ByteVector.fromMemorySegment(BYTES, target, at, ORDER).lanewise(VectorOperators.XOR, low)
                    .lanewise(VectorOperators.XOR, high).intoMemorySegment(target, at, ORDER);
        }
        for (long at = wholeVectors; at < bytes; at++) {
            int factor = source.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            int product = tables[factor & HALF_MASK] ^ tables[LANES + (factor >>> HALF_BITS)];
            target.set(ValueLayout.JAVA_BYTE, at, (byte) (target.get(ValueLayout.JAVA_BYTE, at) ^ product));
        }
    }
}
