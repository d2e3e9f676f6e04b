package org.restorej.crash;

/** The same of the operations that read, and of those that repair: about as many crashes. */
class EveryCrashPointOfReadsTest extends EveryCrashPointTest {
    @Override
    boolean operationsRead() {
        return true;
    }
}
