package org.restorej.comm.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;

/** Says which libmpi its rank was told to load, and what that calls itself. */
final class MpiChoiceProgram {
    /** More than MPI_MAX_LIBRARY_VERSION_STRING of any MPI. */
    private static final int VERSION_BYTES = 1 << 16;

    private MpiChoiceProgram() {}

    public static void main(String[] args) throws Throwable {
        String library = System.getenv("RESTOREJ_MPI_LIBRARY");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(VERSION_BYTES);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            // Never closed: an MPI doesn't survive it.
            MemorySegment function = SymbolLookup.libraryLookup(library, Arena.global())
                    .find("MPI_Get_library_version").orElseThrow();
            int error = (int) Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS, ValueLayout.ADDRESS)).invokeExact(version, length);
            // In one write, since the ranks' lines meet in one pipe.
            System.out.print(
                    "error " + error + " of " + library + ": " + version.getString(0).lines().findFirst().orElse("")
                            + "; bindings on the class path: "
                            + System.getProperty("java.class.path").contains("mpi.jar") + "\n");
        }
    }
}
