package org.restorej.crash;

import org.restorej.crash.CrashScenario.CrashOperation;

/** Crashes during the operations that submit all blocks. */
class EveryCrashPointOfSubmitsTest extends EveryCrashPoint {
    @Override
    boolean covers(CrashOperation operation) {
        return operation.submitsAll();
    }
}
