package org.restorej.crash;

import org.restorej.crash.CrashScenario.CrashOperation;

/** Crashes during the operations that go on after a failure, and repair. */
class EveryCrashPointOfRepairsTest extends EveryCrashPoint {
    @Override
    boolean covers(CrashOperation operation) {
        return operation.repairs();
    }
}
