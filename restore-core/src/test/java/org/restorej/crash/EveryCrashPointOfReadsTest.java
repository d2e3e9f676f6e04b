package org.restorej.crash;

import org.restorej.crash.CrashScenario.CrashOperation;

/** Crashes during the operations that only read. */
class EveryCrashPointOfReadsTest extends EveryCrashPoint {
    @Override
    boolean covers(CrashOperation operation) {
        return !operation.submitsAll() && !operation.changesBlocks() && !operation.repairs();
    }
}
