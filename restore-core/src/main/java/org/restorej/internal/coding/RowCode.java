package org.restorej.internal.coding;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.internal.erasure.LinearMap;
import org.restorej.internal.erasure.RecoveryMatrix;
import org.restorej.internal.placement.CodedLayout;

/**
 * The code of a row: exclusive or for one parity cell, otherwise Reed-Solomon with redset's matrix, whose square
 * submatrices are all invertible. Segments are off-heap. Not thread-safe.
 */
public final class RowCode {
    private final CodedLayout layout;
    private final GaloisMatrix parity;
    private final ErasureKernel kernel = ErasureKernels.preferred();
    private final LinearMap encoder;
    /** By the computed part and its source parts. */
    private final Map<List<Integer>, LinearMap> decoders = new HashMap<>();

    public RowCode(CodedLayout layout) {
        this.layout = layout;
        parity = layout.parityParts() == 1
                ? GaloisMatrix.parityOfOnes(layout.dataParts())
                : GaloisMatrix.reedSolomon(layout.dataParts(), layout.parityParts());
        encoder = kernel.prepare(parity);
    }

    public CodedLayout layout() {
        return layout;
    }

    /**
     * Computes parity.
     *
     * @param data the k data cells, of equal lengths
     * @param into the m parity cells, of the same length; overwritten
     */
    public void encode(MemorySegment[] data, MemorySegment[] into) {
        encoder.apply(data, into);
    }

    /** Adds the contribution of some bytes of one data cell to the same bytes of all parity cells. */
    public void add(int dataPart, MemorySegment data, MemorySegment[] into) {
        encoder.accumulate(dataPart, data, into);
    }

    /** Adds bytes to others, such as a partial sum to parity. */
    public void addSum(MemorySegment sum, MemorySegment into) {
        kernel.xor(sum, into);
    }

    /**
     * Computes a cell, or some of its bytes, from the same bytes of k others.
     *
     * @param part of the cell
     * @param sourceParts parts of the others, ascending
     * @param sources their bytes, of equal lengths
     * @param into overwritten
     */
    void decode(int part, int[] sourceParts, MemorySegment[] sources, MemorySegment into) {
        List<Integer> key = IntStream.concat(IntStream.of(part), IntStream.of(sourceParts)).boxed().toList();
        decoders.computeIfAbsent(key, _ -> kernel.prepare(decodingRow(part, sourceParts)))
                .apply(sources, new MemorySegment[]{into});
    }

    private GaloisMatrix decodingRow(int part, int[] sourceParts) {
        int k = layout.dataParts();
        int[] data = IntStream.of(sourceParts).filter(source -> source < k).toArray();
        int[] checksums = IntStream.of(sourceParts).filter(source -> source >= k).map(source -> source - k).toArray();
        int[] lostData = IntStream.range(0, k).filter(other -> IntStream.of(data).noneMatch(source -> source == other))
                .toArray();
        int[] lostChecksums = part < k ? new int[0] : new int[]{part - k};
        GaloisMatrix all = RecoveryMatrix.of(parity, data, lostData, checksums, lostChecksums);
        int row = part < k
                ? IntStream.range(0, lostData.length).filter(i -> lostData[i] == part).findFirst().orElseThrow()
                : lostData.length;
        return all.select(new int[]{row}, IntStream.range(0, all.columns()).toArray());
    }
}
