package org.restorej.comm.testing;

import java.util.List;

/**
 * Programs that belong together. Public with a public constructor, so that the ranks of an MPI job can find it by name.
 */
public interface ContractSuite {
    /** The programs. */
    List<ContractProgram> programs();

    /** The program of this name. */
    default ContractProgram named(String name) {
        return programs().stream().filter(program -> program.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no program of this name: name=" + name));
    }
}
