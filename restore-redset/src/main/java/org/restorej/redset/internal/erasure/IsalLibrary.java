package org.restorej.redset.internal.erasure;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The functions used of Intel's ISA-L, linked once.
 *
 * @param initTables {@code void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *gftbls)}
 * @param encode
 *        {@code void ec_encode_data(int len, int k, int rows, unsigned char *gftbls, unsigned char **data, unsigned
 *        char **coding)}
 * @param encodeUpdate
 *        {@code void ec_encode_data_update(int len, int k, int rows, int vec_i, unsigned char *gftbls, unsigned char
 *        *data, unsigned char **coding)}
 * @param xorGenerate {@code int xor_gen(int vects, int len, void **array)}
 */
record IsalLibrary(MethodHandle initTables, MethodHandle encode, MethodHandle encodeUpdate, MethodHandle xorGenerate) {
    /** Names of the library on Linux and macOS; the number is its ABI, which is 2 since 2017. */
    private static final String[] FILE_NAMES = {"libisal.so.2", "libisal.2.dylib"};

    /**
     * What came of the attempt to load it.
     *
     * @param library present when it loaded
     * @param reason why it is absent, or the file name it was loaded by
     */
    record Loaded(Optional<IsalLibrary> library, String reason) {}

    static Loaded load() {
        StringBuilder reasons = new StringBuilder();
        for (String fileName : FILE_NAMES) {
            Loaded loaded = load(fileName);
            if (loaded.library().isPresent()) {
                return loaded;
            }
            reasons.append(reasons.isEmpty() ? "" : "; ").append(loaded.reason());
        }
        return new Loaded(Optional.empty(), reasons.toString());
    }

    static Loaded load(String fileName) {
        try {
            // For good: method handles may be in use by any thread until the JVM ends.
            return new Loaded(Optional.of(link(SymbolLookup.libraryLookup(fileName, Arena.global()))), fileName);
        } catch (IllegalArgumentException | NoSuchElementException | UnsupportedOperationException
                | IllegalCallerException absent) {
            return new Loaded(Optional.empty(), fileName + ": " + absent.getMessage());
        }
    }

    private static IsalLibrary link(SymbolLookup library) {
        Linker linker = Linker.nativeLinker();
        ValueLayout.OfInt integer = ValueLayout.JAVA_INT;
        AddressLayout pointer = ValueLayout.ADDRESS;
        return new IsalLibrary(
                linker.downcallHandle(library.findOrThrow("ec_init_tables"),
                        FunctionDescriptor.ofVoid(integer, integer, pointer, pointer)),
                linker.downcallHandle(library.findOrThrow("ec_encode_data"),
                        FunctionDescriptor.ofVoid(integer, integer, integer, pointer, pointer, pointer)),
                linker.downcallHandle(library.findOrThrow("ec_encode_data_update"),
                        FunctionDescriptor.ofVoid(integer, integer, integer, integer, pointer, pointer, pointer)),
                linker.downcallHandle(library.findOrThrow("xor_gen"),
                        FunctionDescriptor.of(integer, integer, integer, pointer)));
    }

    void initTables(int columns, int rows, MemorySegment matrix, MemorySegment tables) {
        try {
            initTables.invokeExact(columns, rows, matrix, tables);
        } catch (Throwable failure) {
            throw unexpected("ec_init_tables", failure);
        }
    }

    void encode(int bytes, int columns, int rows, MemorySegment tables, MemorySegment sources, MemorySegment targets) {
        try {
            encode.invokeExact(bytes, columns, rows, tables, sources, targets);
        } catch (Throwable failure) {
            throw unexpected("ec_encode_data", failure);
        }
    }

    void encodeUpdate(int bytes, int columns, int rows, int column, MemorySegment tables, MemorySegment source,
            MemorySegment targets) {
        try {
            encodeUpdate.invokeExact(bytes, columns, rows, column, tables, source, targets);
        } catch (Throwable failure) {
            throw unexpected("ec_encode_data_update", failure);
        }
    }

    /** Whether the library did it; it declines vectors that it finds badly aligned. */
    boolean xorGenerate(int vectors, int bytes, MemorySegment pointers) {
        try {
            return (int) xorGenerate.invokeExact(vectors, bytes, pointers) == 0;
        } catch (Throwable failure) {
            throw unexpected("xor_gen", failure);
        }
    }

    /** These functions throw nothing: what arrives here is an error of the JVM or of how they are called. */
    private static RuntimeException unexpected(String function, Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(function + " could not be called", failure);
    }
}
