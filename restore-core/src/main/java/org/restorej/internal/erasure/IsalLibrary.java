package org.restorej.internal.erasure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.restorej.internal.foreign.ForeignCall;

/**
 * Intel's ISA-L: the addresses of the functions that erasure coding calls.
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
record IsalLibrary(MemorySegment initTables, MemorySegment encode, MemorySegment encodeUpdate,
        MemorySegment xorGenerate) {
    /** Names of the library on Linux and macOS; the number is its ABI, which has been 2 since 2017. */
    private static final String[] FILE_NAMES = {"libisal.so.2", "libisal.2.dylib"};

    /**
     * The result of an attempt to load it.
     *
     * @param library present if it was loaded
     * @param reason why it is absent, or the file name under which it was loaded
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
            // Never unloaded: any thread may call it until the JVM ends.
            return new Loaded(Optional.of(link(SymbolLookup.libraryLookup(fileName, Arena.global()))), fileName);
        } catch (IllegalArgumentException | NoSuchElementException | UnsupportedOperationException
                | IllegalCallerException absent) {
            return new Loaded(Optional.empty(), fileName + ": " + absent.getMessage());
        }
    }

    private static IsalLibrary link(SymbolLookup library) {
        // ForeignCall is in another module, for which native access may be denied.
        ForeignCall.requireAllowed();
        return new IsalLibrary(library.findOrThrow("ec_init_tables"),
                library.findOrThrow("ec_encode_data"), library.findOrThrow("ec_encode_data_update"),
                library.findOrThrow("xor_gen"));
    }

    void initTables(int columns, int rows, MemorySegment matrix, MemorySegment tables) {
        ForeignCall.call(initTables, columns, rows, matrix.address(), tables.address(), 0);
    }

    void encode(int bytes, int columns, int rows, MemorySegment tables, MemorySegment sources, MemorySegment targets) {
        ForeignCall.call(encode, bytes, columns, rows, tables.address(), sources.address(), targets.address(), 0, 0);
    }

    void encodeUpdate(int bytes, int columns, int rows, int column, MemorySegment tables, MemorySegment source,
            MemorySegment targets) {
        ForeignCall.call(encodeUpdate, bytes, columns, rows, column, tables.address(), source.address(),
                targets.address(), 0);
    }

    /** Computes the exclusive or of vectors; false if the library rejects them, as it does if they are misaligned. */
    boolean xorGenerate(int vectors, int bytes, MemorySegment pointers) {
        return ForeignCall.call(xorGenerate, vectors, bytes, pointers.address()) == 0;
    }
}
