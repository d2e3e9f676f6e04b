package org.restorej;

import java.util.List;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** Those {@link CodedStorePrograms} in which nobody fails. */
public final class CodedStoreProgramsWithoutFailures implements ContractSuite {
    @Override
    public List<ContractProgram> programs() {
        return CodedStorePrograms.WITHOUT_FAILURES;
    }
}
