package org.restorej.cli.doctor;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;

/**
 * The things that are examined.
 *
 * @param memory shared memory
 * @param mpis MPI installations
 * @param java Java on the {@code PATH}
 * @param isalFileName file name of ISA-L's library
 */
record Machine(SharedMemory memory, MpiFindings mpis, JavaOnPath java, String isalFileName) {
    /** File name for ABI 2, which ISA-L has had since 2017. */
    static final String ISAL = "libisal.so.2";
    private static final String ISAL_NAME = "ISA-L";
    private static final String ISAL_SYMBOL = "ec_encode_data";
    private static final String CODING = "faster erasure coding of files; without it Java does that";

    /** All findings, in order of importance. */
    List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        findings.add(java.finding());
        findings.addAll(mpis.findings());
        findings.add(isal());
        findings.add(memory.finding(Runtime.getRuntime().availableProcessors()));
        return findings;
    }

    /** Loads the library, because a file that exists may be of another architecture. */
    private Finding isal() {
        try (Arena arena = Arena.ofConfined()) {
            boolean works = SymbolLookup.libraryLookup(isalFileName, arena).find(ISAL_SYMBOL).isPresent();
            return works
                    ? Finding.ok(ISAL_NAME, isalFileName, CODING)
                    : Finding.missing(ISAL_NAME, isalFileName + " has no " + ISAL_SYMBOL, CODING, "bin/bootstrap");
        } catch (IllegalArgumentException absent) {
            return Finding.missing(ISAL_NAME, "no " + isalFileName, CODING, "bin/bootstrap");
        }
    }
}
