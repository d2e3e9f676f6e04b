package org.restorej.bench.kernel;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.restorej.bench.c.CompiledC;
import org.restorej.bench.c.ScratchFolder;

/** ISA-L called by the C code {@code isal_rs.c}, compiled here and now by {@code cc}. Lives as long as its arena. */
final class IsalFromC {
    private static final String SOURCE = "isal_rs.c";
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    /** Of ISA-L's tables for each coefficient. */
    private static final int TABLE_BYTES = 32;

    private final MethodHandle encodeOften;
    private final KernelCase pieces;
    private final MemorySegment tables;
    private final MemorySegment sources;
    private final MemorySegment targets;

    private IsalFromC(MethodHandle encodeOften, KernelCase pieces, Arena arena) {
        this.encodeOften = encodeOften;
        this.pieces = pieces;
        tables = arena.allocate((long) TABLE_BYTES * pieces.sources().length * pieces.targets().length, 64);
        sources = pointers(arena, pieces.sources());
        targets = pointers(arena, pieces.targets());
    }

    private static MemorySegment pointers(Arena arena, MemorySegment... pieces) {
        MemorySegment pointers = arena.allocate(POINTER, pieces.length);
        for (int piece = 0; piece < pieces.length; piece++) {
            pointers.setAtIndex(POINTER, piece, pieces[piece]);
        }
        return pointers;
    }

    /**
     * Compiles the code and prepares it for some pieces.
     *
     * @throws IOException when there is no compiler or no ISA-L, or the compiler fails; the message says what it said
     */
    static IsalFromC compile(KernelCase pieces, Arena arena) throws IOException {
        try (ScratchFolder folder = ScratchFolder.temporary()) {
            SymbolLookup library = SymbolLookup.libraryLookup(CompiledC.of("cc", SOURCE, folder.path(), "-ldl"), arena);
            Linker linker = Linker.nativeLinker();
            MethodHandle prepare = linker.downcallHandle(library.findOrThrow("prepare"),
                    FunctionDescriptor.of(INT, INT, INT, POINTER, POINTER));
            MethodHandle encodeOften = linker.downcallHandle(library.findOrThrow("encode_often"),
                    FunctionDescriptor.ofVoid(INT, INT, INT, INT, POINTER, POINTER, POINTER));
            IsalFromC isal = new IsalFromC(encodeOften, pieces, arena);
            isal.prepare(prepare, arena);
            return isal;
        }
    }

    private void prepare(MethodHandle prepare, Arena arena) throws IOException {
        MemorySegment matrix = arena.allocateFrom(ValueLayout.JAVA_BYTE, pieces.matrix().toRowMajor());
        try {
            if ((int) prepare.invokeExact(pieces.sources().length, pieces.targets().length, matrix, tables) != 0) {
                throw new IOException("libisal.so.2 can't be loaded from C");
            }
        } catch (IOException absent) {
            throw absent;
        } catch (Throwable failure) {
            throw new IllegalStateException("prepare", failure);
        }
    }

    /** Encodes the pieces so many times, in one call from Java. */
    void encode(int repetitions) {
        try {
            encodeOften.invokeExact(repetitions, Math.toIntExact(pieces.sources()[0].byteSize()),
                    pieces.sources().length, pieces.targets().length, tables, sources, targets);
        } catch (Throwable failure) {
            throw new IllegalStateException("encode_often", failure);
        }
    }
}
