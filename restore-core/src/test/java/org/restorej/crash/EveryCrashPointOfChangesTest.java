package org.restorej.crash;

import org.restorej.crash.CrashScenario.CrashOperation;

/** Crashes during the operations that change some blocks. */
class EveryCrashPointOfChangesTest extends EveryCrashPoint {
    @Override
    boolean covers(CrashOperation operation) {
        return operation.changesBlocks();
    }
}
