package org.restorej.redset.internal.erasure;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The kernel on the Vector API. It looks up the products of the two halves of a byte by shuffles, as ISA-L does. It is
 * never chosen by default: the JVM must be started with {@code --add-modules jdk.incubator.vector}, and compiling
 * takes half a second. Before that, and under C1, it is slower than all others. Only {@link VectorLoops} refers to the
 * incubator's classes; it is loaded when a map is first used.
 */
final class VectorKernel implements ErasureKernel {
    /** The module that the Vector API is in. */
    static final String MODULE = "jdk.incubator.vector";

    private VectorKernel() {}

    /**
     * What came of the attempt to load it.
     *
     * @param kernel present when the module is
     * @param reason why it is absent, or the module's name
     */
    record Loaded(Optional<ErasureKernel> kernel, String reason) {}

    static Loaded load(String module) {
        if (ModuleLayer.boot().findModule(module).isPresent()) {
            return new Loaded(Optional.of(new VectorKernel()), module);
        }
        return new Loaded(Optional.empty(),
                "the JVM was started without --add-modules " + module);
    }

    @Override
    public String name() {
        return "vector";
    }

    @Override
    public LinearMap prepare(GaloisMatrix matrix) {
        return new HalfByteMap(matrix);
    }

    private static final class HalfByteMap implements LinearMap {
        /** The pieces of eight sources and two targets then fit into a second-level cache. */
        private static final long BLOCK_BYTES = 16 * 1024;

        private final GaloisMatrix matrix;
        private final byte[][][] tables;

        HalfByteMap(GaloisMatrix matrix) {
            this.matrix = matrix;
            this.tables = new byte[matrix.rows()][matrix.columns()][];
            for (int row = 0; row < matrix.rows(); row++) {
                for (int column = 0; column < matrix.columns(); column++) {
                    tables[row][column] = VectorLoops.tables(matrix.at(row, column));
                }
            }
        }

        @Override
        public void apply(MemorySegment[] sources, MemorySegment[] targets) {
            SegmentChecks.checkApply(matrix, sources, targets);
            long bytes = targets[0].byteSize();
            for (long offset = 0; offset < bytes; offset += BLOCK_BYTES) {
                long blockBytes = Math.min(BLOCK_BYTES, bytes - offset);
                for (int row = 0; row < targets.length; row++) {
                    MemorySegment target = targets[row].asSlice(offset, blockBytes);
                    target.fill((byte) 0);
                    for (int column = 0; column < sources.length; column++) {
                        VectorLoops.addProduct(tables[row][column], sources[column].asSlice(offset, blockBytes),
                                target);
                    }
                }
            }
        }

        @Override
        public void accumulate(int column, MemorySegment source, MemorySegment[] targets) {
            SegmentChecks.checkAccumulate(matrix, column, source, targets);
            long bytes = source.byteSize();
            for (long offset = 0; offset < bytes; offset += BLOCK_BYTES) {
                long blockBytes = Math.min(BLOCK_BYTES, bytes - offset);
                MemorySegment block = source.asSlice(offset, blockBytes);
                for (int row = 0; row < targets.length; row++) {
                    VectorLoops.addProduct(tables[row][column], block, targets[row].asSlice(offset, blockBytes));
                }
            }
        }
    }
}
