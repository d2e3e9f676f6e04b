package org.restorej.internal.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.restorej.internal.foreign.ForeignCall;

/** Groups of MPI libraries with the same ABI. */
enum MpiFamily {
    /** Open MPI 4 to 6. */
    OPEN_MPI("Open MPI"),
    /** MPICH, Intel MPI, Cray MPICH and MVAPICH, which share an ABI. */
    MPICH("MPICH and its family"),
    /** Any MPI with the standard ABI of MPI 5.0. */
    STANDARD("the standard ABI of MPI 5.0");

    private final String description;

    MpiFamily(String description) {
        this.description = description;
    }

    /** The name for messages. */
    String description() {
        return description;
    }

    /** File names of libraries of this family; the last one may be that of another family. */
    List<String> fileNames() {
        return switch (this) {
            case OPEN_MPI -> List.of("libmpi.so.40", "libmpi.so.80", "libmpi.so");
            case MPICH -> List.of("libmpi.so.12", "libmpich.so.12", "libmpi_gnu.so.12", "libmpi.so");
            case STANDARD -> List.of("libmpi_abi.so.1", "libmpi_abi_openmpi.so.1", "libmpi_abi_mpich.so.1",
                    "libmpi_abi.so");
        };
    }

    /**
     * The family of a loaded library. The standard ABI is checked first, because Open MPI's variables are visible
     * through the standard's library, too.
     *
     * @param version result of MPI_Get_library_version
     */
    static MpiFamily of(SymbolLookup library, String version) throws MpiNotFoundException {
        if (hasStandardInterface(library)) {
            return STANDARD;
        }
        if (library.find("ompi_mpi_comm_world").isPresent()) {
            return OPEN_MPI;
        }
        if (isMpich(version)) {
            return MPICH;
        }
        throw new MpiNotFoundException(
                "this is neither Open MPI, nor MPICH or one of its family, nor a library with MPI's "
                        + "standard ABI: " + version);
    }

    /** Whether MPI_Abi_get_version returns 1 or more; it returns -1 for another ABI, and older libraries lack it. */
    private static boolean hasStandardInterface(SymbolLookup library) {
        return library.find("MPI_Abi_get_version").map(MpiFamily::majorVersion).orElse(-1) >= 1;
    }

    private static int majorVersion(MemorySegment function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment major = arena.allocateFrom(ValueLayout.JAVA_INT, -1);
            int code = ForeignCall.call(function, major.address(), arena.allocate(ValueLayout.JAVA_INT).address());
            return code == 0 ? major.get(ValueLayout.JAVA_INT, 0) : -1;
        }
    }

    /** Whether this is a version text of MPICH or one of its family. */
    static boolean isMpich(String version) {
        return version.matches("(?i).*(MPICH|Intel\\(R\\) MPI|MVAPICH|\\bHPE HMPT).*");
    }

    Constants constants(SymbolLookup library) {
        return switch (this) {
            case OPEN_MPI -> Constants.openMpi(library);
            case MPICH -> Constants.mpich();
            case STANDARD -> Constants.standard();
        };
    }
}
