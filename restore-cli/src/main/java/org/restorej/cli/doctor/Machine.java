package org.restorej.cli.doctor;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;

/**
 * What is examined.
 *
 * @param files what the system says about memory
 * @param mpis what the scripts and the library know
 * @param java which Java the shell finds
 * @param isalFileName the file name of ISA-L's library
 */
record Machine(SystemFiles files, MpiFindings mpis, JavaOnPath java, String isalFileName) {
    /** Of ABI 2, which it has since 2017. */
    static final String ISAL = "libisal.so.2";
    private static final String ISAL_NAME = "ISA-L";
    private static final String ISAL_SYMBOL = "ec_encode_data";
    private static final String CODING = "faster erasure coding of files; without it Java does that";

    /** Everything, in order of importance. */
    List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        findings.add(java.finding());
        findings.addAll(mpis.findings());
        findings.add(isal());
        findings.add(files.hugePages());
        findings.add(files.sharedMemory(Runtime.getRuntime().availableProcessors()));
        findings.add(files.lockedMemory());
        return findings;
    }

    /** Loads it: that the file is there would not say that it is of this machine's kind. */
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
